"""The chapter about the animals of Under the Moonlight."""

from __future__ import annotations

from training.strategy.figures import VERY_SURE, Figure, added
from training.strategy.markdown import Counts, listed, of, prose, table
from training.strategy.plan import PLAYERS

from sunglade.rules import ANIMALS


def _each(counts: Counts, name: str) -> list[Counts]:
    """What was counted for an animal with two, three and four players."""
    return [of(counts, "animals", players)[name] for players in PLAYERS]


def _share(counts: Counts, name: str, set_up: str) -> Figure:
    """Wins as a part of an equal share, over all numbers of players."""
    scaled = []
    for players, found in zip(PLAYERS, _each(counts, name), strict=True):
        number, total, squares = found[set_up]["win"]
        scaled.append([number, players * total, players**2 * squares])
    return Figure.of(added(scaled))


def _by_worth(counts: Counts) -> list[str]:
    return sorted(ANIMALS, key=lambda name: -_share(counts, name, "random").mean)


def short(counts: Counts) -> str:
    """Which animals are better or worse than the average."""
    told = []
    for sign, words in ((1, "win more"), (-1, "win less")):
        some = [name for name in _by_worth(counts) if _share(counts, name, "random").sign(1, VERY_SURE) == sign]
        if some:
            named = [f"{name} ({_share(counts, name, 'random').percent(0)} %)" for name in some]
            told.append(f"{words} than an equal share: {listed(named)}")
    return (
        f"**Animals.** Where chance dealt and kept the card, {'; '.join(told) or 'none can be told from the others'}."
    )


def text(counts: Counts) -> list[str]:
    """The chapter."""
    rows = []
    for name in _by_worth(counts):
        each = _each(counts, name)
        uses = ", ".join(
            f"{ability.partition('.')[2]} {Figure.of(added(one['uses'][ability] for one in each)).mean:.1f}"
            for ability in each[0]["uses"]
        )
        rows.append(
            [
                name,
                _share(counts, name, "random").percent(0),
                Figure.of(added(one["random"]["ahead"] for one in each)).text(signed=True),
                Figure.of(added(one["kept"] for one in each)).percent(0),
                _share(counts, name, "own").percent(0),
                uses,
            ]
        )
    head = ["wins, by chance, %", "points ahead, by chance", "kept, %", "wins, chosen, %", "uses in a game"]
    return [
        "## What each animal is worth",
        "",
        *prose("""With the moon (alone or with Elder Tree and moonstones), all numbers of players together. Wins are
            in per cent of an equal share: 100 is average. In the games “by chance” the card that is kept and
            the whole set-up are random, so that nobody's judgement is in it; the turns are played as always.
            “Kept” is how often the network keeps the card when it is dealt it; the last columns are of games
            in which it chose."""),
        *table(["animal", *head], rows),
    ]
