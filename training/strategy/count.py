"""What can be counted in the games of `play`: `python -m training.strategy.count FOLDER`.

Writes `counts.json` beside this file: for every figure of the guide how many observations, their sum and the sum of
their squares, so that means and intervals can be told without the games.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from training.strategy.plan import EDITIONS, PLAYERS, RULES, Array, Planned, planned, start
from training.strategy.replay import KIND, KINDS, Replayed

from sunglade import board
from sunglade.kernel.actions import ABILITIES, ANIMAL_WITH
from sunglade.rules import ANIMALS

COUNTS: Final = Path(__file__).parent / "counts.json"
EDGE: Final = tuple(board.spaces_in(board.WITH_LEAVES[1]))
WITH_ANIMALS: Final = ("moonlight", "moon")
ROUNDS: Final = 18
"""What is told of turns is told of games that have exactly so many, and whose set-up the players chose."""
SUNS: Final = 6
BALANCES: Final = (-30, -20, -10, 0, 10, 20, 30)
"""Light taken less light lost, against the mean of the game: where one group of seats ends and the next begins."""

Counted = dict[str, Any]


def sums(values: Any) -> list[float]:
    """Number, sum and sum of squares."""
    array = np.asarray(values, dtype=np.float64).ravel()
    return [len(array), round(float(array.sum()), 4), round(float((array**2).sum()), 4)]


class Games:
    """Games that were played again: a row for each game, tables [game, seat] and [game, round, space]."""

    def __init__(self, numbers: Array, lengths: Array, actions: Array) -> None:
        plans = [planned(int(number)) for number in numbers]
        starts = np.concatenate([start(int(number)) for number in numbers])
        again = Replayed(starts, actions, lengths)
        self.players = np.array([plan.players for plan in plans])
        self.rules = np.array([plan.rules for plan in plans])
        self.by_chance = np.array([plan.random_setup for plan in plans])
        self.rounds: Array = starts["rounds"]
        self.dealt: Array = starts["dealt"]
        self.stories, self.sizes, self.light, self.tokens = again.stories, again.sizes, again.light, again.tokens

    def those(self, chosen: Array) -> Games:
        """Some of the games."""
        part = object.__new__(Games)
        part.__dict__ = {name: table[chosen] for name, table in vars(self).items()}
        return part

    def with_players(self, players: int) -> Games:
        """Those with so many players; the seats of their tables are all that there are."""
        part = self.those(self.players == players)
        part.stories, part.dealt = part.stories[:, :players], part.dealt[:, :players]
        return part

    def by_set_up(self) -> dict[str, Games]:
        """Games whose set-up the players chose, and those with a random one."""
        return {"own": self.those(~self.by_chance), "random": self.those(self.by_chance)}

    @property
    def win(self) -> Array:
        """[game, seat]: 1 for a win."""
        won: Array = self.stories["win"]
        return won

    @property
    def ahead(self) -> Array:
        """[game, seat]: points more than the mean of the others."""
        return more_than_others(self.stories["points"])


def more_than_others(what: Array) -> Array:
    """[game, seat]: how much more of something a seat has than the mean of the others."""
    what = what.astype(np.float64)
    others: Array = (what.sum(1, keepdims=True) - what) / (what.shape[1] - 1)
    more: Array = what - others
    return more


def count(games: Games) -> Counted:
    """Everything the guide needs: of the base game, of every edition, of the modules."""
    tables = {str(players): games.with_players(players) for players in PLAYERS}
    base = {players: part.those(np.isin(part.rules, EDITIONS)) for players, part in tables.items()}
    usual = {players: part.those((part.rounds == ROUNDS) & ~part.by_chance) for players, part in base.items()}
    return {
        "different": len(games.players),
        "seats": {players: seats(part) for players, part in tables.items()},
        "openings": {players: openings(part) for players, part in base.items()},
        "collecting": {players: collecting(part) for players, part in usual.items()},
        "ground": {players: ground(part) for players, part in usual.items()},
        "shade": {players: shade(part) for players, part in usual.items()},
        "animals": {
            players: animals(part.those(np.isin(part.rules, WITH_ANIMALS))) for players, part in tables.items()
        },
    }


def seats(games: Games) -> Counted:
    """How often each seat wins, and its points: by rules, and by who chose the set-up."""
    return {
        rules: {
            set_up: [
                {"win": sums(part.win[:, seat]), "points": sums(part.stories["points"][:, seat])}
                for seat in range(part.win.shape[1])
            ]
            for set_up, part in games.those(games.rules == rules).by_set_up().items()
        }
        for rules in RULES
    }


def openings(games: Games) -> Counted:
    """Where trees are placed, and what spaces turned out to be worth where chance had placed them."""
    own, by_chance = games.by_set_up().values()
    placed = own.stories["placed"]
    return {
        "chosen": [[int((placed[:, :, tree] == space).sum()) for space in EDGE] for tree in range(2)],
        "worth": [worth(by_chance, (by_chance.stories["placed"] == space).any(2)) for space in EDGE],
        "apart": [
            {"chosen": int((apart(own) == far).sum()), **worth(by_chance, apart(by_chance) == far)} for far in range(7)
        ],
    }


def apart(games: Games) -> Array:
    """[game, seat]: the distance between a player's first two trees."""
    distances = np.array([[board.distance(a, b) for b in board.COORDINATES] for a in board.COORDINATES])
    placed = games.stories["placed"]
    far: Array = distances[placed[:, :, 0], placed[:, :, 1]]
    return far


