"""Every word of the terminal is shown by somebody, what is shown is there, and nothing is said in two places."""

import re
from collections import defaultdict
from pathlib import Path

import sunglade
from sunglade.words import ENGLISH, catalogue, codes
from sunglade.words.messages import Message

SOURCES = [
    file.read_text(encoding="utf-8")
    for file in Path(sunglade.__file__).parent.rglob("*.py")
    if file.name not in ("keys.py", "key_types.py")
]
TOLD = {key for source in SOURCES for key in re.findall(r"\b(?:tell|saying|key)\(\s*[\"']([\w.]+)[\"']", source)}
SAID = {key for source in SOURCES for key in re.findall(r"[\"'](terminal\.[\w.]+\w)[\"']", source)}
MADE = {start for source in SOURCES for start in re.findall(r"\bkey\(\s*f[\"']([a-z]\w*\.[\w.]*)\{", source)}
BEGUN = {key for source in SOURCES for key in re.findall(r"f[\"'](terminal\.[\w.]+\.)\{", source)}
ALL = catalogue(ENGLISH).words
OF_THE_TERMINAL = {key for key in ALL if key.startswith("terminal.")}
NAMED_BY_THE_RULES = ("level.", "species.", "module.", "phase.", "option.", "piece.", "terminal.size.")
"""Labels whose keys are made of names in code, each family whole: a level and a species may both be a maple."""


def test_every_word_that_python_says_is_there() -> None:
    assert len(TOLD | SAID) > 300
    assert sorted((TOLD | SAID) - set(ALL)) == []


def test_every_key_that_python_makes_of_parts_begins_like_one_that_is_there() -> None:
    assert len(MADE) > 10
    assert [start for start in sorted(MADE) if not any(key.startswith(start) for key in ALL)] == []


def test_every_word_of_the_terminal_is_said_by_somebody() -> None:
    assert {key for key in OF_THE_TERMINAL - SAID if not key.startswith(tuple(BEGUN))} == set()


def bare(message: Message) -> str:
    """The text without what its place adds: capital letters, and the sign at its end."""
    text = message if isinstance(message, str) else "|".join(message.values())
    return text.rstrip(".!…:").strip().casefold()


def test_no_sentence_stands_in_two_places() -> None:
    """Messages that are the same in every language are one: whoever corrects it corrects it everywhere."""
    places = defaultdict(list)
    for key, message in ALL.items():
        if len(bare(message).split()) > 2:
            places[tuple(bare(catalogue(code).words[key]) for code in codes())].append(key)
    assert [keys for keys in places.values() if len(keys) > 1] == []


def test_no_label_stands_in_two_places_unless_rules_name_it() -> None:
    """Letter by letter the same in every language: a word inside a sentence is written smaller than a heading."""
    places = defaultdict(list)
    for key in ALL:
        places[tuple(str(catalogue(code).words[key]) for code in codes())].append(key)
    free = [[key for key in keys if not key.startswith(NAMED_BY_THE_RULES)] for keys in places.values()]
    assert [keys for keys in free if len(keys) > 1] == []


def test_the_terminal_has_no_words_of_its_own_for_what_the_client_says() -> None:
    """By the English text: what languages say differently they say in the client, too."""
    clients = {bare(message) for key, message in ALL.items() if key not in OF_THE_TERMINAL}
    own = {key: bare(ALL[key]) for key in OF_THE_TERMINAL}
    assert [key for key, text in own.items() if " " in text and text in clients] == []
