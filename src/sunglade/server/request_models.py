"""What clients send, as models for the OpenAPI schema, made from the plain classes of `sunglade.table.requests`.

Those read and check requests, once; what describes a request follows from what checks it.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

import pydantic
from pydantic import GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_wrap_validator_function

from sunglade.table.requests import Hello, LiveCommand, LiveSay, LookIn, MyTables, Ping
from sunglade.table.shapes import AnyObject, ListOf, ObjectOf, OneOf, OrNone, Shape, Switch, Text, Whole


class Request(pydantic.BaseModel):
    """Something a client sends: nothing unknown in it, nothing converted."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


@cache
def model_of(kind: type[Any]) -> type[Request]:
    """What a request may be, as a model."""
    asked: ObjectOf[Any] = ObjectOf(kind)
    told: dict[str, Any] = {
        each.name: (_type_of(asked.shapes[each.name]), _field(each, asked.meanings[each.name])) for each in fields(kind)
    }
    return pydantic.create_model(kind.__name__, __base__=Request, __doc__=kind.__doc__, **told)


def _type_of(shape: Shape) -> Any:
    match shape:
        case Text(least, most, pattern):
            whole = None if pattern is None else f"^{pattern.pattern}$"
            return Annotated[str, StringConstraints(min_length=least, max_length=most, pattern=whole)]
        case Whole(least, most):
            return Annotated[int, pydantic.Field(ge=least, le=most)]
        case Switch():
            return bool
        case OneOf(words):
            return Literal[words]
        case AnyObject():
            return dict[str, Any]
        case OrNone(other):
            return _type_of(other) | None
        case ListOf(entry, least, most):
            return Annotated[list[_type_of(entry)], pydantic.Field(min_length=least, max_length=most)]  # type: ignore[misc]
        case ObjectOf():
            return model_of(shape.kind)  # type: ignore[arg-type]
    raise TypeError(f"no model tells of {shape!r}")


def _field(each: Field[Any], meaning: str | None) -> Any:
    if each.default_factory is not MISSING:
        return pydantic.Field(default_factory=each.default_factory, description=meaning)
    return pydantic.Field(... if each.default is MISSING else each.default, description=meaning)


class _ReadByItsClass:
    """Lets FastAPI read a body into a plain class, and describe it by its model."""

    def __get_pydantic_core_schema__(self, kind: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        """The model is there to be told of: it is never asked."""
        asked: ObjectOf[Any] = ObjectOf(kind)
        model = handler.generate_schema(model_of(kind))  # type: ignore[arg-type]
        return no_info_wrap_validator_function(lambda body, _: asked.read(body, "body"), model)


T = TypeVar("T")
Checked = Annotated[T, _ReadByItsClass()]
"""The body of a request: `Checked[Command]`."""

ClientMessage: Final[Any] = (
    model_of(Hello) | model_of(MyTables) | model_of(LookIn) | model_of(LiveCommand) | model_of(LiveSay) | model_of(Ping)
)
