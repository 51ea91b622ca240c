"""What programs see: observations and action masks, once for search, networks and environments.

An observation is *egocentric*: seats are counted from the player to act (relative seat 0). Planes over the spaces
hold 0 or 1; the table holds small numbers, mostly 0 or 1. The base game's indices come first, so that what was learned
there survives the modules. `PLANES` and `TABLE` name every index; docs/environments.md is made from them.

A board can be turned while it is observed (`turns` × 60° clockwise): with `turns = (6 − sun) % 6` the sun always stands
at position 0, and the same network serves all six. `TURNED_ACTION` turns an action number the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sunglade import board
from sunglade.kernel import actions
from sunglade.kernel.actions import ABILITIES
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Memory, Numbers
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.light import income, shadows
from sunglade.kernel.moon import LUNAR_CAP, lit_spaces, moon_is_full, moves_before
from sunglade.kernel.printed import (
    LARGE,
    MEDIUM,
    PIECES,
    PILE_SIZE,
    REACH,
    SMALL,
    TOKEN_VALUE,
)
from sunglade.kernel.record import (
    ANIMALS_PHASE,
    BOAR_DIGS_ANY,
    DRAFT_PHASE,
    FOX_SCARES_ADJACENT,
    FOX_STEALS_LIGHT,
    MODULE_ELDER,
    MODULE_MOON,
    MODULE_STONES,
    MOON_TURNS_ON_ARRIVAL,
    NO_ANIMAL,
    NO_CAP,
    NOWHERE,
    PHASES,
    TURTLE,
    Record,
)
from sunglade.kernel.score import points
from sunglade.kernel.tables import table
from sunglade.rules import ANIMALS, BABIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    OBSERVATION: np.dtype[np.void]
    MASK: np.dtype[np.void]
else:

    def __getattr__(name: str) -> Any:
        """NumPy's descriptions of observations and masks, made when somebody asks for them."""
        kinds = {"OBSERVATION": Observation, "MASK": Mask}
        if name not in kinds:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sunglade.kernel.arrays import dtype_of

        return dtype_of(kinds[name])


ACTIONS: Final = actions.ACTIONS
BASE_ACTIONS: Final = actions.BASE_ACTIONS
SUNS_AHEAD: Final = 6
"""Rounds looked ahead; the sixth brings the sun back to where it stands now."""
LIGHT_STEPS: Final = 21
MODULES_MASK: Final = MODULE_MOON | MODULE_ELDER | MODULE_STONES
AVAILABLE_STEPS: Final = (6, 8, 4, 2)

_SEATS: Final = ("me", "next", "third", "fourth")

PLANES: Final[tuple[str, ...]] = (
    *(f"{size} of {seat}" for seat in _SEATS for size in PIECES),
    "activated",
    "empty: no seed, tree, Elder Tree or stone",
    *(
        f"a {size} here is shaded {ahead} round(s) ahead"
        for ahead in range(1, SUNS_AHEAD + 1)
        for size in ("seed or small tree", "medium tree", "large tree")
    ),
    *(f"a tree here gives light {ahead} round(s) ahead" for ahead in range(1, SUNS_AHEAD + 1)),
    "within reach of a tree of mine that is not activated",
    "Elder Tree",
    "moonstone",
    *(f"animal of {seat}" for seat in _SEATS),
    "face-down baby",
    "dam",
    "river",
    *(f"lit by the moon {ahead} round(s) ahead" for ahead in range(1, SUNS_AHEAD + 1)),
)
"""What each plane shows."""
ACTIVATED_PLANE: Final = 16
EMPTY_PLANE: Final = 17
SHADE_PLANE: Final = 18
LIGHT_PLANE: Final = SHADE_PLANE + 3 * SUNS_AHEAD
REACH_PLANE: Final = LIGHT_PLANE + SUNS_AHEAD
BASE_PLANES: Final = REACH_PLANE + 1
MOON_PLANE: Final = BASE_PLANES + 9

