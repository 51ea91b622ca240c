"""The kernel compiled ahead of time: used for exactly its sources, without Numba, and no further than it goes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from ctypes import ArgumentError
from pathlib import Path

import numpy as np
import pytest

from prebuilding import build, one_build, python
from sunglade import Rules, kernel
from sunglade.kernel.record import OVER
from sunglade.prebuilding.stamps import files, is_current
from sunglade.prebuilding.targets import TUNED
from sunglade.prebuilt.library import LEAST, Library, processors
from test_imports import OF_NUMBA, PAGE_FILES, name_of

pytestmark = [pytest.mark.slow, one_build]

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None  # whoever imports them fails
"""
WITHOUT_NUMPY = """
sys.modules["numpy"] = None
"""
ANSWER = """
from sunglade.engine import answer
print(answer(b'{"id": 1, "cmd": "state", "game": {"players": 3, "rules": {"modules": ["moon"]}, "seed": 5}}'))
"""
WHOLE_GAMES = """
from whole_games import told

print(*told(), sep="\\n")
"""
ALONE = """
from whole_games import forbid

forbid()
"""
ENVIRONMENT = """
from sunglade import Game, kernel
from sunglade.kernel.compiler import way

from sunglade.search.rollout_thinker import RolloutThinker

first = way().name
game, thinker = Game(players=2), RolloutThinker()
legal, simulations = game.legal, thinker.think(game, nodes=50).simulations
from sunglade.envs.batch import BatchEnv

env = BatchEnv(4, players=2)
env.reset(seed=1)
played = env.play_random(100)
simulations += thinker.think(game, nodes=50).simulations
visits = sum(line.visits for line in thinker.think(game, nodes=1).lines)
print(first, way().name, legal == Game(players=2).legal, kernel.winners(game.now), simulations, visits)
"""


@pytest.fixture(scope="module")
def folder() -> Path:
    return build("native")


def test_the_engine_answers_without_numba_and_numpy(folder: Path) -> None:
    prebuilt = python(WITHOUT_NUMBA + WITHOUT_NUMPY + ANSWER, SUNGLADE_PREBUILT=str(folder))
    assert "'legal': ['draft" in prebuilt
    assert prebuilt == python(ANSWER, SUNGLADE_PREBUILT="")


@pytest.mark.parametrize("kinds", ["*", LEAST])
def test_whole_games_need_nothing_but_the_game(folder: Path, kinds: str, tmp_path: Path) -> None:
    """Bots, searches, forecasts, views, files and a look back: the same without NumPy, Numba and what servers need.

    On this processor, and as on one of the least able kind.
    """
    for file in folder.glob(f"linux-{kinds}.*"):
        shutil.copy(file, tmp_path)
    prebuilt = python(ALONE + WHOLE_GAMES, SUNGLADE_PREBUILT=str(tmp_path))
    assert len(prebuilt.splitlines()) > 10
    assert prebuilt == python(WHOLE_GAMES, SUNGLADE_PREBUILT="")


def test_rooms_of_a_page_need_nothing_but_the_game(folder: Path) -> None:
    modules = [f"sunglade.{name_of(file)}" for file in PAGE_FILES if name_of(file) not in OF_NUMBA]
    python(ALONE + "\n".join(f"import {module}" for module in modules), SUNGLADE_PREBUILT=str(folder))


def test_the_version_says_how_the_rules_run(folder: Path) -> None:
    code = "from sunglade.cli import main; main(['--version'])"
    best = next(kind for kind in (TUNED, LEAST) if kind in processors())
    assert f"the rules prebuilt for linux-{best}" in python(code, SUNGLADE_PREBUILT=str(folder))
    assert "the rules compiled by Numba" in python(code, SUNGLADE_PREBUILT="")
    assert "the rules interpreted" in python(code, SUNGLADE_PREBUILT=str(folder), NUMBA_DISABLE_JIT="1")


