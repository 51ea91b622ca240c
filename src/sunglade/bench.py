"""How fast it is: `sunglade bench`. Figures of one run belong together; compare ratios, not machines."""

from __future__ import annotations

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from sunglade import kernel, yardstick
from sunglade.deal import Deal
from sunglade.errors import BadRequest
from sunglade.rules import MODULES, Rules

PAIRS: Final = 7
GAMES: Final = 20_000
"""So many are measured unless a number is given."""
SEED: Final = 12345
Report = Callable[[str], None]


def start_record(players: int, rules: Rules) -> kernel.Record:
    """The start position, with the deal of seed 0 where animals play."""
    deal = Deal.from_seed(0, players)
    return kernel.new_record(rules, players, deal.animals, deal.babies)


def measure_playouts(players: int, games: int, rules: Rules | None = None) -> dict[str, float]:
    """Uniform random games on one thread, through the `legal` and `apply` that `Game` uses."""
    start = start_record(players, rules or Rules())
    arrays = start.array(), start.copy().array(), kernel.LegalList().array()
    kernel.playouts(*arrays, 20, SEED)
    began = time.process_time()
    played, alternatives, _ = kernel.playouts(*arrays, games, SEED)
    seconds = time.process_time() - began
    return {
        "games_per_s": round(games / seconds),
        "actions_per_s": round(played / seconds),
        "actions_per_game": round(played / games, 2),
        "branching": round(alternatives / played, 3),
    }


def first_compile_seconds() -> float:
    """Compiling everything from an empty cache, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="sunglade-bench-") as folder:
        code = "from sunglade import warm; print(warm.compile_kernel(lambda *_: None))"
        environment = {**os.environ, "SUNGLADE_CACHE": folder, "SUNGLADE_PREBUILT": ""}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        return round(float(done.stdout), 2)


def warm_start_seconds() -> float:
    """From starting `sunglade engine` to its first answer about a position, everything compiled before."""
    request = b'{"id": 1, "cmd": "state", "game": {"players": 2}}\n'
    code = "import sys; from sunglade.cli import main; sys.exit(main(['engine']))"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], input=request, capture_output=True, check=True)
    return round(time.perf_counter() - began, 3)


def traced_states_per_second() -> float:
    """States and legal lists that the engine's `trace` answers in a second."""
    from sunglade import engine
    from sunglade.game import Game

    game = Game(players=2)
    choices = np.random.default_rng(SEED)
    while not game.over:
        game.play(str(choices.choice(game.legal)))
    request = json.dumps({"id": 1, "cmd": "trace", "game": game.to_dict()}).encode()
    engine.answer(request)
    began = time.perf_counter()
    states = sum(len(json.dumps(engine.answer(request))) > 0 for _ in range(20)) * (len(game.actions) + 1)
    return round(states / (time.perf_counter() - began))


class Limit:
    """The C++ yardstick, built in a scratch folder and run in turn with our own games."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.program = yardstick.build(folder, "bench.cpp", scratch)

    def measure(self, players: int, games: int) -> dict[str, float]:
        """One repetition of the limit's own measurement."""
        done = subprocess.run(
            [str(self.program), str(players), str(games), "1"], capture_output=True, text=True, check=True
        )
        found = {name: re.search(rf"{name} ([\d.]+)", done.stdout) for name in ("games/s", "actions/game", "branching")}
        return {
            name.replace("/s", "_per_s").replace("/game", "_per_game"): float(m[1]) for name, m in found.items() if m
        }

    def compare(self, players: int, games: int) -> dict[str, Any]:
        """The median ratio of interleaved pairs, and whether both play the same game."""
        pairs = [(self.measure(players, games), measure_playouts(players, games)) for _ in range(PAIRS)]
        ratios = [ours["games_per_s"] / limit["games_per_s"] for limit, ours in pairs]
        limit, ours = pairs[-1]
        return {
            "ratio": round(statistics.median(ratios), 3),
            "ratios": [round(ratio, 3) for ratio in ratios],
            "limit_games_per_s": round(statistics.median(limit["games_per_s"] for limit, _ in pairs)),
            "games_per_s": round(statistics.median(ours["games_per_s"] for _, ours in pairs)),
            "actions_per_game": [ours["actions_per_game"], limit["actions_per_game"]],
            "branching": [ours["branching"], limit["branching"]],
        }


def run(games: int, limit: Path | None, report: Report, *, compiling: bool = True) -> dict[str, Any]:
    """Everything `sunglade bench` measures."""
    with contextlib.ExitStack() as stack:
        yardstick = None
        if limit is not None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglade-limit-"))
            yardstick = Limit(limit, Path(scratch))
        return _measured(games, yardstick, report, compiling=compiling)


