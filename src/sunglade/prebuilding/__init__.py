"""Compiling the kernel ahead of time: `python -m sunglade.prebuilding` writes what `sunglade.prebuilt` finds.

The functions are those marked `@entry` in the rooms that play the game, and their annotations say what they take and
give: there is no other list. Numba compiles them for another machine (`numba_target`), `exports` gives them an ABI
that C, ctypes and WebAssembly share, and the linker of the package `ziglang` makes a library of them (`linking`).
"""

from typing import Final

LINKER: Final = "ziglang>=0.15,<0.16"
"""The package with a compiler and linkers; later ones lack musl's `exp` and `log`."""
