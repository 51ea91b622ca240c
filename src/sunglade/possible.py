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
from sunglade.words import Telling, saying

Test = tuple[Telling, bool]
Tests = list[Test]
"""What must hold, as the error tells it, and whether it does."""

PIECES_OWNED: Final = (6, 8, 4, 2)
"""Seeds, small, medium and large trees of a player (R-SETUP-1)."""
MOON_FIELDS: Final = (
    "animal", "at", "lunar", "steps", "used", "effects", "dam", "face_down", "babies", "hatched", "baby_points",
    "dealt",
)  # fmt: skip


def check_possible(s: Record, rules: Rules) -> None:
    """Refuse a record that no game under these rules can reach."""
    why = next((telling for telling, holds in _tests(s, rules) if not holds), None)
    if why is not None:
        raise BadRequest(lambda tell: tell("terminal.impossible", why=why(tell)))


def _range(field: str) -> Telling:
    return saying("terminal.impossible.range", field=field)


def _fit(field: str, other: str) -> Telling:
    return saying("terminal.impossible.fit", field=field, other=other)


def _only_turn(*fields: str) -> Telling:
    return saying("terminal.impossible.only_turn", fields=", ".join(fields))


def _tests(s: Record, rules: Rules) -> Iterator[Test]:
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
        (_range("round"), 1 <= now <= s.rounds if playing else now == 0),
        (saying("terminal.impossible.over"), s.phase != OVER or now == s.rounds),
        (_fit("sun", "round"), s.sun == max(now - 1, 0) % 6),
        (_fit("first", "round"), s.first == first),
        (_range("turn"), 0 <= turn < turns),
        (_range("player"), 0 <= s.player < players),
        (_fit("player", "turn"), s.phase < PLACING or s.player == (first + turn) % players),
        (_only_turn("activated", "fresh"), s.phase == TURN or not (s.activated or any(s.fresh))),
    ]


def _pieces(s: Record) -> Tests:
    """Nobody has more than there is, and nothing shares a space (R-SETUP-1, R-ACT)."""
    players, sets, taken = s.players, s.numbers("pieces"), _spaces_with_pieces(s)
    absent = [number for name in _OF_PLAYERS for number in _beyond(s, name, players)]
    columns = [s.slots[p, size] for p in range(players) for size in range(4)]
    owned = [pieces_owned(s, p, size) <= PIECES_OWNED[size] for p in range(players) for size in range(4)]
    return [
        (saying("terminal.impossible.share"), sum(spaces.bit_count() for spaces in sets) == taken.bit_count()),
        (saying("terminal.impossible.blocked"), not taken & (s.elder | s.stones)),
        (saying("terminal.impossible.absent"), not any(absent)),
        (_range("light"), all(0 <= light <= s.light_cap for light in s.light)),
        (_range("slots"), all(0 <= column <= FULL_SLOTS[place % 4] for place, column in enumerate(columns))),
        (_range("available"), min(*s.numbers("available"), *s.fresh) >= 0),
        (saying("terminal.impossible.too_many"), all(owned)),
        (_fit("fresh", "available"), all(s.fresh[size] <= s.available[s.player, size] for size in range(4))),
        (saying("terminal.impossible.no_wait"), bool(s.options & NO_FRESH) or not any(s.fresh)),
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
        return [(_range("taken"), False)]
    gone = [count - (boxed if pile == 3 else 0) for pile, count in enumerate(s.taken)]
    missing = sorted(value for pile, count in enumerate(gone) for value in TOKEN_PILES[pile][:count])
    held = sorted(map(token_value, s.tokens[: s.collected]))
    return [(_fit("tokens", "taken"), held == missing)]


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
        (saying("terminal.impossible.setup.trees"), standing == placed and on_edge and not s.collected),
        (
            saying("terminal.impossible.setup.boards"),
            s.numbers("slots")[: 4 * players] == [*FULL_SLOTS] * players and not any(s.light),
        ),
        (saying("terminal.impossible.setup.pieces"), s.numbers("available")[: 4 * players] == beside),
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
        (_fit("phase", "modules"), phase > ANIMALS_PHASE or bool(s.options & MODULE_MOON)),
        (saying("terminal.impossible.elder"), s.elder.bit_count() == (elder and phase > ELDER_PHASE)),
        (saying("terminal.impossible.elder.who"), phase != ELDER_PHASE or (elder and s.player == players - 1)),
        (_fit("stones", "phase"), laid == due),
        (
            _fit("stones_left", "stones"),
            s.stones_left == stones - laid and (phase != STONES_PHASE or s.stones_left > 0),
        ),
        (saying("terminal.impossible.stones.who"), phase != STONES_PHASE or s.player == (first - laid) % players),
        (saying("terminal.impossible.animals.space"), len(set(at)) == len(at) and not set(at) & blocked),
        (saying("terminal.impossible.acted"), not set(board.spaces_in(s.activated)) & blocked),
    ]


def _no_moon(s: Record, rules: Rules) -> Tests:
    start = kernel.new_record(rules, s.players)
    return [
        (saying("terminal.impossible.no_moon"), all(s.numbers(name) == start.numbers(name) for name in MOON_FIELDS))
    ]


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
        (saying("terminal.impossible.dealt"), len(cards) == len(set(cards)) and two_each),
        (saying("terminal.impossible.kept"), all(in_order)),
        (saying("terminal.impossible.animals.order"), all(placed) and max(s.at) < len(board.SPACES)),
        (_range("lunar"), all(0 <= lunar <= LUNAR_CAP for lunar in s.lunar)),
        (_only_turn("steps", "used", "effects"), phase == TURN or not (s.steps or s.used or s.effects)),
        (saying("terminal.impossible.used"), len(set(used)) == len(used) and own),
        (_range("steps"), 0 <= s.steps <= steps_allowed(s, player)),
        (saying("terminal.impossible.dam"), not s.dam or (phase >= TURN and _is_dam(s))),
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
        return [(saying("terminal.impossible.babies"), different), (saying("terminal.impossible.babies.turtle"), none)]
    shore = zip(board.spaces_in(s.shore), codes, strict=False)
    seen = [code for space, code in shore if not s.face_down >> space & 1]
    gone, used = set(seen) - set(hand), unpacked(s.used)
    helps = {0: bool(gone), TWO: BABY_TWO in gone, LEAF: BABY_LEAF in gone}.get(s.effects, False)
    return [
        (saying("terminal.impossible.babies"), different),
        (saying("terminal.impossible.babies.shore"), not s.face_down & ~s.shore),
        (saying("terminal.impossible.babies.hatched"), len(hand) == len(set(hand)) and set(hand) <= set(seen)),
        (saying("terminal.impossible.babies.known"), 0 not in seen and (HATCH not in used or bool(seen))),
        (
            saying("terminal.impossible.babies.points", field="baby_points"),
            s.baby_points == BABY_END_POINTS * (BABY_POINTS in gone),
        ),
        (saying("terminal.impossible.babies.effects"), helps if FIRST_STEPS in used else not s.effects),
    ]
