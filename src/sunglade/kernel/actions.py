"""Every action, once: its number, what it is about and what it costs.

The numbers are dense and fixed, base game first, so that what was learned survives new modules. A change of them breaks
trained weights and other people's programs: it needs a new protocol version. New actions go to the end.

Compiled code knows actions by the numbers of their families (`GROW + space`) and by the prices above the table; rows of
the table are for everything else, and too large for a GPU's constants.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from sunglade import board
from sunglade.kernel.record import ANIMALS_PHASE, DRAFT_PHASE, ELDER_PHASE, NOWHERE, PLACING, STONES_PHASE, TURN
from sunglade.rules import ANIMALS

SPACE_COUNT: Final = len(board.SPACES)

PLANT_PAIRS: Final = tuple(
    (origin, target) for origin in board.SPACES for target in board.spaces_in(board.REACH[3][origin])
)
"""Every (origin, target) within a large tree's reach."""

SCARED: Final = tuple(animal for animal in ANIMALS if animal != "fox")
STEPS_WITHOUT_SPACE: Final = ("two", "small", "medium", "light", "points", "leaf")

# Prices in light (R-ACT)
PLANT_COST: Final = 1
COLLECT_COST: Final = 4

# Prices in lunar points (M-ANIMAL); several are levels
DIG_COST: Final = (5, 8)
RUN_COST: Final = 1
PLANT_HERE_COST: Final = 3
EAT_COST: Final = 4
"""And one more for each leaf of the space."""
SCARE_COST: Final = 1
MOVE_COST: Final = 3
STEAL_COST: Final = 4
HUNT_COST: Final = (5, 9, 12)
FERTILISE_COST: Final = (4, 6)
DAM_COST: Final = 6
STRENGTHEN_COST: Final = 5
HATCH_COST: Final = 4
STEPS_COST: Final = 1


Extra = Literal["", "slot", "size", "leaves"]
"""The part of a price that only a position knows, in light: what is printed beside the cheapest occupied *slot* of the
column, the *size* that the piece grows to; in lunar points: the *leaves* of the animal's space. `cost` looks it up."""


class Action(NamedTuple):
    """What an action is about. Spaces and sizes are numbers (−1: none), animals, abilities and babies are words."""

    kind: str
    """`ability`, or the word its line begins with."""
    phase: int = TURN
    """When it can be done."""
    size: int = -1
    """What is bought."""
    origin: int = NOWHERE
    """The tree that plants."""
    space: int = NOWHERE
    """Where it happens, or what it goes to."""
    spaces: tuple[int, ...] = ()
    """Where the dam goes, in index order."""
    animal: str = ""
    """The animal that is kept, or whose ability it is."""
    ability: str = ""
    """The name that may be used once a turn (M-ANIMAL-2)."""
    level: int = 0
    """Of an ability that has levels, from 1."""
    target: str = ""
    """The animal that the fox scares or steals from."""
    baby: str = ""
    """The baby that takes its first steps."""
    light: int = 0
    lunar: int = 0
    extra: Extra = ""
    """What it costs, and what comes on top of that."""

    @property
    def names(self) -> tuple[int, ...]:
        """Every space that it names, in the order of its line."""
        return (*(space for space in (self.origin, self.space) if space != NOWHERE), *self.spaces)


_rows: list[Action] = []


def _family(*actions: Action) -> int:
    """Put actions at the end of the table; return the number of the first."""
    _rows.extend(actions)
    return len(_rows) - len(actions)


def _ability(animal: str, name: str, lunar: int, space: int = NOWHERE, **about: Any) -> Action:
    """An ability; its full name begins with its animal's."""
    return Action("ability", animal=animal, ability=f"{animal}.{name}", lunar=lunar, space=space, **about)


