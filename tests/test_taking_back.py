"""Nothing irreversible by accident: what can be taken back, what is asked first, what only looks."""

import pytest

from at_the_terminal import CTRL_L, last_screen, one_line, sit
from positions import turn
from sunglade import BadRequest, Game
from sunglade.terminal import seats
from sunglade.terminal.taking_back import Joined, take_back

pytestmark = pytest.mark.usefixtures("own_data_folder")

AGAINST_A_BOT = ["human", "random"]


def test_set_up_is_taken_back_against_a_bot() -> None:
    game = Game(players=2)
    shown = sit(game, "p a1", "undo", kinds=AGAINST_A_BOT)
    assert game.actions == []
    assert "Ada takes back: place a1, and with it the actions of: Bo." in shown


def begun() -> Game:
    """Round 1 against a bot that plays at random: both have two light."""
    return Game(players=2, actions=["place a1", "place g4", "place a3", "place g2"])


def test_ended_turn_is_taken_back_against_a_bot_with_the_bots_answer() -> None:
    game = begun()
    start = game.actions
    sit(game, "b seed", "end", "undo", kinds=AGAINST_A_BOT)
    assert game.actions == [*start, "buy seed"]
    sit(game, "end", "undo 2", kinds=AGAINST_A_BOT)
    assert game.actions == start


def test_what_was_taken_back_is_played_again_with_the_bots_answer() -> None:
    game = begun()
    sit(game, "b seed", "end", kinds=AGAINST_A_BOT)
    before = game.actions
    sit(game, "undo", "redo", kinds=AGAINST_A_BOT)
    assert game.actions == before


def test_set_up_is_not_taken_back_among_people() -> None:
    game = Game(players=3)
    shown = sit(game, "p a1", "undo", kinds=["human", "human", "random"])
    assert "There is nothing to take back in this turn." in shown
    assert game.actions == ["place a1"]


@pytest.mark.parametrize("lines", [["turtle.hatch"], ["buy seed", "turtle.hatch"], ["turtle.hatch", "end", "end"]])
def test_hatched_baby_is_never_unseen(lines: list[str]) -> None:
    """M-SETUP-4."""
    lunar = {"A": 9, "B": 9}
    game = turn("a1:A1 g4:B1", animals="turtle@a4 fox@e4", lunar=lunar, light={"A": 3, "B": 0}, face_down="a4 g4")
    for line in lines:
        game.play(line)
    table, joined = seats(2, AGAINST_A_BOT, []), Joined()
    if lines[-1] == "end":
        take_back(game, table, joined)
    with pytest.raises(BadRequest, match="cannot be unseen"):
        take_back(game, table, joined)
    assert "turtle.hatch" in game.actions


def test_baby_that_a_bot_hatched_is_never_unseen() -> None:
    """M-SETUP-4."""
    lunar = {"A": 9, "B": 9}
    game = turn("a1:A1 g4:B1", animals="fox@e4 turtle@a4", lunar=lunar, light=1, face_down="a4 g4")
    for line in ("end", "turtle.hatch", "end"):
        game.play(line)
    with pytest.raises(BadRequest, match="cannot be unseen"):
        while True:
            take_back(game, seats(2, AGAINST_A_BOT, []), Joined())
    assert len(game.actions) >= 2


def test_nothing_to_take_back_at_the_very_start() -> None:
    assert "There is nothing to undo." in sit(Game(players=2), "undo", kinds=AGAINST_A_BOT)


# Asking about a space


@pytest.mark.parametrize("typed", ["a1", "A1", "why a1", "a1;a2"])
def test_asking_about_a_space_never_places_a_tree(typed: str) -> None:
    game = Game(players=2)
    shown = sit(game, typed, "forecast", "a2")
    assert game.actions == []
    assert "place a1" in shown


def test_the_same_space_again_places_the_tree() -> None:
    game = Game(players=2)
    shown = sit(game, "a1", "a1", "a3", "a2", "a2")
    assert game.actions == ["place a1", "place a2"]
    assert "Here you can: place a1 (a1 once more does it)" in shown


# Buying and growing


def test_buy_and_grow_warns_of_the_piece_that_would_be_lost() -> None:
    """R-ACT-4: as growing alone does."""
    game = turn("a1:A1 g4:B1", light=5, available={"A medium": 0}, slots={"A small": "xxxx"})
    shown = one_line(sit(game, "g a1", "n"))
    assert "Buy one, then grow a1? Together: 5 light." in shown
    assert "The small tree has no free slot and would be lost. Do it anyway?" in shown
    assert game.actions == []


