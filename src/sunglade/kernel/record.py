"""One position as one record: the whole truth about a game at a moment, its rules included.

A batch of games is an array of records; copying, hashing, saving and sending to a GPU are copies of bytes.
Sets of spaces are integers with a bit a space; sets of slots likewise. Every field but the log
of tokens is made of 64-bit integers, because mixed widths behave differently compiled and interpreted.
"""

from __future__ import annotations

from typing import Final

from sunglade.kernel.fields import Memory, Number, Numbers
from sunglade.rules import option_bits

DRAFT_PHASE, ANIMALS_PHASE, ELDER_PHASE, STONES_PHASE, PLACING, TURN, OVER = range(7)
BOAR, HEDGEHOG, SQUIRREL, FOX, OWL, BADGER, BEAVER, TURTLE = range(8)
PHASES: Final = ("draft", "animals", "elder", "stones", "placing", "turn", "over")

NO_FRESH: Final = option_bits("use_bought", False)
"""Option bits. A piece bought this turn cannot be used."""
LEFTOVER_UP: Final = option_bits("leftover", "up")
RETURN_LOWEST: Final = option_bits("return_slot", "lowest")
SHADE_FORBIDS: Final = option_bits("shade_forbids", True)
SHADE_TARGET: Final = option_bits("shade_plant", "target")
"""With `shade_forbids`, planting tests the target space."""
SHADE_ORIGIN: Final = option_bits("shade_plant", "origin")
"""With `shade_forbids`, planting tests the tree of origin."""
MODULE_MOON: Final = option_bits("modules", "moon")
MODULE_ELDER: Final = option_bits("modules", "elder")
MODULE_STONES: Final = option_bits("modules", "stones")
MOON_TURNS_ON_ARRIVAL: Final = option_bits("moon_turns", "on_arrival")
BOAR_DIGS_ANY: Final = option_bits("boar_digs", "any")
FOX_SCARES_ADJACENT: Final = option_bits("fox_scares", "adjacent")
FOX_STEALS_LIGHT: Final = option_bits("fox_steals", "light")

TWO: Final = 1
"""Waiting effects of babies: one action may touch an activated space."""
LEAF: Final = 2
"""Waiting effects of babies: the next collect pays from the next higher pile."""

NO_CAP: Final = 1 << 40
NOWHERE: Final = -1
NO_ANIMAL: Final = -1


class Record(Memory):
    """A position. NumPy's description of it is `arrays.STATE`."""

    # The main board and the player boards.
    pieces = Numbers(4, 4)  # [player, size]: the spaces with such a piece
    available = Numbers(4, 4)  # [player, size]: how many lie beside the player board
    slots = Numbers(4, 4)  # [player, size]: the occupied slots of the column, cheapest = bit 0
    light = Numbers(4)
    score = Numbers(4)  # sum of the scoring tokens
    taken = Numbers(4)  # [pile]: how many tokens are gone from the top
    empty = Number()  # spaces without seed, tree, Elder Tree or stone
    # The turn in progress.
    activated = Number()
    fresh = Numbers(4)  # [size]: bought this turn, where such pieces must wait
    player = Number()
    first = Number()
    turn = Number()  # turns taken in this round; in the set-up, placements made
    phase = Number()
    sun = Number()
    current_round = Number()
    # What was agreed.
    players = Number()
    options = Number()
    light_cap = Number()
    rounds = Number()
    # Whose tokens: in the order they were taken, player × 32 + value.
    collected = Number()
    tokens = Numbers(24, code="b")
    # Under the Moonlight.
    moon_start = Number()
    shore = Number()
    river = Number()
    stones_left = Number()  # still to be placed in the set-up
    dealt = Numbers(4)  # [player]: the two cards, a bit each
    animal = Numbers(4)
    at = Numbers(4)  # where the animal is
    lunar = Numbers(4)
    steps = Number()  # steps the animal has taken this turn
    used = Number()  # abilities used this turn, a short list
    effects = Number()  # TWO and LEAF while they wait
    elder = Number()
    stones = Number()
    dam = Number()
    face_down = Number()  # spaces with a baby not hatched yet
    babies = Number()  # on the shore spaces in index order, a short list of six; 0 = not known
    hatched = Number()  # in the turtle's hand, a short list
    baby_points = Number()  # points from the baby *points*
