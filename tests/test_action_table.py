"""The table of actions, and that everything about an action is made from it."""

from __future__ import annotations

from sunglade.kernel import actions
from sunglade.kernel.actions import ABILITIES, ANIMAL_WITH, BASE_ACTIONS, NUMBER_OF, TABLE
from sunglade.kernel.record import NOWHERE
from sunglade.kernel.refusal import _CHECKS
from sunglade.notation import ACTION_NAMES, ACTION_WORDS, action_of
from sunglade.rules import ANIMALS, BABIES
from sunglade.terminal import animal_guide
from sunglade.words import is_key


def test_an_action_and_its_number_belong_together() -> None:
    assert [NUMBER_OF[action] for action in TABLE] == list(range(len(TABLE)))
    assert [action_of(line) for line in ACTION_NAMES] == list(TABLE)


def test_families_begin_where_compiled_code_believes() -> None:
    """Compiled code knows an action by the first number of its family and a space, a size, an animal or a level."""
    for kind in ("grow", "collect", "elder", "stone", "step"):
        first = getattr(actions, kind.upper())
        assert [TABLE[first + space].space for space in range(37)] == list(range(37))
        assert {TABLE[first + space].kind for space in range(37)} == {kind}
    assert [TABLE[actions.BUY + size].size for size in range(4)] == list(range(4))
    assert [TABLE[actions.DRAFT + animal].animal for animal in range(8)] == list(ANIMALS)
    assert [TABLE[actions.OWL_HUNT + level].level for level in range(3)] == [1, 2, 3]
    assert TABLE[BASE_ACTIONS - 1].kind == "place"


def test_every_kind_and_ability_can_be_refused_and_told() -> None:
    """What a new action still lacks is named here."""
    assert set(_CHECKS) == {action.ability or action.kind for action in TABLE}
    told = {"buy": ".seed", "grow": ".small"}
    assert [line[0] for line in ACTION_WORDS if not is_key(f"log.{line[0]}{told.get(line[0], '')}")] == []
    assert set(animal_guide.ABILITIES) == set(ANIMALS) == set(ANIMAL_WITH.values())
    assert set(BABIES) == {action.baby for action in TABLE if action.baby}
    assert len(ABILITIES) < 16  # a position keeps those that were used as a short list of four bits each


def test_actions_name_the_spaces_of_their_lines() -> None:
    for action, line in zip(TABLE, ACTION_WORDS, strict=True):
        assert NOWHERE not in action.names and len(action.names) < len(line)
