"""Products of matrices, and what happens to their rows: the network's time goes into these.

A matrix of weights is stored in panels of 32 columns, row after row: what a product needs next comes next. Six rows of
the other matrix and twice as many columns as there are lanes are added up in registers; four rows at the end, or
throughout where registers are few. So every even number of rows from four on comes out even.
"""

from __future__ import annotations

import math
from typing import Final

from sunglade.kernel.compiler import inlined, is_interpreted, shared
from sunglade.kernel.fields import Floats
from sunglade.neural.forward.lanes import gelu, lanes, load, number_at, spread, store, total

PANEL: Final = 32
"""Columns of a panel."""
Rows = tuple[Floats, int, int]
"""A matrix: numbers, where its first row begins among them, and how far its rows are apart."""
Layer = tuple[Floats, int, int]
"""Weights: numbers, where the panels begin among them, and what is added to every row (below 0: nothing is)."""
NO_BIAS: Final = -1


@inlined
def _six_rows(a: Rows, depth: int, w: Layer, c: Rows, added: bool) -> None:
    """Six rows of a product, as many columns as two registers have numbers; on top of what is in c if `added`."""
    numbers, at, step = a
    weights, first, bias = w
    out, to, width = c
    n = lanes()
    c00 = c10 = c20 = c30 = c40 = c50 = spread(0.0)
    c01 = c11 = c21 = c31 = c41 = c51 = spread(0.0)
    if bias >= 0:
        c00 = c10 = c20 = c30 = c40 = c50 = load(weights, bias)
        c01 = c11 = c21 = c31 = c41 = c51 = load(weights, bias + n)
    if added:
        c00, c01 = c00 + load(out, to), c01 + load(out, to + n)
        c10, c11 = c10 + load(out, to + width), c11 + load(out, to + width + n)
        c20, c21 = c20 + load(out, to + 2 * width), c21 + load(out, to + 2 * width + n)
        c30, c31 = c30 + load(out, to + 3 * width), c31 + load(out, to + 3 * width + n)
        c40, c41 = c40 + load(out, to + 4 * width), c41 + load(out, to + 4 * width + n)
        c50, c51 = c50 + load(out, to + 5 * width), c51 + load(out, to + 5 * width + n)
    for k in range(depth):
        w0, w1 = load(weights, first + k * PANEL), load(weights, first + k * PANEL + n)
        x = spread(number_at(numbers, at + k))
        c00, c01 = c00 + x * w0, c01 + x * w1
        x = spread(number_at(numbers, at + step + k))
        c10, c11 = c10 + x * w0, c11 + x * w1
        x = spread(number_at(numbers, at + 2 * step + k))
        c20, c21 = c20 + x * w0, c21 + x * w1
        x = spread(number_at(numbers, at + 3 * step + k))
        c30, c31 = c30 + x * w0, c31 + x * w1
        x = spread(number_at(numbers, at + 4 * step + k))
        c40, c41 = c40 + x * w0, c41 + x * w1
        x = spread(number_at(numbers, at + 5 * step + k))
        c50, c51 = c50 + x * w0, c51 + x * w1
    store(out, to, c00)
    store(out, to + n, c01)
    store(out, to + width, c10)
    store(out, to + width + n, c11)
    store(out, to + 2 * width, c20)
    store(out, to + 2 * width + n, c21)
    store(out, to + 3 * width, c30)
    store(out, to + 3 * width + n, c31)
    store(out, to + 4 * width, c40)
    store(out, to + 4 * width + n, c41)
    store(out, to + 5 * width, c50)
    store(out, to + 5 * width + n, c51)


