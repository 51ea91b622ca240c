"""Record the golden games anew and count the perft tables again: `python tests/make_golden.py`, on purpose only.

A difference means that the rules or the protocol changed; say so in the changelog.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import test_golden
import test_perft
from random_games import random_steps
from sunglade import Game

HERE = Path(__file__).parent
NOTE = "Made by this kernel; agrees with an independent implementation of the rules."

ALL = ["moon", "elder", "stones"]
HANDS = [["boar", "hedgehog"], ["squirrel", "fox"], ["owl", "badger"], ["beaver", "turtle"]]

OTHER_HANDS = [["boar", "hedgehog"], ["fox", "squirrel"], ["owl", "badger"], ["beaver", "turtle"]]
READINGS = {"moon_turns": "on_arrival", "boar_digs": "any", "fox_scares": "adjacent", "fox_steals": "light"}
"""The other reading of each sentence of the expansion that can be read in two ways."""


def every_animal(place: int) -> dict[str, Any]:
    """A long game in which everybody keeps the card at this place."""
    return {
        "players": 4,
        "rules": {"edition": "us", "modules": ["moon"], "rounds": 80},
        "deal": {"animals": HANDS},
        "actions": [f"draft {hand[place]}" for hand in HANDS],
    }


GOLDEN: dict[str, dict[str, Any]] = {
    "us-2": {"players": 2, "rules": {"edition": "us"}},
    "us1-3": {"players": 3, "rules": {"edition": "us1"}},
    "he-4": {"players": 4, "rules": {"edition": "he"}},
    "eu-2-long": {"players": 2, "rules": {"edition": "eu", "revolutions": 4}},
    "fr-3-shade": {"players": 3, "rules": {"edition": "fr", "shade_forbids": True}},
    "de-4-shade": {"players": 4, "rules": {"edition": "de", "shade_forbids": True}},
    "es-2": {"players": 2, "rules": {"edition": "es"}},
    "it-4-long": {"players": 4, "rules": {"edition": "it", "revolutions": 4}},
    "ru-3-shade": {"players": 3, "rules": {"edition": "ru", "shade_forbids": True}},
    "ro-2": {"players": 2, "rules": {"edition": "ro", "light_cap": 9, "leftover": "up", "return_slot": "lowest"}},
    "us-4-moon-one": every_animal(0),
    "us-4-moon-two": every_animal(1),
    "eu-3-elder": {"players": 3, "rules": {"edition": "eu", "modules": ["elder"]}},
    "eu-2-stones-shade": {"players": 2, "rules": {"edition": "eu", "modules": ["stones"], "shade_forbids": True}},
    "us-2-all": {"players": 2, "rules": {"edition": "us", "modules": ALL}},
    "de-3-all-shade": {"players": 3, "rules": {"edition": "de", "modules": ALL, "shade_forbids": True}},
    "es-4-all-long": {
        "players": 4,
        "rules": {
            "edition": "es",
            "revolutions": 4,
            "modules": ALL,
            "moon_start": 2,
            "shore": ["a2", "b5", "c1", "e6", "f1", "g3"],
            "river": ["a2", "b2", "g3", "f3"],
            "moonstones": 5,
        },
    },
    "us-4-readings": {
        "players": 4,
        "rules": {"edition": "us", "modules": ["moon"], "rounds": 80, **READINGS},
        "deal": {"animals": OTHER_HANDS},
        "actions": [f"draft {hand[0]}" for hand in OTHER_HANDS],
    },
}


def write(file: Path, content: dict[str, Any]) -> None:
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def record_games() -> None:
    for seed, (name, agreed) in enumerate(GOLDEN.items()):
        game = Game.from_dict(agreed | {"seed": seed})
        for _ in random_steps(game, seed):
            pass
        trace = [test_golden.fingerprint(step) for step in game.replay()]
        content = {"note": NOTE, "game": game.to_dict(), "final": game.state(), "trace": trace}
        write(HERE / "golden" / f"{name}.json", content)


def count_again() -> None:
    for file in test_perft.FILES:
        table = json.loads(file.read_text(encoding="utf-8"))
        write(file, table | {"counts": test_perft.counts(table["game"], len(table["counts"]))})


if __name__ == "__main__":
    record_games()
    count_again()
