"""What `JaxEnv` promises, where JAX is: test_bridges.py runs this, and it prints "same" if all of it holds."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from sunglade import Game, Rules, kernel
from sunglade.envs import BatchEnv, JaxEnv
from sunglade.rules import MODULES

N = 24
KINDS = [
    (2, Rules(rounds=3), "win"),
    (3, Rules(rounds=2, edition="de"), "margin"),
    (4, Rules(rounds=2, modules=MODULES), "rank"),
]


def seeds_of(state: jax.Array) -> list[int]:
    return [int(low) | int(high) << 32 for low, high in np.asarray(state)]


def plays_what_a_batch_plays(players: int, rules: Rules, reward: str) -> None:
    """From the same deals, by the same actions, to the end: everything that is seen is the same."""
    env = JaxEnv(players=players, rules=rules, reward=reward, auto_reset=False)
    batch = BatchEnv(N, players=players, rules=rules, reward=reward, auto_reset="disabled")
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(players), N))
    for place, seed in enumerate(seeds_of(state.seed)):
        batch.set_game(place, Game(players, rules, seed=seed))
    step = jax.jit(jax.vmap(env.step))
    paid = np.zeros((N, players))
    while not batch.outcome.done.all():
        assert (np.asarray(state.observation) == batch.observations).all()
        assert (np.asarray(state.mask) == (batch.masks == 1)).all()
        assert (np.asarray(state.player) == batch.player).all()
        actions = batch.random_actions()
        state, (rewards, done) = step(state, jnp.asarray(actions)), batch.step(actions)
        assert (np.asarray(state.rewards) == rewards).all() and (np.asarray(state.done) == done).all()
        assert not np.asarray(state.illegal).any()
        assert bytes(np.asarray(state.record)) == batch.records.tobytes()
        paid += rewards
    assert np.abs(paid).max() > 0 and np.asarray(state.mask)[:, 0].all()
    assert (np.asarray(state.mask).sum(axis=1) == 1).all(), "a game that is over allows action 0 alone"


def begins_anew_with_the_deal_of_its_seed(players: int, rules: Rules) -> None:
    """Within one compiled loop, without Python in between."""
    env = JaxEnv(players=players, rules=rules)

    def act(state, key):  # type: ignore[no-untyped-def]
        weights = jax.random.uniform(key, state.mask.shape)
        return (after := jax.vmap(env.step)(state, jnp.where(state.mask, weights, -1).argmax(axis=1))), after.done

    begun = jax.vmap(env.init)(jax.random.split(jax.random.key(1), N))
    run = jax.jit(lambda state: jax.lax.scan(act, state, jax.random.split(jax.random.key(2), 150)))
    state, done = run(begun)
    again, _ = run(begun)
    assert int(done.sum()) > N and not bool(state.illegal.any())
    assert all(bool((one == other).all()) for one, other in zip(state, again, strict=True)), (
        "the same keys, the same games"
    )
    first = JaxEnv(players=players, rules=rules, auto_reset=True)
    while not bool(state.done.any()):
        state = jax.vmap(first.step)(state, state.mask.argmax(axis=1))
    (place, *_) = np.flatnonzero(np.asarray(state.done))
    expected = Game(players, rules, seed=seeds_of(state.seed)[place])
    assert bytes(np.asarray(state.record[place])) == bytes(expected.now)


def leaves_a_game_alone_when_its_action_is_not_legal() -> None:
    env = JaxEnv(players=2)
    state = env.init(jax.random.key(3))
    for action in (0, -1, 1408, 10**6):
        after = env.step(state, action)
        assert bool(after.illegal) and not bool(after.done) and bool((after.record == state.record).all())
    assert not bool(env.step(state, int(state.mask.argmax())).illegal)


def maps_over_several_dimensions() -> None:
    env = JaxEnv(players=3)
    keys = jax.random.split(jax.random.key(4), (2, 3))
    state = jax.vmap(jax.vmap(env.init))(keys)
    assert state.observation.shape == (2, 3, 2832) and state.record.shape == (2, 3, kernel.Record.size)
    after = jax.vmap(jax.vmap(env.step))(state, state.mask.argmax(axis=-1))
    assert after.rewards.shape == (2, 3, 3) and not bool(after.illegal.any())


if __name__ == "__main__":
    for kind in KINDS:
        plays_what_a_batch_plays(*kind)
        begins_anew_with_the_deal_of_its_seed(*kind[:2])
    leaves_a_game_alone_when_its_action_is_not_legal()
    maps_over_several_dimensions()
    print("same")
