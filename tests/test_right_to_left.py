"""Hebrew on terminals: sentences in the order in which they are seen, boards and columns where they were."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_the_terminal import Typist, paper, sit
from sunglade import Game, Rules, bots
from sunglade.arguments import Parser
from sunglade.bots.bot import Line
from sunglade.terminal import right_to_left, seats, store
from sunglade.terminal.advice import value_line
from sunglade.terminal.right_to_left import LaidOut, TurnedBack, Unmarked, laid_out, levels, visual_order
from sunglade.terminal.session import Session
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


def shown(text: str, width: int = 80) -> str:
    paper = io.StringIO()
    LaidOut(paper, width).write(text)
    return paper.getvalue()


def test_a_sentence_longer_than_the_window_is_read_from_above() -> None:
    assert shown("אחת שתיים שלוש ארבע", 10) == " םייתש תחא\n עברא שולש"
    assert shown("אבגדהוזחטיכ", 5) == "הדגבא\nיטחזו\n    כ"


@given(st.text(alphabet="אבג abc12 .", min_size=1), st.integers(4, 30))
def test_no_line_is_longer_than_the_window_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = shown(f"א {text}".replace("  ", " "), width).split("\n")
    assert max(map(len, lines)) <= width
    assert sorted("".join(lines).replace(" ", "")) == sorted("א" + text.replace(" ", ""))


@pytest.mark.parametrize(
    ("read", "seen"),
    [
        ("אפשר `sunglade play --help`.", ".`sunglade play --help` רשפא"),
        ("אפשר `a | man -l -`, `b | c` `d | e`", "`d | e` `b | c` ,`a | man -l -` רשפא"),
        ("אפשר `save! /a b.json` כאן", "ןאכ `save! /a b.json` רשפא"),
        ("כך `sunglade\ngames` כאן", "`sunglade ךכ\nןאכ games`"),
    ],
)
def test_commands_between_backticks_are_not_turned_round(read: str, seen: str) -> None:
    assert [line.strip() for line in shown(read).split("\n")] == seen.split("\n")


def test_a_heading_of_two_lines_stays_above_its_column() -> None:
    assert shown("   שוחק      שחקנים\n   לאחרונה\n1  2026-11   Ada", 60).split("\n") == [
        "   קחוש      םינקחש",
        "   הנורחאל",
        "1  2026-11   Ada",
    ]


def test_the_last_cell_is_broken_below_its_beginning() -> None:
    assert shown("  sunglade play   אחת שתיים שלוש ארבע חמש", 34).split("\n") == [
        "  sunglade play   שולש םייתש תחא",
        "                  שמח עברא",
    ]


def test_a_usage_line_is_written_as_it_is_typed() -> None:
    speech.speak("he")
    first = Parser(prog="sunglade play").format_usage().split("\n")[0]
    assert shown(first) == "שומיש: sunglade play [-h]"


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        ("לצאת? (כ/ל) ", "(ל/כ) ?תאצל "),
        (f"{LEFT_TO_RIGHT}Ada{END}, 2 אור> ", "רוא 2 ,Ada> "),
        ("דנה, 2 אור> ", "רוא 2 ,הנד> "),
    ],
)
def test_what_is_typed_follows_a_prompt_whose_brackets_stand_right(
    asked: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", LaidOut(io.StringIO(), 80))
    assert right_to_left.of_prompt(asked) == seen


@dataclass(frozen=True)
class Found:
    """What a bot thinks of a position."""

    action: str
    value: list[float]
    lines: Sequence[Line] = ()


def test_sums_and_shares_keep_their_order_beside_a_hebrew_name() -> None:
    speech.speak("he")
    assert shown(f"דנה {speech.gain('2 אור')} · {speech.isolated('+2 → 4')}").strip() == "+2 → 4 · רוא +2 הנד"
    assert "54 % הנד" in shown(value_line(["דנה", "אדר"], Found("end", [0.54, 0.46])))


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


@given(st.text(alphabet="אבג abc123 ().,:+-%→|" + LEFT_TO_RIGHT + END))
def test_a_terminal_that_turns_words_round_shows_lines_as_they_are_laid_out(text: str) -> None:
    """As Konsole does it: a line from left to right, by Unicode's rules, in which marks take no room."""
    seen = laid_out(text)
    sent = TurnedBack(io.StringIO()).sent(seen)
    shown = "".join(sent[place] for place in visual_order(levels(sent, 0)))
    assert shown.replace(right_to_left.AT_THE_LEFT, "") == seen


def test_a_pipe_gets_lines_in_the_order_of_reading_without_marks() -> None:
    pipe = io.StringIO()
    Unmarked(pipe).write(f"{LEFT_TO_RIGHT}Ada{END}: סוף\n")
    assert pipe.getvalue() == "Ada: סוף\n"


def test_the_board_is_the_same_in_hebrew_and_in_english() -> None:
    """Only words differ: what stands on spaces, and where, does not."""
    boards = []
    for language in ("en", "he"):
        speech.speak(language)
        shown = sit(Game(players=2), "a1", "a1", tty=True)
        boards.append([line[:64].rstrip() for line in shown.split("\n") if re.match(r"[a-g] +\|", line)])
    assert boards[0] == boards[1] and len(boards[0]) >= 7


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_coloured_board_has_everything_where_the_plain_one_has_it(own_data_folder: None, width: int) -> None:
    """In colour no bars part its spaces: stones, the Elder Tree and labels must not change places."""
    speech.speak("he")
    game = Game(3, Rules(modules=["moon", "elder", "stones"]), seed=3)
    bot = bots.make("random", seed=7)
    while game.round < 2:
        game.play(bot.act(game, 1))
    screens: list[list[str]] = []
    for colours in (None, "256"):
        shown = io.StringIO()
        console = paper(shown, width=width, height=40, colours="256" if colours else None)
        Session(game.fork(), seats(3, ["human"] * 3, ["נועה"]), console, Typist([]), store.Keeper()).run()
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.getvalue()).replace("|", " ")
        screens.append([line.rstrip() for line in text.split("\n")])
    assert screens[0] == screens[1]
    assert any("ןבא" in line for line in screens[0]) and any("קיתע" in line for line in screens[0])


def test_terminals_that_lay_out_themselves_are_known() -> None:
    assert right_to_left.reorders({"KONSOLE_VERSION": "230800"})
    assert right_to_left.reorders({"TERM_PROGRAM": "Apple_Terminal"})
    assert not right_to_left.reorders({"TERM": "xterm-256color", "VTE_VERSION": "7600"})


def test_mlterm_is_told_in_its_own_words_to_leave_lines_alone() -> None:
    assert not right_to_left.reorders({"MLTERM": "3.9.0"})
    assert right_to_left.switches({"MLTERM": "3.9.0"}) == ("\x1b]5379;use_ctl=false\a", "\x1b]5379;use_ctl=true\a")


def test_streams_are_as_before_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", out)
    with right_to_left.streams("here"):
        print("שלום")
    print("שלום")
    laid, _, as_it_is = out.getvalue().partition(right_to_left.ON)
    assert laid.startswith(right_to_left.OFF) and "םולש" in laid and as_it_is == "שלום\n"
