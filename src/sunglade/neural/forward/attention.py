"""Attention: what each token takes from all tokens of its position."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.compiler import compiled
from sunglade.neural.forward.lanes import Floats, exp, f4, highest, higher, lanes, load, number_at, spread, store, total
from sunglade.neural.forward.products import PANEL, product

TOKENS: Final = 38
"""One for the table, then one for each space."""
MOST_SCORES: Final = 2 * PANEL
_NOTHING: Final = f4(-1e30)


@compiled
def scores(q: int, k: int, z: Floats, step: int, depth: int, keys: Floats, bias: int, out: Floats) -> None:
    """out (tokens, 64): the product of each token's numbers from z[q] on with each token's from z[k] on."""
    for token in range(TOKENS):
        to = token // PANEL * PANEL * depth + token % PANEL
        at = k + token * step
        for i in range(depth):
            keys[to + i * PANEL] = number_at(z, at + i)
    product(z, q, step, TOKENS, depth, keys, 0, TOKENS, out, 0, MOST_SCORES, bias, False)


@compiled
def _shares(row: Floats) -> None:
    """Scores of a token become shares, which add up to 1 (softmax)."""
    n = lanes()
    for at in range(0, TOKENS * MOST_SCORES, MOST_SCORES):
        most = load(row, at)
        for i in range(at + n, at + TOKENS, n):
            most = higher(most, load(row, i))
        top = spread(highest(most))
        added = spread(f4(0.0))
        for i in range(at, at + TOKENS, n):
            e = exp(load(row, i) - top)
            added = added + e
            store(row, i, e)
        share = spread(f4(1.0) / total(added))
        for i in range(at, at + TOKENS, n):
            store(row, i, load(row, i) * share)


@compiled
def attention(z: Floats, at: int, width: int, heads: int, desk: Floats, mixed: Floats, to: int, step: int) -> None:
    """mixed[to:] (tokens, width): the values of all tokens by their shares. z[at:] holds queries, keys and values."""
    n = lanes()
    size = width // heads
    across = 3 * width
    behind = MOST_SCORES * size
    keys = desk[: behind + MOST_SCORES]
    row = desk[behind + MOST_SCORES : behind + MOST_SCORES + TOKENS * MOST_SCORES]
    values = desk[behind + MOST_SCORES + TOKENS * MOST_SCORES :]
    for i in range(MOST_SCORES):  # behind the tokens come columns that are nobody's
        keys[behind + i] = f4(0.0) if i < TOKENS else _NOTHING
    for head in range(heads):
        scores(at + head * size, at + width + head * size, z, across, size, keys, behind, row)
        _shares(row)
        for i in range(0, size, n):
            v = at + 2 * width + head * size + i
            panel = i // PANEL * PANEL * TOKENS + i % PANEL
            for token in range(TOKENS):
                store(values, panel + token * PANEL, load(z, v + token * across))
        product(row, 0, MOST_SCORES, TOKENS, TOKENS, values, 0, size, mixed, to + head * size, step, -1, False)
