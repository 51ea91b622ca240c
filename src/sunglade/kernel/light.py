"""Light and shadow (R-LIGHT): who stands in the dark, and what the sun brings."""

from __future__ import annotations

from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.printed import LARGE, MEDIUM, SHADOW, SHADOW_TO_EDGE, SMALL
from sunglade.kernel.record import Record


@inlined
def _shadow_of(s: Record, sun: int, size: int) -> int:
    """What all trees of one size throw their shadow on (R-LIGHT-1)."""
    trees = s.pieces[0, size] | s.pieces[1, size]
    if s.players > 2:
        trees |= s.pieces[2, size] | s.pieces[3, size]
    dark = 0
    while trees:
        dark |= SHADOW[sun, size, lowest(trees)]
        trees &= trees - 1
    return dark


@entry
def shadows(s: Record, sun: int) -> tuple[int, int, int]:
    """Where seeds and small trees, medium trees, large trees would be shaded (R-LIGHT-2)."""
    large = _shadow_of(s, sun, LARGE)
    medium = large | _shadow_of(s, sun, MEDIUM)
    small = medium | _shadow_of(s, sun, SMALL)
    if s.elder | s.stones:
        elder = elder_shadow(s, sun)
        return small | elder | stone_shadow(s, sun), medium | elder, large | elder
    return small, medium, large


@compiled
def elder_shadow(s: Record, sun: int) -> int:
    """The Elder Tree darkens all behind it, for trees of every size (M-ELDER-2)."""
    return SHADOW_TO_EDGE[sun, lowest(s.elder)] if s.elder else 0


@compiled
def stone_shadow(s: Record, sun: int) -> int:
    """A moonstone's shadow is a small tree's (M-STONE-2)."""
    stones = s.stones
    dark = 0
    while stones:
        dark |= SHADOW[sun, SMALL, lowest(stones)]
        stones &= stones - 1
    return dark


@entry
def income(s: Record, p: int, dark: tuple[int, int, int]) -> int:
    """Light points a player's unshaded trees bring (R-LIGHT-3)."""
    return (
        popcount(s.pieces[p, SMALL] & ~dark[0])
        + 2 * popcount(s.pieces[p, MEDIUM] & ~dark[1])
        + 3 * popcount(s.pieces[p, LARGE] & ~dark[2])
    )


@inlined
def gain_light(s: Record, p: int, points: int) -> None:
    """Light points for a player, the excess over the cap lost (R-LIGHT-4)."""
    s.light[p] = min(s.light[p] + points, s.light_cap)


@inlined
def photosynthesis(s: Record) -> None:
    """The photosynthesis phase of a round (R-ROUND-1, R-LIGHT)."""
    dark = shadows(s, s.sun)
    for p in range(s.players):
        gain_light(s, p, income(s, p, dark))


@entry
def shaded_by(s: Record, sun: int, space: int, size: int) -> int:
    """The spaces of the trees, stones and Elder Tree that shade a piece of this size there (R-LIGHT-2, R-ADV-2)."""
    casters = 0
    for caster in range(max(size, SMALL), LARGE + 1):
        trees = s.pieces[0, caster] | s.pieces[1, caster] | s.pieces[2, caster] | s.pieces[3, caster]
        if caster == SMALL:
            trees |= s.stones
        while trees:
            if SHADOW[sun, caster, lowest(trees)] >> space & 1:
                casters |= 1 << lowest(trees)
            trees &= trees - 1
    if s.elder and elder_shadow(s, sun) >> space & 1:
        casters |= s.elder
    return casters
