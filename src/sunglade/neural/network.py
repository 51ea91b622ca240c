"""The network: a small transformer over the 37 spaces and one token for the table (PyTorch, for training only).

Inputs are seat-relative and turned so that the sun is at position 0. It answers with a logit for every action, and
for each relative seat: the chance to win, the margin's value, the points at the end; for each space who will own it
at the end; and, to learn faster, how much light it will bring to the mover and to the others.

What only the modules need has weights of its own, which begin at zero: a network of the base game can learn them
without forgetting anything, and in a base game they change nothing.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as f

from sunglade.encode import BASE_PLANES, PLANES, TABLE, TABLE_BASE
from sunglade.neural.features import BASE_TABLE, PLANE_BYTES, SPACES, TABLE_OFFSET, table_scale
from sunglade.neural.heads import (
    BASE_SPACE_COLUMNS,
    BASE_TABLE_COLUMNS,
    DAM_SPACES,
    PAIRS,
    SPACE_COLUMNS,
    TABLE_COLUMNS,
    logit_places,
)  # fmt: skip
from sunglade.search.value import MARGIN_SHARE

PLAYERS_AT = TABLE_BASE.index("2 players")

Answers = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    width: int = 128
    layers: int = 4
    heads: int = 4
    reach: int = 32  # width of the planting head


_MODULE_INPUTS = {"module_spaces.weight": PLANES[BASE_PLANES:], "module_table.weight": TABLE[BASE_TABLE:]}
"""What the columns of these weights are for."""


CARD = "network.json"


def read_card(folder: Path) -> dict[str, Any]:
    """What the network in a folder is like; before there were cards, it was of the usual size and saw no module."""
    file = folder / CARD
    return json.loads(file.read_text()) if file.exists() else {"shape": asdict(Shape()), "inputs": {}}


def grown(name: str, tensor: Tensor, card: dict[str, Any]) -> Tensor:
    """A tensor of weights with columns for all that is seen today: by the names of the inputs, zero for new ones."""
    if name not in _MODULE_INPUTS:
        return tensor
    known = {seen: column for column, seen in enumerate(card["inputs"][name])}
    columns = [
        tensor[:, known[seen]] if seen in known else torch.zeros_like(tensor[:, 0]) for seen in _MODULE_INPUTS[name]
    ]
    return torch.stack(columns, 1)


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

    def begin_as_nothing(self) -> None:
        """Pass the tokens on as they are, until something is learned."""
        for last in (self.out, self.narrow):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)


def _from_zero(inputs: int, outputs: int) -> nn.Linear:
    """Weights that change nothing before they have learned something."""
    linear = nn.Linear(inputs, outputs, bias=False)
    nn.init.zeros_(linear.weight)
    return linear


class Network(nn.Module):
    """Bytes of observations in; logits, values and auxiliary answers out."""

    scale: Tensor
    pairs: Tensor
    dams: Tensor
    places: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        d = shape.width
        self.spaces = nn.Linear(BASE_PLANES, d)
        self.place = nn.Parameter(torch.randn(SPACES, d) * 0.02)
        self.table = nn.Sequential(nn.Linear(BASE_TABLE, 2 * d), nn.GELU(approximate="tanh"), nn.Linear(2 * d, d))
        self.share = nn.Linear(d, d)
        self.module_spaces = _from_zero(len(PLANES) - BASE_PLANES, d)
        self.module_table = _from_zero(len(TABLE) - BASE_TABLE, 2 * d)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(d)
        self.on_table = nn.Linear(d, BASE_TABLE_COLUMNS)
        self.on_space = nn.Linear(d, BASE_SPACE_COLUMNS)
        self.module_on_table = _from_zero(d, TABLE_COLUMNS - BASE_TABLE_COLUMNS)
        self.module_on_space = _from_zero(d, SPACE_COLUMNS - BASE_SPACE_COLUMNS)
        self.origin = nn.Linear(d, shape.reach)
        self.target = nn.Linear(d, shape.reach)
        self.seats = nn.Sequential(nn.Linear(2 * d, 2 * d), nn.GELU(approximate="tanh"), nn.Linear(2 * d, 12))
        self.owner = nn.Linear(d, 5)
        self.light = nn.Linear(d, 2)
        self.register_buffer("scale", 1.0 / torch.tensor(table_scale()), persistent=False)
        self.register_buffer("pairs", torch.tensor(PAIRS), persistent=False)
        self.register_buffer("dams", torch.tensor(DAM_SPACES), persistent=False)
        self.register_buffer("places", torch.tensor(logit_places()), persistent=False)

    def load_grown(self, weights: dict[str, Tensor], card: dict[str, Any]) -> None:
        """Take weights, also those of a network that saw less or has fewer blocks; `card` says what it is like."""
        missing, unknown = self.load_state_dict(
            {name: grown(name, tensor, card) for name, tensor in weights.items()}, strict=False
        )
        younger = ("module_", *(f"blocks.{layer}." for layer in range(card["shape"]["layers"], self.shape.layers)))
        if unknown or any(not name.startswith(younger) for name in missing):
            raise ValueError(f"these weights are of another kind of network: {sorted({*missing, *unknown})}")
        for block in self.blocks[card["shape"]["layers"] :]:
            block.begin_as_nothing()

    def card(self) -> dict[str, Any]:
        """The network's size, and what of the modules it sees by which weights."""
        return {"shape": asdict(self.shape), "inputs": {name: list(inputs) for name, inputs in _MODULE_INPUTS.items()}}

    def embed(self, raw: Tensor) -> Tensor:
        """A token for the table and one for each space (n, 38, width)."""
        n = raw.shape[0]
        kind = self.place.dtype
        planes = raw[:, : len(PLANES) * PLANE_BYTES].view(n, len(PLANES), PLANE_BYTES)[:, :, :SPACES]
        planes = planes.to(kind).transpose(1, 2)
        numbers = self._numbers(raw)
        first, gelu, second = self.table
        table = second(gelu(first(numbers[:, :BASE_TABLE]) + self.module_table(numbers[:, BASE_TABLE:])))
        spaces = self.spaces(planes[:, :, :BASE_PLANES]) + self.module_spaces(planes[:, :, BASE_PLANES:])
        spaces = spaces + self.place + self.share(table)[:, None]
        return torch.cat([table[:, None], spaces], 1)

    def _numbers(self, raw: Tensor) -> Tensor:
        """The table's numbers, all about 0 to 1."""
        return raw[:, TABLE_OFFSET : TABLE_OFFSET + len(TABLE)].to(self.place.dtype) * self.scale.to(self.place.dtype)

    def forward(self, raw: Tensor) -> Answers:
        """What the network says of positions."""
        x = self.embed(raw)
        for block in self.blocks:
            x = block(x)
        return self.read(x, raw)

    def read(self, x: Tensor, raw: Tensor) -> Answers:
        """Logits (n, actions), win logits, margin logits, points (n, 4), owners (n, 37, 5), light (n, 37, 2)."""
        x = self.norm(x)
        table, spaces = x[:, 0], x[:, 1:]
        on_table = torch.cat([self.on_table(table), self.module_on_table(table)], 1)
        each = torch.cat([self.on_space(spaces), self.module_on_space(spaces)], 2).transpose(1, 2)
        plant = torch.einsum("noc,ntc->not", self.origin(spaces), self.target(spaces)) * self.shape.reach**-0.5
        dams = each[:, -1, self.dams].sum(2)
        found = torch.cat([on_table, each.flatten(1), plant.flatten(1)[:, self.pairs], dams], 1)
        logits = found[:, self.places]
        seats = self.seats(torch.cat([table, spaces.mean(1)], 1)).view(-1, 3, 4)
        win = seats[:, 0] - 1e4 * self._absent(raw)
        return logits, win, seats[:, 1], seats[:, 2], self.owner(spaces), self.light(spaces)

    def _absent(self, raw: Tensor) -> Tensor:
        """Which of the four seats nobody has (n, 4)."""
        two, three = self._numbers(raw)[:, PLAYERS_AT], self._numbers(raw)[:, PLAYERS_AT + 1]
        nobody = torch.zeros_like(two)
        return torch.stack([nobody, nobody, two, two + three], 1)

    def answer(self, raw: Tensor, asked: Tensor) -> Tensor:
        """What a search wants: (n, 4 + asked) values of the seats, then logits of the actions asked about."""
        return self.for_search(self(raw), asked)

    @staticmethod
    def for_search(answers: Answers, asked: Tensor) -> Tensor:
        """The part of the answers that a search wants."""
        logits, win, margin, *_ = answers
        value = (1 - MARGIN_SHARE) * torch.softmax(win.float(), 1) + MARGIN_SHARE * torch.sigmoid(margin.float())
        return torch.cat([value, logits.gather(1, asked.long()).float()], 1)


def averaged(folder: Path) -> Network:
    """The averaged network of a training folder; weights it has not got are those of the modules, and zero."""
    card = read_card(folder)
    network = Network(Shape(**card["shape"]))
    network.load_grown(torch.load(folder / "average.pt", map_location="cpu"), card)
    return network.eval()
