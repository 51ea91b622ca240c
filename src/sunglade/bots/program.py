"""Any program as a player: JSON lines over its standard input and output (docs/protocol.md, Bot protocol).

The program is started once and asked again and again; every request carries the whole game, so it need not remember
anything. It must end when its standard input ends. It is run as it is, not by a shell.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
import time
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, Final

from sunglade.bots.bot import BotFailed
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.gamefile import parse_json
from sunglade.words import saying

START_MS: Final = 10_000
"""More time for the first answer: interpreters and compilers take a while to start."""
GRACE_MS: Final = 50
"""How late an answer may be."""
LONGEST_LINE: Final = 1 << 20
"""Bytes of an answer; a longer line is nonsense."""
LINES_WAITING: Final = 16
"""Lines that a program may be ahead of its requests; then it has to wait, so that it cannot fill the memory."""
LAST_WORDS: Final = 2000
"""Bytes of standard error that are kept, to tell why a program ended."""


class ProgramBot:
    """A program that speaks the bot protocol."""

    def __init__(self, command: str, *, grace_ms: int = GRACE_MS) -> None:
        self.command = command
        self.note: str | None = None
        """What the program says to people, from its last answer."""
        self._words = words_of(command)
        self._grace_ms = grace_ms
        self._process: _Process | None = None
        self._asked = 0

    def act(self, game: Game, ms: int) -> str:
        """Ask the program; a program that breaks down is started again when it is asked the next time."""
        first = not self.running
        if self._process is None:
            self._process = _Process(self._words)
        self._asked += 1
        request = {
            "id": self._asked,
            "cmd": "act",
            "game": game.redacted_data.to_dict(),
            "state": game.state(),
            "legal": game.legal,
            "ms": ms,
        }
        try:
            allowed_ms = ms + self._grace_ms + (START_MS if first else 0)
            answer = _answer(self._process.ask(request, allowed_ms), self._asked)
            if answer["action"] not in game.legal:
                raise BotFailed(f"answered {answer['action']!r:.60}, which is not a legal action here.")
        except BotFailed:
            self.close()
            raise
        self.note = _note(answer)
        return str(answer["action"])

    @property
    def running(self) -> bool:
        """Whether the program was started: before that, its first answer may take longer."""
        return self._process is not None

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.end()
            self._process = None


def words_of(command: str) -> list[str]:
    """A command line as words; the program must be there when it is started, not before."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        wrong = saying("terminal.bots.command", command=f"{command!r:.60}", reason=str(error))
        raise BadRequest(wrong) from None
    if not words:
        raise BadRequest(saying("terminal.bots.no_command"))
    return words


def _note(answer: dict[str, Any]) -> str | None:
    """The extra keys of an answer that are for people."""
    said, value = answer.get("say"), answer.get("value")
    told = [str(said)] if isinstance(said, str) else []
    told += [f"(value {value})"] if isinstance(value, (int, float, list)) else []
    return " ".join(told) or None


def _answer(line: bytes, identity: int) -> dict[str, Any]:
    """An answer line as an object with an action, for this request."""
    try:
        answer = parse_json(line)
    except SungladeError:
        raise BotFailed(f"answered {_shown(line)}, which is not JSON.") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
        raise BotFailed(f'answered {_shown(line)} instead of {{"id": {identity}, "action": "…"}}.')
    if answer.get("id") != identity:
        raise BotFailed(f"answered request {answer.get('id')!r:.60} instead of {identity}.")
    return answer


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


class _Process:
    """A running program: lines go in, lines come out, nothing it does can block us or fill the memory."""

    def __init__(self, words: list[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._popen = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
        except (OSError, ValueError) as error:
            raise BotFailed(f"could not be started: {getattr(error, 'strerror', None) or error}.") from None
        self._lines: Queue[bytes] = Queue(LINES_WAITING)
        self._requests: Queue[bytes] = Queue()
        self._last_words = b""
        self._ended = Event()
        self._listener = Thread(target=self._listen_to_errors, daemon=True)
        for thread in (Thread(target=self._read, daemon=True), Thread(target=self._write, daemon=True), self._listener):
            thread.start()

    def ask(self, request: dict[str, Any], ms: float) -> bytes:
        """The next line of the program, or the reason why there is none."""
        deadline = time.perf_counter() + ms / 1000
        self._requests.put(json.dumps(request, separators=(",", ":")).encode() + b"\n")
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.perf_counter()))
        except Empty:
            raise BotFailed(f"did not answer within {ms:.0f} ms.") from None
        if not line:
            raise BotFailed(self._how_it_ended())
        if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
            raise BotFailed(f"answered a line of more than {LONGEST_LINE} bytes.")
        return line

    def end(self) -> None:
        """Close its standard input, and kill it: whoever broke down is not waited for."""
        self._ended.set()
        self._popen.kill()
        self._popen.wait()
        self._requests.put(b"")

    def _how_it_ended(self) -> str:
        try:
            code = self._popen.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its standard output."
        self._listener.join(timeout=1)
        words = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return f"ended with exit code {code}{f', saying {words[-1]!r:.200}' if words else ''}."

    # Three threads: pipes cannot be waited for with a time limit on every system, but queues can.

    def _read(self) -> None:
        assert self._popen.stdout is not None
        with self._popen.stdout as out, contextlib.suppress(OSError, ValueError):
            while line := out.readline(LONGEST_LINE):
                self._offer(line)
        self._offer(b"")

    def _offer(self, line: bytes) -> None:
        """Wait for room, but not after the program was ended."""
        while not self._ended.is_set():
            with contextlib.suppress(Full):
                self._lines.put(line, timeout=0.5)
                return

    def _write(self) -> None:
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while request := self._requests.get():
                self._popen.stdin.write(request)
                self._popen.stdin.flush()
        with contextlib.suppress(OSError):
            self._popen.stdin.close()

    def _listen_to_errors(self) -> None:
        assert self._popen.stderr is not None
        with self._popen.stderr as errors, contextlib.suppress(OSError, ValueError):
            while words := errors.read1(1 << 16):  # type: ignore[attr-defined]  # a buffered reader
                self._last_words = (self._last_words + words)[-LAST_WORDS:]
