"""Lower levels and their animals: an ability is used when the rest of the game goes better with it."""

from typing import Any

import pytest

from positions import turn
from sunglade import Game, Rules, bots
from sunglade.bots import levels
from sunglade.bots.animal_walk import best_step
from sunglade.bots.foresight import Foresight
from sunglade.bots.temper import Temper
from sunglade.kernel.actions import TABLE
from sunglade.notation import ACTION_NAMES
from sunglade.search.imagined_games import Desk, imagined_margin
from sunglade.search.manner import CHANCES

QUICK = (levels.seedling, levels.sapling, levels.birch, levels.maple)
SAPLING = Temper(forgets=0.2, looks_at_soil=True)


def choice(game: Game, temper: Temper = SAPLING, seed: int = 1) -> str | None:
    found = Foresight(seed, temper).choice(game.now, game.legal_numbers, lambda _: True)
    return None if found is None else ACTION_NAMES[found]


def test_the_boar_digs_what_no_light_is_left_for() -> None:
    """M-ANIMAL-3-BOAR: in the last round, without light, a tree of the player's own brings a token."""
    assert choice(turn("d4:A3 a1:B1", round=18, animals="boar@d4 fox@a4", lunar=6)) == "boar.dig"


def test_a_step_is_taken_towards_an_ability_that_pays() -> None:
    game = turn("d4:A3 a1:B1", round=18, animals="boar@d5 fox@a4", lunar=6)
    assert choice(game) == "step d4"


def test_an_ability_that_brings_less_than_it_costs_is_left_alone() -> None:
    """M-MOON-6: in the last round three light are a point, and the five lunar points for them are five."""
    assert choice(turn("d4:A1 a1:B1", round=18, animals="owl@d4 fox@a4", lunar=12)) is None


def test_the_owl_hunts_for_the_light_that_collects_a_tree() -> None:
    game = turn("d4:A3 a1:B1", round=18, light=1, animals="owl@a2 fox@a4", lunar=6)
    assert choice(game) == "owl.hunt 1"


def test_the_same_seed_foresees_the_same_and_changes_nothing() -> None:
    game = turn("d4:A2 c3:A1 a1:B1", round=9, light=2, animals="owl@d4 fox@a4", lunar=12)
    before = game.now.copy()
    assert len({choice(game, seed=7) for _ in range(3)}) == 1
    assert game.now == before


def test_imagined_games_begin_where_they_should_and_count_points() -> None:
    """With nothing left to do the margin is what the board says."""
    game = turn("a1:A1 g4:B1", round=18, animals="owl@d4 fox@a4", lunar={"A": 9, "B": 4})
    desk = Desk()
    desk.start = game.now
    assert imagined_margin(desk, 5, 1) == 5.0
    desk.manner.forgets = CHANCES // 4
    desk.start = turn("a1:A1 g4:B1 c3:A2 d4:A2", round=3, animals="owl@d4 fox@a4").now
    some = [imagined_margin(desk, 20, seed) for seed in (1, 1, 1000)]
    assert some[0] == some[1] != some[2]


@pytest.mark.parametrize("maker", QUICK)
def test_levels_play_the_same_game_for_a_seed_with_animals(maker: Any) -> None:
    def game() -> list[str]:
        played = Game(3, Rules(modules=["moon"], rounds=6), seed=4)
        players = [maker(seat) for seat in range(3)]
        while not played.over:
            played.play(players[played.now.player].act(played.redacted(), 100))
        return list(played.actions)

    assert game() == game()


def test_the_owl_helps_sapling() -> None:
    """24 games against itself without abilities, each deal twice; docs/bots.md tells of many more."""
    ahead = 0
    for number in range(24):
        seat = number % 2
        animals = [["owl", "fox"], ["squirrel", "beaver"]]
        game = Game(2, Rules(modules=["moon"]), deal={"animals": animals if seat == 0 else animals[::-1]})
        players = [levels.sapling(number // 2 * 2 + place, abilities=place == seat) for place in range(2)]
        while not game.over:
            game.play(players[game.now.player].act(game.redacted(), 100))
        points = [score.total for score in game.scores()]
        ahead += points[seat] - points[1 - seat]
    assert ahead >= 24


def test_what_lies_face_down_is_not_seen() -> None:
    """M-SETUP-4: whatever it is, the choice is the same."""
    game = turn("a1:A1 g4:B1", animals="turtle@a1 fox@d5", lunar=9, light=5, face_down="a1 a4 d1 d7 g1 g4")
    assert "turtle.hatch" in game.legal
    for name in ("sapling", "birch", "maple"):
        choices = {bots.make(name, seed=1).act(game.determinised(seed), 100) for seed in range(5)}
        assert choices == {bots.make(name, seed=1).act(game.redacted(), 100)}


def test_the_boar_waits_beside_trees_that_will_be_large() -> None:
    """With more lunar points than can be kept, being where it can dig is worth more than moonlight."""
    game = turn("c4:A3 a1:B1", round=14, activated="c4", animals="boar@e4 fox@a4", lunar=14)
    steps = [number for number in game.legal_numbers if TABLE[number].kind == "step"]
    found = [best_step(game.now, steps, works=works) for works in (True, False)]
    assert [ACTION_NAMES[number or 0] for number in found] == ["step d4", "step e5"]
