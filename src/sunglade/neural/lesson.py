"""A step of learning: what the network should have said, and how far off it was (PyTorch, for training only).

On a GPU the whole step is recorded once and replayed: a thread that learns beside the games would else start some
hundred small pieces of work for each step, and wait for Python's lock each time.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as f

from sunglade.encode import OBSERVATION
from sunglade.neural.network import Network
from sunglade.neural.replay import TARGET
from sunglade.search.light_tally import ROW

LIGHT_SCALE = 10.0
"""Light points still to come from a space are mostly fewer."""
CLIP = 1.0
"""The longest gradient that is followed as it is."""


class Lesson:
    """A network, its optimiser, and the batch it learns from."""

    def __init__(self, network: Network, batch: int) -> None:
        """Nothing is recorded yet: steps are taken one piece of work after the other."""
        self.network = network
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
        policy = part("policy")
        asked = logits.float().gather(1, part("action").long())
        asked = asked.masked_fill(_beyond(part("action")), -1e9)
        target = policy / policy.sum(1, keepdim=True).clamp_min(1e-6)
        target_entropy = -(target * target.clamp_min(1e-9).log()).sum(1).mean()
        loss_policy = -(target * f.log_softmax(asked, 1)).sum(1).mean() - target_entropy
        loss_win = -(part("win") * f.log_softmax(win.float(), 1)).sum(1).mean()
        playing = (part("margin") > 0).float()
        missed = f.binary_cross_entropy_with_logits(margin.float(), part("margin"), reduction="none")
        loss_margin = (missed * playing).mean()
        loss_points = (f.smooth_l1_loss(points.float(), part("points") / 30, reduction="none") * playing).mean()
        loss_owner = f.cross_entropy(owner.float().transpose(1, 2), part("owner")[:, :37].long())
        to_come = part("light").view(-1, 2, ROW)[:, :, :37].transpose(1, 2) / LIGHT_SCALE
        loss_light = f.smooth_l1_loss(light.float(), to_come)
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
