"""Tree search over the kernel, compiled."""

from __future__ import annotations

import numba

from sunglade.kernel.compiler import cache_folder


def is_cold() -> bool:
    """Whether the tree search has still to be compiled on this machine."""
    return not numba.config.DISABLE_JIT and not any(cache_folder().rglob("uct.simulate-*.nbi"))
