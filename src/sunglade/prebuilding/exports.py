"""A compiled function under a name and with arguments that C, ctypes and WebAssembly understand.

A record is an address; an array an address and its lengths, 64 bits each; a tuple its items one by one. A function
that gives several numbers writes them where its first argument says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from llvmlite import ir
from numba import types

INT: Final = ir.IntType(64)
BYTE: Final = ir.IntType(8)
ADDRESS: Final = BYTE.as_pointer()
REAL: Final = ir.DoubleType()


def export(context: Any, library: Any, name: str, compiled: Any) -> None:
    """Add a function to a library that calls a compiled one."""
    description, signature = compiled.fndesc, compiled.signature
    module = context.create_module(f"export_{name}")
    inner_type = context.call_conv.get_function_type(description.restype, description.argtypes)
    inner = ir.Function(module, inner_type, description.llvm_func_name)
    gives = signature.return_type
    several = isinstance(gives, types.BaseTuple)
    arguments = [ADDRESS] * several + [part for kind in signature.args for part in _parts(kind)]
    outer = ir.Function(module, ir.FunctionType(_result(gives), arguments), name)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    given = iter(outer.args)
    room = next(given) if several else None
    values = [_value(context, builder, kind, given) for kind in signature.args]
    # A status that is an error is not looked at: where Python would raise, nonsense is left behind, as `apply` says.
    _, found = context.call_conv.call_function(builder, inner, gives, signature.args, values)
    if several:
        numbers = builder.bitcast(room, INT.as_pointer())
        for place in range(len(gives)):
            builder.store(builder.extract_value(found, place), builder.gep(numbers, [INT(place)]))
    _return(context, builder, gives, found)
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)


def _parts(kind: Any) -> Iterator[Any]:
    """The arguments that one argument becomes."""
    if isinstance(kind, types.BaseTuple):
        for item in kind:
            yield from _parts(item)
    elif isinstance(kind, types.Array):
        yield from (ADDRESS, *[INT] * kind.ndim)
    else:
        yield ADDRESS if isinstance(kind, types.Record) else _result(kind)


def _result(kind: Any) -> Any:
    """What a function gives back, or a number it takes."""
    if isinstance(kind, types.BaseTuple) or kind == types.none:
        return ir.VoidType()
    if kind == types.boolean:
        return BYTE
    return {types.int64: INT, types.float64: REAL}[kind]


def _value(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """A value as Numba has it, out of the next arguments."""
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_value(context, builder, item, given) for item in kind])
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, given)
    if isinstance(kind, types.Record):
        return builder.bitcast(next(given), context.get_value_type(kind))
    return context.get_argument_value(builder, kind, next(given))


def _array(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """An array that owns nothing."""
    array = context.make_array(kind)(context, builder)
    data = builder.bitcast(next(given), array.data.type)
    shape = [next(given) for _ in range(kind.ndim)]
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides: list[Any] = []
    step = INT(itemsize)
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    context.populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


def _return(context: Any, builder: Any, gives: Any, found: Any) -> None:
    if isinstance(_result(gives), ir.VoidType):
        builder.ret_void()
    else:
        builder.ret(context.get_value_as_argument(builder, gives, found))
