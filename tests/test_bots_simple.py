"""The simple bots: always legal, repeatable, blind to what a player may not see."""

import itertools

import pytest

from positions import turn
from sunglade import BadRequest, Game, Rules, bots
from sunglade.rules import EDITIONS

MODULES = ("moon", "elder", "stones")
MODULE_SETS = [list(some) for count in range(4) for some in itertools.combinations(MODULES, count)]


def play_out(game: Game, names: list[str], seed: int = 0) -> Game:
    """Play a game to its end; every bot sees a redacted copy, as at a table."""
    players = [bots.make(name, seed=seed + seat) for seat, name in enumerate(names)]
    while not game.over:
        assert game.player is not None
        game.play(players[game.player].act(game.redacted(), 1000))
    return game


def test_unknown_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadRequest, match=r"no bot 'deep'; the bots are random, greedy"):
        bots.make("deep")


def test_every_registered_bot_can_be_made_and_acts() -> None:
    for name in bots.names():
        game = Game(players=2)
        assert bots.make(name, seed=1).act(game, 100) in game.legal


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_same_seed_plays_the_same_game(name: str) -> None:
    games = [play_out(Game(2, Rules(rounds=4)), [name, name], seed=7) for _ in range(2)]
    assert games[0].actions == games[1].actions


def test_random_bot_tries_everything() -> None:
    game = Game(players=2)
    bot = bots.make("random", seed=1)
    assert {bot.act(game, 100) for _ in range(500)} == set(game.legal)


@pytest.mark.parametrize(("number", "edition"), list(enumerate(EDITIONS)), ids=list(EDITIONS))
def test_greedy_is_legal_in_every_edition(number: int, edition: str) -> None:
    rules = Rules(edition=edition, modules=MODULE_SETS[number % 8], shade_forbids=number % 2 == 0, rounds=10)
    assert play_out(Game(2 + number % 3, rules, seed=number), ["greedy", "random", "greedy", "random"]).over


@pytest.mark.parametrize("modules", MODULE_SETS, ids=lambda modules: "+".join(modules) or "base")
def test_greedy_is_legal_with_every_combination_of_modules(modules: list[str]) -> None:
    assert play_out(Game(3, Rules(modules=modules, rounds=8), seed=len(modules)), ["greedy"] * 3).over


@pytest.mark.parametrize("animal", ["boar", "hedgehog", "squirrel", "fox", "owl", "badger", "beaver", "turtle"])
def test_greedy_is_legal_with_every_animal(animal: str) -> None:
    others = [other for other in ("owl", "fox", "turtle", "squirrel") if other != animal]
    deal = {"animals": [[animal, others[0]], others[1:3]]}
    game = Game(2, Rules(modules=["moon"], rounds=8), deal=deal)
    game.play(f"draft {animal}")
    assert play_out(game, ["greedy", "greedy"]).over


def test_greedy_beats_random_clearly() -> None:
    for seed in range(4):
        seats = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        game = play_out(Game(2, seed=seed), seats, seed)
        points = [score.total for score in game.scores()]
        assert points[seats.index("greedy")] > points[seats.index("random")] + 20


def test_greedy_collects_in_the_last_round() -> None:
    game = turn("d4:A3 a1:B1", round=18, light=4)
    assert bots.make("greedy").act(game, 100) == "collect d4"


def test_greedy_does_not_waste_light_at_the_end() -> None:
    game = turn("a1:A1 a3:B1", round=18, light=9)
    assert bots.make("greedy").act(game, 100) == "end"


def test_thinking_changes_nothing() -> None:
    game = Game(3, Rules(modules=MODULES), seed=2)
    bot = bots.make("greedy")
    for _ in range(40):
        before = game.fork()
        line = bot.act(game, 100)
        assert game == before and game.actions == before.actions
        game.play(line)


def test_greedy_does_not_look_at_face_down_babies() -> None:
    """M-SETUP-4: whatever lies face down, the choice is the same."""
    game = turn("a1:A1 g4:B1", animals="turtle@a1 fox@d5", lunar=9, light=5, face_down="a1 a4 d1 d7 g1 g4")
    assert "turtle.hatch" in game.legal
    choices = {bots.make("greedy", seed=1).act(game.determinised(seed), 100) for seed in range(5)}
    assert choices == {bots.make("greedy", seed=1).act(game.redacted(), 100)}
