"""Reading sets of games as arrays: the columns as they are, positions replayed by the kernel, batches to learn from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sunglade import kernel
from sunglade.data.columns import Columns, joined, read
from sunglade.data.folder import files_in
from sunglade.data.replaying import Recorded, replay
from sunglade.encode import Observation, observe
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.gamefile import parse_json
from sunglade.notation import ACTION_NAMES
from sunglade.rules import MAX_PLAYERS, Rules

ACTIONS: Final = len(ACTION_NAMES)


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions to learn from: arrays of their own, contiguous and writable, one row a position.

    Seats are as the observation has them: the mover first, then those after it; what is not there is 0.
    """

    observations: NDArray[np.uint8]
    """(k, 2832): what the mover sees, as environments show it."""
    masks: NDArray[np.int8]
    """(k, actions): 1 for every legal action."""
    policies: NDArray[np.float32]
    """(k, actions): how often the search tried each action, as shares of 1."""
    values: NDArray[np.float32]
    """(k, 4): what the search expected for each seat."""
    shares: NDArray[np.float32]
    """(k, 4): each seat's share of the win, in the end."""
    points: NDArray[np.float32]
    """(k, 4): each seat's points, in the end."""
    players: NDArray[np.int64]
    """(k,): how many seats there are."""


def load(*paths: str | os.PathLike[str]) -> Dataset:
    """The games of folders and files that `sunglade data make` wrote, all together, in the order given."""
    files = [file for path in map(Path, paths) for file in (files_in(path) if path.is_dir() else [path])]
    if not files:
        raise BadRequest(f"there are no games in {', '.join(map(str, paths)) or 'nothing'}.")
    found = [read(file) for file in files]
    return Dataset(joined([columns for columns, _ in found]), [about for _, about in found])


class Dataset:
    """Games, and what was thought in their positions.

    `columns` has them as they are in the files (docs/data.md); `len` is the number of positions.
    """

    def __init__(self, columns: Columns, about: Sequence[dict[str, Any]]) -> None:
        self.columns = columns
        """Every column by its name."""
        self.about = list(about)
        """How each file was made."""
        self._first_action = _starts(columns["actions_count"])
        self._first_position = _starts(columns["positions_count"])
        self._first_tried = _starts(columns["tried_count"])

    def __len__(self) -> int:
        return len(self.columns["ply"])

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.columns["number"])

    @cached_property
    def game_of(self) -> NDArray[np.int64]:
        """(positions,): the game that each position belongs to, counted from 0."""
        return np.repeat(np.arange(self.games), self.columns["positions_count"])

    def game(self, index: int) -> Game:
        """A whole game, to look at, to save or to play from."""
        game = self._begun(index)
        actions = self.columns["action"][self._first_action[index] : self._first_action[index + 1]]
        lines = [ACTION_NAMES[number] if 0 <= number < ACTIONS else str(number) for number in actions.tolist()]
        return Game(game.players, game.rules, seed=int(self.columns["seed"][index]), actions=lines)

    def position(self, index: int) -> Game:
        """The game as it was at a position."""
        game = self.game(int(self.game_of[index]))
        while len(game.actions) > self.columns["ply"][index]:
            game.undo()
        return game

    @cached_property
    def records(self) -> NDArray[np.void]:
        """(positions,): the positions as the kernel has them, replayed and checked when first asked for.

        A file that disagrees with the rules is refused: an action that is not legal, a result that is another.
        """
        records = np.zeros(len(self), kernel.STATE)
        for index in range(self.games):
            first, after = self._first_position[index], self._first_position[index + 1]
            try:
                replay(self._begun(index).now, self._recorded(index), records[first:after])
            except SungladeError as error:
                raise BadRequest(f"game {self.columns['number'][index]}: {error.message}") from None
        return records

    def batch(self, positions: ArrayLike | slice = slice(None)) -> Batch:
        """Positions, chosen by their indices; all of them if none are named."""
        rows = np.arange(len(self))[positions if isinstance(positions, slice) else np.asarray(positions)]
        observations, masks = self._seen(rows)
        games, movers = self.game_of[rows], self.columns["mover"][rows]
        players = self.columns["players"][games].astype(np.int64)
        seats = (movers[:, None] + np.arange(MAX_PLAYERS)) % players[:, None]

        def from_the_mover(numbers: NDArray[Any]) -> NDArray[np.float32]:
            there = np.arange(MAX_PLAYERS) < players[:, None]
            return (np.take_along_axis(numbers, seats, axis=1) * there).astype(np.float32)

        return Batch(
            observations,
            masks,
            self._policies(rows),
            from_the_mover(self.columns["value"][rows]),
            from_the_mover(self.columns["share"][games]),
            from_the_mover(self.columns["points"][games]),
            players,
        )

    def batches(self, size: int, *, seed: int | None = None) -> Iterator[Batch]:
        """Every position once, in batches; in an order that follows from the seed, or as they were played."""
        if type(size) is not int or size < 1:
            raise BadRequest(f"a batch has at least one position, not {size!r:.60}.")
        order = np.arange(len(self)) if seed is None else np.random.default_rng(seed).permutation(len(self))
        for first in range(0, len(self), size):
            yield self.batch(order[first : first + size])

    # How

    def _begun(self, index: int) -> Game:
        """A game before its first action."""
        try:
            rules = Rules.from_dict(parse_json(self.columns["rules"][index]))
            return Game(int(self.columns["players"][index]), rules, seed=int(self.columns["seed"][index]))
        except SungladeError as error:
            raise BadRequest(f"game {self.columns['number'][index]}: {error.message}") from None

    def _recorded(self, index: int) -> Recorded:
        """What a file tells of a game."""
        first, after = self._first_position[index], self._first_position[index + 1]
        tried, bounds = self.columns["tried"], self._first_tried[first : after + 1].tolist()
        return Recorded(
            actions=self.columns["action"][self._first_action[index] : self._first_action[index + 1]].tolist(),
            plies=self.columns["ply"][first:after].tolist(),
            movers=self.columns["mover"][first:after].tolist(),
            tried=[set(tried[a:b].tolist()) for a, b in pairwise(bounds)],
            points=self.columns["points"][index].tolist(),
            places=self.columns["place"][index].tolist(),
            shares=self.columns["share"][index].tolist(),
        )

    def _seen(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What the movers see, and may do."""
        observations = np.zeros((len(rows), Observation.size), np.uint8)
        masks = np.zeros((len(rows), ACTIONS), np.int8)
        seen, legal = Observation(), kernel.LegalList()
        for place, row in enumerate(rows):
            record = kernel.Record(self.records[row].tobytes())
            observe(record, 0, seen)
            observations[place] = np.frombuffer(seen.data, np.uint8)
            masks[place, legal.action[: kernel.legal(record, legal)].tolist()] = 1
        return observations, masks

    def _policies(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Visits as shares of 1."""
        counts = self.columns["tried_count"][rows]
        place = np.repeat(np.arange(len(rows)), counts)
        tried = np.repeat(self._first_tried[rows] - _starts(counts)[:-1], counts) + np.arange(len(place))
        policies = np.zeros((len(rows), ACTIONS), np.float32)
        policies[place, self.columns["tried"][tried]] = self.columns["visits"][tried]
        policies /= policies.sum(axis=1, keepdims=True)
        return policies


def _starts(counts: NDArray[Any]) -> NDArray[np.int64]:
    """Where each begins, and where the last ends."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts
