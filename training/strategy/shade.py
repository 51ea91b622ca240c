"""The chapter about shade as a weapon."""

from __future__ import annotations

from typing import Final

from training.strategy.count import BALANCES
from training.strategy.figures import Figure, added
from training.strategy.markdown import WORDS, Counts, Pages, compared, of, prose, table
from training.strategy.pictures import Line, lines
from training.strategy.plan import PLAYERS

COMPARED: Final = {
    "took": "light taken from others",
    "lost to others": "light lost to others' trees",
    "lost to own": "light lost to own trees",
    "shaded by others": "own trees shaded by others, %",
}


def sentence(counts: Counts, players: int) -> str:
    """Whether those with a better balance of light than the mean of their game win more often."""
    groups = [one["win"] for one in of(counts, "shade", players)["by_balance"]]
    zero = BALANCES.index(0) + 1
    more, less = Figure.of(added(groups[zero:])), Figure.of(added(groups[:zero]))
    if more.low <= less.high:
        return f"With {WORDS[players]} players it cannot be told whether that goes with winning."
    return f"With {WORDS[players]} players those at or above it win {more.percent()} %, the others {less.percent()} %."


def short(counts: Counts) -> str:
    """Shade in short."""
    return (
        "**Shade.** Light taken from others less light lost to them, compared with the mean of the players of a game. "
        f"{' '.join(sentence(counts, players) for players in PLAYERS)}"
    )


def text(counts: Counts) -> list[str]:
    """The chapter."""
    rows = []
    for players in PLAYERS:
        found = {name: Figure.of(one) for name, one in of(counts, "shade", players)["all"].items()}
        lost = [found[name].text() for name in ("light", "lost to others", "lost to own")]
        rows.append([str(players), *lost, *(found[f"shaded by {whom}"].percent() for whom in ("others", "own"))])
    head = ["players", "light from the sun", "lost to others' trees", "lost to own trees"]
    return [
        "## Shade as a weapon",
        "",
        *prose("""A player's light in a game, how much more there would have been without the shade of others' trees
            alone or of own trees alone, and how many of a hundred trees that stand when the sun shines are in
            such shade:"""),
        *table([*head, "shaded by others, %", "shaded by own, %"], rows),
        *compared(counts, "shade", COMPARED, ("shaded by others",)),
        *prose("""With three and four players light that several opponents take together is lost, but taken by nobody in
            particular, so that together they lose more than they take. The picture therefore measures from the mean
            of the players of a game:"""),
        "![Games won by light taken less light lost](images/strategy-shade.svg)",
        "",
    ]


def pictures(counts: Counts) -> Pages:
    """Games won over light taken less light lost."""
    step = BALANCES[1] - BALANCES[0]
    middles = [BALANCES[0] - step / 2, *(edge + step / 2 for edge in BALANCES)]
    drawn = []
    for players in PLAYERS:
        groups = of(counts, "shade", players)["by_balance"]
        points = [(x, Figure.of(one["win"])) for x, one in zip(middles, groups, strict=True)]
        drawn.append(Line(f"{players} players", points))
    title = "Games won by light taken from others less light lost to them"
    below = f"light points above the mean of the game (groups of {step}; the ends are open)"
    return {"images/strategy-shade.svg": lines(title, below, drawn, percent=True)}