SEAT_BLOCK: Final[tuple[str, ...]] = (
    *(f"light is {points}{' or more' if points == 20 else ''}" for points in range(LIGHT_STEPS)),
    "light (at most 255)",
    *(
        f"at least {count} {size} available"
        for size, most in zip(PIECES, AVAILABLE_STEPS, strict=True)
        for count in range(1, most + 1)
    ),
    *(f"{size} slot {slot + 1} occupied" for size, n in zip(PIECES, (4, 4, 3, 2), strict=True) for slot in range(n)),
    "points if the game ended now",
    "sum of tokens",
    "pieces on the board",
    *(f"light income {ahead} round(s) ahead" for ahead in range(1, SUNS_AHEAD + 1)),
)
"""What the table tells of each seat."""
ROUNDS_STEPS: Final = 25
TABLE_BASE: Final[tuple[str, ...]] = (
    *(f"{seat}: {what}" for seat in _SEATS for what in SEAT_BLOCK),
    *(f"{players} players" for players in (2, 3, 4)),
    *(f"phase {phase}" for phase in PHASES),
    *(f"{rounds}{' or more' if rounds == 24 else ''} rounds to come" for rounds in range(ROUNDS_STEPS)),
    *(f"first player is {seat}" for seat in _SEATS),
    *(f"{turns} turns of others to come this round" for turns in range(4)),
    *(f"sun at {sun}, as the board is turned" for sun in range(6)),
    *(
        f"at least {count} tokens on the {leaves + 1}-leaf pile"
        for leaves, size in enumerate(PILE_SIZE)
        for count in range(1, size + 1)
    ),
    *(f"value on top of the {leaves}-leaf pile" for leaves in (1, 2, 3, 4)),
    *(f"{size} of mine bought this turn and waiting" for size in PIECES),
    "use_bought off",
    "leftover up",
    "return_slot lowest",
    "shade_forbids",
    "shade_plant tests the target",
    "shade_plant tests the origin",
    "module moon",
    "module elder",
    "module stones",
    "no light cap",
)
SEAT_MOON_BLOCK: Final[tuple[str, ...]] = (
    *(f"plays the {animal}" for animal in ANIMALS),
    *(f"at least {points} lunar points" for points in range(1, LUNAR_CAP + 1)),
    *(f"has hatched {baby}" for baby in BABIES),
)
TABLE_MOON: Final[tuple[str, ...]] = (
    *(f"{seat}: {what}" for seat in _SEATS for what in SEAT_MOON_BLOCK),
    *(f"full moon {ahead} round(s) ahead" for ahead in range(1, SUNS_AHEAD + 1)),
    "steps my animal has taken",
    *(f"{ability} used" for ability in ABILITIES),
    "two waits",
    "leaf waits",
    *(f"I was dealt the {animal}" for animal in ANIMALS),
    "moonstones still to be placed",
    "moon_turns on_arrival",
    "boar_digs any",
    "fox_scares adjacent",
    "fox_steals light",
    *(f"{baby} has hatched, in hand or used" for baby in BABIES),
)
TABLE: Final = (*TABLE_BASE, *TABLE_MOON)
"""What each number of the table tells."""

_OPTIONS_SHOWN: Final = 9
WORDS: Final = 5
"""A plane is 37 bytes of five 8-byte words; the last three bytes are always 0 and not shown."""

TURN_STEPS: Final = 10


