"""Two lessons to be played: positions, what is to be done in each, and numbers that the words around them tell.

A lesson is data. Its positions are played on a real table, so the rules are the kernel's; its words are in the
catalogue: `lesson.LESSON.STEP` (what there is to know), `.title`, `.goal1` …, `.wrong` (for other tries) and `.done`.
Tests play every goal and measure every fact. `python -m sunglade.teaching.lessons` prints them as the client's
`web/src/lessons/lessons.json`; `make facts` writes that.

The learner has the first seat and is the last to act in the round: whoever ends the turn sees the sun move and is next.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from sunglade.game import Game

Measure = Literal[
    "token", "light", "lunar", "income", "sunrise", "moonlight", "rival_moonlight", "points", "rival_points", "rounds"
]
"""What a fact is a number of: the points that an action pays; the light or the lunar points that it costs; the light of
the learner's trees now, and at the next sunrise; the lunar points that the next moon brings the learner, and the other;
the points of both; the rounds of the game."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to do: one of these actions, or a space to point at."""

    lines: tuple[str, ...] = ()
    point: str = ""
    ability: str = ""
    """Where the words only name an ability of the animal (`lesson.try`)."""
    level: int = 0
    baby: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A number the words tell, and how it is measured: after these actions, of this one or of this size."""

    value: int
    measure: Measure
    of: str = ""
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A position with goals, one after the other."""

    name: str
    position: str
    goals: tuple[Goal, ...]
    facts: Mapping[str, Fact] = field(default_factory=dict)
    animal: str = ""
    """Whose abilities are told."""
    baby: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps, the first one first."""

    name: str
    steps: tuple[Step, ...]


def _plants(origin: str, *spaces: str) -> tuple[str, ...]:
    return tuple(f"plant {origin} {space}" for space in spaces)


FIRST: Final = Lesson(
    "first",
    (
        Step(
            "points",
            "sunglade/1 2 us turn:10:3:1:0:1 .A3../...../....../..A3..../....B2./...A1./.B1.. light=5,0,0,0"
            " available=2,3,1,0,2,3,0,0,0,0,0,0,0,0,0,0 slots=15,15,7,0,15,15,7,3,0,0,0,0,0,0,0,0",
            (Goal(("collect d3",)),),
            {
                "cost": Fact(4, "light", "collect d3"),
                "rich": Fact(19, "token", "collect d3"),
                "poor": Fact(14, "token", "collect a2"),
            },
        ),
        Step(
            "shade",
            "sunglade/1 2 us turn:10:3:1:0:1 ..../...../....A2./...A2.../...B3../.A3.../B1..."
            " available=2,4,0,0,2,3,1,0,0,0,0,0,0,0,0,0 slots=15,15,6,2,15,15,7,2,0,0,0,0,0,0,0,0",
            (Goal(point="d4"),),
            {"income": Fact(5, "income")},
        ),
        Step(
            "grow",
            "sunglade/1 2 us turn:2:1:1:0:1 .A1../....B1/....../......./A1...../...../..B1. light=5,0,0,0"
            " available=2,2,1,0,2,2,1,0,0,0,0,0,0,0,0,0",
            (Goal(("buy small",)), Goal(("grow a2", "grow e1"))),
            {
                "buy": Fact(2, "light", "buy small"),
                "grow": Fact(2, "light", "grow a2"),
                "before": Fact(2, "income"),
                "income": Fact(3, "income", after=("buy small", "grow a2")),
            },
        ),
        Step(
            "plant",
            "sunglade/1 2 us turn:4:3:1:0:1 ..../.A2.../....../.....B2./....../...A1./B1... light=2,0,0,0"
            " available=2,3,0,0,2,3,0,0,0,0,0,0,0,0,0,0",
            (
                Goal(_plants("b2", "c3", "c4", "d3")),
                Goal(_plants("f4", "e4", "e5", "f3", "f5", "g3", "g4")),
            ),
            {"cost": Fact(1, "light", "plant b2 c3")},
        ),
        Step(
            "sun",
            "sunglade/1 2 us turn:6:5:1:0:1 ..../..A2../.....B1/....B3A2./.A1..../...../.B1.. light=1,0,0,0"
            " available=2,3,0,0,2,2,1,0,0,0,0,0,0,0,0,0 slots=15,15,6,3,15,15,7,2,0,0,0,0,0,0,0,0",
            (Goal(("end",)),),
            {"now": Fact(3, "income"), "then": Fact(5, "sunrise")},
        ),
        Step(
            "when",
            "sunglade/1 2 us turn:12:5:1:0:1 ..../...A3./.A1..../.B3...../.A3..../.B3..B1/.... light=5,0,0,0"
            " available=2,3,1,0,2,3,1,0,0,0,0,0,0,0,0,0 slots=15,15,7,0,15,15,7,0,0,0,0,0,0,0,0,0",
            (Goal(("collect e2",)),),
            {
                "token": Fact(17, "token", "collect e2"),
                "other": Fact(17, "token", "collect b4"),
                "kept": Fact(4, "sunrise", after=("collect e2",)),
                "lost": Fact(1, "sunrise", after=("collect b4",)),
            },
        ),
        Step(
            "last",
            "sunglade/1 2 us turn:18:5:1:0:1 ..../.B2.../...A3../.....A2./....B3./.A3.../...B1 light=11,0,0,0"
            " available=2,4,0,0,2,3,0,0,0,0,0,0,0,0,0,0 slots=15,15,7,0,15,15,7,2,0,0,0,0,0,0,0,0"
            " taken=1,2,2,3 tokens=B14+A17+B16+A19+B18",
            (Goal(("collect c4", "collect f2")), Goal(("collect c4", "collect f2")), Goal(("end",))),
            {
                "rounds": Fact(18, "rounds"),
                "mine": Fact(71, "points", after=("collect c4", "collect f2", "end")),
                "theirs": Fact(48, "rival_points", after=("collect c4", "collect f2", "end")),
            },
        ),
    ),
)


_TREES: Final = ".A1../....B2/....../......./....../....A2/.B1.."
"""Two trees of each, where an animal does something else."""
_AT_HAND: Final = "available=2,3,0,0,2,3,0,0,0,0,0,0,0,0,0,0"
_ONE_LARGE: Final = "slots=15,15,7,2,15,15,7,3,0,0,0,0,0,0,0,0"
_BABIES: Final = "babies=two+small+medium+harvest+light+seed"
_ROUND_8: Final = "sunglade/1 2 us;modules=moon turn:8:1:1:0:1"


def _animal(name: str, position: str, *goals: Goal, **facts: Fact) -> Step:
    return Step(name, position, goals, facts, animal=name)


def _baby(baby: str, board: str, rest: str, *goals: Goal, **facts: Fact) -> Step:
    """A step in which a hatched baby takes its first steps, and nothing else has hatched."""
    babies = "+".join(
        [baby, *(one for one in ("two", "small", "medium", "harvest", "light", "seed") if one != baby)][:6]
    )
    position = (
        f"{_ROUND_8} {board} {rest} animal=7,3,-1,-1 at=15,24,-1,-1 face_down=a4+d1+d7+g1+g4"
        f" hatched={baby} babies={babies} dealt=boar+turtle,hedgehog+fox"
    )
    return Step(baby, position, goals, {"price": Fact(1, "lunar", goals[0].lines[0]), **facts}, baby=baby)


def _steps(baby: str, *spaces: str) -> Goal:
    lines = tuple(f"turtle.steps {baby} {space}" for space in spaces) or (f"turtle.steps {baby}",)
    return Goal(lines, ability="turtle.steps", baby=baby)


_MEDIUM_TREE: Final = "..../....B2/....../..A2..../....../....A1/.B1.."
_LARGE_TREE: Final = "..../....B2/....../..A3..../....../....A1/.B1.."

MOON: Final = Lesson(
    "moon",
    (
        Step(
            "moon",
            f"sunglade/1 2 us;modules=moon turn:2:1:1:0:1 {_TREES} {_AT_HAND} animal=4,3,-1,-1 at=17,25,-1,-1"
            f" {_BABIES} dealt=boar+owl,hedgehog+fox",
            (Goal(("step d2", "step e2")), Goal(("end",))),
            {"gained": Fact(2, "moonlight", after=("step d2",))},
        ),
        _animal(
            "boar",
            f"{_ROUND_8} .A1../....B2/....../..A3..../....../....A2/.B1.. light=1,0,0,0 {_AT_HAND} {_ONE_LARGE}"
            f" animal=0,4,-1,-1 at=17,25,-1,-1 lunar=6,2,0,0 {_BABIES} dealt=boar+hedgehog,squirrel+owl",
            Goal(("boar.dig",), ability="boar.dig", level=1),
            price=Fact(5, "lunar", "boar.dig"),
            token=Fact(19, "token", "boar.dig"),
        ),
        _animal(
            "hedgehog",
            f"sunglade/1 2 us;modules=moon turn:4:3:1:0:1 {_TREES} {_AT_HAND} animal=1,4,-1,-1 at=12,24,-1,-1"
            f" lunar=4,2,0,0 {_BABIES} dealt=boar+hedgehog,squirrel+owl",
            Goal(("hedgehog.plant",), ability="hedgehog.plant"),
            price=Fact(3, "lunar", "hedgehog.plant"),
        ),
        _animal(
            "squirrel",
            "sunglade/1 2 us;modules=moon turn:4:3:1:0:1 .A1../....B2/....../....B0../....../....A2/.B1.."
            " available=2,3,0,0,1,3,0,0,0,0,0,0,0,0,0,0 animal=2,4,-1,-1 at=19,24,-1,-1 lunar=8,2,0,0"
            f" {_BABIES} dealt=boar+squirrel,hedgehog+owl",
            Goal(("squirrel.eat",), ability="squirrel.eat"),
            price=Fact(7, "lunar", "squirrel.eat"),
        ),
        _animal(
            "fox",
            f"sunglade/1 2 us;modules=moon turn:2:1:1:0:1 {_TREES} {_AT_HAND} animal=3,4,-1,-1 at=12,23,-1,-1"
            f" lunar=3,2,0,0 {_BABIES} dealt=boar+fox,hedgehog+owl",
            Goal(("fox.scare owl d3", "fox.scare owl e1", "fox.scare owl e3", "fox.scare owl f1")),
            price=Fact(1, "lunar", "fox.scare owl d3"),
            denied=Fact(2, "rival_moonlight"),
        ),
        _animal(
            "owl",
            "sunglade/1 2 us;modules=moon turn:6:5:1:0:1 .A1../....B2/....../..A3..../....../....A2/.B1.."
            f" {_AT_HAND} {_ONE_LARGE} animal=4,3,-1,-1 at=12,24,-1,-1 lunar=9,2,0,0 {_BABIES}"
            " dealt=boar+owl,hedgehog+fox",
            Goal(("owl.hunt 2",), ability="owl.hunt", level=2),
            price=Fact(9, "lunar", "owl.hunt 2"),
        ),
        _animal(
            "badger",
            "sunglade/1 2 us;modules=moon turn:6:5:1:0:1 .A1../....B2/....../....A0../....../....A2/.B1.. light=2,0,0,0"
            " available=1,3,1,0,2,3,0,0,0,0,0,0,0,0,0,0 slots=15,15,6,3,15,15,7,3,0,0,0,0,0,0,0,0 animal=5,3,-1,-1"
            f" at=19,24,-1,-1 lunar=5,2,0,0 {_BABIES} dealt=boar+badger,hedgehog+fox",
            Goal(("badger.fertilise 1",), ability="badger.fertilise", level=1),
            Goal(("grow d5",)),
            price=Fact(4, "lunar", "badger.fertilise 1"),
        ),
        _animal(
            "beaver",
            f"{_ROUND_8} A1.../A1A2.../....B2./......./....../....A1/.B1.. available=2,1,2,1,2,3,0,0,0,0,0,0,0,0,0,0"
            " slots=15,15,4,2,15,15,7,3,0,0,0,0,0,0,0,0 animal=6,3,-1,-1 at=0,24,-1,-1 lunar=7,2,0,0"
            f" {_BABIES} dealt=boar+beaver,hedgehog+fox",
            Goal(("beaver.dam a1 b1 b2",)),
            price=Fact(6, "lunar", "beaver.dam a1 b1 b2"),
        ),
        _animal(
            "turtle",
            f"{_ROUND_8} {_LARGE_TREE} available=2,3,1,0,2,3,0,0,0,0,0,0,0,0,0,0 {_ONE_LARGE} animal=7,3,-1,-1"
            " at=0,24,-1,-1 lunar=6,2,0,0 face_down=a1+a4+d1+d7+g1+g4 babies=light+seed+two+leaf+small+points"
            " dealt=boar+turtle,hedgehog+fox",
            Goal(("turtle.hatch",), ability="turtle.hatch"),
            _steps("light"),
            price=Fact(4, "lunar", "turtle.hatch"),
        ),
        _baby(
            "two",
            _MEDIUM_TREE,
            f"light=7,0,0,0 available=2,3,0,1,2,3,0,0,0,0,0,0,0,0,0,0 {_ONE_LARGE}",
            _steps("two"),
            Goal(("grow d3",)),
            Goal(("collect d3",)),
        ),
        _baby("small", _MEDIUM_TREE, _AT_HAND, _steps("small")),
        _baby("medium", _MEDIUM_TREE, _AT_HAND, _steps("medium")),
        _baby(
            "harvest",
            _LARGE_TREE,
            f"available=2,3,1,0,2,3,0,0,0,0,0,0,0,0,0,0 {_ONE_LARGE}",
            _steps("harvest", "d3"),
        ),
        _baby(
            "seed",
            "..../....B2/....../......./.A2..../....A1/.B1..",
            _AT_HAND,
            _steps("seed", "c3", "c4", "d3", "d4", "d5", "e3", "e4"),
        ),
        _baby("points", "..../....B2/....../......./.A2..../....A1/.B1..", _AT_HAND, _steps("points")),
        _baby(
            "leaf",
            "..../....B2/....../......./.A3..../....A1/.B1..",
            f"light=4,0,0,0 available=2,3,1,0,2,3,0,0,0,0,0,0,0,0,0,0 {_ONE_LARGE}",
            _steps("leaf"),
            Goal(("collect e2",)),
            poor=Fact(17, "token", "collect e2"),
            rich=Fact(19, "token", "collect e2", after=("turtle.steps leaf",)),
        ),
    ),
)

LESSONS: Final = (FIRST, MOON)


def lessons_data() -> list[dict[str, Any]]:
    """The lessons as the client has them: each step with the game that a table is made from."""
    return [{"lesson": lesson.name, "steps": list(_steps_data(lesson))} for lesson in LESSONS]


def _steps_data(lesson: Lesson) -> Iterator[dict[str, Any]]:
    for step in lesson.steps:
        yield {
            "step": step.name,
            "game": Game.from_position(step.position).to_dict(),
            "goals": [_goal_data(goal) for goal in step.goals],
            "facts": {name: fact.value for name, fact in step.facts.items()},
            "animal": step.animal or None,
            "baby": step.baby or None,
        }


def _goal_data(goal: Goal) -> dict[str, Any]:
    return {
        "lines": list(goal.lines),
        "point": goal.point or None,
        "ability": goal.ability or None,
        "level": goal.level or None,
        "baby": goal.baby or None,
    }


if __name__ == "__main__":
    json.dump(lessons_data(), sys.stdout, indent=1)
    sys.stdout.write("\n")
