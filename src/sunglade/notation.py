"""Actions and states as the words other programs read (docs/protocol.md)."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel.actions import ABILITIES, TABLE, Action
from sunglade.kernel.moon import MOON_PLACES, TRACKER_AHEAD, moves_before
from sunglade.kernel.printed import SIZES, SLOT_PRICES, TOKEN_PILES
from sunglade.kernel.record import (
    LEAF,
    MODULE_ELDER,
    MODULE_MOON,
    MODULE_STONES,
    NO_ANIMAL,
    NO_FRESH,
    NOWHERE,
    OVER,
    PHASES,
    TURN,
    TWO,
    Record,
)
from sunglade.kernel.shortlist import unpacked
from sunglade.kernel.tokens import token_owner, token_value
from sunglade.rules import ANIMALS, BABIES

State = dict[str, Any]


def _words(action: Action) -> tuple[str, ...]:
    """The words of an action's line (docs/protocol.md, Actions)."""
    verb, level = action.ability or action.kind, str(action.level or "")
    if verb == "boar.dig":  # its second level has a word of its own
        verb, level = "boar.dig2" if action.level == 2 else verb, ""
    details = (
        SIZES[action.size] if action.kind == "buy" else "",
        action.animal if action.kind == "draft" else "",
        action.target,
        action.baby,
        level,
        *(NAMES[space] for space in action.names),
    )
    return (verb, *filter(None, details))


ACTION_WORDS: Final = tuple(_words(action) for action in TABLE)
"""The words of every action's line, by its number."""
ACTION_NAMES: Final = tuple(" ".join(words) for words in ACTION_WORDS)
ACTION_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_of(line: str) -> Action:
    """What a line is about that is known to be an action's."""
    return TABLE[ACTION_NUMBERS[line]]


@cache
def action_parts(number: int) -> dict[str, Any]:
    """What an action is about, by name, so that nobody has to take lines to pieces. Look, do not change."""
    action = TABLE[number]
    parts = {
        "kind": action.kind,
        "size": SIZES[action.size] if action.kind == "buy" else "",
        "origin": NAMES[action.origin] if action.origin != NOWHERE else "",
        "animal": action.animal,
        "ability": action.ability,
        "level": action.level,
        "target": action.target,
        "baby": action.baby,
        "space": NAMES[action.space] if action.space != NOWHERE else "",
        "spaces": [NAMES[space] for space in action.spaces],
    }
    return {name: part for name, part in parts.items() if part}


BABY_NAMES: Final = (None, *BABIES)
SEATS: Final = "ABCD"
"""Letters of the seats."""


def state_dict(s: Record) -> State:
    """The state of a position (docs/protocol.md, State). It never tells what a face-down baby is."""
    over = s.phase == OVER
    state: State = {
        "phase": PHASES[s.phase],
        "round": s.current_round,
        "rounds": s.rounds,
        "sun": s.sun,
        "first": s.first,
        "player": None if over else s.player,
        "spaces": _spaces(s),
        "activated": board.names_of(s.activated),
        "tokens": [list(pile[gone:]) for pile, gone in zip(TOKEN_PILES, s.taken, strict=True)],
        "players": [_player(s, p) for p in range(s.players)],
    }
    if s.options & MODULE_MOON:
        state |= _moon(s)
    if s.options & MODULE_ELDER:
        state["elder"] = NAMES[s.elder.bit_length() - 1] if s.elder else None
    if s.options & MODULE_STONES:
        state["stones"] = board.names_of(s.stones)
    if s.effects:
        state["effects"] = [name for name, bit in (("two", TWO), ("leaf", LEAF)) if s.effects & bit]
    state["winners"] = list(board.spaces_in(kernel.winners(s))) if over else None
    return state


def _spaces(s: Record) -> dict[str, dict[str, int]]:
    """What stands where, in index order."""
    found = {
        space: {"owner": p, "size": size}
        for p in range(s.players)
        for size in range(4)
        for space in board.spaces_in(s.pieces[p, size])
    }
    return {NAMES[space]: found[space] for space in sorted(found)}


def _player(s: Record, p: int) -> State:
    """One player's board, light, tokens and animal."""
    player: State = {
        "light": s.light[p],
        "available": [s.available[p, size] for size in range(4)],
        "slots": [
            [price for slot, price in enumerate(prices) if s.slots[p, size] >> slot & 1]
            for size, prices in enumerate(SLOT_PRICES)
        ],
        "tokens": [token_value(token) for token in s.tokens[: s.collected] if token_owner(token) == p],
        "points": kernel.points(s, p),
    }
    on_turn = s.phase == TURN and p == s.player
    if s.options & NO_FRESH:
        player["fresh"] = s.fresh.tolist() if on_turn else [0, 0, 0, 0]
    if s.options & MODULE_MOON:
        animal = None if s.animal[p] == NO_ANIMAL else ANIMALS[s.animal[p]]
        player |= {
            "animal": animal,
            "at": None if s.at[p] == NOWHERE else NAMES[s.at[p]],
            "lunar": s.lunar[p],
            "steps": s.steps if on_turn else 0,
            "used": [ABILITIES[code - 1] for code in unpacked(s.used)] if on_turn else [],
            "babies": [BABY_NAMES[code] for code in unpacked(s.hatched)] if animal == "turtle" else [],
        }
    return player


def _moon(s: Record) -> State:
    """The moon, the dam and the babies still face down."""
    moves = moves_before(s.current_round)
    at = kernel.moon_place(s, moves)
    return {
        "moon": {
            "at": at,
            "tracker": (at + TRACKER_AHEAD) % MOON_PLACES,
            "full": kernel.moon_is_full(s, moves),
            "lit": board.names_of(kernel.lit_spaces(s, moves)),
        },
        "dam": board.names_of(s.dam),
        "face_down": board.names_of(s.face_down),
    }
