"""Sentences for people: why an action is not legal."""

from __future__ import annotations

from typing import Any, Final

from sunglade import board
from sunglade.kernel.record import PHASES, TURN, Record
from sunglade.kernel.refusal import Refusal, planting_refused
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS, ACTION_WORDS
from sunglade.words import Tell, is_key, key


def sentence(refusal: Refusal, tell: Tell) -> str:
    """A refusal in a language, as `refusal.` of the catalogue has it."""
    name, details = f"refusal.{refusal.reason}", refusal.details
    told = tell(key(name if is_key(name) else f"{name}.{details['size']}"), **_told_with(refusal, tell))
    if refusal.reason != "none_available":
        return told
    price = details["price"]
    if price is None:
        return f"{told} {tell('refusal.none_available.soldOut')}"
    return f"{told} {tell('refusal.none_available.offer', count=price)}"


def _told_with(refusal: Refusal, tell: Tell) -> dict[str, str | int]:
    """The details of a refusal, in words."""
    told = {name: _named(name, value, tell) for name, value in refusal.details.items()}
    if "cost" in told:
        told |= {"count": told["cost"], "have": told[refusal.reason]}  # of light or of lunar points
    return told


def _named(name: str, value: Any, tell: Tell) -> str | int:
    if name == "phase":
        return tell(key(f"phase.{PHASES[value]}"))
    if name in ("animal", "yours"):
        return tell(key(f"animal.{value}.the"))
    if name in ("ability", "baby"):
        return tell(key(f"{name}.{value}"))
    if name == "hand":
        return ", ".join(tell(key(f"animal.{animal}")) for animal in value)
    return ", ".join(value) if isinstance(value, list) else value if isinstance(value, int) else str(value)


_EXAMPLES: Final[dict[str, str]] = {}
"""The words that actions begin with, and the first action that does."""
for _words, _name in zip(ACTION_WORDS, ACTION_NAMES, strict=True):
    _EXAMPLES.setdefault(_words[0], _name)


_ALL_SPACES: Final = "a1–a4, b1–b5, c1–c6, d1–d7, e1–e6, f1–f5, g1–g4"
_NOWHERE_ELSE: Final = {
    "place": "not_edge",
    "animal": "not_three_leaves",
}
"""Actions that there are for some spaces only (R-SETUP-5, M-SETUP-3): a word for the others."""


def unknown_reason(s: Record, line: str) -> Refusal:
    """What is wrong with a line that is no action at all, as a word with details."""
    verb, *names = line.split(" ")
    if not all(name in board.SPACE_NAMED for name in names):
        return Refusal("unknown_line", {})
    if verb in _NOWHERE_ELSE and len(names) == 1:
        return Refusal(_NOWHERE_ELSE[verb], {})
    if verb == "plant" and len(set(names)) == 2 == len(names) and s.phase == TURN:
        too_far = planting_refused(s, *(board.SPACE_NAMED[name] for name in names))
        if too_far is not None:
            return too_far
    return Refusal("unknown_line", {})


def unknown_line(line: object, tell: Tell) -> str:
    """What is wrong with a line that is no action at all."""
    if not isinstance(line, str):
        return f"An action is a line of words, not {line!r:.60}."  # said to programmers
    typed = line.split()
    verb = typed[0].lower() if typed else ""
    if not typed:
        return tell("terminal.line.empty")
    if verb not in _EXAMPLES:
        return tell("terminal.line.verb", word=f"{typed[0]!r:.40}", verbs=", ".join(_EXAMPLES))
    strangers = [word for word in typed[1:] if _looks_like_space(word) and word not in board.SPACE_NAMED]
    if strangers:
        return tell("terminal.line.space", word=f"{strangers[0]!r:.40}", spaces=_ALL_SPACES)
    tidy = " ".join(typed).lower()
    if tidy in ACTION_NUMBERS:
        return tell("terminal.line.untidy", line=f"{line!r:.60}", tidy=repr(tidy))
    if verb == "plant" and len(set(typed[1:])) == 2 and all(word in board.SPACE_NAMED for word in typed[1:]):
        return tell("terminal.line.far", space=typed[2], start=typed[1])
    if len(typed) == 2 and typed[0] in _NOWHERE_ELSE:
        return sentence(Refusal(_NOWHERE_ELSE[typed[0]], {}), tell)
    return tell("terminal.line.like", line=f"{line!r:.60}", example=repr(_EXAMPLES[verb]))


def _looks_like_space(word: str) -> bool:
    return len(word) <= 3 and any(letter.isdigit() for letter in word) and not word.isdigit()
