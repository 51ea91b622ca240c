"""Making a set of games, or what is missing of one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from sunglade.data.folder import Folder
from sunglade.data.plan import MOST_GAMES, Plan, check_whole
from sunglade.data.workers import played
from sunglade.progress import progress
from sunglade.words.speech import tell

MOST_JOBS: Final = 256


def make_set(plan: Plan, games: int, folder: Path, *, jobs: int = 1, quiet: bool = False) -> None:
    """Play the first so many games of a plan into a folder; those that are there are not played again."""
    check_whole("games", games, 1, MOST_GAMES)
    check_whole("jobs", jobs, 1, MOST_JOBS)
    plan.check_bot()
    with Folder(folder, plan) as kept:
        missing = kept.missing(games)
        done = games - len(missing)
        if done and not quiet:
            print(f"{done} of them are there already, in {folder}.", file=sys.stderr)
        with progress(tell("terminal.progress.games"), games, done=done, quiet=quiet) as told:
            for number, columns in played(plan, missing, min(jobs, max(len(missing), 1))):
                kept.add(number, columns)
                done += 1
                told.done(done)
