"""The terminal's screens, letter by letter: every language, three sizes, with and without colour, UTF-8 and ASCII.

`python tests/test_golden_screens.py` writes them anew; look at the difference before you keep it.
"""

import io
import os
import re
import sys
import tempfile
from pathlib import Path

import pytest
from rich.cells import cell_len

from at_the_terminal import Typist, paper
from sunglade import Game, Rules, bots, plain_text
from sunglade.terminal import seats, store
from sunglade.terminal.session import Session
from sunglade.words import ENGLISH, codes, speech

pytestmark = pytest.mark.usefixtures("own_data_folder")

FOLDER = Path(__file__).parent / "golden_screens"
SIZES = [(60, 20), (80, 24), (120, 40)]
CASES = [
    (language, *size, colour, encoding)
    for language in codes()
    for size in SIZES
    for colour in (False, True)
    for encoding in (("utf-8", "ascii") if language == ENGLISH else ("utf-8",))  # else ASCII lacks letters
]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def game() -> Game:
    """Three players with everything, in the second round."""
    new = Game(3, Rules(modules=["moon", "elder", "stones"]), seed=11)
    bot = bots.make("greedy", seed=11)
    while new.round < 2 or new.player != 0:
        new.play(bot.act(new, 1))
    return new


def screens(language: str, width: int, height: int, colour: bool, encoding: str) -> str:
    """What a player sees: the set-up, a turn, and the answers to some questions."""
    plain_text.register()
    speech.speak(language)
    shown = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=plain_text.NAME, newline="\n")
    console = paper(shown, width=width, height=height, colours="256" if colour else None)
    for played in (Game(players=2), game()):
        table = seats(played.players, ["human"] * played.players, ["Ada", "Wilhelmina Maximiliane"])
        lines = [
            "?",
            "list",
            "forecast",
            "score",
            "last",
            "legend",
            "animals",
            "d4",
            "board",
            "xyzzy",
            "why plant a1 b2",
        ]
        Session(played, table, console, Typist(lines), store.Keeper()).run()
    shown.flush()
    buffer = shown.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(encoding)


def golden(language: str, width: int, height: int, colour: bool, encoding: str) -> Path:
    return FOLDER / language / f"{width}x{height}{'-colour' if colour else ''}-{encoding}.txt"


@pytest.mark.parametrize(("language", "width", "height", "colour", "encoding"), CASES)
def test_screens_are_as_they_were(language: str, width: int, height: int, colour: bool, encoding: str) -> None:
    expected = golden(language, width, height, colour, encoding).read_text(encoding="utf-8")
    assert screens(language, width, height, colour, encoding) == expected


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_wider_than_the_window(language: str, width: int, height: int) -> None:
    text = ESCAPES.sub("", golden(language, width, height, False, "utf-8").read_text(encoding="utf-8"))
    wide = [line for line in text.split("\n") if cell_len(line.rstrip()) > width]
    assert [line for line in wide if "sunglade play --resume" not in line] == []  # which can be copied


def test_ascii_keeps_columns_straight() -> None:
    """Player lines are as long as in UTF-8: what follows a shortened name stands below its heading."""
    lines = [
        golden(ENGLISH, 80, 24, False, encoding).read_text(encoding="utf-8").split("\n")
        for encoding in ("utf-8", "ascii")
    ]
    players = [[len(line) for line in each if re.match(r"[> ]  [ABC]  \w", line)] for each in lines]
    assert players[0] == players[1] and players[0]


def test_ascii_has_a_sign_for_every_sign() -> None:
    text = golden(ENGLISH, 80, 24, False, "ascii").read_text(encoding="utf-8")
    assert text.isascii()
    for sign in ("Sun: a1 \\", "#", "->", "SUN "):
        assert sign in text
    assert not re.search(r"\w\?\w|\?\?", text)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own_data_folder:
        os.environ["SUNGLADE_DATA"] = own_data_folder
        for case in CASES:
            golden(*case).parent.mkdir(parents=True, exist_ok=True)
            golden(*case).write_text(screens(*case), encoding="utf-8", newline="\n")
            print(golden(*case), file=sys.stderr)
