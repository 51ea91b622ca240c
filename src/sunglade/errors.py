"""What can be wrong with input. One clear sentence each: what, where, what would be right (docs/protocol.md)."""

from __future__ import annotations

from typing import ClassVar


class SungladeError(ValueError):
    """Input that cannot be used. `kind` is the protocol's word for it, `at` the index of the offending action."""

    kind: ClassVar[str] = "bad_request"

    def __init__(self, message: str, *, at: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

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