@inlined
def _four_rows(a: Rows, depth: int, w: Layer, c: Rows, added: bool) -> None:
    """The same for four."""
    numbers, at, step = a
    weights, first, bias = w
    out, to, width = c
    n = lanes()
    c00 = c10 = c20 = c30 = spread(0.0)
    c01 = c11 = c21 = c31 = spread(0.0)
    if bias >= 0:
        c00 = c10 = c20 = c30 = load(weights, bias)
        c01 = c11 = c21 = c31 = load(weights, bias + n)
    if added:
        c00, c01 = c00 + load(out, to), c01 + load(out, to + n)
        c10, c11 = c10 + load(out, to + width), c11 + load(out, to + width + n)
        c20, c21 = c20 + load(out, to + 2 * width), c21 + load(out, to + 2 * width + n)
        c30, c31 = c30 + load(out, to + 3 * width), c31 + load(out, to + 3 * width + n)
    for k in range(depth):
        w0, w1 = load(weights, first + k * PANEL), load(weights, first + k * PANEL + n)
        x = spread(number_at(numbers, at + k))
        c00, c01 = c00 + x * w0, c01 + x * w1
        x = spread(number_at(numbers, at + step + k))
        c10, c11 = c10 + x * w0, c11 + x * w1
        x = spread(number_at(numbers, at + 2 * step + k))
        c20, c21 = c20 + x * w0, c21 + x * w1
        x = spread(number_at(numbers, at + 3 * step + k))
        c30, c31 = c30 + x * w0, c31 + x * w1
    store(out, to, c00)
    store(out, to + n, c01)
    store(out, to + width, c10)
    store(out, to + width + n, c11)
    store(out, to + 2 * width, c20)
    store(out, to + 2 * width + n, c21)
    store(out, to + 3 * width, c30)
    store(out, to + 3 * width + n, c31)


@inlined
def _takes_six(rows: int) -> bool:
    """Whether six of the rows that are left come next. Processors with four lanes have no registers for many sixes."""
    if lanes() == 4:
        return rows % 4 != 0
    return rows >= 6 and rows != 8


@shared
def _in_registers(a: Rows, rows: int, depth: int, w: Layer, columns: int, c: Rows, added: bool) -> None:
    """c (rows, columns) = a (rows, depth) through a layer, or so much more if `added`. Columns are rounded up."""
    numbers, at, step = a
    weights, first, bias = w
    out, to, width = c
    for column in range(0, columns, 2 * lanes()):
        panel = first + column // PANEL * PANEL * depth + column % PANEL
        part = (weights, panel, bias + column if bias >= 0 else NO_BIAS)
        row = 0
        while _takes_six(rows - row):
            here, there = (numbers, at + row * step, step), (out, to + row * width + column, width)
            _six_rows(here, depth, part, there, added)
            row += 6
        while row < rows:
            here, there = (numbers, at + row * step, step), (out, to + row * width + column, width)
            _four_rows(here, depth, part, there, added)
            row += 4


def _by_numpy(a: Rows, rows: int, depth: int, w: Layer, columns: int, c: Rows, added: bool) -> None:
    """The same where nothing is compiled: number by number a position would take a minute."""
    from numpy.lib.stride_tricks import as_strided

    numbers, at, step = a
    weights, first, bias = w
    out, to, width = c
    count = -(-columns // PANEL)
    left = as_strided(numbers[at:], (rows, depth), (4 * step, 4))
    panels = weights[first : first + count * depth * PANEL].reshape(count, depth, PANEL)
    found = (left @ panels).transpose(1, 0, 2).reshape(rows, count * PANEL)
    if bias >= 0:
        found += weights[bias : bias + count * PANEL]
    there = as_strided(out[to:], found.shape, (4 * width, 4))
    there[:] = there + found if added else found


product = _by_numpy if is_interpreted() else _in_registers


@shared
def gelu_all(numbers: Floats, count: int) -> None:
    """GELU of the first numbers, in place."""
    for i in range(0, count, lanes()):
        store(numbers, i, gelu(load(numbers, i)))


@shared
def normed(x: Floats, y: Floats, rows: int, width: int) -> None:
    """Each row with mean 0 and variance 1; what was learned to follow is part of the weights behind it."""
    n = lanes()
    share = 1.0 / width
    for at in range(0, rows * width, width):
        added = spread(0.0)
        for i in range(at, at + width, n):
            added = added + load(x, i)
        mean = spread(total(added) * share)
        added = spread(0.0)
        for i in range(at, at + width, n):
            apart = load(x, i) - mean
            added = added + apart * apart
        scale = spread(1.0 / math.sqrt(total(added) * share + 1e-5))
        for i in range(at, at + width, n):
            store(y, i, (load(x, i) - mean) * scale)
