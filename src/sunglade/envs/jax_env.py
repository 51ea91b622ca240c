"""Games in JAX on the CPU: `init` and `step` are functions that can be compiled, mapped and scanned.

    env = JaxEnv(players=2)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 1024))
    state = jax.jit(jax.vmap(env.step))(state, actions)

XLA calls the kernel by its foreign function interface, so no C++ compiler is needed, and nothing goes through Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from sunglade import encode, kernel
from sunglade.envs import xla_handlers
from sunglade.envs.batch import rules_of
from sunglade.envs.rewards import reward_number
from sunglade.errors import BadRequest
from sunglade.rules import Rules, check_players

BEGIN, STEP = "sunglade_begin", "sunglade_step"
ROW_BY_ROW: Final = "expand_dims"
"""How a call is mapped: once for all games, what they share with one row."""


class State(NamedTuple):
    """A game, or under `vmap` many: what goes from step to step, and what there is to see."""

    record: jax.Array
    """(880,) uint8: the position as the kernel has it."""
    seed: jax.Array
    """(2,) uint32: what this game's deal follows from, the low half first."""
    observation: jax.Array
    """(2832,) uint8: what the player to act sees."""
    mask: jax.Array
    """(1409,) bool: the legal actions; only 0 where the game is over."""
    player: jax.Array
    """() int32: the seat to act."""
    rewards: jax.Array
    """(players,) float32: what the last step paid each seat; not 0 only where it ended the game."""
    done: jax.Array
    """() bool: whether the last step ended the game."""
    illegal: jax.Array
    """() bool: whether its action was not legal, in which case nothing has happened."""


@cache
def _register() -> None:
    """Tell XLA of the functions, once in a process."""
    for name, function in ((BEGIN, xla_handlers.begin), (STEP, xla_handlers.step)):
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(xla_handlers.made(function)), platform="cpu")


class JaxEnv:
    """Games of the same rules and number of players, in self-play: who steps acts for the player to act.

    `reward` is win, margin or rank. With `auto_reset` a game that ends is at the start of a new one when the step
    returns; its rewards and `done` are those of the end. On the CPU alone: on a GPU, `CudaBatchEnv` shares its memory.
    """

    def __init__(
        self,
        *,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        reward: str = "win",
        auto_reset: bool = True,
    ) -> None:
        if type(auto_reset) is not bool:
            raise BadRequest(f"auto_reset must be True or False, not {auto_reset!r:.60}.")
        self.players = check_players(players)
        self.rules = rules_of(rules)
        self._start = np.frombuffer(bytes(kernel.new_record(self.rules, players)), np.uint8)
        self._how = np.array([reward_number(reward), auto_reset], np.int32)
        _register()

    def init(self, key: jax.Array) -> State:
        """A new game; its deal follows from the key."""
        drawn = jax.random.bits(key, (2,), jnp.uint32)
        call = jax.ffi.ffi_call(BEGIN, _shown(), vmap_method=ROW_BY_ROW)
        record, seed, observation, mask, player = call(jnp.asarray(self._start), drawn)
        paid, no = jnp.zeros(self.players, jnp.float32), jnp.zeros((), jnp.bool_)
        return State(record, seed, observation, _as_mask(mask), player, paid, no, no)

    def step(self, state: State, action: jax.Array) -> State:
        """Carry out an action. One that is not legal changes nothing, and `illegal` says so.

        Without `auto_reset` a game that is over stays so, and pays 0.
        """
        results = [*_shown(), _like(jnp.float32, self.players), _like(jnp.bool_), _like(jnp.bool_)]
        call = jax.ffi.ffi_call(STEP, results, vmap_method=ROW_BY_ROW)
        start, how = jnp.asarray(self._start), jnp.asarray(self._how)
        acted = jnp.asarray(action, jnp.int32)
        record, seed, observation, mask, *rest = call(start, how, state.record, state.seed, acted)
        return State(record, seed, observation, _as_mask(mask), *rest)


def _like(kind: Any, *shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, kind)


def _shown() -> list[jax.ShapeDtypeStruct]:
    """Record, seed, observation, mask, player."""
    sizes = kernel.Record.size, encode.Observation.size, encode.Mask.size
    record, observation, mask = (_like(jnp.uint8, size) for size in sizes)
    return [record, _like(jnp.uint32, 2), observation, mask, _like(jnp.int32)]


def _as_mask(padded: jax.Array) -> jax.Array:
    """Without the bytes that fill up its last word."""
    return padded[..., : encode.ACTIONS].astype(jnp.bool_)
