"""Arithmetic modulo 2⁶⁴ on signed integers, for random generators.

Compiled `+` and `*` may assume that nothing overflows; these say that it may. The plain functions are what runs
interpreted.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from sunglade.kernel.compiler import inlined


def wrapped(number: int) -> int:
    """The low 64 bits as a signed integer."""
    return ((int(number) + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def wrapping_sum(a: int, b: int) -> int:
    """a + b modulo 2⁶⁴."""
    return wrapped(int(a) + int(b))


def wrapping_product(a: int, b: int) -> int:
    """a × b modulo 2⁶⁴."""
    return wrapped(int(a) * int(b))


@intrinsic
def _add(context: Any, a: Any, b: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.add(*arguments)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _multiply(context: Any, a: Any, b: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.mul(*arguments)

    return types.int64(types.int64, types.int64), generate


def _sum(a, b):  # type: ignore[no-untyped-def]  # Numba wants the signatures equal, annotations included
    return lambda a, b: _add(a, b)


def _product(a, b):  # type: ignore[no-untyped-def]
    return lambda a, b: _multiply(a, b)


overload(wrapping_sum, target="generic")(_sum)
overload(wrapping_product, target="generic")(_product)


@inlined
def shifted_right(number: int, places: int) -> int:
    """Shifted right with zeros coming in from the left; at least one place."""
    return number >> places & ~(-1 << (64 - places))


@inlined
def unsigned_remainder(number: int, divisor: int) -> int:
    """The remainder of a number taken as unsigned; small divisors."""
    return (shifted_right(number, 1) % divisor * 2 + (number & 1)) % divisor
