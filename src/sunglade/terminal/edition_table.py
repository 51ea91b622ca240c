"""How the editions differ, and what options and modules mean (`sunglade editions`)."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sunglade.errors import BadRequest
from sunglade.rules import EDITIONS, MODULE_MEANINGS, MODULES, OPTIONS, Rules
from sunglade.suggest import did_you_mean
from sunglade.terminal.screen import make_console
from sunglade.words import is_key, key
from sunglade.words.speech import tell

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
        wrong = tell("terminal.editions.unknown", edition=f"{name!r:.60}", editions=", ".join(EDITIONS))
        raise BadRequest(wrong + did_you_mean(name, EDITIONS))
    return name


def show_one(name: str, *, colour: bool | None = None) -> None:
    """Print one edition: its book, and every option with its value; what differs from `us` is marked."""
    console = make_console(colour=colour)
    rules, reference = Rules(edition=_known(name)), Rules()
    title = tell("common.pair", name=name, value=edition_name(name))
    console.print(Text(f"{title}. {tell('terminal.editions.one')}", style="bold"))
    table = Table.grid(padding=(0, 2))
    for option in OPTIONS:
        table.add_row(Text(option, style="bold"), _cell(rules, reference, option), _meaning(option))
    console.print(table)
    _show_example(console, f"sunglade play --edition {name}")


def _show_example(console: Console, command: str) -> None:
    console.print(Text("\n" + tell("terminal.example", command=command), style="dim"))


def show(*, colour: bool | None = None) -> None:
    """Print the table, the options and the modules."""
    console = make_console(colour=colour)
    console.print(Text(tell("terminal.editions.title"), style="bold"))
    console.print(_differences())
    for title, meanings in ((tell("terminal.options"), _options()), (tell("setup.modules"), _modules())):
        console.print(Text(f"\n{title}", style="bold"))
        console.print(meanings)
    _show_example(console, "sunglade play --edition de --shade-forbids --modules moon elder")


def _differences() -> Table:
    """One row an edition; what differs from `us` stands out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    reference = Rules()
    for column in (tell("setup.edition"), *(option.replace("_", "\n") for option in DIFFERING), ""):
        table.add_column(column)
    for name in EDITIONS:
        rules = Rules(edition=name)
        cells = [_cell(rules, reference, option) for option in DIFFERING]
        table.add_row(Text(name, style="bold"), *cells, edition_name(name))
    return table


def _cell(rules: Rules, reference: Rules, option: str) -> Text:
    value = getattr(rules, option)
    if option == "moonstones":
        return Text(tell("option.moonstones.auto"))
    text = f"{value}/{Rules(edition=rules.edition, revolutions=4).rounds}" if option == "rounds" else _said(value)
    same = value == getattr(reference, option)
    return Text(text if same else f"{text} *", style="" if same else "bold yellow")


def _said(value: object) -> str:
    """As it is typed, but for yes and no."""
    if isinstance(value, bool):
        return tell("sound.yes" if value else "sound.no")
    if isinstance(value, tuple):
        return " ".join(value) or "none"
    return "none" if value is None else str(value)


def _options() -> Table:
    table = Table.grid(padding=(0, 2))
    for name in OPTIONS:
        table.add_row(Text(name, style="bold"), f"{_meaning(name)} (us: {_cell(Rules(), Rules(), name)})")
    return table


def _meaning(option: str) -> str:
    """What an option is about: its name and a note."""
    if option == "modules":
        return tell("setup.modules.note", expansion=tell("expansion.name"))
    return tell("common.pair", name=option_name(option), value=tell(key(f"option.{option}.note")))


def _modules() -> Table:
    table = Table.grid(padding=(0, 2))
    for name in MODULES:
        meaning = tell("common.pair", name=tell(key(f"module.{name}")), value=tell(key(f"module.{name}.note")))
        table.add_row(Text(name, style="bold"), meaning)
    return table


def edition_name(edition: str) -> str:
    """What an edition is called."""
    return tell(key(f"edition.{edition}"))


def option_name(option: str) -> str:
    """What an option is called; the modules are one, too."""
    return tell("setup.modules") if option == "modules" else tell(key(f"option.{option}"))


def option_value(option: str, value: object) -> str:
    """A value of an option, in words where it has some."""
    if isinstance(value, list):
        return ", ".join(tell(key(f"module.{word}")) if option == "modules" else word for word in value)
    named = f"option.{option}.{str(value).lower()}"
    if is_key(named):
        return tell(key(named))
    counted = f"option.{option}.value"
    return tell(key(counted), count=value) if is_key(counted) else str(value)
