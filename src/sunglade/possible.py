"""Whether a record can be a position of a game at all: nothing nonsensical may enter compiled code.

Only what a person could write into a position string is doubted here; positions that come from playing need no check.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from sunglade import board, kernel
from sunglade.changes import pieces_owned
from sunglade.errors import BadRequest
from sunglade.kernel.actions import ABILITIES, ANIMAL_WITH
from sunglade.kernel.animals import (
    BABY_END_POINTS,
    BABY_LEAF,
    BABY_POINTS,
    BABY_TWO,
    FIRST_STEPS,
    HATCH,
    steps_allowed,
)
from sunglade.kernel.moon import LUNAR_CAP
from sunglade.kernel.printed import FULL_SLOTS, TOKEN_PILES
from sunglade.kernel.record import (
    ANIMALS_PHASE,
    BEAVER,
    DRAFT_PHASE,
    ELDER_PHASE,
    LEAF,
    MODULE_ELDER,
    MODULE_MOON,
    NO_FRESH,
    OVER,
    PLACING,
    STONES_PHASE,
    TURN,
    TURTLE,
    TWO,
    Record,
)
from sunglade.kernel.shortlist import unpacked
from sunglade.kernel.tokens import token_value
from sunglade.rules import ANIMALS, SHORE_SPACES, Rules

Tests = list[tuple[str, bool]]
"""What must hold, in the words of the error, and whether it does."""

PIECES_OWNED: Final = (6, 8, 4, 2)
"""Seeds, small, medium and large trees of a player (R-SETUP-1)."""
MOON_FIELDS: Final = (
    "animal", "at", "lunar", "steps", "used", "effects", "dam", "face_down", "babies", "hatched", "baby_points",
    "dealt",
)  # fmt: skip


def check_possible(s: Record, rules: Rules) -> None:
    """Refuse a record that no game under these rules can reach."""
    for sentence, holds in _tests(s, rules):
        if not holds:
            raise BadRequest(f"not a position of a game: {sentence}.")


def _tests(s: Record, rules: Rules) -> Iterator[tuple[str, bool]]:
    """All of them, so that each may rely on those before it."""
    yield from _clock(s)
    yield from _pieces(s)
    yield from _tokens(s)
    yield from _first_trees(s)
    yield from _obstacles(s, rules)
    if s.options & MODULE_MOON:
        yield from _moon(s)
        yield from _babies(s)
    else:
        yield from _no_moon(s, rules)


def _clock(s: Record) -> Tests:
    """Phase, round, sun and whose turn it is belong together (R-ROUND)."""
    players, now, turn = s.players, s.current_round, s.turn
    playing = s.phase >= TURN
    first = (now - 1) % players if playing else 0
    turns = {TURN: players, PLACING: 2 * players}.get(s.phase, 1)
    return [
        ("the round is out of range", 1 <= now <= s.rounds if playing else now == 0),
        ("the game is over after the last round only", s.phase != OVER or now == s.rounds),
        ("the sun does not fit the round", s.sun == max(now - 1, 0) % 6),
        ("the first player does not fit the round", s.first == first),
        ("turn is out of range", 0 <= turn < turns),
        ("player is no seat", 0 <= s.player < players),
        ("player does not fit the turn", s.phase < PLACING or s.player == (first + turn) % players),
        ("only a turn has activated spaces and fresh pieces", s.phase == TURN or not (s.activated or any(s.fresh))),
    ]


def _pieces(s: Record) -> Tests:
    """Nobody has more than there is, and nothing shares a space (R-SETUP-1, R-ACT)."""
    players, sets, taken = s.players, s.numbers("pieces"), _spaces_with_pieces(s)
    absent = [number for name in _OF_PLAYERS for number in _beyond(s, name, players)]
    columns = [s.slots[p, size] for p in range(players) for size in range(4)]
    owned = [pieces_owned(s, p, size) <= PIECES_OWNED[size] for p in range(players) for size in range(4)]
    return [
        ("pieces may not share a space", sum(spaces.bit_count() for spaces in sets) == taken.bit_count()),
        ("pieces may not stand on the Elder Tree or a stone", not taken & (s.elder | s.stones)),
        ("only players have pieces and points", not any(absent)),
        ("light is out of range", all(0 <= light <= s.light_cap for light in s.light)),
        ("slots are out of range", all(0 <= column <= FULL_SLOTS[place % 4] for place, column in enumerate(columns))),
        ("available is out of range", min(*s.numbers("available"), *s.fresh) >= 0),
        ("a player has too many pieces", all(owned)),
        ("fresh is more than available", all(s.fresh[size] <= s.available[s.player, size] for size in range(4))),
        ("bought pieces need not wait in this edition", bool(s.options & NO_FRESH) or not any(s.fresh)),
    ]


_OF_PLAYERS: Final = ("pieces", "light", "available", "slots", "lunar", "score", "dealt")
"""Fields with a place or a row for each of four players."""


def _beyond(s: Record, name: str, players: int) -> list[int]:
    """What a field says of players who are not there."""
    numbers = s.numbers(name)
    return numbers[len(numbers) // 4 * players :]


def _spaces_with_pieces(s: Record) -> int:
    return reduce(or_, s.numbers("pieces"))


def _tokens(s: Record) -> Tests:
    """The tokens players have are those that are gone from the piles (R-SETUP-4, R-ACT-5)."""
    boxed = len(TOKEN_PILES[3]) if s.players == 2 else 0
    if not all(0 <= s.taken[pile] <= len(TOKEN_PILES[pile]) for pile in range(4)) or s.taken[3] < boxed:
        return [("taken is out of range", False)]
    gone = [count - (boxed if pile == 3 else 0) for pile, count in enumerate(s.taken)]
    missing = sorted(value for pile, count in enumerate(gone) for value in TOKEN_PILES[pile][:count])
    held = sorted(map(token_value, s.tokens[: s.collected]))
    return [("the tokens do not fit the piles", held == missing)]


def _first_trees(s: Record) -> Tests:
    """Before round 1 there are only the first trees, on the edge (R-SETUP-5)."""
    if s.phase >= TURN:
        return []
    players, turn = s.players, s.turn if s.phase == PLACING else 0
    placed = [turn // players + (p < turn % players) for p in range(players)]
    standing = [s.pieces[p, 1].bit_count() for p in range(players)]
    beside = [number for count in placed for number in (2, 4 - count, 1, 0)]
    on_edge = not _spaces_with_pieces(s) & ~board.WITH_LEAVES[1]
    return [
        ("the set-up has only the first trees", standing == placed and on_edge and not s.collected),
        (
            "the set-up has full player boards",
            s.numbers("slots")[: 4 * players] == [*FULL_SLOTS] * players and not any(s.light),
        ),
        ("the set-up has the first pieces beside the boards", s.numbers("available")[: 4 * players] == beside),
    ]


def _obstacles(s: Record, rules: Rules) -> Tests:
    """The Elder Tree and the stones come in their phases, by the right player (M-SETUP-6, M-SETUP-7)."""
    players, phase = s.players, s.phase
    elder, stones, laid = bool(s.options & MODULE_ELDER), rules.stones_for(players), s.stones.bit_count()
    first = players - 2 if elder else players - 1
    due = 0 if phase < STONES_PHASE else stones if phase > STONES_PHASE else laid
    at = [space for space in s.at[:players] if space >= 0]
    blocked = {*board.spaces_in(s.elder), *board.spaces_in(s.stones)}
    return [
        ("the phase does not fit the modules", phase > ANIMALS_PHASE or bool(s.options & MODULE_MOON)),
        ("there is one Elder Tree in its module", s.elder.bit_count() == (elder and phase > ELDER_PHASE)),
        ("the Elder Tree is placed by the last player", phase != ELDER_PHASE or (elder and s.player == players - 1)),
        ("the stones do not fit the phase", laid == due),
        ("the stones left do not fit", s.stones_left == stones - laid and (phase != STONES_PHASE or s.stones_left > 0)),
        ("the stones are placed counter-clockwise", phase != STONES_PHASE or s.player == (first - laid) % players),
        ("two animals may not share a space, nor one with a stone", len(set(at)) == len(at) and not set(at) & blocked),
        ("nobody acts on the Elder Tree or a stone", not set(board.spaces_in(s.activated)) & blocked),
    ]


def _no_moon(s: Record, rules: Rules) -> Tests:
    start = kernel.new_record(rules, s.players)
    return [("there is no moon in this game", all(s.numbers(name) == start.numbers(name) for name in MOON_FIELDS))]


def _moon(s: Record) -> Tests:
    """Animals are dealt, kept and placed in order; a turn's steps and abilities fit them (M-SETUP, M-ANIMAL)."""
    players, phase, player = s.players, s.phase, s.player
    cards = [card for hand in s.dealt[:players] for card in board.spaces_in(hand)]
    two_each = all(hand.bit_count() == 2 for hand in s.dealt[:players])
    drafted = players if phase > DRAFT_PHASE else player
    kept = s.animal[:players].tolist()
    in_order = [bool(a >= 0 and s.dealt[p] >> a & 1) if p < drafted else a == -1 for p, a in enumerate(kept)]
    last_placed = {DRAFT_PHASE: players, ANIMALS_PHASE: player + 1}.get(phase, 0)
    placed = [(space >= 0) == (p >= last_placed) for p, space in enumerate(s.at[:players])]
    used = unpacked(s.used)
    own = all(code <= len(ABILITIES) and _is_of(ABILITIES[code - 1], s.animal[player]) for code in used)
    return [
        ("each animal is dealt once, two to a player", len(cards) == len(set(cards)) and two_each),
        ("each keeps a card in turn order", all(in_order)),
        ("animals are placed in reverse order", all(placed) and max(s.at) < len(board.SPACES)),
        ("lunar is out of range", all(0 <= lunar <= LUNAR_CAP for lunar in s.lunar)),
        ("only a turn has steps, used and effects", phase == TURN or not (s.steps or s.used or s.effects)),
        ("each ability once, of the player's animal", len(set(used)) == len(used) and own),
        ("steps are out of range", 0 <= s.steps <= steps_allowed(s, player)),
        ("the dam lies where no beaver could build it", not s.dam or (phase >= TURN and _is_dam(s))),
    ]


