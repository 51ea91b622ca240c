"""Sets of spaces as integers: the two questions the machine answers in one instruction.

The plain functions are what runs interpreted; compiled code gets the instruction, on a CPU and on a GPU.
"""

from __future__ import annotations

from typing import Any

from sunglade.kernel.compiler import teaches_numba


def lowest(bits: int) -> int:
    """The lowest space of a set that has one."""
    return (int(bits) & -int(bits)).bit_length() - 1


def popcount(bits: int) -> int:
    """How many spaces a set has."""
    return int(bits).bit_count()


@teaches_numba
def _instructions() -> None:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def trailing_zeros(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def ones(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    # Numba wants the signatures equal, annotations included.
    overload(lowest, target="generic")(lambda bits: lambda bits: trailing_zeros(bits))
    overload(popcount, target="generic")(lambda bits: lambda bits: ones(bits))
