"""Products of matrices, and what happens to their rows: the network's time goes into these.

A matrix of weights is stored in panels of 32 columns, row after row: what a product needs next comes next. Six rows of
the other matrix and twice as many columns as there are lanes are added up in registers; four rows at the end, so that
every even number of rows from four on comes out even.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sunglade.kernel.compiler import inlined, shared
from sunglade.neural.forward.lanes import Floats, f4, gelu, lanes, load, number_at, spread, store, total

PANEL: Final = 32
"""Columns of a panel."""


@inlined
def _six_rows(a: Floats, at: int, step: int, depth: int, w: Floats, first: int, c: Floats, to: int, width: int,
              b: Floats, bias: int, added: bool) -> None:
    """c[to:] = a[at:] @ w[first:] for six rows; what starts at `bias` is added, and what was in c if `added`."""
    n = lanes()
    c00 = c10 = c20 = c30 = c40 = c50 = spread(f4(0.0))
    c01 = c11 = c21 = c31 = c41 = c51 = spread(f4(0.0))
    if bias >= 0:
        c00 = c10 = c20 = c30 = c40 = c50 = load(b, bias)
        c01 = c11 = c21 = c31 = c41 = c51 = load(b, bias + n)
    if added:
        c00, c01 = c00 + load(c, to), c01 + load(c, to + n)
        c10, c11 = c10 + load(c, to + width), c11 + load(c, to + width + n)
        c20, c21 = c20 + load(c, to + 2 * width), c21 + load(c, to + 2 * width + n)
        c30, c31 = c30 + load(c, to + 3 * width), c31 + load(c, to + 3 * width + n)
        c40, c41 = c40 + load(c, to + 4 * width), c41 + load(c, to + 4 * width + n)
        c50, c51 = c50 + load(c, to + 5 * width), c51 + load(c, to + 5 * width + n)
    for k in range(depth):
        w0, w1 = load(w, first + k * PANEL), load(w, first + k * PANEL + n)
        x = spread(number_at(a, at + k))
        c00, c01 = c00 + x * w0, c01 + x * w1
        x = spread(number_at(a, at + step + k))
        c10, c11 = c10 + x * w0, c11 + x * w1
        x = spread(number_at(a, at + 2 * step + k))
        c20, c21 = c20 + x * w0, c21 + x * w1
        x = spread(number_at(a, at + 3 * step + k))
        c30, c31 = c30 + x * w0, c31 + x * w1
        x = spread(number_at(a, at + 4 * step + k))
        c40, c41 = c40 + x * w0, c41 + x * w1
        x = spread(number_at(a, at + 5 * step + k))
        c50, c51 = c50 + x * w0, c51 + x * w1
    store(c, to, c00)
    store(c, to + n, c01)
    store(c, to + width, c10)
    store(c, to + width + n, c11)
    store(c, to + 2 * width, c20)
    store(c, to + 2 * width + n, c21)
    store(c, to + 3 * width, c30)
    store(c, to + 3 * width + n, c31)
    store(c, to + 4 * width, c40)
    store(c, to + 4 * width + n, c41)
    store(c, to + 5 * width, c50)
    store(c, to + 5 * width + n, c51)


@inlined
def _four_rows(a: Floats, at: int, step: int, depth: int, w: Floats, first: int, c: Floats, to: int, width: int,
               b: Floats, bias: int, added: bool) -> None:
    """The same for four."""
    n = lanes()
    c00 = c10 = c20 = c30 = spread(f4(0.0))
    c01 = c11 = c21 = c31 = spread(f4(0.0))
    if bias >= 0:
        c00 = c10 = c20 = c30 = load(b, bias)
        c01 = c11 = c21 = c31 = load(b, bias + n)
    if added:
        c00, c01 = c00 + load(c, to), c01 + load(c, to + n)
        c10, c11 = c10 + load(c, to + width), c11 + load(c, to + width + n)
        c20, c21 = c20 + load(c, to + 2 * width), c21 + load(c, to + 2 * width + n)
        c30, c31 = c30 + load(c, to + 3 * width), c31 + load(c, to + 3 * width + n)
    for k in range(depth):
        w0, w1 = load(w, first + k * PANEL), load(w, first + k * PANEL + n)
        x = spread(number_at(a, at + k))
        c00, c01 = c00 + x * w0, c01 + x * w1
        x = spread(number_at(a, at + step + k))
        c10, c11 = c10 + x * w0, c11 + x * w1
        x = spread(number_at(a, at + 2 * step + k))
        c20, c21 = c20 + x * w0, c21 + x * w1
        x = spread(number_at(a, at + 3 * step + k))
        c30, c31 = c30 + x * w0, c31 + x * w1
    store(c, to, c00)
    store(c, to + n, c01)
    store(c, to + width, c10)
    store(c, to + width + n, c11)
    store(c, to + 2 * width, c20)
    store(c, to + 2 * width + n, c21)
    store(c, to + 3 * width, c30)
    store(c, to + 3 * width + n, c31)


@shared
def product(a: Floats, at: int, step: int, rows: int, depth: int, w: Floats, first: int, columns: int, c: Floats,
            to: int, width: int, bias: int, added: bool) -> None:
    """c[to:] (rows, columns) = a[at:] (rows, depth) @ w[first:] + w[bias:], or so much more if `added`.

    The rows of a are `step` apart, those of c `width`. No bias below 0. Columns are rounded up.
    """
    n = lanes()
    for column in range(0, columns, 2 * n):
        panel = first + column // PANEL * PANEL * depth + column % PANEL
        its_bias = bias + column if bias >= 0 else -1
        row = 0
        while rows - row >= 6 and rows - row != 8:
            _six_rows(a, at + row * step, step, depth, w, panel, c, to + row * width + column, width, w, its_bias,
                      added)
            row += 6
        while row < rows:
            _four_rows(a, at + row * step, step, depth, w, panel, c, to + row * width + column, width, w, its_bias,
                       added)
            row += 4


@shared
def gelu_all(numbers: Floats, at: int, count: int) -> None:
    """GELU in place."""
    for i in range(at, at + count, lanes()):
        store(numbers, i, gelu(load(numbers, i)))


@shared
def normed(x: Floats, y: Floats, rows: int, width: int) -> None:
    """Each row with mean 0 and variance 1; what was learned to follow is part of the weights behind it."""
    n = lanes()
    share = f4(1.0) / f4(width)
    for at in range(0, rows * width, width):
        added = spread(f4(0.0))
        for i in range(at, at + width, n):
            added = added + load(x, i)
        mean = spread(total(added) * share)
        added = spread(f4(0.0))
        for i in range(at, at + width, n):
            apart = load(x, i) - mean
            added = added + apart * apart
        scale = spread(f4(1.0) / np.sqrt(total(added) * share + f4(1e-5)))
        for i in range(at, at + width, n):
            store(y, i, (load(x, i) - mean) * scale)