def test_a_library_for_other_sources_is_not_used(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for page in tmp_path.glob("*.json"):
        page.write_text(json.dumps(json.loads(page.read_text()) | {"sources": "0" * 64}))
    code = "from sunglade.kernel.compiler import way; print(way().name)"
    assert python(code, SUNGLADE_PREBUILT=str(tmp_path)) == "NUMBA\n"
    assert python(code, SUNGLADE_PREBUILT=str(folder)) == "PREBUILT\n"


def truncate_page(page: Path, library: Path) -> None:
    page.write_text(page.read_text()[:100])


def forget_library(page: Path, library: Path) -> None:
    page.write_text(json.dumps({"sources": json.loads(page.read_text())["sources"]}))


def change_library(page: Path, library: Path) -> None:
    library.write_bytes(library.read_bytes() + b"!")


def remove_library(page: Path, library: Path) -> None:
    library.unlink()


@pytest.mark.parametrize("damage", [truncate_page, forget_library, change_library, remove_library])
def test_a_damaged_library_is_not_used(damage: Callable[[Path, Path], None], folder: Path, tmp_path: Path) -> None:
    """Nor is it taken for up to date: it is built again."""
    for page, library in files("native", folder):
        shutil.copy(page, tmp_path)
        shutil.copy(library, tmp_path)
    assert is_current("native", tmp_path)
    for page, library in files("native", tmp_path):
        damage(page, library)
    assert not is_current("native", tmp_path)
    code = "from sunglade.kernel.compiler import way; print(way().name)"
    assert python(code, SUNGLADE_PREBUILT=str(tmp_path)) == "NUMBA\n"


def test_numba_takes_over_where_something_is_not_prebuilt(folder: Path) -> None:
    """And goes on in the very tree that a search has grown."""
    assert python(ENVIRONMENT, SUNGLADE_PREBUILT=str(folder)) == "PREBUILT NUMBA True 3 100 101\n"


def test_functions_take_nothing_but_what_they_were_built_for(folder: Path) -> None:
    page = folder / f"linux-{LEAST}.json"
    library = Library("this", json.loads(page.read_text())["functions"], page.with_suffix(".so"))
    legal = library.function("sunglade.kernel.legal.legal")
    playouts = library.function("sunglade.kernel.playout.playouts")
    s, out = kernel.new_record(Rules(), 2), kernel.LegalList()
    assert legal(s, out) == legal(s.array()[0], out) > 0
    for wrong in ((out, s), (s, b"bytes"), (s,), (s.array(), out)):
        with pytest.raises((ArgumentError, TypeError)):
            legal(*wrong)
    arrays = s.array(), s.copy().array(), out.array()
    assert playouts(*arrays, np.int64(2), 7) == kernel.playouts(*arrays, 2, 7)
    for position in (s, s.array().view(np.int64), np.zeros(4, kernel.STATE)[::2], out.array()):
        with pytest.raises(TypeError):
            playouts(position, *arrays[1:], 2, 7)


def played_in_python(games: int, players: int, seed: int) -> str:
    """What `examples/random_games.c` prints, from the kernel that Python runs."""
    state, actions, points = seed, 0, 0
    for _ in range(games):
        position, legal = kernel.new_record(Rules(), players), kernel.LegalList()
        while position.phase != OVER:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
            n = kernel.legal(position, legal)
            kernel.apply(position, legal.action[(mixed ^ mixed >> 31) % n])
            actions += 1
        points += sum(kernel.points(position, player) for player in range(players))
    return f"{actions} actions, {points} points\n"


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler of C here")
@pytest.mark.parametrize("players", [2, 4])
def test_a_program_in_c_plays_the_same_games(folder: Path, tmp_path: Path, players: int) -> None:
    """The header, the library and the example together, as its first lines say."""
    example = Path(__file__).parent.parent / "examples" / "random_games.c"
    (tmp_path / "sunglade.h").write_text(python("from sunglade.prebuilding.header import main\nmain()"))
    (library,) = [file for file in folder.glob("*.so") if LEAST in file.name]
    program = tmp_path / "random_games"
    strict = ["-O2", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable"]
    subprocess.run(["cc", *strict, f"-I{tmp_path}", str(example), str(library), "-o", str(program)], check=True)
    where = os.environ | {"LD_LIBRARY_PATH": str(folder)}
    done = subprocess.run([program, "20", str(players), "7"], env=where, capture_output=True, text=True, check=True)
    assert done.stdout == played_in_python(20, players, 7)
