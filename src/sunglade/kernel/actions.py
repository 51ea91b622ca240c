"""The numbers of the actions: dense, fixed, base game first, so that what was learned survives new modules.

A change of these numbers breaks trained weights and other people's programs: it needs a new protocol version.
"""

from __future__ import annotations

from typing import Final

from sunglade import board
from sunglade.rules import ANIMALS

SPACE_COUNT: Final = len(board.SPACES)

PLANT_PAIRS: Final = tuple(
    (origin, target) for origin in board.SPACES for target in board.spaces_in(board.REACH[3][origin])
)
"""Every (origin, target) within a large tree's reach."""

SCARED: Final = tuple(animal for animal in ANIMALS if animal != "fox")

END: Final = 0
BUY: Final = END + 1
GROW: Final = BUY + 4
COLLECT: Final = GROW + SPACE_COUNT
PLANT: Final = COLLECT + SPACE_COUNT
PLACE: Final = PLANT + len(PLANT_PAIRS)
BASE_ACTIONS: Final = PLACE + board.WITH_LEAVES[1].bit_count()
"""How many actions the base game has; the modules' follow."""

DRAFT: Final = BASE_ACTIONS
ANIMAL: Final = DRAFT + len(ANIMALS)
ELDER: Final = ANIMAL + board.WITH_LEAVES[3].bit_count()
STONE: Final = ELDER + SPACE_COUNT
STEP: Final = STONE + SPACE_COUNT
BOAR_DIG: Final = STEP + SPACE_COUNT
HEDGEHOG_RUN: Final = BOAR_DIG + 2
HEDGEHOG_PLANT: Final = HEDGEHOG_RUN + 1
SQUIRREL_EAT: Final = HEDGEHOG_PLANT + 1
FOX_SCARE: Final = SQUIRREL_EAT + 1
FOX_MOVE: Final = FOX_SCARE + len(SCARED) * SPACE_COUNT
FOX_STEAL: Final = FOX_MOVE + SPACE_COUNT
OWL_HUNT: Final = FOX_STEAL + len(SCARED)
BADGER_FERTILISE: Final = OWL_HUNT + 3
BEAVER_DAM: Final = BADGER_FERTILISE + 2
BEAVER_STRENGTHEN: Final = BEAVER_DAM + len(board.DAMS)
TURTLE_HATCH: Final = BEAVER_STRENGTHEN + 1
TURTLE_STEPS: Final = TURTLE_HATCH + 1
STEPS_WITHOUT_SPACE: Final = ("two", "small", "medium", "light", "points", "leaf")
TURTLE_HARVEST: Final = TURTLE_STEPS + len(STEPS_WITHOUT_SPACE)
TURTLE_SEED: Final = TURTLE_HARVEST + SPACE_COUNT
ACTIONS: Final = TURTLE_SEED + SPACE_COUNT
"""How many actions there are."""

MAX_LEGAL: Final = 512
"""More than any position can have: at most 14 trees × 23 empty spaces to plant, and under 150 others."""
