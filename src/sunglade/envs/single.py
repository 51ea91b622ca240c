"""The Gymnasium environment: one seat to learn, the others played by registered bots.

import gymnasium
import sunglade.envs  # registers it

env = gymnasium.make("sunglade/Sunglade-v1", players=3, bots=["greedy", "random"])
observation, info = env.reset(seed=42)
observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray

from sunglade import bots as registry
from sunglade import encode
from sunglade.bots import Bot
from sunglade.envs.batch import rules_of
from sunglade.envs.observation import SIZE
from sunglade.envs.one_game import OneGame, is_number, refused
from sunglade.envs.positions import given_game
from sunglade.envs.rendering import RENDER_FPS, RENDER_MODES, checked_render_mode, rendered
from sunglade.envs.rewards import ILLEGAL, reward_number
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.actions import TURTLE_HATCH
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.rules import Rules, check_players

SEEDS: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class Saved:
    """An environment at a moment: what `save` keeps and `restore` takes back. It can be pickled."""

    game: Game
    seat: int
    players: list[Bot | None]
    random: np.random.Generator
    lost: bool


class SungladeEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """One seat of a game against bots; with `self_play` all seats in turn.

    `bots` is a name, a bot, or one for each other seat in turn order; each gets `ms` milliseconds for an action.
    `seat` is the learner's, or None to draw one for each game. `reward` is win, margin or rank; it comes when the
    game ends, in self-play to the seat that acted. An illegal action loses the game at once (−1). `action_masks()` and
    `info["action_mask"]` tell what is legal, `info["seat"]` for whom, `info["rewards"]` what every seat was paid.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        bots: str | Bot | Sequence[str | Bot] = "random",
        seat: int | None = 0,
        self_play: bool = False,
        reward: str = "win",
        ms: int = 100,
        render_mode: str | None = None,
    ) -> None:
        check_players(players)
        if seat is not None and (type(seat) is not int or not 0 <= seat < players):
            raise BadRequest(f"seat must be from 0 to {players - 1}, or None to draw it, not {seat!r:.60}.")
        self.rules = rules_of(rules)
        self.ms = ms
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space = spaces.Box(0, 255, (SIZE,), np.uint8)
        self.action_space = spaces.Discrete(encode.ACTIONS)
        self._bots = _one_each(bots, players - 1)
        self._wanted_seat = seat
        self._self_play = self_play
        self._one = OneGame(players, self.rules, reward_number(reward), observe=True)
        self._game: Game | None = None
        self._lost = False

    # Playing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a new game, or go on from `options["game"]`: a Game, a game object or a position string."""
        super().reset(seed=seed)
        players = self._one.players
        self._game = given_game(options, players) or Game(players, self.rules, seed=self._draw())
        self._show(self._game)
        self._lost = False
        drawn = int(self.np_random.integers(players))
        self.seat = drawn if self._wanted_seat is None else self._wanted_seat
        self._hand_over()
        others = iter([registry.make(bot, seed=self._draw()) if isinstance(bot, str) else bot for bot in self._bots])
        self._players = [
            None if (self.seat + place) % players == self.seat else next(others) for place in range(players)
        ]
        self._bots_act()
        if self.render_mode == "human":
            self.render()
        return self._one.observation(self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Carry out an action of the learner, then the bots' until it is the learner's turn again."""
        if self._game is None:
            raise ResetNeeded("reset the environment before the first step.")
        if self._lost or self._one.over:
            raise ResetNeeded("the game is over; reset the environment to begin another.")
        if not is_number(action):
            raise InvalidAction(refused(action, over=False))
        if not self._one.is_legal(action):
            self._lost = True
            return self._one.observation(self.seat), ILLEGAL, True, False, self._info(refused(action, over=False))
        acted = self.seat
        self._act(int(action))
        self._hand_over()
        self._bots_act()
        over = self._one.over
        reward = self._one.rewards[acted] if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._one.observation(self.seat), reward, over, False, self._info()

    def _hand_over(self) -> None:
        """In self-play the learner takes the seat of the player to act."""
        if self._self_play:
            self.seat = self._one.player

    def _draw(self) -> int:
        return int(self.np_random.integers(SEEDS))

    def _show(self, game: Game) -> None:
        """Go on from a game; the bots see it without what is face down (M-SETUP-4)."""
        self._game = game
        self._shown = game.redacted() if "moon" in game.rules.modules else game
        self._one.load(game.now)

    def _act(self, number: int) -> None:
        """Carry out an action of anybody's."""
        assert self._game is not None
        self._game.play(ACTION_NAMES[number])
        self._one.act(number)
        if number == TURTLE_HATCH:
            self._shown = self._game.redacted()
        elif self._shown is not self._game:
            self._shown.play(ACTION_NAMES[number])

    def _bots_act(self) -> None:
        """Let the bots act until it is the learner's turn or the game is over."""
        while not self._one.over and self._one.player != self.seat:
            bot = self._players[(self._one.player - self.seat) % self._one.players]
            assert bot is not None
            line = bot.act(self._shown.fork(), self.ms)
            if line not in ACTION_NUMBERS or not self._one.is_legal(ACTION_NUMBERS[line]):
                raise BadRequest(f"the bot on seat {self._one.player} gave {line!r:.60}, which is not legal.")
            self._act(ACTION_NUMBERS[line])

    def _info(self, illegal: str | None = None) -> dict[str, Any]:
        paid = self._one.rewards if self._one.over and not self._lost else [0.0] * self._one.players
        rewards = np.array(paid, np.float32)
        info: dict[str, Any] = {"action_mask": self._one.mask(), "seat": self.seat, "rewards": rewards}
        if illegal is not None:
            info["illegal_action"] = illegal
        return info

    # Looking

    @property
    def game(self) -> Game:
        """The game so far, to save, explain or think about; a copy of its own."""
        if self._game is None:
            raise ResetNeeded("reset the environment before looking at its game.")
        return self._game.fork()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, where MaskablePPO looks for it."""
        return self._one.mask().astype(np.bool_)

    def render(self) -> Any:
        """The position as text, as a picture, or printed."""
        if self._game is None:
            raise ResetNeeded("reset the environment before rendering it.")
        return rendered(self._one.record, self.render_mode)

    # Going back

    def save(self) -> Saved:
        """The environment as it is now, its bots and its random generator included."""
        if self._game is None:
            raise ResetNeeded("reset the environment before saving it.")
        return copy.deepcopy(Saved(self._game, self.seat, self._players, self.np_random, self._lost))

    def restore(self, saved: Saved) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Go back to what was saved, here or in an environment made the same way; all then goes the same way."""
        if not isinstance(saved, Saved):
            raise BadRequest(f"an environment can be restored from what `save` gave, not from {type(saved).__name__}.")
        if saved.game.players != self._one.players:
            raise BadRequest(
                f"this environment is for {self._one.players} players; saved was a game of {saved.game.players}."
            )
        again = copy.deepcopy(saved)
        self.seat, self._players, self._lost = again.seat, again.players, again.lost
        self.np_random = again.random
        self._show(again.game)
        return self._one.observation(self.seat), self._info()


def _one_each(bots: str | Bot | Sequence[str | Bot], count: int) -> list[str | Bot]:
    """A bot for every other seat."""
    chosen = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * count
    if len(chosen) != count:
        raise BadRequest(f"there must be {count} bots, one for each other seat, not {len(chosen)}.")
    for bot in chosen:
        if isinstance(bot, str):
            registry.split(bot)  # refuses what there is not
    return chosen
