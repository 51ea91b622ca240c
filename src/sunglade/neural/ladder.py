"""Networks against each other, thousands of games at a time: steps too small for the arena are seen here.

    python -m sunglade.neural.ladder new=training/whole:32 old=training/2026-11:32 --games 2000

Every network has a name, a folder (or a file of weights) and its simulations an action, 0 for its bare policy. Each
meets the first one. Games begin with a random set-up; games with the same opening differ in who sits where, and every
way to seat the two sides comes equally often. With more than two players a side has one or more of the seats, so that
equally strong sides win half of the games together.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from sunglade.encode import OBSERVATION
from sunglade.neural.network import Network, averaged
from sunglade.neural.selfplay import Array, Half, SelfPlay, Settings, modules_only, plain_memory, start_positions
from sunglade.neural.selfplay_search import ANSWER, ASK

CHUNK = 2048
"""Positions that a network answers at a time."""


class Contestant(NamedTuple):
    """A network, and how long it searches."""

    name: str
    folder: Path
    simulations: int

    @classmethod
    def from_text(cls, text: str) -> Contestant:
        """From `name=folder:simulations`."""
        name, _, rest = text.partition("=")
        folder, _, simulations = rest.rpartition(":")
        if not (name and folder and simulations.isdecimal()):
            raise SystemExit(f"a contestant is name=folder:simulations, not {text!r}.")
        return cls(name, Path(folder), int(simulations))


@dataclass(frozen=True)
class Result:
    """How often one side won, and how sure that is."""

    games: int
    share: float
    error: float  # standard error of the share

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference, and the ends of its 95 % interval."""
        low, high = self.share - 1.96 * self.error, self.share + 1.96 * self.error
        return _elo(self.share), _elo(low), _elo(high)


def _elo(share: float) -> float:
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))


def load(folder: Path, device: torch.device) -> Network:
    """The averaged network of a training folder, on the device."""
    return averaged(folder).to(device).to(torch.bfloat16 if device.type == "cuda" else torch.float32)


class Answering:
    """One network that answers in chunks of one size, so that its work is recorded once."""

    def __init__(self, network: Network, device: torch.device) -> None:
        self.device = device
        self.raw = torch.zeros(CHUNK, OBSERVATION.itemsize, dtype=torch.uint8, device=device)
        self.asked = torch.zeros(CHUNK, ASK.itemsize // 2 - 4, dtype=torch.int16, device=device)
        if device.type == "cuda":
            from sunglade.neural.fused import FusedAnswers

            self._answer: Any = FusedAnswers(network)
            self._record()
        else:
            self._answer = network.answer

    def _record(self) -> None:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream), torch.no_grad():
            for _ in range(3):
                self._answer(self.raw, self.asked)
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph), torch.no_grad():
            self.out = self._answer(self.raw, self.asked)

    def answer(self, raw: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """Answers for any number of positions on the device."""
        found = []
        for first in range(0, len(raw), CHUNK):
            part, asked = raw[first : first + CHUNK], words[first : first + CHUNK, 4:]
            n = len(part)
            if self.device.type == "cuda":
                self.raw[:n].copy_(part)
                self.asked[:n].copy_(asked)
                self.graph.replay()
                found.append(self.out[:n].clone())
            else:
                with torch.no_grad():
                    found.append(self._answer(part, asked))
        return torch.cat(found) if found else torch.zeros(0, ANSWER.itemsize // 4, device=self.device)


def answer_half(half: Half, sides: tuple[Answering, Answering], device: torch.device) -> None:
    """Let each side's network answer for the tables where it thinks."""
    asking = np.flatnonzero(half.asks["count"])
    past = half.asks["past"][asking]
    for side, network in enumerate(sides):
        rows = asking[past == side]
        if not len(rows):
            continue
        raw = torch.from_numpy(half.observations[rows].view(np.uint8).reshape(len(rows), -1)).to(device)
        words = torch.from_numpy(half.asks[rows].view(np.int16).reshape(len(rows), -1)).to(device)
        answers = network.answer(raw, words).float().cpu().numpy()
        half.answers[rows] = np.ascontiguousarray(answers).view(ANSWER).reshape(len(rows))


def play(
    sides: tuple[Answering, Answering],
    simulations: tuple[int, int],
    starts: Array,
    games: int,
    seed: int,
    device: torch.device,
    threads: int,
) -> Result:
    """A match: the first side against the second, over all ways to seat them."""
    ways = (1 << int(starts[0]["players"])) - 2
    openings = -(-games // (2 * ways))  # in each half
    settings = Settings(
        full=simulations[0], fast=simulations[0], full_share=0.0, considered=16, noise=0.0, random_setup=1.0,
        rival=simulations[1], once=True,
    )  # fmt: skip
    tables = SelfPlay(2 * openings * ways, threads, settings, starts, seed, plain_memory, match=True)
    with ThreadPoolExecutor(1) as other_half:
        answered = [other_half.submit(answer_half, half, sides, device) for half in tables.halves]
        while any(half.asks["count"].any() for half in tables.halves):
            for which, half in enumerate(tables.halves):
                answered[which].result()
                tables.advance(which)
                answered[which] = other_half.submit(answer_half, half, sides, device)
    shares = [_first_sides_share(half).reshape(openings, ways).mean(1) for half in tables.halves]
    share = np.concatenate(shares)
    return Result(2 * openings * ways, float(share.mean()), float(share.std(ddof=1) / math.sqrt(len(share))))


def _first_sides_share(half: Half) -> Array:
    """What the first side won at each table."""
    seats = np.arange(4)
    rivals = half.trees["others"][:, None] >> seats & 1
    won: Array = (half.outcomes["win"] * (1 - rivals)).sum(1)
    return won


def main() -> None:
    """Each contestant against the first, for each number of players, with and without modules."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.neural.ladder", description="Compare networks.")
    parser.add_argument("contestants", nargs="+", type=Contestant.from_text, metavar="name=folder:simulations")
    parser.add_argument("--games", type=int, default=2000, help="games of each pairing")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--modules", choices=["without", "with", "both"], default="without")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--out", type=Path, help="a file that gets a line of JSON for each pairing")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folders = {one.folder for one in options.contestants}
    networks = {folder: Answering(load(folder, device), device) for folder in folders}
    first, *others = options.contestants
    one = networks[first.folder]
    play((one, one), (1, 1), starts_of(2, True), 4, 1, device, options.threads)  # compiles it: the clock starts later
    for other in others:
        for modules in {"without": [False], "with": [True], "both": [False, True]}[options.modules]:
            for players in options.players:
                began = time.perf_counter()
                found = play(
                    (networks[first.folder], networks[other.folder]), (first.simulations, other.simulations),
                    starts_of(players, modules), options.games, options.seed, device, options.threads,
                )  # fmt: skip
                elo, low, high = found.elo
                line = {
                    "first": first.name, "second": other.name, "players": players, "modules": modules,
                    "games": found.games, "share": round(found.share, 4), "elo": round(elo), "low": round(low),
                    "high": round(high), "seconds": round(time.perf_counter() - began, 1),
                }  # fmt: skip
                print(json.dumps(line), flush=True)
                if options.out:
                    with options.out.open("a") as file:
                        file.write(json.dumps(line) + "\n")


def starts_of(players: int, modules: bool) -> Array:
    """Start positions by the reference rules, or with modules as in training."""
    starts = start_positions((players,), modules=modules)
    return modules_only(starts) if modules else starts[:1]


if __name__ == "__main__":
    main()
