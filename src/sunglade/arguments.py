"""A command line that is read by argparse and told in the reader's language: headings, help and what is wrong.

What operators and researchers type (`serve`, `arena`, …) is told in English, as their documents are.
"""

from __future__ import annotations

import argparse
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sunglade.errors import BadRequest
from sunglade.suggest import did_you_mean
from sunglade.words import ENGLISH, Tell, catalogue, speech

if TYPE_CHECKING:
    from sunglade.words.keys import Key

_SAID: Final[dict[str, Key]] = {
    r"argument (?P<argument>.+?): (?P<wrong>.+)": "terminal.command.argument",
    r"expected one argument": "terminal.command.expected.one",
    r"expected at least one argument": "terminal.command.expected.least",
    r"invalid choice: (?P<word>.+?) \(choose from (?P<words>.+)\)": "terminal.command.choice",
    r"the following arguments are required: (?P<arguments>.+)": "terminal.command.required",
    r"ambiguous option: (?P<option>.+) could match (?P<options>.+)": "terminal.command.ambiguous",
    r"ignored explicit argument (?P<value>.+)": "terminal.command.no_value",
}
"""What argparse finds wrong, and where the catalogue has it."""


class Formatter(argparse.HelpFormatter):
    """Help that begins with a word of the reader's language."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """How the command is typed."""
        begins = f"{speech.tell('terminal.usage.usage')} " if prefix is None else prefix
        super().add_usage(usage, actions, groups, begins)

    def _format_usage(self, *parts: Any) -> str:
        """From left to right as it is typed, whatever language its first word is of."""
        first, end, rest = super()._format_usage(*parts).partition("\n")
        return f"{speech.from_left_to_right(first)}{end}{rest}"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as everything else here does."""

    def __init__(self, *, english: bool = False, add_help: bool = True, **settings: Any) -> None:
        formatter = argparse.HelpFormatter if english else Formatter
        super().__init__(formatter_class=formatter, add_help=False, **settings)
        self._english = english
        self._tell: Tell = catalogue(ENGLISH).tell if english else speech.tell
        self._positionals.title = self._tell("terminal.usage.places")
        self._optionals.title = self._tell("terminal.usage.options")
        if add_help:
            told = self._tell("terminal.usage.help")
            self.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=told)

    def add_subparsers(self, **settings: Any) -> Any:
        """Verbs below an English one are English, too."""
        return super().add_subparsers(**{"parser_class": partial(Parser, english=self._english)} | settings)

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        found = re.sub(r"'?\bcomplete\b'?, ", "", message)  # which is for shells; not every Python quotes choices
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)$", found)
        near = did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2])) if wrong else ""
        raise BadRequest(self._tell("terminal.command.see_help", wrong=self._said(found), command=self.prog) + near)

    def _said(self, message: str) -> str:
        """A sentence of argparse in the reader's language; one that is not known stays as it is."""
        for pattern, key in _SAID.items():
            found = re.fullmatch(pattern, message)
            if found is not None:
                parts = {name: self._said(part) for name, part in found.groupdict().items()}
                return self._tell(key, **parts)
        return message
