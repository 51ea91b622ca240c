"""What a player means by what was typed: whole lines, short forms, numbers, names of spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from sunglade.board import SPACE_NAMED
from sunglade.explain import sentence
from sunglade.game import Game
from sunglade.kernel.printed import LARGE, SEED
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS

_LETTERS: Final = {"b": "buy", "p": "plant", "g": "grow", "c": "collect", "s": "step", "e": "end"}
_SETUP_VERBS: Final = {"draft": "draft", "animals": "animal", "elder": "elder", "stones": "stone", "placing": "place"}
"""In the set-up only one kind of action is possible, so its verb may be left out."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One line, or several that it could be, or none."""

    lines: list[str] = field(default_factory=list)

    @property
    def line(self) -> str | None:
        """The one line meant, legal or not."""
        return self.lines[0] if len(self.lines) == 1 else None


def meaning(text: str, game: Game) -> Meaning:
    """The action a text stands for: legal ones first, then any that is well-formed."""
    number = small_number(text)
    if number is not None:
        return Meaning(game.legal[number : number + 1])
    words = [word for word in re.split(r"[\s,]+|->|→", text.lower()) if word]
    if not words:
        return Meaning()
    verb = _SETUP_VERBS.get(game.phase)
    readings = [[_LETTERS.get(words[0], words[0]), *words[1:]]] if verb is None else [words, [verb, *words]]
    for lines in (game.legal, _thinkable(game)):
        for reading in readings:
            found = _matching(reading, lines)
            if found:
                return Meaning(found)
    whole = " ".join(words)
    return Meaning([whole] if whole in ACTION_NUMBERS else [])


def _thinkable(game: Game) -> list[str]:
    """Well-formed actions of this phase; those of animals only where there are any."""
    only = _SETUP_VERBS.get(game.phase)
    if only is not None:
        return [line for line in ACTION_NAMES if line.split()[0] == only]
    in_turns = [line for line in ACTION_NAMES if line.split()[0] not in _SETUP_VERBS.values()]
    return [line for line in in_turns if "." not in line or "moon" in game.rules.modules]


def small_number(text: str) -> int | None:
    """A whole number of a few digits, or None."""
    return int(text) if re.fullmatch(r"\s*[0-9]{1,6}\s*", text) else None


def _matching(words: list[str], lines: list[str]) -> list[str]:
    """The lines that the words fit; an exact fit beats abbreviations."""
    fitting = [line for line in lines if _fits(words, line.split())]
    exact = [line for line in fitting if _is_exact(words, line.split())]
    return exact or fitting


def _fits(words: list[str], tokens: list[str]) -> bool:
    return len(words) == len(tokens) and _verb_fits(words[0], tokens[0]) and all(map(_word_fits, words[1:], tokens[1:]))


def _verb_fits(word: str, verb: str) -> bool:
    """A verb may be shortened, and an ability may go without its animal: `hunt 1`."""
    return verb.startswith(word) or verb.partition(".")[2].startswith(word)


def _word_fits(word: str, token: str) -> bool:
    """Names may be shortened, spaces and levels not."""
    return token == word if token in SPACE_NAMED or token.isdigit() else token.startswith(word)


def _is_exact(words: list[str], tokens: list[str]) -> bool:
    return words[0] in (tokens[0], tokens[0].partition(".")[2]) and words[1:] == tokens[1:]


def nonsense(text: str, game: Game) -> str:
    """What is wrong with a text that means no action, or none that can be done in this phase."""
    words = text.lower().split()
    if not words:
        return "That says nothing."
    if small_number(words[0]) is not None:
        return f"There is no action number {words[0]}."
    line = _attempt(words, game)
    wrong = game.why_not(line) if line else None
    return wrong or f"{words[0]!r:.40} is nothing that can be done here."


def _attempt(words: list[str], game: Game) -> str | None:
    """The line somebody seems to have tried to write."""
    only = _SETUP_VERBS.get(game.phase)
    if re.fullmatch(r"[a-z][0-9]+", words[0]):
        return f"{only or 'grow'} {words[0]}"
    if only is not None and only.startswith(words[0]):
        return " ".join([only, *words[1:]])
    verbs = (line.split()[0] for line in ACTION_NAMES)
    meant = next((verb for verb in verbs if _verb_fits(_LETTERS.get(words[0], words[0]), verb)), None)
    return " ".join([meant, *words[1:]]) if meant else None


def idle_reason(space: str, game: Game) -> str:
    """Why nothing can be done on a space in this turn."""
    spaces = game.state()["spaces"]
    if space in spaces:
        grown = spaces[space]["owner"] == game.player and spaces[space]["size"] == LARGE
        return game.why_not(f"{'collect' if grown else 'grow'} {space}") or ""
    own = [name for name, piece in spaces.items() if piece["owner"] == game.player and piece["size"] > SEED]
    lines = [line for name in own if (line := f"plant {name} {space}") in ACTION_NUMBERS]
    refusals = [reason for line in lines if (reason := game.refusal(line))]
    within = [reason for reason in refusals if reason.reason != "out_of_reach"]
    return sentence(within[0]) if within else "No tree of yours throws a seed that far."
