"""The kernel compiled ahead of time against the one that Numba compiles, in turn, by processor time.

`make prebuilt`, then `python bench/prebuilt.py [--rounds N]`: random games by Numba, by each native library and by
WebAssembly in Node (all must give the same answers), and the engine's first answer with and without the library.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "build" / "prebuilt"
os.environ["SUNGLADE_PREBUILT"] = ""  # Numba in this process

from sunglade import kernel  # noqa: E402
from sunglade.bench import start_record  # noqa: E402
from sunglade.kernel import LegalList, Record  # noqa: E402
from sunglade.prebuilding.stamps import WASM  # noqa: E402
from sunglade.prebuilt.library import SUFFIX, Library, machine, processors  # noqa: E402
from sunglade.rules import MODULES, Rules  # noqa: E402

Playouts = Callable[[Record, int, int], tuple[float, list[int]]]
"""Plays games from a position, by a seed; gives the seconds it took, and what it found."""
REQUEST = b'{"id": 1, "cmd": "state", "game": {"players": 2}}\n'


def called(function: Any) -> Playouts:
    """Random games by a function of this process."""

    def play(start: Record, games: int, seed: int) -> tuple[float, list[int]]:
        arrays = start.array(), start.copy().array(), LegalList().array()
        began = time.process_time()
        answer = function(*arrays, games, seed)
        return time.process_time() - began, list(answer)

    return play


def in_node() -> Playouts:
    """Random games in WebAssembly."""
    command = [shutil.which("node") or "node", str(HERE / "playouts.mjs"), str(FOLDER)]
    node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def play(start: Record, games: int, seed: int) -> tuple[float, list[int]]:
        assert node.stdin is not None and node.stdout is not None
        request = {"start": bytes(start).hex(), "list": LegalList.size, "games": games, "seed": seed}
        print(json.dumps(request), file=node.stdin, flush=True)
        told = json.loads(node.stdout.readline())
        return told["seconds"], told["answer"]

    return play


def compare(ways: dict[str, Playouts], start: Record, games: int, rounds: int) -> dict[str, list[float]]:
    """Games a second, round by round, each way in turn."""
    paces: dict[str, list[float]] = {name: [] for name in ways}
    for seed in range(rounds + 1):
        answers = []
        for name, play in ways.items():
            seconds, answer = play(start, games, seed + 1)
            answers.append(answer)
            paces[name].append(games / seconds)
        assert answers == answers[:1] * len(answers), answers
    return {name: pace[1:] for name, pace in paces.items()}  # the first is for warming up


def first_answer(folder: str) -> tuple[float, float, float]:
    """Seconds, processor seconds and MiB until an engine has answered once."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "sunglade", "engine"]
    environment = os.environ | {"SUNGLADE_PREBUILT": folder}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write(REQUEST)
        engine.stdin.flush()
        assert b'"legal"' in engine.stdout.readline()
        seconds = time.perf_counter() - began
        status = Path(f"/proc/{engine.pid}/status").read_text(encoding="utf-8")
        times = Path(f"/proc/{engine.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        engine.stdin.close()
    most = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    return seconds, sum(map(int, times)) / os.sysconf("SC_CLK_TCK"), most / 1024


def ratio(some: list[float], others: list[float]) -> float:
    """The middle of the ratios, pair by pair."""
    return statistics.median(one / other for one, other in zip(some, others, strict=True))


def main() -> None:
    """Print a line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=4000)
    args = parser.parse_args()
    ways = {"Numba": called(kernel.playouts)}
    for name in map(machine, processors()):
        page = FOLDER / f"{name}.json"
        if page.is_file():
            library = Library(name, json.loads(page.read_bytes())["functions"], page.with_suffix(SUFFIX))
            if library.holds("sunglade.kernel.playout.playouts"):  # others hold the network alone
                ways[name] = called(library.function("sunglade.kernel.playout.playouts"))
    if (FOLDER / f"{WASM}.wasm").is_file():
        ways[WASM] = in_node()
    for players in (2, 3, 4):
        for modules in ((), MODULES):
            start = start_record(players, Rules(modules=modules))
            paces = compare(ways, start, args.games, args.rounds)
            told = [
                f"{way} {statistics.median(pace):,.0f} ({ratio(pace, paces['Numba']):.3f})"
                for way, pace in paces.items()
            ]
            print(
                f"{players} players{', all modules' if modules else ''}, games/s (of Numba's):",
                ", ".join(told),
                flush=True,
            )
    starts = [(first_answer(""), first_answer(str(FOLDER))) for _ in range(args.rounds + 1)][1:]
    for place, unit in enumerate(("seconds", "processor seconds", "MiB")):
        numba, prebuilt = [pair[0][place] for pair in starts], [pair[1][place] for pair in starts]
        middle = f"{statistics.median(numba):.3f} by Numba, {statistics.median(prebuilt):.3f} prebuilt"
        print(f"engine's first answer, {unit}: {middle} ({ratio(prebuilt, numba):.3f})")


if __name__ == "__main__":
    main()
