"""An action that is talked about: the position before it, and the one that it leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sunglade import kernel
from sunglade.kernel.actions import TABLE, TURTLE_HATCH, Action
from sunglade.kernel.record import MODULE_MOON, TURN, Record
from sunglade.notation import ACTION_NUMBERS


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact. Its sentence is `reason.` and the kind in the catalogue, told with numbers, spaces, a seat's name and
    terms, which are keys of the catalogue themselves.
    """

    kind: str
    numbers: dict[str, int] = field(default_factory=dict)
    spaces: tuple[str, ...] = ()
    seat: int | None = None
    terms: dict[str, str] = field(default_factory=dict)


class Case(NamedTuple):
    """An action with what is before and after it; `after` is `before` where nobody may know what follows."""

    before: Record
    after: Record
    number: int
    seat: int

    @property
    def action(self) -> Action:
        """What the action is about."""
        return TABLE[self.number]

    @property
    def rounds_left(self) -> int:
        """How many rounds follow the one that is played."""
        return self.before.rounds - self.before.current_round

    @property
    def in_turn(self) -> bool:
        """Whether the action belongs to a turn, and neither to the set-up nor to its end."""
        return self.before.phase == TURN and self.action.kind != "end"

    @property
    def has_moon(self) -> bool:
        """Whether moon and animals are in play."""
        return bool(self.before.options & MODULE_MOON)


def case_of(before: Record, line: str) -> Case:
    """The action of a line at a position."""
    number = ACTION_NUMBERS[line]
    after = before if number == TURTLE_HATCH else played(before, number)
    return Case(before, after, number, before.player)


def played(before: Record, number: int) -> Record:
    """A copy of a position in which an action has been carried out."""
    after = before.copy()
    kernel.apply(after, number)
    return after


def legal_numbers(s: Record) -> list[int]:
    """The legal actions of a position."""
    found = kernel.LegalList()
    return found.action[: kernel.legal(s, found)].tolist()
