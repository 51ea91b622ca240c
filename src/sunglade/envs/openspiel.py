"""The OpenSpiel game `python_sunglade`, registered when this module is imported.

    import pyspiel
    import sunglade.envs.openspiel

    game = pyspiel.load_game("python_sunglade(players=3,modules=moon+elder)")

Chance deals the animals, and decides which baby hatches at the moment it does: nothing is hidden from anybody, so
search needs no guesses and cannot look under a baby either (M-SETUP-1, M-SETUP-4).
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import drawing, encode
from sunglade.board import set_of, spaces_in
from sunglade.envs.observation import SIZE
from sunglade.envs.one_game import OneGame
from sunglade.envs.rewards import reward_number
from sunglade.errors import BadRequest
from sunglade.extras import naming_the_extra
from sunglade.kernel.actions import TURTLE_HATCH
from sunglade.kernel.record import MODULE_MOON
from sunglade.notation import ACTION_NAMES
from sunglade.options import OneOf
from sunglade.rules import ANIMALS, BABIES, MAX_PLAYERS, MIN_PLAYERS, OPTIONS, Rules, check_players

with naming_the_extra("sunglade.envs.openspiel"):
    import pyspiel

NAME: Final = "python_sunglade"
OF_EVERY_EDITION: Final[dict[str, Any]] = {
    name: option.reference
    for name, option in OPTIONS.items()
    if isinstance(option.kind, OneOf) and not option.elsewhere
}
"""Options with a few values, the usual one the same in every edition: OpenSpiel wants to know it."""
PARAMETERS: Final[dict[str, Any]] = {
    "players": MIN_PLAYERS,
    "edition": "us",
    "modules": "none",
    **OF_EVERY_EDITION,
    "reward": "win",
}
"""With their defaults. `modules` are joined by +, or none; `reward` is win or rank."""

HANDS: Final = tuple(combinations(range(len(ANIMALS)), 2))
"""What a player may be dealt; a chance outcome is a place in this list, or a baby's when one hatches."""
ACTIONS_A_TURN: Final = 128
"""More than any turn can have: 13 pieces to buy, 37 spaces to act on, some steps and abilities."""
SETUP_ACTIONS: Final = 64

_TYPE: Final[dict[str, Any]] = {
    "short_name": NAME,
    "long_name": "Sunglade",
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "information": pyspiel.GameType.Information.PERFECT_INFORMATION,
    "utility": pyspiel.GameType.Utility.ZERO_SUM,
    "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
    "max_num_players": MAX_PLAYERS,
    "min_num_players": MIN_PLAYERS,
    "provides_information_state_string": False,
    "provides_information_state_tensor": False,
    "provides_observation_string": True,
    "provides_observation_tensor": True,
    "parameter_specification": PARAMETERS,
}


def _game_type(with_chance: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(chance_mode=modes.EXPLICIT_STOCHASTIC if with_chance else modes.DETERMINISTIC, **_TYPE)


class SungladeGame(pyspiel.Game):
    """The rules and number of players of a game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**PARAMETERS, **(params or {})}
        self.players = check_players(chosen["players"])
        self.rules = Rules(
            chosen["edition"],
            modules=[] if chosen["modules"] == "none" else chosen["modules"].split("+"),
            **{name: chosen[name] for name in OF_EVERY_EDITION},
        )
        if chosen["reward"] not in ("win", "rank"):
            raise BadRequest(f"reward must be win or rank, not {chosen['reward']!r:.60}.")
        self.reward = reward_number(chosen["reward"])
        moon = "moon" in self.rules.modules
        info = pyspiel.GameInfo(
            num_distinct_actions=encode.ACTIONS,
            max_chance_outcomes=len(HANDS) if moon else 0,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=SETUP_ACTIONS + self.rules.rounds * self.players * ACTIONS_A_TURN,
        )
        super().__init__(_game_type(moon), info, params or {})

    def new_initial_state(self) -> SungladeState:
        """The position before anything was dealt."""
        return SungladeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SungladeObserver:
        """What writes observations."""
        return SungladeObserver(iig_obs_type, params)


class SungladeState(pyspiel.State):
    """A position, or a moment at which chance decides."""

    def __init__(self, game: SungladeGame) -> None:
        super().__init__(game)
        self.one = OneGame(game.players, game.rules, game.reward, observe=False)
        self.hands_to_deal = game.players if self.one.record.options & MODULE_MOON else 0
        self.hatching = False

    def current_player(self) -> int:
        """The seat to act, chance, or nobody after the end."""
        if self.one.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.hands_to_deal or self.hatching:
            return int(pyspiel.PlayerId.CHANCE)
        return self.one.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.one.legal_numbers()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be dealt or may hatch, all equally likely."""
        outcomes = self._babies_left() if self.hatching else self._hands_left()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _hands_left(self) -> list[int]:
        dealt = reduce(or_, self.one.record.dealt)
        return [number for number, hand in enumerate(HANDS) if not dealt & set_of(hand)]

    def _babies_left(self) -> list[int]:
        babies = self.one.record.babies
        seen = {babies >> 4 * place & 15 for place in range(6)}
        return [baby for baby in range(len(BABIES)) if baby + 1 not in seen]

    def _apply_action(self, action: int) -> None:
        if self.hatching:
            self.hatching = False
            s = self.one.record
            s.babies |= (action + 1) << 4 * list(spaces_in(s.shore)).index(s.at[s.player])
            self.one.act(TURTLE_HATCH)
        elif self.hands_to_deal:
            s = self.one.record
            s.dealt[s.players - self.hands_to_deal] = set_of(HANDS[action])
            self.hands_to_deal -= 1
            self.one.look()
        elif action == TURTLE_HATCH and self.one.is_legal(action):
            self.hatching = True
        else:
            self.one.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return ACTION_NAMES[action]
        if self.hatching:
            return f"hatch {BABIES[action]}"
        return "deal " + " ".join(ANIMALS[card] for card in HANDS[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.one.over

    def observation_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        """What a player sees, as an array: OpenSpiel's own way makes a list of 2832 Python numbers of it."""
        seat = self.one.player if player is None else player
        if not 0 <= seat < self.one.players:
            raise BadRequest(f"player must be from 0 to {self.one.players - 1}, not {seat!r:.60}.")
        return self.one.observation(seat).astype(np.float32)

    def returns(self) -> list[float]:
        """What each seat was paid; 0 before the end."""
        return self.one.rewards

    def __str__(self) -> str:
        return drawing.text(self.one.record)


class SungladeObserver:
    """The documented observation as floats."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise BadRequest(f"observations have no parameters, not {params!r:.60}.")
        self.tensor = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SungladeState, player: int) -> None:
        """Write what a player sees."""
        self.tensor[:] = state.one.observation(player)

    def string_from(self, state: SungladeState, player: int) -> str:
        """The position as text."""
        return str(state)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type(with_chance=True), SungladeGame)
