"""One game as a batch of one: what the interfaces for single games are made of.

Compiled functions take arrays from Python ten times faster than single records, so the game lives in arrays of
length 1.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import encode, kernel
from sunglade.envs.observation import with_player
from sunglade.envs.slices import ANY_SEAT, LEGAL_ROOM, LOOK, STEP, Records, observe_games, reset_games, step_games
from sunglade.errors import IllegalAction
from sunglade.kernel.record import OVER, Record
from sunglade.notation import ACTION_NAMES
from sunglade.rules import Rules

_ALL: Final = np.ones(1, np.bool_)


class OneGame:
    """A position that can be stepped. `observe` says whether every step also writes what the player to act sees."""

    def __init__(self, players: int, rules: Rules, reward: int, *, observe: bool) -> None:
        start = kernel.new_record(rules, players)
        self._lay_out(players, rules, reward, start.array(), observe=observe)
        self.load(start)

    def _lay_out(self, players: int, rules: Rules, reward: int, start: Records, *, observe: bool) -> None:
        """Make room for everything."""
        self.players = players
        self.rules = rules
        self._reward = reward
        self._start = start
        self.record = Record()
        """The position itself. Whoever changes it calls `look` afterwards."""
        self._records = self.record.array()
        self._seeds = np.zeros(1, np.int64)
        self._seats = np.full(1, ANY_SEAT, np.int64)
        self._actions = np.zeros(1, np.int64)
        self._rewards = np.zeros((1, players), np.float32)
        self._done = np.zeros(1, np.bool_)
        self._player = np.zeros(1, np.int64)
        self._masks = np.zeros(1, encode.MASK)
        self._legal_lists = np.zeros((1, LEGAL_ROOM), np.int16)
        self._observations = np.zeros(1 if observe else 0, encode.OBSERVATION)
        self._legal = np.zeros(1, kernel.LEGAL_LIST)
        self._mask = self._masks.view(np.int8)[: encode.ACTIONS]
        self._seen = self._observations.view(np.uint8)
        self._phase = self._records["phase"]
        games = self._start, self._records, self._seeds, self._seeds, self._seats, self._actions, _ALL
        views = self._observations, self._masks, self._legal_lists, self._player
        self._arguments = *games, self._rewards, self._done, *views, ANY_SEAT, False, reward

    def _run(self, mode: int) -> None:
        step_games(*self._arguments, mode, self._legal, 0, 1)

    def begin(self, seed: int) -> None:
        """A new game with the deal of a seed."""
        self._seeds[0] = seed
        games = self._start, self._records, self._seeds, self._seeds, self._seats
        reset_games(*games, ANY_SEAT, _ALL, False, 0, 1)
        self._run(LOOK)

    def load(self, position: Record) -> None:
        """Go on from a position."""
        self._records[:] = position.array()
        self.look()

    def look(self) -> None:
        """Bring the mask and the observation up to date."""
        self._run(LOOK)

    def __deepcopy__(self, _: object) -> OneGame:
        """An independent game at the same position."""
        copy = OneGame.__new__(OneGame)
        copy._lay_out(self.players, self.rules, self._reward, self._start, observe=self._seen.size > 0)
        for mine, theirs in zip(copy._changing(), self._changing(), strict=True):
            mine.view(np.uint8)[...] = theirs.view(np.uint8)
        return copy

    def _changing(self) -> tuple[NDArray[Any], ...]:
        """What a step changes."""
        return self._records, self._rewards, self._done, self._player, self._masks, self._observations

    @property
    def player(self) -> int:
        """The seat to act."""
        return int(self._player[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._phase[0] == OVER)

    @property
    def rewards(self) -> list[float]:
        """What the last action paid each seat."""
        rewards: list[float] = self._rewards[0].tolist()
        return rewards

    def mask(self) -> NDArray[np.int8]:
        """1 for every legal action; when the game is over, for action 0."""
        return self._mask.copy()

    def legal_numbers(self) -> list[int]:
        """The legal actions in ascending order."""
        numbers: list[int] = [] if self.over else np.flatnonzero(self._mask).tolist()
        return numbers

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """What a seat sees."""
        if self._seen.size and seat == self._player[0]:
            return self._seen.copy()
        room = np.zeros(1, encode.OBSERVATION)
        observe_games(self._records, room, seat, 0, 1)
        return room.view(np.uint8)

    def state(self) -> NDArray[np.uint8]:
        """The whole position as seat 0 sees it, and which seat is to act."""
        return with_player(self.observation(0), self.player)

    def is_legal(self, action: Any) -> bool:
        """Whether this is the number of an action that may be carried out now."""
        return bool(is_number(action) and self._mask[action] and not self.over)

    def act(self, action: int) -> None:
        """Carry out an action, or raise IllegalAction and change nothing."""
        if not self.is_legal(action):
            raise IllegalAction(refused(action, self.over))
        self._actions[0] = action
        self._run(STEP)


def is_number(action: Any) -> bool:
    """Whether this is the number of an action: a whole number, also NumPy's, also as an array without dimensions."""
    whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
    if isinstance(action, np.ndarray):
        whole = action.shape == () and action.dtype.kind in "iu"
    return whole and bool(0 <= action < encode.ACTIONS)


def refused(action: Any, over: bool) -> str:
    """Why an action is not carried out, in a sentence."""
    if over:
        return "the game is over; reset the environment to begin another."
    if is_number(action):
        return f"{ACTION_NAMES[action]!r} ({action}) is not legal here."
    return f"{action!r:.60} is no action; they are whole numbers from 0 to {encode.ACTIONS - 1}."
