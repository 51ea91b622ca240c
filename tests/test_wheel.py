"""The wheel, built and installed as a user would, plays a game without the checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

import sunglade
from prebuilding import build, one_build
from sunglade.prebuilding.stamps import WASM, libraries
from sunglade.prebuilt.library import SUFFIX
from test_page_host import opens_by_itself
from web.stage import hatch_build

ROOT = Path(__file__).parent.parent

# The tests share one build: xdist keeps them together.
pytestmark = [pytest.mark.slow, one_build]

WHOLE_GAME = """
import random
from sunglade import Game

game = Game(players=2)
choose = random.Random(1).choice
while not game.over:
    game.play(choose(game.legal))
print("over")
"""

WHOLE_GAME_OF_A_BOT = """
from sunglade import Game, bots

game, bot = Game(players=2), bots.make("BOT", seed=1)
while not game.over:
    game.play(bot.act(game, 5))
print("over")
"""


def run(*command: str | Path, **options: Any) -> str:
    """What the command prints; if it fails, the test fails with that."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel that was built from it."""
    build("all")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (wheel,) = dist.glob("*.whl")
    return wheel


def test_names_carry_the_version(dist: Path) -> None:
    version = sunglade.__version__
    assert {file.name for file in dist.iterdir()} == {
        f"sunglade-{version}.tar.gz",
        f"sunglade-{version}-py3-none-any.whl",
    }


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "sunglade/py.typed" in names
    assert "sunglade/web/index.html" in names, "the client is part of the wheel"
    assert {name.split("/")[0] for name in names} == {"sunglade", f"sunglade-{sunglade.__version__}.dist-info"}
    assert not [name for name in names if "tests" in name or "/test_" in name]
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names}


def test_wheel_holds_the_licences_of_the_scripts_and_fonts_in_it(wheel: Path) -> None:
    licences = zipfile.ZipFile(wheel).read("sunglade/web/licenses.md").decode()
    for name, words in {
        "svelte": "Permission is hereby granted, free of charge",
        "clsx": "Permission is hereby granted, free of charge",
        "rubik": "SIL OPEN FONT LICENSE",
    }.items():
        (section,) = [text for text in licences.split("\n## ")[1:] if text.startswith(name)]
        assert words in section


def test_wheel_holds_the_kernel_compiled_ahead_of_time(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for library in (*libraries("native"), *libraries("wasm")):
        suffix = ".wasm" if library == WASM else SUFFIX
        assert {f"sunglade/prebuilt/{library}.json", f"sunglade/prebuilt/{library}{suffix}"} <= names


def test_wheel_holds_the_parts_for_tables_on_a_device(wheel: Path) -> None:
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("sunglade/device/")}
    assert {"made.json", "licenses.md"} <= names
    for part in ("python", "library", "rooms", "kernel", "kernel-page", "network"):
        assert [name for name in names if name.startswith(f"{part}-") and name.endswith(".packed-br")], part


def installed(wheel: Path, requirements: str, folder: Path) -> Path:
    """The programs of a new environment with what is locked in a file, and the wheel."""
    run(sys.executable, "-m", "venv", folder / "venv")
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--require-hashes", "-r", ROOT / "requirements" / requirements)
    run(scripts / "python", "-m", "pip", "install", "--no-index", "--no-deps", wheel)
    run(scripts / "python", "-m", "pip", "check")
    return scripts


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel in it, and what `make play` needs."""
    return installed(wheel, "runtime.txt", tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel in it and no extra: `pip install sunglade`."""
    scripts = installed(wheel, "plain.txt", tmp_path_factory.mktemp("plain"))
    run(scripts / "python", "-m", "pip", "uninstall", "--yes", "setuptools", "pip")  # not ours, and not to be counted
    return scripts


MOST_PLAIN = 120_000_000
"""Bytes that a plain installation may take, unpacked."""


def test_plain_installation_is_light_and_plays(plain: Path, tmp_path: Path) -> None:
    """In Python and as an engine; without NumPy, Numba or anything of servers."""
    packages = [file for file in plain.parent.rglob("*") if file.is_file() and "site-packages" in file.parts]
    assert sum(file.stat().st_size for file in packages) < MOST_PLAIN
    options = elsewhere(tmp_path)
    assert run(plain / "python", "-c", WHOLE_GAME, **options).split()[-1] == "over"
    for bot in ("greedy", "search", "neural"):
        assert run(plain / "python", "-c", WHOLE_GAME_OF_A_BOT.replace("BOT", bot), **options).split()[-1] == "over"
    request = '{"id": 1, "cmd": "state", "game": {"players": 2}}'
    assert "place a1" in json.loads(run(plain / "sunglade", "engine", input=request, **options))["legal"]


