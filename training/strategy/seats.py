"""The chapters about who begins, and which edition is fairest."""

from __future__ import annotations

from typing import Final

from training.strategy.figures import SURE, VERY_SURE, Figure, added, unfairness
from training.strategy.markdown import HEADS, WORDS, Counts, listed, of, prose, table
from training.strategy.plan import EDITIONS, PLAYERS, RULES

ORDINALS: Final = ("first", "second", "third", "fourth")
NAMES: Final = {
    "us": "`us` (`us1`, `he`)",
    "eu": "`eu` (`fr`, `ro`)",
    "de": "`de`",
    "es": "`es`",
    "it": "`it`",
    "ru": "`ru`",
    "shade": "`us`, nothing planted or grown in shade",
    "long": "`us`, four revolutions",
    "moonlight": "`us`, all modules",
    "moon": "`us`, moon and animals",
    "elder": "`us`, Elder Tree",
    "stones": "`us`, moonstones",
}
"""What is played, for readers; without `shade_forbids` some editions are the same game."""


def shares(
    counts: Counts, players: int, rules: tuple[str, ...], set_up: str = "own", what: str = "win"
) -> list[Figure]:
    """How often each seat wins, or what it has else, by some rules together: who chose the set-up is never mixed."""
    tables = [of(counts, "seats", players)[name][set_up] for name in rules]
    return [Figure.of(added(one[seat][what] for one in tables)) for seat in range(players)]


def _told(figures: list[Figure], scale: float = 100.0) -> str:
    """The figures of all seats, with the widest of their intervals."""
    half = max(SURE * one.error for one in figures)
    return f"{' · '.join(f'{scale * one.mean:.1f}' for one in figures)} (± {scale * half:.1f})"


def sentence(counts: Counts, players: int) -> str:
    """Which seats win more or less often than an equal share, all editions of the base game together."""
    found = shares(counts, players, EDITIONS)
    told = []
    for sign, words in ((1, "more"), (-1, "less")):
        seats = [seat for seat, share in enumerate(found) if share.sign(1 / players) == sign]
        if seats:
            named = listed([f"the {ORDINALS[seat]} ({found[seat].percent()} %)" for seat in seats])
            told.append(f"{named} {'win' if len(seats) > 1 else 'wins'} {words} often")
    if not told:
        return f"With {WORDS[players]} players no seat can be told to win more often than another."
    return f"With {WORDS[players]} players {', '.join(told)} than an equal share."


def short(counts: Counts) -> str:
    """The seats in short."""
    return f"**Seats.** {' '.join(sentence(counts, players) for players in PLAYERS)}"


def text(counts: Counts) -> list[str]:
    """Both chapters."""
    return [*_who_begins(counts), *_fairest(counts)]


def _who_begins(counts: Counts) -> list[str]:
    groups = [("base game, all editions", EDITIONS), *((NAMES[name], (name,)) for name in RULES)]
    rows = [[name, *(_told(shares(counts, players, rules)) for players in PLAYERS)] for name, rules in groups]
    kinds = [
        ("won where the players chose the set-up", "own", "win", 100),
        ("won where chance did", "random", "win", 100),
        ("points where the players chose", "own", "points", 1),
        ("points where chance did", "random", "points", 1),
    ]
    more = [
        [words, *(_told(shares(counts, players, EDITIONS, set_up, what), scale) for players in PLAYERS)]
        for words, set_up, what, scale in kinds
    ]
    return [
        "## Who begins",
        "",
        *prose("""Games won by the first, second, third and fourth player in the order of the first round, in per cent;
            a shared win counts as its share. Here and in the next chapter only games count whose set-up the
            players chose."""),
        *table(["rules", *HEADS], rows),
        "The seats, by who chose the set-up:",
        "",
        *table(["base game, all editions", *HEADS], more),
    ]


def _fairest(counts: Counts) -> list[str]:
    found = {rules: [unfairness(shares(counts, players, (rules,))) for players in PLAYERS] for rules in RULES}
    order = sorted(RULES, key=lambda rules: sum(one for one, _, _ in found[rules]))
    rows = [
        [NAMES[rules], *(f"{100 * one:.1f} ({100 * low:.1f}–{100 * high:.1f})" for one, low, high in found[rules])]
        for rules in order
    ]
    return [
        "## Which edition is fairest",
        "",
        *prose("""How far the seats are from winning equally often: the root of the mean squared deviation, in
            percentage points, less what chance alone would make (0: fair), with 95 % intervals; the smallest
            sums first. Editions are named below only where wider intervals, of three standard errors, do not
            touch: among so many some look fair by chance."""),
        *table(["rules", *HEADS], rows),
        *prose(" ".join(_fairest_sentence(counts, players) for players in PLAYERS)),
    ]


def _fairest_sentence(counts: Counts, players: int) -> str:
    """Which editions of the base game can be told apart."""
    found = {edition: unfairness(shares(counts, players, (edition,)), VERY_SURE) for edition in EDITIONS}
    best = min(found, key=lambda edition: found[edition][0])
    worse = [NAMES[edition] for edition, (_, low, _) in found.items() if low > found[best][2]]
    if not worse:
        return f"With {WORDS[players]} players the editions of the base game cannot be told apart."
    return f"With {WORDS[players]} players {NAMES[best]} is fairer than {listed(worse)}."
