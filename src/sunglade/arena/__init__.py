"""Bots against each other, many games, measured honestly: `sunglade arena`.

Every bot has every seat equally often, every game follows from a seed, a killed arena goes on where it was, and the
result has intervals.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from sunglade.errors import BadRequest
from sunglade.extras import naming_the_extra
from sunglade.progress import progress
from sunglade.words.speech import tell

with naming_the_extra("sunglade.arena"):
    from sunglade.arena import report
    from sunglade.arena.match import Match
    from sunglade.arena.plan import Entrant, Fixture, Plan, entrants
    from sunglade.arena.store import Store
    from sunglade.arena.workers import Workers

__all__ = ["Entrant", "Fixture", "Plan", "default_folder", "entrants", "evaluation_folder", "hold"]

MAX_JOBS: Final = 256


def hold(plan: Plan, games: int, folder: Path, *, jobs: int = 1, quiet: bool = False) -> list[report.Result]:
    """Play an arena, or what is still to be played of it; return all its results and write them as files.

    When interrupted, what was played is summed up all the same.
    """
    if type(jobs) is not int or not 1 <= jobs <= MAX_JOBS:
        raise BadRequest(f"jobs must be a whole number from 1 to {MAX_JOBS}, not {jobs!r:.60}.")
    wanted = plan.rounded_up(games)
    with Store(folder, plan) as store:
        played = {result["game"] for result in store.results()}
        missing = [number for number in range(wanted) if number not in played]
        if not quiet:
            _announce(folder, plan, games, wanted, wanted - len(missing))
        try:
            if missing:
                _play(plan, store, missing, wanted, jobs, quiet)
        finally:
            results = store.results()
            report.write(folder, plan, results)
        return results


def _play(plan: Plan, store: Store, missing: list[int], wanted: int, jobs: int, quiet: bool) -> None:
    matches = (Match(plan.fixture(number)) for number in missing)
    done = wanted - len(missing)
    with progress(tell("terminal.progress.games"), wanted, done=done, quiet=quiet) as told:
        for played in Workers(plan, jobs).play(matches, told.loading):
            store.add(played.result, played.game)
            done += 1
            told.done(done)


def _announce(folder: Path, plan: Plan, games: int, wanted: int, done: int) -> None:
    if wanted != games:
        print(f"{wanted} games, so that every bot has every seat equally often.", file=sys.stderr)
    if done:
        print(f"{done} of them are played already, in {folder}.", file=sys.stderr)


def evaluation_folder(player: Entrant, task: str) -> Path:
    """A folder named after who is evaluated at what, below the current one."""
    return Path("evaluation") / f"{_in_a_path(player.name)}-{task}"


def _in_a_path(name: str) -> str:
    """The end of a name, as a part of a folder's name."""
    return re.sub(r"[^\w.=]+", "_", name).strip("_")[-30:]


def default_folder(plan: Plan) -> Path:
    """A folder named after the plan, below the current one."""
    bots = "-".join(map(_in_a_path, plan.names))[:100]
    rules = "".join(f"-{re.sub(r'[^a-z0-9]+', '', str(value).lower())}" for value in plan.rules.to_dict().values())
    opening = "-random_setup" if plan.random_setup else ""
    return Path("arena") / f"{bots}-{plan.players}p-{plan.ms}ms-seed{plan.seed}{opening}{rules[:60]}"
