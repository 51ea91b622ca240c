"""Short lists inside one integer: up to fifteen codes from 1 to 15, four bits each, the first in the lowest bits."""

from __future__ import annotations

from sunglade.kernel.compiler import compiled


@compiled
def appended(codes: int, code: int) -> int:
    """The list with one more code at its end."""
    shift = 0
    while codes >> shift:
        shift += 4
    return codes | code << shift


@compiled
def contains(codes: int, code: int) -> bool:
    """Whether a code is in the list."""
    while codes:
        if codes & 15 == code:
            return True
        codes >>= 4
    return False


@compiled
def removed(codes: int, code: int) -> int:
    """The list without the first of such codes."""
    shift = 0
    while codes >> shift:
        if codes >> shift & 15 == code:
            before = codes & ((1 << shift) - 1)
            return before | codes >> (shift + 4) << shift
        shift += 4
    return codes


@compiled
def code_at(codes: int, place: int) -> int:
    """The code at a place of the list, counted from 0."""
    return codes >> (4 * place) & 15


def packed(codes: list[int]) -> int:
    """A list as one integer."""
    return sum(code << (4 * place) for place, code in enumerate(codes))


def unpacked(codes: int) -> list[int]:
    """The codes of a list, in order."""
    result = []
    while codes:
        result.append(int(codes) & 15)
        codes >>= 4
    return result
