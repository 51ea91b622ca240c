"""How far a player may take back: within the own turn, and where only bots wait for it, beyond (M-SETUP-4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.terminal.seats import Seat
from sunglade.words.speech import tell

HATCH = "turtle.hatch"


class Done(NamedTuple):
    """An action and whose it was."""

    seat: int
    line: str


class Joined:
    """Actions that were played as one, and are taken back and played again as one."""

    def __init__(self) -> None:
        self._followers: set[int] = set()
        """Places, in the list of actions, of those that belong to the one before."""

    def played(self, place: int, *, with_the_one_before: bool = False) -> None:
        """An action was played at a place: what was there, and after it, is history no more."""
        self._followers = {other for other in self._followers if other < place}
        if with_the_one_before:
            self._followers.add(place)

    def follows(self, place: int) -> bool:
        """Whether the action at a place belongs to the one before it."""
        return place in self._followers


def take_back(game: Game, table: Sequence[Seat], joined: Joined) -> list[Done]:
    """Take back the player's last step, and with it what bots answered; the actions, last first."""
    if game.undoable():
        return _undone(game, _whole_step(game, joined))
    return _undone(game, _to_the_last_decision(game, table))


def play_again(game: Game, table: Sequence[Seat], joined: Joined) -> list[Done]:
    """Play again the step that was taken back last, bots' answers included."""
    again = [_redone(game)]
    while game.undone and (joined.follows(len(game.actions)) or not _human_acts(game, table)):
        again.append(_redone(game))
    return again


def _whole_step(game: Game, joined: Joined) -> int:
    """How many actions the last step of this turn is."""
    count = 1
    while joined.follows(len(game.actions) - count):
        count += 1
    return count


def _to_the_last_decision(game: Game, table: Sequence[Seat]) -> int:
    """How many actions back a person last decided something, where nobody but bots would lose a turn by it."""
    if sum(seat.is_human for seat in table) != 1:
        raise BadRequest(tell("terminal.undo.nothing_here"))
    past = game.fork()
    count = 0
    while past.actions:
        count += 1
        if past.undo() == HATCH:
            raise BadRequest(tell("terminal.undo.hatched"))
        if _human_acts(past, table):
            return count
    raise BadRequest(tell("error.nothing_to_undo"))


def _human_acts(game: Game, table: Sequence[Seat]) -> bool:
    return game.player is None or table[game.player].is_human


def _undone(game: Game, count: int) -> list[Done]:
    found = []
    for _ in range(count):
        line = game.undo()
        assert game.player is not None
        found.append(Done(game.player, line))
    return found


def _redone(game: Game) -> Done:
    seat = game.player
    line = game.redo()
    assert seat is not None
    return Done(seat, line)
