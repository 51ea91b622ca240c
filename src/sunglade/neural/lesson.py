"""A step of learning: what the network should have said, and how far off it was (PyTorch, for training only).

On a GPU the whole step is recorded once and replayed: a thread that learns beside the games would else start some
hundred small pieces of work for each step, and wait for Python's lock each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as f

from sunglade.encode import OBSERVATION
from sunglade.neural.heads import POINTS_SCALE
from sunglade.neural.network import Answers, Network
from sunglade.neural.replay import TARGET
from sunglade.search.light_tally import ROW

LIGHT_SCALE = 10.0
"""Light points still to come from a space are mostly fewer."""
CLIP = 1.0
"""The longest gradient that is followed as it is."""
TOLD = 0.7
"""Where there is a teacher, its word is so much of what is wanted; the rest is what searches and games found."""


class Wanted(NamedTuple):
    """What a network should have said of a batch."""

    policy: Tensor  # (n, asked), a share of each action
    win: Tensor  # (n, 4)
    margin: Tensor
    points: Tensor
    owner: Tensor  # (n, 37, 5), a share of each owner
    light: Tensor  # (n, 37, 2)


def _said(answers: Answers, action: Tensor, beyond: Tensor) -> Wanted:
    """The answers of a teacher in the form in which they are wanted."""
    logits, win, margin, points, owner, light = (answer.float() for answer in answers)
    asked = logits.gather(1, action).masked_fill(beyond, -1e9)
    return Wanted(asked.softmax(1), win.softmax(1), margin.sigmoid(), points, owner.softmax(2), light)


class Lesson:
    """A network, its optimiser, and the batch it learns from."""

    def __init__(self, network: Network, batch: int, teacher: Network | None = None) -> None:
        """Nothing is recorded yet: steps are taken one piece of work after the other."""
        self.network = network
        self._teacher: Callable[[Tensor], Answers] | None = teacher
        self.device = next(network.parameters()).device
        self.cuda = self.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(
            network.parameters(), lr=torch.zeros((), device=self.device) if self.cuda else 0.0, betas=(0.9, 0.98),
            weight_decay=1e-4, fused=self.cuda, capturable=self.cuda,
        )  # fmt: skip
        self.raw = torch.zeros(batch, OBSERVATION.itemsize, dtype=torch.uint8, device=self.device)
        self.wanted = torch.zeros(batch, TARGET.itemsize, dtype=torch.uint8, device=self.device)
        self._answer = network
        self._graph: torch.cuda.CUDAGraph | None = None
        self._found: dict[str, Tensor] = {}

    def capture(self) -> None:
        """Compile a step and record it; the network and the optimiser's memory are afterwards as they were before."""
        self._answer = torch.compile(self.network)
        if self._teacher is not None:
            self._teacher = torch.compile(self._teacher)
        before = self._remember()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(stream)
        self.optimiser.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._found = self._step()
        self._graph = graph
        self._put_back(before)

    def _remember(self) -> list[tuple[Tensor, dict[str, Tensor]]]:
        """A copy of all that a step changes."""
        return [
            (weights.detach().clone(), {name: kept.clone() for name, kept in self.optimiser.state[weights].items()})
            for weights in self.network.parameters()
        ]

    def _put_back(self, before: list[tuple[Tensor, dict[str, Tensor]]]) -> None:
        """In place, as what was recorded works with these very tensors."""
        with torch.no_grad():
            for weights, (old, memory) in zip(self.network.parameters(), before, strict=True):
                weights.copy_(old)
                for name, kept in self.optimiser.state[weights].items():
                    kept.copy_(memory[name]) if name in memory else kept.zero_()

    def take(self, raw: Tensor, wanted: Tensor) -> None:
        """The next batch, observations and targets as bytes; pinned memory may be filled again once this was done."""
        self.raw.copy_(raw, non_blocking=True)
        self.wanted.copy_(wanted, non_blocking=True)

    def learn(self, rate: float) -> dict[str, Tensor]:
        """One step of gradient descent on the batch taken last; what it found is overwritten by the next."""
        for group in self.optimiser.param_groups:
            if self.cuda:
                group["lr"].fill_(rate)  # a tensor, so that what was recorded reads it anew each time
            else:
                group["lr"] = rate
        if self._graph is None:
            return self._step()
        self._graph.replay()
        return self._found

    def _step(self) -> dict[str, Tensor]:
        losses = self._losses()
        self.optimiser.zero_grad(set_to_none=True)
        losses["loss"].backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimiser.step()
        return {name: loss.detach() for name, loss in losses.items()}

    def _losses(self) -> dict[str, Tensor]:
        """How far the network is from what it should have said, by part."""

        def part(name: str) -> Tensor:
            return _field(self.wanted, name)

        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, win, margin, points, owner, light = self._answer(self.raw)
        action = part("action").long()
        beyond = _beyond(part("action"))
        wanted = Wanted(
            policy=part("policy") / part("policy").sum(1, keepdim=True).clamp_min(1e-6),
            win=part("win"),
            margin=part("margin"),
            points=part("points") / POINTS_SCALE,
            owner=f.one_hot(part("owner")[:, :37].long(), 5).float(),
            light=part("light").view(-1, 2, ROW)[:, :, :37].transpose(1, 2) / LIGHT_SCALE,
        )
        playing = (wanted.margin > 0).float()
        if self._teacher is not None:
            with torch.no_grad():
                told = _said(self._teacher(self.raw), action, beyond)
            wanted = Wanted(*(torch.lerp(one, other, TOLD) for one, other in zip(wanted, told, strict=True)))
        target_entropy = -(wanted.policy * wanted.policy.clamp_min(1e-9).log()).sum(1).mean()
        asked = logits.float().gather(1, action).masked_fill(beyond, -1e9)
        loss_policy = -(wanted.policy * f.log_softmax(asked, 1)).sum(1).mean() - target_entropy
        loss_win = -(wanted.win * f.log_softmax(win.float(), 1)).sum(1).mean()
        missed = f.binary_cross_entropy_with_logits(margin.float(), wanted.margin, reduction="none")
        loss_margin = (missed * playing).mean()
        loss_points = (f.smooth_l1_loss(points.float(), wanted.points, reduction="none") * playing).mean()
        loss_owner = -(wanted.owner * f.log_softmax(owner.float(), 2)).sum(2).mean()
        loss_light = f.smooth_l1_loss(light.float(), wanted.light)
        loss = loss_policy + loss_win + loss_margin + 0.5 * loss_points + 0.15 * loss_owner + loss_light
        return {
            "loss": loss, "policy": loss_policy, "win": loss_win, "margin": loss_margin, "points": loss_points,
            "owner": loss_owner, "light": loss_light, "entropy": target_entropy,
        }  # fmt: skip


def _beyond(action: Tensor) -> Tensor:
    """The places after the last action asked about: 0 is `end`, which is there once, or not at all when placing."""
    zero = action == 0
    first_zero = zero & (zero.cumsum(1) == 1)
    no_end = ~zero[:, :1]
    return zero & (~first_zero | no_end)


def _field(raw: Tensor, name: str) -> Tensor:
    """A field of the target records as a tensor, without a copy where it can be."""
    assert TARGET.fields is not None
    kind, offset = TARGET.fields[name][:2]
    base = {"f": torch.float32, "i": torch.int16 if kind.base.itemsize == 2 else torch.int8}[kind.base.kind]
    return raw[:, offset : offset + kind.itemsize].contiguous().view(base)
