"""The terminal's sentences stand in one file: none is missing, none is said by nobody."""

import re
from pathlib import Path

import sunglade
from sunglade.terminal.sentences import SENTENCES

SOURCES = [
    file.read_text(encoding="utf-8")
    for file in (Path(sunglade.__file__).parent / "terminal").glob("*.py")
    if file.name != "sentences.py"
]
SAID = {key for source in SOURCES for key in re.findall(r"\"(terminal\.[\w.]+)\"", source)}
BEGUN = {key for source in SOURCES for key in re.findall(r"f\"(terminal\.[\w.]+\.)\{", source)}
ENDED = {f"{key}.ask" for key in SAID if key.startswith("terminal.save.")}


def test_every_sentence_that_is_said_is_there() -> None:
    assert set(SENTENCES) >= SAID


def test_every_sentence_is_said_by_somebody() -> None:
    unsaid = set(SENTENCES) - SAID - ENDED
    assert {key for key in unsaid if not key.startswith(tuple(BEGUN))} == set()