def worth(games: Games, chosen: Array) -> Counted:
    """How some of the seats ended: wins, and points ahead of the others."""
    return {"win": sums(games.win[chosen]), "ahead": sums(games.ahead[chosen])}


def collecting(games: Games) -> Counted:
    """When tokens are taken, how many, and who wins."""
    tokens, income, win = games.stories["tokens"], games.stories["income"], games.win
    number = tokens.sum(2)
    first = np.where(number > 0, (tokens > 0).argmax(2), 0)  # 0: none at all
    rounds = range(1, ROUNDS + 1)
    return {
        "first": [sums(win[first == some]) for some in range(ROUNDS + 1)],
        "number": [sums(win[number == some]) for some in range(12)],
        "tokens": [[sums(tokens[:, :, some][win == result]) for some in rounds] for result in (1, 0)],
        "income": [[sums(income[:, :, some][win == result]) for some in rounds] for result in (1, 0)],
        "compared": {
            "tokens": compared(games, number),
            "points of a token": compared(games, games.stories["score"] / np.maximum(number, 1)),
            "light": compared(games, income.sum(2)),
            **{kind: compared(games, games.stories["acted"][:, :, KINDS.index(kind)]) for kind in KINDS[1:4]},
        },
    }


def compared(games: Games, what: Array) -> Counted:
    """Something of the winner, of the others, and how much more the winner has: each game is one observation."""
    alone = (games.win == 1).any(1)
    won, what = games.win[alone] == 1, what[alone]
    more = more_than_others(what)[won]
    return {"winner": sums(what[won]), "others": sums(what[won] - more), "more": sums(more)}


def ground(games: Games) -> Counted:
    """What a space brings in which round, to whoever has it."""
    soils = [np.flatnonzero(np.array(board.LEAVES) == leaves) for leaves in range(1, 5)]
    points = games.tokens.sum(1, dtype=int)
    rounds = range(1, ROUNDS + 1)
    by_soil = [(games.sizes[:, :, soil], games.light[:, :, soil], games.tokens[:, :, soil]) for soil in soils]
    return {
        "light": [[sums(light[:, number].mean(1)) for number in rounds] for _, light, _ in by_soil],
        "trees": [[sums((sizes[:, number] > 0).mean(1)) for number in rounds] for sizes, _, _ in by_soil],
        "token": [[sums(_positive(tokens[:, number])) for number in rounds] for _, _, tokens in by_soil],
        "lit": [
            [[sums(_of_size(size, sizes, light, time) > 0) for time in range(3)] for size in (1, 2, 3)]
            for sizes, light, _ in by_soil
        ],
        "space_light": [sums(games.light[:, :, space].sum(1)) for space in board.SPACES],
        "space_points": [sums(points[:, space]) for space in board.SPACES],
        "two_leaves": [sums(points[:, group].mean(1)) for group in two_leaves()],
    }


