"""What can be wrong with input. One clear sentence each: what, where, what would be right (docs/protocol.md)."""

from __future__ import annotations

from typing import ClassVar, Self

from sunglade.words import ENGLISH, Tell, Telling, catalogue


class SungladeError(ValueError):
    """Input that cannot be used. `kind` is the protocol's word for it, `at` the index of the offending action.

    `message` is in English; a sentence that players meet comes from the catalogue and is told in any language.
    """

    kind: ClassVar[str] = "bad_request"

    def __init__(self, message: str | Telling, *, at: int | None = None) -> None:
        self._telling = (lambda tell: message) if isinstance(message, str) else message
        self.message = self.told_by(catalogue(ENGLISH).tell)
        self.at = at
        super().__init__(self.message)

    def told_by(self, tell: Tell) -> str:
        """The sentence in a language; in English where it is for programmers and in no catalogue."""
        return self._telling(tell)

    def within(self, place: str | Telling, *, at: int | None = None) -> Self:
        """The same with its place before it: a file, or an action of one."""

        def telling(tell: Tell) -> str:
            return tell("terminal.at", place=place if isinstance(place, str) else place(tell), wrong=self.told_by(tell))

        return type(self)(telling, at=self.at if at is None else at)

    def __reduce__(self) -> tuple[type[SungladeError], tuple[str], dict[str, int | None]]:
        """Another process gets it in English."""
        return type(self), (self.message,), {"at": self.at}

    def as_dict(self) -> dict[str, str | int]:
        """The error as the engine answers it."""
        answer: dict[str, str | int] = {"kind": self.kind, "message": self.message}
        if self.at is not None:
            answer["at"] = self.at
        return answer


class BadJson(SungladeError):
    """The text is not JSON."""

    kind = "bad_json"


class BadRequest(SungladeError):
    """Wrong shapes and types, unknown names, a question that cannot be asked now."""

    kind = "bad_request"


class BadRules(SungladeError):
    """Players, rules or a deal that make no sense."""

    kind = "bad_rules"


class IllegalAction(SungladeError):
    """A line that is not among the legal actions."""

    kind = "illegal_action"