def _measured(games: int, yardstick: Limit | None, report: Report, *, compiling: bool) -> dict[str, Any]:
    results: dict[str, Any] = {"playout": {}, "playout_modules": {}}
    for players in (2, 3, 4):
        report(f"random games of {players} players")
        results["playout"][str(players)] = measure_playouts(players, games)
        report(f"random games of {players} players, every module")
        results["playout_modules"][str(players)] = measure_playouts(players, games, Rules(modules=MODULES))
    report("engine")
    results["traced_states_per_s"] = traced_states_per_second()
    results["warm_start_s"] = warm_start_seconds()
    if compiling:
        report("first compile, from an empty cache")
        results["first_compile_s"] = first_compile_seconds()
    results["record_bytes"] = kernel.Record.size
    if yardstick is not None:
        results["limit"] = {}
        for players in (2, 3, 4):
            report(f"{PAIRS} pairs with the limit, {players} players")
            results["limit"][str(players)] = yardstick.compare(players, games)
    return results


def _environments() -> dict[str, Any]:
    """The figures of `sunglade.envs`, which needs its extra packages."""
    try:
        from sunglade.envs.bench import measure
    except ImportError as error:
        raise BadRequest(f"measuring the environments needs the extra packages: {error}.") from None
    return measure()


def show_search(figures: dict[str, Any]) -> None:
    """The search's figures for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Tree search, two-player middle game, medians of {figures['rounds']} interleaved rounds")
    for column in ("", "simulations/s", "of one thread", "of the limit", "bar"):
        table.add_column(column, justify="right" if column else "left")
    limit, bars = figures.get("limit_per_s"), figures.get("bars", {})
    if limit is not None:
        table.add_row("limit (C++)", f"{limit:,}", "", "1", "")
    for name, key, ratio, of_limit in (
        ("one thread", "one_thread_per_s", None, "of_the_limit"),
        ("two threads, processor time", "two_threads_per_s", "two_threads_ratio", "two_threads_of_the_limit"),
        (
            "two threads, by the clock",
            "two_threads_by_the_clock_per_s",
            "two_threads_ratio_by_the_clock",
            "two_threads_of_the_limit_by_the_clock",
        ),
        ("one thread, the bot's own tree", "own_settings_per_s", None, None),
    ):
        cells = [figures.get(ratio or ""), figures.get(of_limit or ""), bars.get(of_limit or "")]
        table.add_row(name, f"{figures[key]:,}", *("" if cell is None else f"{cell:.2f}" for cell in cells))
    Console().print(table)


def show(results: dict[str, Any]) -> None:
    """The figures as a table for people."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(title="Uniform random play, one thread")
    for column in ("players", "modules", "games/s", "actions/s", "actions/game", "branching"):
        table.add_column(column, justify="right")
    for name, key in (("none", "playout"), ("all", "playout_modules")):
        for players, row in results[key].items():
            figures = f"{row['games_per_s']:,}", f"{row['actions_per_s']:,}"
            table.add_row(players, name, *figures, str(row["actions_per_game"]), str(row["branching"]))
    console.print(table)
    compiled = f"first compile {results['first_compile_s']} s · " if "first_compile_s" in results else ""
    for players, row in results.get("limit", {}).items():
        console.print(f"{players} players: {row['ratio']:.2f} of the limit (median of {PAIRS} pairs)")
    console.print(
        f"engine: {results['traced_states_per_s']:,} traced states/s, first answer after {results['warm_start_s']} s · "
        f"{compiled}record {results['record_bytes']} bytes"
    )
    if "envs" in results:
        console.print_json(data=results["envs"])


def search_main(*, limit: str | None = None, as_json: bool = False) -> int:
    """`sunglade bench --search`: the tree search and nothing else."""
    from rich.console import Console

    from sunglade.search import bench

    with Console(stderr=True).status("Measuring: tree search") as status:
        folder = Path(limit) if limit else None
        figures = bench.measure(folder, report=lambda text: status.update(f"Measuring: {text}"))
    if as_json:
        print(json.dumps({"search": figures}, indent=2))
    else:
        show_search(figures)
    return 0


def main(*, games: int | None = None, limit: str | None = None, as_json: bool = False, envs: bool = False) -> int:
    """`sunglade bench`. With a number of games, and so little time, the first compile is not measured."""
    from rich.console import Console

    wanted = GAMES if games is None else games
    if wanted < 1:
        raise BadRequest(f"the number of games must be at least 1, not {wanted}.")
    try:
        with Console(stderr=True).status("Measuring") as status:
            tell: Report = lambda text: status.update(f"Measuring: {text}")  # noqa: E731
            results = run(wanted, Path(limit) if limit else None, tell, compiling=games is None)
            if envs:
                status.update("Measuring: environments")
                results["envs"] = _environments()
    except subprocess.CalledProcessError as error:
        raise BadRequest(f"a program that was measured failed: {(error.stderr or '').strip()[-200:]}") from None
    if as_json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0