def two_leaves() -> tuple[list[int], list[int]]:
    """The spaces with two leaves: those on a straight line from the centre to a corner, and those between."""
    on_line: list[int] = []
    between: list[int] = []
    for space in board.spaces_in(board.WITH_LEAVES[2]):
        q, r = board.COORDINATES[space]
        (on_line if 0 in (q, r, q + r) else between).append(space)
    return on_line, between


def _positive(values: Array) -> Array:
    some: Array = values[values > 0]
    return some


def _of_size(size: int, sizes: Array, light: Array, revolution: int) -> Array:
    """The light of every tree of a size in a revolution, round by round."""
    rounds = slice(1 + SUNS * revolution, 1 + SUNS * (revolution + 1))
    of_trees: Array = light[:, rounds][sizes[:, rounds] == size]
    return of_trees


def shade(games: Games) -> Counted:
    """Who takes light from whom, and who wins.

    What two opponents shade together one loses and nobody takes: only the mean of the game is neither good nor bad.
    """
    stories = games.stories
    balance = (stories["took"] - stories["lost_to_others"]).astype(np.float64)
    balance -= balance.mean(1, keepdims=True)
    group = np.searchsorted(BALANCES, balance, side="right")
    shaded = np.maximum(stories["trees"], 1)
    return {
        "by_balance": [worth(games, group == some) for some in range(len(BALANCES) + 1)],
        "all": {
            "took": sums(stories["took"].mean(1)),
            "lost to others": sums(stories["lost_to_others"].mean(1)),
            "lost to own": sums(stories["lost_to_own"].mean(1)),
            "light": sums(stories["income"].sum(2).mean(1)),
            "shaded by others": sums((stories["shaded_by_others"] / shaded).mean(1)),
            "shaded by own": sums((stories["shaded_by_own"] / shaded).mean(1)),
        },
        "compared": {
            "took": compared(games, stories["took"]),
            "lost to others": compared(games, stories["lost_to_others"]),
            "lost to own": compared(games, stories["lost_to_own"]),
            "shaded by others": compared(games, stories["shaded_by_others"] / shaded),
        },
    }


def animals(games: Games) -> Counted:
    """What each animal is worth, how often it is kept, and what is done with it."""
    own, by_chance = games.by_set_up().values()
    return {
        name: {
            "own": worth(own, own.stories["animal"] == animal),
            "random": worth(by_chance, by_chance.stories["animal"] == animal),
            "kept": sums((own.stories["animal"] == animal)[own.dealt >> animal & 1 == 1]),
            "uses": {
                ability: sums(own.stories["abilities"][:, :, place][own.stories["animal"] == animal])
                for place, ability in enumerate(ABILITIES)
                if ANIMAL_WITH[ability] == name
            },
        }
        for animal, name in enumerate(ANIMALS)
    }


def read(folder: Path) -> Games:
    """The games of all files in a folder; of those with the same set-up only the first.

    From the same set-up the network plays much the same game: intervals are right only if each counts once.
    """
    files = sorted(folder.glob("games-*.npz"))
    if not files:
        raise SystemExit(f"{folder} has no games-00.npz: play them first (python -m training.strategy.play).")
    kept: dict[tuple[Planned, bytes], tuple[int, Array]] = {}
    for file in files:
        with np.load(file) as games:
            each = np.split(games["action"], np.cumsum(games["length"], dtype=np.int64)[:-1])
            for number, actions in zip(games["number"].tolist(), each, strict=True):
                kept.setdefault((planned(number), actions[KIND[actions] < 0].tobytes()), (number, actions))
    numbers, played = zip(*kept.values(), strict=True)
    return Games(np.array(numbers), np.array([len(actions) for actions in played]), np.concatenate(played))


def main(arguments: list[str]) -> None:
    """Count the games of a folder."""
    folder = Path(arguments[0])
    about = json.loads((folder / "games.json").read_text())
    COUNTS.write_text(json.dumps({"about": about, **count(read(folder))}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
