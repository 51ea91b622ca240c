"""What learners rely on: the same words in every interface, masks that always allow something, advantages by seat."""

from __future__ import annotations

import os
import warnings
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

from sunglade import Rules
from sunglade.envs import BASE_ACTIONS, BatchEnv, SungladeEnv, SungladeVectorEnv, seat_advantages, sunglade_v1
from sunglade.envs.observation import BASE, SCALE, SIZE, STATE_SIZE, base_mask, base_observation
from sunglade.envs.registration import ENV_ID
from sunglade.errors import BadRequest

SHORT = {"rounds": 2}
FACTS = {"action_mask", "seat", "rewards"}


def random_actions(masks: Any) -> Any:
    return (np.random.default_rng(int(masks.sum())).random(masks.shape) * masks).argmax(axis=-1)


# Seats


def test_without_a_seat_one_is_drawn_for_each_game_in_every_interface() -> None:
    batch = BatchEnv(64, players=3, rules=SHORT, opponents="random", seed=2)
    vector = SungladeVectorEnv(64, players=3, rules=SHORT, seat=None)
    single = SungladeEnv(players=3, rules=SHORT, seat=None)
    seen = [set(batch.seats.tolist()), set(vector.reset(seed=2)[1]["seat"].tolist())]
    seen.append({single.reset(seed=seed)[1]["seat"] for seed in range(40)})
    assert seen == [{0, 1, 2}] * 3
    before, drawn = batch.seats, 0
    for _ in range(60):
        _, done = batch.step(batch.random_actions())
        assert (batch.player == batch.seats).all()
        assert (batch.seats == before)[~done].all()
        drawn += int((batch.seats != before).sum())
        before = batch.seats
    assert drawn > 20


def test_self_play_is_asked_for_by_its_own_name_and_plays_every_seat() -> None:
    for env in (SungladeEnv(rules=SHORT, self_play=True), gymnasium.make(ENV_ID, rules=SHORT, self_play=True)):
        _, info = env.reset(seed=1)
        seats, over = set(), False
        while not over:
            acted = info["seat"]
            seats.add(acted)
            _, reward, over, _, info = env.step(random_actions(info["action_mask"]))
            assert reward == info["rewards"][acted]
        assert seats == {0, 1} and info["rewards"].sum() == pytest.approx(0) and info["rewards"].any()


def test_a_seat_without_opponents_is_refused() -> None:
    with pytest.raises(BadRequest, match="opponents"):
        BatchEnv(4, seat=1)
    with pytest.raises(BadRequest, match="nobody"):
        BatchEnv(4, opponents="nobody")
    with pytest.raises(BadRequest, match="from 0 to 1"):
        BatchEnv(4, opponents="random", seat=2)


def test_drawn_seats_are_saved_with_the_rest() -> None:
    env = BatchEnv(16, opponents="random", rules=SHORT, seed=4)
    saved = env.save()
    seats = env.seats
    for _ in range(40):
        env.step(env.random_actions())
    env.restore(saved)
    assert (env.seats == seats).all()
    for other in (BatchEnv(16, rules=SHORT), BatchEnv(16, rules=SHORT, opponents="random", seat=1)):
        with pytest.raises(BadRequest, match="same opponents"):
            other.restore(saved)


# Vectors


@pytest.mark.parametrize("self_play", [False, True])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_every_way_to_make_a_vector_tells_the_same_facts(mode: AutoresetMode, self_play: bool) -> None:
    told = []
    for way in ("sync", "async", "vector_entry_point"):
        more: dict[str, Any] = {"autoreset_mode": mode}
        more = more if way == "vector_entry_point" else {"vector_kwargs": more}
        env = gymnasium.make_vec(ENV_ID, 6, way, rules=SHORT, self_play=self_play, **more)
        _, info = env.reset(seed=5)
        assert set(info) == FACTS | {f"_{name}" for name in FACTS}
        done = np.zeros(6, np.bool_)
        while not done.any():
            assert info["action_mask"].any(axis=1).all()
            _, _, done, _, info = env.step(random_actions(info["action_mask"]))
        assert set(info) >= FACTS
        told.append({name: (np.asarray(fact).shape, np.asarray(fact).dtype) for name, fact in flat(info)})
        env.close()
    assert told[0] == told[1] == told[2]