def test_buy_and_grow_is_undone_and_redone_as_one() -> None:
    game = turn("a1:A1 g4:B1", light=6, available={"A medium": 0}, slots={"A small": "xxx."})
    sit(game, "g a1", "y", "undo")
    assert game.actions == []
    sit(game, "g a1", "y", "undo", "redo")
    assert game.actions == ["buy medium", "grow a1"]


def test_the_same_two_actions_said_one_by_one_are_undone_one_by_one() -> None:
    game = turn("a1:A1 g4:B1", light=6, available={"A medium": 0}, slots={"A small": "xxx."})
    sit(game, "g a1", "y", "undo", "buy medium", "grow a1", "undo")
    assert game.actions == ["buy medium"]


# Several actions in one line


def test_several_actions_on_one_line() -> None:
    game = turn("a1:A1 g4:B1", light={"A": 5, "B": 0}, available={"A medium": 1}, slots={"A small": "xxx."})
    sit(game, "g a1; b seed ;end")
    assert game.actions == ["grow a1", "buy seed", "end"]


def test_screen_is_drawn_once_for_a_line_of_several_actions() -> None:
    game = turn("a1:A1 g4:B1", light={"A": 5, "B": 0})
    shown = sit(game, "b seed; b seed; b small", tty=True)
    assert shown.count("You can:") == 2  # before and after
    assert (
        "Ada buys a seed for 1 light point, buys a seed for 1 light point, buys a small tree for 2 light points."
        in one_line(shown)
    )


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("b seed; grow d4", ["You have nothing on d4."]),
        ("b seed; grow zz; end", ["'grow zz' is not an action", "Not done: end."]),
        ("b seed; score", ["points"]),
        ("b seed; d4", ["d4, 4 leaves, empty."]),
        ("d4; b seed", ["d4, 4 leaves, empty."]),
        ("d4; why grow d4; b seed; a1", ["d4, 4 leaves, empty.", "You have nothing on d4.", "a1, 1 leaf,"]),
        ("d4; b seed; grow d4", ["d4, 4 leaves, empty.", "You have nothing on d4."]),
        ("b seed; b seed; g a1", ["would be lost. Do it anyway?"]),
    ],
)
def test_what_a_line_of_several_actions_says_stays_on_the_screen(typed: str, told: list[str]) -> None:
    light = {"A": 6, "B": 0}
    game = turn("a1:A1 g4:B1", light=light, available={"A medium": 1}, slots={"A small": "xxxx"})
    left = last_screen(sit(game, typed, tty=True))
    assert "Ada buys a seed" in left
    for sentence in told:
        assert sentence in one_line(left).split("You can:")[1], left


def test_question_stands_on_a_screen_that_is_drawn_again() -> None:
    game = turn("a1:A1 g4:B1", light=5, available={"A medium": 1}, slots={"A small": "xxxx"})
    shown = sit(game, "g a1", CTRL_L, tty=True)
    assert "would be lost. Do it anyway?" in one_line(last_screen(shown))
    assert len(last_screen(shown).partition("\n\n")[0].split("\n")) <= 24
    assert "Do it?" not in last_screen(sit(game, "g a1", "n", CTRL_L, tty=True))


def test_what_follows_a_refused_action_is_not_done_and_told() -> None:
    game = turn("a1:A1 g4:B1", light=2)
    shown = sit(game, "b seed; grow d4; end")
    assert game.actions == ["buy seed"]
    assert "Not done: end." in shown


def test_what_follows_a_question_waits_for_the_answer() -> None:
    game = turn("a1:A1 g4:B1", light=5, available={"A medium": 1}, slots={"A small": "xxxx"})
    sit(game, "g a1; b seed", "y")
    assert game.actions == ["grow a1", "buy seed"]
    other = turn("a1:A1 g4:B1", light=5, available={"A medium": 1}, slots={"A small": "xxxx"})
    shown = sit(other, "g a1; b seed", "n")
    assert other.actions == [] and "Not done: b seed." in shown


def test_nothing_is_done_in_the_turn_of_somebody_else() -> None:
    game = turn("a1:A1 g4:B1", light={"A": 3, "B": 3})
    shown = sit(game, "end; buy seed")
    assert game.actions == ["end"] and "Not done: buy seed." in shown


def test_all_that_the_others_did_is_told_on_request() -> None:
    game = Game(players=3)
    for line in ("place a1", "place a2", "place a3", "place a4", "place g1", "place g2"):
        game.play(line)
    for line in ("end", "buy seed", "end", "buy small", "end", "end", "end"):
        game.play(line)
    assert game.player == 0
    shown = sit(game, "buy seed; last", kinds=["human"] * 3)
    told = [line for line in shown.split("\n") if " buys " in line or " ends " in line]
    assert [line.split()[0] for line in told[-6:]] == ["Bo", "Bo", "Player", "Player", "Bo", "Player"]
