"""How good a player is at a task: a rating against its frozen opponents, with an interval, for people and as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sunglade import __version__
from sunglade.arena import hold
from sunglade.arena.plan import Entrant
from sunglade.arena.ratings import Score, rating_among, wilson
from sunglade.arena.tasks import Task
from sunglade.gamefile import save_text

FORMAT = "sunglade-evaluation/1"
RESULT = "evaluation.json"
"""The file in the folder of an evaluation that is worth keeping."""

Found = dict[str, Any]


def evaluate(player: Entrant, task: Task, folder: Path, *, jobs: int = 1, quiet: bool = False) -> Found:
    """Play the task, or what is still to be played of it, and sum it up."""
    rows = []
    for opponent in task.opponents:
        results = hold(task.plan(player, opponent), task.games, folder / opponent, jobs=jobs, quiet=quiet)
        rows.append(_row(player.name, opponent, results[: task.games]))
    scores = [Score(task.opponents[row["opponent"]], row["won"], row["games"]) for row in rows]
    rating = rating_among(scores, task.players)
    found = {
        "format": FORMAT,
        **task.to_dict(),
        "player": player.name,
        "release": __version__,
        "rating": round(rating.elo),
        "rating_95": round(rating.plus_minus),
        "against": rows,
    }
    save_text(folder / RESULT, json.dumps(found, indent=2) + "\n")
    return found


def _row(player: str, opponent: str, results: list[Found]) -> Found:
    """What came of the games against one of them. Who meets itself has won as much as its seats on average."""
    own = [_of_seats(result["shares"], result, player) for result in results]
    points = [_of_seats(result["points"], result, player) for result in results]
    others = [_of_seats(result["points"], result, opponent) for result in results]
    low, high = wilson(sum(own), len(results))
    return {
        "opponent": opponent,
        "won": round(sum(own), 3),
        "games": len(results),
        "share": round(sum(own) / len(results), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "points": round(sum(points) / len(results), 1),
        "points_of_others": round(sum(others) / len(results), 1),
        "failed": sum(result["bots"][int(seat)] == player for result in results for seat in result["failed"]),
    }


def _of_seats(numbers: list[float], result: Found, bot: str) -> float:
    """The mean of the numbers at the seats that somebody had in a game."""
    own = [number for number, name in zip(numbers, result["bots"], strict=True) if name == bot]
    return sum(own) / len(own)


def text(found: Found) -> str:
    """The result for people."""
    lines = [f"{found['player']} at {found['task']} (version {found['version']}), sunglade {found['release']}", ""]
    lines.append(f"{'against':<12}{'won':>7}{'of':>6}{'share':>9}   95 %{'points':>17}   rating")
    for row in found["against"]:
        share = f"{row['share']:.1%}".rjust(9)
        interval = f"{row['low']:.0%}–{row['high']:.0%}".ljust(10)
        points = f"{row['points']:.0f} : {row['points_of_others']:.0f}".rjust(9)
        failed = f"   {row['failed']} failed" if row["failed"] else ""
        rating = f"{found['opponents'][row['opponent']]:+.0f}".rjust(9)
        won = f"{row['opponent']:<12}{row['won']:>7g}{row['games']:>6}"
        lines.append(f"{won}{share}   {interval}{points}{rating}{failed}")
    lines += ["", f"Rating {found['rating']:+d} ± {found['rating_95']} (95 %), maple being 0."]
    return "\n".join(lines) + "\n"
