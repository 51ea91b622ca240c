"""How far something has come: a bar for people, lines for logs, nothing when quiet, and never on standard output."""

import io
import sys

import pytest

from sunglade import progress as told
from sunglade.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(quiet: bool = False) -> None:
    with progress("games", 4, done=1, quiet=quiet) as bar:
        bar.loading()
        for count in (2, 3, 4):
            bar.done(count)


def test_a_log_gets_a_line_now_and_then_with_the_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    assert capsys.readouterr() == ("", "")  # nothing yet: it was over too soon
    monkeypatch.setattr(told, "EVERY_S", 0)
    run()
    out, err = capsys.readouterr()
    assert out == "" and err.splitlines()[0].startswith("games: 2 of 4, about ")
    assert len(err.splitlines()) == 3


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    run()
    assert "4/4" in terminal.getvalue() and "games" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_a_terminal_without_rich_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(told, "EVERY_S", 0)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    run()
    assert terminal.getvalue().count("games: ") == 3


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "EVERY_S", 0)
    run(quiet=True)
    assert capsys.readouterr() == ("", "")
