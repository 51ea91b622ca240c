"""Tree search over the kernel, compiled."""

from __future__ import annotations

from sunglade.kernel.compiler import is_cold as entries_are_cold


def is_cold() -> bool:
    """Whether a tree search has still to be compiled on this machine."""
    return entries_are_cold("uct.simulate", "graph.gather")
