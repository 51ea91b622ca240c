"""The observation vector: its names, whose eyes it sees with, and turning it with the board."""

import random
from hashlib import sha256

import numpy as np
import pytest

from sunglade import BadRequest, Game, Rules, board, encode
from sunglade.envs.observation import (
    NAMES,
    PLANE_SIZE,
    SIZE,
    TABLE_START,
    index_of_plane,
    planes_of,
    table_of,
    turned_action,
    turned_mask,
    turned_observation,
)
from sunglade.envs.one_game import OneGame
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.rules import MODULES

pytestmark = pytest.mark.xdist_group("envs")


def positions(players: int, rules: Rules, seed: int) -> list[Game]:
    """Some positions of a random game."""
    choices = random.Random(seed)
    game, found = Game(players, rules, seed=seed), []
    while not game.over:
        if choices.random() < 0.1:
            found.append(game.fork())
        game.play(choices.choice(game.legal))
    return [*found, game]


def seen(game: Game, seat: int) -> np.ndarray:
    one = OneGame(game.players, game.rules, 0, observe=False)
    one.load(game.now)
    return one.observation(seat)


def named(vector: np.ndarray, name: str) -> int:
    return int(vector[NAMES.index(name)])


def test_every_index_has_a_name() -> None:
    assert len(NAMES) == SIZE == 2832
    told = [name for name in NAMES if name != "always 0"]
    assert len(told) == len(set(told)) == 58 * 37 + len(encode.TABLE)
    assert NAMES[index_of_plane(0, 0)] == "seed of me: a1"
    assert NAMES[PLANE_SIZE * 57 + 36] == "lit by the moon 6 round(s) ahead: g4"
    assert NAMES[TABLE_START] == "me: light is 0"


def test_what_an_index_tells_and_an_action_number_means_never_changes() -> None:
    """What is new comes behind: agents that were trained, and the numbers in other people's programs, stay good."""
    assert sha256("\n".join(NAMES[:2818]).encode()).hexdigest()[:16] == "e95634bbc5f73090"
    assert sha256("\n".join(ACTION_NAMES).encode()).hexdigest()[:16] == "dcf145a56cb39df4"


def test_what_is_always_zero_is() -> None:
    unused = [index for index, name in enumerate(NAMES) if name == "always 0"]
    for game in positions(4, Rules(modules=MODULES), 1):
        assert not seen(game, 0)[unused].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_sees_itself_first(players: int) -> None:
    for game in positions(players, Rules(modules=MODULES), 3):
        for seat in range(players):
            vector, state = seen(game, seat), game.state()
            for place, who in enumerate(("me", "next", "third", "fourth")[:players]):
                player = state["players"][(seat + place) % players]
                assert named(vector, f"{who}: light (at most 255)") == player["light"]
                assert named(vector, f"{who}: points if the game ended now") == player["points"]
                if player["animal"]:
                    assert named(vector, f"{who}: plays the {player['animal']}") == 1
            for name, piece in state["spaces"].items():
                who = ("me", "next", "third", "fourth")[(piece["owner"] - seat) % players]
                size = ("seed", "small tree", "medium tree", "large tree")[piece["size"]]
                assert named(vector, f"{size} of {who}: {name}") == 1
            assert planes_of(vector)[:16].sum() == len(state["spaces"])
            assert named(vector, f"{players} players") == 1 and named(vector, f"phase {state['phase']}") == 1


def test_seats_that_do_not_exist_are_empty() -> None:
    for game in positions(2, Rules(), 5):
        vector = seen(game, 1)
        assert not planes_of(vector)[8:16].any()
        others = [i for i, name in enumerate(NAMES) if name.startswith(("third:", "fourth:"))]
        assert not vector[others].any()


def test_shade_of_the_coming_suns() -> None:
    for game in positions(2, Rules(), 6):
        vector, forecast = seen(game, 0), game.forecast()
        for ahead in range(1, 7):
            incomes = [named(vector, f"{who}: light income {ahead} round(s) ahead") for who in ("me", "next")]
            assert incomes == forecast[ahead - 1].income


def test_nobody_sees_under_a_baby() -> None:
    for seed in range(20):
        game = Game(2, Rules(modules=["moon"]), seed=seed)
        other = game.determinised(seed + 1)
        assert (seen(game, 0) == seen(other, 0)).all()


@pytest.mark.parametrize("rules", [Rules(), Rules(modules=MODULES)])
@pytest.mark.parametrize("turns", range(6))
def test_a_turned_vector_is_what_a_turned_board_shows(rules: Rules, turns: int) -> None:
    room = np.zeros(1, encode.OBSERVATION)
    for game in positions(3, rules, 8):
        if game.over:
            continue
        encode.observe(game.now, turns, room[0])
        assert game.player is not None
        assert (turned_observation(seen(game, game.player), turns) == room.view(np.uint8)).all()


@pytest.mark.parametrize("turns", range(1, 6))
def test_actions_turn_with_the_observation(turns: int) -> None:
    for number in range(0, encode.ACTIONS, 7):
        there = int(turned_action(number, turns))
        assert int(turned_action(there, 6 - turns)) == number
        mask = np.zeros(encode.ACTIONS, np.int8)
        mask[number] = 1
        assert np.flatnonzero(turned_mask(mask, turns)).tolist() == [there]
    turned = ACTION_NAMES[int(turned_action(ACTION_NUMBERS["plant a1 b1"], turns))]
    assert turned == "plant " + " ".join(
        board.NAMES[board.rotated(board.SPACE_NAMED[name], turns)] for name in ("a1", "b1")
    )


def test_a_turned_base_game_has_the_turned_actions() -> None:
    """The first round: what is legal after placing is legal, turned, after placing turned."""
    lines = ["place a1", "place g4", "place a3", "place f5"]
    game = Game(2, actions=lines)
    for turns in range(6):
        numbers = [int(turned_action(ACTION_NUMBERS[line], turns)) for line in lines]
        other = Game(2, actions=[ACTION_NAMES[number] for number in numbers])
        plants = {n for n in game.legal_numbers if ACTION_NAMES[n].startswith("plant")}
        other_plants = {n for n in other.legal_numbers if ACTION_NAMES[n].startswith("plant")}
        if other.record.light[0] and game.record.light[0]:
            assert {int(turned_action(n, turns)) for n in plants} == other_plants


def test_turning_takes_batches_and_refuses_other_angles() -> None:
    vectors = np.arange(2 * 3 * SIZE).reshape(2, 3, SIZE)
    assert turned_observation(vectors, 4).shape == vectors.shape
    assert (turned_observation(turned_observation(vectors, 4), 2) == vectors).all()
    assert planes_of(vectors).shape == (2, 3, 58, 37) and table_of(vectors).shape == (2, 3, len(encode.TABLE))
    for turns in (-1, 6):
        with pytest.raises(BadRequest):
            turned_observation(vectors, turns)
