"""Several float32 numbers that are computed with at once, as many as the processor takes: 16, 8 or 4.

Compiled code gets the processor's instructions, a product and a sum in one where it has that. Interpreted, they are
short NumPy arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sunglade.kernel.compiler import inlined, teaches_numba
from sunglade.kernel.fields import Floats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Lanes = NDArray[np.float32]

_INTERPRETED: Final = 16


def lanes() -> int:
    """How many numbers there are in one; a constant to the compiler. 32 is a multiple of twice as many."""
    return _INTERPRETED


def load(numbers: Floats, at: int) -> Lanes:
    """The numbers from a place on."""
    copied: Lanes = numbers[at : at + _INTERPRETED].copy()
    return copied


def store(numbers: Floats, at: int, values: Lanes) -> None:
    """Write them from a place on."""
    numbers[at : at + _INTERPRETED] = values


def spread(number: float) -> Lanes:
    """The same number in all lanes."""
    import numpy as np

    return np.full(_INTERPRETED, number, np.float32)


def number_at(numbers: Floats, at: int) -> float:
    """The number at a place, which is not negative: Numba does not ask whether it is counted from the end."""
    return numbers[at]


def higher(one: Lanes, other: Lanes) -> Lanes:
    """The higher of two numbers, lane by lane."""
    import numpy as np

    return np.maximum(one, other)


def lower(one: Lanes, other: Lanes) -> Lanes:
    """The lower of two numbers, lane by lane."""
    import numpy as np

    return np.minimum(one, other)


def highest(values: Lanes) -> float:
    """The highest of all lanes."""
    return float(values.max())


def total(values: Lanes) -> float:
    """The sum of all lanes."""
    return float(values.sum())


ROUNDING: Final = 1.5 * 2**23
"""A float32 number that was added to this has no digits behind the point left: they are rounded away."""


def power_of_two(rounded: Lanes) -> Lanes:
    """2 to the power of whole numbers between −126 and 127, to which `ROUNDING` was added."""
    import numpy as np

    raised: Lanes = np.exp2(rounded - np.float32(ROUNDING))
    return raised


_LOG2_E: Final = 1.44269504
_LN2_HIGH: Final = 0.693359375
_LN2_LOW: Final = -2.12194440e-4
_EXP: Final = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 0.5)
_LEAST: Final = -87.0
_MOST: Final = 88.0
_GELU: Final = -1.5957691216
_GELU_CUBE: Final = 0.044715 * _GELU


@inlined
def exp(x: Lanes) -> Lanes:
    """e to the power of each, relatively within 2e-7 (between −87 and 88): 2ⁿ times a polynomial (Cephes)."""
    x = lower(higher(x, spread(_LEAST)), spread(_MOST))
    rounded = x * spread(_LOG2_E) + spread(ROUNDING)
    n = rounded - spread(ROUNDING)
    x = x - n * spread(_LN2_HIGH) - n * spread(_LN2_LOW)
    p = spread(_EXP[0]) * x + spread(_EXP[1])
    p = p * x + spread(_EXP[2])
    p = p * x + spread(_EXP[3])
    p = p * x + spread(_EXP[4])
    p = p * x + spread(_EXP[5])
    return (p * (x * x) + x + spread(1.0)) * power_of_two(rounded)


@inlined
def gelu(x: Lanes) -> Lanes:
    """GELU as the network was trained with, in its form with tanh."""
    return x / (exp(x * (spread(_GELU) + spread(_GELU_CUBE) * (x * x))) + spread(1.0))


@teaches_numba
def _instructions() -> None:
    import operator

    from llvmlite import ir
    from numba import types
    from numba.core.registry import cpu_target
    from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
    from numba.extending import intrinsic, lower_builtin, models, overload, register_model

    def vector_type() -> Any:
        features = cpu_target.target_context.codegen()._tm_features
        width = 16 if "+avx512f" in features else 8 if "+avx2" in features else 4
        return ir.VectorType(ir.FloatType(), width)

    class LanesType(types.Type):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__("Lanes")

    kind = LanesType()

    @register_model(LanesType)
    class Model(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, its_type: Any) -> None:
            super().__init__(manager, its_type, vector_type())

    def operation(symbol: Any, name: str) -> None:
        @infer_global(symbol)
        class Typing(ConcreteTemplate):  # type: ignore[misc]
            cases = [signature(kind, kind, kind)]  # noqa: RUF012

        @lower_builtin(symbol, kind, kind)
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments, flags=("contract",))

    for symbol, name in (
        (operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv"),
        (operator.iadd, "fadd"),
    ):  # fmt: skip
        operation(symbol, name)

    def address(context: Any, builder: Any, numbers_type: Any, numbers: Any, at: Any) -> Any:
        data = context.make_array(numbers_type)(context, builder, numbers).data
        return builder.gep(data, [at])

    @intrinsic
    def how_many(context: Any) -> Any:
        return types.int64(), lambda context, builder, its_signature, arguments: ir.IntType(64)(vector_type().count)

    @intrinsic
    def load_lanes(context: Any, numbers: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            place = address(context, builder, its_signature.args[0], *arguments)
            return builder.load(builder.bitcast(place, vector_type().as_pointer()), align=4)

        return kind(numbers, types.int64), generate

    @intrinsic
    def store_lanes(context: Any, numbers: Any, at: Any, values: Any) -> Any:
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            place = address(context, builder, its_signature.args[0], *arguments[:2])
            builder.store(arguments[2], builder.bitcast(place, vector_type().as_pointer()), align=4)
            return context.get_dummy_value()

        return types.void(numbers, types.int64, kind), generate

    @intrinsic
    def load_number(context: Any, numbers: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            return builder.load(address(context, builder, its_signature.args[0], *arguments), align=4)

        return numbers.dtype(numbers, types.int64), generate

    @intrinsic
    def spread_number(context: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            its_type = vector_type()
            single = context.cast(builder, arguments[0], its_signature.args[0], types.float32)
            one = builder.insert_element(ir.Constant(its_type, ir.Undefined), single, ir.IntType(32)(0))
            everywhere = ir.Constant(ir.VectorType(ir.IntType(32), its_type.count), [0] * its_type.count)
            return builder.shuffle_vector(one, ir.Constant(its_type, ir.Undefined), everywhere)

        return kind(number), generate

    def chosen(name: str) -> Any:
        @intrinsic
        def choose(context: Any, one: Any, other: Any) -> Any:
            def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
                return builder.select(builder.fcmp_ordered(name, *arguments), *arguments)

            return kind(kind, kind), generate

        return choose

    higher_lanes, lower_lanes = chosen(">"), chosen("<")

    def reduced(name: str, first: tuple[float, ...]) -> Any:
        @intrinsic
        def reduce(context: Any, values: Any) -> Any:
            def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
                given = [ir.FloatType()(each) for each in first] + list(arguments)
                its_type = vector_type()
                function_type = ir.FunctionType(ir.FloatType(), [each.type for each in given])
                function = builder.module.declare_intrinsic(
                    f"llvm.vector.reduce.{name}.v{its_type.count}f32", (), function_type
                )
                return builder.call(function, given, fastmath=("reassoc", "nnan"))

            return types.float32(kind), generate

        return reduce

    add_all, find_highest = reduced("fadd", (-0.0,)), reduced("fmax", ())

    @intrinsic
    def power(context: Any, rounded: Any) -> Any:
        def generate(context: Any, builder: Any, its_signature: Any, arguments: Any) -> Any:
            """What was rounded stands in the lowest bits; the exponent of a float begins at the 23rd."""
            its_type = vector_type()
            whole = ir.VectorType(ir.IntType(32), its_type.count)
            raised = builder.add(builder.bitcast(arguments[0], whole), ir.Constant(whole, [127] * its_type.count))
            return builder.bitcast(builder.shl(raised, ir.Constant(whole, [23] * its_type.count)), its_type)

        return kind(kind), generate

    overload(lanes)(lambda: lambda: how_many())
    overload(load)(lambda numbers, at: lambda numbers, at: load_lanes(numbers, at))
    overload(store)(lambda numbers, at, values: lambda numbers, at, values: store_lanes(numbers, at, values))
    overload(spread)(lambda number: lambda number: spread_number(number))
    overload(number_at)(lambda numbers, at: lambda numbers, at: load_number(numbers, at))
    overload(higher)(lambda one, other: lambda one, other: higher_lanes(one, other))
    overload(lower)(lambda one, other: lambda one, other: lower_lanes(one, other))
    overload(highest)(lambda values: lambda values: find_highest(values))
    overload(total)(lambda values: lambda values: add_all(values))
    overload(power_of_two)(lambda rounded: lambda rounded: power(rounded))
