"""What an option of the rules is: what it may be, what each edition has, its bits in the record, what it means."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sunglade.errors import BadRules
from sunglade.words import Tell, Telling


def shown(value: object) -> str:
    """A value somebody gave, short enough for a sentence."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "something too long to show"
    return text if len(text) <= 60 else text[:57] + "..."


def must_be(name: str, wanted: Telling, value: object) -> Telling:
    """What is wrong with a value, and what would be right."""
    return lambda tell: tell("terminal.rules.must", option=name, wanted=wanted(tell), value=shown(value))


@dataclass(frozen=True)
class Whole:
    """A whole number within limits, or none where there may be none."""

    low: int
    high: int
    or_none: bool = False

    def wanted(self, tell: Tell, none: str = "null") -> str:
        """What would be right, in the words of an error."""
        if self.or_none:
            return tell("terminal.rules.whole.or", low=self.low, high=self.high, none=none)
        return tell("terminal.rules.whole", low=self.low, high=self.high)

    def holds(self, value: object) -> bool:
        """Whether a value is right; True is no number."""
        return (self.or_none and value is None) or (type(value) is int and self.low <= value <= self.high)


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    values: tuple[bool | int | str, ...]

    def wanted(self, tell: Tell) -> str:
        """What would be right, in the words of an error."""
        *most, last = (json.dumps(value) for value in self.values)
        return tell("terminal.rules.or", words=", ".join(most), last=last)

    def holds(self, value: object) -> bool:
        """Whether a value is right; True is not 1."""
        return any(type(value) is type(right) and value == right for right in self.values)


@dataclass(frozen=True)
class Several:
    """A list of words."""

    words: tuple[str, ...]
    wanted: Telling
    """What would be right, in the words of an error."""
    least: int = 0
    most: int | None = None
    different: bool = True

    def holds(self, value: object) -> bool:
        """Whether a value is right."""
        return (
            isinstance(value, (list, tuple))
            and all(isinstance(word, str) and word in self.words for word in value)
            and (len(set(value)) == len(value) or not self.different)
            and self.least <= len(value) <= (self.most or len(value))
        )

    def in_order(self, value: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        """The words in their fixed order, each once."""
        return tuple(word for word in self.words if word in value)


SWITCH: Final = OneOf((True, False))


class _Unset:
    def __repr__(self) -> str:
        return "as the edition has it"


UNSET: Final[Any] = _Unset()
"""The value of an option that nobody has set."""


@dataclass(frozen=True)
class Option:
    """All there is to know about an option of the rules but its name and its type."""

    kind: Whole | OneOf | Several
    meaning: str
    reference: Any = UNSET
    """Its value in the edition `us`."""
    elsewhere: Mapping[Any, str] = field(default_factory=dict)
    """Its value in other editions: those that have it, by name."""
    follows: Callable[[Any], Any] | None = None
    """In place of a reference: what it is for rules that have all other options."""
    bits: Mapping[Any, int] = field(default_factory=dict)
    """The bits of its values, or of the words in its list, in the record's `options`."""
    module: str = ""
    """The module that it belongs to: without it, it means nothing."""

    def usual(self, rules: Any) -> Any:
        """What it is unless set."""
        if self.follows is not None:
            return self.follows(rules)
        other = (value for value, editions in self.elsewhere.items() if rules.edition in editions.split())
        return next(other, self.reference)

    def checked(self, name: str, value: Any) -> Any:
        """A value as rules keep it, or an error that says what would be right."""
        if not self.kind.holds(value):
            raise BadRules(must_be(f"rules.{name}", self.kind.wanted, value))
        return self.kind.in_order(value) if isinstance(self.kind, Several) else value

    def bits_of(self, value: Any) -> int:
        """The bits of a value."""
        values = value if isinstance(self.kind, Several) else [value]
        return sum(self.bits.get(each, 0) for each in values)
