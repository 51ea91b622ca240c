"""How the editions differ, and what options and modules mean (`sunglade editions`)."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from sunglade.errors import BadRequest
from sunglade.rules import EDITIONS, MODULE_MEANINGS, OPTIONS, Rules
from sunglade.suggest import did_you_mean
from sunglade.terminal.screen import make_console

DIFFERING: Final = tuple(name for name in OPTIONS if len({getattr(Rules(edition), name) for edition in EDITIONS}) > 1)
"""The options in which editions differ (R-ED-2)."""


def as_data(only: str | None = None) -> dict[str, Any]:
    """The same for programs: every option of every edition, or of one, with its value."""
    shown = EDITIONS if only is None else {_known(only): EDITIONS[only]}
    editions = {name: {option: getattr(Rules(edition=name), option) for option in OPTIONS} for name in shown}
    meanings = {name: option.meaning for name, option in OPTIONS.items()}
    return {"editions": editions, "books": dict(shown), "options": meanings, "modules": MODULE_MEANINGS}


def _known(name: str) -> str:
    """The name of an edition, checked."""
    if name not in EDITIONS:
        right = f"the editions are {', '.join(EDITIONS)}"
        raise BadRequest(f"there is no edition {name!r:.60}; {right}.{did_you_mean(name, EDITIONS)}")
    return name


def show_one(name: str, *, colour: bool | None = None) -> None:
    """Print one edition: its book, and every option with its value; what differs from `us` is marked."""
    console = make_console(colour=colour)
    rules, reference = Rules(edition=_known(name)), Rules()
    console.print(Text(f"{name}: {EDITIONS[name]}. What differs from us is marked *.", style="bold"))
    table = Table.grid(padding=(0, 2))
    for option, facts in OPTIONS.items():
        value = Text("by players") if option == "moonstones" else _cell(rules, reference, option)
        table.add_row(Text(option, style="bold"), value, facts.meaning)
    console.print(table)
    console.print(Text(f"\nFor example: sunglade play --edition {name}", style="dim"))


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
        table.add_row(Text(name, style="bold"), *cells, EDITIONS[name])
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
    for name, option in OPTIONS.items():
        usual = "by players" if name == "moonstones" else _said(getattr(Rules(), name))
        table.add_row(Text(name, style="bold"), f"{option.meaning} (us: {usual})")
    return table


def _listed(meanings: dict[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, meaning in meanings.items():
        table.add_row(Text(name, style="bold"), meaning)
    return table
