"""What an animal can do is told of every seat: now, after a step, or why not; found again by playing."""

from __future__ import annotations

from typing import Any

import pytest

from positions import turn
from sunglade import Game, Rules
from sunglade.kernel.actions import ABILITIES
from sunglade.rules import ANIMALS
from sunglade.table.animal_outlook import animal_outlook
from sunglade.table.problems import ServerProblem
from sunglade.table.refusals import why


def can(told: dict[str, Any], ability: str) -> dict[str, Any]:
    """What is told of an ability."""
    found: dict[str, Any] = next(each for each in told["abilities"] if each["ability"] == ability)
    return found


def test_own_animal_in_its_turn_can_do_something_now_or_after_a_step_or_not() -> None:
    game = turn("c4:A1 g4:B1 d5:A0", animals="fox@c3 owl@e4", lunar={"A": 2, "B": 6})
    told = animal_outlook(game, 0)
    assert (told["when"], told["animal"]) == ("now", "fox")
    assert not can(told, "fox.move")["legal"] and can(told, "fox.move")["steps"] == []
    assert can(told, "fox.move")["reason"] == why(game, "fox.move")["reason"]
    near = turn("c4:A0 g4:B1", animals="fox@c3 owl@e4", lunar=9)
    stepped = can(animal_outlook(near, 0), "fox.move")
    assert not stepped["legal"] and "c4" in stepped["steps"], "the seed is one step away"


def test_animal_of_another_seat_is_told_of_as_its_next_turn_will_find_it() -> None:
    game = turn("c4:A1 g4:B1", animals="fox@c3 owl@e4", lunar={"A": 2, "B": 6})
    told = animal_outlook(game, 1)
    assert told["when"] == "next"
    levels = {each["level"]: each for each in told["abilities"]}
    assert levels[1]["legal"] and not levels[3]["legal"]
    assert levels[3]["reason"] == "lunar" and levels[3]["details"]
    assert game.now.player == 0, "nothing was played"


def test_what_is_told_is_what_can_be_played_for_every_animal() -> None:
    for animal in ANIMALS:
        other = next(each for each in ANIMALS if each != animal)
        game = turn("a1:A3 c4:A0 g4:B1 d4:B1", animals=f"{other}@e4 {animal}@c3", lunar=14, light={"A": 5, "B": 9})
        told = animal_outlook(game, 1)
        ahead = game.fork()
        ahead.play("end")
        while ahead.player != 1:
            ahead.play("end")
        legal = {line.split()[0] for line in ahead.legal}
        for each in told["abilities"]:
            assert each["legal"] is any(each["action"] in (line, line.split()[0]) for line in ahead.legal), each
            assert each["legal"] or not set(each["steps"]) - reachable(ahead), each
        assert {line for line in legal if line in ABILITIES} <= {each["ability"] for each in told["abilities"]}


def reachable(game: Game) -> set[str]:
    """Where two steps lead."""
    found = set()
    for line in [line for line in game.legal if line.startswith("step ")]:
        found.add(line.split()[1])
        after = game.fork()
        after.play(line)
        found |= {again.split()[1] for again in after.legal if again.startswith("step ")}
    return found


def test_before_the_first_turn_and_after_the_last_there_is_nothing_to_tell() -> None:
    assert animal_outlook(Game(2, Rules(modules=["moon"])), 0) | {"abilities": []} == {
        "seat": 0, "animal": None, "when": "never", "abilities": [],
    }  # fmt: skip
    last = turn("c4:A1 g4:B1", animals="fox@c3 owl@e4", round=18)
    assert animal_outlook(last, 1)["when"] == "never"
    with pytest.raises(ServerProblem, match="seats 0 to 1"):
        animal_outlook(last, 2)
