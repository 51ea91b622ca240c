"""Memory that several threads work on at a time, without locks: adding to a number, and announcing what was written.

Compiled, these are single instructions of the processor. Interpreted, threads take turns anyway: the plain functions
say what happens.
"""

from __future__ import annotations

from typing import Any

from sunglade.kernel.compiler import teaches_numba


def add(numbers: Any, index: int, amount: Any) -> None:
    """Add to a number of an array; no other thread's addition gets lost meanwhile."""
    numbers[index] += amount


def publish() -> None:
    """Everything written before is seen by a thread that sees something written after, if it asks `observe`."""


def observe() -> None:
    """What is read from now on is at least as new as what was read before."""


@teaches_numba
def _instructions() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def atomic_add(context: Any, numbers: Any, index: Any, amount: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            data = context.make_array(kind)(context, builder, arguments[0]).data
            place = builder.gep(data, [arguments[1]])
            operation = "fadd" if isinstance(kind.dtype, types.Float) else "add"
            builder.atomic_rmw(operation, place, arguments[2], "monotonic")
            return context.get_dummy_value()

        return types.void(numbers, types.intp, numbers.dtype), generate

    @intrinsic
    def release(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.fence("release")
            return context.get_dummy_value()

        return types.void(), generate

    @intrinsic
    def acquire(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.fence("acquire")
            return context.get_dummy_value()

        return types.void(), generate

    # Numba wants the signatures equal, annotations included.
    overload(add)(lambda numbers, index, amount: lambda numbers, index, amount: atomic_add(numbers, index, amount))
    overload(publish)(lambda: lambda: release())
    overload(observe)(lambda: lambda: acquire())
