"""How the editions differ, and what options and modules mean (`sunglade editions`)."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from sunglade.rules import EDITIONS, MODULES, OPTIONS, Rules
from sunglade.terminal.screen import make_console

BOOKS: Final = {
    "us": "English US, new",
    "us1": "English US, old",
    "he": "Hebrew",
    "eu": "English EU",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "ru": "Russian",
    "ro": "Romanian",
}
DIFFERING: Final = ("light_cap", "rounds", "use_bought", "leftover", "return_slot", "shade_plant")
"""The options in which editions differ (R-ED-2)."""

MEANINGS: Final = {
    "light_cap": "the most light a player can hold; what comes over it is lost",
    "rounds": "how many rounds are played; otherwise six for each revolution",
    "use_bought": "whether a piece may be used in the turn in which it was bought",
    "leftover": "a point for every three light at the end, a begun three counting (up) or not (down)",
    "return_slot": "where a piece goes back to on the player board: the highest or the lowest price that is free",
    "shade_forbids": "the advanced rule: nothing is planted or grown in shade",
    "shade_plant": "what that rule looks at when planting: the target space, the tree of origin, or both",
    "revolutions": "3, or 4 for the long game",
    "modules": "parts of Under the Moonlight that are played",
    "moon_start": "where the moon begins, 0 to 17 counter-clockwise",
    "shore": "the six spaces where the turtle's babies lie",
    "river": "the spaces of which the beaver's dam must cover one",
    "moonstones": "how many are placed; otherwise 3, 2, 0 with 2, 3, 4 players, or 1 with 4 and the Elder Tree",
}
MODULE_MEANINGS: Final = {
    "moon": "sun and moon, and an animal for each player with abilities for lunar points",
    "elder": "the Elder Tree: blocks a space, and its shadow reaches to the edge",
    "stones": "moonstones: block their spaces, throw a short shadow, and pass moonlight on",
}


def as_data() -> dict[str, Any]:
    """The same for programs: every option of every edition with its value."""
    editions = {name: {option: getattr(Rules(edition=name), option) for option in OPTIONS} for name in EDITIONS}
    return {"editions": editions, "books": BOOKS, "options": MEANINGS, "modules": MODULE_MEANINGS}


def show(*, colour: bool | None = None) -> None:
    """Print the table, the options and the modules."""
    console = make_console(colour=colour)
    console.print(Text("Editions: presets of the options below. What differs from us is marked *.", style="bold"))
    console.print(_differences())
    for title, meanings in (("Options", _options()), ("Modules", _listed(MODULE_MEANINGS))):
        console.print(Text(f"\n{title}", style="bold"))
        console.print(meanings)
    console.print(Text("\nFor example: sunglade play --edition de --shade-forbids --modules moon elder", style="dim"))


def _differences() -> Table:
    """One row an edition; what differs from `us` stands out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    reference = Rules()
    for column in ("edition", *(option.replace("_", "\n") for option in DIFFERING), "rulebook"):
        table.add_column(column)
    for name in EDITIONS:
        rules = Rules(edition=name)
        cells = [_cell(rules, reference, option) for option in DIFFERING]
        table.add_row(Text(name, style="bold"), *cells, BOOKS[name])
    return table


def _cell(rules: Rules, reference: Rules, option: str) -> Text:
    value = getattr(rules, option)
    text = f"{value}/{Rules(edition=rules.edition, revolutions=4).rounds}" if option == "rounds" else _said(value)
    same = value == getattr(reference, option)
    return Text(text if same else f"{text} *", style="" if same else "bold yellow")


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value) or "none"
    return "none" if value is None else str(value)


def _options() -> Table:
    table = Table.grid(padding=(0, 2))
    for option in OPTIONS:
        usual = "by players" if option == "moonstones" else _said(getattr(Rules(), option))
        table.add_row(Text(option, style="bold"), f"{MEANINGS[option]} (us: {usual})")
    return table


def _listed(meanings: dict[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, meaning in meanings.items():
        table.add_row(Text(name, style="bold"), meaning)
    return table


assert set(MEANINGS) == set(OPTIONS), "every option has a meaning"
assert set(MODULE_MEANINGS) == set(MODULES), "every module has a meaning"
assert set(BOOKS) == set(EDITIONS), "every edition has a book"
