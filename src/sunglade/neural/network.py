"""The network: a small transformer over the 37 spaces and one token for the table (PyTorch, for training only).

Inputs are seat-relative and turned so that the sun is at position 0. It answers with a logit for every base action, and
for each relative seat: the chance to win, the margin's value, the points at the end; and, to learn faster, for each
space who will own it at the end, and how much light it will bring to the mover and to the others.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as f

from sunglade.encode import BASE_PLANES, TABLE_BASE
from sunglade.kernel import actions
from sunglade.kernel.printed import EDGE_SPACE
from sunglade.neural.features import BASE_TABLE, PLANE_BYTES, SPACES, TABLE_OFFSET, table_scale
from sunglade.search.value import MARGIN_SHARE

PLAYERS_AT = TABLE_BASE.index("2 players")


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    width: int = 128
    layers: int = 4
    heads: int = 4
    reach: int = 32  # width of the planting head

    def as_dict(self) -> dict[str, Any]:
        """For the file beside the weights."""
        return asdict(self)


class Block(nn.Module):
    """Attention among the tokens, then a small net on each."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        d = shape.width
        self.heads = shape.heads
        self.norm1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.norm2 = nn.LayerNorm(d)
        self.wide = nn.Linear(d, 3 * d)
        self.narrow = nn.Linear(3 * d, d)

    def forward(self, x: Tensor) -> Tensor:
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        mixed = f.scaled_dot_product_attention(q, k, v)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, d))
        return x + self.narrow(f.gelu(self.wide(self.norm2(x)), approximate="tanh"))


class Network(nn.Module):
    """Bytes of observations in; logits, values and auxiliary answers out."""

    scale: Tensor
    pairs: Tensor
    edge: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        d = shape.width
        self.spaces = nn.Linear(BASE_PLANES, d)
        self.place = nn.Parameter(torch.randn(SPACES, d) * 0.02)
        self.table = nn.Sequential(nn.Linear(BASE_TABLE, 2 * d), nn.GELU(approximate="tanh"), nn.Linear(2 * d, d))
        self.share = nn.Linear(d, d)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(d)
        self.on_table = nn.Linear(d, 5)  # end, buy
        self.on_space = nn.Linear(d, 3)  # grow, collect, place
        self.origin = nn.Linear(d, shape.reach)
        self.target = nn.Linear(d, shape.reach)
        self.seats = nn.Sequential(nn.Linear(2 * d, 2 * d), nn.GELU(approximate="tanh"), nn.Linear(2 * d, 12))
        self.owner = nn.Linear(d, 5)
        self.light = nn.Linear(d, 2)
        self.register_buffer("scale", 1.0 / torch.from_numpy(table_scale()), persistent=False)
        pairs = torch.tensor([origin * SPACES + target for origin, target in actions.PLANT_PAIRS])
        self.register_buffer("pairs", pairs, persistent=False)
        self.register_buffer("edge", torch.from_numpy(EDGE_SPACE.copy()), persistent=False)

    def trunk(self, raw: Tensor) -> tuple[Tensor, Tensor]:
        """Tokens after the blocks, and which seats play."""
        n = raw.shape[0]
        kind = self.place.dtype
        planes = raw[:, : BASE_PLANES * PLANE_BYTES].view(n, BASE_PLANES, PLANE_BYTES)[:, :, :SPACES]
        numbers = raw[:, TABLE_OFFSET : TABLE_OFFSET + BASE_TABLE].to(kind) * self.scale.to(kind)
        table = self.table(numbers)
        spaces = self.spaces(planes.to(kind).transpose(1, 2)) + self.place + self.share(table)[:, None]
        x = torch.cat([table[:, None], spaces], 1)
        for block in self.blocks:
            x = block(x)
        absent = torch.stack(
            [torch.zeros_like(numbers[:, 0]), torch.zeros_like(numbers[:, 0]), numbers[:, PLAYERS_AT],
             numbers[:, PLAYERS_AT] + numbers[:, PLAYERS_AT + 1]], 1,
        )  # fmt: skip
        return self.norm(x), absent

    def forward(self, raw: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Logits (n, base actions), win logits, margin logits, points (n, 4), owners (n, 37, 5), light (n, 37, 2)."""
        x, absent = self.trunk(raw)
        table, spaces = x[:, 0], x[:, 1:]
        each = self.on_space(spaces)
        plant = torch.einsum("noc,ntc->not", self.origin(spaces), self.target(spaces)) * self.shape.reach**-0.5
        logits = torch.cat(
            [
                self.on_table(table),
                each[:, :, 0],
                each[:, :, 1],
                plant.flatten(1)[:, self.pairs],
                each[:, self.edge, 2],
            ],
            1,
        )
        seats = self.seats(torch.cat([table, spaces.mean(1)], 1)).view(-1, 3, 4)
        win = seats[:, 0] - 1e4 * absent
        return logits, win, seats[:, 1], seats[:, 2], self.owner(spaces), self.light(spaces)

    def answer(self, raw: Tensor, asked: Tensor) -> Tensor:
        """What a search wants: (n, 4 + asked) values of the seats, then logits of the actions asked about."""
        logits, win, margin, *_ = self(raw)
        value = (1 - MARGIN_SHARE) * torch.softmax(win.float(), 1) + MARGIN_SHARE * torch.sigmoid(margin.float())
        return torch.cat([value, logits.gather(1, asked.long()).float()], 1)
