"""The measured guide to the game: what is counted in recorded games, and the page that is made of it."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import referee
from referee.board import DIRECTIONS, LEAVES, NAMED, SPACES, Space, line
from sunglade import kernel
from sunglade.deal import Deal
from sunglade.kernel.record import OVER
from sunglade.notation import ACTION_NAMES
from sunglade.rules import ANIMALS
from test_training import ONE_THREAD, PYTHON, ROOT

sys.path.insert(0, str(ROOT))  # what makes the guide is not part of the package

from training.strategy import count, guide, plan
from training.strategy.figures import VERY_SURE, Figure, added, chi_square, unfairness
from training.strategy.replay import KINDS

GAMES = 24
WISHES = {"collect": 60, "boar.dig": 60, "grow": 8, "buy": 2, "plant": 2, "end": 1, "step": 0.3}
"""How much the players of these games like actions: random ones would hardly ever collect."""
TWO_LEAVES = ("b2 b4 d2 d6 f2 f4", "b3 c2 c5 e2 e5 f3")
"""Spaces with two leaves on a line from the centre to a corner, and the others."""
COUNTED = ("trees", "shaded_by_own", "shaded_by_others", "lost_to_own", "lost_to_others", "took")


def compiles(test: Callable[..., None]) -> Callable[..., None]:
    """One process compiles what plays games again."""
    marked: Callable[..., None] = pytest.mark.slow(pytest.mark.xdist_group("strategy")(test))
    return marked


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
        self.planned = plan.planned(number)
        players, rules = self.planned.players, plan.RULES[self.planned.rules]
        deal = Deal.from_seed(number, players).to_dict()
        self.game = referee.Game({"players": players, "rules": rules, "deal": deal})
        self.seats = [self._nothing() for _ in range(players)]
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
        self.winners: list[int] = told["winners"]

    def share(self, seat: int) -> float:
        return (seat in self.winners) / len(self.winners)

    def ahead(self, seat: int) -> float:
        points = [one["points"] for one in self.seats]
        mine = points.pop(seat)
        return float(mine - statistics.mean(points))

    def balance(self, seat: int) -> float:
        """Light taken less light lost, against the mean of the game."""
        balances = [one["took"] - one["lost_to_others"] for one in self.seats]
        return float(balances[seat] - statistics.mean(balances))


@compiles
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


@compiles
def test_what_is_counted_is_what_the_referee_saw(actions: list[list[int]], games: count.Games) -> None:
    """Figures of every chapter again, game by game, from what was watched and by no other means."""
    found = count.count(games)
    watched = {number: Watcher(number, actions[number]) for number in range(GAMES)}
    for players in plan.PLAYERS:
        here = [number for number in watched if plan.planned(number).players == players]
        for rules in plan.RULES:
            for set_up, by_chance in (("own", False), ("random", True)):
                some = [n for n in here if plan.planned(n) == plan.Planned(players, rules, by_chance)]
                for seat in range(players):
                    told = found["seats"][str(players)][rules][set_up][seat]
                    assert told["win"] == again(watched[n].share(seat) for n in some)
                    assert told["points"] == again(watched[n].seats[seat]["points"] for n in some)
        base = [watched[n] for n in here if plan.planned(n).rules in plan.EDITIONS]
        check_openings(found["openings"][str(players)], [one for one in base if not one.planned.random_setup], base)
        usual = [one for one in base if one.game.position.rounds == 18 and not one.planned.random_setup]
        check_chapters(found, str(players), usual)


def again(values: Iterable[float]) -> list[float]:
    """Number, sum, sum of squares."""
    known = list(values)
    return pytest.approx([len(known), sum(known), sum(one * one for one in known)], abs=1e-3)  # type: ignore[return-value]


def check_openings(told: dict[str, Any], own: list[Watcher], base: list[Watcher]) -> None:
    for tree in range(2):
        placed = [seat["placed"][tree] for one in own for seat in one.seats]
        assert told["chosen"][tree] == [placed.count(space) for space in count.EDGE]
    by_chance = [one for one in base if one.planned.random_setup]
    for space, worth in zip(count.EDGE, told["worth"], strict=True):
        there = [(one, seat) for one in by_chance for seat, of in enumerate(one.seats) if space in of["placed"]]
        assert worth["win"] == again(one.share(seat) for one, seat in there)
        assert worth["ahead"] == again(one.ahead(seat) for one, seat in there)


def check_chapters(found: dict[str, Any], players: str, usual: list[Watcher]) -> None:
    seats = [(one, seat, of) for one in usual for seat, of in enumerate(one.seats)]
    for number in range(1, 19):
        first = [(one, seat) for one, seat, of in seats if min(of["tokens"], default=0) == number]
        assert found["collecting"][players]["first"][number] == again(one.share(seat) for one, seat in first)
        for leaves in range(1, 5):
            soil = [place for place, space in enumerate(SPACES) if LEAVES[space] == leaves]
            light = [sum(one.light.get((number, space), 0) for space in soil) / len(soil) for one in usual]
            tokens = [one.tokens[number, space] for one in usual for space in soil if (number, space) in one.tokens]
            assert found["ground"][players]["light"][leaves - 1][number - 1] == again(light)
            assert found["ground"][players]["token"][leaves - 1][number - 1] == again(tokens)
    for told, names in zip(found["ground"][players]["two_leaves"], TWO_LEAVES, strict=True):
        spaces = [SPACES.index(NAMED[name]) for name in names.split()]
        each = [sum(points for (_, space), points in one.tokens.items() if space in spaces) for one in usual]
        assert told == again(points / len(spaces) for points in each)
    alone = [(one, one.winners[0]) for one in usual if len(one.winners) == 1]
    taken = [one.seats[seat]["took"] for one, seat in alone]
    others = [
        sum(of["took"] for other, of in enumerate(one.seats) if other != seat) / (len(one.seats) - 1)
        for one, seat in alone
    ]
    compared = found["shade"][players]["compared"]["took"]
    assert compared["winner"] == again(taken) and compared["others"] == again(others)
    assert compared["more"] == again(mine - theirs for mine, theirs in zip(taken, others, strict=True))
    balances = [(one.share(seat), one.balance(seat)) for one, seat, _ in seats]
    assert found["shade"][players]["by_balance"][4]["win"] == again(
        win for win, balance in balances if 0 <= balance < 10
    )


@compiles
def test_of_games_with_the_same_set_up_one_counts(actions: list[list[int]], tmp_path: Path) -> None:
    """From the same set-up the network plays much the same game: counting both would make intervals too narrow."""
    same = len(plan.PATTERN)  # plays by the rules of game 0
    assert plan.planned(0) == plan.planned(same) and plan.planned(0).rules not in count.WITH_ANIMALS
    kept = {0: actions[0], 1: actions[1], same: actions[0]}
    for part, numbers in enumerate([(0, 1), (same,)]):
        np.savez(
            tmp_path / f"games-{part:02}.npz",
            number=np.array(numbers),
            length=np.array([len(kept[number]) for number in numbers]),
            action=np.concatenate([kept[number] for number in numbers]),
        )
    assert len(count.read(tmp_path).players) == 2


@compiles
def test_animals_are_counted_by_who_held_and_who_kept_them(games: count.Games) -> None:
    found = count.count(games)["animals"]
    held: Counter[str] = Counter()
    for players in plan.PLAYERS:
        for animal in ANIMALS:
            told = found[str(players)][animal]
            held[animal] += told["own"]["win"][0] + told["random"]["win"][0]
            assert told["kept"][1] == told["own"]["win"][0] <= told["kept"][0]
    at_tables = sum(plan.planned(n).players for n in range(GAMES) if plan.planned(n).rules in count.WITH_ANIMALS)
    assert sum(held.values()) == at_tables > 0


def test_means_and_intervals_are_those_of_the_observations() -> None:
    values = [random.Random(4).gauss(3, 2) for _ in range(50)]
    figure = Figure.of(count.sums(values))
    assert figure.mean == pytest.approx(statistics.mean(values), abs=1e-4)
    assert figure.error == pytest.approx(statistics.stdev(values) / 50**0.5, abs=1e-4)
    assert Figure.of(added([count.sums(values[:20]), count.sums(values[20:])])).mean == pytest.approx(figure.mean)


def test_what_never_happened_in_a_few_games_may_happen() -> None:
    assert Figure.of([40, 0, 0]).percent(0) == "0 ± 9" and Figure.of([40, 40, 40]).percent(0) == "100 ± 9"


def test_equal_seats_are_fair_and_unequal_ones_are_not() -> None:
    def seats(*wins: int) -> list[Figure]:
        return [Figure.of([sum(wins), won, won]) for won in wins]

    assert unfairness(seats(500, 500))[0] == 0
    one, low, high = unfairness(seats(600, 400))
    assert 0 < low < one < high and one == pytest.approx(0.1, abs=0.01)
    assert low > unfairness(seats(505, 495))[2]
    assert unfairness(seats(600, 400), VERY_SURE)[1] < low and high < unfairness(seats(600, 400), VERY_SURE)[2]


@pytest.mark.parametrize(
    "chances", [(0.5, 0.5), (0.52, 0.48), (0.34, 0.33, 0.33), (0.25,) * 4, (0.2, 0.28, 0.27, 0.25)]
)
def test_intervals_of_fairness_hold_what_is_true_as_often_as_they_say(chances: tuple[float, ...]) -> None:
    """Near fair seats, too, where an interval that cannot go below zero is easily too short."""
    games, tries = 500, 300
    true = statistics.pvariance(chances) ** 0.5
    held = 0
    for wins in np.random.default_rng(5).multinomial(games, chances, tries).tolist():
        one, low, high = unfairness([Figure.of([games, won, won]) for won in wins])
        assert 0 <= low <= one <= high > 0
        held += low <= true + 1e-9 and true <= high
    assert held / tries > 0.93


@pytest.mark.parametrize("freedom", [1, 2, 3])
@pytest.mark.parametrize("excess", [0.0, 0.5, 8.0, 150.0])
def test_the_chi_square_is_that_of_drawn_numbers(freedom: int, excess: float) -> None:
    drawn = np.random.default_rng(6).noncentral_chisquare(freedom, excess, 100_000)
    for part in (0.025, 0.5, 0.975):
        assert chi_square(float(np.quantile(drawn, part)), freedom, excess) == pytest.approx(part, abs=0.01)


def test_the_page_and_its_pictures_are_made_from_the_counts_that_are_there() -> None:
    made = guide.made(json.loads(count.COUNTS.read_text()))
    for name, content in made.items():
        told = (guide.DOCS / name).read_text()
        assert told == content, f"docs/{name} is not what the counts say: python -m training.strategy.guide"
    pictures = [name for name in made if name.endswith(".svg")]
    assert all(f"]({name})" in made[guide.PAGE] for name in pictures)
    assert sum(len(made[name].encode()) for name in pictures) < 250_000


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
    kept_as_it_was = (tmp_path / "games-00.npz").read_bytes()
    again_there = subprocess.run([*command, *few], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert again_there.returncode == 1 and "has games already" in again_there.stderr
    assert (tmp_path / "games-00.npz").read_bytes() == kept_as_it_was
