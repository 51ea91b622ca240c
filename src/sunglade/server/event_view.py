"""What happened, told in parts (schema.Told): the difference between two positions, and who came and went."""

from __future__ import annotations

from typing import Any

from sunglade import board, kernel
from sunglade.game import Game
from sunglade.kernel.printed import SIZES
from sunglade.kernel.record import OVER, Record
from sunglade.kernel.shortlist import unpacked
from sunglade.notation import ACTION_NUMBERS, BABY_NAMES, action_parts, snapshot
from sunglade.server.view import lost, token_taken

Told = dict[str, Any]


def tell_action(before_record: Record, after_record: Record, line: str, seat: int) -> list[Told]:
    """An action, and the round or the end it brought about."""
    before, after = snapshot(before_record), snapshot(after_record)
    sunrise = after.current_round != before.current_round
    told: Told = {**action_parts(ACTION_NUMBERS[line]), "seat": seat, "line": line, **token_taken(before, after)}
    if "level" in told:
        told["ability_level"] = told.pop("level")
    if told["kind"] in ("step", "ability"):
        told["origin"] = board.NAMES[before.at[seat]]
    if told["kind"] == "grow":
        spaces = 1 << board.SPACE_NAMED[told["space"]]
        told["size"] = next(SIZES[size] for size in range(4) if after.pieces[seat][size] & spaces)
    if told.get("ability") == "turtle.hatch":
        told["baby"] = BABY_NAMES[unpacked(after.hatched)[-1]]
    if not sunrise:
        told["changes"] = _changes(before, after)
    told["touched"] = _touched(before, after)
    found = [told]
    if sunrise:
        found.append(_tell_round(before, after_record))
    if after.phase == OVER:
        found.append(_tell_end(after_record))
    return found


def _changes(before: Any, after: Any) -> list[Told]:
    """What an action changed for each seat; seats it did not touch are left out."""
    found = []
    for p in range(before.players):
        change: Told = {"seat": p}
        for name in ("light", "lunar"):
            if difference := getattr(after, name)[p] - getattr(before, name)[p]:
                change[name] = difference
        points = after.score[p] - before.score[p]
        if p == before.player:
            points += after.baby_points - before.baby_points
        if points:
            change["points"] = points
        if gone := lost(before, after, p):
            change["lost"] = gone
        if len(change) > 1:
            found.append(change)
    return found


def _touched(before: Any, after: Any) -> list[str]:
    """The spaces whose piece, Elder Tree or stone changed; where the dam lies is told by the action itself."""
    changed = before.elder ^ after.elder | before.stones ^ after.stones
    for p in range(before.players):
        for size in range(4):
            changed |= before.pieces[p][size] ^ after.pieces[p][size]
    return board.names_of(changed)


def _tell_round(before: Any, after: Record) -> Told:
    """A sunrise: what it brought everybody (R-ROUND-1)."""
    players = range(before.players)
    dark = kernel.shadows(after, int(after.sun))
    income = [int(kernel.income(after, p, dark)) for p in players]
    light = after.light.tolist()
    told: Told = {
        "kind": "round",
        "round": int(after.current_round),
        "sun": int(after.sun),
        "income": income,
        "capped": [before.light[p] + income[p] - light[p] for p in players],
    }
    lunar = [int(after.lunar[p]) - before.lunar[p] for p in players]
    return told | {"lunar": lunar} if any(lunar) else told


def _tell_end(s: Record) -> Told:
    """The end of the game (R-END)."""
    return {
        "kind": "game_over",
        "winners": list(board.spaces_in(kernel.winners(s))),
        "points": [int(kernel.points(s, p)) for p in range(s.players)],
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

    def _close(self, s: Record) -> None:
        if self._rounds and not self._rounds[-1]["light"]:
            self._rounds[-1] |= _standing(s)

    def rounds(self, s: Record) -> list[dict[str, Any]]:
        """All rounds begun so far; the last one as it stands."""
        if not self._rounds or self._rounds[-1]["light"]:
            return self._rounds
        return [*self._rounds[:-1], self._rounds[-1] | _standing(s)]


def _standing(s: Record) -> dict[str, Any]:
    players = range(int(s.players))
    return {"light": s.light.tolist()[: len(players)], "points": [int(kernel.points(s, p)) for p in players]}
