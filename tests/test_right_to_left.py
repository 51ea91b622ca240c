"""Hebrew on terminals: sentences in the order in which they are seen, boards and columns where they were."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_the_terminal import sit
from sunglade import Game
from sunglade.terminal import right_to_left
from sunglade.terminal.right_to_left import Marked, laid_out, levels, visual_order
from sunglade.words import speech
from sunglade.words.speech import END, LEFT_TO_RIGHT

pytestmark = pytest.mark.usefixtures("own_data_folder")


@pytest.mark.parametrize(
    ("read", "seen"),
    [
        ("שלום", "םולש"),
        ("no Hebrew at all (12)", "no Hebrew at all (12)"),
        ("עץ 12 כאן.", ".ןאכ 12 ץע"),
        ("מחיר (2 אור)", "(רוא 2) ריחמ"),
        ("צעד abc def סוף", "ףוס abc def דעצ"),
        ("חלק 3.5, 20%.", ".20% ,3.5 קלח"),
        (f"שמש {LEFT_TO_RIGHT}+5 → 17{END}!", "!+5 → 17 שמש"),
        (f"{LEFT_TO_RIGHT}Ada{END}: סוף", "ףוס :Ada"),
        (f"פתוח {LEFT_TO_RIGHT}a1 (", "a1 ( חותפ"),
    ],
)
def test_lines_are_seen_as_the_algorithm_of_unicode_has_it(read: str, seen: str) -> None:
    assert laid_out(read) == seen


def test_sentences_stand_at_the_right_edge() -> None:
    assert laid_out("שלום", 10) == "      םולש"


@pytest.mark.parametrize(
    ("read", "seen"),
    [
        ("> A  אור 2   זרע   12", "> A  2 רוא   ערז   12"),
        ("a |אבן   )|a2.    |אבן    |", "a |ןבא   )|a2.    |ןבא    |"),
        ("                  שמש ↘", "                  ↘ שמש"),
    ],
)
def test_columns_and_boards_keep_their_places(read: str, seen: str) -> None:
    assert laid_out(read, 80) == seen


def test_letters_keep_their_colours() -> None:
    assert laid_out("\x1b[31mאב\x1b[0m גד") == "דג \x1b[31mבא\x1b[0m"


@given(st.text(alphabet="אבג abc123 ().,:+-%→" + LEFT_TO_RIGHT + END), st.integers(0, 1))
def test_no_letter_is_lost_or_doubled(text: str, base: int) -> None:
    level = levels(text, base)
    assert sorted(visual_order(level)) == list(range(len(text)))
    assert all(one >= base for one in level)
    written = [letter for letter in text if letter not in right_to_left.MARKS]
    mirrored = {"(": ")", ")": "("}
    shown = laid_out(text).strip()
    assert sorted(mirrored.get(letter, letter) for letter in shown if letter not in " ()") == sorted(
        letter for letter in written if letter not in " ()"
    )


def test_a_pipe_gets_lines_in_the_order_of_reading_without_marks() -> None:
    pipe = io.StringIO()
    Marked(pipe).write(f"{LEFT_TO_RIGHT}Ada{END}: סוף\n")
    assert pipe.getvalue() == "Ada: סוף\n"


def test_the_board_is_the_same_in_hebrew_and_in_english() -> None:
    """Only words differ: what stands on spaces, and where, does not."""
    boards = []
    for language in ("en", "he"):
        speech.speak(language)
        shown = sit(Game(players=2), "a1", "a1", tty=True)
        boards.append([line[:64].rstrip() for line in shown.split("\n") if re.match(r"[a-g] +\|", line)])
    assert boards[0] == boards[1] and len(boards[0]) >= 7


def test_terminals_that_lay_out_themselves_are_known() -> None:
    assert right_to_left.reorders({"KONSOLE_VERSION": "230800"})
    assert right_to_left.reorders({"TERM_PROGRAM": "Apple_Terminal"})
    assert not right_to_left.reorders({"TERM": "xterm-256color", "VTE_VERSION": "7600"})


def test_streams_are_as_before_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", out)
    with right_to_left.streams("here"):
        print("שלום")
    print("שלום")
    laid, _, as_it_is = out.getvalue().partition(right_to_left.ON)
    assert laid.startswith(right_to_left.OFF) and "םולש" in laid and as_it_is == "שלום\n"
