"""The chapter about spaces: what each brings in which round."""

from __future__ import annotations

from typing import Final

from training.strategy.count import SUNS
from training.strategy.figures import Figure, added
from training.strategy.markdown import HEADS, WORDS, Counts, Pages, listed, of, prose, table
from training.strategy.pictures import Line, Space, lines, maps
from training.strategy.plan import PLAYERS

from sunglade import board

SOILS: Final = ("1 leaf", "2 leaves", "3 leaves", "4 leaves")


def _shares(counts: Counts, players: int) -> str:
    """Which part of all points from tokens comes from each soil, in per cent."""
    points = [total for _, total, _ in of(counts, "ground", players)["space_points"]]
    soils = [sum(points[space] for space in board.spaces_in(board.WITH_LEAVES[leaves])) for leaves in range(1, 5)]
    return " · ".join(f"{100 * soil / max(1, sum(points)):.0f}" for soil in soils)


def _two_leaves(counts: Counts, players: int) -> str:
    """What a space with two leaves gives on a line from the centre to a corner, and between; a game counts once."""
    on_line, between = (Figure.of(one) for one in of(counts, "ground", players)["two_leaves"])
    return f"{on_line.text()} and {between.text()} with {WORDS[players]}"


def short(counts: Counts) -> str:
    """The ground in short."""
    told = [f"{_shares(counts, players)} with {WORDS[players]}" for players in PLAYERS]
    return (
        "**Ground.** Of a hundred points from tokens, so many come from spaces with one, two, three and four leaves: "
        f"{listed(told)} players."
    )


def text(counts: Counts) -> list[str]:
    """The chapter."""
    return [
        "## What a space is worth in which round",
        "",
        "![Light that a space brings in each round](images/strategy-light-2.svg)",
        "",
        "![The same with four players](images/strategy-light-4.svg)",
        "",
        *prose("""The mean over all spaces of a soil, empty ones too. Points of a token taken in the first · second
            · third revolution:"""),
        *table(["soil", *HEADS], [[words, *_tokens(counts, soil)] for soil, words in enumerate(SOILS)]),
        "How many of a hundred small · medium · large trees stand in the light when the sun shines:",
        "",
        *table(["soil", *HEADS], [[words, *_lit(counts, soil)] for soil, words in enumerate(SOILS)]),
        "![Points that each space gives in a game](images/strategy-points.svg)",
        "",
        *prose(f"""Of the spaces with two leaves, one on a straight line between the centre and a corner and one that is
            not give so many points in a game: {listed([_two_leaves(counts, players) for players in PLAYERS])}
            players."""),
    ]


def _tokens(counts: Counts, soil: int) -> list[str]:
    """Points of a token in each revolution, for each number of players."""
    cells = []
    for players in PLAYERS:
        rounds = of(counts, "ground", players)["token"][soil]
        times = [Figure.of(added(rounds[SUNS * time : SUNS * (time + 1)])) for time in range(3)]
        cells.append(" · ".join(f"{one.mean:.1f}" if one.known else "–" for one in times))
    return cells


def _lit(counts: Counts, soil: int) -> list[str]:
    """Trees of each size in the light, for each number of players."""
    cells = []
    for players in PLAYERS:
        sizes = [Figure.of(added(times)) for times in of(counts, "ground", players)["lit"][soil]]
        cells.append(" · ".join(f"{100 * one.mean:.0f}" if one.known else "–" for one in sizes))
    return cells


def pictures(counts: Counts) -> Pages:
    """Light by round and soil; points by space."""
    pages = {}
    for players in (2, 4):
        found = of(counts, "ground", players)["light"]
        drawn = [
            Line(words, [(place + 1.0, Figure.of(one)) for place, one in enumerate(found[soil])])
            for soil, words in enumerate(SOILS)
        ]
        title = f"Light that a space brings to whoever is there, {players} players"
        pages[f"images/strategy-light-{players}.svg"] = lines(title, "round", drawn)
    boards = []
    for players in PLAYERS:
        points = [Figure.of(one).mean for one in of(counts, "ground", players)["space_points"]]
        most = max(*points, 1e-9)
        shown = {space: Space(f"{one:.1f}", one / most) for space, one in enumerate(points)}
        boards.append((f"{players} players", shown))
    pages["images/strategy-points.svg"] = maps("Points that each space gives in a game, all players together", boards)
    return pages
