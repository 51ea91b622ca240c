"""The chapter about the first two trees."""

from __future__ import annotations

from training.strategy.count import EDGE
from training.strategy.figures import VERY_SURE, Figure, added
from training.strategy.markdown import WORDS, Counts, Pages, listed, of, prose, table
from training.strategy.pictures import Space, maps
from training.strategy.plan import EDITIONS, PLAYERS

from sunglade import board


def _worth(counts: Counts, players: int) -> dict[int, Figure]:
    """Points ahead for whoever had a tree on a space, placed by chance."""
    found = of(counts, "openings", players)["worth"]
    return {space: Figure.of(one["ahead"]) for space, one in zip(EDGE, found, strict=True)}


def _apart(counts: Counts, players: int, *distances: int) -> Figure:
    """Points ahead where chance placed the two trees so far apart."""
    found = of(counts, "openings", players)["apart"]
    return Figure.of(added(found[far]["ahead"] for far in distances))


def _by_chance(counts: Counts, players: int) -> str:
    """In how many games of the base game chance placed the trees, and how large a part of all that is."""
    found = of(counts, "seats", players)
    own, random = (sum(found[name][set_up][0]["win"][0] for name in EDITIONS) for set_up in ("own", "random"))
    return f"{random:,} with {WORDS[players]} ({100 * random / max(1, own + random):.0f} %)"


def sentence(counts: Counts, players: int) -> str:
    """The best and the worst spaces, where they can be told from the others."""
    worth = _worth(counts, players)
    told = []
    for sign, words in ((1, "the best spaces are"), (-1, "the worst")):
        some = [space for space in EDGE if worth[space].sign(sure=VERY_SURE) == sign]
        some = sorted(some, key=lambda space: -sign * worth[space].mean)[:4]
        if some:
            named = [f"{board.NAMES[space]} ({worth[space].text(signed=True)})" for space in some]
            told.append(f"{words} {listed(named)}")
    return f"With {WORDS[players]} players {', '.join(told) or 'no space can be told to be better than another'}."


def short(counts: Counts) -> str:
    """What to do about the first two trees, where the figures say it."""
    told = []
    for players in PLAYERS:
        near, further = _apart(counts, players, 1), _apart(counts, players, *range(2, 7))
        if near.high < further.low:
            told.append(f"{near.text(signed=True)} and {further.text(signed=True)} with {WORDS[players]}")
    if not told:
        return "**The first two trees.** Whether they are neighbours makes no difference that can be told."
    return (
        "**The first two trees** should not be neighbours: points ahead of the others where chance made them so, and "
        f"where it did not, {listed(told)} players."
    )


def text(counts: Counts) -> list[str]:
    """The chapter."""
    rows = []
    for far in range(1, 7):
        row = [str(far)]
        for players in PLAYERS:
            distances = of(counts, "openings", players)["apart"]
            share = distances[far]["chosen"] / max(1, sum(one["chosen"] for one in distances))
            row += [f"{100 * share:.0f}", _apart(counts, players, far).text(signed=True)]
        rows.append(row)
    head = [f"{players} players: {what}" for players in PLAYERS for what in ("chosen, %", "points ahead")]
    return [
        "## The first two trees",
        "",
        "![Where the network places its first two trees](images/strategy-placed.svg)",
        "",
        *prose("""Of a hundred trees that the network placed, how many went to a space. The sun of the first round
            stands at the upper left and goes round clockwise."""),
        "![What a space is worth](images/strategy-worth.svg)",
        "",
        *prose(f"""In some of the games that count chance placed the trees, so that no skill decides who has which
            space: {listed([_by_chance(counts, players) for players in PLAYERS])} players. Points ahead of the
            others at the end for whoever had a tree there; named here is what lies three standard errors from
            nothing: among eighteen spaces some look good by chance."""),
        *prose(" ".join(sentence(counts, players) for players in PLAYERS)),
        *prose("""How far the two trees stand apart (neighbours: 1), how often the network chooses it, and points
            ahead where chance did:"""),
        *table(["apart", *head], rows),
    ]


def pictures(counts: Counts) -> Pages:
    """Maps of what is chosen, and of what it is worth."""
    placed, worth = [], []
    for players in PLAYERS:
        chosen = [sum(trees) for trees in zip(*of(counts, "openings", players)["chosen"], strict=True)]
        shares = {space: 100 * one / max(1, sum(chosen)) for space, one in zip(EDGE, chosen, strict=True)}
        most = max(max(shares.values()), 1e-9)
        placed.append(
            (f"{players} players", {space: Space(f"{share:.0f}", share / most) for space, share in shares.items()})
        )
        ahead = _worth(counts, players)
        most = max(max(abs(one.mean) for one in ahead.values()), 1e-9)
        shown = {space: Space(f"{one.mean:+.1f}".replace("-", "−"), one.mean / most) for space, one in ahead.items()}
        worth.append((f"{players} players", shown))
    return {
        "images/strategy-placed.svg": maps("Where the network places its first two trees, per cent", placed),
        "images/strategy-worth.svg": maps("Points ahead at the end where chance placed a tree there", worth),
    }
