"""From training to play: `python -m sunglade.neural.export FOLDER OUT.onnx` writes the averaged network.

The file takes the bytes of observations and answers with logits of all actions (n, 1409) and the value of each relative
seat (n, 4).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from sunglade.encode import OBSERVATION
from sunglade.neural.features import WHOLE_GAME
from sunglade.neural.network import Network, Shape, read_card
from sunglade.neural.provenance import provenance
from sunglade.search.value import MARGIN_SHARE

LEARNED: Final = "2 to 4 players, all editions, every set of modules with its readings"


class Playing(nn.Module):
    """The part of the network that a search asks."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, raw: Tensor) -> tuple[Tensor, Tensor]:
        logits, win, margin, *_ = self.network(raw)
        return logits, (1 - MARGIN_SHARE) * torch.softmax(win, 1) + MARGIN_SHARE * torch.sigmoid(margin)


def load(folder: Path) -> Network:
    """The averaged network of a training folder."""
    card = read_card(folder)
    network = Network(Shape(**card["shape"]))
    network.load_grown(torch.load(folder / "average.pt", map_location="cpu"), card)
    return network.eval()


def export(folder: Path, target: Path) -> None:
    """Write the network, and beside it its card: what it was made for and how it was trained."""
    saved = torch.load(folder / "weights.pt", map_location="cpu")
    example = torch.zeros(2, OBSERVATION.itemsize, dtype=torch.uint8)
    torch.onnx.export(
        Playing(load(folder)), (example,), str(target), input_names=["observation"], output_names=["logits", "value"],
        dynamic_axes={name: {0: "n"} for name in ("observation", "logits", "value")}, opset_version=20, dynamo=False,
    )  # fmt: skip
    card = {
        **provenance(folder),
        "learned": LEARNED,
        "sight": asdict(WHOLE_GAME),
        "encoding": WHOLE_GAME.version(),
        "sha256": sha256(target.read_bytes()).hexdigest(),
        "trained": datetime.now(UTC).date().isoformat(),
        "shape": read_card(folder)["shape"],
        **{key: saved[key] for key in ("steps", "positions", "games", "seconds")},
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write a trained network for play.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    export(options.folder, options.target)
