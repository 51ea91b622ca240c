"""What happened, told in parts (schema.Told): the difference between two positions, and who came and went."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from sunglade import board, kernel
from sunglade.changes import Change, Sunrise, change, size_at, sunrise, touched
from sunglade.game import Game
from sunglade.kernel.printed import SIZES
from sunglade.kernel.record import OVER, Record
from sunglade.kernel.shortlist import unpacked
from sunglade.notation import ACTION_NUMBERS, BABY_NAMES, action_parts
from sunglade.table.view import token_view

Told = dict[str, Any]
CHANGED: Final = tuple(field.name for field in fields(Change))


def tell_action(before: Record, after: Record, line: str, seat: int) -> list[Told]:
    """An action, and the round or the end it brought about."""
    rise = sunrise(before, after)
    told: Told = {**action_parts(ACTION_NUMBERS[line]), "seat": seat, "line": line, **token_view(before, after)}
    if "level" in told:
        told["ability_level"] = told.pop("level")
    if told["kind"] in ("step", "ability"):
        told["origin"] = board.NAMES[before.at[seat]]
    if told["kind"] == "grow":
        told["size"] = SIZES[size_at(after, board.SPACE_NAMED[told["space"]])]
    if told.get("ability") == "turtle.hatch":
        told["baby"] = BABY_NAMES[unpacked(after.hatched)[-1]]
    if rise is None:
        told["changes"] = _changes(before, after)
    told["touched"] = board.names_of(touched(before, after))
    found = [told]
    if rise is not None:
        found.append(_tell_round(after, rise))
    if after.phase == OVER:
        found.append(_tell_end(after))
    return found


def _changes(before: Record, after: Record) -> list[Told]:
    """What an action changed for each seat; seats it did not touch are left out."""
    changes = [change(before, after, p) for p in range(before.players)]
    told = [{name: value for name in CHANGED if (value := getattr(each, name))} for each in changes]
    return [{"seat": p, **each} for p, each in enumerate(told) if each]


def _tell_round(s: Record, rise: Sunrise) -> Told:
    """A sunrise: what it brought everybody (R-ROUND-1)."""
    told: Told = {
        "kind": "round",
        "round": s.current_round,
        "sun": s.sun,
        "income": rise.income,
        "capped": rise.capped,
    }
    return told | {"lunar": rise.lunar} if any(rise.lunar) else told


def _tell_end(s: Record) -> Told:
    """The end of the game (R-END)."""
    return {
        "kind": "game_over",
        "winners": list(board.spaces_in(kernel.winners(s))),
        "points": [kernel.points(s, p) for p in range(s.players)],
    }


class Chronicle:
    """Light and points by round, for charts."""

    def __init__(self, game: Game) -> None:
        self._rounds: list[dict[str, Any]] = []
        if game.round:
            self._begin({"round": game.round, "income": [0] * game.players})

    def copy(self) -> Chronicle:
        """The same rounds, to be continued on its own."""
        twin = Chronicle.__new__(Chronicle)
        twin._rounds = [dict(played) for played in self._rounds]
        return twin

    def _begin(self, told: Told) -> None:
        self._rounds.append({"round": told["round"], "income": told["income"], "light": [], "points": []})

    def note(self, before: Record, told: list[Told]) -> None:
        """Take up what an action brought about; `before` is the position it was played in."""
        for event in told:
            if event["kind"] in ("round", "game_over"):
                self._close(before)
            if event["kind"] == "round":
                self._begin(event)

    def go_back_to(self, number: int) -> None:
        """Turns were taken back: rounds after this one have not begun, and it is under way."""
        self._rounds = [played for played in self._rounds if played["round"] <= number]
        if self._rounds:
            self._rounds[-1] |= {"light": [], "points": []}

    def _close(self, s: Record) -> None:
        if self._rounds and not self._rounds[-1]["light"]:
            self._rounds[-1] |= _standing(s)

    def rounds(self, s: Record) -> list[dict[str, Any]]:
        """All rounds begun so far; the last one as it stands."""
        if not self._rounds or self._rounds[-1]["light"]:
            return self._rounds
        return [*self._rounds[:-1], self._rounds[-1] | _standing(s)]


def _standing(s: Record) -> dict[str, Any]:
    return {"light": s.light[: s.players].tolist(), "points": [kernel.points(s, p) for p in range(s.players)]}
