"""The editions and their options (R-ED)."""

from typing import Any

import pytest

from positions import lights, piece, play, player, refused, starting, sunrise, turn
from sunglade import Game, Rules
from sunglade.rules import EDITIONS, OPTIONS

TABLE = {
    # edition: light_cap, rounds, long, use_bought, leftover, return_slot, shade_plant
    "us": (20, 18, 24, True, "down", "highest", "target"),
    "us1": (20, 18, 24, True, "down", "highest", "target"),
    "he": (20, 18, 24, True, "down", "highest", "target"),
    "eu": (None, 18, 24, True, "down", "highest", "target"),
    "fr": (None, 18, 24, True, "down", "highest", "origin"),
    "de": (None, 18, 24, True, "up", "highest", "both"),
    "es": (None, 18, 24, False, "down", "lowest", "target"),
    "it": (None, 19, 25, True, "down", "highest", "origin"),
    "ru": (None, 18, 24, False, "down", "highest", "target"),
    "ro": (None, 18, 24, True, "down", "highest", "target"),
}


def test_r_ed_1_us_is_the_default() -> None:
    """R-ED-1"""
    assert Rules() == Rules("us") == Game(2).rules
    assert Rules.from_dict({}) == Rules()


CHOICES: list[tuple[str, Any]] = [
    ("light_cap", 7),
    ("light_cap", None),
    ("rounds", 5),
    ("use_bought", False),
    ("use_bought", True),
    ("leftover", "up"),
    ("leftover", "down"),
    ("return_slot", "lowest"),
    ("return_slot", "highest"),
    ("shade_forbids", True),
    ("shade_plant", "target"),
    ("shade_plant", "origin"),
    ("shade_plant", "both"),
    ("revolutions", 4),
    ("modules", ("moon", "stones")),
    ("moon_start", 0),
    ("shore", ("a2", "b1", "c6", "d4", "e1", "g2")),
    ("river", ("d4",)),
    ("moonstones", 9),
    ("moon_turns", "on_arrival"),
    ("boar_digs", "any"),
    ("fox_scares", "adjacent"),
    ("fox_steals", "light"),
]


def test_r_ed_1_every_option_is_among_those_that_are_set_here() -> None:
    """R-ED-1"""
    assert {option for option, _ in CHOICES} == OPTIONS.keys()


@pytest.mark.parametrize("edition", TABLE)
@pytest.mark.parametrize(("option", "value"), CHOICES)
def test_r_ed_1_every_option_can_be_set_in_every_edition(edition: str, option: str, value: Any) -> None:
    """R-ED-1"""
    rules = Rules(edition, **{option: value})
    assert getattr(rules, option) == value
    assert Rules.from_dict(rules.to_dict()) == rules
    assert eval(repr(rules), {"Rules": Rules}) == rules
    changed = {"river"} if option == "shore" else {"rounds"} if option == "revolutions" else set()
    others = {"edition", *OPTIONS} - {option} - changed
    assert all(getattr(rules, name) == getattr(Rules(edition), name) for name in others)


@pytest.mark.parametrize("edition", TABLE)
def test_r_ed_2_table(edition: str) -> None:
    """R-ED-2"""
    rules, long = Rules(edition), Rules(edition, revolutions=4)
    assert TABLE[edition] == (
        rules.light_cap,
        rules.rounds,
        long.rounds,
        rules.use_bought,
        rules.leftover,
        rules.return_slot,
        rules.shade_plant,
    )
    assert (rules.shade_forbids, rules.modules, rules.revolutions) == (False, (), 3)
    readings = (rules.moon_turns, rules.boar_digs, rules.fox_scares, rules.fox_steals)
    assert readings == ("at_once", "own", "any", "lunar")


def test_r_ed_2_ten_editions() -> None:
    """R-ED-2"""
    assert list(EDITIONS) == list(TABLE)


