"""Observations: what a program sees is what is there, for the seat that acts, however the board is turned."""

import random

import numpy as np
import pytest

from sunglade import Game, encode
from sunglade.board import NAMES, SPACES, rotated
from sunglade.encode import PLANES, TABLE, observation
from sunglade.envs.observation import TURNED_ACTION
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.options import OneOf
from sunglade.rules import BABIES, OPTIONS

EVERY_MODULE = ["moon", "elder", "stones"]


def middle_game(seed: int, modules: list[str], actions: int = 80) -> Game:
    choose = random.Random(seed)
    game = Game(choose.choice((2, 3, 4)), {"modules": modules}, seed=seed)
    for _ in range(actions):
        game.play(choose.choice(game.legal))
    return game


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("modules", [[], EVERY_MODULE])
def test_planes_show_the_pieces_seat_by_seat(seed: int, modules: list[str]) -> None:
    game = middle_game(seed, modules)
    planes, _ = observation(game.record)
    state = game.state()
    for name, piece in state["spaces"].items():
        seat = (piece["owner"] - state["player"]) % game.players
        shown = np.nonzero(planes[:16, NAMES.index(name)])[0]
        assert shown.tolist() == [4 * seat + piece["size"]]
    assert planes[:16].sum() == len(state["spaces"])


@pytest.mark.parametrize("seed", range(6))
def test_shade_and_income_are_those_of_the_forecast(seed: int) -> None:
    game = middle_game(seed, EVERY_MODULE)
    planes, table = observation(game.record)
    me = game.player
    assert me is not None
    for ahead, coming in enumerate(game.forecast(), start=1):
        gives = set(np.nonzero(planes[PLANES.index(f"a tree here gives light {ahead} round(s) ahead")])[0])
        trees = {NAMES.index(n) for n, piece in game.state()["spaces"].items() if piece["size"]}
        assert gives == trees - {NAMES.index(name) for name in coming.shaded}
        assert table[TABLE.index(f"me: light income {ahead} round(s) ahead")] == coming.income[me]
        lit = np.nonzero(planes[PLANES.index(f"lit by the moon {ahead} round(s) ahead")])[0]
        assert coming.moon is not None
        assert [NAMES[space] for space in lit] == coming.moon.lit
        assert table[TABLE.index(f"full moon {ahead} round(s) ahead")] == coming.moon.full


@pytest.mark.parametrize("turns", range(6))
def test_turning_the_board_turns_every_plane_and_action(turns: int) -> None:
    game = middle_game(3, EVERY_MODULE)
    straight, table = observation(game.record)
    turned, turned_table = observation(game.record, turns)
    order = [rotated(space, turns) for space in SPACES]
    assert (turned[:, order] == straight).all()
    sun = TABLE.index("sun at 0, as the board is turned")
    assert np.roll(table[sun : sun + 6], turns).tolist() == turned_table[sun : sun + 6].tolist()
    assert sorted(TURNED_ACTION[turns]) == list(range(len(ACTION_NAMES)))
    plant = ACTION_NUMBERS["plant c3 c4"]
    c3, c4 = (NAMES[rotated(NAMES.index(name), turns)] for name in ("c3", "c4"))
    assert ACTION_NAMES[TURNED_ACTION[turns, plant]] == f"plant {c3} {c4}"


def test_six_turns_are_none() -> None:
    once = TURNED_ACTION[1]
    number = np.arange(len(once))
    for _ in range(6):
        number = once[number]
    assert (number == np.arange(len(once))).all()


def test_a_face_down_baby_changes_nothing_in_the_observation() -> None:
    game = next(g for seed in range(50) if (g := middle_game(seed, ["moon"])).record.face_down)
    other = game.determinised(99)
    assert other.record.babies != game.record.babies
    for one, two in zip(observation(game.record), observation(other.record), strict=True):
        assert (one == two).all()


def test_every_index_has_one_name() -> None:
    assert len(set(PLANES)) == len(PLANES)
    assert len(set(TABLE)) == len(TABLE)
    assert PLANES.index("Elder Tree") == encode.BASE_PLANES


READINGS = ["moon_turns on_arrival", "boar_digs any", "fox_scares adjacent", "fox_steals light"]


@pytest.mark.parametrize("reading", READINGS)
def test_the_readings_of_the_expansion_are_shown(reading: str) -> None:
    option, value = reading.split()
    for chosen, shown in ({}, 0), ({option: value}, 1):
        _, table = observation(Game(2, {"modules": ["moon"], **chosen}, seed=1).record)
        assert table[TABLE.index(reading)] == shown
        assert not any(table[TABLE.index(other)] for other in READINGS if other != reading)


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.bits])
def test_every_option_that_is_a_bit_is_shown(name: str) -> None:
    """With no more modules than the option needs: what is shown only beside the moon is not shown."""
    option = OPTIONS[name]
    values = option.kind.values if isinstance(option.kind, OneOf) else [[], ["moon"], ["moon", "elder"]]
    rules = [{"modules": [option.module] if option.module else [], name: value} for value in values]
    tables = {tuple(observation(Game(2, each, seed=1).record)[1].tolist()) for each in rules}
    assert len(tables) == len(rules)


def test_babies_that_have_hatched_are_remembered_and_no_other_is_told() -> None:
    hands = [["owl", "badger"], ["turtle", "fox"]]
    babies = ["light", "points", "two", "seed", "leaf", "small"]
    game = Game(2, {"modules": ["moon"], "rounds": 60}, deal={"animals": hands, "babies": babies})
    seen: list[str] = []
    choose = random.Random(4)
    places = [TABLE.index(f"{baby} has hatched, in hand or used") for baby in BABIES]
    while not game.over:
        shown = observation(game.record)[1][places]
        assert [baby for baby, there in zip(BABIES, shown, strict=True) if there] == [b for b in BABIES if b in seen]
        wanted = [line for line in game.legal if line.startswith(("turtle.", "draft turtle"))]
        line = choose.choice(wanted or game.legal)
        before = game.state()["players"][1].get("babies", [])
        game.play(line)
        if line == "turtle.hatch":
            seen += game.state()["players"][1]["babies"][len(before) :]
    assert len(seen) > 1 and "turtle.steps" in {line.split()[0] for line in game.actions}
