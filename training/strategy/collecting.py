"""The chapter about scoring tokens: when they are taken, and how many."""

from __future__ import annotations

from typing import Final

from training.strategy.count import ROUNDS
from training.strategy.figures import Figure, added
from training.strategy.markdown import HEADS, WORDS, Counts, Pages, compared, of, prose, table
from training.strategy.pictures import Line, lines
from training.strategy.plan import PLAYERS

COMPARED: Final = {
    "tokens": "scoring tokens",
    "points of a token": "points of a token",
    "light": "light from the sun",
    "buy": "pieces bought",
    "plant": "seeds planted",
    "grow": "trees grown",
}


def sentence(counts: Counts, players: int) -> str:
    """Whether the winner takes more tokens, better ones, or both."""
    found = of(counts, "collecting", players)["compared"]
    tokens, value = Figure.of(found["tokens"]["more"]), Figure.of(found["points of a token"]["more"])
    number = {1: "more", 0: "not clearly more or fewer", -1: "fewer"}[tokens.sign()]
    better = {1: "better", 0: "not clearly better or cheaper", -1: "cheaper"}[value.sign()]
    return (
        f"With {WORDS[players]} players the winner takes {number} tokens ({tokens.text(2, True)}) and {better} ones "
        f"({value.text(2, True)} points each)."
    )


def usual_round(counts: Counts, players: int) -> int:
    """The round in which most players take their first token."""
    table_of_first = of(counts, "collecting", players)["first"]
    return max(range(1, ROUNDS + 1), key=lambda number: table_of_first[number][0])


def first_token(counts: Counts, players: int) -> str:
    """Who wins more: those whose first token comes before, in or after the round that is usual."""
    found, usual = of(counts, "collecting", players)["first"], usual_round(counts, players)
    before, then, later = (
        Figure.of(added(group)) for group in (found[1:usual], found[usual : usual + 1], found[usual + 1 :])
    )
    told = f"With {WORDS[players]} players the usual round for a first token is {usual}"
    if not (before.known and then.known and later.known and before.low > then.high and then.low > later.high):
        return f"{told}; whether it is better to be earlier cannot be told."
    return (
        f"{told}: whoever takes it then wins {then.percent()} % of the games, earlier {before.percent()} %, later "
        f"{later.percent()} %."
    )


def short(counts: Counts) -> str:
    """Collecting in short."""
    return f"**Collecting.** {' '.join(first_token(counts, players) for players in PLAYERS)}"


def text(counts: Counts) -> list[str]:
    """The chapter."""
    return [
        "## When to collect",
        "",
        "![Tokens taken in each round](images/strategy-collecting.svg)",
        "",
        *prose("""Games won, in per cent, by the round of the first scoring token, and in brackets how many of a
            hundred players began then:"""),
        *_by_result(counts, "first", range(1, ROUNDS + 1), "first token in round"),
        "By the number of tokens:",
        "",
        *_by_result(counts, "number", range(1, 12), "tokens"),
        *prose(" ".join(sentence(counts, players) for players in PLAYERS)),
        "What the winner has, what the others have on average, and the difference, game by game:",
        "",
        *compared(counts, "collecting", COMPARED),
        "![Light in each round](images/strategy-income.svg)",
        "",
    ]


def _by_result(counts: Counts, name: str, values: range, head: str) -> list[str]:
    """Games won by something, where enough players did it."""
    rows = []
    for value in values:
        row = [str(value)]
        for players in PLAYERS:
            found = of(counts, "collecting", players)[name]
            figure = Figure.of(found[value])
            share = 100 * found[value][0] / max(1, sum(one[0] for one in found))
            row.append(f"{figure.percent(0)} ({share:.0f})" if figure.known else "–")
        if any(cell != "–" for cell in row[1:]):
            rows.append(row)
    return table([head, *HEADS], rows)


def pictures(counts: Counts) -> Pages:
    """Tokens and light, round by round."""
    titles = {
        "collecting": ("tokens", "Scoring tokens that a player takes in a round"),
        "income": ("income", "Light that the sun brings a player in a round"),
    }
    return {
        f"images/strategy-{name}.svg": lines(title, "round", _by_round(counts, what))
        for name, (what, title) in titles.items()
    }


def _by_round(counts: Counts, what: str) -> list[Line]:
    return [
        Line(
            f"{name}, {players} players",
            [
                (place + 1.0, Figure.of(one))
                for place, one in enumerate(of(counts, "collecting", players)[what][result])
            ],
        )
        for players in (2, 4)
        for result, name in enumerate(("winners", "others"))
    ]