@pytest.mark.parametrize("edition", TABLE)
def test_r_ed_2_each_edition_plays_by_its_light_cap_and_leftover(edition: str) -> None:
    """R-ED-2"""
    game = sunrise("a1:A3 a2:A3", sun=0, light={"A": 17}, edition=edition)
    light = 20 if TABLE[edition][0] == 20 else 23
    assert lights(game)[0] == light
    assert player(game)["points"] == (-(-light // 3) if edition == "de" else light // 3)


@pytest.mark.parametrize("edition", TABLE)
def test_r_ed_2_each_edition_plays_by_its_shade_plant(edition: str) -> None:
    """R-ED-2"""
    game = turn("c3:B2 d4:A1 a1:A1", light=9, edition=edition, shade_forbids=True)
    tested = TABLE[edition][6]
    assert ("plant a1 b2" in game.legal) == (tested == "origin")  # the target is shaded
    assert ("plant d4 d5" in game.legal) == (tested == "target")  # the origin is shaded


# use_bought


@pytest.mark.parametrize("edition", TABLE)
def test_r_ed_2_a_piece_bought_this_turn_waits_where_the_edition_says_so(edition: str) -> None:
    """R-ED-2"""
    game = play(turn("d4:A2 e4:A1", light=20, available={"A seed": 0}, edition=edition), "buy large", "buy seed")
    if edition in ("es", "ru"):
        assert refused(game, "grow d4") == refused(game, "plant d4 d5") == "bought_now"
        assert (player(game)["fresh"], player(game, "B")["fresh"]) == ([1, 0, 0, 1], [0, 0, 0, 0])
    else:
        assert {"grow d4", "plant d4 d5"} <= set(game.legal)
        assert "fresh" not in player(game)


def test_r_ed_2_pieces_that_were_available_before_can_be_used() -> None:
    """R-ED-2"""
    game = turn("d4:A1 e3:A1", light=20, available={"A seed": 1}, use_bought=False)
    play(game, "buy seed", "plant d4 d5")
    assert (player(game)["available"][0], player(game)["fresh"][0]) == (1, 1)
    assert refused(game, "plant e3 e2") == "bought_now"
    assert not starting(game, "plant")


def test_r_ed_2_a_bought_piece_can_be_used_from_the_next_turn_on() -> None:
    """R-ED-2"""
    game = turn("d4:A2", light=9, use_bought=False)
    play(game, "buy large", "end")
    assert player(game)["fresh"] == [0, 0, 0, 0]
    play(game, "end", "end")
    assert piece(play(game, "grow d4"), "d4") == "A3"


# return_slot


@pytest.mark.parametrize(
    ("slots", "highest", "lowest"),
    [("....", [2], [1]), ("...x", [2, 2], [1, 2]), ("x...", [1, 2], [1, 1]), (".x.x", [1, 2, 2], [1, 1, 2])],
)
def test_r_ed_2_return_slot(slots: str, highest: list[int], lowest: list[int]) -> None:
    """R-ED-2"""
    for option, after in (("highest", highest), ("lowest", lowest)):
        game = turn("d4:A0", light=1, slots={"A seed": slots}, return_slot=option)
        assert player(play(game, "grow d4"))["slots"][0] == after


def test_r_ed_2_lowest_leaves_gaps_and_the_cheapest_occupied_slot_is_bought_first() -> None:
    """R-ED-2"""
    game = turn("d4:A0", light=20, slots={"A seed": "...x"}, return_slot="lowest")
    play(game, "grow d4")
    assert player(game)["slots"][0] == [1, 2]  # the two in between are free
    play(game, "buy seed")
    assert (player(game)["slots"][0], lights(game)[0]) == ([2], 18)
    play(game, "buy seed")
    assert (player(game)["slots"][0], lights(game)[0]) == ([], 16)


def test_r_ed_2_the_italian_game_has_one_round_more() -> None:
    """R-ED-2"""
    game = play(Game(2, {"edition": "it"}), "place a1", "place a2", "place a3", "place a4", *["end"] * 36)
    assert (game.round, game.over, game.state()["sun"]) == (19, False, 0)
    assert play(game, "end", "end").over
