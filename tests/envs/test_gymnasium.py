"""The Gymnasium environments: Gymnasium's own checker, bots, saving, vectors, and bad input."""

import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import sunglade.envs
from sunglade import BadRequest, Game, IllegalAction, Rules
from sunglade.envs import SungladeEnv, SungladeVectorEnv
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import MODULES

pytestmark = pytest.mark.xdist_group("envs")

ENV_ID = "sunglade/Sunglade-v1"
ILLEGAL = 78
KINDS: list[dict[str, Any]] = [
    {},
    {"players": 3, "bots": ["random", "greedy"], "seat": None, "rules": {"modules": list(MODULES), "rounds": 3}},
    {"players": 4, "seat": 3, "reward": "rank", "render_mode": "rgb_array"},
    {"reward": "margin", "render_mode": "ansi"},
]


@pytest.mark.parametrize("options", KINDS)
def test_gymnasium_s_own_checker(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(ENV_ID, **options).unwrapped, skip_render_check=True)


def play(env: Any, info: dict[str, Any], seed: int) -> tuple[float, list[bytes]]:
    """Random actions to the end; the reward there, and all that was seen."""
    choices, seen, over, reward = np.random.default_rng(seed), [], False, 0.0
    while not over:
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        observation, reward, over, truncated, info = env.step(choices.choice(np.flatnonzero(info["action_mask"])))
        assert not truncated and (over or reward == 0)
        seen.append(observation.tobytes())
    return reward, seen


@pytest.mark.parametrize("options", KINDS)
def test_a_whole_game_against_bots(options: dict[str, Any]) -> None:
    env = gymnasium.make(ENV_ID, **options)
    _, info = env.reset(seed=3)
    reward, _ = play(env, info, 3)
    unwrapped: Any = env.unwrapped
    game = unwrapped.game
    assert game.over and -5 < reward < 5
    if options.get("reward", "win") == "win":
        assert (reward > 0) == (info["seat"] in (game.winners or []))


def test_the_same_seed_brings_the_same_game() -> None:
    def played(seed: int) -> list[bytes]:
        env = gymnasium.make(ENV_ID, players=3, seat=None, rules={"modules": ["moon"]})
        observation, info = env.reset(seed=seed)
        return [observation.tobytes(), *play(env, info, 1)[1]]

    assert played(1) == played(1) and played(1) != played(2)


def test_seats_are_drawn() -> None:
    env = SungladeEnv(players=3, seat=None)
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2}


def test_bots_sit_in_turn_order_after_the_learner() -> None:
    class Noted:
        def __init__(self) -> None:
            self.seats: set[int | None] = set()

        def act(self, game: Game, ms: int) -> str:
            self.seats.add(game.player)
            return game.legal[0]

    first, second = Noted(), Noted()
    env = SungladeEnv(players=3, bots=[first, second], seat=1, rules={"rounds": 2})
    _, info = env.reset(seed=1)
    play(env, info, 1)
    assert (first.seats, second.seats) == ({2}, {0})


def test_bots_do_not_see_under_babies() -> None:
    class Nosy:
        known: list[Any] = []  # noqa: RUF012

        def act(self, game: Game, ms: int) -> str:
            self.known += game.to_dict()["deal"]["babies"]
            return game.legal[-1]

    env = SungladeEnv(bots=Nosy(), rules={"modules": ["moon"], "rounds": 1})
    _, info = env.reset(seed=1)
    play(env, info, 1)
    assert Nosy.known and set(Nosy.known) == {None}


def test_a_bot_that_breaks_the_rules_is_an_error() -> None:
    class Wrong:
        def act(self, game: Game, ms: int) -> str:
            return "collect d4"

    with pytest.raises(BadRequest, match="seat 0"):
        SungladeEnv(bots=Wrong(), seat=1).reset(seed=1)


