"""What values in requests may be: each shape takes a value as JSON has it, or says in a sentence what would be right.

Nothing is converted, and nothing unknown let through.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Generic, Protocol, TypeVar, get_type_hints

from sunglade.table.problems import ServerProblem

T = TypeVar("T")
LONGEST_SENTENCE: Final = 300


class Unfit(Exception):
    """A value that cannot be taken, and where it stands."""

    def __init__(self, message: str, *place: str) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def within(self, part: str | int) -> Unfit:
        """The same, as seen from outside."""
        return Unfit(self.message, str(part), *self.place)


class Shape(Protocol):
    """Says what a value may be."""

    def take(self, value: Any) -> Any:
        """The value, or `Unfit`."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of some length; `pattern` is for the whole of it."""

    least: int | None = None
    most: int | None = None
    pattern: re.Pattern[str] | None = None

    def take(self, value: Any) -> str:
        """The text."""
        if type(value) is not str:
            raise Unfit("Input should be a valid string")
        if self.least is not None and len(value) < self.least:
            raise Unfit(f"String should have at least {_counted(self.least, 'character')}")
        if self.most is not None and len(value) > self.most:
            raise Unfit(f"String should have at most {_counted(self.most, 'character')}")
        if self.pattern is not None and self.pattern.fullmatch(value) is None:
            raise Unfit(f"String should match pattern '^{self.pattern.pattern}$'")
        return value


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    least: int
    most: int

    def take(self, value: Any) -> int:
        """The number."""
        if type(value) is not int:
            raise Unfit("Input should be a valid integer")
        if value < self.least:
            raise Unfit(f"Input should be greater than or equal to {self.least}")
        if value > self.most:
            raise Unfit(f"Input should be less than or equal to {self.most}")
        return value


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    def take(self, value: Any) -> bool:
        """Which."""
        if type(value) is not bool:
            raise Unfit("Input should be a valid boolean")
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def take(self, value: Any) -> str:
        """The word."""
        if type(value) is not str or value not in self.words:
            *others, last = (f"'{word}'" for word in self.words)
            known = f"{', '.join(others)} or {last}" if others else last
            raise Unfit(f"Input should be {known}")
        return value


@dataclass(frozen=True, slots=True)
class AnyObject:
    """An object that somebody else looks into."""

    def take(self, value: Any) -> dict[str, Any]:
        """The object."""
        if type(value) is not dict:
            raise Unfit("Input should be a valid dictionary")
        return value


@dataclass(frozen=True, slots=True)
class OrNone:
    """Something, or null."""

    shape: Shape

    def take(self, value: Any) -> Any:
        """Either."""
        return None if value is None else self.shape.take(value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list, each of whose entries has one shape."""

    shape: Shape
    least: int | None = None
    most: int | None = None

    def take(self, value: Any) -> list[Any]:
        """The entries."""
        if type(value) is not list:
            raise Unfit("Input should be a valid list")
        if self.most is not None and len(value) > self.most:
            raise Unfit(f"List should have at most {_counted(self.most, 'item')} after validation, not {len(value)}")
        taken = []
        for place, entry in enumerate(value):
            try:
                taken.append(self.shape.take(entry))
            except Unfit as unfit:
                raise unfit.within(place) from None
        if self.least is not None and len(value) < self.least:
            raise Unfit(f"List should have at least {_counted(self.least, 'item')} after validation, not {len(value)}")
        return taken


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


class ObjectOf(Generic[T]):
    """An object that becomes a class: a dataclass whose fields are annotated with their shapes."""

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind
        hints = get_type_hints(kind, include_extras=True)
        told = {each.name: hints[each.name].__metadata__ for each in fields(kind)}  # type: ignore[arg-type]
        self.shapes: dict[str, Shape] = {name: about[0] for name, about in told.items()}
        self.meanings: dict[str, str | None] = {name: (*about, None)[1] for name, about in told.items()}
        needed = {
            each.name
            for each in fields(kind)  # type: ignore[arg-type]
            if each.default is MISSING and each.default_factory is MISSING
        }
        self._fields: tuple[tuple[str, Callable[[Any], Any], bool], ...] = tuple(
            (name, shape.take, name in needed) for name, shape in self.shapes.items()
        )

    def take(self, value: Any) -> T:
        """The object as that class."""
        if type(value) is not dict:
            raise Unfit("Input should be an object")
        given: dict[str, Any] = {}
        for name, take, needed in self._fields:
            if name in value:
                try:
                    given[name] = take(value[name])
                except Unfit as unfit:
                    raise unfit.within(name) from None
            elif needed:
                raise Unfit("Field required", name)
        if len(given) < len(value):
            raise Unfit("Extra inputs are not permitted", next(name for name in value if name not in given))
        return self.kind(**given)

    def read(self, value: Any, *within: str) -> T:
        """The same for whoever asked: what cannot be taken is refused in a sentence that begins with its place."""
        try:
            return self.take(value)
        except Unfit as unfit:
            place = ".".join((*within, *unfit.place))
            raise ServerProblem("bad_request", f"{place}: {unfit.message}"[:LONGEST_SENTENCE]) from None
