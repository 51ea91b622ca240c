"""The terminal's screens, letter by letter: three sizes, with and without colour, in UTF-8 and in ASCII.

`python tests/test_golden_screens.py` writes them anew; look at the difference before you keep it.
"""

import io
import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

from at_the_terminal import Typist, paper
from sunglade import Game, Rules, bots, plain_text
from sunglade.terminal import seats, store
from sunglade.terminal.answers import HELP
from sunglade.terminal.session import Session

pytestmark = pytest.mark.usefixtures("own_data_folder")

FOLDER = Path(__file__).parent / "golden_screens"
SIZES = [(60, 20), (80, 24), (120, 40)]
CASES = [(*size, colour, encoding) for size in SIZES for colour in (False, True) for encoding in ("utf-8", "ascii")]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def game() -> Game:
    """Three players with everything, in the second round."""
    new = Game(3, Rules(modules=["moon", "elder", "stones"]), seed=11)
    bot = bots.make("greedy", seed=11)
    while new.round < 2 or new.player != 0:
        new.play(bot.act(new, 1))
    return new


def screens(width: int, height: int, colour: bool, encoding: str) -> str:
    """What a player sees: the set-up, a turn, and the answers to some questions."""
    plain_text.register()
    shown = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=plain_text.NAME, newline="\n")
    console = paper(shown, width=width, height=height, colours="256" if colour else None)
    for played in (Game(players=2), game()):
        table = seats(played.players, ["human"] * played.players, ["Ada", "Wilhelmina Maximiliane"])
        lines = ["?", "list", "forecast", "score", "last", "legend", "animals", "d4", "board", "xyzzy"]
        Session(played, table, console, Typist(lines), store.Keeper()).run()
    shown.flush()
    buffer = shown.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(encoding)


def golden(width: int, height: int, colour: bool, encoding: str) -> Path:
    return FOLDER / f"{width}x{height}{'-colour' if colour else ''}-{encoding}.txt"


@pytest.mark.parametrize(("width", "height", "colour", "encoding"), CASES)
def test_screens_are_as_they_were(width: int, height: int, colour: bool, encoding: str) -> None:
    expected = golden(width, height, colour, encoding).read_text(encoding="utf-8")
    assert screens(width, height, colour, encoding) == expected


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_wider_than_the_window(width: int, height: int) -> None:
    text = ESCAPES.sub("", golden(width, height, False, "utf-8").read_text(encoding="utf-8"))
    assert [line for line in text.split("\n") if len(line.rstrip()) > width and "sunglade" not in line] == []


def test_help_is_not_broken_on_80_columns() -> None:
    assert [line for line in HELP.split("\n") if len(line) > 80] == []


def test_ascii_keeps_columns_straight() -> None:
    """Player lines are as long as in UTF-8: what follows a shortened name stands below its heading."""
    lines = [golden(80, 24, False, encoding).read_text(encoding="utf-8").split("\n") for encoding in ("utf-8", "ascii")]
    players = [[len(line) for line in each if re.match(r"[> ]  [ABC]  \w", line)] for each in lines]
    assert players[0] == players[1] and players[0]


def test_ascii_has_a_sign_for_every_sign() -> None:
    text = golden(80, 24, False, "ascii").read_text(encoding="utf-8")
    assert text.isascii()
    for sign in ("sun at a1 \\", "#", "->", "SUN "):
        assert sign in text
    assert not re.search(r"\w\?\w|\?\?", text)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as own_data_folder:
        os.environ["SUNGLADE_DATA"] = own_data_folder
        for case in CASES:
            golden(*case).write_text(screens(*case), encoding="utf-8", newline="\n")
            print(golden(*case), file=sys.stderr)