def flat(info: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The facts of an info, those inside of others too."""
    found = []
    for name, fact in info.items():
        found += flat(fact, f"{prefix}{name}.") if isinstance(fact, dict) else [(prefix + name, fact)]
    return found


def test_a_game_that_begins_anew_in_the_same_step_leaves_its_end_behind() -> None:
    same = SungladeVectorEnv(8, rules=SHORT, self_play=True, autoreset_mode="SAME_STEP")
    never = SungladeVectorEnv(8, rules=SHORT, self_play=True, autoreset_mode=AutoresetMode.DISABLED)
    _, info = same.reset(seed=3)
    never.reset(seed=3)
    done = np.zeros(8, np.bool_)
    while not done.any():
        actions = random_actions(info["action_mask"])
        seen, rewards, done, _, info = same.step(actions)
        ends, paid, over, _, last = never.step(actions)
        assert (rewards == paid).all() and (done == over).all()
    assert (info["_final_obs"] == done).all()
    for game in np.flatnonzero(done):
        assert (info["final_obs"][game] == ends[game]).all() and (seen[game] != ends[game]).any()
        assert (info["final_info"]["rewards"][game] == last["rewards"][game]).all()
        assert info["action_mask"][game].sum() == 18
    with pytest.raises(ResetNeeded, match="reset_mask"):
        never.step(random_actions(never.action_masks()))
    never.reset(options={"reset_mask": done})
    never.step(random_actions(never.action_masks()))


def test_another_mode_of_beginning_anew_is_refused() -> None:
    with pytest.raises(BadRequest, match="NEXT_STEP, SAME_STEP, DISABLED"):
        SungladeVectorEnv(2, autoreset_mode="never")


# Threads


def test_few_games_get_no_more_threads_than_bring_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 64 games two threads made half the steps of one."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)), raising=False)
    threads = {n: BatchEnv(n, observe=False).threads for n in (1, 64, 256, 1024, 8192)}
    assert threads == {1: 1, 64: 1, 256: 1, 1024: 4, 8192: 16}
    assert SungladeVectorEnv(64).batch.threads == 1
    assert BatchEnv(64, threads=2).threads == 2, "who asks for threads has them"


# Masks and arrays


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_a_finished_row_allows_action_0_so_that_softmax_has_something_to_choose(mode: str) -> None:
    env = BatchEnv(8, rules=SHORT, seed=1, auto_reset=mode)
    ended = 0
    for _ in range(80):
        logits = np.where(env.masks == 1, 0.0, -np.inf)
        with np.errstate(all="raise"):
            odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        assert np.isfinite(odds).all() and (odds.sum(axis=1) >= 1).all()
        _, done = env.step(odds.argmax(axis=1))
        assert (env.masks[done].sum(axis=1) == 1).all() and env.masks[done, 0].all()
        ended += int(done.sum())
    assert ended


def test_torch_would_take_every_array_without_a_warning() -> None:
    """PyTorch warns of arrays that cannot be written to, and refuses negative strides."""
    batch, vector, aec, single = BatchEnv(4), SungladeVectorEnv(4), sunglade_v1.env(), SungladeEnv()
    seen, info = vector.reset(seed=1)
    aec.reset(seed=1)
    alone, told = single.reset(seed=1)
    agents = [aec.observe(agent) for agent in aec.agents] + list(aec.infos.values())
    arrays: list[Any] = [batch.observations, batch.planes, batch.table, batch.masks, batch.player, batch.seats]
    arrays += [batch.seeds, *batch.outcome, batch.states(), aec.state(), seen, *info.values()]
    arrays += [alone, told["action_mask"], told["rewards"], single.action_masks(), vector.action_masks()]
    arrays += [single.step(int(told["action_mask"].argmax()))[0], *vector.step(random_actions(info["action_mask"]))[:4]]
    arrays.append(batch.random_actions())
    arrays += [array for told in agents for array in told.values()]
    for array in arrays:
        assert array.flags.writeable and all(stride >= 0 for stride in array.strides)


def test_the_state_is_the_position_and_who_acts() -> None:
    env = sunglade_v1.env(players=3)
    env.reset(seed=1)
    batch = BatchEnv(5, players=3, seed=1)
    for _ in range(30):
        assert env.state_space.contains(env.state())
        seat = int(env.agent_selection[-1])
        assert env.state()[SIZE:].tolist() == [int(seat == other) for other in range(4)]
        assert (env.state()[:SIZE] == env.observe("player_0")["observation"]).all()
        env.step(random_actions(env.infos[env.agent_selection]["action_mask"]))
        batch.step(batch.random_actions())
        assert batch.states().shape == (5, STATE_SIZE)
        mine = batch.player == 0
        assert (batch.states()[mine, :SIZE] == batch.observations[mine]).all()
        assert (batch.states()[:, SIZE:].argmax(axis=1) == batch.player).all()


def test_scaled_observations_stay_near_one_and_the_base_game_needs_no_more_than_its_part() -> None:
    env = BatchEnv(64, players=4, seed=2)
    for _ in range(60):
        env.play_random(7)
        scaled = env.observations * SCALE
        assert scaled.min() >= 0 and np.quantile(scaled, 0.9999) <= 1.5
        assert not np.delete(env.observations, BASE, axis=1).any() and not env.masks[:, BASE_ACTIONS:].any()
        assert base_observation(env.observations).shape == (64, len(BASE))
        assert (base_mask(env.masks).sum(axis=1) == env.masks.sum(axis=1)).all()


# Advantages


def test_without_discount_and_with_lambda_1_every_action_is_credited_with_what_its_seat_was_paid() -> None:
    env = BatchEnv(10, players=3, rules=Rules(rounds=3), seed=4)
    rewards, player, done, starts = [], [], [], []
    for _ in range(300):
        player.append(env.player.copy())
        outcome = env.step(env.random_actions())
        rewards.append(outcome.rewards.copy())
        done.append(outcome.done.copy())
    values = np.random.default_rng(1).random((300, 10))
    found = seat_advantages(rewards, values, player, done, np.zeros((10, 3)), lam=1.0) + values
    ended = 0
    for game in range(10):
        starts = [0, *(np.flatnonzero(np.array(done)[:, game]) + 1)]
        for first, after in pairwise(starts):
            ended += 1
            for step in range(first, after):
                assert found[step, game] == pytest.approx(rewards[after - 1][game, player[step][game]], abs=1e-5)
    assert ended >= 20


@given(seed=st.integers(0, 1000), gamma=st.floats(0.5, 1), lam=st.floats(0, 1), players=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_advantages_are_those_of_each_seat_followed_by_itself(
    seed: int, gamma: float, lam: float, players: int
) -> None:
    """Compared with the textbook's sum, seat by seat and game by game."""
    draw = np.random.default_rng(seed)
    steps = 12
    rewards, values = draw.normal(size=(steps, 1, players)), draw.normal(size=(steps, 1))
    player, last = draw.integers(players, size=(steps, 1)), draw.normal(size=(1, players))
    done = draw.random((steps, 1)) < 0.2
    found = seat_advantages(rewards, values, player, done, last, gamma=gamma, lam=lam)
    for seat in range(players):
        own = [step for step in range(steps) if player[step, 0] == seat]
        for at, step in enumerate(own):
            expected, weight = 0.0, 1.0
            for here, following in zip(own[at:], [*own[at + 1 :], steps], strict=True):
                until = next((end for end in range(here, following) if done[end, 0]), None)
                paid = rewards[here : following if until is None else until + 1, 0, seat].sum()
                after = 0.0 if until is not None else (last[0, seat] if following == steps else values[following, 0])
                expected += weight * (paid + gamma * after - values[here, 0])
                weight *= gamma * lam
                if until is not None:
                    break
            assert found[step, 0] == pytest.approx(expected, abs=1e-4)


def test_arrays_of_other_shapes_are_refused() -> None:
    with pytest.raises(BadRequest, match="steps, n, players"):
        seat_advantages(np.zeros((5, 2, 2)), np.zeros((5, 2)), np.zeros((5, 2)), np.zeros((5, 3)), np.zeros((2, 2)))


def test_openspiel_s_tensor_is_an_array_that_costs_no_list() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import sunglade.envs.openspiel  # noqa: F401

    state = pyspiel.load_game("python_sunglade(players=3)").new_initial_state()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(state.observation_tensor(), np.ndarray)
        assert (state.observation_tensor() == state.observation_tensor(0)).all()
    with pytest.raises(BadRequest, match="from 0 to 2"):
        state.observation_tensor(3)
