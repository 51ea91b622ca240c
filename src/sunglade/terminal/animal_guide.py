"""What each animal can do, by the client's notes, with what is typed and the kernel's prices (M-ANIMAL)."""

from __future__ import annotations

from typing import Final

from sunglade.game import Game
from sunglade.kernel import actions as price
from sunglade.kernel.actions import TABLE
from sunglade.rules import BABIES
from sunglade.words import is_key, key
from sunglade.words.speech import isolated, tell

ABILITIES: Final[dict[str, tuple[tuple[str, int | str, str], ...]]] = {
    "boar": (("dig", price.DIG_COST[0], "dig.1"), ("dig2", price.DIG_COST[1], "dig.2")),
    "hedgehog": (("run", price.RUN_COST, "run"), ("plant", price.PLANT_HERE_COST, "plant")),
    "squirrel": (("step c4", 0, "steps"), ("eat", price.EAT_COST, "eat")),
    "fox": (
        ("scare owl c4", price.SCARE_COST, "scare"),
        ("move c4", price.MOVE_COST, "move"),
        ("steal owl", price.STEAL_COST, "steal"),
    ),
    "owl": (("hunt 1/2/3", "/".join(map(str, price.HUNT_COST)), "hunt"),),
    "badger": (
        ("fertilise 1", price.FERTILISE_COST[0], "fertilise.1"),
        ("fertilise 2", price.FERTILISE_COST[1], "fertilise.2"),
    ),
    "beaver": (("dam a1 a2 b2", price.DAM_COST, "dam"), ("strengthen", price.STRENGTHEN_COST, "strengthen")),
    "turtle": (("hatch", price.HATCH_COST, "hatch"), ("steps light", price.STEPS_COST, "steps")),
}
"""For each animal what is typed, the lunar points it costs, and the note that tells about it."""
WITH_A_SPACE: Final = ("harvest", "seed")
"""Babies whose steps go somewhere."""


def guide(game: Game) -> str:
    """The animals of this game, and the babies where the turtle plays."""
    if "moon" not in game.rules.modules:
        return tell("refusal.no_animals")
    shown = animals_in_sight(game)
    lines = [_line(game, animal, *ability) for animal in shown for ability in ABILITIES[animal]]
    return "\n".join([*lines, *(_baby_lines() if "turtle" in shown else [])])


def _line(game: Game, animal: str, typed: str, lunar: int | str, ability: str) -> str:
    cost = f" ({_price(lunar)})" if lunar else ""
    name = f"{tell(key(f'animal.{animal}'))}, {isolated(typed)}{cost}"
    return tell("common.pair", name=name, value=_note(game, animal, ability))


def _price(lunar: int | str) -> str:
    """Lunar points; of several prices, such as 5/9/12, the last one decides the plural."""
    return tell("terminal.lunar.price", lunar=lunar, count=int(str(lunar).rpartition("/")[2]))


def _note(game: Game, animal: str, ability: str) -> str:
    """What an ability does, by the options of this game."""
    usual = f"ability.{animal}.{ability}.note"
    read = {"boar": game.rules.boar_digs, "fox": game.rules.fox_scares, "steal": game.rules.fox_steals}
    other = f"{usual}.{read.get(ability) or read.get(animal)}"
    return tell(key(other if is_key(other) else usual))


def _baby_lines() -> list[str]:
    spaces = {baby: " d4" if baby in WITH_A_SPACE else "" for baby in BABIES}
    return [
        tell("common.pair", name=f"steps {baby}{spaces[baby]}", value=tell(key(f"baby.{baby}.note"))) for baby in BABIES
    ]


def animals_in_sight(game: Game) -> list[str]:
    """Those in play; in the draft, those the player may choose from (M-SETUP-1)."""
    if game.phase == "draft":
        return [TABLE[number].animal for number in game.legal_numbers]
    return [own["animal"] for own in game.state()["players"] if own["animal"]]
