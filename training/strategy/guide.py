"""The guide, made of `counts.json`: `python -m training.strategy.guide` writes docs/strategy.md and its pictures.

Every figure comes from the counts, and a sentence that compares things is there only where their intervals allow it.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any, Final

from training.strategy.count import BALANCES, COUNTS, EDGE, ROUNDS, SUNS
from training.strategy.figures import SURE, Figure, added, unfairness
from training.strategy.pictures import Line, Space, lines, maps
from training.strategy.plan import EDITIONS, PLAYERS, RULES

from sunglade import board

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = "strategy.md"
WORDS: Final = {2: "two", 3: "three", 4: "four"}
ORDINALS: Final = ("first", "second", "third", "fourth")
RULE_NAMES: Final = {
    "us": "`us`, `us1`, `he`",
    "eu": "`eu`, `fr`, `ro`",
    "de": "`de`",
    "es": "`es`",
    "it": "`it`",
    "ru": "`ru`",
    "shade": "`us`, nothing grows in shade",
    "long": "`us`, four revolutions",
    "moonlight": "`us`, all modules",
    "moon": "`us`, moon and animals",
    "elder": "`us`, Elder Tree",
    "stones": "`us`, moonstones",
}
SIZES: Final = ("small", "medium", "large")
SOILS: Final = ("1 leaf", "2 leaves", "3 leaves", "4 leaves")

Counts = dict[str, Any]
Pages = dict[str, str]
"""Files of docs/ by their names."""


def _of(counts: Counts, chapter: str, players: int) -> Counts:
    found: Counts = counts[chapter][str(players)]
    return found


def _prose(words: str) -> list[str]:
    """A paragraph."""
    return [*textwrap.wrap(" ".join(words.split()), 150, break_on_hyphens=False), ""]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# Who begins


def shares_of_seats(counts: Counts, players: int, rules: tuple[str, ...], set_up: str = "own") -> list[Figure]:
    """How often each seat wins, by some rules together."""
    tables = [_of(counts, "seats", players)[name][set_up] for name in rules]
    return [Figure.of(added(table[seat]["win"] for table in tables)) for seat in range(players)]


def points_of_seats(counts: Counts, players: int, rules: tuple[str, ...]) -> list[Figure]:
    """The points of each seat."""
    tables = [_of(counts, "seats", players)[name]["own"] for name in rules]
    return [Figure.of(added(table[seat]["points"] for table in tables)) for seat in range(players)]


def seat_sentence(counts: Counts, players: int) -> str:
    """Which seats win more or less often than others, all editions of the base game together."""
    shares = shares_of_seats(counts, players, EDITIONS)
    more = [seat for seat, share in enumerate(shares) if share.sign(1 / players) > 0]
    less = [seat for seat, share in enumerate(shares) if share.sign(1 / players) < 0]
    if not more and not less:
        return f"With {WORDS[players]} players no seat can be told to win more often than another."
    told = []
    for seats, words in ((more, "more"), (less, "less")):
        if seats:
            named = _listed([f"the {ORDINALS[seat]} ({shares[seat].percent()} %)" for seat in seats])
            told.append(f"{named} {'win' if len(seats) > 1 else 'wins'} {words} often than an equal share")
    return f"With {WORDS[players]} players {', '.join(told)}."


def who_begins(counts: Counts) -> list[str]:
    """The chapter about seats and editions."""
    rows = []
    for name, rules in [("base game, all editions", EDITIONS), *((RULE_NAMES[name], (name,)) for name in RULES)]:
        row = [name]
        for players in PLAYERS:
            shares = shares_of_seats(counts, players, rules)
            half = max(SURE * share.error for share in shares)
            row.append(f"{' · '.join(f'{100 * share.mean:.1f}' for share in shares)} (± {100 * half:.1f})")
        rows.append(row)
    by_chance = _listed(
        [
            f"{' · '.join(f'{100 * share.mean:.1f}' for share in shares_of_seats(counts, players, EDITIONS, 'random'))}"
            f" with {WORDS[players]}"
            for players in PLAYERS
        ]
    )
    points = _listed(
        [
            f"{' · '.join(f'{figure.mean:.1f}' for figure in points_of_seats(counts, players, EDITIONS))}"
            f" with {WORDS[players]}"
            for players in PLAYERS
        ]
    )
    return [
        "## Who begins",
        "",
        *_prose("""Games won by the first, second, third and fourth player in the order of the first round, in per
            cent. The players chose the set-up; a shared win counts as its share."""),
        *_table(["rules", *(f"{players} players" for players in PLAYERS)], rows),
        *_prose(" ".join(seat_sentence(counts, players) for players in PLAYERS)),
        *_prose(f"""Points in the base game: {points} players. Where chance placed the first trees, the seats won
            {by_chance} players."""),
    ]


def fairest(counts: Counts) -> list[str]:
    """Which edition is fairest."""
    found = {rules: [unfairness(shares_of_seats(counts, players, (rules,))) for players in PLAYERS] for rules in RULES}
    order = sorted(RULES, key=lambda rules: sum(one for one, _, _ in found[rules]))
    rows = [
        [RULE_NAMES[rules], *(f"{100 * one:.1f} ({100 * low:.1f}–{100 * high:.1f})" for one, low, high in found[rules])]
        for rules in order
    ]
    return [
        "## Which edition is fairest",
        "",
        *_prose("""How far the seats are from winning equally often: the root of the mean squared deviation, in
            percentage points, less what chance alone would make (0: fair), with 95 % intervals; fairest on
            average first."""),
        *_table(["rules", *(f"{players} players" for players in PLAYERS)], rows),
        *_prose(" ".join(fairest_sentence(found, place, players) for place, players in enumerate(PLAYERS))),
    ]


def fairest_sentence(found: dict[str, list[tuple[float, float, float]]], place: int, players: int) -> str:
    """Which editions of the base game can be told apart."""
    by_edition = {edition: found[edition][place] for edition in EDITIONS}
    best = min(by_edition, key=lambda edition: by_edition[edition][0])
    worse = [edition for edition in EDITIONS if by_edition[edition][1] > by_edition[best][2]]
    if not worse:
        return f"With {WORDS[players]} players the editions of the base game cannot be told apart."
    named = _listed([RULE_NAMES[edition] for edition in worse])
    return f"With {WORDS[players]} players {RULE_NAMES[best]} is fairer than {named}."


# The first two trees


def openings(counts: Counts) -> list[str]:
    """The chapter about the set-up."""
    rows = []
    for far in range(1, 7):
        row = [str(far)]
        for players in PLAYERS:
            table = _of(counts, "openings", players)["apart"]
            share = table[far]["chosen"] / max(1, sum(one["chosen"] for one in table))
            row += [f"{100 * share:.0f}", Figure.of(table[far]["ahead"]).text(signed=True)]
        rows.append(row)
    head = [f"{players} players: {what}" for players in PLAYERS for what in ("chosen, %", "points ahead")]
    return [
        "## The first two trees",
        "",
        "![Where the network places its first two trees](images/strategy-placed.svg)",
        "",
        *_prose("""Of a hundred trees that the network placed, how many went to a space. The sun of the first round
            stands at the upper left and goes round clockwise."""),
        "![What a space is worth](images/strategy-worth.svg)",
        "",
        *_prose("""In a third of the games chance placed the trees, so that no skill decides who has which space:
            points ahead of the others at the end for whoever had a tree there."""),
        *_prose(" ".join(worth_sentence(counts, players) for players in PLAYERS)),
        *_prose("""How far the two trees stand apart (neighbours: 1), how often the network chooses it, and points
            ahead where chance did:"""),
        *_table(["apart", *head], rows),
    ]


def worth_sentence(counts: Counts, players: int) -> str:
    """The best and the worst spaces of the set-up, where they can be told apart."""
    worth = {
        space: Figure.of(one["ahead"])
        for space, one in zip(EDGE, _of(counts, "openings", players)["worth"], strict=True)
    }
    good = sorted((space for space in EDGE if worth[space].sign() > 0), key=lambda space: -worth[space].mean)[:4]
    bad = sorted((space for space in EDGE if worth[space].sign() < 0), key=lambda space: worth[space].mean)[:4]
    if not good or not bad:
        return f"With {WORDS[players]} players the spaces cannot be told apart."

    def named(spaces: list[int]) -> str:
        return _listed([f"{board.NAMES[space]} ({worth[space].text(signed=True)})" for space in spaces])

    return f"With {WORDS[players]} players the best are {named(good)}, the worst {named(bad)}."


def opening_pictures(counts: Counts) -> Pages:
    """Maps of the set-up."""
    placed, worth = [], []
    for players in PLAYERS:
        found = _of(counts, "openings", players)
        chosen = [sum(trees) for trees in zip(*found["chosen"], strict=True)]
        shares = {space: 100 * one / max(1, sum(chosen)) for space, one in zip(EDGE, chosen, strict=True)}
        most = max(max(shares.values()), 1e-9)
        name = f"{players} players"
        placed.append((name, {space: Space(f"{share:.0f}", share / most) for space, share in shares.items()}))
        ahead = {space: Figure.of(one["ahead"]) for space, one in zip(EDGE, found["worth"], strict=True)}
        scale = max(max(abs(one.mean) for one in ahead.values()), 1e-9)
        worth.append(
            (name, {s: Space(f"{one.mean:+.1f}".replace("-", "−"), one.mean / scale) for s, one in ahead.items()})
        )
    return {
        "images/strategy-placed.svg": maps("Where the network places its first two trees, per cent", placed),
        "images/strategy-worth.svg": maps("Points ahead at the end where chance placed a tree there", worth),
    }


# When to collect


def collecting(counts: Counts) -> list[str]:
    """The chapter about scoring tokens."""
    return [
        "## When to collect",
        "",
        "![Tokens taken in each round](images/strategy-collecting.svg)",
        "",
        *_prose("""Games won, in per cent, by the round of the first scoring token, and in brackets how many of a
            hundred players began then:"""),
        *_by_result(counts, "first", range(1, ROUNDS + 1), "first token in round"),
        "By the number of tokens:",
        "",
        *_by_result(counts, "number", range(1, 12), "tokens"),
        *_prose(" ".join(number_sentence(counts, players) for players in PLAYERS)),
        "What the winner has, what the others have on average, and the difference, game by game:",
        "",
        *_compared(counts, "collecting", COLLECTING_WORDS),
    ]


COLLECTING_WORDS: Final = {
    "tokens": "scoring tokens",
    "points of a token": "points of a token",
    "light": "light from the sun",
    "buy": "pieces bought",
    "plant": "seeds planted",
    "grow": "trees grown",
}


def _by_result(counts: Counts, name: str, values: range, head: str) -> list[str]:
    rows = []
    for value in values:
        row = [str(value)]
        for players in PLAYERS:
            table = _of(counts, "collecting", players)[name]
            figure = Figure.of(table[value])
            share = 100 * table[value][0] / max(1, sum(one[0] for one in table))
            row.append(f"{figure.percent(0)} ({share:.0f})" if figure.known else "–")
        if any(cell != "–" for cell in row[1:]):
            rows.append(row)
    return _table([head, *(f"{players} players" for players in PLAYERS)], rows)


def number_sentence(counts: Counts, players: int) -> str:
    """Whether the winner takes more tokens, better ones, or both."""
    found = _of(counts, "collecting", players)["compared"]
    tokens, value = Figure.of(found["tokens"]["more"]), Figure.of(found["points of a token"]["more"])
    words = {1: "more", 0: "no more", -1: "fewer"}
    better = {1: "better", 0: "no better", -1: "cheaper"}
    return (
        f"With {WORDS[players]} players the winner takes {words[tokens.sign()]} tokens ({tokens.text(2, True)}) and "
        f"{better[value.sign()]} ones ({value.text(2, True)} points each)."
    )


def _compared(counts: Counts, chapter: str, names: dict[str, str], percent: tuple[str, ...] = ()) -> list[str]:
    rows = []
    for name, words in names.items():
        row = [words]
        for players in PLAYERS:
            found = _of(counts, chapter, players)["compared"][name]
            winner, others, more = (Figure.of(found[which]) for which in ("winner", "others", "more"))
            if name in percent:
                row.append(f"{100 * winner.mean:.1f} / {100 * others.mean:.1f}; {more.percent()}".replace("-", "−"))
            else:
                row.append(f"{winner.mean:.1f} / {others.mean:.1f}; {more.text(2, True)}")
        rows.append(row)
    return _table(["winner / others; difference", *(f"{players} players" for players in PLAYERS)], rows)


def collecting_pictures(counts: Counts) -> Pages:
    """Tokens and light, round by round."""
    drawn = []
    for players in (2, 4):
        for result, name in enumerate(("winners", "others")):
            table = _of(counts, "collecting", players)["tokens"][result]
            points = [(number + 1.0, Figure.of(one)) for number, one in enumerate(table)]
            drawn.append(Line(f"{name}, {players} players", points))
    title = "Scoring tokens that a player takes in a round"
    return {"images/strategy-collecting.svg": lines(title, "round", drawn)}


# What a space is worth


def ground(counts: Counts) -> list[str]:
    """The chapter about spaces."""
    tokens = []
    for soil, words in enumerate(SOILS):
        row = [words]
        for players in PLAYERS:
            by_round = _of(counts, "ground", players)["token"][soil]
            times = [Figure.of(added(by_round[SUNS * time : SUNS * (time + 1)])) for time in range(3)]
            row.append(" · ".join(f"{one.mean:.1f}" if one.known else "–" for one in times))
        tokens.append(row)
    lit = []
    for soil, words in enumerate(SOILS):
        row = [words]
        for players in PLAYERS:
            sizes = _of(counts, "ground", players)["lit"][soil]
            figures = [Figure.of(added(times)) for times in sizes]
            row.append(" · ".join(f"{100 * one.mean:.0f}" if one.known else "–" for one in figures))
        lit.append(row)
    head = [f"{players} players" for players in PLAYERS]
    return [
        "## What a space is worth in which round",
        "",
        "![Light that a space brings in each round](images/strategy-light-2.svg)",
        "![The same with four players](images/strategy-light-4.svg)",
        "",
        "Points of a token taken in the first · second · third revolution:",
        "",
        *_table(["soil", *head], tokens),
        "How many of a hundred small · medium · large trees stand in the light when the sun shines:",
        "",
        *_table(["soil", *head], lit),
        "![Points that each space gives in a game](images/strategy-points.svg)",
        "",
    ]


def ground_pictures(counts: Counts) -> Pages:
    """Light by round and soil; points by space."""
    pages = {}
    for players in (2, 4):
        table = _of(counts, "ground", players)["light"]
        drawn = [
            Line(words, [(number + 1.0, Figure.of(one)) for number, one in enumerate(table[soil])])
            for soil, words in enumerate(SOILS)
        ]
        title = f"Light that a space brings to whoever is there, {players} players"
        pages[f"images/strategy-light-{players}.svg"] = lines(title, "round", drawn)
    boards = []
    for players in PLAYERS:
        points = [Figure.of(one).mean for one in _of(counts, "ground", players)["space_points"]]
        most = max(*points, 1e-9)
        boards.append((f"{players} players", {s: Space(f"{one:.1f}", one / most) for s, one in enumerate(points)}))
    pages["images/strategy-points.svg"] = maps("Points that each space gives in a game, all players together", boards)
    return pages


# Shade


SHADE_WORDS: Final = {
    "took": "light taken from others",
    "lost to others": "light lost to others' trees",
    "lost to own": "light lost to own trees",
    "shaded by others": "own trees shaded by others, %",
}


def shade(counts: Counts) -> list[str]:
    """The chapter about shade as a weapon."""
    rows = []
    for players in PLAYERS:
        found = {name: Figure.of(one) for name, one in _of(counts, "shade", players)["all"].items()}
        rows.append(
            [
                str(players), found["light"].text(), found["lost to others"].text(), found["lost to own"].text(),
                found["shaded by others"].percent(), found["shaded by own"].percent(),
            ]
        )  # fmt: skip
    head = ["players", "light from the sun", "lost to others' trees", "lost to own trees"]
    return [
        "## Shade as a weapon",
        "",
        *_prose("""A player's light in a game, how much more there would have been without the shade of others' trees
            alone or of own trees alone, and how many of a hundred trees that stand when the sun shines are in
            such shade:"""),
        *_table([*head, "shaded by others, %", "shaded by own, %"], rows),
        *_compared(counts, "shade", SHADE_WORDS, ("shaded by others",)),
        *_prose(" ".join(shade_sentence(counts, players) for players in PLAYERS)),
        "![Games won by light taken less light lost](images/strategy-shade.svg)",
        "",
    ]


def shade_sentence(counts: Counts, players: int) -> str:
    """Whether winners take more light than they lose."""
    half = BALANCES.index(0) + 1
    table = _of(counts, "shade", players)["by_balance"]
    more = Figure.of(added(one["win"] for one in table[half:]))
    less = Figure.of(added(one["win"] for one in table[:half]))
    if more.low <= less.high:
        return f"With {WORDS[players]} players it cannot be told that taking more light than one loses wins games."
    return (
        f"With {WORDS[players]} players those who take at least as much light as they lose win {more.percent()} % of "
        f"their games, the others {less.percent()} %."
    )


def shade_pictures(counts: Counts) -> Pages:
    """Games won over light taken less light lost."""
    step = BALANCES[1] - BALANCES[0]
    middles = [BALANCES[0] - step / 2, *(edge + step / 2 for edge in BALANCES)]
    drawn = []
    for players in PLAYERS:
        groups = _of(counts, "shade", players)["by_balance"]
        points = [(x, Figure.of(one["win"])) for x, one in zip(middles, groups, strict=True)]
        drawn.append(Line(f"{players} players", points))
    title = "Games won by light taken from others less light lost to them"
    below = "light points (groups of ten; the ends are open)"
    return {"images/strategy-shade.svg": lines(title, below, drawn, percent=True)}


# Animals


def animals(counts: Counts) -> list[str]:
    """The chapter about animals."""
    names = list(_of(counts, "animals", PLAYERS[0]))
    worth = {name: {set_up: _animal_share(counts, name, set_up) for set_up in ("own", "random")} for name in names}
    rows = []
    for name in sorted(names, key=lambda name: -worth[name]["random"].mean):
        each = [_of(counts, "animals", players)[name] for players in PLAYERS]
        kept = Figure.of(added(one["kept"] for one in each))
        ahead = Figure.of(added(one["random"]["ahead"] for one in each))
        uses = ", ".join(
            f"{ability.partition('.')[2]} {Figure.of(added(one['uses'][ability] for one in each)).mean:.1f}"
            for ability in each[0]["uses"]
        )
        rows.append(
            [
                name, worth[name]["random"].percent(0), ahead.text(signed=True), kept.percent(0),
                worth[name]["own"].percent(0), uses,
            ]
        )  # fmt: skip
    head = ["wins, chance gave it", "points ahead", "kept, %", "wins, chosen", "uses in a game"]
    return [
        "## What each animal is worth",
        "",
        *_prose("""With the moon (alone or with Elder Tree and moonstones), all numbers of players together. Wins are
            in per cent of an equal share: 100 is average. Where chance kept one of two cards and set everything
            up, nobody's judgement is in it. “Kept” is how often the network keeps the card when it is dealt it."""),
        *_table(["animal", *head], rows),
        animal_sentence(worth),
        "",
    ]


