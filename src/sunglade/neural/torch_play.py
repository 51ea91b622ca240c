"""The networks that come with the package in PyTorch, for positions that are on a GPU already."""

from __future__ import annotations

import torch

from sunglade.neural.inference import shipped_file
from sunglade.neural.network import Network, Shape
from sunglade.neural.packing import unpack
from sunglade.neural.weights_file import read_weights


def shipped_network(name: str) -> tuple[Network, int]:
    """A network whose logits are those of play, and for how many actions it has learned them."""
    size, content = read_weights(shipped_file(name))
    network = Network(Shape(size.width, size.layers, size.heads, size.reach))
    weights = {part: torch.from_numpy(array) for part, array in unpack(content, size).items()}
    _, unknown = network.load_state_dict(weights, strict=False)  # what only learning needs is not there
    assert not unknown, unknown
    return network.eval().requires_grad_(False), size.actions
