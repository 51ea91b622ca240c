"""Attention: what each token takes from all tokens of its position."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import SPACE_COUNT
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.fields import Floats
from sunglade.neural.forward.lanes import exp, higher, highest, lanes, load, number_at, spread, store, total
from sunglade.neural.forward.products import NO_BIAS, PANEL, Layer, Rows, product

TOKENS: Final = 1 + SPACE_COUNT
"""One for the table, then one for each space."""
SCORES: Final = -(-TOKENS // PANEL) * PANEL
"""What a row of scores has room for."""
_NOTHING: Final = -1e30


@inlined
def desk_for(width: int) -> int:
    """How many numbers `attention` computes with, if a head is so wide."""
    return (width + 1 + TOKENS) * SCORES + TOKENS * (width + PANEL)


@compiled
def scores(z: Floats, queries: int, keys: int, step: int, depth: int, turned: Layer, out: Floats) -> None:
    """out (tokens, SCORES): each token's numbers from z[queries] on times each token's from z[keys] on.

    The rows of both are `step` apart. The keys are turned into a layer; what that adds is added.
    """
    columns = turned[0]
    for token in range(TOKENS):
        to = token // PANEL * PANEL * depth + token % PANEL
        at = keys + token * step
        for i in range(depth):
            columns[to + i * PANEL] = number_at(z, at + i)
    product((z, queries, step), TOKENS, depth, turned, TOKENS, (out, 0, SCORES), False)


@compiled
def _shared_out(row: Floats) -> None:
    """The scores of each token become shares that add up to 1 (softmax)."""
    n = lanes()
    for at in range(0, TOKENS * SCORES, SCORES):
        most = load(row, at)
        for i in range(at + n, at + TOKENS, n):
            most = higher(most, load(row, i))
        top = spread(highest(most))
        added = spread(0.0)
        for i in range(at, at + TOKENS, n):
            e = exp(load(row, i) - top)
            added = added + e
            store(row, i, e)
        share = spread(1.0 / total(added))
        for i in range(at, at + TOKENS, n):
            store(row, i, load(row, i) * share)


@compiled
def attention(z: Floats, at: int, width: int, heads: int, desk: Floats, mixed: Rows) -> None:
    """mixed (tokens, width): the values of all tokens by their shares. z[at:] holds queries, keys and values."""
    out, to, step = mixed
    size = width // heads
    across = 3 * width
    ends = SCORES * size
    turned = desk[: ends + SCORES]
    shares = desk[ends + SCORES : ends + SCORES + TOKENS * SCORES]
    values = desk[ends + SCORES + TOKENS * SCORES :]
    for i in range(SCORES):  # behind the tokens come columns that are nobody's
        turned[ends + i] = 0.0 if i < TOKENS else _NOTHING
    for head in range(heads):
        query = at + head * size
        scores(z, query, query + width, across, size, (turned, 0, ends), shares)
        _shared_out(shares)
        for i in range(0, size, lanes()):
            panel = i // PANEL * PANEL * TOKENS + i % PANEL
            for token in range(TOKENS):
                store(values, panel + token * PANEL, load(z, query + 2 * width + i + token * across))
        layer = (values, 0, NO_BIAS)
        product((shares, 0, SCORES), TOKENS, TOKENS, layer, size, (out, to + head * size, step), False)
