"""The kernel compiled ahead of time against the one that Numba compiles, in turn, by processor time.

`make prebuilt`, then `python bench/prebuilt.py [--rounds N] [--node PATH]`: random games and simulations of `search` by
Numba, by each native library and by WebAssembly in Node (all must give the same answers), and the engine's first answer
with and without the library. How quick WebAssembly is depends on Node's age: browsers of today have the engine of 24.
"""

from __future__ import annotations

import argparse
import json
import os
import random
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
from sunglade.game import Game  # noqa: E402
from sunglade.kernel import LegalList, Record  # noqa: E402
from sunglade.prebuilding.stamps import WASM  # noqa: E402
from sunglade.prebuilt.library import SUFFIX, Library, machine, processors  # noqa: E402
from sunglade.rules import MODULES, Rules  # noqa: E402
from sunglade.search import uct  # noqa: E402
from sunglade.search.rollout_thinker import Settings  # noqa: E402

Work = Callable[[Record, int, int], tuple[float, list[int]]]
"""Does so much from a position, by a seed; gives the seconds it took, and what it found."""
PLAYOUTS = "sunglade.kernel.playout.playouts"
SIMULATE = "sunglade.search.uct.simulate"
MIDDLE = 9
"""The round from which simulations are run."""
SHOWN = 8
"""Nodes of a tree whose visits must be the same."""
REQUEST = b'{"id": 1, "cmd": "state", "game": {"players": 2}}\n'


def playing(function: Any) -> Work:
    """Random games by a function of this process."""

    def play(start: Record, games: int, seed: int) -> tuple[float, list[int]]:
        arrays = start.array(), start.copy().array(), LegalList().array()
        began = time.process_time()
        answer = function(*arrays, games, seed)
        return time.process_time() - began, list(answer)

    return play


def simulating(function: Any) -> Work:
    """Simulations of `search` by a function of this process."""
    tree = uct.Tree()

    def simulate(start: Record, simulations: int, seed: int) -> tuple[float, list[int]]:
        roots, desk, settings = planted(tree, start, seed)
        began = time.process_time()
        function(tree, roots, desk, settings, simulations)
        return time.process_time() - began, tree.visits[:SHOWN].tolist()

    return simulate


def planted(tree: uct.Tree, start: Record, seed: int) -> tuple[uct.Roots, uct.Desk, uct.Settings]:
    """Make a tree empty; what else a search of a position takes."""
    desk = uct.Desk()
    uct.plant(tree, [desk.hand], [seed])
    return uct.Roots.at([start]), desk, Settings().as_record()


class Node:
    """WebAssembly in Node: a line of JSON in, a line of JSON out."""

    def __init__(self, program: str) -> None:
        command = [program, str(HERE / "prebuilt.mjs"), str(FOLDER)]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._tree = uct.Tree()

    def _asked(self, **request: Any) -> tuple[float, list[int]]:
        assert self._node.stdin is not None and self._node.stdout is not None
        print(json.dumps(request), file=self._node.stdin, flush=True)
        told = json.loads(self._node.stdout.readline())
        return told["seconds"], told["answer"]

    def play(self, start: Record, games: int, seed: int) -> tuple[float, list[int]]:
        """Random games."""
        return self._asked(work="play", start=bytes(start).hex(), list=LegalList.size, count=games, seed=seed)

    def simulate(self, start: Record, simulations: int, seed: int) -> tuple[float, list[int]]:
        """Simulations of `search`; of the empty tree only the beginning of each field is told."""
        given = [bytes(each).hex() for each in planted(self._tree, start, seed)]
        fields = {field.offset: field.bytes_of(self._tree)[:64].hex() for field in uct.Tree.fields}
        visits = next(field.offset for field in uct.Tree.fields if field.name == "visits")
        return self._asked(
            work="simulate",
            tree={"size": uct.Tree.size, "fields": fields, "visits": visits, "shown": SHOWN},
            given=given,
            count=simulations,
        )


def compare(ways: dict[str, Work], start: Record, count: int, rounds: int) -> dict[str, list[float]]:
    """What is done in a second, round by round, each way in turn."""
    paces: dict[str, list[float]] = {name: [] for name in ways}
    for seed in range(rounds + 1):
        answers = []
        for name, work in ways.items():
            seconds, answer = work(start, count, seed + 1)
            answers.append(answer)
            paces[name].append(count / seconds)
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


def in_the_middle(players: int, modules: tuple[str, ...]) -> Record:
    """A position of the middle game, nothing hidden in it."""
    game, choice = Game(players=players, rules=Rules(modules=modules), seed=1), random.Random(1)
    while game.now.current_round < MIDDLE:
        game.play(choice.choice(game.legal))
    return game.now


def libraries() -> dict[str, Library]:
    """The native ones that hold the rules; others hold the network alone."""
    pages = {name: FOLDER / f"{name}.json" for name in map(machine, processors())}
    found = {
        name: Library(name, json.loads(page.read_bytes())["functions"], page.with_suffix(SUFFIX))
        for name, page in pages.items()
        if page.is_file()
    }
    return {name: library for name, library in found.items() if library.holds(PLAYOUTS)}


def tell(what: str, ways: dict[str, Work], start: Record, count: int, rounds: int) -> None:
    """A line: each way's pace, and its share of Numba's."""
    paces = compare(ways, start, count, rounds)
    told = [f"{way} {statistics.median(pace):,.0f} ({ratio(pace, paces['Numba']):.3f})" for way, pace in paces.items()]
    print(f"{what} (of Numba's):", ", ".join(told), flush=True)


def main() -> None:
    """Print a line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--node", default=shutil.which("node") or "node", help="which Node runs WebAssembly")
    args = parser.parse_args()
    native = libraries()
    games = {"Numba": playing(kernel.playouts)}
    games |= {name: playing(library.function(PLAYOUTS)) for name, library in native.items()}
    simulations = {"Numba": simulating(uct.simulate)}
    simulations |= {name: simulating(library.function(SIMULATE)) for name, library in native.items()}
    if (FOLDER / f"{WASM}.wasm").is_file():
        node = Node(args.node)
        games[WASM], simulations[WASM] = node.play, node.simulate
    for players in (2, 3, 4):
        for modules in ((), MODULES):
            who = f"{players} players{', all modules' if modules else ''}"
            tell(f"{who}, games/s", games, start_record(players, Rules(modules=modules)), args.games, args.rounds)
            middle = in_the_middle(players, modules)
            tell(f"{who}, simulations/s", simulations, middle, args.simulations, args.rounds)
    starts = [(first_answer(""), first_answer(str(FOLDER))) for _ in range(args.rounds + 1)][1:]
    for place, unit in enumerate(("seconds", "processor seconds", "MiB")):
        numba, prebuilt = [pair[0][place] for pair in starts], [pair[1][place] for pair in starts]
        middle_one = f"{statistics.median(numba):.3f} by Numba, {statistics.median(prebuilt):.3f} prebuilt"
        print(f"engine's first answer, {unit}: {middle_one} ({ratio(prebuilt, numba):.3f})")


if __name__ == "__main__":
    main()
