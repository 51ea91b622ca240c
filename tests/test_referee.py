"""Kernel and referee agree on every legal action and every state: docs/rules.md, read twice."""

import ast
import itertools
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.board import NAMED, SPACES
from referee.gifts import give
from referee.options import EDITIONS
from referee.position import TOKENS, Position
from sunglade import Game
from sunglade.options import OneOf
from sunglade.rules import OPTIONS as KERNELS_OPTIONS

ANIMALS = ["boar", "hedgehog", "squirrel", "fox", "owl", "badger", "beaver", "turtle"]
BABIES = ["two", "small", "medium", "harvest", "light", "seed", "points", "leaf"]
MODULE_SETS = [list(some) for count in range(4) for some in itertools.combinations(("moon", "elder", "stones"), count)]
ABILITIES = {
    "boar": ["boar.dig", "boar.dig2"],
    "hedgehog": ["hedgehog.run", "hedgehog.plant"],
    "squirrel": ["squirrel.eat"],
    "fox": ["fox.scare", "fox.move", "fox.steal"],
    "owl": ["owl.hunt 1", "owl.hunt 2", "owl.hunt 3"],
    "badger": ["badger.fertilise 1", "badger.fertilise 2"],
    "beaver": ["beaver.dam", "beaver.strengthen"],
    "turtle": ["turtle.hatch", *(f"turtle.steps {baby}" for baby in BABIES)],
}
NAMES = [*NAMED]
OPTIONS: dict[str, list[Any]] = {
    "light_cap": [None, 0, 3, 12, 20, 30, 255],
    "rounds": [1, 5, 13, 30],
    "use_bought": [False, True],
    "leftover": ["down", "up"],
    "return_slot": ["highest", "lowest"],
    "shade_forbids": [False, True],
    "shade_plant": ["target", "origin", "both"],
    "revolutions": [3, 4],
    "moon_start": [*range(18)],
    "shore": [NAMES[:6], ["b2", "b4", "d2", "d6", "f2", "f4"], ["a2", "b5", "d4", "e3", "f1", "g3"]],
    "river": [NAMES, ["d4"], ["a2", "b1", "f5"]],
    "moonstones": [*range(10)],
    "moon_turns": ["at_once", "on_arrival"],
    "boar_digs": ["own", "any"],
    "fox_scares": ["any", "adjacent"],
    "fox_steals": ["lunar", "light"],
}


def agreement(choose: random.Random, edition: str, modules: list[str], animal: str | None = None) -> dict[str, Any]:
    """What a game begins with: some options beside the edition, any deal, the animal in the first player's hand."""
    own = {name: choose.choice(values) for name, values in OPTIONS.items() if choose.random() < 0.3}
    players = choose.choice([2, 3, 4])
    cards = choose.sample(ANIMALS, 8)
    if animal:
        cards.remove(animal)
        cards.insert(0, animal)
    return {
        "format": "sunglade/1",
        "players": players,
        "rules": {"edition": edition, "modules": modules, **own},
        "deal": {
            "animals": [cards[2 * seat : 2 * seat + 2] for seat in range(players)],
            "babies": choose.sample(BABIES, 6),
        },
    }


def kind(line: str) -> str:
    """What an action is, apart from where and on whom."""
    return " ".join(word for word in line.split() if word not in NAMED and word not in ANIMALS)


CHEAP = ("end", "fox.scare", "hedgehog.run", "owl.hunt 1")


class Habits:
    """How somebody plays who likes some kinds of actions much more than others, and dear abilities most of all."""

    def __init__(self, choose: random.Random, animal: str | None) -> None:
        self.choose = choose
        self.animal = animal
        self.liking: dict[str, float] = {}

    def line(self, legal: list[str], lit: list[str]) -> str:
        """One of the legal lines. Animals like to go where the moon shines."""
        if f"draft {self.animal}" in legal:
            return f"draft {self.animal}"
        lines: dict[str, list[str]] = {}
        for line in legal:
            lines.setdefault(kind(line), []).append(line)
        for name in lines:
            favour = 0.3 if name in CHEAP else 3 if "." in name else 1
            self.liking.setdefault(name, favour * self.choose.choice([0.1, 0.3, 1, 3]))
        chosen = self.choose.choices([*lines], [self.liking[name] for name in lines])[0]
        bright = [line for line in lines[chosen] if chosen == "step" and line.split()[1] in lit]
        return self.choose.choice(bright or lines[chosen])


def assert_agree(game: Game, judge: referee.Game) -> None:
    """The same may be done, and the same is so."""
    assert len(game.legal) == len(set(game.legal)), game.position()
    assert set(game.legal) == judge.legal(), game.position()
    assert game.state() == judge.state(), game.position()


