"""At the terminal in tests: lines typed at a game, the program in a pipe, the program on a terminal of its own."""

import contextlib
import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TextIO, cast

import pytest
from rich.console import Console

from sunglade import Game
from sunglade.cli import main
from sunglade.terminal import seats, store
from sunglade.terminal.right_to_left import LaidOut
from sunglade.terminal.session import Session
from sunglade.words import speech

RUN = [sys.executable, "-c", "import sys; from sunglade.cli import main; sys.exit(main())", "play", "--terminal"]
HOT_SEAT = ["human"] * 4
STOP = "stop here"
CTRL_L = "\x0c"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command line; return what it says."""
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command line that is wrong; return what it says, which must be one line."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("sunglade: ") and err.count("\n") == 1
    return err


Line = str | Callable[[], str]
"""What is typed, or what happens until it is."""


class Typist:
    """Types what it is told, or asks a function for each line."""

    def __init__(self, lines: Sequence[Line] | Callable[[], str]) -> None:
        self._next: Callable[[], str] = lines if callable(lines) else self._one_by_one(iter(lines))
        self.questions: list[str] = []

    @staticmethod
    def _one_by_one(lines: Iterator[Line]) -> Callable[[], str]:
        def line() -> str:
            try:
                typed = next(lines)
            except StopIteration:
                raise EOFError from None
            return typed() if callable(typed) else typed

        return line

    def ask(self, prompt: str, choices: Callable[[], list[str]], redraw: Callable[[], None] | None) -> str:
        self.questions.append(prompt)
        assert choices()
        line = self._next()
        while line == CTRL_L:
            if redraw is not None:
                redraw()
            line = self._next()
        if line == STOP:
            raise KeyboardInterrupt
        return line


def sit(
    game: Game,
    *lines: Line,
    kinds: list[str] | None = None,
    width: int = 80,
    tty: bool = False,
    keeper: store.Keeper | None = None,
) -> str:
    """Type lines at a game, hot seat unless told otherwise; return what was shown."""
    shown = io.StringIO()
    console = paper(shown, width=width, tty=tty)
    table = seats(game.players, (kinds or HOT_SEAT)[: game.players], ["Ada", "Bo"])
    Session(game, table, console, Typist(list(lines)), keeper or store.Keeper()).run()
    return shown.getvalue()


def paper(
    shown: TextIO, *, width: int = 80, height: int = 24, tty: bool = True, colours: Literal["256"] | None = None
) -> Console:
    """A console that is the same wherever tests run: what the environment says of the terminal is not asked."""
    file = cast(TextIO, LaidOut(shown, width)) if speech.spoken().right_to_left else shown
    return Console(
        file=file, width=width, height=height, force_terminal=tty, color_system=colours, highlight=False, _environ={}
    )


def last_screen(shown: str) -> str:
    """What still stands on a terminal: all after it was last cleared."""
    return shown.rpartition("\x1b[2J\x1b[H")[2]


def one_line(text: str) -> str:
    """Without line breaks."""
    return re.sub(r"\s+", " ", text)


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """Its own data folder, no colours forced, a terminal that cannot tell where its cursor is."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return kept | {"SUNGLADE_DATA": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color"} | more


def piped(tmp_path: Path, typed: str, *arguments: str) -> str:
    """What the program prints when it is fed through a pipe; it must end well and without complaint."""
    command, told = [*RUN, *arguments], environment(tmp_path)
    done = subprocess.run(command, input=typed, capture_output=True, text=True, encoding="utf-8", env=told)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Pty:
    """The program, or another command, on a terminal of its own."""

    def __init__(
        self,
        environment: dict[str, str],
        *arguments: str,
        can_be_suspended: bool = False,
        command: Sequence[str] = RUN,
        folder: Path | None = None,
    ) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=not can_be_suspended,  # a session of its own would have no shell to go back to
            process_group=0 if can_be_suspended else None,
        )
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str, seconds: float = 300) -> None:
        """Read until a text appears."""
        self._wait(lambda: text in self.shown, repr(text), seconds)

    def _wait(self, appeared: Callable[[], bool], what: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not appeared():
            assert time.monotonic() < end, f"{what} did not appear in:\n{self.shown[-2000:]}"
            if select.select([self._master], [], [], 0.2)[0]:
                self.shown += os.read(self._master, 65536).decode(errors="replace")

    def wait_for_screen(self, prompt: str) -> None:
        """Read until a whole screen and the prompt below it appear: before, nobody may be there for a key."""
        whole = re.compile(f"You can:.*{re.escape(prompt)}", re.DOTALL)
        self._wait(lambda: whole.search(self.shown) is not None, f"{prompt!r} below a screen", 300)

    def resize(self, columns: int, lines: int) -> None:
        """Give the window another size, as a person does with the mouse."""
        import fcntl
        import struct
        import termios

        self.shown = ""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.kill(self.process.pid, signal.SIGWINCH)

    def ended(self) -> int:
        """The exit code. The last words are read first, because a full terminal keeps its program waiting."""
        with contextlib.suppress(OSError):  # what a terminal answers whose program has gone
            while os.read(self._master, 65536):
                pass
        return self.process.wait(timeout=300)

    def type(self, text: str) -> None:
        """Press keys; what was shown before is forgotten."""
        self.shown = ""
        os.write(self._master, text.encode())
