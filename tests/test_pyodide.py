"""The game in Pyodide, as in a page in a browser, plays the games that it plays here, byte for byte."""

from __future__ import annotations

import pytest

from in_pyodide import in_pyodide
from prebuilding import one_build, python
from test_imports import OF_NUMBA, PAGE_FILES, name_of

pytestmark = [pytest.mark.slow, one_build]

WAY = "from sunglade.prebuilt.way import described\nprint(described())"
RANDOM_GAMES = "from random_games import fingerprints\nprint(*fingerprints({games}), sep='\\n')"
WHOLE_GAMES = "from whole_games import told\nprint(*told(), sep='\\n')"
SEARCHES = """
from random_games import MODULE_SETS, random_game
from sunglade.search.rollout_thinker import RolloutThinker

for number, modules in enumerate(MODULE_SETS):
    thinker, game = RolloutThinker(seed=number), random_game(number, 30, modules=modules, players=2 + number % 3)
    if not game.over:
        print(thinker.think(game, nodes={nodes}))
"""


ELDER = """
from sunglade import Game, bots

game, bot = Game(players=2), bots.make("elder")
print(bot.act(game, 1000) in game.legal, bots.note_of(bot))
"""


def test_rooms_of_a_page_can_be_imported_there() -> None:
    modules = [f"sunglade.{name_of(file)}" for file in PAGE_FILES if name_of(file) not in OF_NUMBA]
    in_pyodide("\n".join(f"import {module}" for module in modules))


def test_the_kernel_there_is_webassembly() -> None:
    assert in_pyodide(WAY) == "prebuilt for emscripten-wasm32\n"


@pytest.mark.parametrize("games", [300, pytest.param(20_000, marks=pytest.mark.proof)])
def test_random_games_are_the_same_there(games: int) -> None:
    """Over all options and modules: records and legal lists, and what the kernel says about each position."""
    code = RANDOM_GAMES.format(games=games)
    played = in_pyodide(code)
    assert len(played.splitlines()) == games and played == python(code, SUNGLADE_PREBUILT="")


@pytest.mark.parametrize("nodes", [3_000, pytest.param(100_000, marks=pytest.mark.proof)])
def test_searches_find_the_same_there(nodes: int) -> None:
    code = SEARCHES.format(nodes=nodes)
    thoughts = in_pyodide(code)
    assert len(thoughts.splitlines()) > 5 and thoughts == python(code, SUNGLADE_PREBUILT="")


def test_whole_games_of_bots_are_the_same_there() -> None:
    """And forecasts, views, files and a look back."""
    assert in_pyodide(WHOLE_GAMES) == python(WHOLE_GAMES, SUNGLADE_PREBUILT="")


NETWORK = "from network_questions import main\nmain(24)"
NEURAL = """
from random_games import MODULE_SETS, random_game
from sunglade.bots import make

bot = make("neural")
for number in range({positions}):
    modules = MODULE_SETS[number % len(MODULE_SETS)]
    game = random_game(number, 10 + 7 * number % 120, modules=modules, players=2 + number % 3)
    print("over" if game.over else bot.think(game, nodes=24).action)
"""


def test_the_network_gives_the_same_answers_there() -> None:
    here, there = (
        [[float(number) for number in line.split()] for line in told.splitlines()]
        for told in (python(NETWORK, SUNGLADE_PREBUILT=""), in_pyodide(NETWORK))
    )
    assert len(here) == len(there) == 24
    for expected, found in zip(here, there, strict=True):
        assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("positions", [20, pytest.param(500, marks=pytest.mark.proof)])
def test_the_neural_player_plays_the_same_there(positions: int) -> None:
    """In 99 of 100 positions: sums are added up in another order there, and two actions may be equally good."""
    code = NEURAL.format(positions=positions)
    here, there = python(code, SUNGLADE_PREBUILT="").splitlines(), in_pyodide(code).splitlines()
    assert len(here) == len(there) == positions
    assert sum(one == other for one, other in zip(here, there, strict=True)) >= 0.99 * positions


def test_the_strongest_level_plays_with_the_network_there() -> None:
    """On one thread: a page has no others."""
    assert in_pyodide(ELDER) == "True None\n"
