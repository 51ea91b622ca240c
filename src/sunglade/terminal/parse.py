"""What a player means by what was typed: whole lines, short forms, numbers, names of spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from sunglade.board import SPACE_NAMED
from sunglade.explain import sentence
from sunglade.game import Game
from sunglade.kernel.actions import ACTIONS, TABLE
from sunglade.kernel.printed import LARGE, SEED
from sunglade.kernel.record import PHASES, TURN
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS, ACTION_WORDS
from sunglade.suggest import did_you_mean
from sunglade.words.speech import tell

_LETTERS: Final = {"b": "buy", "p": "plant", "g": "grow", "c": "collect", "s": "step", "e": "end"}
_SETUP_VERBS: Final = {PHASES[action.phase]: action.kind for action in TABLE if action.phase != TURN}
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
    for numbers in (game.legal_numbers, _thinkable(game)):
        for reading in readings:
            found = _matching(reading, numbers)
            if found:
                return Meaning([ACTION_NAMES[number] for number in found])
    whole = " ".join(words)
    return Meaning([whole] if whole in ACTION_NUMBERS else [])


def _thinkable(game: Game) -> list[int]:
    """Well-formed actions of this phase, or of a turn after the end; abilities only where there are animals."""
    phase, animals = min(game.now.phase, TURN), "moon" in game.rules.modules
    return [n for n, action in enumerate(TABLE) if action.phase == phase and (animals or not action.ability)]


def small_number(text: str) -> int | None:
    """A whole number of a few digits, or None."""
    return int(text) if re.fullmatch(r"\s*[0-9]{1,6}\s*", text) else None


def _matching(words: list[str], numbers: list[int]) -> list[int]:
    """The actions that the words fit; an exact fit beats abbreviations."""
    fitting = [number for number in numbers if _fits(words, number)]
    exact = [number for number in fitting if _is_exact(words, number)]
    return exact or fitting


def _fits(words: list[str], number: int) -> bool:
    details = ACTION_WORDS[number][1:]
    return len(words) == 1 + len(details) and _verb_fits(words[0], number) and all(map(_word_fits, words[1:], details))


def _verbs(number: int) -> tuple[str, str]:
    """The word that an action begins with; an ability may go without its animal: `hunt 1`."""
    verb = ACTION_WORDS[number][0]
    return verb, verb.removeprefix(f"{TABLE[number].animal}.")


def _verb_fits(word: str, number: int) -> bool:
    """A verb may be shortened."""
    return any(verb.startswith(word) for verb in _verbs(number))


def _word_fits(word: str, detail: str) -> bool:
    """Names may be shortened, spaces and levels not."""
    return detail == word if detail in SPACE_NAMED or detail.isdigit() else detail.startswith(word)


def _is_exact(words: list[str], number: int) -> bool:
    return words[0] in _verbs(number) and tuple(words[1:]) == ACTION_WORDS[number][1:]


def nonsense(text: str, game: Game, commands: Iterable[str] = ()) -> str:
    """What is wrong with a text that means no action, or none that can be done in this phase; what may be meant."""
    words = text.lower().split()
    if not words:
        return ""
    if small_number(words[0]) is not None:
        return tell("terminal.no_number", number=words[0])
    line = _attempt(words, game)
    wrong = game.why_not(line, tell) if line else None
    if wrong:
        return wrong
    verbs = [word for number in _thinkable(game) for word in _verbs(number)]
    return tell("terminal.nonsense", word=f"{words[0]!r:.40}") + did_you_mean(words[0], [*verbs, *commands])


def _attempt(words: list[str], game: Game) -> str | None:
    """The line somebody seems to have tried to write."""
    only = _SETUP_VERBS.get(game.phase)
    if re.fullmatch(r"[a-z][0-9]+", words[0]):
        return f"{only or 'grow'} {words[0]}"
    if only is not None and only.startswith(words[0]):
        return " ".join([only, *words[1:]])
    word = _LETTERS.get(words[0], words[0])
    meant = next((number for number in range(ACTIONS) if _verb_fits(word, number)), None)
    return None if meant is None else " ".join([_verbs(meant)[0], *words[1:]])


def idle_reason(space: str, game: Game) -> str:
    """Why nothing can be done on a space now."""
    verb = _SETUP_VERBS.get(game.phase)
    if verb is not None:
        return "" if verb == "draft" else game.why_not(f"{verb} {space}", tell) or ""
    spaces = game.state()["spaces"]
    if space in spaces:
        grown = spaces[space]["owner"] == game.player and spaces[space]["size"] == LARGE
        return game.why_not(f"{'collect' if grown else 'grow'} {space}", tell) or ""
    own = [name for name, piece in spaces.items() if piece["owner"] == game.player and piece["size"] > SEED]
    lines = [line for name in own if (line := f"plant {name} {space}") in ACTION_NUMBERS]
    refusals = [reason for line in lines if (reason := game.refusal(line))]
    within = [reason for reason in refusals if reason.reason != "out_of_reach"]
    return sentence(within[0], tell) if within else tell("terminal.too_far")
