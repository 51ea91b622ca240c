"""Actions and states as the words other programs read (docs/protocol.md)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel import actions
from sunglade.kernel.animals import ABILITIES
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


def _action_names() -> list[str]:
    """The line of every action, by its number."""
    edge = [NAMES[space] for space in board.spaces_in(board.WITH_LEAVES[1])]
    rich = [NAMES[space] for space in board.spaces_in(board.WITH_LEAVES[3])]
    dams = [sorted(dam) for dam in board.DAMS]
    return [
        "end",
        *(f"buy {size}" for size in SIZES),
        *(f"grow {space}" for space in NAMES),
        *(f"collect {space}" for space in NAMES),
        *(f"plant {NAMES[origin]} {NAMES[target]}" for origin, target in actions.PLANT_PAIRS),
        *(f"place {space}" for space in edge),
        *(f"draft {animal}" for animal in ANIMALS),
        *(f"animal {space}" for space in rich),
        *(f"elder {space}" for space in NAMES),
        *(f"stone {space}" for space in NAMES),
        *(f"step {space}" for space in NAMES),
        "boar.dig",
        "boar.dig2",
        "hedgehog.run",
        "hedgehog.plant",
        "squirrel.eat",
        *(f"fox.scare {animal} {space}" for animal in actions.SCARED for space in NAMES),
        *(f"fox.move {space}" for space in NAMES),
        *(f"fox.steal {animal}" for animal in actions.SCARED),
        *(f"owl.hunt {level}" for level in (1, 2, 3)),
        *(f"badger.fertilise {level}" for level in (1, 2)),
        *(f"beaver.dam {' '.join(NAMES[space] for space in dam)}" for dam in dams),
        "beaver.strengthen",
        "turtle.hatch",
        *(f"turtle.steps {baby}" for baby in actions.STEPS_WITHOUT_SPACE),
        *(f"turtle.steps harvest {space}" for space in NAMES),
        *(f"turtle.steps seed {space}" for space in NAMES),
    ]


ACTION_NAMES: Final[tuple[str, ...]] = tuple(_action_names())
ACTION_NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(ACTION_NAMES)}
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
