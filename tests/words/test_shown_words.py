"""Every word of the terminal is shown by somebody, and what is shown is there."""

import re
from pathlib import Path

import sunglade
from sunglade.words import ENGLISH, catalogue

SOURCES = [
    file.read_text(encoding="utf-8")
    for file in Path(sunglade.__file__).parent.rglob("*.py")
    if file.name not in ("keys.py", "key_types.py")
]
SAID = {key for source in SOURCES for key in re.findall(r"[\"'](terminal\.[\w.]+\w)[\"']", source)}
BEGUN = {key for source in SOURCES for key in re.findall(r"f[\"'](terminal\.[\w.]+\.)\{", source)}
THERE = {key for key in catalogue(ENGLISH).words if key.startswith("terminal.")}


def test_every_word_that_the_terminal_says_is_there() -> None:
    assert set() == SAID - THERE


def test_every_word_of_the_terminal_is_said_by_somebody() -> None:
    assert {key for key in THERE - SAID if not key.startswith(tuple(BEGUN))} == set()


def test_no_sentence_stands_in_two_places() -> None:
    """Two messages of one text in English are one, unless languages need two words for it."""
    texts = [str(catalogue(ENGLISH).words[key]) for key in THERE if " " in str(catalogue(ENGLISH).words[key])]
    others = [str(message) for key, message in catalogue(ENGLISH).words.items() if key not in THERE]
    assert [text for text in texts if texts.count(text) > 1 or text in others or text.rstrip(".") in others] == []
