"""What an animal can do in the coming turn of its player: at once, after a step, or why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sunglade.board import NAMES
from sunglade.game import Game
from sunglade.kernel.actions import TABLE
from sunglade.rules import ANIMALS
from sunglade.table.game_facts import abilities_of
from sunglade.table.problems import ServerProblem
from sunglade.table.refusals import why

MOST_STEPS: Final = 2
"""The squirrel steps twice (M-ANIMAL-1)."""


def animal_outlook(game: Game, seat: int) -> dict[str, Any]:
    """What the animal of a seat can do now or, if nobody acts before, in its next turn (schema.AnimalOutlook)."""
    if seat >= game.players:
        raise ServerProblem("unknown_seat", f"this table has seats 0 to {game.players - 1}.")
    animal = game.now.animal[seat]
    told: dict[str, Any] = {"seat": seat, "animal": ANIMALS[animal] if animal >= 0 else None}
    ahead = _turn_of(game, seat)
    if ahead is None or animal < 0:
        return told | {"when": "never", "abilities": []}
    now = ahead.round == game.round and ahead.player == game.player
    return told | {"when": "now" if now else "next", "abilities": list(_abilities(ahead, ANIMALS[animal]))}


def _turn_of(game: Game, seat: int) -> Game | None:
    """The coming turn of a seat, if everybody before it only ends turns; None where there is none."""
    ahead = game.fork()
    while ahead.phase == "turn":
        if ahead.player == seat:
            return ahead
        ahead.play("end")
    return None


def _abilities(ahead: Game, animal: str) -> Iterator[dict[str, Any]]:
    reached = dict(_steps(ahead))
    for ability in abilities_of(animal):
        for place, asked in enumerate(ability["asks"], 1):
            told = {"ability": ability["ability"], "level": place if ability["levels"] else None}
            answer = why(ahead, asked)
            steps = [] if answer["legal"] else [space for space, there in reached.items() if why(there, asked)["legal"]]
            yield told | {"steps": steps, **answer}


def _steps(game: Game) -> Iterator[tuple[str, Game]]:
    """Where the animal can step in this turn, and the turn after it."""
    reached: dict[int, Game] = {}
    frontier = [game]
    for _ in range(MOST_STEPS):
        following = []
        for there in frontier:
            for number in there.legal_numbers:
                space = TABLE[number].space
                if TABLE[number].kind == "step" and space not in reached:
                    reached[space] = there.fork()
                    reached[space].play(f"step {NAMES[space]}")
                    following.append(reached[space])
        frontier = following
    for space, there in reached.items():
        yield NAMES[space], there