def _animal_share(counts: Counts, name: str, set_up: str) -> Figure:
    """Wins as a part of an equal share, over all numbers of players."""
    scaled = []
    for players in PLAYERS:
        number, total, squares = _of(counts, "animals", players)[name][set_up]["win"]
        scaled.append([number, players * total, players**2 * squares])
    return Figure.of(added(scaled))


def animal_sentence(worth: dict[str, dict[str, Figure]]) -> str:
    """Which animals are better or worse than the average."""
    good = [name for name, one in worth.items() if one["random"].sign(1) > 0]
    bad = [name for name, one in worth.items() if one["random"].sign(1) < 0]
    told = [
        f"{words} than average: {_listed(sorted(names, key=lambda name: -worth[name]['random'].mean))}"
        for names, words in ((good, "better"), (bad, "worse"))
        if names
    ]
    return f"Where chance gave it, {'; '.join(told)}." if told else "No animal can be told to be better than another."


def page(counts: Counts) -> str:
    """The whole page."""
    about = counts["about"]
    parts = [
        "# What the network knows about the game",
        "",
        *_prose(f"""A guide to strategy that is measured: {about["games"]:,} games that the [neural player](neural.md)
            played against itself, {about["simulations"]} simulations an action ({about["date"]},
            {about["machine"]}). ± gives 95 % intervals. A sentence that compares is here only where the
            intervals allow it; the page is made by a command from the counts, and no figure is put in by hand."""),
        *_prose("""It tells how one strong player plays against its equals. Against people other things may be good,
            and what goes with winning need not be what makes one win, except where chance decided: there it
            says so. The base game means all editions together; spaces are named as on the [board](rules.md) (a1
            to g4, rows from the top)."""),
        *who_begins(counts),
        *fairest(counts),
        *openings(counts),
        *collecting(counts),
        *ground(counts),
        *shade(counts),
        *animals(counts),
        "## How it was made",
        "",
        "```",
        "python -m training.strategy.play --folder FOLDER --seconds 300    # a GPU and PyTorch; ends by itself",
        "python -m training.strategy.count FOLDER    # plays the games again, writes training/strategy/counts.json",
        "python -m training.strategy.guide           # writes this page and its pictures",
        "```",
        "",
        *_prose(f"""From the root of a checkout. Until round {about["noisy_rounds"]} actions are drawn as in training,
            later each is the best that the search found, so that games differ. Of three games one has a random
            set-up; of 24 four are by `us`, two by each other edition, two forbid planting and growing in shade,
            one is long, seven have modules. {about["seconds"]:.0f} s of playing; {about["unfinished"]} games
            were not finished and {about["too_long"]} had too many actions to be kept."""),
    ]
    return "\n".join(parts).rstrip() + "\n"


def made(counts: Counts) -> Pages:
    """Every file of the guide."""
    return {
        PAGE: page(counts),
        **opening_pictures(counts),
        **collecting_pictures(counts),
        **ground_pictures(counts),
        **shade_pictures(counts),
    }


if __name__ == "__main__":
    for name, content in made(json.loads(COUNTS.read_text())).items():
        (DOCS / name).write_text(content)
