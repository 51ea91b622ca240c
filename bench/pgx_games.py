"""Pgx's games on the machine that `bench/training.py` measures, for the same two columns: environment alone, training.

    python bench/pgx_games.py                    needs JAX and Pgx (a folder `vendor` in the repository is looked into)

Environment: random legal actions, finished games begun anew, observations and masks made in every step, as for ours.
Training: PPO with a network as wide and deep as that of `examples/ppo.py` and as large a batch, one pass over what was
played, in one compiled JAX function, bfloat16. What a step costs depends on the game: the columns say how far the
libraries are from each other, not which game is better.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "vendor")]

GAMES = ("connect_four", "backgammon", "othello", "go_9x9", "chess")
WIDTH = 512
BLOCKS = 2
SECONDS = 4
NEVER = -1e9
CLIP = 0.2
TRACE = 0.95

Found = dict[str, Any]


def rate(work: Callable[[Any], Any], state: Any, steps: int) -> int:
    """Steps a second of work that does so many and hands on its state."""
    import jax

    state = jax.block_until_ready(work(state))
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS or not done:
        state = jax.block_until_ready(work(state))
        done += steps
    return round(done / (time.perf_counter() - began))


def stepper(env: Any) -> Callable[..., Any]:
    """A step of many games; one that is over begins anew."""
    import jax
    from pgx.experimental.wrappers import auto_reset

    step: Callable[..., Any] = jax.vmap(auto_reset(env.step, env.init))
    return step


def environment(name: str, games: int, steps: int) -> int:
    """Random play."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(name)
    step = stepper(env)

    def once(carried: Any, _: Any) -> Any:
        state, key, seen = carried
        key, drawing, resetting = jax.random.split(key, 3)
        action = jnp.where(
            state.legal_action_mask, jax.random.uniform(drawing, state.legal_action_mask.shape), -1
        ).argmax(1)
        state = step(state, action, jax.random.split(resetting, games))
        seen = seen + state.observation.sum(tuple(range(1, state.observation.ndim)))  # so that it is really made
        return (state, key, seen), None

    play = jax.jit(lambda carried: jax.lax.scan(once, carried, None, steps)[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    return rate(play, (state, jax.random.PRNGKey(1), jnp.zeros(games)), games * steps)


def training(name: str, games: int, steps: int, minibatches: int) -> int:
    """Self-play with PPO, everything in one compiled function."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(name)
    step = stepper(env)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    inputs, actions = state.observation.reshape(games, -1).shape[1], state.legal_action_mask.shape[1]
    weights = first_weights(jax.random.PRNGKey(2), inputs, actions)
    moments = jax.tree_util.tree_map(jnp.zeros_like, weights)

    def once(carried: Any, _: Any) -> Any:
        weights, state, key = carried
        key, drawing, resetting = jax.random.split(key, 3)
        seen, legal = state.observation.reshape(games, -1), state.legal_action_mask
        log_all, value = answer(weights, seen, legal)
        action = jax.random.categorical(drawing, log_all)
        chosen = jnp.take_along_axis(log_all, action[:, None], 1)[:, 0]
        player = state.current_player
        state = step(state, action, jax.random.split(resetting, games))
        reward = jnp.take_along_axis(state.rewards, player[:, None], 1)[:, 0]
        turned = jnp.where(state.current_player == player, 1.0, -1.0)
        return (weights, state, key), (
            seen.astype(jnp.bfloat16),
            legal,
            action,
            chosen,
            value,
            reward,
            state.terminated,
            turned,
        )

    def round_of_learning(carried: Any) -> Any:
        weights, first, second, count, state, key = carried
        (_, state, key), played = jax.lax.scan(once, (weights, state, key), None, steps)
        seen, legal, action, chosen, value, reward, over, turned = played
        last = answer(weights, state.observation.reshape(games, -1), state.legal_action_mask)[1]
        after = jnp.concatenate([value[1:], last[None]])

        def back(following: Any, at: Any) -> Any:
            reward, over, value, after, turned = at
            going = (1.0 - over) * turned
            found = reward + going * after - value + TRACE * going * following
            return found, found

        _, gained = jax.lax.scan(back, jnp.zeros(games), (reward, over, value, after, turned), reverse=True)
        target = gained + value
        gained = (gained - gained.mean()) / (gained.std() + 1e-8)
        parts = jax.tree_util.tree_map(
            lambda a: (
                a.reshape(steps, minibatches, games // minibatches, *a.shape[2:])
                .swapaxes(0, 1)
                .reshape(minibatches, -1, *a.shape[2:])
            ),
            (seen, legal, action, chosen, gained, target),
        )

        def learn(carried: Any, part: Any) -> Any:
            weights, first, second, count = carried
            slope = jax.grad(loss)(weights, *part)
            return adam(weights, first, second, count, slope), None

        learned, _ = jax.lax.scan(learn, (weights, first, second, count), parts)
        return (*learned, state, key)

    begin = (weights, moments, moments, jnp.zeros(()), state, jax.random.PRNGKey(3))
    return rate(jax.jit(round_of_learning), begin, games * steps)


def first_weights(key: Any, inputs: int, actions: int) -> list[Any]:
    """Matrices with their biases: first layer, blocks, policy, value."""
    import jax
    import jax.numpy as jnp

    shapes = [(inputs, WIDTH), *[(WIDTH, WIDTH)] * BLOCKS, (WIDTH, actions), (WIDTH, 1)]
    return [
        (jax.random.normal(part, shape) * (2 / shape[0]) ** 0.5, jnp.zeros(shape[1]))
        for part, shape in zip(jax.random.split(key, len(shapes)), shapes, strict=True)
    ]


def answer(weights: list[Any], seen: Any, legal: Any) -> tuple[Any, Any]:
    """Logarithms of the actions' chances, and the value to who acts."""
    import jax
    import jax.numpy as jnp

    def layer(x: Any, at: Any) -> Any:
        return x.astype(jnp.bfloat16) @ at[0].astype(jnp.bfloat16) + at[1].astype(jnp.bfloat16)

    def normed(x: Any) -> Any:
        x = x.astype(jnp.float32)
        x = x - x.mean(1, keepdims=True)
        return x * jax.lax.rsqrt((x * x).mean(1, keepdims=True) + 1e-5)

    first, *blocks, policy, value = weights
    x = jax.nn.relu(layer(seen, first))
    for block in blocks:
        x = x + jax.nn.relu(layer(normed(x), block))
    x = normed(x)
    logits = jnp.where(legal, layer(x, policy).astype(jnp.float32), NEVER)
    return jax.nn.log_softmax(logits), (x @ value[0] + value[1])[:, 0]


def loss(weights: Any, seen: Any, legal: Any, action: Any, old: Any, gained: Any, target: Any) -> Any:
    """PPO's."""
    import jax.numpy as jnp

    log_all, value = answer(weights, seen, legal)
    ratio = jnp.exp(jnp.take_along_axis(log_all, action[:, None], 1)[:, 0] - old)
    policy = -jnp.minimum(ratio * gained, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gained).mean()
    entropy = -(jnp.exp(log_all) * log_all).sum(1).mean()
    return policy + ((value - target) ** 2).mean() - 0.01 * entropy


def adam(weights: Any, first: Any, second: Any, count: Any, slope: Any) -> Any:
    """A step of Adam."""
    import jax

    each = jax.tree_util.tree_map
    count = count + 1
    first = each(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
    second = each(lambda v, g: 0.999 * v + 0.001 * g * g, second, slope)
    scale = 7e-4 * (1 - 0.999**count) ** 0.5 / (1 - 0.9**count)
    return each(lambda w, m, v: w - scale * m / (v**0.5 + 1e-5), weights, first, second), first, second, count


def main() -> int:
    """Every game, both columns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=65_536)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--minibatches", type=int, default=32)
    parser.add_argument("--limit", type=float, default=240.0, help="begin nothing after so many seconds")
    parser.add_argument("--only", nargs="*", default=list(GAMES))
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    began, found = time.monotonic(), {}
    for name in chosen.only:
        row: Found = {}
        works = {
            "environment": partial(environment, name, chosen.games, chosen.steps),
            "training": partial(training, name, chosen.games, chosen.steps, chosen.minibatches),
        }
        for column, work in works.items():
            if time.monotonic() - began > chosen.limit:
                row[column] = "no time"
                continue
            try:
                row[column] = work()
            except Exception as error:  # one that fails, for want of memory perhaps, costs no other
                row[column] = f"failed: {error!r}"[:200]
        found[name] = row
        print(name, json.dumps(row), flush=True)
    print("\n| Pgx | environment, steps/s | training |\n|---|---|---|")
    for name, row in found.items():
        print(f"| {name} | {row['environment']} | {row['training']} |")
    if chosen.out:
        chosen.out.write_text(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
