"""A network as a player on a GPU: its likeliest action, without search, by PyTorch and in large batches."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor

from sunglade import encode
from sunglade.envs.observation import SOURCE, SOURCE_ACTION, TABLE_START
from sunglade.neural.network import Network

TOGETHER: Final = 16_384
"""Positions that are answered at once: more only need more memory."""
SUN: Final = TABLE_START + encode.TABLE.index("sun at 0, as the board is turned")


class LikeliestActions:
    """A policy: observations and masks in, the likeliest legal actions out, all of them on one device.

    The network has learned so many actions, counted from the first. On a GPU it computes in bfloat16, its blocks fused;
    what comes before and after them can be compiled where batches have always the same size.
    """

    def __init__(
        self,
        network: Network,
        device: torch.device | str = "cuda",
        *,
        actions: int = encode.ACTIONS,
        compiled: bool = False,
    ) -> None:
        self._device, self._actions = torch.device(device), actions
        self._logits = _logits_of(network.to(device), self._device, compiled=compiled)
        self._source = torch.as_tensor(SOURCE, device=device)
        self._source_action = torch.as_tensor(SOURCE_ACTION, device=device)

    def __call__(self, observations: Any, masks: Any) -> Tensor:
        """An action for each row."""
        seen, legal = (torch.as_tensor(rows, device=self._device) for rows in (observations, masks))
        parts = zip(seen.split(TOGETHER), legal.split(TOGETHER), strict=True)
        with torch.no_grad():
            return torch.cat([self._some(*part) for part in parts])

    def _some(self, seen: Tensor, legal: Tensor) -> Tensor:
        """For as many as are answered at once; boards are turned as it has learned them, the sun at position 0."""
        turns = -seen[:, SUN : SUN + 6].to(torch.int8).argmax(1) % 6
        logits = self._logits(seen.gather(1, self._source[turns]))[:, : self._actions].float()
        source = self._source_action[turns]
        forbidden = legal.gather(1, source[:, : self._actions]) == 0
        best = logits.masked_fill(forbidden, -torch.inf).argmax(1)
        return source.gather(1, best[:, None])[:, 0]


def _logits_of(network: Network, device: torch.device, *, compiled: bool) -> Any:
    """The logits of a network's actions, the quickest way there is."""
    if device.type != "cuda":
        return lambda raw: network(raw)[0]
    from sunglade.neural.fused import FusedPolicy

    return FusedPolicy(network.to(torch.bfloat16), compiled)
