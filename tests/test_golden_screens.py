"""The terminal's screens, letter by letter: every language, three sizes, with and without colour and UTF-8.

`python tests/test_golden_screens.py` writes them anew; look at the difference before you keep it.
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from threading import Event

import pytest
from rich.cells import cell_len

from at_the_terminal import Typist, paper
from positions import turn
from sunglade import Game, Rules, bots, plain_text
from sunglade.search.rollout_thinker import Line, Thought
from sunglade.terminal import advice, seats, store
from sunglade.terminal.session import Session
from sunglade.terminal_folder import games_folder
from sunglade.words import ENGLISH, codes, speech

FOLDER = Path(__file__).parent / "golden_screens"
SIZES = [(60, 20), (80, 24), (120, 40)]
LEGACY = {
    "de": "latin-1",
    "en": "ascii",
    "es": "latin-1",
    "fr": "cp1252",
    "he": "cp1255",
    "it": "latin-1",
    "ro": "iso8859-16",
    "ru": "koi8-r",
}
"""An encoding before UTF-8 that has the letters of a language, though not our signs."""
CASES = [
    (language, *size, colour, encoding)
    for language in codes()
    for size in SIZES
    for colour in (False, True)
    for encoding in ("utf-8", LEGACY[language])
]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@cache
def game() -> Game:
    """Three players with everything, in the second round."""
    new = Game(3, Rules(modules=["moon", "elder", "stones"]), seed=11)
    bot = bots.make("greedy", seed=11)
    while new.round < 2 or new.player != 0:
        new.play(bot.act(new, 1))
    return new


@cache
def piece_at_stake() -> Game:
    """A turn in which growing loses a piece, and is bought for first."""
    return turn("d4:A1 g4:B1", light=9, available={"A medium": 0, "A small": 0}, slots={"A small": "xxxx"})


@cache
def last_action() -> Game:
    """Two players with everything, before the very last action."""
    new = Game(2, Rules(modules=["moon", "elder", "stones"], rounds=7), seed=5)
    bot = bots.make("greedy", seed=5)
    while not new.over:
        new.play(bot.act(new, 1))
    new.undo()
    return new


LOOKING = ["?", "list", "forecast", "score", "last", "legend", "animals", "d4", "board", "xyzzy", "why plant a1 b2"]
ADVICE = ["hint; value; d4"]
"""On one line nothing turns while it is thought."""
SITTINGS: tuple[tuple[Callable[[], Game], list[str]], ...] = (
    (partial(Game, 2), LOOKING),
    (game, [*LOOKING, *ADVICE]),
    (piece_at_stake, ["grow d4", "what", "forecast", "n", "grow d4", "y", "log", "undo", "save", "load"]),
    (last_action, ["end"]),
)


class Decided:
    """Always finds the same, whatever becomes of the searches: what is looked at here is how it is told."""

    def act(self, game: Game, ms: int) -> str:
        return self.think(game).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        planting = next((line for line in game.legal if line.startswith("plant")), game.legal[0])
        value = [0.5, 0.3, 0.2, 0.0][: game.players]
        return Thought([Line(planting, 40, value), Line("end", 20, value[::-1])], value, 60)


def screens(language: str, width: int, height: int, colour: bool, encoding: str) -> str:
    """What a player sees: the set-up, a turn with answers and advice, a question, the end."""
    plain_text.register()
    speech.speak(language)
    shown = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=plain_text.NAME, newline="\n")
    console = paper(shown, width=width, height=height, colours="256" if colour else None)
    names = ["Ada", "Wilhelmina Maximiliane", *(["נועה"] if encoding in ("utf-8", "cp1255") else [])]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("SUNGLADE_DATA", "data")  # a path of the same length on every machine
        patched.setattr(advice, "analyst", lambda judge: Decided())
        for played, lines in ((start().fork(), lines) for start, lines in SITTINGS):
            table = seats(played.players, ["human"] * played.players, names[: played.players])
            keeper = store.Keeper(games_folder() / f"{len(lines)}.json")
            Session(played, table, console, Typist(lines), keeper).run()
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


@pytest.mark.parametrize("language", codes())
def test_every_language_can_be_shown_in_its_encoding(language: str) -> None:
    assert speech.can_be_shown(language, LEGACY[language])


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
    for case in CASES:
        golden(*case).parent.mkdir(parents=True, exist_ok=True)
        golden(*case).write_text(screens(*case), encoding="utf-8", newline="\n")
        print(golden(*case), file=sys.stderr)
