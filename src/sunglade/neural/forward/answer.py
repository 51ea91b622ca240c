"""The network's answer for positions: a logit for each action, and what the game is worth for each seat."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sunglade.encode import PLANES, TABLE_BASE, WORDS, OBSERVATION
from sunglade.kernel.actions import SPACE_COUNT
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.tables import table
from sunglade.neural.forward.attention import MOST_SCORES, TOKENS, attention, scores
from sunglade.neural.forward.lanes import Floats, f4, lanes, load, number_at, spread, store
from sunglade.neural.forward.layout import NARROW, OUT, QKV, WIDE, Layout
from sunglade.neural.forward.products import PANEL, gelu_all, normed, product
from sunglade.neural.heads import DAM_SPACES, PAIRS, SPACE_COLUMNS, TABLE_COLUMNS, logit_places
from sunglade.search.value import MARGIN_SHARE

Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]

TOGETHER: Final = 8
"""Positions whose tokens are rows of one matrix."""
_PLANE: Final = WORDS * 8
_TABLE: Final = len(PLANES) * _PLANE
_PLAYERS: Final = _TABLE + TABLE_BASE.index("2 players")
_OBSERVATION: Final = OBSERVATION.itemsize
_PLACES: Final = table(logit_places())
_PAIRS: Final = table(PAIRS)
_DAMS: Final = table(DAM_SPACES)
_SEEDS_AT: Final = TABLE_COLUMNS + SPACE_COLUMNS * SPACE_COUNT
_DAMS_AT: Final = _SEEDS_AT + len(PAIRS)
_TABLE_COLUMNS: Final = -(-TABLE_COLUMNS // PANEL) * PANEL
_SEAT_COLUMNS: Final = PANEL
_MARGIN: Final = MARGIN_SHARE


def room_for(layout: Layout) -> int:
    """How many numbers `answer` needs to compute with."""
    d, rows = layout.width, TOGETHER * TOKENS
    reach = -(-layout.reach // PANEL) * PANEL
    out = max(3 * d, PANEL + 2 * reach)
    desk = 2 * MOST_SCORES * (1 + max(d, layout.reach)) + TOKENS * MOST_SCORES + PANEL * TOKENS
    return rows * (d + d + PANEL + out) + desk + TOGETHER * (8 * d + _TABLE_COLUMNS + _SEAT_COLUMNS) + 8 * PANEL


@compiled
def _embedded(raw: Bytes, n: int, w: Floats, layout: Layout, small: Floats, x: Floats) -> None:
    """Tokens (n, 38, width): the table's numbers through a small net; a space's planes, its place and the table."""
    d = layout.width
    many = lanes()
    inner, tokens, shared = small[: n * 2 * d], small[TOGETHER * 2 * d :], small[TOGETHER * 3 * d :]
    for position in range(n):
        to = position * 2 * d
        for i in range(0, 2 * d, many):
            store(small, to + i, load(w, layout.table_first_bias + i))
        for number in range(layout.numbers):
            value = raw[position * _OBSERVATION + _TABLE + number]
            if value:
                times = spread(f4(value))
                row = layout.table_first + number * 2 * d
                for i in range(0, 2 * d, many):
                    store(small, to + i, load(small, to + i) + times * load(w, row + i))
    gelu_all(small, 0, n * 2 * d)
    rows = max(4, n + n % 2)
    product(small, 0, 2 * d, rows, 2 * d, w, layout.table_second, d, tokens, 0, d, layout.table_second_bias, False)
    product(tokens, 0, d, rows, d, w, layout.share, d, shared, 0, d, -1, False)
    for position in range(n):
        for i in range(0, d, many):
            store(x, position * TOKENS * d + i, load(tokens, position * d + i))
        for space in range(SPACE_COUNT):
            to = (position * TOKENS + 1 + space) * d
            for i in range(0, d, many):
                store(x, to + i, load(w, layout.place + space * d + i) + load(shared, position * d + i))
            for plane in range(layout.planes):
                if raw[position * _OBSERVATION + plane * _PLANE + space]:
                    row = layout.spaces + plane * d
                    for i in range(0, d, many):
                        store(x, to + i, load(x, to + i) + load(w, row + i))


@compiled
def _thought(w: Floats, layout: Layout, n: int, x: Floats, y: Floats, z: Floats, desk: Floats) -> None:
    """All blocks: attention, then a small net on each token."""
    d = layout.width
    rows = n * TOKENS
    step = d + PANEL
    for layer in range(layout.layers):
        weight, bias = layout.block[layer], layout.block_bias[layer]
        normed(x, y, rows, d)
        product(y, 0, d, rows, d, w, weight[QKV], 3 * d, z, 0, 3 * d, bias[QKV], False)
        for position in range(n):
            attention(z, position * TOKENS * 3 * d, d, layout.heads, desk, y, position * TOKENS * step, step)
        product(y, 0, step, rows, d, w, weight[OUT], d, x, 0, d, bias[OUT], True)
        normed(x, y, rows, d)
        for part in range(3):
            shift = part * d * d
            product(y, 0, d, rows, d, w, weight[WIDE] + shift, d, z, 0, d, bias[WIDE] + part * d, False)
            gelu_all(z, 0, rows * d)
            product(z, 0, d, rows, d, w, weight[NARROW] + shift, d, x, 0, d, -1 if part else bias[NARROW], True)
    normed(x, y, rows, d)


@compiled
def _logits(w: Floats, layout: Layout, n: int, small: Floats, y: Floats, z: Floats, desk: Floats, out: Matrix,
            first: int) -> None:
    """What speaks for each action."""
    d = layout.width
    rows = max(4, n + n % 2)
    reach = -(-layout.reach // PANEL) * PANEL
    across = PANEL + 2 * reach
    for position in range(n):
        for i in range(0, d, lanes()):
            store(small, position * d + i, load(y, position * TOKENS * d + i))
    on_table = small[TOGETHER * d :]
    product(small, 0, d, rows, d, w, layout.on_table, _TABLE_COLUMNS, on_table, 0, _TABLE_COLUMNS,
            layout.on_table_bias, False)
    product(y, 0, d, n * TOKENS, d, w, layout.on_space, across, z, 0, across, layout.on_space_bias, False)
    seeds = desk[MOST_SCORES * layout.reach :]
    for position in range(n):
        at = position * TOKENS * across
        scores(at + PANEL, at + PANEL + reach, z, across, layout.reach, desk, -1, seeds)
        for action in range(layout.actions):
            place = _PLACES[action]
            if place < TABLE_COLUMNS:
                found = on_table[position * _TABLE_COLUMNS + place]
            elif place < _SEEDS_AT:
                place -= TABLE_COLUMNS
                found = z[at + (1 + place % SPACE_COUNT) * across + place // SPACE_COUNT]
            elif place < _DAMS_AT:
                pair = _PAIRS[place - _SEEDS_AT]
                found = seeds[(1 + pair // SPACE_COUNT) * MOST_SCORES + 1 + pair % SPACE_COUNT]
            else:
                dam = place - _DAMS_AT
                found = f4(0.0)
                for i in range(3):
                    found += z[at + (1 + _DAMS[dam, i]) * across + SPACE_COLUMNS - 1]
            out[first + position, action] = found


@compiled
def _values(raw: Bytes, w: Floats, layout: Layout, n: int, small: Floats, y: Floats, out: Matrix, first: int) -> None:
    """What the game is worth for each seat: the chance to win, and a little of the margin."""
    d = layout.width
    many = lanes()
    rows = max(4, n + n % 2)
    share = spread(f4(1.0) / f4(SPACE_COUNT))
    for position in range(n):
        for i in range(0, d, many):
            at = position * TOKENS * d + i
            store(small, position * 2 * d + i, load(y, at))
            mean = spread(f4(0.0))
            for space in range(SPACE_COUNT):
                mean = mean + load(y, at + (1 + space) * d)
            store(small, position * 2 * d + d + i, mean * share)
    inner, seats = small[TOGETHER * 2 * d :], small[TOGETHER * 4 * d :]
    product(small, 0, 2 * d, rows, 2 * d, w, layout.seats_first, 2 * d, inner, 0, 2 * d, layout.seats_first_bias, False)
    gelu_all(inner, 0, n * 2 * d)
    product(inner, 0, 2 * d, rows, 2 * d, w, layout.seats_second, _SEAT_COLUMNS, seats, 0, _SEAT_COLUMNS,
            layout.seats_second_bias, False)
    for position in range(n):
        win = position * _SEAT_COLUMNS
        two = raw[position * _OBSERVATION + _PLAYERS]
        players = 2 if two else 3 if raw[position * _OBSERVATION + _PLAYERS + 1] else 4
        most = seats[win]
        for seat in range(1, players):
            most = max(most, seats[win + seat])
        whole = 0.0
        for seat in range(players):
            whole += math.exp(seats[win + seat] - most)
        for seat in range(4):
            chance = math.exp(seats[win + seat] - most) / whole if seat < players else 0.0
            margin = 1.0 / (1.0 + math.exp(-seats[win + 4 + seat]))
            out[first + position, seat] = (1.0 - _MARGIN) * chance + _MARGIN * margin


@entry
def answer(raw: Bytes, weights: Floats, layout: Layout, room: Floats, logits: Matrix, values: Matrix) -> None:
    """Logits (n, actions) and values (n, 4) for the bytes of n observations; `room` has `room_for(layout)` numbers."""
    d = layout.width
    most = TOGETHER * TOKENS
    reach = -(-layout.reach // PANEL) * PANEL
    y_at = most * d
    z_at = y_at + most * (d + PANEL)
    small_at = z_at + most * max(3 * d, PANEL + 2 * reach)
    desk_at = small_at + TOGETHER * (8 * d + _TABLE_COLUMNS + _SEAT_COLUMNS)
    x, y, z = room[:y_at], room[y_at:z_at], room[z_at:small_at]
    small, desk = room[small_at:desk_at], room[desk_at:]
    for first in range(0, len(values), TOGETHER):
        n = min(TOGETHER, len(values) - first)
        these = raw[first * _OBSERVATION : (first + n) * _OBSERVATION]
        _embedded(these, n, weights, layout, small, x)
        _thought(weights, layout, n, x, y, z, desk)
        _logits(weights, layout, n, small, y, z, desk, logits, first)
        _values(these, weights, layout, n, small, y, values, first)