def test_from_any_position() -> None:
    game = Game(2, actions=["place a1", "place g4", "place a3", "place g2", "buy seed"])
    env = SungladeEnv()
    for given in (game, game.to_dict(), game.position()):
        _, info = env.reset(options={"game": given})
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(game.legal_numbers)
        assert env.game == game
    env.step(ACTION_NUMBERS["end"])
    assert len(game.actions) == 5  # the game that was given stays as it was
    for wrong in (Game(3), 7, "nonsense", {"players": 9}):
        with pytest.raises(ValueError):  # BadRequest, BadRules
            env.reset(options={"game": wrong})
    with pytest.raises(BadRequest, match="options"):
        env.reset(options=7)  # type: ignore[arg-type]


def test_save_and_restore() -> None:
    env = SungladeEnv(players=3, bots=["greedy", "random"], rules={"modules": list(MODULES), "rounds": 4})
    _, info = env.reset(seed=5)
    for _ in range(10):
        _, _, _, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
    saved = pickle.loads(pickle.dumps(env.save()))
    first = play(env, info, 7), env.reset()[0].tobytes()
    _, info = env.restore(saved)
    assert (play(env, info, 7), env.reset()[0].tobytes()) == first
    other = SungladeEnv(players=3, bots=["greedy", "random"], rules={"modules": list(MODULES), "rounds": 4})
    _, info = other.restore(saved)
    assert (play(other, info, 7), other.reset()[0].tobytes()) == first
    with pytest.raises(BadRequest):
        SungladeEnv(players=2).restore(saved)
    with pytest.raises(BadRequest, match="save"):
        env.restore({"seat": 0})  # type: ignore[arg-type]


@pytest.mark.parametrize("bot", ["search:nodes=20,threads=2", "oak", "neural:nodes=8", "elder:nodes=8"])
def test_bots_that_search_are_saved_with_all_they_know(bot: str) -> None:
    env = SungladeEnv(players=2, bots=bot, rules={"rounds": 2})
    _, info = env.reset(seed=5)
    for _ in range(6):
        _, _, _, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
    saved = env.save()
    again = pickle.loads(pickle.dumps(saved))
    first = play(env, info, 7)
    for kept in (saved, again):
        _, info = env.restore(kept)
        assert play(env, info, 7) == first


def test_render_modes() -> None:
    pictures: dict[str, Any] = {}
    for mode in ("ansi", "rgb_array", "human"):
        env = gymnasium.make(ENV_ID, render_mode=mode)
        env.reset(seed=1)
        pictures[mode] = env.render()
    assert "a1" in pictures["ansi"] and pictures["human"] is None
    assert pictures["rgb_array"].dtype == np.uint8 and pictures["rgb_array"].shape == (400, 420, 3)


def test_an_illegal_action_loses_the_game() -> None:
    env = SungladeEnv()
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(ILLEGAL)
    assert (reward, terminated, truncated) == (-1.0, True, False) and "collect g4" in info["illegal_action"]
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert not env.step(np.flatnonzero(env.action_masks())[0])[2]


@pytest.mark.parametrize("action", [-1, 1409, 10**12, 0.5, "end", True, None, np.array([0])])
def test_not_an_action(action: Any) -> None:
    env = SungladeEnv()
    env.reset(seed=1)
    with pytest.raises(InvalidAction):
        env.step(action)
    assert env.action_masks().sum() == 18


@pytest.mark.parametrize("kind", [int, np.int64, np.uint16, np.array])
def test_any_whole_number_will_do(kind: Any) -> None:
    env = SungladeEnv()
    env.reset(seed=1)
    _, _, terminated, _, _ = env.step(kind(int(np.flatnonzero(env.action_masks())[3])))
    assert not terminated


def test_bots_in_a_vector_of_processes_own_games() -> None:
    env = gymnasium.make_vec(ENV_ID, num_envs=2, vectorization_mode="sync", bots="greedy", rules={"rounds": 1})
    _, info = env.reset(seed=1)
    _, _, terminated, _, _ = env.step(info["action_mask"].argmax(axis=1))
    assert not terminated.any()