def _is_of(ability: str, animal: int) -> bool:
    return ANIMALS.index(ANIMAL_WITH[ability]) == animal


def _is_dam(s: Record) -> bool:
    """A dam of a beaver in play, of the right shape, over a river space and nothing that blocks it (M-ANIMAL-3)."""
    fits = s.dam & s.river and not s.dam & (s.elder | s.stones)
    return bool(fits and BEAVER in s.animal and s.dam in {board.set_of(dam) for dam in board.DAMS})


def _babies(s: Record) -> Tests:
    """Six different babies, on the shore while they lie face down, then in the turtle's hand until their first steps
    (M-SETUP-4, M-ANIMAL-4).
    """
    codes = [s.babies >> 4 * place & 15 for place in range(16)]
    known = [code for code in codes if code]
    different = len(known) == len(set(known)) and max(codes) <= 8 and not any(codes[SHORE_SPACES:])
    hand = unpacked(s.hatched)
    laid_out = TURTLE in s.animal[: s.players] and s.phase > ANIMALS_PHASE
    if not laid_out:
        none = not (s.face_down or s.hatched or s.baby_points or s.effects)
        return [("there are six different babies", different), ("only the turtle has babies", none)]
    shore = zip(board.spaces_in(s.shore), codes, strict=False)
    seen = [code for space, code in shore if not s.face_down >> space & 1]
    gone, used = set(seen) - set(hand), unpacked(s.used)
    helps = {0: bool(gone), TWO: BABY_TWO in gone, LEAF: BABY_LEAF in gone}.get(s.effects, False)
    return [
        ("there are six different babies", different),
        ("babies lie on the shore", not s.face_down & ~s.shore),
        ("hatched babies lie face down no longer", len(hand) == len(set(hand)) and set(hand) <= set(seen)),
        ("who has hatched is known", 0 not in seen and (HATCH not in used or bool(seen))),
        (
            "baby_points is 3 after the first steps of that baby",
            s.baby_points == BABY_END_POINTS * (BABY_POINTS in gone),
        ),
        ("effects wait after the first steps of their baby", helps if FIRST_STEPS in used else not s.effects),
    ]
