"""How long the solver of last turns takes for those of the puzzles.

    python bench/last_turns.py [--rounds 5]

Told are the median and the longest time of a position, the best of some rounds each, and the time in which all of them
are solved. That it finds the best is tested: `pytest -m proof tests/test_last_turns.py` tries everything in 1,000.
"""

from __future__ import annotations

import argparse
import statistics
import time

from sunglade.kernel.record import Record
from sunglade.search.last_turn import Solver
from sunglade.teaching.puzzles import puzzles


def main() -> None:
    """Solve them all, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    solver, positions = Solver(), [task.game().now for task in puzzles() if task.kind == "last_turn"]
    solver.solve(positions[0])  # compiles
    times = [min(seconds(solver, position) for _ in range(rounds)) for position in positions]
    print(
        f"{len(times)} positions: median {statistics.median(times) * 1e6:.1f} µs, "
        f"longest {max(times) * 1e6:.1f} µs, all {sum(times) * 1e3:.2f} ms"
    )


def seconds(solver: Solver, position: Record) -> float:
    """How long one takes."""
    began = time.perf_counter()
    solver.solve(position)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
