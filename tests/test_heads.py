"""Every action has a logit of its own in the network's answer, and the base game's come first."""

from __future__ import annotations

from sunglade import board
from sunglade.kernel.actions import BASE_ACTIONS, TABLE
from sunglade.kernel.record import NOWHERE
from sunglade.neural import heads


def test_no_two_actions_share_a_logit() -> None:
    places = heads.logit_places()
    assert len(places) == len(TABLE) == len(set(places))


def test_an_action_on_a_space_is_answered_by_that_space() -> None:
    first = heads.TABLE_COLUMNS
    for place, action in zip(heads.logit_places(), TABLE, strict=True):
        if action.space != NOWHERE and action.origin == NOWHERE:
            assert (place - first) % len(board.SPACES) == action.space


def test_the_base_game_has_its_own_columns() -> None:
    """So that weights which learned the base game alone mean the same beside those of the modules."""
    spaces = heads.TABLE_COLUMNS
    for place, action in list(zip(heads.logit_places(), TABLE, strict=True))[:BASE_ACTIONS]:
        if action.origin != NOWHERE:
            continue
        if action.space == NOWHERE:
            assert place < heads.BASE_TABLE_COLUMNS
        else:
            assert place < spaces + heads.BASE_SPACE_COLUMNS * len(board.SPACES)
