"""What each animal can do, in our own words, with the kernel's own numbers (M-ANIMAL)."""

from __future__ import annotations

from typing import Final

from sunglade.game import Game
from sunglade.kernel import actions as price
from sunglade.kernel.actions import TABLE
from sunglade.kernel.animals import BABY_END_POINTS, BABY_LIGHT_POINTS, HUNT_LIGHT, STOLEN

ABILITIES: Final = {
    "boar": (
        f"dig ({price.DIG_COST[0]}): collect {{tree}} under it without paying light",
        f"dig2 ({price.DIG_COST[1]}): the same, and an available seed of yours goes in its place",
    ),
    "hedgehog": (
        f"run ({price.RUN_COST}): one more step this turn",
        f"plant ({price.PLANT_HERE_COST}): a seed straight from your player board on the empty space under it",
    ),
    "squirrel": (
        "may take two steps a turn",
        f"eat ({price.EAT_COST} + leaves): an opponent's seed under it goes home; you get a light a leaf, they get 1",
    ),
    "fox": (
        f"scare ANIMAL SPACE ({price.SCARE_COST}): {{scared}} goes one space, where you like",
        f"move SPACE ({price.MOVE_COST}): the seed under it goes one or two spaces straight on",
        f"steal ANIMAL ({price.STEAL_COST}): up to {STOLEN} {{loot}} from a neighbour",
    ),
    "owl": (f"hunt 1, 2 or 3 ({', '.join(map(str, price.HUNT_COST))}): {', '.join(map(str, HUNT_LIGHT))} light",),
    "badger": (
        f"fertilise 1 ({price.FERTILISE_COST[0]}): your older seed under it becomes an available small tree",
        f"fertilise 2 ({price.FERTILISE_COST[1]}): the same with a small tree from your player board",
    ),
    "beaver": (
        f"dam A B C ({price.DAM_COST}): lay the dam over three spaces at the edge; all that stands there grows",
        f"strengthen ({price.STRENGTHEN_COST}): your piece under it grows, if it stands on the dam",
    ),
    "turtle": (
        f"hatch ({price.HATCH_COST}): take the baby under it",
        f"steps BABY ({price.STEPS_COST}): use a hatched baby, wherever the turtle is",
    ),
}
"""Name and lunar points of each ability, and what it does; words in braces follow the options."""

READINGS: Final = {
    "boar_digs": ("tree", {"own": "your large tree", "any": "the large tree"}),
    "fox_scares": ("scared", {"any": "another animal", "adjacent": "an animal next to it"}),
    "fox_steals": ("loot", {"lunar": "lunar points", "light": "light"}),
}
"""For an option, the word in braces and what it is for each value."""

BABIES: Final = {
    "two": "one action this turn may touch a space that was used",
    "small": "a small tree from your player board becomes available",
    "medium": "a medium tree from your player board becomes available",
    "harvest": "collect a large tree of yours for nothing: steps harvest d4",
    "light": f"{BABY_LIGHT_POINTS} light",
    "seed": "an available seed on any empty space: steps seed d4",
    "points": f"{BABY_END_POINTS} points at the end",
    "leaf": "the next tree you collect this turn pays as if the soil had a leaf more",
}


def guide(game: Game) -> str:
    """The animals of this game, and the babies where the turtle plays."""
    if "moon" not in game.rules.modules:
        return "There are no animals in this game."
    shown = animals_in_sight(game)
    words = {word: told[getattr(game.rules, option)] for option, (word, told) in READINGS.items()}
    lines = [f"{animal}: {what.format(**words)}" for animal in shown for what in ABILITIES[animal]]
    if "turtle" in shown:
        lines += [f"baby {baby}: {what}" for baby, what in BABIES.items()]
    return "\n".join(lines)


def animals_in_sight(game: Game) -> list[str]:
    """Those in play; in the draft, those the player may choose from (M-SETUP-1)."""
    if game.phase == "draft":
        return [TABLE[number].animal for number in game.legal_numbers]
    return [own["animal"] for own in game.state()["players"] if own["animal"]]
