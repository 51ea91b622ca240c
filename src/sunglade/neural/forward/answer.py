"""The network's answer for positions: a logit for each action, and what the game is worth for each seat."""

from __future__ import annotations

import math
from typing import Final

from sunglade.encode import TABLE_BASE, Observation
from sunglade.kernel.actions import SPACE_COUNT
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Floats, Memory, Reals
from sunglade.kernel.tables import table
from sunglade.neural.forward.attention import SCORES, TOKENS, attention, desk_for, scores
from sunglade.neural.forward.lanes import lanes, load, spread, store
from sunglade.neural.forward.layout import NARROW, OUT, OWNER_COLUMNS, QKV, SEAT_COLUMNS, WIDE, Layout, padded
from sunglade.neural.forward.products import NO_BIAS, PANEL, Layer, gelu_all, normed, product
from sunglade.neural.heads import DAM_SPACES, PAIRS, POINTS_SCALE, SPACE_COLUMNS, TABLE_COLUMNS, logit_places
from sunglade.search.graph import Answers, Questions
from sunglade.search.value import MARGIN_SHARE

TOGETHER: Final = 8
"""Positions whose tokens are rows of one matrix."""
_PLAYERS: Final = TABLE_BASE.index("2 players")
_PLACES: Final = table(logit_places())
_PAIRS: Final = table(PAIRS)
_DAMS: Final = table(DAM_SPACES)
_SEEDS_AT: Final = TABLE_COLUMNS + SPACE_COLUMNS * SPACE_COUNT
_DAMS_AT: Final = _SEEDS_AT + len(PAIRS)
_TABLE_COLUMNS: Final = padded(TABLE_COLUMNS)
_SEAT_COLUMNS: Final = padded(SEAT_COLUMNS)