def test_out_of_order() -> None:
    env = SungladeEnv(rules={"rounds": 1})
    for call in (lambda: env.step(0), env.render, env.save, lambda: env.game):
        with pytest.raises(ResetNeeded):
            call()
    _, info = env.reset(seed=1)
    play(env, info, 1)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 5}, {"players": "2"}, {"bots": "nobody"}, {"bots": ["random", "random"]}, {"bots": []}, {"seat": 2},
        {"seat": "me"}, {"reward": "points"}, {"render_mode": "x"}, {"rules": {"moon": True}},
    ],
)  # fmt: skip
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # BadRequest, BadRules
        SungladeEnv(**options)


# Vectors


def test_a_vector_of_games() -> None:
    env = gymnasium.make_vec(ENV_ID, num_envs=16, vectorization_mode="vector_entry_point", players=3, seat=1, threads=2)
    choices = np.random.default_rng(1)
    observations, info = env.reset(seed=4)
    ended, total, terminated = 0, 0.0, np.zeros(16, np.bool_)
    for _ in range(250):
        over = terminated
        actions = (choices.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert env.observation_space.contains(observations) and env.action_space.contains(actions)
        assert not truncated.any() and not (terminated & over).any() and not rewards[~terminated].any()
        assert (info["seat"] == 1).all()
        ended, total = ended + int(terminated.sum()), total + rewards.sum()
    assert ended >= 16 and abs(total) < 0.75 * ended  # the learner is as weak as the others
    env.close()


def test_self_play_in_a_vector() -> None:
    env = SungladeVectorEnv(8, self_play=True, rules={"rounds": 2})
    _, info = env.reset(seed=1)
    seats = set()
    for _ in range(80):
        actor = info["seat"]
        seats |= set(actor.tolist())
        actions = env.batch.random_actions()
        _, rewards, _, _, info = env.step(actions)
        assert (rewards == info["rewards"][np.arange(8), actor]).all()
    assert seats == {0, 1}


def test_bad_input_to_a_vector() -> None:
    env = SungladeVectorEnv(4)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(4, np.int64))
    with pytest.raises(BadRequest, match="greed"):
        gymnasium.make_vec(ENV_ID, num_envs=2, bots="greed")
    env.reset(seed=[3, None, None, None])
    with pytest.raises(IllegalAction):
        env.step(np.full(4, ILLEGAL))
    with pytest.raises(BadRequest):
        env.step(np.zeros(5, np.int64))
    _, info = env.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert (info["action_mask"].sum(axis=1) == 18).all()


# Imports


def test_importing_the_package_registers_and_loads_no_learning_library() -> None:
    code = (
        "import sys, sunglade.envs\n"
        "from sunglade.envs import BatchEnv\n"
        "import sunglade.envs.observation\n"
        "assert not {'torch', 'jax', 'ray', 'pettingzoo', 'pyspiel'} & set(sys.modules), 'too much'\n"
        "import gymnasium\n"
        f"assert {ENV_ID!r} in gymnasium.registry\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_libraries_a_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
        "import sunglade.envs\n"
        "for name in ('sunglade_v1', 'SungladeEnv', 'SungladeVectorEnv'):\n"
        "    try: getattr(sunglade.envs, name)\n"
        "    except ModuleNotFoundError as missing: assert \"pip install 'sunglade[envs]'\" in str(missing); continue\n"
        "    raise AssertionError(name)\n"
        "assert sunglade.envs.BatchEnv"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_names_of_the_package() -> None:
    for name in sunglade.envs.__all__:
        assert getattr(sunglade.envs, name) is not None
    with pytest.raises(AttributeError):
        sunglade.envs.nothing  # noqa: B018


def test_rules_reach_the_game() -> None:
    env = SungladeEnv(rules=Rules(edition="it"))
    env.reset(seed=1)
    assert env.game.rules == Rules(edition="it")
