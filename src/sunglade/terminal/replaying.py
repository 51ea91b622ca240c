"""Stepping through a saved game (`sunglade replay`)."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, Final

from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from rich.console import Console
from rich.text import Text

from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.terminal import answers
from sunglade.terminal.news import ended
from sunglade.terminal.parse import small_number
from sunglade.terminal.reader import TerminalReader
from sunglade.terminal.screen import board_view, make_console
from sunglade.terminal.seats import seats_of
from sunglade.terminal.words import told
from sunglade.words.speech import tell

WISHES: Final = ("next", "back", "round", "quit")


def replay(game: Game, *, everything: bool = False, at: int | None = None, colour: bool | None = None) -> None:
    """Step by step on a terminal; all steps, or one of them, otherwise."""
    film = Film(game, make_console(colour=colour))
    _check_step(at, film.last)
    if everything:
        film.print_all()
    elif sys.stdin.isatty() and sys.stdout.isatty():
        film.browse(at or 0)
    elif at is not None:
        film.print_frame(at)
    else:
        film.print_all()


def as_data(game: Game, *, at: int | None = None) -> dict[str, Any]:
    """The same for programs: each step with its action, who played it, the position and what was legal there."""
    frames = list(game.replay())
    _check_step(at, len(frames) - 1)
    steps = []
    for number, frame in enumerate(frames):
        led_here = {"action": game.actions[number - 1], "player": frames[number - 1].player} if number else {}
        steps.append({"step": number, **led_here, "state": frame.state(), "legal": frame.legal})
    names = [seat.name for seat in seats_of(game)]
    return {"players": game.players, "names": names, "steps": steps if at is None else steps[at : at + 1]}


def _check_step(at: int | None, last: int) -> None:
    if at is not None and not 0 <= at <= last:
        raise BadRequest(tell("terminal.replay.range", count=last, option="--at", last=last, at=at))


class Film:
    """A game as a row of positions."""

    def __init__(self, game: Game, console: Console) -> None:
        self._game = game
        self._console = console
        self._names = [seat.name for seat in seats_of(game)]
        self._frames = list(game.replay())

    @property
    def last(self) -> int:
        """The number of the last position; 0 is the one before the first action."""
        return len(self._frames) - 1

    def caption(self, number: int) -> str:
        """How a position came about."""
        if number == 0:
            return tell("terminal.replay.start", last=self.last)
        before, after = self._frames[number - 1], self._frames[number]
        what = ended(told(before, self._game.actions[number - 1], after, self._names))
        return tell("terminal.replay.step", number=number, last=self.last, what=what)

    def print_frame(self, number: int) -> None:
        """A position and how it came about; at the end the scores, too."""
        frame = self._frames[number]
        self._console.print(board_view(self._console, frame, self._names))
        self._console.print(Text(self.caption(number), style="bold"))
        if frame.over:
            self._console.print(answers.score_table(frame, self._names))
            self._console.print(Text(answers.verdict(frame, self._names)))

    def print_all(self) -> None:
        """Every step as a sentence, and the board at each new round and at the end."""
        for number, frame in enumerate(self._frames):
            if number in (0, self.last) or frame.round != self._frames[number - 1].round:
                self.print_frame(number)
            else:
                self._console.print(Text(self.caption(number)))

    def browse(self, number: int) -> None:
        """Forth and back as the reader likes."""
        reader = TerminalReader(_arrow_keys(), InMemoryHistory())
        while True:
            draw = partial(self._draw, number)
            draw()
            try:
                wish = reader.ask("> ", lambda: list(WISHES), draw).lower()
            except EOFError:
                return
            if wish in ("q", "quit"):
                return
            number = self.follow(wish, number)

    def _draw(self, number: int) -> None:
        """A position in place of the screen before."""
        self._console.clear()
        self.print_frame(number)
        self._console.print(Text(tell("terminal.replay.keys"), style="dim"))

    def follow(self, wish: str, number: int) -> int:
        """The position that a typed word leads to; an unknown word leads nowhere."""
        words = wish.split()
        if words and small_number(words[-1]) is not None:
            number = small_number(words[-1]) or 0
        elif not words or words[0] in ("n", "next"):
            number += 1
        elif words[0] in ("b", "back"):
            number -= 1
        elif words[0] in ("r", "round"):
            later = range(number + 1, self.last + 1)
            number = next((n for n in later if self._frames[n].round != self._frames[number].round), self.last)
        return min(max(number, 0), self.last)


def _arrow_keys() -> KeyBindings:
    """Right and left step through the game while nothing is typed."""
    keys = KeyBindings()
    nothing_typed = Condition(lambda: not get_app().current_buffer.text)

    @keys.add("right", filter=nothing_typed)
    def _next(event: KeyPressEvent) -> None:
        event.app.exit(result="next")

    @keys.add("left", filter=nothing_typed)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(result="back")

    return keys
