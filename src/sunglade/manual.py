"""The manual page, made from the help of the command line (`sunglade man`)."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from typing import Final

from sunglade import __version__
from sunglade.terminal_folder import games_folder

ENDING: Final = """\
.SH FILES
.TP
.I {games}
Games that were kept. The variable SUNGLADE_DATA chooses another folder for them.
.TP
.I {config}
Name, language, bot, edition and colour; `sunglade config` shows it. The variable SUNGLADE_CONFIG names another file.
.SH ENVIRONMENT
.TP
.B SUNGLADE_DATA, SUNGLADE_CONFIG
See above.
.TP
.B LC_ALL, LC_MESSAGES, LANG
The language, where neither --language nor the settings name one; the first that is set decides.
.TP
.B NO_COLOR
No colours, if it is set to anything.
.SH EXIT STATUS
0 where all went well, 2 where the input cannot be used, 130 after an interruption.
"""


def page(parser: argparse.ArgumentParser, welcome: str, config: str) -> str:
    """The page as troff reads it."""
    lines = [
        f'.TH SUNGLADE 1 "" "sunglade {__version__}"',
        ".SH NAME",
        "sunglade \\- the board game in which trees race for light",
        ".SH SYNOPSIS",
        ".B sunglade",
        '.RI [ verb ] " " [ options ]',
        ".SH DESCRIPTION",
        ".nf",
        *map(_plain, welcome.splitlines()),
        ".fi",
        ".SH VERBS",
    ]
    for name, verb in verbs(parser):
        lines += [f".SS {_plain(name)}", _plain(verb.description or ""), *_options(verb)]
        if verb.epilog:
            lines += [".PP", ".nf", *map(_plain, (verb.epilog % {"prog": verb.prog}).splitlines()), ".fi"]
    return "\n".join(lines) + "\n" + ENDING.format(games=_plain(str(games_folder())), config=_plain(config))


def verbs(parser: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every verb that help tells of, and what stands below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest for choice in action._choices_actions}
            for name, verb in action.choices.items():
                if name in told:
                    yield f"{before}{name}", verb
                    yield from verbs(verb, f"{before}{name} ")


def explained(verb: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> Iterator[tuple[str, str]]:
    """How options are written and what they do, without those that help does not tell of."""
    formatter = argparse.HelpFormatter(verb.prog)
    for action in actions:
        if action.help is not argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction):
            told = formatter._expand_help(action) if action.help else action.dest
            yield formatter._format_action_invocation(action), told


def _options(verb: argparse.ArgumentParser) -> Iterator[str]:
    for written, told in explained(verb, verb._actions):
        yield from (".TP", f".B {_plain(written)}", _plain(told))


def _plain(text: str) -> str:
    """Text that troff takes as it is: backslashes, dashes, and points or quotes at a line's beginning."""
    escaped = re.sub(r"[\\]", r"\\e", text).replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
