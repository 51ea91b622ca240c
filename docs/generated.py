"""What the site tells from the code itself: actions, observations, options, editions, the command line.

A page says `{generated} NAME` where the part of that name shall stand; `PARTS` has them all.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sunglade.cli import _parser
from sunglade.envs import reference_pages
from sunglade.kernel.actions import TABLE, Action
from sunglade.kernel.record import PHASES
from sunglade.manual import explained, verbs
from sunglade.notation import ACTION_NAMES
from sunglade.options import OneOf, Whole
from sunglade.rules import EDITIONS, MODULE_MEANINGS, OPTIONS, Rules

if TYPE_CHECKING:
    from sphinx.application import Sphinx

THE_RULES: Final = ("the rules", "Under the Moonlight")
"""The groups of options that `play` and `arena` share; they have a page of their own."""


def action_families() -> str:
    """Every kind of action in a row: numbers, first line, how many, when, price."""
    rows = []
    for _, run in groupby(enumerate(TABLE), key=lambda row: (row[1].kind, row[1].ability, row[1].level)):
        numbers, found = zip(*run, strict=True)
        span = str(numbers[0]) if len(found) == 1 else f"{numbers[0]}–{numbers[-1]}"
        first = found[0]
        rows.append((span, f"`{ACTION_NAMES[numbers[0]]}`", str(len(found)), PHASES[first.phase], _price(first)))
    return _table(("numbers", "first of them", "how many", "phase", "price"), rows)


def _price(action: Action) -> str:
    kind = "lunar" if action.kind == "ability" else "light"
    fixed = action.light or action.lunar
    parts = [part for part in (f"{fixed}" if fixed else "", action.extra) if part]
    return f"{' + '.join(parts)} ({kind})" if parts else "nothing"


def option_table() -> str:
    """Every option of the rules: what it may be, what it is in the edition `us`, what it means."""
    usual = Rules()
    rows = [
        (f"`{name}`", _values(option.kind), f"`{_shown(getattr(usual, name))}`", option.meaning)
        for name, option in OPTIONS.items()
    ]
    return _table(("option", "may be", "in `us`", "meaning"), rows)


def _values(kind: object) -> str:
    if isinstance(kind, Whole):
        return f"{kind.low} to {kind.high}{', or `none`' if kind.or_none else ''}"
    if isinstance(kind, OneOf):
        return ", ".join(f"`{_shown(value)}`" for value in kind.values)
    return "a list"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def edition_table() -> str:
    """Every edition: its rulebook, and what differs from `us`."""
    usual = Rules()
    rows = []
    for name, rulebook in EDITIONS.items():
        rules = Rules(edition=name)
        differs = [
            f"`{option} {_shown(getattr(rules, option))}`"
            for option in OPTIONS
            if getattr(rules, option) != getattr(usual, option)
        ]
        rows.append((f"`{name}`", rulebook, ", ".join(differs) or "–"))
    return _table(("edition", "rulebook", "differs from `us` in"), rows)


def module_table() -> str:
    """The modules of the expansion."""
    return _table(("module", "what it brings"), [(f"`{name}`", what) for name, what in MODULE_MEANINGS.items()])


def command_line() -> str:
    """Every verb of the command line, with its options."""
    parts: list[str] = []
    for name, verb in verbs(_parser()):
        parts += [f"## sunglade {name}", "", f"{verb.description or ''}", ""]
        for group in verb._action_groups:
            parts += _group(verb, group)
        if verb.epilog:
            parts += ["```text", verb.epilog % {"prog": verb.prog}, "```", ""]
    return "\n".join(parts)


def _group(verb: argparse.ArgumentParser, group: argparse._ArgumentGroup) -> Iterator[str]:
    if group.title in THE_RULES:
        if group.title == THE_RULES[0]:
            yield from ("[Options of the rules](options.md): an edition, and what shall differ from it.", "")
        return
    told = [action for action in group._group_actions if not isinstance(action, argparse._HelpAction)]
    rows = [(f"`{written}`".replace("|", "\\|"), what) for written, what in explained(verb, told)]
    if rows:
        if group.title not in ("options", "positional arguments"):
            yield from (f"**{group.title}**", "")
        yield from (_table(("option", "what it does"), rows), "")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return reference_pages.markdown_table(head, rows)


PARTS: Final = {
    "action-families": action_families,
    "actions": reference_pages.actions_table,
    "observation-planes": reference_pages.planes_table,
    "observation-numbers": reference_pages.numbers_table,
    "options": option_table,
    "editions": edition_table,
    "modules": module_table,
    "command-line": command_line,
}


class Generated(SphinxDirective):
    """`{generated} NAME`: one of `PARTS`, as Markdown."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        return self.parse_text_to_nodes(PARTS[self.arguments[0]](), allow_section_headings=True)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("generated", Generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
