"""Games that begin at a position: kept, redacted, played on and taken to tables like those that begin at the start."""

from pathlib import Path

from positions import turn
from sunglade import Game
from sunglade.table.requests import CreateTable, SeatRequest
from sunglade.table.seating import setup_for

WITH_BABIES = turn("c3:A3 d4:B2", animals="turtle@a1 fox@e4", lunar=14, babies="light seed two leaf small points")


def test_a_game_from_a_position_is_saved_with_what_was_done_since(tmp_path: Path) -> None:
    game = turn("d4:A1 a1:B1", light=5)
    game.play("grow d4")
    game.save(tmp_path / "game.json")
    again = Game.load(tmp_path / "game.json")
    assert again == game and again.actions == ["grow d4"]
    again.undo()
    assert again == turn("d4:A1 a1:B1", light=5)


def test_what_is_hidden_in_its_position_is_redacted() -> None:
    told = WITH_BABIES.redacted().to_dict()
    assert told["deal"]["babies"] == [None] * 6
    assert "babies" not in told["position"]
    assert WITH_BABIES.redacted_data.to_dict() == told
    assert Game.from_dict(told) == WITH_BABIES.redacted()


def test_its_unseen_babies_are_drawn_anew_and_the_seen_stay() -> None:
    game = Game.from_dict(WITH_BABIES.to_dict())
    game.play("turtle.hatch")
    drawn = [game.determinised(seed) for seed in range(20)]
    assert all(one.data.deal.babies[0] == "light" for one in drawn)
    assert len({one.data.deal.babies for one in drawn}) > 5
    assert all(one.legal == game.legal and one.actions == ["turtle.hatch"] for one in drawn)


def test_where_there_is_no_moon_there_is_nothing_to_draw() -> None:
    game = turn("d4:A1 a1:B1", light=5)
    for copy in (game.determinised(3), game.redacted()):
        assert copy == game and copy.position() == game.position()


def test_a_table_can_begin_at_a_position_without_a_moon() -> None:
    game = turn("d4:A1 a1:B1", light=5)
    request = CreateTable([SeatRequest("me", name="Ada"), SeatRequest("me", name="Bo")], game=game.to_dict())
    assert setup_for(request, "holder", ["greedy"]).game() == game
