"""The PettingZoo environment: PettingZoo's own tests, and what it does with bad input."""

import contextlib
import io
import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test

from sunglade import BadRequest, Game, IllegalAction, Rules
from sunglade.envs import sunglade_v1
from sunglade.rules import EDITIONS, MODULES

pytestmark = [
    pytest.mark.xdist_group("envs"),
    # PettingZoo warns about every observation that is not a bare array, though it asks for masks in a dict.
    pytest.mark.filterwarnings("ignore:Observation"),
]

KINDS: list[dict[str, Any]] = [
    {},
    {"players": 3, "rules": {"modules": list(MODULES)}, "reward": "margin"},
    {"players": 4, "rules": {"edition": "de", "shade_forbids": True}, "reward": "rank"},
]
ILLEGAL = 78


@pytest.mark.parametrize("options", KINDS)
def test_pettingzoo_s_own_tests(options: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(sunglade_v1.env(**options), num_cycles=100)
        api_test(sunglade_v1.raw_env(**options), num_cycles=50)
        seed_test(lambda: sunglade_v1.env(**options), num_cycles=60)


def test_render() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(sunglade_v1.env)
    assert "a1" in printed.getvalue()


def play(env: Any, seed: int) -> tuple[dict[str, float], int]:
    """A random game; the rewards at the end, and the number of actions."""
    choices = random.Random(seed)
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    steps = 0
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        totals[agent] += reward
        assert not truncation
        if termination:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert (mask == info["action_mask"]).all()
        env.step(int(choices.choice(np.flatnonzero(mask).tolist())))
        steps += 1
    return totals, steps


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_a_whole_game_in_every_edition(edition: str) -> None:
    env = sunglade_v1.env(players=3, rules={"edition": edition, "modules": ["moon"]})
    totals, steps = play(env, 1)
    assert steps > 50 and sum(totals.values()) == pytest.approx(0, abs=1e-6) and max(totals.values()) > 0
    game = env.unwrapped.game
    assert game.over and len(game.actions) == steps
    assert [totals[f"player_{seat}"] > 0 for seat in range(3)] == [seat in (game.winners or []) for seat in range(3)]


def test_rules_may_be_given_as_such_and_the_game_can_be_saved() -> None:
    env = sunglade_v1.env(rules=Rules(rounds=3))
    play(env, 4)
    game = env.unwrapped.game
    assert Game.from_json(game.to_json()) == game


def test_others_see_the_position_but_may_do_nothing() -> None:
    env = sunglade_v1.env(players=3)
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].sum() == 18
    for agent in ("player_1", "player_2"):
        assert not env.observe(agent)["action_mask"].any() and env.observe(agent)["observation"].any()


def test_from_any_position() -> None:
    game = Game(2, actions=["place a1", "place g4", "place a3", "place g2", "buy seed"])
    env = sunglade_v1.env()
    for given in (game, game.to_dict(), game.position()):
        env.reset(options={"game": given})
        mask = env.observe("player_0")["action_mask"]
        assert np.flatnonzero(mask).tolist() == sorted(game.legal_numbers)
    finished = Game(2, {"rounds": 1}, actions=["place a1", "place a2", "place a3", "place a4", "end", "end"])
    for wrong in (Game(3), finished, 7, "nonsense", {"players": 9}):
        with pytest.raises(ValueError):  # BadRequest, BadRules
            env.reset(options={"game": wrong})
    with pytest.raises(BadRequest, match="options"):
        env.reset(options=7)
    with pytest.raises(BadRequest, match="determinised"):
        env.reset(options={"game": Game(2, Rules(modules=["moon"])).redacted()})


def test_an_illegal_action_ends_the_game() -> None:
    env = sunglade_v1.env(players=3)
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(ILLEGAL)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    env.reset()
    assert len(env.agents) == 3 and not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 1409, 10**12, 0.5, "end", True, np.array([0])])
def test_not_an_action(action: Any) -> None:
    env, raw = sunglade_v1.env(), sunglade_v1.raw_env()
    env.reset(seed=1)
    raw.reset(seed=1)
    with pytest.raises(AssertionError):
        env.step(action)
    with pytest.raises(IllegalAction):
        raw.step(action)
    assert raw.observe("player_0")["action_mask"].sum() == 18


def test_raw_env_refuses_an_illegal_action_and_goes_on() -> None:
    env = sunglade_v1.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(ILLEGAL)
    env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[0]))
    assert env.agent_selection == "player_1"


def test_a_finished_game_takes_only_none() -> None:
    for env in (sunglade_v1.env(rules={"rounds": 1}), sunglade_v1.raw_env(rules={"rounds": 1})):
        env.reset(seed=1)
        while not env.terminations[env.agent_selection]:
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(np.flatnonzero(mask)[0]))
        with pytest.raises(ValueError, match="None"):
            env.step(0)


def test_before_reset_and_wrong_options() -> None:
    env = sunglade_v1.env()
    with pytest.raises(AttributeError):
        env.agent_selection  # noqa: B018
    for options in (
        {"players": 1},
        {"players": 2.0},
        {"reward": "x"},
        {"render_mode": "x"},
        {"rules": {"edition": "x"}},
    ):
        with pytest.raises(ValueError):  # BadRequest, BadRules
            sunglade_v1.env(**options)


def test_seeds_decide_the_deal() -> None:
    env = sunglade_v1.raw_env(rules={"modules": ["moon"]})

    def hands(seed: int | None) -> str:
        env.reset(seed=seed)
        return str(env.game.to_dict()["deal"])

    first, second = hands(5), hands(None)
    assert first != second
    assert [hands(5), hands(None)] == [first, second]
    assert hands(6) != first
