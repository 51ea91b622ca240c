"""Where typed lines come from: a terminal with editing, history and completion, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle

from sunglade.terminal.store import history_file

Choices = Callable[[], list[str]]
"""The lines that may be typed now."""


class Reader(Protocol):
    """Asks for a line. EOFError says that there are no more."""

    def ask(self, prompt: str, choices: Choices) -> str:
        """The next line typed."""
        ...


def make_reader() -> Reader:
    """An editing reader on a terminal, a plain one otherwise."""
    return TerminalReader() if sys.stdin.isatty() and sys.stdout.isatty() else PipeReader()


class PipeReader:
    """Reads standard input and shows what it read, so that the output reads like a session."""

    def ask(self, prompt: str, choices: Choices) -> str:
        """The next line of standard input."""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(prompt + line.rstrip("\n"), flush=True)
        return line.strip()


class TerminalReader:
    """Line editing by prompt_toolkit: tab completes actions, the arrow keys bring back earlier lines."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(), complete_style=CompleteStyle.READLINE_LIKE, reserve_space_for_menu=0
        )

    def ask(self, prompt: str, choices: Choices) -> str:
        """A line typed by a person."""
        return self._session.prompt(prompt, completer=NextWord(choices), complete_while_typing=False).strip()


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
        typed = document.text_before_cursor
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
