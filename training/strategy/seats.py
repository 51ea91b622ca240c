"""The chapters about who begins, and which edition is fairest."""

from __future__ import annotations

from typing import Final

from training.strategy.figures import SURE, Figure, added, unfairness
from training.strategy.markdown import HEADS, WORDS, Counts, listed, of, prose, table
from training.strategy.plan import EDITIONS, PLAYERS, RULES

ORDINALS: Final = ("first", "second", "third", "fourth")
NAMES: Final = {
    "us": "`us`, `us1`, `he`",
    "eu": "`eu`, `fr`, `ro`",
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

Fairness = tuple[float, float, float]


def shares(counts: Counts, players: int, rules: tuple[str, ...], set_up: str = "own") -> list[Figure]:
    """How often each seat wins, by some rules together."""
    return _by_seat(counts, players, rules, set_up, "win")


def _by_seat(counts: Counts, players: int, rules: tuple[str, ...], set_up: str, what: str) -> list[Figure]:
    tables = [of(counts, "seats", players)[name][set_up] for name in rules]
    return [Figure.of(added(one[seat][what] for one in tables)) for seat in range(players)]


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
    rows = []
    for name, rules in [("base game, all editions", EDITIONS), *((NAMES[name], (name,)) for name in RULES)]:
        row = [name]
        for players in PLAYERS:
            found = shares(counts, players, rules)
            half = max(SURE * share.error for share in found)
            row.append(f"{' · '.join(f'{100 * share.mean:.1f}' for share in found)} (± {100 * half:.1f})")
        rows.append(row)
    points = [
        f"{' · '.join(f'{one.mean:.1f}' for one in _by_seat(counts, players, EDITIONS, 'own', 'points'))}"
        f" with {WORDS[players]}"
        for players in PLAYERS
    ]
    by_chance = [
        f"{' · '.join(f'{100 * one.mean:.1f}' for one in shares(counts, players, EDITIONS, 'random'))}"
        f" with {WORDS[players]}"
        for players in PLAYERS
    ]
    return [
        "## Who begins",
        "",
        *prose("""Games won by the first, second, third and fourth player in the order of the first round, in per
            cent. The players chose the set-up; a shared win counts as its share."""),
        *table(["rules", *HEADS], rows),
        *prose(" ".join(sentence(counts, players) for players in PLAYERS)),
        *prose(f"""Points in the base game: {listed(points)} players. Where chance placed the first trees, the seats
            won {listed(by_chance)} players."""),
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
            percentage points, less what chance alone would make (0: fair), with 95 % intervals; those that
            are fairest on average first."""),
        *table(["rules", *HEADS], rows),
        *prose(
            " ".join(
                _fairest_sentence({edition: found[edition][place] for edition in EDITIONS}, players)
                for place, players in enumerate(PLAYERS)
            )
        ),
    ]


def _fairest_sentence(found: dict[str, Fairness], players: int) -> str:
    """Which editions of the base game can be told apart."""
    best = min(found, key=lambda edition: found[edition][0])
    worse = [NAMES[edition] for edition, (_, low, _) in found.items() if low > found[best][2]]
    if not worse:
        return f"With {WORDS[players]} players the editions of the base game cannot be told apart."
    return f"With {WORDS[players]} players {NAMES[best]} is fairer than {listed(worse)}."