@pytest.mark.parametrize(
    ("command", "extra"),
    [("serve", "server"), ("tables retire --days 1", "server"), ("arena --bots greedy random", "numba")],
)
def test_a_command_that_lacks_its_extra_says_so(command: str, extra: str, plain: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [plain / "sunglade", *command.split()], capture_output=True, text=True, **elsewhere(tmp_path), timeout=300
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sunglade: this needs ")
    assert done.stderr.endswith(f"; pip install 'sunglade[{extra}]' brings it.\n")


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("from sunglade.envs import BatchEnv", "numba"),
        ("from sunglade.envs.observation import NAMES", "numba"),
        ("from sunglade import data", "numba"),
        ("from sunglade.arena import hold", "numba"),
        ("from sunglade.client import Client", "server"),
    ],
)
def test_an_import_that_lacks_its_extra_says_so(code: str, extra: str, plain: Path, tmp_path: Path) -> None:
    done = subprocess.run([plain / "python", "-c", code], capture_output=True, text=True, **elsewhere(tmp_path))
    assert done.returncode == 1
    assert done.stderr.endswith(f"which is not installed; pip install 'sunglade[{extra}]' brings it.\n"), done.stderr


def test_without_a_library_that_fits_and_without_numba_it_says_that_it_interprets(plain: Path, tmp_path: Path) -> None:
    options = elsewhere(tmp_path)
    options["env"] |= {"SUNGLADE_PREBUILT": "", "LC_ALL": "C.UTF-8"}
    request = '{"id": 1, "cmd": "state", "game": {"players": 2}}'
    done = subprocess.run([plain / "sunglade", "engine"], input=request, capture_output=True, text=True, **options)
    assert "place a1" in json.loads(done.stdout)["legal"]
    assert done.stderr.count("\n") == 1 and "interpreted" in done.stderr and "'sunglade[numba]'" in done.stderr
    assert "the rules interpreted" in run(plain / "sunglade", "--version", **options)


def elsewhere(folder: Path) -> dict[str, Any]:
    """How a program runs away from the checkout; what is compiled goes into a cache of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "SUNGLADE"))}
    return {"cwd": folder, "env": clean | {"XDG_CACHE_HOME": str(folder / "cache")}}


def test_installed_wheel_plays_a_whole_game(scripts: Path, tmp_path: Path) -> None:
    options = elsewhere(tmp_path)
    home = run(scripts / "python", "-c", "import sunglade; print(sunglade.__file__)", **options)
    assert str(scripts.parent) in home
    assert run(scripts / "python", "-c", WHOLE_GAME, **options).split()[-1] == "over"
    assert sunglade.__version__ in run(scripts / "sunglade", "--version", **options)


def test_installed_wheel_writes_the_site_that_the_checkout_writes(scripts: Path, tmp_path: Path) -> None:
    """Without a compiler, Node or a network. Tests of the client play on that of the checkout (`tests/web`)."""
    options = elsewhere(tmp_path)
    options["env"] |= {"PATH": str(scripts)}
    told = run(scripts / "sunglade", "site", tmp_path / "site", **options)
    assert "put that folder on any web host" in told
    with FileLock(ROOT / "build" / "site.lock"):
        hatch_build.build_site()
        assert files_in(tmp_path / "site") == files_in(hatch_build.SITE)


def test_plain_installation_opens_the_game_in_the_browser(plain: Path, tmp_path: Path, interruptible: None) -> None:
    """Plain `sunglade` in a terminal: with Python's own library, without a compiler, Node or a network."""
    environment = elsewhere(tmp_path)["env"] | {"PATH": str(plain), "LC_ALL": "C.UTF-8"}
    opens_by_itself(environment, [str(plain / "sunglade")], tmp_path)


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_installed_wheel_plays_without_numba(scripts: Path, tmp_path: Path) -> None:
    """The engine answers, and games are played by a bot that looks and by one that searches."""
    run(scripts / "python", "-m", "pip", "uninstall", "--yes", "numba", "llvmlite")
    options = elsewhere(tmp_path)
    assert "the rules prebuilt for" in run(scripts / "sunglade", "--version", **options)
    request = '{"id": 1, "cmd": "state", "game": {"players": 2}}'
    assert "place a1" in json.loads(run(scripts / "sunglade", "engine", input=request, **options))["legal"]
    for bot in ("greedy", "search"):
        game = WHOLE_GAME_OF_A_BOT.replace("BOT", bot)
        assert run(scripts / "python", "-c", game, **options).split()[-1] == "over"
