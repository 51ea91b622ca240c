"""One position as one record: the whole truth about a game at a moment, its rules included.

A batch of games is an array of records; copying, hashing, saving and sending to a GPU are copies of bytes.
Sets of spaces are integers with a bit a space; sets of slots likewise. Every field but the log
of tokens is made of 64-bit integers, because mixed widths behave differently compiled and interpreted.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sunglade.rules import option_bits

Record = Any
"""A `STATE` record, compiled or not. NumPy records and Numba records share no static type."""

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

_I = np.int64

STATE: Final = np.dtype(
    (
        np.record,
        [
            # The main board and the player boards.
            ("pieces", _I, (4, 4)),  # [player, size]: the spaces with such a piece
            ("available", _I, (4, 4)),  # [player, size]: how many lie beside the player board
            ("slots", _I, (4, 4)),  # [player, size]: the occupied slots of the column, cheapest = bit 0
            ("light", _I, 4),
            ("score", _I, 4),  # sum of the scoring tokens
            ("taken", _I, 4),  # [pile]: how many tokens are gone from the top
            ("empty", _I),  # spaces without seed, tree, Elder Tree or stone
            # The turn in progress.
            ("activated", _I),
            ("fresh", _I, 4),  # [size]: bought this turn, where such pieces must wait
            ("player", _I),
            ("first", _I),
            ("turn", _I),  # turns taken in this round; in the set-up, placements made
            ("phase", _I),
            ("sun", _I),
            ("current_round", _I),
            # What was agreed.
            ("players", _I),
            ("options", _I),
            ("light_cap", _I),
            ("rounds", _I),
            # Whose tokens: in the order they were taken, player × 32 + value.
            ("collected", _I),
            ("tokens", np.int8, 24),
            # Under the Moonlight.
            ("moon_start", _I),
            ("shore", _I),
            ("river", _I),
            ("stones_left", _I),  # still to be placed in the set-up
            ("dealt", _I, 4),  # [player]: the two cards, a bit each
            ("animal", _I, 4),
            ("at", _I, 4),  # where the animal is
            ("lunar", _I, 4),
            ("steps", _I),  # steps the animal has taken this turn
            ("used", _I),  # abilities used this turn, a short list
            ("effects", _I),  # TWO and LEAF while they wait
            ("elder", _I),
            ("stones", _I),
            ("dam", _I),
            ("face_down", _I),  # spaces with a baby not hatched yet
            ("babies", _I),  # on the shore spaces in index order, a short list of six; 0 = not known
            ("hatched", _I),  # in the turtle's hand, a short list
            ("baby_points", _I),  # points from the baby *points*
        ],
    )
)
