"""From training to play: `python -m sunglade.neural.export FOLDER OUT.safetensors` writes the averaged network."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import torch

from sunglade.neural.features import WHOLE_GAME, Sight
from sunglade.neural.forward.layout import Size
from sunglade.neural.network import Network, averaged, read_card
from sunglade.neural.packing import pack
from sunglade.neural.provenance import provenance
from sunglade.neural.weights_file import write_weights

LEARNED: Final = "2 to 4 players, all editions, every set of modules with its readings"


def for_play(network: Network, sight: Sight) -> bytes:
    """The file of a network that has learned so much."""
    size = Size(**asdict(network.shape), **asdict(sight))
    return write_weights(size, pack({name: tensor.numpy() for name, tensor in network.state_dict().items()}, size))


def export(folder: Path, target: Path) -> None:
    """Write the network, and beside it its card: what it was made for and how it was trained."""
    saved = torch.load(folder / "weights.pt", map_location="cpu")
    target.write_bytes(for_play(averaged(folder), WHOLE_GAME))
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
