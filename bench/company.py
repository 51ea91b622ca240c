"""What clocks and a full lobby cost those who play: two servers on this machine, loaded by turns in one run.

    PYTHONPATH=src:. python -m bench.company                   # 500 tables each, 150 commands/s, 5 rounds of 20 s
    PYTHONPATH=src:. python -m bench.company --tables 50 --rate 40 --rounds 1 --seconds 5

One server has plain tables. At the other every table has a running clock and stands in the lobby, and 200 people look
on there while it is its turn; every two seconds somebody opens a new table, at either. Measured is the time from a
command to the other player's update, as in bench/load.py. Those who look on are in a process of their own, so that it
is the server that is measured, and not how fast one client takes in what 200 people are told.
Bar: with company, 99 % of the updates take at most 1.2 times as long as without.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from bench.load import PATIENCE_S, Figures, Pair, Seat, asked, load, quantile, report, run, sit_down, start_server, warm

TIMES: Final = 1.2
OPENED_S: Final = 2.0
"""A table is opened so often, and the lobby has something to tell."""
CLOCK: Final = {"kind": "live", "turn": 3600, "reserve": 36_000}
"""Runs at every table, and is over at none while this measures."""


class Onlooker(Seat):
    """Somebody in the lobby: hears of every change, plays nowhere."""

    def __init__(self, url: str, figures: Figures) -> None:
        super().__init__(url, "", "", figures)
        self._hello: dict[str, Any] = {"type": "lobby"}
        self.heard = 0

    def _take(self, text: bytes, now: float) -> None:
        assert text.startswith(b'{"type":"lobby"'), text[:200]
        self.heard += 1
        if not self.welcome.done():
            self.welcome.set_result(None)


async def fill_the_lobby(url: str, people: int, figures: Figures) -> list[Onlooker]:
    """So many people who have been told the lobby once."""
    host, port = url.removeprefix("http://").split(":")
    loop = asyncio.get_running_loop()
    there: list[Onlooker] = []
    for _ in range(people):
        _, onlooker = await loop.create_connection(
            lambda: Onlooker(f"ws://{host}:{port}/api/live", figures), host, int(port)
        )
        await asyncio.wait_for(onlooker.welcome, PATIENCE_S)
        there.append(onlooker)
    return there


async def look_on(url: str, people: int) -> int:
    """What the process of those who look on does: say when all are there, and, when nobody listens, what they heard."""
    there = await fill_the_lobby(url, people, Figures())
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(sum(each.heard for each in there))
    return 0


@contextlib.asynccontextmanager
async def looked_on(url: str, people: int) -> AsyncIterator[None]:
    """So many people look into the lobby meanwhile."""
    if not people:
        yield
        return
    command = [sys.executable, "-m", "bench.company", "--look-on", url, "--people", str(people)]
    process = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    await process.stdout.readline()
    yield
    heard, _ = await process.communicate(b"")
    print(f"  {people} in the lobby were told {int(heard)} times", flush=True)


async def open_tables(url: str, terms: dict[str, Any]) -> None:
    """One after the other, for as long as somebody wants."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        while True:
            await asked(http, "/api/tables", {"seats": [{"kind": "me", "name": "Cy"}, {"kind": "open"}]} | terms)
            await asyncio.sleep(OPENED_S)


@dataclass
class Side:
    """A server, its tables, and all that was measured there."""

    name: str
    url: str
    onlookers: int
    terms: dict[str, Any]
    pairs: list[Pair] = field(default_factory=list)
    all: Figures = field(default_factory=Figures)

    async def play(self, rate: float, seconds: float) -> None:
        """One round."""
        figures = Figures()
        for pair in self.pairs:
            for seat in pair.seats:
                seat.figures = figures
        async with looked_on(self.url, self.onlookers):
            opening = asyncio.create_task(open_tables(self.url, self.terms))
            await load(self.pairs, rate, seconds, figures)
            opening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await opening
        print(f"{self.name}, ", end="")
        report(rate, figures)
        self.all.updates += figures.updates
        self.all.errors += figures.errors
        self.all.left_out += figures.left_out


async def measure(options: argparse.Namespace, plain: str, company: str) -> int:
    """By turns, in an order that is drawn; 1 where the bar is missed."""
    terms = {"clock": CLOCK, "listed": True}
    sides = [Side("plain", plain, 0, {}), Side("company", company, options.people, terms)]
    for side in sides:
        await warm(side.url)
        side.pairs = await sit_down(side.url, options.tables, Figures(), **side.terms)
    rng = random.Random(1)
    for _ in range(options.rounds):
        for side in rng.sample(sides, 2):
            await side.play(options.rate, options.seconds)
    without, with_it = (quantile(side.all.updates, 0.99) for side in sides)
    errors = sum(len(side.all.errors) for side in sides)
    print(
        f"p99 of {len(sides[0].all.updates)} and {len(sides[1].all.updates)} updates: plain {without:.1f} ms, "
        f"company {with_it:.1f} ms: {with_it / without:.2f} times (bar {TIMES}); errors {errors}; "
        f"load of the machine at the end {os.getloadavg()[0]:.1f}"
    )
    return 0 if with_it <= TIMES * without and not errors else 1


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=500, help="at each of the two servers (500)")
    parser.add_argument("--people", type=int, default=200, help="in the lobby (200)")
    parser.add_argument("--rate", type=float, default=150.0, help="commands a second (150)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each round (20)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--look-on", metavar="URL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.look_on:
        return asyncio.run(look_on(options.look_on, options.people))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        plain, company = start_server(one), start_server(two, "--lobby")
        try:
            return run(measure(options, plain[1], company[1]))
        finally:
            for server, _ in (plain, company):
                server.terminate()
            for server, _ in (plain, company):
                server.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(main())
