"""Tree search over the kernel, compiled."""

from __future__ import annotations

import numba

from sunglade.kernel.compiler import cache_folder


def is_cold() -> bool:
    """Whether a tree search has still to be compiled on this machine."""
    entries = ("uct.simulate", "graph.gather")
    return not numba.config.DISABLE_JIT and not all(any(cache_folder().rglob(f"{entry}-*.nbi")) for entry in entries)
