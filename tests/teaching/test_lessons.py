"""The lessons: every goal can be reached, every number told is the kernel's, and there are not too many words."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sunglade import Game, board
from sunglade.changes import token_taken
from sunglade.forecast import sunlight
from sunglade.rules import ANIMALS, BABIES
from sunglade.teaching.lessons import FIRST, LESSONS, MOON, Fact, Goal, Lesson, Step, lessons_data
from sunglade.teaching.printed_facts import printed_facts
from sunglade.words import catalogue
from sunglade.words import languages as spoken

ME, OTHER = 0, 1
MOST_WORDS = 700
LANGUAGES = spoken()
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
each_step = pytest.mark.parametrize(("lesson", "step"), STEPS, ids=[f"{one.name}.{two.name}" for one, two in STEPS])
CLIENT_COPY = Path(__file__).parents[2] / "web/src/lessons/lessons.json"


def ways(goals: tuple[Goal, ...]) -> Iterator[tuple[str, ...]]:
    """Every way to do what is to be done; what is pointed at is no action."""
    return itertools.product(*(goal.lines for goal in goals if goal.lines))


def played(game: Game, lines: tuple[str, ...]) -> Game:
    """A copy after some actions."""
    copy = game.fork()
    for line in lines:
        copy.play(line)
    return copy


# Goals


@each_step
def test_the_learner_is_to_act_and_last_in_the_round(lesson: Lesson, step: Step) -> None:
    game = Game.from_position(step.position)
    assert (game.phase, game.player, game.now.turn) == ("turn", ME, game.players - 1)
    assert Game.from_position(game.position()).position() == step.position  # the line is what the kernel would write


@each_step
def test_every_goal_can_be_reached_in_every_way_it_names(lesson: Lesson, step: Step) -> None:
    game = Game.from_position(step.position)
    done = 0
    for lines in ways(step.goals):
        if len(set(lines)) == len(lines):  # the same tree is not collected twice
            assert played(game, lines).over == (step.name == "last")
            done += 1
    assert done or all(goal.point for goal in step.goals)


@each_step
def test_a_goal_is_not_all_there_is_to_do(lesson: Lesson, step: Step) -> None:
    """Somebody who tries something else is answered, so there is something else."""
    game = Game.from_position(step.position)
    wanted = {line for goal in step.goals for line in goal.lines}
    assert set(game.legal) - wanted or step.name == "sun"


def test_the_tree_to_point_at_is_the_only_one_of_the_learner_without_light() -> None:
    step = next(step for step in FIRST.steps if step.name == "shade")
    game = Game.from_position(step.position)
    pieces = game.state()["spaces"]
    dark = [space for space, light in sunlight(game.now).trees.items() if not light and pieces[space]["owner"] == ME]
    assert dark == [goal.point for goal in step.goals]
    assert sunlight(game.now).shaded[dark[0]] == ["e4"] and pieces["e4"] == {"owner": OTHER, "size": 3}


def test_the_seed_is_to_land_on_three_leaves_and_its_tree_is_done_for_this_turn() -> None:
    step = next(step for step in FIRST.steps if step.name == "plant")
    game = Game.from_position(step.position)
    rich = {line for line in game.legal if line.startswith("plant b2") and _leaves(line) == 3}
    assert rich == set(step.goals[0].lines)
    for line in rich:
        after = played(game, (line,))
        assert set(step.goals[1].lines) == {one for one in after.legal if one.startswith("plant")}
        assert after.refusal("plant b2 b3").reason == "activated"  # type: ignore[union-attr]


def _leaves(line: str) -> int:
    return board.LEAVES[board.SPACE_NAMED[line.split()[-1]]]


def test_growing_first_would_lose_a_piece_and_buying_first_does_not() -> None:
    step = next(step for step in FIRST.steps if step.name == "grow")
    game = Game.from_position(step.position)
    for grow in step.goals[1].lines:
        small = [_pieces(played(game, lines), 1) for lines in ((grow,), ("buy small", grow))]
        assert small == [_pieces(game, 1) - 1, _pieces(game, 1)]


def _pieces(game: Game, size: int) -> int:
    s = game.now
    return int(s.pieces[ME, size]).bit_count() + int(s.slots[ME, size]).bit_count() + s.available[ME, size]


def test_the_tree_to_collect_is_the_one_that_earns_nothing_next_round() -> None:
    step = next(step for step in FIRST.steps if step.name == "when")
    ahead = Game.from_position(step.position).forecast()[0].trees
    assert (ahead["e2"], ahead["b4"]) == (0, 3)


def test_the_animal_steps_wherever_the_moon_will_shine() -> None:
    step = MOON.steps[0]
    game = Game.from_position(step.position)
    lit = game.forecast()[0].moon.lit  # type: ignore[union-attr]
    assert set(step.goals[0].lines) == {one for one in game.legal if one.startswith("step") and one.split()[1] in lit}


def test_the_owl_is_chased_wherever_the_moon_will_not_shine() -> None:
    step = next(step for step in MOON.steps if step.name == "fox")
    game = Game.from_position(step.position)
    scares = [line for line in game.legal if line.startswith("fox.scare")]
    assert set(step.goals[0].lines) == {line for line in scares if not _rival_moonlight(played(game, (line,)), "")}


def test_the_dam_lets_three_pieces_of_the_learner_grow() -> None:
    step = next(step for step in MOON.steps if step.name == "beaver")
    game = Game.from_position(step.position)
    after = played(game, step.goals[0].lines).state()["spaces"]
    before = game.state()["spaces"]
    grown = [space for space, piece in before.items() if after[space]["size"] == piece["size"] + 1]
    assert grown == ["a1", "b1", "b2"] and all(before[space]["owner"] == ME for space in grown)
    for line in game.legal:
        if line.startswith("beaver.dam") and line not in step.goals[0].lines:
            others = played(game, (line,)).state()["spaces"]
            assert sum(others[space] != piece for space, piece in before.items()) < 3


def test_every_animal_and_every_baby_is_tried_once() -> None:
    tried = [goal for step in MOON.steps for goal in step.goals]
    assert [step.animal for step in MOON.steps if step.animal] == list(ANIMALS)
    for step in MOON.steps:
        if step.animal:
            assert any(line.startswith(f"{step.animal}.") for goal in step.goals for line in goal.lines)
    assert sorted(goal.baby for goal in tried if goal.baby) == sorted(BABIES)


# Facts


def _token(game: Game, line: str) -> int:
    after = played(game, (line,))
    token = token_taken(game.now, after.now)
    assert token is not None
    return token.value


def _sunrise(game: Game, _: str) -> int:
    """The light that the next sunrise really brings, however little of it the others let pass."""
    after = played(game, ("end",))
    assert after.round == game.round + 1
    return after.now.light[ME] - game.now.light[ME]


def _rival_moonlight(game: Game, _: str) -> int:
    return played(game, ("end",)).now.lunar[OTHER] - game.now.lunar[OTHER]


MEASURES: dict[str, Callable[[Game, str], int]] = {
    "token": _token,
    "light": lambda game, line: game.now.light[ME] - played(game, (line,)).now.light[ME],
    "lunar": lambda game, line: game.now.lunar[ME] - played(game, (line,)).now.lunar[ME],
    "income": lambda game, _: sunlight(game.now).income[ME],
    "sunrise": _sunrise,
    "moonlight": lambda game, _: played(game, ("end",)).now.lunar[ME] - game.now.lunar[ME],
    "rival_moonlight": _rival_moonlight,
    "points": lambda game, _: game.scores()[ME].total,
    "rival_points": lambda game, _: game.scores()[OTHER].total,
    "rounds": lambda game, _: game.rules.rounds,
}


@each_step
def test_every_number_told_is_what_the_kernel_says(lesson: Lesson, step: Step) -> None:
    game = Game.from_position(step.position)
    told = {name: fact.value for name, fact in step.facts.items()}
    assert told == {name: _measured(game, fact) for name, fact in step.facts.items()}


def _measured(game: Game, fact: Fact) -> int:
    return MEASURES[fact.measure](played(game, fact.after), fact.of)


def test_who_follows_the_last_step_wins_and_who_ends_at_once_loses() -> None:
    game = Game.from_position(FIRST.steps[-1].position)
    assert played(game, ("collect c4", "collect f2", "end")).winners == [ME]
    assert played(game, ("end",)).winners == [OTHER]


# Words


@pytest.mark.parametrize("language", LANGUAGES)
@each_step
def test_the_words_tell_each_goal_and_no_fact_that_is_not_measured(lesson: Lesson, step: Step, language: str) -> None:
    words = catalogue(language).words
    begins = f"lesson.{lesson.name}.{step.name}"
    own = {key: text for key, text in words.items() if key == begins or key.startswith(f"{begins}.")}
    told = {name for text in own.values() for name in re.findall(r"\{(\w+)\}", str(text))}
    assert told <= set(step.facts)
    for number, goal in enumerate(step.goals, 1):
        assert f"{begins}.goal{number}" in own or goal.ability


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_has_at_most_700_words(lesson: Lesson, language: str) -> None:
    words = catalogue(language).words
    texts = [str(text) for key, text in words.items() if key.startswith(f"lesson.{lesson.name}.")]
    assert sum(len(text.split()) for text in texts) <= MOST_WORDS
    assert len(lesson.steps) in (7, 16)


def test_the_client_has_the_lessons_as_they_are_here() -> None:
    """`make facts` writes them."""
    assert json.loads(CLIENT_COPY.read_text(encoding="utf-8")) == lessons_data()


def test_the_guide_has_what_is_printed_as_the_kernel_has_it() -> None:
    """`make facts` writes it; and a game begins as it says."""
    facts = json.loads((CLIENT_COPY.parents[1] / "guide/printed.json").read_text(encoding="utf-8"))
    assert facts == printed_facts()
    game = Game(3, {"modules": ["moon"]})
    start = game.state()["players"][0]
    assert facts["available"] == start["available"] and facts["lunar"] == start["lunar"]
    for line in game.legal[:1]:
        assert line.startswith("draft")
    faces = "".join("F" if one["full"] else "c" for one in facts["moon"]["at_once"])
    assert faces == "cFFccFFFccFFccFFFc"  # M-MOON-4, as docs/rules.md tells it
