"""The newest network plays itself, and the games are kept: the first of three steps to docs/strategy.md.

    python -m training.strategy.play --folder FOLDER --seconds 300      on a machine with a GPU (and PyTorch)
    python -m training.strategy.count FOLDER                            writes training/strategy/counts.json
    python -m training.strategy.guide                                   writes docs/strategy.md and its pictures

All are run from the root of a checkout. The first ends by itself after so many seconds, compiling included, and writes
`games-00.npz` …, each when it is full (some 2 MB), and at the end `games.json`. A table begins the next game as soon as
one has ended; no game is begun that would not end in time, so that long games are not missing.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from training.strategy.plan import Array, planned, start

from sunglade.kernel.record import OVER
from sunglade.neural import selfplay_search
from sunglade.neural.ladder import load
from sunglade.neural.network import Network
from sunglade.neural.provenance import commit
from sunglade.neural.selfplay import SelfPlay, Settings, plain_memory
from sunglade.neural.selfplay_opponents import MAX_HISTORY
from sunglade.neural.train import Evaluator, pinned, write_text

NOBODY: Final = -1
PART: Final = 10_000
"""Games in a file."""
SLACK: Final = 1.3
"""The last games may take so much longer than the longest before them."""


class Recorder:
    """Tables at which the planned games are played one after another, and the games that have ended."""

    def __init__(self, network: Network, device: torch.device, options: argparse.Namespace) -> None:
        self.until = options.until
        self.folder: Path = options.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.first = self.next = options.first
        self.last = options.first + options.games
        settings = Settings(
            full=options.simulations, fast=options.simulations, full_share=0.0, considered=16, noise=options.noise,
            noisy_rounds=options.noisy_rounds, once=True,
        )  # fmt: skip
        self.settings = [settings.record(0), settings.record(0)]
        self.settings[True]["random_setup"] = 1.0
        allocate = pinned if device.type == "cuda" else plain_memory
        self.play = SelfPlay(options.tables, options.threads, settings, start(self.first), 1, allocate)
        self.numbers = [np.full(len(half.games), NOBODY) for half in self.play.halves]
        self.begun = [np.zeros(len(half.games)) for half in self.play.halves]
        self.longest = 0.0
        self.too_long = 0
        self.ended: list[tuple[int, Array]] = []
        self.parts = 0
        self.evaluator = Evaluator(network, network, 0, self.play.halves, device)
        if device.type == "cuda":
            from sunglade.neural.fused import FusedAnswers

            network.answer = FusedAnswers(network)  # type: ignore[method-assign]
            self.evaluator.capture()

    def compile(self) -> None:
        """Let every function be compiled by a few steps of games that do not count."""
        for which in range(2):
            self._step(which)

    def _step(self, which: int) -> None:
        self.evaluator.launch(which)
        self.evaluator.wait(which)
        self.play.advance(which)

    def go(self) -> None:
        """Play until there is no time for another game, and let those that were begun end."""
        for which in range(2):
            for table in range(len(self.numbers[which])):
                if self.next < self.last:
                    self._begin(which, table)
            self.evaluator.launch(which)
        report = time.monotonic()
        while any((numbers != NOBODY).any() for numbers in self.numbers) and time.monotonic() < self.until:
            for which in range(2):
                self.evaluator.wait(which)
                self.play.advance(which)
                self._exchange(which)
                self.evaluator.launch(which)
            if len(self.ended) >= PART * (self.parts + 1):
                self._save_part()
            if time.monotonic() > report:
                print(json.dumps({"begun": self.next - self.first, "ended": len(self.ended)}), flush=True)
                report = time.monotonic() + 10
        for which in range(2):
            self.evaluator.wait(which)
        while PART * self.parts < len(self.ended):
            self._save_part()

    def _save_part(self) -> None:
        """The next games in a file: their numbers, how many actions each has, and all actions in a row."""
        games = self.ended[PART * self.parts : PART * (self.parts + 1)]
        target = self.folder / f"games-{self.parts:02}.npz"
        with target.with_suffix(".new").open("wb") as file:
            np.savez_compressed(
                file,
                number=np.array([number for number, _ in games], np.int32),
                length=np.array([len(actions) for _, actions in games], np.int16),
                action=np.concatenate([actions for _, actions in games]).astype(np.int16),
            )
        os.replace(target.with_suffix(".new"), target)
        self.parts += 1

    def _begin(self, which: int, table: int) -> None:
        """Begin the next planned game at a table."""
        half = self.play.halves[which]
        number, self.next = self.next, self.next + 1
        settings = self.settings[planned(number).random_setup]
        selfplay_search.begin(
            table, table + 1, start(number), half.games, half.trees, half.lists, half.observations, half.asks,
            settings, number, False,
        )  # fmt: skip
        self.numbers[which][table] = number
        self.begun[which][table] = time.monotonic()

    def _exchange(self, which: int) -> None:
        """Keep the games that have just ended; their tables begin others while there is time."""
        half = self.play.halves[which]
        numbers = self.numbers[which]
        tables = np.flatnonzero((half.games["phase"] == OVER) & (numbers != NOBODY))
        if not len(tables):
            return
        now = time.monotonic()
        for table in tables:
            played = int(half.trees[table]["played"])
            if played <= MAX_HISTORY:
                self.ended.append((int(numbers[table]), half.trees[table]["history"][:played].copy()))
            else:
                self.too_long += 1
            self.longest = max(self.longest, now - self.begun[which][table])
            numbers[table] = NOBODY
            if self.next < self.last and now + SLACK * self.longest < self.until:
                self._begin(which, int(table))

    def unfinished(self) -> int:
        """How many games were begun and had not ended when the time was up."""
        return sum(int((numbers != NOBODY).sum()) for numbers in self.numbers)


def main(arguments: list[str] | None = None) -> None:
    """Play, and write the games and how they came about."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m training.strategy.play", description="Play games for the guide.")
    parser.add_argument("--folder", type=Path, required=True, help="where the games go")
    parser.add_argument("--seconds", type=float, default=300.0, help="when to end, compiling included")
    parser.add_argument("--network", type=Path, default=Path("training/whole"), help="a training folder")
    parser.add_argument("--simulations", type=int, default=32, help="an action")
    parser.add_argument("--noise", type=float, default=6.0, help="variety: how freely the set-up is drawn")
    parser.add_argument("--noisy-rounds", type=int, default=0, help="and until which round the actions, too")
    parser.add_argument("--tables", type=int, default=6144, help="games side by side")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--games", type=int, default=1_000_000, help="no more than so many, however much time there is")
    parser.add_argument("--first", type=int, default=0, help="number of the first game; other numbers, other games")
    options = parser.parse_args(arguments)
    if any(options.folder.glob("games-*.npz")):
        raise SystemExit(f"{options.folder} has games already, which would be overwritten: name another folder.")
    options.until = began + options.seconds
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    recorder = Recorder(load(options.network, device), device, options)
    recorder.compile()
    ready = time.monotonic()
    print(json.dumps({"compiled_s": round(ready - began, 1)}), flush=True)
    recorder.go()
    line: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{torch.cuda.get_device_name() if device.type == 'cuda' else 'CPU'}, {os.cpu_count()} cores",
        "commit": commit(),
        "network": options.network.as_posix(),
        "simulations": options.simulations,
        "noise": options.noise,
        "noisy_rounds": options.noisy_rounds,
        "first": options.first,
        "games": len(recorder.ended),
        "unfinished": recorder.unfinished(),
        "too_long": recorder.too_long,
        "seconds": round(time.monotonic() - ready, 1),
    }
    write_text(options.folder / "games.json", json.dumps(line, indent=1) + "\n")
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
