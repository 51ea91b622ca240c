"""The bot that adapts: a level higher after a loss, a level lower after a win, over rematches as well."""

from __future__ import annotations

import random

import pytest

from sunglade import Game, kernel
from sunglade.bots import LEVELS
from sunglade.table.agreement import AgreedSeat, Agreement, new_deal
from sunglade.table.seating import setup_of_rematch
from sunglade.table.table import Event, Table
from sunglade.teaching.adaptation import adapted


@pytest.mark.parametrize(
    ("level", "won", "following"),
    [
        ("maple", 1.0, "oak"),
        ("maple", 0.0, "birch"),
        ("maple", 0.5, "maple"),
        ("elder", 1.0, "elder"),
        ("seedling", 0.0, "seedling"),
        ("random", 1.0, "random"),
    ],
)
def test_level_follows_the_result(level: str, won: float, following: str) -> None:
    assert adapted(level, won) == following


@pytest.mark.parametrize("strength", range(1, len(LEVELS) - 1))
def test_anybody_between_the_levels_wins_about_half_of_any_twenty_games(strength: int) -> None:
    chance, level, shares = random.Random(strength), LEVELS[1], list[float]()
    for _ in range(400):
        place = LEVELS.index(level)
        sure = place - strength
        won = float(chance.random() < 0.5 if sure == 0 else sure < 0)
        shares.append(won)
        level = adapted(level, won)
    windows = [sum(shares[start : start + 20]) / 20 for start in range(20, 380)]
    assert min(windows) >= 0.35 and max(windows) <= 0.65


def over(adapts: bool) -> Table:
    """A finished game of a person against `maple`."""
    seats = [AgreedSeat("person", holder="ada"), AgreedSeat("bot", level="maple", adapts=adapts)]
    agreed = Agreement(2, {"rounds": 1}, 0, new_deal(0, 2), seats)
    game, rng = agreed.game(), random.Random(5)
    while not game.over:
        game.play(rng.choice(game.legal))
    return Table("old", Event(1, 0.0, "created", None, agreed.to_dict()), game)


def test_rematch_has_the_bot_at_its_next_level_and_everybody_a_seat_further() -> None:
    table = over(adapts=True)
    expected = adapted("maple", kernel.win_share(table.game.now, 0))
    assert table.next_level(1) == expected and table.next_level(0) is None
    setup, _ = setup_of_rematch(table)
    assert [(seat.kind, seat.level, seat.adapts) for seat in setup.seats] == [
        ("bot", expected, True),
        ("person", None, False),
    ]


def test_other_bots_stay_as_they_are() -> None:
    table = over(adapts=False)
    assert table.next_level(1) is None
    assert setup_of_rematch(table)[0].seats[0].level == "maple"


def test_nothing_is_told_before_the_end() -> None:
    seats = [AgreedSeat("person", holder="ada"), AgreedSeat("bot", level="maple", adapts=True)]
    agreed = Agreement(2, {}, 0, new_deal(0, 2), seats)
    assert Table("new", Event(1, 0.0, "created", None, agreed.to_dict()), Game(2)).next_level(1) is None
