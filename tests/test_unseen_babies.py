"""A search lays the babies nobody has seen anew, and only those (M-SETUP-4)."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from sunglade import Game, Rules
from sunglade.kernel.record import ANIMALS_PHASE, Record
from sunglade.kernel.shortlist import unpacked
from sunglade.search.unseen_babies import laid_anew

DEAL = {
    "animals": [["turtle", "owl"], ["fox", "boar"]],
    "babies": ["light", "seed", "two", "leaf", "small", "points"],
}


def hatching_game(seed: int, length: int) -> Game:
    """Random play in which the turtle goes to the shore and hatches where it can."""
    game, rng = Game(2, Rules(modules=["moon"]), deal=DEAL), random.Random(seed)
    game.play("draft turtle")
    while len(game.actions) < length and not game.over:
        game.play("turtle.hatch" if "turtle.hatch" in game.legal else rng.choice(game.legal))
    return game


def seen_places(s: Record) -> list[bool]:
    """For each shore space in index order, whether its baby has been seen."""
    shore = [space for space in range(37) if s.shore >> space & 1]
    return [s.phase > ANIMALS_PHASE and not s.face_down >> space & 1 for space in shore]


@given(st.integers(0, 10**6), st.integers(1, 400), st.integers(1, (1 << 32) - 1))
def test_what_was_seen_stays_and_the_rest_is_drawn_from_what_nobody_has_seen(
    seed: int, length: int, chance: int
) -> None:
    """M-SETUP-4: nobody knows a face-down baby, nor the two in the box."""
    s = hatching_game(seed, length).now
    before, after = unpacked(s.babies), unpacked(laid_anew(s.array()[0], chance))
    assert len(set(after)) == len(after) == 6 and set(after) <= set(range(1, 9))
    for was, now, seen in zip(before, after, seen_places(s), strict=True):
        assert not seen or was == now


def test_every_baby_may_lie_under_every_face_down_card() -> None:
    """M-SETUP-4: also one that was left in the box."""
    s = hatching_game(1, 30).now
    hidden = [place for place, seen in enumerate(seen_places(s)) if not seen]
    found = {place: set[int]() for place in hidden}
    rng = random.Random(2)
    for _ in range(400):
        babies = unpacked(laid_anew(s.array()[0], rng.randrange(1, 1 << 32)))
        for place in hidden:
            found[place].add(babies[place])
    seen = {baby for baby, known in zip(unpacked(s.babies), seen_places(s), strict=True) if known}
    assert hidden and all(babies == set(range(1, 9)) - seen for babies in found.values())
