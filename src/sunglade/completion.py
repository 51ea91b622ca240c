"""What can be typed next on the command line, for the shells that ask: bash, zsh, fish (`sunglade completion`).

The shells' scripts ask the program as it was typed, which need not be on the PATH. Its verb `complete` reads the
parser, so that nothing is listed twice, and knows bots, editions and kept games. Where it has no word, shells go on
with file names.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from sunglade import bots
from sunglade.rules import EDITIONS
from sunglade.terminal_folder import games_folder
from sunglade.words import codes

SCRIPTS: Final = {
    "bash": """\
_sunglade() {
    local IFS=$'\\n' program=${COMP_WORDS[0]/#\\~\\//$HOME/}
    COMPREPLY=($("$program" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sunglade sunglade
""",
    "zsh": """\
#compdef sunglade
_sunglade() {
    local -a found
    found=("${(@f)$(${~words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _sunglade sunglade
""",
    "fish": """\
function __sunglade
    set -l words (commandline -opc)
    $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c sunglade -a '(__sunglade)'
""",
}
"""What each shell must be told once, for example by `source <(sunglade completion bash)` in ~/.bashrc."""


def kept_names() -> list[str]:
    """The names of kept games, read from the folder alone."""
    return sorted((path.stem for path in games_folder().glob("*.json")), reverse=True)


WORDS: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "BOT": bots.names,
    "WHO": lambda: ["human", *bots.names()],
    "EDITION": lambda: EDITIONS,
    "LANGUAGE": codes,
    "GAME": kept_names,
}
"""What can stand where a help text has a word in capitals."""


def candidates(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words that can stand where the last one is being typed."""
    *before, part = words or [""]
    here, expected = _read(parser, before)
    found = _values(expected) if expected is not None else _anything(here, part)
    return sorted({word for word in found if word.startswith(part)})


def _read(
    parser: argparse.ArgumentParser, words: Sequence[str]
) -> tuple[argparse.ArgumentParser, argparse.Action | None]:
    """The parser that the words lead to, and the option that waits for a value."""
    expected: argparse.Action | None = None
    for word in words:
        verbs = _verbs(parser)
        if word.startswith("-"):
            option = parser._option_string_actions.get(word)
            expected = option if option is not None and option.nargs != 0 else None
        elif expected is not None and expected.nargs in ("+", "*"):
            continue  # several values may follow
        elif expected is not None:
            expected = None
        elif word in verbs:
            parser = verbs[word]
    return parser, expected


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found: dict[str, argparse.ArgumentParser] = action.choices
            return {verb: one for verb, one in found.items() if verb != "complete"}
    return {}


def _anything(parser: argparse.ArgumentParser, part: str) -> list[str]:
    """Options where a dash was typed; otherwise verbs and what the place stands for."""
    if part.startswith("-"):
        return list(parser._option_string_actions)
    places = [action for action in parser._actions if not action.option_strings]
    return [*_verbs(parser), *(word for place in places for word in _values(place))]


def _values(action: argparse.Action) -> list[str]:
    """The values of an option or a place, as far as they are words."""
    if isinstance(action, argparse._SubParsersAction):
        return []
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if metavar in WORDS:
        return list(WORDS[metavar]())
    return [word for word in metavar.split("|") if word.islower()] if "|" in metavar else []
