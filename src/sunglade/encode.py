"""What programs see: observations and action masks, once for search, networks and environments.

An observation is *egocentric*: seats are counted from the player to act (relative seat 0). Planes over the spaces
hold 0 or 1; the table holds small numbers, mostly 0 or 1. The base game's indices come first, so that what was learned
there survives the modules. `PLANES` and `TABLE` name every index; docs/environments.md is made from them.

A board can be turned while it is observed (`turns` × 60° clockwise): with `turns = (6 − sun) % 6` the sun always stands
at position 0, and the same network serves all six. `TURNED_ACTION` turns an action number the same way.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from sunglade import board
from sunglade.kernel import actions
from sunglade.kernel.actions import ABILITIES
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, entry, inlined, teaches_numba
from sunglade.kernel.fields import Memory, Numbers
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.light import elder_shadow, income
from sunglade.kernel.moon import LUNAR_CAP, lit_spaces, moon_is_full, moves_before
from sunglade.kernel.printed import (
    LARGE,
    MEDIUM,
    PIECES,
    PILE_SIZE,
    REACH,
    SHADOW,
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
_HOLDINGS: Final = sum(AVAILABLE_STEPS) + 4 + 4 + 3 + 2
"""Flags of a seat for what is available and which slots are occupied."""
_PILES: Final = int(sum(PILE_SIZE))
FLAGS: Final = 32
"""So many are written at once."""
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


@inlined
def _after(s: Record, p: int, seats: int) -> int:
    """The player so many seats after another. A division would take as long as all the rest of what is asked of it."""
    player = p + seats
    return player - s.players if player >= s.players else player


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


@inlined
def coming_shadows(trees: int, size: int, suns: int) -> tuple[int, int, int, int, int, int]:
    """What trees of one size throw their shadow on under six suns, from the one after so many moves.

    One walk over the trees instead of six: when a walk ends, a processor guesses wrong.
    """
    sun = suns % 6
    a = b = c = d = e = f = 0
    while trees:
        space = lowest(trees)
        a |= SHADOW[sun, size, space]
        b |= SHADOW[(sun + 1) % 6, size, space]
        c |= SHADOW[(sun + 2) % 6, size, space]
        d |= SHADOW[(sun + 3) % 6, size, space]
        e |= SHADOW[(sun + 4) % 6, size, space]
        f |= SHADOW[(sun + 5) % 6, size, space]
        trees &= trees - 1
    return a, b, c, d, e, f


@compiled
def _base_planes(s: Record, p: int, turns: int, o: Observation) -> None:
    small_trees = 0
    medium_trees = 0
    large_trees = 0
    for seat in range(4):
        player = _after(s, p, seat) if seat < s.players else seat
        for size in range(4):
            _show(o, 4 * seat + size, s.pieces[player, size] if seat < s.players else 0, turns)
        small_trees |= s.pieces[seat, SMALL]
        medium_trees |= s.pieces[seat, MEDIUM]
        large_trees |= s.pieces[seat, LARGE]
    _show(o, ACTIVATED_PLANE, s.activated, turns)
    _show(o, EMPTY_PLANE, s.empty, turns)
    suns = moves_before(s.current_round + 1)
    by_large = coming_shadows(large_trees, LARGE, suns)
    by_medium = coming_shadows(medium_trees, MEDIUM, suns)
    by_small = coming_shadows(small_trees | s.stones, SMALL, suns)  # a moonstone's shadow is a small tree's (M-STONE-2)
    for ahead in range(SUNS_AHEAD):
        over_large = by_large[ahead] | elder_shadow(s, (suns + ahead) % 6)
        over_medium = over_large | by_medium[ahead]
        dark = over_medium | by_small[ahead], over_medium, over_large
        _show(o, SHADE_PLANE + 3 * ahead, dark[0], turns)
        _show(o, SHADE_PLANE + 3 * ahead + 1, dark[1], turns)
        _show(o, SHADE_PLANE + 3 * ahead + 2, dark[2], turns)
        giving = (small_trees & ~dark[0]) | (medium_trees & ~dark[1]) | (large_trees & ~dark[2])
        _show(o, LIGHT_PLANE + ahead, giving, turns)
        for seat in range(s.players):
            at = seat * _SEAT + _SEAT - SUNS_AHEAD + ahead
            o.table[at] = income(s, _after(s, p, seat), dark)
    _show(o, REACH_PLANE, _reach(s, p), turns)


@inlined
def at_least(number: int, steps: int) -> int:
    """Flags for at least 1, at least 2, and so on."""
    return (1 << min(number, steps)) - 1


@compiled
def _seat_table(s: Record, player: int, at: int, o: Observation) -> None:
    """What the table tells of one seat, from index `at`."""
    light = s.light[player]
    o.table[at + min(light, LIGHT_STEPS - 1)] = 1
    o.table[at + LIGHT_STEPS] = min(light, 255)
    at += LIGHT_STEPS + 1
    flags = 0
    place = 0
    for size in range(4):
        flags |= at_least(s.available[player, size], _AVAILABLE_STEPS[size]) << place
        place += _AVAILABLE_STEPS[size]
    for size in range(4):
        flags |= s.slots[player, size] << place
        place += _SLOT_COUNT[size]
    show_flags(o.table, at, flags)
    o.table[at + FLAGS] = flags >> FLAGS & 1
    at += _HOLDINGS
    pieces = s.pieces[player, 0] | s.pieces[player, 1] | s.pieces[player, 2] | s.pieces[player, 3]
    o.table[at] = min(points(s, player), 255)
    o.table[at + 1] = min(s.score[player], 255)
    o.table[at + 2] = popcount(pieces)


@compiled
def _base_table(s: Record, p: int, turns: int, o: Observation) -> None:
    for seat in range(s.players):
        _seat_table(s, _after(s, p, seat), seat * _SEAT, o)
    at = _AFTER_SEATS
    o.table[at + s.players - 2] = 1
    at += 3
    o.table[at + s.phase] = 1
    at += len(PHASES)
    o.table[at + min(s.rounds - s.current_round, ROUNDS_STEPS - 1)] = 1
    at += ROUNDS_STEPS
    o.table[at + (s.first - p if s.first >= p else s.first - p + s.players)] = 1
    at += 4
    o.table[at + max(s.players - 1 - s.turn, 0)] = 1
    at += 4
    o.table[at + (s.sun + turns) % 6] = 1
    at += 6
    flags = 0
    place = 0
    for pile in range(4):
        flags |= at_least(PILE_SIZE[pile] - s.taken[pile], PILE_SIZE[pile]) << place
        place += PILE_SIZE[pile]
    show_flags(o.table, at, flags)  # what it writes too much comes next
    at += _PILES
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
        if seat < s.players and s.at[_after(s, p, seat)] != NOWHERE:
            spaces = 1 << s.at[_after(s, p, seat)]
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
        player = _after(s, p, seat)
        flags = at_least(s.lunar[player], LUNAR_CAP) << len(ANIMALS)
        if s.animal[player] != NO_ANIMAL:
            flags |= 1 << s.animal[player]
        hatched = s.hatched if s.animal[player] == TURTLE else 0
        while hatched:
            flags |= 1 << (len(ANIMALS) + LUNAR_CAP + max((hatched & 15) - 1, 0))
            hatched >>= 4
        show_flags(o.table, _BASE + seat * _SEAT_MOON, flags)  # what it writes too much comes next
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


def show_flags(table: Any, at: int, flags: int) -> None:
    """Write 32 flags, a byte each."""
    for place in range(FLAGS):
        table[at + place] = flags >> place & 1


def show_spaces(planes: Any, plane: int, spaces: int) -> None:
    """The same for the first 32 spaces of a plane."""
    for word in range(WORDS - 1):
        planes[plane, word] = EXPAND[spaces >> (8 * word) & 255]


@teaches_numba
def _instructions() -> None:
    """Compiled, 32 bytes are made at once: each byte of the set eight times over, and one bit left of each."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    bytes_, indices = ir.VectorType(ir.IntType(8), FLAGS), ir.VectorType(ir.IntType(32), FLAGS)
    eight_times = ir.Constant(indices, [place // 8 for place in range(FLAGS)])
    one_bit = ir.Constant(bytes_, [1 << place % 8 for place in range(FLAGS)])
    nothing = ir.Constant(bytes_, [0] * FLAGS)

    def write(context: Any, builder: Any, array: Any, index: Any, flags: Any, align: int) -> Any:
        kind, value = array
        packed = builder.bitcast(builder.trunc(flags, ir.IntType(FLAGS)), ir.VectorType(ir.IntType(8), FLAGS // 8))
        single = builder.and_(builder.shuffle_vector(packed, packed, eight_times), one_bit)
        place = builder.gep(context.make_array(kind)(context, builder, value).data, [index])
        found = builder.zext(builder.icmp_unsigned("!=", single, nothing), bytes_)
        builder.store(found, builder.bitcast(place, bytes_.as_pointer()), align=align)
        return context.get_dummy_value()

    @intrinsic
    def flags_out(context: Any, table: Any, at: Any, flags: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return write(context, builder, (signature.args[0], arguments[0]), arguments[1], arguments[2], align=1)

        return types.void(table, types.int64, types.int64), generate

    @intrinsic
    def spaces_out(context: Any, planes: Any, plane: Any, spaces: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = builder.mul(arguments[1], ir.Constant(arguments[1].type, WORDS))
            return write(context, builder, (signature.args[0], arguments[0]), word, arguments[2], align=8)

        return types.void(planes, types.int64, types.int64), generate

    # Numba wants the signatures equal, annotations included. On a GPU flags are written as it stands above.
    plainly = FunctionType(show_flags.__code__, globals())
    overload(show_flags, target="generic")(lambda table, at, flags: plainly)
    overload(show_flags, target="cpu")(lambda table, at, flags: lambda table, at, flags: flags_out(table, at, flags))
    overload(show_spaces, target="cpu")(
        lambda planes, plane, spaces: lambda planes, plane, spaces: spaces_out(planes, plane, spaces)
    )


@inlined
def expand(o: Observation, planes: int) -> None:
    """Turn the sets in the first words of so many planes into zeros and ones, a byte a space; the others are empty."""
    for plane in range(planes):
        spaces = o.planes[plane, 0]
        show_spaces(o.planes, plane, spaces)
        o.planes[plane, WORDS - 1] = EXPAND[spaces >> FLAGS]
    for plane in range(planes, len(PLANES)):
        for word in range(WORDS):
            o.planes[plane, word] = 0


@entry
def observe_as(s: Record, p: int, turns: int, o: Observation) -> None:
    """Write what a seat sees, also when another is to act. Face-down babies are nowhere in it (M-SETUP-4).

    What belongs to the turn in progress (activated spaces, pieces that wait, steps, abilities) is shown as it is,
    whoever's turn it is.
    """
    write_sets(s, p, turns, o)
    expand(o, len(PLANES) if s.options & MODULES_MASK else BASE_PLANES)


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
