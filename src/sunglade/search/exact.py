"""Products of floating-point numbers that are rounded before anything is added to them, wherever they are computed.

A GPU's compiler would fuse a product and a sum into one instruction that rounds once: a little more exact, and so
another number than a CPU's, by which a player that compares positions can choose otherwise.
"""

from __future__ import annotations

from typing import Any

from sunglade.kernel.compiler import teaches_numba


def product(a: float, b: float) -> float:
    """a × b, rounded."""
    return a * b


@teaches_numba
def _instructions() -> None:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def rounded_product(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            real = ir.DoubleType()
            multiply = ir.InlineAsm(ir.FunctionType(real, [real, real]), "mul.rn.f64 $0, $1, $2;", "=d,d,d")
            return builder.call(multiply, arguments)

        return types.float64(types.float64, types.float64), generate

    # Numba wants the signatures equal, annotations included. What is not for a CPU is for a GPU.
    overload(product, target="generic")(lambda a, b: lambda a, b: rounded_product(a, b))
    overload(product, target="cpu")(lambda a, b: lambda a, b: a * b)