END: Final = _family(Action("end"))
BUY: Final = _family(*(Action("buy", size=size, extra="slot") for size in range(4)))
GROW: Final = _family(*(Action("grow", space=space, extra="size") for space in board.SPACES))
COLLECT: Final = _family(*(Action("collect", space=space, light=COLLECT_COST) for space in board.SPACES))
PLANT: Final = _family(*(Action("plant", origin=start, space=to, light=PLANT_COST) for start, to in PLANT_PAIRS))
PLACE: Final = _family(*(Action("place", PLACING, space=space) for space in board.spaces_in(board.WITH_LEAVES[1])))
BASE_ACTIONS: Final = len(_rows)
"""How many actions the base game has; the modules' follow."""

DRAFT: Final = _family(*(Action("draft", DRAFT_PHASE, animal=animal) for animal in ANIMALS))
ANIMAL: Final = _family(
    *(Action("animal", ANIMALS_PHASE, space=space) for space in board.spaces_in(board.WITH_LEAVES[3]))
)
ELDER: Final = _family(*(Action("elder", ELDER_PHASE, space=space) for space in board.SPACES))
STONE: Final = _family(*(Action("stone", STONES_PHASE, space=space) for space in board.SPACES))
STEP: Final = _family(*(Action("step", space=space) for space in board.SPACES))

BOAR_DIG: Final = _family(*(_ability("boar", "dig", price, level=level) for level, price in enumerate(DIG_COST, 1)))
HEDGEHOG_RUN: Final = _family(_ability("hedgehog", "run", RUN_COST))
HEDGEHOG_PLANT: Final = _family(_ability("hedgehog", "plant", PLANT_HERE_COST))
SQUIRREL_EAT: Final = _family(_ability("squirrel", "eat", EAT_COST, extra="leaves"))
FOX_SCARE: Final = _family(
    *(_ability("fox", "scare", SCARE_COST, space, target=animal) for animal in SCARED for space in board.SPACES)
)
FOX_MOVE: Final = _family(*(_ability("fox", "move", MOVE_COST, space) for space in board.SPACES))
FOX_STEAL: Final = _family(*(_ability("fox", "steal", STEAL_COST, target=animal) for animal in SCARED))
OWL_HUNT: Final = _family(*(_ability("owl", "hunt", price, level=level) for level, price in enumerate(HUNT_COST, 1)))
BADGER_FERTILISE: Final = _family(
    *(_ability("badger", "fertilise", price, level=level) for level, price in enumerate(FERTILISE_COST, 1))
)
BEAVER_DAM: Final = _family(*(_ability("beaver", "dam", DAM_COST, spaces=tuple(sorted(dam))) for dam in board.DAMS))
BEAVER_STRENGTHEN: Final = _family(_ability("beaver", "strengthen", STRENGTHEN_COST))
TURTLE_HATCH: Final = _family(_ability("turtle", "hatch", HATCH_COST))
TURTLE_STEPS: Final = _family(*(_ability("turtle", "steps", STEPS_COST, baby=baby) for baby in STEPS_WITHOUT_SPACE))
TURTLE_HARVEST: Final = _family(
    *(_ability("turtle", "steps", STEPS_COST, space, baby="harvest") for space in board.SPACES)
)
TURTLE_SEED: Final = _family(*(_ability("turtle", "steps", STEPS_COST, space, baby="seed") for space in board.SPACES))

TABLE: Final = tuple(_rows)
"""The actions by their numbers."""
ACTIONS: Final = len(TABLE)
"""How many actions there are."""
NUMBER_OF: Final = {action: number for number, action in enumerate(TABLE)}
"""The number of an action, from what it is about."""

ABILITIES: Final = tuple(dict.fromkeys(action.ability for action in TABLE if action.ability))
"""Names of abilities; each may be used once a turn (M-ANIMAL-2). The code of a name is its place, from 1."""
ANIMAL_WITH: Final = {action.ability: action.animal for action in TABLE if action.ability}
"""Whose an ability is."""

MAX_LEGAL: Final = 512
"""More than any position can have: at most 14 trees × 23 empty spaces to plant, and under 150 others."""
