"""Opponents of a batch: whoever is asked, they act exactly when it is their turn, and the learner sees only its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sunglade import bots
from sunglade.envs import BatchEnv, SungladeVectorEnv
from sunglade.envs.opponents import NetworkOpponents
from sunglade.errors import BadRequest, IllegalAction
from sunglade.kernel.record import OVER
from sunglade.notation import ACTION_NAMES

pytestmark = pytest.mark.xdist_group("envs")
SHORT = {"rounds": 2}


def first_legal(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def last_legal(observations: Any, masks: Any) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def results(env: BatchEnv, acting: Any) -> list[list[float]]:
    """What each game pays in the end, all games played once."""
    paid = np.zeros((env.n, env.players), np.float32)
    while not env.outcome.done.all():
        rewards, _ = env.step(acting(env))
        paid += rewards
    found: list[list[float]] = np.round(paid, 4).tolist()
    return found


def test_asked_opponents_play_the_game_that_somebody_would_play_for_all() -> None:
    for players in (2, 3, 4):
        options: dict[str, Any] = {"players": players, "rules": SHORT, "reward": "margin", "auto_reset": "disabled"}
        for seat in range(players):
            alone = BatchEnv(3, opponents=last_legal, seat=seat, **options)
            found = results(alone, lambda env: first_legal(env.observations, env.masks))
            everybody = BatchEnv(3, **options)

            def both(env: BatchEnv, seat: int = seat) -> Any:
                choices = first_legal(None, env.masks), last_legal(None, env.masks)
                return np.where(env.player == seat, *choices)

            assert found == results(everybody, both) and any(map(any, found))


@pytest.mark.parametrize("auto_reset", ["same_step", "next_step", "disabled"])
def test_it_is_always_the_learners_turn_and_every_game_pays_once(auto_reset: str) -> None:
    env = BatchEnv(24, players=3, rules=SHORT, opponents=last_legal, auto_reset=auto_reset, seed=4)
    asked = BatchEnv(24, players=3, rules=SHORT, opponents="random", auto_reset=auto_reset, seed=4)
    assert (env.seats == asked.seats).all()
    ended = 0
    for _ in range(150):
        over = env.records["phase"] == OVER
        assert (env.player == env.seats)[~over].all()
        before = env.outcome.done.copy()
        rewards, done = env.step(env.random_actions())
        assert (rewards.any(axis=1) <= done).all() and np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        if auto_reset == "next_step":
            assert not (before & done).any()
        if auto_reset != "disabled":
            ended += int(done.sum())
    assert ended > 24 or (auto_reset == "disabled" and env.outcome.done.all())


def test_the_learner_sees_a_finished_game_from_its_own_seat() -> None:
    env = BatchEnv(16, rules=SHORT, opponents=first_legal, auto_reset="disabled", seed=2)
    random = BatchEnv(16, rules=SHORT, opponents="random", auto_reset="disabled", seed=2)
    while not env.outcome.done.all():
        env.step(env.random_actions())
    for game in range(env.n):
        random.set_game(game, env.game(game))
    assert (env.seats == random.seats).all() and (env.observations == random.observations).all()


def test_the_network_answers_in_batches_as_it_does_one_by_one_and_beats_random_players() -> None:
    env = BatchEnv(70, seed=1)
    env.play_random(40)
    network, games = NetworkOpponents(), np.arange(env.n)
    together = network.choose(env, games)
    assert together.tolist() == [int(network.choose(env, games[game : game + 1])[0]) for game in games]
    assert len(set(together.tolist())) > 5
    env = BatchEnv(8, opponents="network", reward="win", auto_reset="disabled", seed=3)
    paid = results(env, lambda env: env.random_actions())
    assert all(row[seat] == -1 for row, seat in zip(paid, env.seats, strict=True))


def test_the_first_network_refuses_modules_in_a_sentence() -> None:
    with pytest.raises(BadRequest, match="base game only"):
        BatchEnv(2, rules={"modules": ["elder"]}, opponents="network:2026-11", seat=1)


def test_with_modules_a_level_is_asked_and_plays_as_it_plays_anywhere() -> None:
    rules = {"rounds": 3, "modules": ["elder"]}
    env = BatchEnv(2, opponents="birch", seat=1, rules=rules, auto_reset="disabled", seed=9)
    rivals = [bots.make("birch", seed=(9 * 2 + game) * 2) for game in range(2)]
    everybody = BatchEnv(2, rules=rules, auto_reset="disabled", seed=9)
    lines: list[list[str]] = [[], []]
    while not everybody.outcome.done.all():
        actions = first_legal(None, everybody.masks)
        for game in np.flatnonzero((everybody.player == 0) & ~everybody.outcome.done):
            line = rivals[game].act(everybody.game(int(game)).redacted(), 60_000)
            lines[game].append(line)
            actions[game] = ACTION_NAMES.index(line)
        everybody.step(actions)
    results(env, lambda env: first_legal(None, env.masks))
    assert env.records.tobytes() == everybody.records.tobytes() and all(lines)


def test_others_sit_in_turn_order_after_the_learner() -> None:
    seen: list[tuple[str, set[int]]] = []

    def noting(name: str) -> Any:
        def policy(observations: Any, masks: Any) -> Any:
            seen.append((name, set(env.player[(env.player - env.seats) % 3 == (1 if name == "next" else 2)].tolist())))
            return first_legal(observations, masks)

        return policy

    env = BatchEnv(1, players=3, rules=SHORT, opponents=[first_legal, first_legal], seat=1)
    env = BatchEnv(1, players=3, rules=SHORT, opponents=[noting("next"), noting("third")], seat=1)
    for _ in range(10):
        env.step(env.random_actions())
    assert {(name, seat) for name, seats in seen for seat in seats} == {("next", 2), ("third", 0)}


def test_a_gymnasium_vector_takes_them_too() -> None:
    env = SungladeVectorEnv(8, rules=SHORT, bots=last_legal, seat=0)
    _, info = env.reset(seed=5)
    paid = 0
    for _ in range(80):
        _, reward, _, _, info = env.step(
            (np.random.default_rng(1).random((8, 1409)) * info["action_mask"]).argmax(axis=1)
        )
        paid += int((reward != 0).sum())
    assert paid > 8 and (info["seat"] == 0).all()


def test_what_opponents_do_wrong_is_told() -> None:
    with pytest.raises(IllegalAction, match="opponents, game 0: 'end' "):
        BatchEnv(4, opponents=lambda observations, masks: np.zeros(len(masks), np.int64), seat=1)
    with pytest.raises(BadRequest, match="must give 4 whole numbers, not float64"):
        BatchEnv(4, opponents=lambda observations, masks: np.zeros(4), seat=1)
    with pytest.raises(BadRequest, match="2 other seats need as many"):
        BatchEnv(4, players=3, opponents=["maple"])
    with pytest.raises(BadRequest, match="observe"):
        BatchEnv(4, opponents=first_legal, observe=False)
    for wrong in (7, object(), [3]):
        with pytest.raises(BadRequest, match="opponents"):
            BatchEnv(4, opponents=wrong)  # type: ignore[arg-type]