class Observation(Memory):
    """What a player sees: planes of the board, and a table of numbers."""

    planes = Numbers(len(PLANES), WORDS)
    table = Numbers(-(-len(TABLE) // 8) * 8, code="B")


class Mask(Memory):
    """1 for every legal action."""

    mask = Numbers(-(-ACTIONS // 8) * 8, code="b")


def planes_of(observations: NDArray[np.void]) -> NDArray[np.uint8]:
    """The planes of an array of observations as (n, planes, 37) numbers, without a copy."""
    n = len(observations)
    raw = observations.view("u1").reshape(n, Observation.size)[:, : len(PLANES) * WORDS * 8]
    return raw.reshape(n, len(PLANES), WORDS * 8)[:, :, : len(board.SPACES)]


def table_of(observations: NDArray[np.void]) -> NDArray[np.uint8]:
    """The tables of an array of observations as (n, table) numbers, without a copy."""
    table: NDArray[np.uint8] = observations["table"][:, : len(TABLE)]
    return table


def mask_of(masks: NDArray[np.void]) -> NDArray[np.int8]:
    """An array of masks as (n, actions) numbers, without a copy."""
    mask: NDArray[np.int8] = masks["mask"][:, :ACTIONS]
    return mask


def _turned_four(turns: int, step: int, value: int) -> int:
    """Of four spaces in a row those whose bits are set, turned."""
    spaces = [4 * step + bit for bit in range(4) if value >> bit & 1 and 4 * step + bit < len(board.SPACES)]
    return board.set_of(board.rotated(space, turns) for space in spaces)


def _turned_actions(turns: int) -> list[int]:
    """Every action on the board turned 60° clockwise so often."""
    to = [*(board.rotated(space, turns) for space in board.SPACES), NOWHERE]  # NOWHERE, −1, stays where it is
    twins = (
        action._replace(
            origin=to[action.origin], space=to[action.space], spaces=tuple(sorted(to[a] for a in action.spaces))
        )
        for action in actions.TABLE
    )
    return [actions.NUMBER_OF[twin] for twin in twins]


EXPAND: Final = table([sum(1 << 8 * bit for bit in range(8) if value >> bit & 1) for value in range(256)])
"""Eight bits as eight bytes."""
TURN_FOUR: Final = table(
    [[[_turned_four(turns, step, value) for value in range(16)] for step in range(TURN_STEPS)] for turns in range(6)]
)
"""`TURN_FOUR[turns, which, value]`: four spaces turned at once."""
TURNED_ACTION: Final = table([_turned_actions(turns) for turns in range(6)])
"""`TURNED_ACTION[turns, action]`: the same action on the board turned 60° clockwise so often."""
_AVAILABLE_STEPS: Final = table(AVAILABLE_STEPS)
_SLOT_COUNT: Final = table([4, 4, 3, 2])
_SEAT: Final = len(SEAT_BLOCK)
_SEAT_MOON: Final = len(SEAT_MOON_BLOCK)
_AFTER_SEATS: Final = 4 * len(SEAT_BLOCK)
_BASE: Final = len(TABLE_BASE)
_STONES_LEFT: Final = TABLE.index("moonstones still to be placed")
_TABLE_ROOM: Final = -(-len(TABLE) // 8) * 8


@inlined
def turned(spaces: int, turns: int) -> int:
    """A set of spaces on the turned board."""
    if turns == 0:
        return spaces
    result = 0
    for step in range(TURN_STEPS):
        result |= TURN_FOUR[turns, step, spaces >> (4 * step) & 15]
    return result


@inlined
def _show(o: Observation, plane: int, spaces: int, turns: int) -> None:
    """Note a plane as a set of spaces in its first word; `expand` makes zeros and ones of it."""
    o.planes[plane, 0] = turned(spaces, turns)


@compiled
def _reach(s: Record, p: int) -> int:
    """Where the player's trees that are not activated could throw a seed."""
    found = 0
    for size in range(SMALL, LARGE + 1):
        trees = s.pieces[p, size] & ~s.activated
        while trees:
            found |= REACH[size, lowest(trees)]
            trees &= trees - 1
    return found & s.empty & ~s.activated


@compiled
def _base_planes(s: Record, p: int, turns: int, o: Observation) -> None:
    small_trees = 0
    medium_trees = 0
    large_trees = 0
    for seat in range(4):
        player = (p + seat) % s.players if seat < s.players else seat
        for size in range(4):
            _show(o, 4 * seat + size, s.pieces[player, size] if seat < s.players else 0, turns)
        small_trees |= s.pieces[seat, SMALL]
        medium_trees |= s.pieces[seat, MEDIUM]
        large_trees |= s.pieces[seat, LARGE]
    _show(o, ACTIVATED_PLANE, s.activated, turns)
    _show(o, EMPTY_PLANE, s.empty, turns)
    for ahead in range(SUNS_AHEAD):
        sun = moves_before(s.current_round + 1 + ahead) % 6
        dark = shadows(s, sun)
        _show(o, SHADE_PLANE + 3 * ahead, dark[0], turns)
        _show(o, SHADE_PLANE + 3 * ahead + 1, dark[1], turns)
        _show(o, SHADE_PLANE + 3 * ahead + 2, dark[2], turns)
        giving = (small_trees & ~dark[0]) | (medium_trees & ~dark[1]) | (large_trees & ~dark[2])
        _show(o, LIGHT_PLANE + ahead, giving, turns)
        for seat in range(s.players):
            at = seat * _SEAT + _SEAT - SUNS_AHEAD + ahead
            o.table[at] = income(s, (p + seat) % s.players, dark)
    _show(o, REACH_PLANE, _reach(s, p), turns)


@compiled
def _seat_table(s: Record, player: int, at: int, o: Observation) -> None:
    """What the table tells of one seat, from index `at`."""
    light = s.light[player]
    o.table[at + min(light, LIGHT_STEPS - 1)] = 1
    o.table[at + LIGHT_STEPS] = min(light, 255)
    at += LIGHT_STEPS + 1
    for size in range(4):
        for count in range(_AVAILABLE_STEPS[size]):
            o.table[at + count] = 1 if s.available[player, size] > count else 0
        at += _AVAILABLE_STEPS[size]
    for size in range(4):
        for slot in range(_SLOT_COUNT[size]):
            o.table[at + slot] = s.slots[player, size] >> slot & 1
        at += _SLOT_COUNT[size]
    pieces = s.pieces[player, 0] | s.pieces[player, 1] | s.pieces[player, 2] | s.pieces[player, 3]
    o.table[at] = min(points(s, player), 255)
    o.table[at + 1] = min(s.score[player], 255)
    o.table[at + 2] = popcount(pieces)


@compiled
def _base_table(s: Record, p: int, turns: int, o: Observation) -> None:
    for seat in range(s.players):
        _seat_table(s, (p + seat) % s.players, seat * _SEAT, o)
    at = _AFTER_SEATS
    o.table[at + s.players - 2] = 1
    at += 3
    o.table[at + s.phase] = 1
    at += len(PHASES)
    o.table[at + min(s.rounds - s.current_round, ROUNDS_STEPS - 1)] = 1
    at += ROUNDS_STEPS
    o.table[at + (s.first - p + s.players) % s.players] = 1
    at += 4
    o.table[at + max(s.players - 1 - s.turn, 0)] = 1
    at += 4
    o.table[at + (s.sun + turns) % 6] = 1
    at += 6
    for pile in range(4):
        left = PILE_SIZE[pile] - s.taken[pile]
        for count in range(PILE_SIZE[pile]):
            o.table[at + count] = 1 if left > count else 0
        at += PILE_SIZE[pile]
    for pile in range(4):
        o.table[at + pile] = TOKEN_VALUE[pile, s.taken[pile]] if s.taken[pile] < PILE_SIZE[pile] else 0
    at += 4
    for size in range(4):
        o.table[at + size] = s.fresh[size]
    at += 4
    for option in range(_OPTIONS_SHOWN):
        o.table[at + option] = s.options >> option & 1
    o.table[at + _OPTIONS_SHOWN] = 1 if s.light_cap == NO_CAP else 0


@compiled
def _module_planes(s: Record, p: int, turns: int, o: Observation) -> None:
    _show(o, BASE_PLANES, s.elder, turns)
    _show(o, BASE_PLANES + 1, s.stones, turns)
    for seat in range(4):
        spaces = 0
        if seat < s.players and s.at[(p + seat) % s.players] != NOWHERE:
            spaces = 1 << s.at[(p + seat) % s.players]
        _show(o, BASE_PLANES + 2 + seat, spaces, turns)
    _show(o, BASE_PLANES + 6, s.face_down, turns)
    _show(o, BASE_PLANES + 7, s.dam, turns)
    _show(o, BASE_PLANES + 8, s.river, turns)
    for ahead in range(SUNS_AHEAD):
        lit = lit_spaces(s, moves_before(s.current_round + 1 + ahead)) if s.options & MODULE_MOON else 0
        _show(o, MOON_PLANE + ahead, lit, turns)


@compiled
def _moon_table(s: Record, p: int, o: Observation) -> None:
    for seat in range(s.players):
        player = (p + seat) % s.players
        at = _BASE + seat * _SEAT_MOON
        if s.animal[player] != NO_ANIMAL:
            o.table[at + s.animal[player]] = 1
        for count in range(LUNAR_CAP):
            o.table[at + len(ANIMALS) + count] = 1 if s.lunar[player] > count else 0
        hatched = s.hatched if s.animal[player] == TURTLE else 0
        while hatched:
            o.table[at + len(ANIMALS) + LUNAR_CAP + max((hatched & 15) - 1, 0)] = 1
            hatched >>= 4
    at = _BASE + 4 * _SEAT_MOON
    for ahead in range(SUNS_AHEAD):
        o.table[at + ahead] = 1 if moon_is_full(s, moves_before(s.current_round + 1 + ahead)) else 0
    at += SUNS_AHEAD
    o.table[at] = s.steps
    used = s.used
    while used:
        o.table[at + (used & 15)] = 1
        used >>= 4
    at += 1 + len(ABILITIES)
    o.table[at] = s.effects & 1
    o.table[at + 1] = s.effects >> 1 & 1
    at += 2
    for animal in range(len(ANIMALS)):
        o.table[at + animal] = s.dealt[p] >> animal & 1 if s.phase == DRAFT_PHASE else 0
    at = _STONES_LEFT + 1
    o.table[at] = 1 if s.options & MOON_TURNS_ON_ARRIVAL else 0
    o.table[at + 1] = 1 if s.options & BOAR_DIGS_ANY else 0
    o.table[at + 2] = 1 if s.options & FOX_SCARES_ADJACENT else 0
    o.table[at + 3] = 1 if s.options & FOX_STEALS_LIGHT else 0
    for player in range(s.players):
        if s.animal[player] == TURTLE and s.phase > ANIMALS_PHASE:
            _seen_babies(s, at + 4, o)


@compiled
def _seen_babies(s: Record, at: int, o: Observation) -> None:
    """Which of the babies that were laid out lie face down no longer (M-SETUP-4)."""
    shore, babies = s.shore, s.babies
    while shore:
        baby = babies & 15
        if baby and not s.face_down & shore & -shore:
            o.table[at + baby - 1] = 1
        babies >>= 4
        shore &= shore - 1


@inlined
def write_sets(s: Record, p: int, turns: int, o: Observation) -> None:
    """The table, and every plane as a set of spaces in its first word: all there is to see, in 976 bytes."""
    for index in range(_TABLE_ROOM):
        o.table[index] = 0
    _base_planes(s, p, turns, o)
    _base_table(s, p, turns, o)
    if s.options & MODULES_MASK:
        _module_planes(s, p, turns, o)
        if s.options & MODULE_MOON:
            _moon_table(s, p, o)
        o.table[_STONES_LEFT] = s.stones_left
    else:
        for plane in range(BASE_PLANES, len(PLANES)):
            o.planes[plane, 0] = 0


@inlined
def expand(o: Observation) -> None:
    """Turn the set in each plane's first word into zeros and ones, a byte a space."""
    for plane in range(len(PLANES)):
        spaces = o.planes[plane, 0]
        for word in range(WORDS):
            o.planes[plane, word] = EXPAND[spaces >> (8 * word) & 255]


@entry
def observe_as(s: Record, p: int, turns: int, o: Observation) -> None:
    """Write what a seat sees, also when another is to act. Face-down babies are nowhere in it (M-SETUP-4).

    What belongs to the turn in progress (activated spaces, pieces that wait, steps, abilities) is shown as it is,
    whoever's turn it is.
    """
    write_sets(s, p, turns, o)
    expand(o)


@entry
def observe(s: Record, turns: int, o: Observation) -> None:
    """Write what the player to act sees."""
    observe_as(s, s.player & 3, turns, o)


@inlined
def mark(legal_list: LegalList, n: int, m: Mask) -> None:
    """Write 1 for the first n actions of a list, 0 for all others."""
    for index in range(ACTIONS):
        m.mask[index] = 0
    for index in range(n):
        m.mask[legal_list.action[index]] = 1


def observation(record: Any, turns: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Planes (planes, 37) and table of one position."""
    seen = Observation()
    observe(record, turns, seen)
    return planes_of(seen.array())[0], table_of(seen.array())[0]
