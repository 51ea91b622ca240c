"""A ninth language is one new file: a made-up one, English in other letters, is walked through the terminal.

Whatever it shows in Latin letters is notation, a name, or a sentence that somebody forgot in the code.
"""

from __future__ import annotations

import json
import re
import shutil
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from at_the_terminal import sit
from positions import turn
from sunglade import Game, Rules, bots, words
from sunglade.cli import main
from sunglade.notation import ACTION_WORDS
from sunglade.rules import ANIMALS, BABIES, EDITIONS, MODULES, OPTIONS
from sunglade.words import ENGLISH, speech

pytestmark = pytest.mark.usefixtures("own_data_folder")

HERE = Path(words.__file__).parent
LETTERS = str.maketrans(
    string.ascii_letters, "".join(chr(code) for first in (0x561, 0x531) for code in range(first, first + 26))
)
"""Armenian ones: as wide as Latin letters, and with small and capital ones, too."""
COMMANDS = "list forecast score log last why hint value undo redo restart save load legend animals board Enter quit"
NOTATION = {
    *(part for line in ACTION_WORDS for word in line for part in re.findall("[a-z]+", word)),
    *(animal[:3] for animal in ANIMALS),
    *ANIMALS,
    *BABIES,
    *COMMANDS.split(),
    *("sunglade", "play", "resume", "replay", "games", "edition", "modules", "by", "forbids"),
    *("Ada", "Bo", "xyzzy", "position"),
}


def in_other_letters(message: str) -> str:
    """The message with its letters changed, but not what a program reads of it."""
    parts = re.split(r"(\{\w+\}|\{count, plural, |\b(?:one|other) (?=\{)|[{}#])", message)
    return "".join(part if place % 2 else part.translate(LETTERS) for place, part in enumerate(parts))


@pytest.fixture
def ninth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Its code. Nothing is changed but that one file is there."""
    folder = tmp_path / "words"
    shutil.copytree(HERE, folder)
    english = json.loads((folder / "en.arb").read_text(encoding="utf-8"))
    made_up = {name: in_other_letters(message) for name, message in english.items() if name != "@@locale"}
    made_up |= {"@@locale": "qq", "language.direction": "ltr"}
    (folder / "qq.arb").write_text(json.dumps(made_up), encoding="utf-8")
    monkeypatch.setattr(words, "files", lambda name: folder)
    for kept in (words.catalogue, words.codes, words.languages):
        kept.cache_clear()
    yield "qq"
    speech.speak(ENGLISH)
    monkeypatch.undo()
    for kept in (words.catalogue, words.codes, words.languages):
        kept.cache_clear()


def strangers(shown: str) -> set[str]:
    """Words in Latin letters that are no notation nor paths; spaces, short forms and the like have one letter."""
    return set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|/\S+", "", shown))) - NOTATION


LOOKING = ["?", "list", "forecast", "score", "log", "last", "legend", "animals", "d4", "board", "hint", "value", "7"]
WRONG = ["grow d4", "plant a1 g4", "xyzzy", "why grow d4", "why", "undo x", "redo", "undo", "value x", "save", "load"]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_set_up_and_turns_are_told_in_it(ninth: str, width: int) -> None:
    speech.speak(ninth)
    shown = sit(Game(players=2), *LOOKING, *WRONG, "a1", "a1", "undo", "redo", "q", width=width, tty=True)
    assert strangers(shown) == set()


def test_every_animal_and_what_it_does_is_told_in_it(ninth: str) -> None:
    speech.speak(ninth)
    for seed in range(4):
        game = Game(2, Rules(modules=["moon", "elder", "stones"], rounds=8), seed=seed)
        bot = bots.make("random", seed=seed)
        while not game.over:
            game.play(bot.act(game, 1))
        shown = sit(game, kinds=["human", "human"])
        assert strangers(shown) == set()
        while game.phase != "turn":
            game.undo()
        assert strangers(sit(game, "log 2000", *LOOKING[:10], *WRONG)) == set()


def test_questions_and_warnings_are_told_in_it(ninth: str) -> None:
    speech.speak(ninth)
    loses_a_piece = turn("d4:A1 g4:B1", light=9, available={"A medium": 0, "A small": 0}, slots={"A small": "xxxx"})
    shown = sit(loses_a_piece, "grow d4", "what", "n", "grow d4", "y", "end", "end")
    assert strangers(shown.replace("what", "")) == set() and "?" in shown


def test_editions_are_told_in_it(ninth: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editions", "--language", ninth]) == 0
    assert main(["editions", "es", "--language", ninth]) == 0
    typed = {
        *EDITIONS,
        *MODULES,
        *("none", "highest", "lowest", "down", "up", "target", "origin", "both", "own", "any"),
    }
    typed |= {part for option in OPTIONS for part in option.split("_")} | {"at", "once", "light", "lunar"}
    assert strangers(capsys.readouterr().out) - typed == set()
