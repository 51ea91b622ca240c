"""What an arena found: a rating table and a cross table for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sunglade.arena.plan import HONOURED_MS, Plan
from sunglade.arena.ratings import ratings, wilson
from sunglade.gamefile import save_text

Result = dict[str, Any]

NAME_LENGTH: Final = 28


def summary(plan: Plan, results: Sequence[Result]) -> dict[str, Any]:
    """Everything the tables say."""
    names = plan.names
    rated = ratings(
        [[names.index(bot) for bot in result["bots"]] for result in results],
        [result["shares"] for result in results],
        len(names),
    )
    table = [
        _row(name, results) | {"elo": round(r.elo, 1), "elo_95": round(r.plus_minus, 1)}
        for name, r in zip(names, rated, strict=True)
    ]
    return {
        "plan": plan.to_dict(),
        "games": len(results),
        "ratings": sorted(table, key=lambda row: -row["elo"]),
        "cross": {row: {column: _pair(row, column, results) for column in names if column != row} for row in names},
        "seats": [_share([result["shares"][seat] for result in results]) for seat in range(plan.players)],
        "failures": [
            {"game": result["game"], "bot": result["bots"][int(seat)], "reason": reason}
            for result in results
            for seat, reason in result["failed"].items()
        ],
    }


def _row(name: str, results: Sequence[Result]) -> dict[str, Any]:
    """One bot over all its seats."""
    seats = [(result, seat) for result in results for seat, bot in enumerate(result["bots"]) if bot == name]
    return {
        "bot": name,
        **_share([result["shares"][seat] for result, seat in seats]),
        "points": round(sum(result["points"][seat] for result, seat in seats) / max(len(seats), 1), 2),
        "failures": sum(str(seat) in result["failed"] for result, seat in seats),
        "late_turns": sum(result["late_turns"][seat] for result, seat in seats),
        "longest_ms": max((result["longest_ms"][seat] for result, seat in seats), default=0.0),
    }


def _share(won: Sequence[float]) -> dict[str, Any]:
    """Wins, a shared one counted in part, and the 95 % interval of the share."""
    low, high = wilson(sum(won), len(won))
    return {
        "seats": len(won),
        "won": round(sum(won), 3),
        "share": round(sum(won) / len(won), 4) if won else None,
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _pair(row: str, column: str, results: Sequence[Result]) -> dict[str, Any]:
    """How often one finished ahead of the other, a tie counting half: with two players, who won."""
    ahead = [
        1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
        for result in results
        for mine, bot in zip(result["places"], result["bots"], strict=True)
        for theirs, other in zip(result["places"], result["bots"], strict=True)
        if bot == row and other == column
    ]
    return _share(ahead)


# For people


def text(plan: Plan, results: Sequence[Result]) -> str:
    """The tables."""
    found = summary(plan, results)
    rules = ", ".join(f"{key} {_plain(value)}" for key, value in plan.rules.to_dict().items())
    opening = ", random set-up" if plan.random_setup else ""
    head = f"{found['games']} games, {plan.players} players, {plan.ms} ms a turn, seed {plan.seed}{opening}, {rules}"
    parts = [head, _rating_table(found), _cross_table(plan, found)]
    parts += [_seats_line(plan, found), *_failure_lines(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _rating_table(found: dict[str, Any]) -> str:
    rows = [
        [
            "bot",
            "Elo",
            "95 %",
            "won",
            "of",
            "share",
            "95 %",
            "points",
            "failed",
            f"late (> {HONOURED_MS} ms)",
            "longest turn",
        ]
    ]
    for row in found["ratings"]:
        rows.append(
            [
                _short(row["bot"]),
                f"{row['elo']:+.0f}",
                f"± {row['elo_95']:.0f}",
                f"{row['won']:g}",
                str(row["seats"]),
                _percent(row["share"]),
                _interval(row),
                f"{row['points']:.1f}",
                str(row["failures"]),
                str(row["late_turns"]),
                f"{row['longest_ms']:.0f} ms",
            ]
        )
    return "Ratings: wins, and Elo points above the mean of those who took part.\n" + _columns(rows)


def _cross_table(plan: Plan, found: dict[str, Any]) -> str:
    names = [row["bot"] for row in found["ratings"]]
    if len(names) < 2:
        return ""
    rows = [["", *(_short(name) for name in names)]]
    for name in names:
        cells = [found["cross"][name].get(other) for other in names]
        rows.append([_short(name), *("·" if cell is None else _cell(cell) for cell in cells)])
    what = "won against" if plan.players == 2 else "finished ahead of"
    return f"Cross table: how often the row {what} the column, of how many.\n" + _columns(rows)


def _cell(cell: dict[str, Any]) -> str:
    return f"{_percent(cell['share'])} of {cell['seats']} ({_interval(cell)})" if cell["seats"] else "–"


def _seats_line(plan: Plan, found: dict[str, Any]) -> str:
    shares = ", ".join(f"{_percent(seat['share'])} ({_interval(seat)})" for seat in found["seats"])
    return f"Won by seat, from the first player: {shares}."


def _failure_lines(found: dict[str, Any]) -> list[str]:
    failures = found["failures"]
    if not failures:
        return []
    told = [f"  game {failure['game']}: {_short(failure['bot'])} {failure['reason']}" for failure in failures[:10]]
    more = [f"  … and {len(failures) - 10} more, in results.json"] if len(failures) > 10 else []
    return ["\n".join(["Lost by failure:", *told, *more])]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _interval(row: dict[str, Any]) -> str:
    return f"{100 * row['low']:.1f}–{100 * row['high']:.1f}"


def _short(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else "…" + name[1 - NAME_LENGTH :]


def _columns(rows: list[list[str]]) -> str:
    """Rows of words under each other, the first column on the left, the others on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


# For programs


def write(folder: Path, plan: Plan, results: Sequence[Result]) -> None:
    """`results.json` and `table.txt`, the whole summary; `games.csv`, a row a seat; `ratings.csv`; `cross.csv`."""
    found = summary(plan, results)
    save_text(folder / "results.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    save_text(folder / "table.txt", text(plan, results))
    save_text(folder / "games.csv", _csv(_game_rows(results)))
    save_text(folder / "ratings.csv", _csv(found["ratings"]))
    cross = [
        {"bot": row, "against": column, **cell}
        for row, cells in found["cross"].items()
        for column, cell in cells.items()
    ]
    save_text(folder / "cross.csv", _csv(cross))


def _game_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    return [
        {
            "game": result["game"],
            "seat": seat,
            "bot": bot,
            "points": result["points"][seat],
            "place": result["places"][seat],
            "share": round(result["shares"][seat], 4),
            "failed": result["failed"].get(str(seat), ""),
            "longest_ms": result["longest_ms"][seat],
            "late_turns": result["late_turns"][seat],
            "seconds": result["seconds"],
        }
        for result in sorted(results, key=lambda result: result["game"])
        for seat, bot in enumerate(result["bots"])
    ]


def _csv(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
