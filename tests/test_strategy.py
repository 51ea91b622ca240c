"""The measured guide to the game: what is counted in recorded games, and the page that is made of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import referee
from referee.board import DIRECTIONS, NAMED, SPACES, Space, line
from sunglade import kernel
from sunglade.deal import Deal
from sunglade.kernel.record import OVER
from sunglade.notation import ACTION_NAMES
from test_training import ONE_THREAD, PYTHON, ROOT

sys.path.insert(0, str(ROOT))  # what makes the guide is not part of the package

from training.strategy import count, plan
from training.strategy.replay import KINDS

GAMES = 24
WISHES = {"collect": 60, "boar.dig": 60, "grow": 8, "buy": 2, "plant": 2, "end": 1, "step": 0.3}
"""How much the players of these games like actions: random ones would hardly ever collect."""
COUNTED = ("trees", "shaded_by_own", "shaded_by_others", "lost_to_own", "lost_to_others", "took")


def played(number: int) -> list[int]:
    """The actions of a planned game, as careless players play it."""
    choose = random.Random(number)
    record, actions = kernel.Record(plan.start(number).tobytes()), []
    legal_list = kernel.LegalList()
    while record.phase != OVER:
        number_of_legal = kernel.legal(record, legal_list)
        legal = [int(legal_list.action[place]) for place in range(number_of_legal)]
        wishes = [WISHES.get(ACTION_NAMES[action].split()[0], 4) for action in legal]
        actions.append(choose.choices(legal, wishes)[0])
        kernel.apply(record, actions[-1])
    return actions


@pytest.fixture(scope="module")
def actions() -> list[list[int]]:
    return [played(number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def games(actions: list[list[int]]) -> count.Games:
    lengths = np.array([len(game) for game in actions], np.int16)
    return count.Games(np.arange(GAMES, dtype=np.int32), lengths, np.concatenate(actions).astype(np.int16))


class Watcher:
    """Watches a game with a referee beside it, and keeps a tally by other means than the kernel's."""

    def __init__(self, number: int, actions: list[int]) -> None:
        planned = plan.planned(number)
        agreed = {"players": planned.players, "rules": plan.RULES[planned.rules]}
        deal = Deal.from_seed(number, planned.players).to_dict()
        self.game = referee.Game({**agreed, "rules": {**agreed["rules"]}, "deal": deal})  # type: ignore[dict-item]
        self.seats = [self._nothing() for _ in range(planned.players)]
        self.light: dict[tuple[int, int], int] = {}
        self.tokens: dict[tuple[int, int], int] = {}
        for action in actions:
            self._watch(ACTION_NAMES[action])
        self._end()

    @staticmethod
    def _nothing() -> dict[str, Any]:
        return {**dict.fromkeys(COUNTED, 0), "placed": [], "income": {}, "tokens": {}, "acted": dict.fromkeys(KINDS, 0)}

    def _watch(self, told: str) -> None:
        position = self.game.position
        mover, number = position.mover, position.round
        seat, words, at = self.seats[mover.seat], told.split(), mover.at
        had, before = list(mover.tokens), position.round
        if words[0] == "place":
            seat["placed"].append(SPACES.index(NAMED[words[1]]))
        kind = "ability" if "." in words[0] else words[0]
        if kind in KINDS:
            seat["acted"][kind] += 1
        self.game.play(told)
        if len(mover.tokens) > len(had):
            space = NAMED.get(words[-1], at)
            assert space is not None
            self.tokens[number, SPACES.index(space)] = sum(mover.tokens) - sum(had)
            seat["tokens"][number] = seat["tokens"].get(number, 0) + 1
        if position.round != before:
            self._look_at_trees()

    def _look_at_trees(self) -> None:
        position = self.game.position
        for space, piece in position.board.items():
            if not piece.size:
                continue
            seat = self.seats[piece.owner]
            seat["trees"] += 1
            casters = self._casters(space, piece.size)
            if not casters:
                self.light[position.round, SPACES.index(space)] = piece.size
                seat["income"][position.round] = seat["income"].get(position.round, 0) + piece.size
            elif casters == {piece.owner}:
                seat["shaded_by_own"] += 1
                seat["lost_to_own"] += piece.size
            elif not casters & {piece.owner, None}:
                seat["shaded_by_others"] += 1
                seat["lost_to_others"] += piece.size
            if len(casters) == 1 and not casters & {piece.owner, None}:
                (taker,) = casters
                assert taker is not None
                self.seats[taker]["took"] += piece.size

    def _casters(self, space: Space, size: int) -> set[int | None]:
        """Whose trees shade a tree of that size there; None: the Elder Tree or a stone."""
        position = self.game.position
        away_q, away_r = DIRECTIONS[position.sun]
        casters: set[int | None] = set()
        for away, there in enumerate(line(space, (-away_q, -away_r)), start=1):
            piece = position.board.get(there)
            if piece and piece.size >= max(away, size, 1):
                casters.add(piece.owner)
            if there == position.elder or (there in position.stones and away == 1 and size == 1):
                casters.add(None)
        return casters

    def _end(self) -> None:
        told = self.game.state()
        assert told["phase"] == "over"
        for seat, end in zip(self.seats, told["players"], strict=True):
            seat["points"] = end["points"]
        self.winners = told["winners"]


def test_stories_of_games_agree_with_a_referee_who_watched(actions: list[list[int]], games: count.Games) -> None:
    taken = 0
    for number in range(GAMES):
        watched = Watcher(number, actions[number])
        for seat, told in enumerate(watched.seats):
            story = games.stories[number, seat]
            for name in ("points", *COUNTED):
                assert story[name] == told[name], (number, seat, name)
            assert story["placed"].tolist() == told["placed"]
            assert dict(zip(KINDS, story["acted"].tolist(), strict=True)) == told["acted"]
            for name in ("income", "tokens"):
                assert {place: value for place, value in enumerate(story[name].tolist()) if value} == told[name]
            taken += sum(told["tokens"].values())
        share = games.stories["win"][number]
        assert {seat for seat in range(4) if share[seat]} == set(watched.winners) and share.sum() == 1
        for table, seen in ((games.light, watched.light), (games.tokens, watched.tokens)):
            assert {(r, s): int(table[number, r, s]) for r, s in zip(*table[number].nonzero(), strict=True)} == seen
    assert taken > GAMES


@pytest.mark.slow
@pytest.mark.xdist_group("training")
def test_games_are_recorded_to_their_end(tmp_path: Path) -> None:
    """The command that needs a GPU, without one: a few hasty games of the network that is shipped."""
    command: list[str | Path] = [PYTHON, "-W", "ignore", "-m", "training.strategy.play", "--folder", tmp_path]
    few = ["--games", "6", "--tables", "4", "--threads", "1", "--simulations", "1", "--seconds", "36000"]
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([*command, *few], env=environment, cwd=ROOT, check=True)
    about = json.loads((tmp_path / "games.json").read_text())
    assert (about["games"], about["unfinished"], about["too_long"]) == (6, 0, 0)
    with np.load(tmp_path / "games-00.npz") as kept:
        assert sorted(kept["number"].tolist()) == list(range(6))
        games = np.split(kept["action"], np.cumsum(kept["length"])[:-1])
        for number, actions in zip(kept["number"].tolist(), games, strict=True):
            record = kernel.Record(plan.start(number).tobytes())
            for action in actions.tolist():
                assert record.phase != OVER
                kernel.apply(record, action)
            assert record.phase == OVER
