"""Who plays the other seats of a batch: asked for all games in which they are to act at once.

A *policy* is any function of observations (k, 2832) and masks (k, actions) that gives k actions: a network of your own,
say. Bots that look no further than one action have a *manner* and play the base game in compiled code, random ones
every game. Others play one game after the other, each game and seat with a bot of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sunglade import bots
from sunglade.envs.observation import SOURCE, SOURCE_ACTION
from sunglade.errors import BadRequest
from sunglade.kernel.arrays import dtype_of
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import Rules
from sunglade.search.manner import AT_RANDOM, Manner

if TYPE_CHECKING:
    from sunglade.envs.batch import BatchEnv

Policy = Callable[[NDArray[np.uint8], NDArray[np.int8]], ArrayLike]
NETWORK: Final = "network"
"""The shipped network's likeliest action, without search, for all games in batches; `network:2026-11` is the first."""
BASE_GAME_ONLY: Final = "this network knows the base game only: take `network`, or a game without modules."
TURN_MS: Final = 60_000
"""What bots are told to have for a turn; levels but `elder` take no notice of it."""


class Opponents(Protocol):
    """Whoever chooses for the seats that the learner does not have."""

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these games, for the player to act there."""
        ...


def opponents_of(wanted: object, *, players: int, rules: Rules, seed: int) -> Opponents:
    """Who is meant: a name, a policy, or one of these for each other seat in turn order after the learner's."""
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return EachSeat([opponents_of(one, players=players, rules=rules, seed=seed) for one in wanted], players)
    if isinstance(wanted, str):
        name, _, weights = wanted.partition(":")
        if name == NETWORK:
            return NetworkOpponents(weights, rules)
        bot = bots.make(wanted)
        bots.check(bot, wanted, players, rules)
        manner = getattr(bot, "manner", None)
        if isinstance(manner, Manner) and (manner.kind == AT_RANDOM or not rules.modules):
            return MannerOpponents(manner)
        return BotOpponents(wanted, seed)
    if callable(wanted):
        return PolicyOpponents(wanted)
    raise BadRequest(
        "opponents must be a bot's name, `network`, a function of observations and masks, or one of these for each "
        f"other seat; not {wanted!r:.60}."
    )


class PolicyOpponents:
    """A function of observations and masks."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What it answers for these games."""
        actions = np.asarray(self._policy(env.observations[games], env.masks[games]))
        if actions.shape != games.shape or actions.dtype.kind not in "iu":
            kind = f"{actions.dtype} of shape {actions.shape}"
            raise BadRequest(f"the opponents' policy must give {len(games)} whole numbers, not {kind}.")
        return actions.astype(np.int64)


class MannerOpponents:
    """Players that compiled code knows: asked only where somebody beside them must be."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What each of them does."""
        return env.actions_in_manner(self.manner.array(), games)


def manners_of(opponents: Opponents, players: int) -> NDArray[np.void] | None:
    """The manners of all others in turn order after the learner, if compiled code knows all of them."""
    those = opponents.those if isinstance(opponents, EachSeat) else [opponents] * (players - 1)
    found = [each.manner.array() for each in those if isinstance(each, MannerOpponents)]
    return np.concatenate(found).view(dtype_of(Manner)) if len(found) == len(those) else None


class BotOpponents:
    """Bots by name, one for each game and seat."""

    def __init__(self, name: str, seed: int) -> None:
        self._name, self._seed = name, seed
        self._bots: dict[tuple[int, int], bots.Bot] = {}

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What each of them plays."""
        return np.array([self._action(env, int(game)) for game in games], np.int64)

    def _action(self, env: BatchEnv, game: int) -> int:
        position = env.game(game)
        place = game, position.player or 0
        if place not in self._bots:
            seed = (self._seed * env.n + game) * env.players + place[1]
            self._bots[place] = bots.make(self._name, seed=seed & 0xFFFFFFFF)
        return ACTION_NUMBERS[self._bots[place].act(position.redacted(), TURN_MS)]


class NetworkOpponents:
    """A shipped network without search: its likeliest action in every game, computed in batches."""

    def __init__(self, weights: str = "", rules: Rules | None = None) -> None:
        from sunglade.neural.inference import NEWEST, shipped
        from sunglade.search.graph import MAX_BATCH, Answers, Questions

        self._network = shipped(name=weights or NEWEST)
        if rules is not None and rules.modules and not self._network.plays_modules:
            raise BadRequest(BASE_GAME_ONLY)
        self._questions, self._answers, self._most = Questions(), Answers(), MAX_BATCH

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """The likeliest actions."""
        parts = [games[first : first + self._most] for first in range(0, len(games), self._most)]
        return np.concatenate([self._some(env, part) for part in parts])

    def _some(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """As many as it answers for at once; boards are turned as it has learned them, the sun at position 0."""
        turns = -env.records["sun"][games] % 6
        turned = np.take_along_axis(env.observations[games], SOURCE[turns], axis=1)
        self._questions.array().view(np.uint8).reshape(self._most, -1)[: len(games)] = turned
        self._network.answer(self._questions, len(games), self._answers)
        known = self._network.size.actions
        logits = self._answers.array()["logits"][0, : len(games), :known]
        legal = np.take_along_axis(env.masks[games], SOURCE_ACTION[turns], axis=1)[:, :known]
        best = np.where(legal, logits, -np.inf).argmax(axis=1)
        real: NDArray[np.int64] = SOURCE_ACTION[turns, best]
        return real


class EachSeat:
    """Different ones at the other seats, in turn order after the learner's."""

    def __init__(self, those: Sequence[Opponents], players: int) -> None:
        if len(those) != players - 1:
            raise BadRequest(f"{players - 1} other seats need as many opponents, not {len(those)}.")
        self.those = those

    def choose(self, env: BatchEnv, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What whoever sits there plays."""
        after = (env.player[games] - env.seats[games] - 1) % env.players
        actions = np.zeros_like(games)
        for place, one in enumerate(self.those):
            if len(there := np.flatnonzero(after == place)):
                actions[there] = one.choose(env, games[there])
        return actions
