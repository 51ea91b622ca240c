"""Within a version of the environments nothing that a learner could notice changes: docs/environments.md says what.

The fingerprints are of version 1. If one of them changes, results of before and after cannot be compared: make it a new
version (`sunglade_v2`, `sunglade/Sunglade-v2`, a line in the version history), and write new fingerprints here.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from sunglade import bots
from sunglade.envs import BatchEnv, registration
from sunglade.envs.observation import NAMES, SCALE
from sunglade.game import Game
from sunglade.notation import ACTION_NAMES

pytestmark = pytest.mark.xdist_group("envs")

ALL = {"modules": ["moon", "elder", "stones"]}
PLAYED = {
    "random": ("5156332de07dda5c", "05cc49aa491f83a0"),
    "seedling": ("bbe03fd9e1824288", "7b0b9eb3ac532526"),
    "sapling": ("dfadbb1b6cf14770", "42c1a43e9e23bee5"),
    "birch": ("ec16acd73b4a28b8", "bb4deb81cb203113"),
    "maple": ("7425a6edd76c0fe9", "b1f6197903e07d44"),
}
"""How bots play: the base game, and with all modules."""


def fingerprint(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]


def test_the_version_is_1() -> None:
    assert registration.ENV_ID == "sunglade/Sunglade-v1"


def test_numbers_of_actions_and_places_in_the_observation_stay() -> None:
    assert fingerprint(f"{line}\n".encode() for line in ACTION_NAMES) == "4b46adcdb66c5dcb"
    assert fingerprint(f"{name}\n".encode() for name in NAMES) == "4fe2aa50a8a2fb0d"
    assert fingerprint([np.asarray(SCALE, np.float64).tobytes()]) == "9a831e195469dd4e"


@pytest.mark.parametrize(
    ("players", "rules", "reward", "expected"),
    [
        (2, {}, "win", "cb0bb3725de8a4e1"),
        (3, {"edition": "de", "shade_forbids": True}, "rank", "f5dc51814b0ccdcc"),
        (4, ALL, "margin", "91c798e4a34030ab"),
    ],
)
def test_games_of_a_seed_go_as_they_went(players: int, rules: dict[str, Any], reward: str, expected: str) -> None:
    """Seeds, deals, random choices, observations, masks, rewards and ends of 600 steps, with games that begin anew."""

    def steps() -> Iterable[bytes]:
        env = BatchEnv(4, players=players, rules=rules, seed=7, reward=reward)
        for _ in range(600):
            actions = env.random_actions()
            yield from (actions.tobytes(), env.observations.tobytes(), env.masks.tobytes(), env.player.tobytes())
            paid, done = env.step(actions)
            yield from (np.asarray(paid, np.float32).round(5).tobytes(), done.tobytes())

    assert fingerprint(steps()) == expected


@pytest.mark.parametrize("rules", [{}, ALL], ids=["base game", "all modules"])
@pytest.mark.parametrize("name", list(PLAYED))
def test_opponents_play_as_they_played(name: str, rules: dict[str, Any]) -> None:
    """Bots that results are told against: whole games against themselves."""

    def lines() -> Iterable[bytes]:
        game = Game(2, rules | {"rounds": 6}, seed=3)
        players = [bots.make(name, seed=seat) for seat in range(2)]
        while not game.over:
            line = players[game.player or 0].act(game.redacted(), 100_000)
            game.play(line)
            yield f"{line}\n".encode()

    assert fingerprint(lines()) == PLAYED[name][rules == ALL]


@pytest.mark.parametrize(
    ("name", "rounds", "expected"), [("oak", 2, "4b728e14212273a1"), ("sequoia", 1, "3564ae2d80d45a60")]
)
def test_opponents_that_search_play_as_they_played(name: str, rounds: int, expected: str) -> None:
    """Those of the tasks of `sunglade evaluate` that search a fixed number of simulations: short games."""

    def lines() -> Iterable[bytes]:
        game = Game(2, {"rounds": rounds}, seed=3)
        players = [bots.make(name, seed=seat) for seat in range(2)]
        while not game.over:
            line = players[game.player or 0].act(game.redacted(), 10_000_000)
            game.play(line)
            yield f"{line}\n".encode()

    assert fingerprint(lines()) == expected
