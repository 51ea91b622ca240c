"""Who plays the other seats of a batch on a GPU: players that its kernels know, and those who are asked there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sunglade.encode import BASE_ACTIONS
from sunglade.envs.opponents import BASE_GAME_ONLY, NETWORK, MannerOpponents, opponents_of
from sunglade.envs.tensors import DeviceArray
from sunglade.errors import BadRequest
from sunglade.kernel.arrays import dtype_of
from sunglade.neural.inference import NEWEST
from sunglade.rules import Rules
from sunglade.search.manner import ASKED, Manner

DevicePolicy = Callable[[DeviceArray, DeviceArray], Any]
"""A function of observations (k, 2832) and masks (k, actions), both on the GPU, that gives k actions there."""


def device_opponents(wanted: object, players: int, rules: Rules) -> tuple[NDArray[np.void], list[DevicePolicy]]:
    """The manner of every other seat in turn order after the learner's, and who is asked: they are numbered there."""
    manners = np.zeros(players, dtype_of(Manner))
    asked: list[DevicePolicy] = []
    for place, one in enumerate(_each_seat(wanted, players)):
        player = _player(one, players, rules) if isinstance(one, str) else one
        if isinstance(player, Manner):
            manners[place] = player.array()[0]
        elif callable(player):
            if player not in asked:
                asked.append(player)
            manners[place]["kind"] = ASKED + asked.index(player)
        else:
            raise BadRequest(
                "opponents must be `random`, a level below `oak`, `network`, a function of observations and masks, or "
                f"one of these for each other seat; not {one!r:.60}."
            )
    return manners, asked


def _each_seat(wanted: object, players: int) -> Sequence[object]:
    """Who sits at each of the other seats."""
    if wanted is None:
        return ()
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        return [wanted] * (players - 1)
    if len(wanted) != players - 1:
        raise BadRequest(f"{players - 1} other seats need as many opponents, not {len(wanted)}.")
    return wanted


def _player(name: str, players: int, rules: Rules) -> Manner | DevicePolicy:
    """Who is meant by a name."""
    known, _, weights = name.partition(":")
    if known == NETWORK:
        return _network(weights, rules)
    found = opponents_of(name, players=players, rules=rules, seed=0)
    if isinstance(found, MannerOpponents):
        return found.manner
    where = " in games with modules" if rules.modules else ""
    raise BadRequest(f"{name!r:.60} does not play on a GPU{where}: BatchEnv takes it.")


def _network(weights: str, rules: Rules) -> DevicePolicy:
    """A shipped network, by PyTorch."""
    try:
        from sunglade.envs.torch_network import LikeliestActions
        from sunglade.neural.torch_play import shipped_network
    except ModuleNotFoundError as missing:
        raise BadRequest(f"`network` on a GPU needs {missing.name}: install PyTorch for your machine.") from None
    network, actions = shipped_network(weights or NEWEST)
    if rules.modules and actions <= BASE_ACTIONS:
        raise BadRequest(BASE_GAME_ONLY)
    return LikeliestActions(network, actions=actions)
