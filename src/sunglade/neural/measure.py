"""How much of self-play is spent in the network: `python -m sunglade.neural.measure --folder training/whole`.

Compares, in one run, the simulations/s of self-play without learning with the positions/s of the same network when it
does nothing else: the same batches, on the device already.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import torch

from sunglade.neural.train import Run, options_of


def per_second(work: Callable[[], int], seconds: float) -> float:
    """How much of something is done in a second, over so many seconds."""
    work()
    _finish()
    began = time.perf_counter()
    done = 0
    while time.perf_counter() - began < seconds:
        done += work()
        _finish()
    return done / (time.perf_counter() - began)


def _finish() -> None:
    """Until the device has done what it was told."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def bare(run: Run, rounds: int = 20) -> int:
    """The network alone, answering for both halves several times."""
    evaluator = run.evaluator
    for _ in range(rounds):
        for which in range(2):
            if evaluator.cuda:
                evaluator.graphs[which].replay()
            else:
                evaluator.launch(which)
    return rounds * sum(len(half.games) for half in run.play.halves)


def playing(run: Run, rounds: int = 20) -> int:
    """Self-play: both halves in turn, the cores at work on one while the network answers for the other."""
    for which in range(2):
        run.evaluator.launch(which)
    for _ in range(rounds):
        for which in range(2):
            run.evaluator.wait(which)
            run.play.advance(which)
            run.play.finished(which)
            run.evaluator.launch(which)
    return rounds * sum(len(half.games) for half in run.play.halves)


def main() -> None:
    """Interleaved, so that both meet the same machine."""
    run = Run(options_of())
    found: dict[str, list[float]] = {"network": [], "self-play": []}
    for _ in range(3):
        found["network"].append(per_second(lambda: bare(run), 5))
        found["self-play"].append(per_second(lambda: playing(run), 5))
    medians = {name: round(sorted(rates)[1]) for name, rates in found.items()}
    print(json.dumps({**medians, "share": round(medians["self-play"] / medians["network"], 3)}))


if __name__ == "__main__":
    main()
