"""Sentences for people: why an action is not legal."""

from __future__ import annotations

from typing import Any, Final

from sunglade import board
from sunglade.kernel.record import PHASES, TURN, Record
from sunglade.kernel.refusal import Refusal, planting_refused
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS, ACTION_WORDS

_SENTENCES: Final[dict[str, str]] = {
    "over": "The game is over.",
    "phase": "That cannot be done in this phase ({phase}).",
    "light": "It costs {cost} light and you have {light}.",
    "none_available": "You have no {size} available{offer}.",
    "bought_now": "Your only available {size} was bought this turn and can be used from the next turn on.",
    "activated": "You have already acted on {space} this turn.",
    "elder_there": "The Elder Tree stands on {space}.",
    "stone_there": "A moonstone lies on {space}.",
    "occupied": "{space} is not empty.",
    "shaded": "{space} is shaded from {by}, and these rules forbid planting and growing in shade.",
    "column_empty": "Your player board has no {size} left.",
    "not_yours": "You have nothing on {space}.",
    "fully_grown": "The tree on {space} is large already; it can be collected.",
    "no_large_tree": "There is no large tree on {space}.",
    "not_large": "Only a large tree can be collected; yours on {space} is smaller.",
    "seed_cannot_plant": "What you have on {space} is a seed; only trees throw seeds.",
    "out_of_reach": "{space} is {distance} spaces away and a {size} tree throws a seed {reach} far at most.",
    "not_dealt": "You were not dealt the {animal}; choose from {hand}.",
    "animal_there": "The {animal} is on {space}.",
    "baby_there": "A turtle baby lies on {space}.",
    "not_next": "{space} is not next to {start}.",
    "no_animals": "There are no animals in this game.",
    "other_animal": "You play the {yours}, not the {animal}.",
    "ability_used": "You have used {ability} this turn already.",
    "lunar": "It costs {cost} lunar points and you have {lunar}.",
    "no_step_left": "Your animal has taken its steps for this turn ({steps}).",
    "no_foreign_seed": "There is no opponent's seed on {space}.",
    "no_seed": "There is no seed on {space}.",
    "no_own_seed": "There is no seed of yours on {space}.",
    "not_in_play": "Nobody plays the {animal}.",
    "not_straight": "{space} is not one or two spaces from {start} in a straight line.",
    "not_beside": "The {animal} is not next to the fox.",
    "nothing_to_steal": "The {animal} has no lunar points.",
    "no_light_to_steal": "The {animal} has no light.",
    "not_on_dam": "The dam must cover the beaver's space {space}.",
    "no_river": "The dam must cover a river space: {river}.",
    "blocked": "The dam cannot cover {space}.",
    "dam_there": "The dam lies exactly there already.",
    "no_dam": "The dam does not cover {space}.",
    "no_baby": "No baby lies on {space}.",
    "baby_not_hatched": "The baby {baby} is not in your hand.",
}


def sentence(refusal: Refusal) -> str:
    """A refusal in English."""
    details = {name: _words(name, value) for name, value in refusal.details.items()}
    if refusal.reason == "none_available":
        price = refusal.details["price"]
        details["offer"] = "" if price is None else f"; buy one for {price}"
    return _SENTENCES[refusal.reason].format(**details)


def _words(name: str, value: Any) -> str:
    if name == "phase":
        return PHASES[value]
    return ", ".join(value) if isinstance(value, list) else str(value)


_EXAMPLES: Final[dict[str, str]] = {}
"""The words that actions begin with, and the first action that does."""
for words, name in zip(ACTION_WORDS, ACTION_NAMES, strict=True):
    _EXAMPLES.setdefault(words[0], name)


_NOWHERE_ELSE: Final = {
    "place": ("not_edge", "First trees are placed on the edge of the board, on 1-leaf spaces."),
    "animal": ("not_three_leaves", "Animals begin on 3-leaf spaces."),
}
"""Actions that there are for some spaces only (R-SETUP-5, M-SETUP-3): a word and a sentence for the others."""


def unknown_reason(s: Record, line: str) -> Refusal:
    """What is wrong with a line that is no action at all, as a word with details."""
    verb, *names = line.split(" ")
    if not all(name in board.SPACE_NAMED for name in names):
        return Refusal("unknown_line", {})
    if verb in _NOWHERE_ELSE and len(names) == 1:
        return Refusal(_NOWHERE_ELSE[verb][0], {})
    if verb == "plant" and len(set(names)) == 2 == len(names) and s.phase == TURN:
        too_far = planting_refused(s, *(board.SPACE_NAMED[name] for name in names))
        if too_far is not None:
            return too_far
    return Refusal("unknown_line", {})


def unknown_line(line: object) -> str:
    """What is wrong with a line that is no action at all."""
    if not isinstance(line, str):
        return f"An action is a line of words, not {line!r:.60}."
    words = line.split()
    verb = words[0].lower() if words else ""
    if not words:
        return "An empty line is not an action."
    if verb not in _EXAMPLES:
        return f"{words[0]!r:.40} is not an action; actions begin with {', '.join(_EXAMPLES)}."
    strangers = [w for w in words[1:] if _looks_like_space(w) and w not in board.SPACE_NAMED]
    if strangers:
        return f"{strangers[0]!r:.40} is not a space; spaces are a1–a4, b1–b5, c1–c6, d1–d7, e1–e6, f1–f5, g1–g4."
    tidy = " ".join(words).lower()
    if tidy in ACTION_NUMBERS:
        return f"{line!r:.60} is written {tidy!r}: lower case, single spaces."
    if verb == "plant" and len(set(words[1:])) == 2 and all(word in board.SPACE_NAMED for word in words[1:]):
        return f"{words[2]} is more than 3 spaces from {words[1]}; even a large tree throws no farther."
    if len(words) == 2 and words[0] in _NOWHERE_ELSE:
        return _NOWHERE_ELSE[words[0]][1]
    return f"{line!r:.60} is not an action; such actions look like {_EXAMPLES[verb]!r}."


def _looks_like_space(word: str) -> bool:
    return len(word) <= 3 and any(letter.isdigit() for letter in word) and not word.isdigit()