def compare(choose: random.Random, start: dict[str, Any], animal: str | None = None) -> Counter[str]:
    """One random game, compared after every action; how often it had each kind of action.

    Where an animal is asked for it is in play, and gifts come between turns now and then.
    """
    game = Game.from_dict(start)
    judge = referee.Game(start)
    habits = Habits(choose, animal)
    done: Counter[str] = Counter()
    assert_agree(game, judge)
    while not game.over:
        line = habits.line(game.legal, game.state().get("moon", {}).get("lit", []))
        game.play(line)
        judge.play(line)
        done[kind(line)] += 1
        assert_agree(game, judge)
        if animal and line == "end" and not game.over and choose.random() < 0.3:
            give(judge.position, choose)
            game = Game.from_position(position_line(judge.position, start))
            assert_agree(game, judge)
    return done


def position_line(position: Position, start: dict[str, Any]) -> str:
    """A position at the beginning of a turn as docs/game-files.md writes it."""
    options = {"edition": "us", **start["rules"]}
    rules = [options.pop("edition")]
    for name, value in options.items():
        rules.append(
            f"{name}={'+'.join(value) if isinstance(value, list) else str(value).lower()}".replace("none", "null")
        )
    players = position.players
    assert position.player is not None
    turn = (position.player - position.first) % len(players)
    clock = ["turn", position.round, position.sun, position.first, position.player, turn]
    rows: dict[str, str] = {}
    for name, space in NAMED.items():
        piece = position.board.get(space)
        rows[name[0]] = rows.get(name[0], "") + (f"{'ABCD'[piece.owner]}{piece.size}" if piece else ".")
    words = [start["format"], str(len(players)), ";".join(rules), ":".join(map(str, clock)), "/".join(rows.values())]

    def numbers(name: str, values: list[int], size: int, beyond: int = 0) -> None:
        words.append(f"{name}={','.join(map(str, values + [beyond] * (size - len(values))))}")

    def names(name: str, values: list[str], between: str = "+") -> None:
        if values:
            words.append(f"{name}={between.join(values)}")

    def spaces(name: str, those: Any) -> None:
        names(name, [name for name, space in NAMED.items() if space in those])

    numbers("light", [player.light for player in players], 4)
    numbers("available", [count for player in players for count in player.available], 16)
    slots = [sum(occupied << slot for slot, occupied in enumerate(column)) for each in players for column in each.slots]
    numbers("slots", slots, 16)
    numbers("taken", [len(full) - len(pile) for full, pile in zip(TOKENS, position.tokens, strict=True)], 4)
    names("tokens", [f"{'ABCD'[player.seat]}{token}" for player in players for token in player.tokens])
    numbers("stones_left", [0], 1)
    spaces("elder", [position.elder])
    spaces("stones", position.stones)
    if "moon" in position.options.modules:
        numbers("animal", [ANIMALS.index(player.animal or "") for player in players], 4, -1)
        numbers("at", [SPACES.index(player.at or (9, 9)) for player in players], 4, -1)
        numbers("lunar", [player.lunar for player in players], 4)
        numbers("baby_points", [sum(player.baby_points for player in players)], 1)
        spaces("dam", position.dam)
        spaces("face_down", position.babies)
        names("hatched", [baby for player in players for baby in player.babies])
        names("babies", position.hidden)
        names("dealt", ["+".join(player.dealt) for player in players], ",")
    return " ".join(words)


def test_the_referee_imports_nothing_of_the_package() -> None:
    for file in Path(referee.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= {"referee", *sys.stdlib_module_names}


def test_every_option_is_tried_with_every_value_it_names() -> None:
    """An option that the referee has not been taught would agree with everything."""
    assert OPTIONS.keys() | {"modules"} == KERNELS_OPTIONS.keys()
    for name, option in KERNELS_OPTIONS.items():
        if isinstance(option.kind, OneOf):
            assert set(OPTIONS[name]) == set(option.kind.values)


many = pytest.mark.parametrize(
    "games",
    [pytest.param(40, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.proof)],
)


@many
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_games_agree(edition: str, games: int) -> None:
    for number in range(games):
        choose = random.Random(f"{edition} {number}")
        compare(choose, agreement(choose, edition, MODULE_SETS[number % len(MODULE_SETS)]))


@many
@pytest.mark.parametrize("animal", ANIMALS)
def test_every_ability_agrees(animal: str, games: int) -> None:
    done: Counter[str] = Counter()
    for number in range(games):
        choose = random.Random(f"{animal} {number}")
        edition = choose.choice([*EDITIONS])
        modules = choose.choice([modules for modules in MODULE_SETS if "moon" in modules])
        done += compare(choose, agreement(choose, edition, modules, animal), animal)
    assert [ability for ability in ABILITIES[animal] if not done[ability]] == []
