"""An action line in parts, so that no client has to take lines to pieces."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sunglade.rules import ANIMALS, BABIES

ABOUT_A_SPACE: Final = ("grow", "collect", "place", "animal", "elder", "stone", "step")
WITH_LEVELS: Final = ("owl.hunt", "badger.fertilise")


@cache
def parts(line: str) -> dict[str, Any]:
    """Kind, spaces, size, animal of a line (docs/protocol.md, Actions). Look, do not change."""
    word, *rest = line.split()
    if word == "end":
        return {"kind": "end"}
    if word == "buy":
        return {"kind": "buy", "size": rest[0]}
    if word == "plant":
        return {"kind": "plant", "origin": rest[0], "space": rest[1]}
    if word == "draft":
        return {"kind": "draft", "animal": rest[0]}
    if word in ABOUT_A_SPACE:
        return {"kind": word, "space": rest[0]}
    return _ability(word, rest)


def _ability(word: str, rest: list[str]) -> dict[str, Any]:
    """`boar.dig2`, `fox.scare owl c4`, `beaver.dam a1 a2 b2`, `turtle.steps seed d4`."""
    found: dict[str, Any] = {"kind": "ability", "animal": word.split(".")[0], "ability": word.rstrip("2")}
    if word.startswith("boar.dig"):
        found["level"] = 2 if word.endswith("2") else 1
    elif word in WITH_LEVELS:
        found["level"] = int(rest[0])
    elif word == "beaver.dam":
        found["spaces"] = rest
    else:
        for detail in rest:
            found[_name_of(word, detail)] = detail
    return found


def _name_of(word: str, detail: str) -> str:
    """What a word after an ability is: another animal, a baby or a space."""
    if detail in ANIMALS:
        return "target"
    return "baby" if word == "turtle.steps" and detail in BABIES else "space"
