"""The guide, made of `counts.json`: `python -m training.strategy.guide` writes docs/strategy.md and its pictures.

Every figure comes from the counts, and a sentence that compares things is there only where their intervals allow it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from training.strategy import animals, collecting, ground, openings, seats, shade
from training.strategy.count import COUNTS, ROUNDS
from training.strategy.markdown import Counts, Pages, item, listed, prose
from training.strategy.plan import EDITIONS, RULES

from sunglade.rules import Rules

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = "strategy.md"
CHAPTERS: Final = (seats, openings, collecting, ground, shade, animals)


def made(counts: Counts) -> Pages:
    """Every file of the guide."""
    pictures = [chapter.pictures(counts) for chapter in (openings, collecting, ground, shade)]
    return {PAGE: _page(counts), **{name: picture for some in pictures for name, picture in some.items()}}


def _other_lengths() -> str:
    """The editions whose games do not have the usual number of rounds."""
    lengths = {name: Rules(**RULES[name]).rounds for name in EDITIONS}
    return listed([f"`{name}` ({rounds})" for name, rounds in lengths.items() if rounds != ROUNDS])


def _noisy(rounds: int) -> str:
    return f"round {rounds}" if rounds else "the set-up"


def _page(counts: Counts) -> str:
    about = counts["about"]
    parts = [
        "# What the network knows about the game",
        "",
        *prose(f"""A guide to strategy that is measured: {counts["different"]:,} games that the
            [neural player](neural.md) played against itself, {about["simulations"]} simulations an action
            ({about["date"]}, {about["machine"]}). ± gives 95 % intervals. A sentence that compares is here only
            where the intervals allow it; the page is made by a command from the counts, and no figure is put in
            by hand."""),
        *prose(f"""It tells how one strong player plays against its equals. Against people other things may be good,
            and what goes with winning need not be what makes one win, except where chance decided: there it
            says so. Figures are of games whose set-up the players chose, except where it says that
            chance did, and of all editions of the base game together, except where rules are named; when to
            collect, what a space is worth in which round, and shade are told of games of {ROUNDS} rounds, so
            without {_other_lengths()}.
            Spaces are named as on the [board](rules.md) (a1 to g4, rows from the top)."""),
        "## In short",
        "",
        *(line for chapter in CHAPTERS for line in item(chapter.short(counts))),
        "",
        *(line for chapter in CHAPTERS for line in chapter.text(counts)),
        "## How it was made",
        "",
        "```",
        "python -m training.strategy.play --folder FOLDER --seconds 300    # a GPU and PyTorch; ends by itself",
        "python -m training.strategy.count FOLDER    # plays the games again, writes training/strategy/counts.json",
        "python -m training.strategy.guide           # writes this page and its pictures",
        "```",
        "",
        *prose(f"""From the root of a checkout. {about["games"]:,} games were played in {about["seconds"]:.0f} s;
            {about["unfinished"]} were not finished and {about["too_long"]} had too many actions to be kept. One of
            three has a random set-up. In the others the network chooses, drawing among what it likes (noise of scale
            {about["noise"]:g} until the end of {_noisy(about["noisy_rounds"])}): left alone, it would open in a
            few ways and then play the same few games. Later it does the best that its search finds. Of games
            with the same set-up only the first counts, which leaves {counts["different"]:,}. Of 24 games four
            are by `us`, two by each other edition, two forbid planting and growing in shade, one is long, seven
            have modules. Editions that differ only in what shade forbids are the same game otherwise."""),
    ]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    for name, content in made(json.loads(COUNTS.read_text())).items():
        (DOCS / name).write_text(content)