@inlined
def _out_columns(layout: Layout) -> int:
    """What is asked of a space: its own actions, then being the origin of a seed, then being its target."""
    return PANEL + 2 * (-(-layout.reach // PANEL) * PANEL)


@inlined
def _shares_of_room(layout: Layout) -> tuple[int, int, int, int]:
    """Where what `answer` computes with begins: the tokens normed, what is made of them, of a position, of a head."""
    d, most = layout.width, TOGETHER * TOKENS
    y = most * d
    z = y + most * (d + PANEL)
    small = z + most * max(3 * d, _out_columns(layout))
    return y, z, small, small + TOGETHER * (4 * d + _TABLE_COLUMNS)


@entry
def room_for(layout: Layout) -> int:
    """How many numbers `answer` needs to compute with."""
    return _shares_of_room(layout)[-1] + desk_for(max(layout.width // layout.heads, layout.reach))


@inlined
def _even(n: int) -> int:
    """Rows for n positions, as `product` takes them."""
    return max(4, n + n % 2)


@compiled
def _table(questions: Questions, first: int, n: int, w: Floats, layout: Layout, small: Floats, tokens: Floats) -> None:
    """tokens (n, width): the numbers of the table through a small net. Most of them are 0."""
    d = layout.width
    for position in range(n):
        to = position * 2 * d
        for i in range(0, 2 * d, lanes()):
            store(small, to + i, load(w, layout.table_first_bias + i))
        seen = questions.observation[first + position]
        for number in range(layout.table):
            if seen.table[number]:
                times = spread(float(seen.table[number]))
                row = layout.table_first + number * 2 * d
                for i in range(0, 2 * d, lanes()):
                    store(small, to + i, load(small, to + i) + times * load(w, row + i))
    gelu_all(small, n * 2 * d)
    second = (w, layout.table_second, layout.table_second_bias)
    product((small, 0, 2 * d), _even(n), 2 * d, second, d, (tokens, 0, d), False)


@inlined
def _is_set(seen: Observation, plane: int, space: int) -> bool:
    """Whether a plane holds 1 at a space: words of eight spaces, a byte each."""
    return (seen.planes[plane, space >> 3] >> (space & 7) * 8) & 1 != 0


@compiled
def _embedded(questions: Questions, first: int, n: int, w: Floats, layout: Layout, small: Floats, x: Floats) -> None:
    """x (n, 38, width): a token for the table; for each space one of its place, the table and its planes."""
    d = layout.width
    tokens, shared = small[TOGETHER * 2 * d :], small[TOGETHER * 3 * d :]
    _table(questions, first, n, w, layout, small, tokens)
    product((tokens, 0, d), _even(n), d, (w, layout.share, NO_BIAS), d, (shared, 0, d), False)
    for position in range(n):
        seen = questions.observation[first + position]
        for i in range(0, d, lanes()):
            store(x, position * TOKENS * d + i, load(tokens, position * d + i))
        for space in range(SPACE_COUNT):
            to = (position * TOKENS + 1 + space) * d
            for i in range(0, d, lanes()):
                store(x, to + i, load(w, layout.place + space * d + i) + load(shared, position * d + i))
            for plane in range(layout.planes):
                if _is_set(seen, plane, space):
                    row = layout.spaces + plane * d
                    for i in range(0, d, lanes()):
                        store(x, to + i, load(x, to + i) + load(w, row + i))


@inlined
def _layer(w: Floats, layout: Layout, layer: int, kind: int) -> Layer:
    return w, layout.block[layer, kind], layout.block_bias[layer, kind]


@compiled
def _thought(w: Floats, layout: Layout, n: int, x: Floats, y: Floats, z: Floats, desk: Floats) -> None:
    """All blocks: attention, then a small net on each token, a third of its width at a time."""
    d = layout.width
    rows = n * TOKENS
    step = d + PANEL  # the last panel of a row may reach into the next one
    for layer in range(layout.layers):
        normed(x, y, rows, d)
        product((y, 0, d), rows, d, _layer(w, layout, layer, QKV), 3 * d, (z, 0, 3 * d), False)
        for position in range(n):
            at = position * TOKENS
            attention(z, at * 3 * d, d, layout.heads, desk, (y, at * step, step))
        product((y, 0, step), rows, d, _layer(w, layout, layer, OUT), d, (x, 0, d), True)
        normed(x, y, rows, d)
        _, wide, wide_bias = _layer(w, layout, layer, WIDE)
        _, narrow, narrow_bias = _layer(w, layout, layer, NARROW)
        for third in range(3):
            product((y, 0, d), rows, d, (w, wide + third * d * d, wide_bias + third * d), d, (z, 0, d), False)
            gelu_all(z, rows * d)
            bias = narrow_bias if third == 0 else NO_BIAS
            product((z, 0, d), rows, d, (w, narrow + third * d * d, bias), d, (x, 0, d), True)
    normed(x, y, rows, d)


@compiled
def _logits(
    w: Floats, layout: Layout, n: int, small: Floats, y: Floats, z: Floats, desk: Floats, answers: Answers, first: int
) -> None:
    """What speaks for each action."""
    d = layout.width
    across = _out_columns(layout)
    reach = (across - PANEL) // 2
    on_table = small[TOGETHER * d :]
    for position in range(n):
        for i in range(0, d, lanes()):
            store(small, position * d + i, load(y, position * TOKENS * d + i))
    table_head = (w, layout.on_table, layout.on_table_bias)
    product((small, 0, d), _even(n), d, table_head, _TABLE_COLUMNS, (on_table, 0, _TABLE_COLUMNS), False)
    space_head = (w, layout.on_space, layout.on_space_bias)
    product((y, 0, d), n * TOKENS, d, space_head, across, (z, 0, across), False)
    seeds = desk[SCORES * layout.reach :]
    for position in range(n):
        at = position * TOKENS * across
        scores(z, at + PANEL, at + PANEL + reach, across, layout.reach, (desk, 0, NO_BIAS), seeds)
        spaces = z[at + across : at + TOKENS * across]
        these = on_table[position * _TABLE_COLUMNS : (position + 1) * _TABLE_COLUMNS]
        for action in range(layout.actions):
            answers.logits[first + position, action] = _logit(_PLACES[action], these, spaces, across, seeds)


@inlined
def _logit(place: int, on_table: Floats, spaces: Floats, across: int, seeds: Floats) -> float:
    """The number at a place among all heads (`heads.logit_places`)."""
    if place < TABLE_COLUMNS:
        return on_table[place]
    if place < _SEEDS_AT:
        column, space = divmod(place - TABLE_COLUMNS, SPACE_COUNT)
        return spaces[space * across + column]
    if place < _DAMS_AT:
        origin, target = divmod(_PAIRS[place - _SEEDS_AT], SPACE_COUNT)
        return seeds[(1 + origin) * SCORES + 1 + target]
    dam = 0.0
    for i in range(3):
        dam += spaces[_DAMS[place - _DAMS_AT, i] * across + SPACE_COLUMNS - 1]
    return dam


@compiled
def _values(
    questions: Questions, w: Floats, layout: Layout, n: int, small: Floats, y: Floats, answers: Answers, first: int
) -> None:
    """What the game is worth for each seat, from the table's token and the mean of the spaces'."""
    d = layout.width
    share = spread(1.0 / SPACE_COUNT)
    for position in range(n):
        for i in range(0, d, lanes()):
            at = position * TOKENS * d + i
            store(small, position * 2 * d + i, load(y, at))
            mean = spread(0.0)
            for space in range(SPACE_COUNT):
                mean = mean + load(y, at + (1 + space) * d)
            store(small, position * 2 * d + d + i, mean * share)
    inner, seats = small[TOGETHER * 2 * d :], small[TOGETHER * 4 * d :]
    first_layer = (w, layout.seats_first, layout.seats_first_bias)
    product((small, 0, 2 * d), _even(n), 2 * d, first_layer, 2 * d, (inner, 0, 2 * d), False)
    gelu_all(inner, n * 2 * d)
    second = (w, layout.seats_second, layout.seats_second_bias)
    product((inner, 0, 2 * d), _even(n), 2 * d, second, _SEAT_COLUMNS, (seats, 0, _SEAT_COLUMNS), False)
    for position in range(n):
        seen = questions.observation[first + position]
        players = 2 if seen.table[_PLAYERS] else 3 if seen.table[_PLAYERS + 1] else 4
        _weigh(seats[position * _SEAT_COLUMNS : (position + 1) * _SEAT_COLUMNS], players, answers, first + position)


@compiled
def _weigh(seats: Floats, players: int, answers: Answers, row: int) -> None:
    """The chance to win (nobody at a seat: none) and a little of the margin."""
    most = seats[0]
    for seat in range(1, players):
        most = max(most, seats[seat])
    whole = 0.0
    for seat in range(players):
        whole += math.exp(seats[seat] - most)
    for seat in range(4):
        chance = math.exp(seats[seat] - most) / whole if seat < players else 0.0
        margin = 1.0 / (1.0 + math.exp(-seats[4 + seat]))
        answers.values[row, seat] = (1.0 - MARGIN_SHARE) * chance + MARGIN_SHARE * margin


@entry
def answer(
    questions: Questions, first: int, last: int, weights: Floats, layout: Layout, room: Floats, answers: Answers
) -> None:
    """Answer the questions from `first` to before `last`; `room` has `room_for(layout)` numbers to compute with."""
    y_at, z_at, small_at, desk_at = _shares_of_room(layout)
    x, y, z = room[:y_at], room[y_at:z_at], room[z_at:small_at]
    small, desk = room[small_at:desk_at], room[desk_at:]
    for begin in range(first, last, TOGETHER):
        n = min(TOGETHER, last - begin)
        _embedded(questions, begin, n, weights, layout, small, x)
        _thought(weights, layout, n, x, y, z, desk)
        _logits(weights, layout, n, small, y, z, desk, answers, begin)
        _values(questions, weights, layout, n, small, y, answers, begin)


class Prospect(Memory):
    """What the network thinks of the end of a game, by relative seat, on the turned board."""

    points = Reals(4)
    owner = Reals(SPACE_COUNT, OWNER_COLUMNS)  # [space]: the chance that nobody has a piece there, then seats


@entry
def foretell(
    questions: Questions, weights: Floats, layout: Layout, room: Floats, answers: Answers, prospect: Prospect
) -> None:
    """How the first question's game may end; everything needed lies in the room when it has been answered."""
    answer(questions, 0, 1, weights, layout, room, answers)
    _, z_at, small_at, desk_at = _shares_of_room(layout)
    z, seats = room[z_at:small_at], room[small_at:desk_at][TOGETHER * 4 * layout.width :]
    for seat in range(4):
        prospect.points[seat] = seats[8 + seat] * POINTS_SCALE
    across = _out_columns(layout)
    for space in range(SPACE_COUNT):
        at = (1 + space) * across + SPACE_COLUMNS
        most = z[at]
        for column in range(1, OWNER_COLUMNS):
            most = max(most, z[at + column])
        whole = 0.0
        for column in range(OWNER_COLUMNS):
            prospect.owner[space, column] = math.exp(z[at + column] - most)
            whole += prospect.owner[space, column]
        for column in range(OWNER_COLUMNS):
            prospect.owner[space, column] /= whole
