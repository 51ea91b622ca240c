"""Links as QR codes, for the camera of a telephone. Drawn here, by segno: no link is ever sent to anybody for it."""

from __future__ import annotations

from typing import Final

QUIET: Final = 4
"""Light modules around a code, as the standard asks."""
_DARK_ON_LIGHT: Final = "\x1b[30;107m"
_AS_BEFORE: Final = "\x1b[0m"
_HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def modules(link: str) -> list[str]:
    """The rows of a code, `1` for dark, without the light border."""
    import segno  # only who asks for a code waits for it

    code = segno.make_qr(link, error="m")
    return ["".join("1" if module else "0" for module in row) for row in code.matrix]


def for_terminal(link: str) -> str:
    """A code of half blocks, two rows a line, dark on light whatever the terminal's colours are."""
    rows = modules(link)
    width = len(rows) + 2 * QUIET
    blank = "0" * width
    framed = [*[blank] * QUIET, *(f"{'0' * QUIET}{row}{'0' * QUIET}" for row in rows), *[blank] * (QUIET + 1)]
    lines = [
        "".join(_HALVES[upper == "1", lower == "1"] for upper, lower in zip(*framed[row : row + 2], strict=True))
        for row in range(0, width, 2)
    ]
    return "\n".join(f"{_DARK_ON_LIGHT}{line}{_AS_BEFORE}" for line in lines)
