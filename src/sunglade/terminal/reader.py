"""Where typed lines come from: a terminal with editing, history and completion, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.shortcuts import CompleteStyle

from sunglade.terminal.right_to_left import of_prompt
from sunglade.terminal.store import history_file

Choices = Callable[[], list[str]]
"""The lines that may be typed now."""
Redraw = Callable[[], None]
"""Clears the screen and shows all that stands above the line being typed."""


class Reader(Protocol):
    """Asks for a line. EOFError says that there are no more."""

    def ask(self, prompt: str, choices: Choices, redraw: Redraw | None) -> str:
        """The next line typed; `redraw` shows again what stands above it."""
        ...


def make_reader() -> Reader:
    """An editing reader on a terminal, a plain one otherwise."""
    return TerminalReader() if sys.stdin.isatty() and sys.stdout.isatty() else PipeReader()


class PipeReader:
    """Reads standard input and shows what it read, so that the output reads like a session."""

    def ask(self, prompt: str, choices: Choices, redraw: Redraw | None) -> str:
        """The next line of standard input."""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(prompt + line.rstrip("\n"), flush=True)
        return line.strip()


class TerminalReader:
    """Line editing by prompt_toolkit: tab completes actions, the arrow keys bring back earlier lines.

    Ctrl+C clears what was typed before it leaves, Ctrl+Z suspends, Ctrl+L and a window of another size draw anew.
    """

    def __init__(self, more_keys: KeyBindings | None = None, history: History | None = None) -> None:
        self._redraw: Redraw | None = None
        self._session: PromptSession[str] = PromptSession(
            history=history or _history(),
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            enable_suspend=True,
            key_bindings=merge_key_bindings([self._keys(), more_keys or KeyBindings()]),
        )
        self._size = self._session.output.get_size()
        self._session.app.before_render += self._follow_size

    def ask(self, prompt: str, choices: Choices, redraw: Redraw | None) -> str:
        """A line typed by a person."""
        self._redraw = redraw
        return self._session.prompt(of_prompt(prompt), completer=NextWord(choices), complete_while_typing=False).strip()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c", filter=Condition(lambda: bool(get_app().current_buffer.text)))
        def _clear(event: KeyPressEvent) -> None:
            event.current_buffer.reset()

        @keys.add("c-l")
        def _draw(event: KeyPressEvent) -> None:
            self._draw_again()

        return keys

    def _follow_size(self, app: Application[str]) -> None:
        """Draw again where the window has got another size, be it between two questions."""
        size = app.output.get_size()
        if size != self._size and self._redraw is not None:
            self._size = size
            self._draw_again()

    def _draw_again(self) -> None:
        """Above the line being typed, which stays."""
        if self._redraw is not None:
            run_in_terminal(self._redraw)


def _history() -> History:
    """Typed lines are remembered between games where that is possible."""
    try:
        history_file().parent.mkdir(parents=True, exist_ok=True)
        history_file().touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(history_file()))


class NextWord(Completer):
    """Completes the word under the cursor from the lines that begin like what was typed."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What can stand at the cursor."""
        typed = document.text_before_cursor.rpartition(";")[2].lstrip()
        part = typed.rpartition(" ")[2]
        for word in next_words(typed, self._choices()):
            yield Completion(word, start_position=-len(part))


def next_words(typed: str, lines: list[str]) -> Iterator[str]:
    """The words that can stand where the cursor is, each once, with a blank where more must follow."""
    done, _, part = typed.lower().rpartition(" ")
    before = done.split()
    found = set()
    for line in lines:
        words = line.split()
        if len(words) > len(before) and words[: len(before)] == before and words[len(before)].startswith(part):
            more_follows = len(words) > len(before) + 1
            found.add(words[len(before)] + (" " if more_follows else ""))
    yield from sorted(found)
