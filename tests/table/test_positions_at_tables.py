"""Tables made from positions: of the base game, and with a moon whose babies nobody has seen."""

import pytest

from positions import turn
from sunglade import Game
from sunglade.table.agreement import Agreement
from sunglade.table.requests import CreateTable
from sunglade.table.seating import setup_for, setup_of_rematch, setup_of_upload
from sunglade.table.shapes import ObjectOf
from sunglade.table.table import Event, Table

BASE = turn("d4:A3 a1:B1", light=5)
MOON = turn("c3:A3 d4:B2", animals="turtle@a1 fox@e4", lunar=14, babies="light seed two leaf small points")
games = pytest.mark.parametrize("game", [BASE, MOON, MOON.redacted()], ids=["base", "moon", "redacted"])


def table_of(game: Game) -> Table:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "sapling"}]
    request = ObjectOf(CreateTable).read({"seats": seats, "game": game.to_dict()})
    made = setup_for(request, "holder", ["greedy", "sapling"])
    return Table("t", Event(1, 0.0, "created", None, made.to_dict()))


@games
def test_a_table_goes_on_from_a_position(game: Game) -> None:
    table = table_of(game)
    assert table.game.legal == game.legal and table.view()["turn"]["seat"] == game.player
    assert Agreement.from_dict(table.setup.to_dict()).game() == table.game
    table.apply(Event(2, 0.0, "play", 0, {"action": "end"}))
    assert Game.from_dict(table.shown()).actions == ["end"]


@games
def test_it_can_be_looked_at_and_a_rematch_begins_at_the_start(game: Game) -> None:
    assert setup_of_upload(game.to_dict()).game().legal == game.legal
    again, _ = setup_of_rematch(table_of(game))
    assert again.game().round == 0


def test_what_lies_face_down_is_told_to_nobody() -> None:
    shown = table_of(MOON).shown()
    assert "babies" not in shown["position"] and set(shown["deal"]["babies"]) == {None}


@pytest.mark.parametrize(
    ("ability", "animals", "more", "reason"),
    [
        ("fox.scare", "fox@c3 owl@e4", {"lunar": 0}, "lunar"),
        ("fox.scare", "fox@c3 owl@e4", {"lunar": 5}, None),
        ("fox.steal", "fox@c3 owl@e4", {"lunar": 5}, "not_beside"),
        ("fox.move", "fox@c3 owl@e4", {"lunar": 5}, "no_seed"),
        ("beaver.dam", "beaver@d4 owl@e4", {"lunar": 9}, "not_on_dam"),
        ("turtle.steps", "turtle@d4 owl@e4", {"lunar": 9}, "baby_not_hatched"),
        ("turtle.steps", "turtle@d4 owl@e4", {"lunar": 9, "hatched": "light"}, None),
        ("fox.scare", "owl@c3 fox@e4", {"lunar": 9}, "other_animal"),
    ],
)
def test_an_ability_is_asked_about_by_its_name(
    ability: str, animals: str, more: dict[str, object], reason: str | None
) -> None:
    table = table_of(turn("d4:A3 a1:B1", animals=animals, **more))  # type: ignore[arg-type]
    told = table.why(ability)
    assert (told["action"], told["legal"], told.get("reason")) == (ability, reason is None, reason)
