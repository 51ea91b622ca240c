"""The PettingZoo environment (AEC), for 2–4 players, every edition, option and module.

    from sunglade.envs import sunglade_v1

    env = sunglade_v1.env(players=3, rules={"modules": ["moon"]})
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(info["action_mask"])
        env.step(action)

A player acts several times in a row until the turn ends: the next agent is often the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from sunglade import encode
from sunglade.envs.batch import rules_of
from sunglade.envs.observation import SIZE, STATE_SIZE
from sunglade.envs.one_game import OneGame, is_number, refused
from sunglade.envs.positions import given_game
from sunglade.envs.rendering import RENDER_FPS, RENDER_MODES, checked_render_mode, rendered
from sunglade.envs.rewards import ILLEGAL, reward_number
from sunglade.game import Game
from sunglade.notation import ACTION_NAMES
from sunglade.rules import Rules, check_players

Observation = dict[str, Any]


def env(**options: Any) -> Any:
    """The environment as agents should meet it: an illegal action ends the game with −1 for who tried it."""
    return OrderedEnv(StrictEnv(**options))


class OrderedEnv(OrderEnforcingWrapper[str, Observation, Any]):
    """PettingZoo's guard against calls in the wrong order, with a way past it for what every step asks."""

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent to act sees, its reward, whether it is done, and its info."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        found: tuple[Observation | None, float, bool, bool, dict[str, Any]] = self.env.last(observe)
        return found

    def __str__(self) -> str:
        return str(self.env)


class raw_env(AECEnv[str, Observation, Any], EzPickle):  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers: an illegal action raises IllegalAction and changes nothing."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "sunglade_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, players, rules, reward, render_mode)
        super().__init__()
        check_players(players)
        self.rules = rules_of(rules)
        self.render_mode = checked_render_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._one = OneGame(players, self.rules, reward_number(reward), observe=True)
        self._np_random: np.random.Generator | None = None
        observed: dict[str, gymnasium.Space[Any]] = {
            "observation": spaces.Box(0, 255, (SIZE,), np.uint8),
            "action_mask": spaces.Box(0, 1, (encode.ACTIONS,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(observed) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(encode.ACTIONS) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (STATE_SIZE,), np.uint8)

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """A vector of bytes and the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, or go on from `options["game"]`.

        The seed decides the deals of this game and the next ones.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        players = len(self.possible_agents)
        self._seed = int(self._np_random.integers(1 << 62))
        self._given = given_game(options, players)
        self._played: list[int] = []
        if self._given is None:
            self._one.begin(self._seed)
        else:
            self._one.load(self._given.now)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._note_position()
        if self.render_mode == "human":
            self.render()

    @property
    def game(self) -> Game:
        """The game so far, to save, explain or think about; a copy of its own."""
        game = self._given.fork() if self._given else Game(len(self.possible_agents), self.rules, seed=self._seed)
        for number in self._played:
            game.play(ACTION_NAMES[number])
        return game

    def _note_position(self) -> None:
        """Whose turn it is and what may be done."""
        self.agent_selection = self.possible_agents[self._one.player]
        self._mask = _nothing_legal() if self._one.over else self._one.mask()
        self.infos = {agent: {"action_mask": _nothing_legal()} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def observe(self, agent: str) -> Observation:
        """What an agent sees of the position; the mask is all 0 unless it is to act."""
        mask = self._mask if agent == self.agent_selection else _nothing_legal()
        return {"observation": self._one.observation(self._seats[agent]), "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """The whole position as the first seat sees it, and which seat is to act: for centralised critics."""
        return self._one.state()

    def step(self, action: Any) -> None:
        """Carry out an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._one.act(action)
        self._played.append(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self._one.over:
            self._end(self._one.rewards)
        self._note_position()
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: list[float]) -> None:
        """The game is over for everybody."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> Any:
        """The position as text, as a picture, or printed."""
        return rendered(self._one.record, self.render_mode)

    def close(self) -> None:
        """Nothing needs to be closed."""


def _nothing_legal() -> NDArray[np.int8]:
    return np.zeros(encode.ACTIONS, np.int8)


class StrictEnv(raw_env):
    """What `env()` wraps: actions outside the space are an error, illegal ones lose the game at once.

    PettingZoo's own wrappers do the same, but forwarding every attribute through three of them halves the speed.
    """

    def step(self, action: Any) -> None:
        """Carry out an action of the agent whose turn it is."""
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            assert is_number(action), refused(action, over=False)
            if not self._one.is_legal(action):
                EnvLogger.warn_on_illegal_move()
                self._cumulative_rewards[agent] = 0.0
                self._end([ILLEGAL if name == agent else 0.0 for name in self.agents])
                return
        super().step(action)
