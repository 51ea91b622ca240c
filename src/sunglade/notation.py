"""Actions and states as the words other programs read (docs/protocol.md)."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel.actions import ABILITIES, TABLE, Action
from sunglade.kernel.moon import MOON_PLACES, TRACKER_AHEAD, moves_before
from sunglade.kernel.printed import SIZES, SLOT_PRICES, TOKEN_COUNT, TOKEN_PILES
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
    STATE,
    TURN,
    TWO,
    Record,
)
from sunglade.kernel.shortlist import unpacked
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
        *(NAMES[space] for space in (action.origin, action.space, *action.spaces) if space != NOWHERE),
    )
    return (verb, *filter(None, details))


ACTION_WORDS: Final = tuple(_words(action) for action in TABLE)
"""The words of every action's line, by its number."""
ACTION_NAMES: Final = tuple(" ".join(words) for words in ACTION_WORDS)
ACTION_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}


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


def _fields() -> dict[str, tuple[int, int, bool]]:
    """First word, words and whether it is a table, of every field but the tokens, which are bytes."""
    found = {}
    for name in STATE.names or ():
        kind, offset = STATE.fields[name][:2] if STATE.fields else (STATE, 0)
        if name != "tokens":
            found[name] = (offset // 8, kind.itemsize // 8, len(kind.shape) == 2)
    return found


_FIELDS: Final = _fields()
_TOKENS_AT: Final = STATE.fields["tokens"][1] if STATE.fields else 0


class _Snapshot:
    """Fields as they are asked for."""

    def __init__(self, raw: bytes) -> None:
        self.tokens = list(raw[_TOKENS_AT : _TOKENS_AT + TOKEN_COUNT])
        self._words: list[int] = np.frombuffer(raw, np.int64).tolist()

    def __getattr__(self, name: str) -> Any:
        """A field that was not asked for before."""
        try:
            first, count, is_table = _FIELDS[name]
        except KeyError:
            raise AttributeError(name) from None
        words = self._words
        if is_table:
            value: Any = [words[row : row + 4] for row in range(first, first + count, 4)]
        else:
            value = words[first : first + count] if count > 1 else words[first]
        setattr(self, name, value)
        return value


def snapshot(s: Record) -> Any:
    """The record's fields as plain Python numbers and lists: ten times faster than asking NumPy for each."""
    return _Snapshot(s.tobytes())


def state_dict(s: Record) -> State:
    """The state of a position (docs/protocol.md, State). It never tells what a face-down baby is."""
    r = snapshot(s)
    over = r.phase == OVER
    state: State = {
        "phase": PHASES[r.phase],
        "round": r.current_round,
        "rounds": r.rounds,
        "sun": r.sun,
        "first": r.first,
        "player": None if over else r.player,
        "spaces": _spaces(r),
        "activated": board.names_of(r.activated),
        "tokens": [list(pile[gone:]) for pile, gone in zip(TOKEN_PILES, r.taken, strict=True)],
        "players": [_player(s, r, p) for p in range(r.players)],
    }
    if r.options & MODULE_MOON:
        state |= _moon(s, r)
    if r.options & MODULE_ELDER:
        state["elder"] = NAMES[r.elder.bit_length() - 1] if r.elder else None
    if r.options & MODULE_STONES:
        state["stones"] = board.names_of(r.stones)
    if r.effects:
        state["effects"] = [name for name, bit in (("two", TWO), ("leaf", LEAF)) if r.effects & bit]
    state["winners"] = list(board.spaces_in(kernel.winners(s))) if over else None
    return state


def _spaces(r: Any) -> dict[str, dict[str, int]]:
    """What stands where, in index order."""
    found = {
        space: {"owner": p, "size": size}
        for p in range(r.players)
        for size in range(4)
        for space in board.spaces_in(r.pieces[p][size])
    }
    return {NAMES[space]: found[space] for space in sorted(found)}


def _player(s: Record, r: Any, p: int) -> State:
    """One player's board, light, tokens and animal."""
    player: State = {
        "light": r.light[p],
        "available": r.available[p],
        "slots": [
            [price for slot, price in enumerate(prices) if r.slots[p][size] >> slot & 1]
            for size, prices in enumerate(SLOT_PRICES)
        ],
        "tokens": [token % 32 for token in r.tokens[: r.collected] if token // 32 == p],
        "points": int(kernel.points(s, p)),
    }
    on_turn = r.phase == TURN and p == r.player
    if r.options & NO_FRESH:
        player["fresh"] = r.fresh if on_turn else [0, 0, 0, 0]
    if r.options & MODULE_MOON:
        animal = None if r.animal[p] == NO_ANIMAL else ANIMALS[r.animal[p]]
        player |= {
            "animal": animal,
            "at": None if r.at[p] == NOWHERE else NAMES[r.at[p]],
            "lunar": r.lunar[p],
            "steps": r.steps if on_turn else 0,
            "used": [ABILITIES[code - 1] for code in unpacked(r.used)] if on_turn else [],
            "babies": [BABY_NAMES[code] for code in unpacked(r.hatched)] if animal == "turtle" else [],
        }
    return player


def _moon(s: Record, r: Any) -> State:
    """The moon, the dam and the babies still face down."""
    moves = moves_before(r.current_round)
    at = int(kernel.moon_place(s, moves))
    return {
        "moon": {
            "at": at,
            "tracker": (at + TRACKER_AHEAD) % MOON_PLACES,
            "full": bool(kernel.moon_is_full(s, moves)),
            "lit": board.names_of(kernel.lit_spaces(s, moves)),
        },
        "dam": board.names_of(r.dam),
        "face_down": board.names_of(r.face_down),
    }
