"""A game at the terminal: people type, bots answer, nothing is lost."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from sunglade import bots
from sunglade.board import SPACE_NAMED
from sunglade.bots.limits import TurnClock
from sunglade.bots.program import ProgramBot
from sunglade.drawing.scene import Scene
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.kernel.printed import PIECES, SIZES
from sunglade.notation import action_of
from sunglade.terminal import answers, screen
from sunglade.terminal.animal_guide import guide
from sunglade.terminal.news import News, sunrise
from sunglade.terminal.parse import idle_reason, meaning, nonsense, small_number
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.reader import PipeReader, Reader
from sunglade.terminal.seats import BOT_MS, Seat, remember, seats_of
from sunglade.terminal.store import Keeper, command
from sunglade.terminal.words import price, told

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
SETUP_PROMPTS: Final = {
    "draft": "keep one animal",
    "animals": "place your animal",
    "elder": "place the Elder Tree",
    "stones": "place a moonstone",
    "placing": "place a small tree",
}


class Leave(Exception):
    """The player wants to go."""


class Session:
    """One sitting: a game, who plays it, and the conversation about it."""

    def __init__(
        self,
        game: Game,
        table: list[Seat],
        console: Console,
        reader: Reader,
        keeper: Keeper,
        *,
        file: Path | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self._console = console
        self._reader = reader
        self._keeper = keeper
        self._file = file
        self._saved_actions = len(game.actions) if file else 0
        self._warned = False
        self._news = News()
        self._alerts: list[str] = []
        """Sentences that must be seen whatever the screen has room for."""
        self._pending: list[str] = []
        """Lines that wait for a yes."""
        self._bots: list[bots.Bot | None] = []
        self._sit_down(game, table)
        self._tell("", "? explains what can be typed, l lists the actions, legend the signs")
        for note in notes:
            self._alert(note)

    def _sit_down(self, game: Game, table: list[Seat]) -> None:
        self._send_off()
        self._game = game
        self._table = table
        self._bots = [None if seat.is_human else _bot(game, p, seat) for p, seat in enumerate(table)]
        self._clocks = [TurnClock(BOT_MS) for _ in table]
        self._noted: dict[int, str] = {}
        self._failed: set[int] = set()
        """Seats of programs that broke down: their turns are ended for them."""
        self._stale = True
        remember(game, table)

    @property
    def _names(self) -> list[str]:
        return [seat.name for seat in self._table]

    @property
    def _on_turn(self) -> Seat:
        seat = self._game.player
        assert seat is not None, "the game is not over"
        return self._table[seat]

    # The course of the game

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        try:
            while not self._game.over:
                if self._on_turn.is_human:
                    self._human()
                else:
                    self._bot_turn()
        except Leave:
            self._say_goodbye()
        except (EOFError, KeyboardInterrupt) as stop:
            self._print("")
            self._say_goodbye()
            if isinstance(stop, KeyboardInterrupt):
                raise
        else:
            self._result()
        finally:
            self._send_off()

    def _send_off(self) -> None:
        """End the programs that played."""
        for bot in self._bots:
            if isinstance(bot, bots.Closable):
                bot.close()

    def _say_goodbye(self) -> None:
        self._print_if_kept(f"The game is kept: `{command('play --resume')}` continues it.")

    def _print_if_kept(self, hint: str) -> None:
        """How to come back to the game, or why that will not be possible."""
        if self._kept():
            self._print_whole(hint, "dim")
        elif self._keeper.trouble:
            self._print(self._unkept(), "red")

    def _unkept(self) -> str:
        return f"This game could not be kept: {self._keeper.trouble}"

    def _result(self) -> None:
        """The last screen: board, scores, winners."""
        self._clear()
        self._console.print(screen.board_view(self._console, self._game, self._names))
        for sentence in self._news.take():
            self._print(sentence, "dim")
        self._console.print(answers.score_table(self._game, self._names))
        self._print(answers.verdict(self._game, self._names), "bold")
        self._print_if_kept(f"Look back with: {command('replay')} {shlex.quote(str(self._keeper.path))}")

    def _kept(self) -> bool:
        """Keep the game if there is something to keep; whether it is."""
        if self._game.actions:
            self._keeper.keep(self._game)
        return bool(self._game.actions) and not self._keeper.trouble

    def _keep(self) -> None:
        """Keep the game, and say so the first time that this fails."""
        if not self._kept() and self._keeper.trouble and not self._warned:
            self._warned = True
            self._alert(self._unkept())

    def _bot_turn(self) -> None:
        """One action of a bot. It sees only what a player may know (M-SETUP-4)."""
        seat = self._game.player
        assert seat is not None, "the game is not over"
        bot = self._bots[seat]
        assert bot is not None, "a person plays here"
        if seat in self._failed:
            self._play("end" if "end" in self._game.legal else self._game.legal[0])
            return
        began = time.perf_counter()
        try:
            line = bot.act(self._game.redacted(), self._clocks[seat].left(self._game))
        except bots.BotFailed as failure:
            self._failed.add(seat)
            self._alert(f"{self._names[seat]} {failure.message} Its turns are ended from now on.")
            return
        self._clocks[seat].spend(time.perf_counter() - began)
        self._play(line)
        self._pass_on_note(seat, bot)

    def _pass_on_note(self, seat: int, bot: bots.Bot) -> None:
        """What a bot has to tell people, once."""
        note = bots.note_of(bot)
        if note and note != self._noted.get(seat):
            self._noted[seat] = note
            self._tell(self._names[seat], f"says: {note.removesuffix('.')}")

    def _play(self, line: str) -> None:
        """Carry out an action, keep the game, and tell what was done."""
        before = self._game.fork()
        self._game.play(line)
        self._keep()
        self._tell(self._names[before.player or 0], told(before, line, self._game))
        morning = sunrise(before, self._game, self._names)
        if morning:
            self._tell("", morning)
        if self._console.is_terminal or self._game.player != before.player or self._game.phase != before.phase:
            self._stale = True

    def _tell(self, name: str, phrase: str) -> None:
        """At once in a pipe; below the next board on a terminal."""
        if not self._console.is_terminal:
            self._print(f"{name} {phrase}.".lstrip(), "dim")
        elif name:
            self._news.add(name, phrase)
        else:
            self._news.note(phrase)

    def _alert(self, sentence: str) -> None:
        """At once in a pipe; just above the next prompt on a terminal."""
        if self._console.is_terminal:
            self._alerts.append(sentence)
        else:
            self._print_whole(sentence, "red")

    # The conversation

    def _human(self) -> None:
        """Show the position if it is new, and answer one line."""
        if self._stale:
            self._clear()
            self._console.print(screen.turn_view(self._console, self._game, self._names, self._news.take()))
            self._stale = False
        alerts, self._alerts = self._alerts, []
        for sentence in alerts:
            self._print_whole(sentence, "red")
        typed = self._reader.ask(self._prompt(), self._choices)
        text = "".join(letter for letter in typed if letter.isprintable()).strip()
        try:
            self._answer(text)
        except SungladeError as error:
            self._print(_sentence(error.message), "red")

    def _prompt(self) -> str:
        own = self._game.state()["players"][self._game.player]
        lunar = f", {own['lunar']} lunar" if "lunar" in own else ""
        what = SETUP_PROMPTS.get(self._game.phase, f"{own['light']} light{lunar}")
        return f"{self._on_turn.name}, {what}> "

    def _choices(self) -> list[str]:
        """What Tab completes."""
        return [*self._game.legal, *self._commands()]

    def _answer(self, text: str) -> None:
        """Do what a typed line asks for."""
        pending, self._pending = self._pending, []
        if pending and (text.lower() in YES or meaning(text, self._game).line == pending[-1]):
            self._act(pending)
            return
        if pending and text.lower() in NO:
            return
        word, _, rest = text.partition(" ")
        command = self._commands().get(word.lower())
        if command is not None:
            command(rest.strip())
        elif text.lower() in SPACE_NAMED and self._game.phase == "turn":
            self._look(text.lower())
        else:
            self._action(text)

    def _commands(self) -> dict[str, Callable[[str], None]]:
        """Everything that can be typed beside actions."""
        return {
            "": lambda _: self._redraw(),
            "board": lambda _: self._redraw(),
            "?": lambda _: self._print(answers.HELP),
            "help": lambda _: self._print(answers.HELP),
            "h": lambda _: self._print(answers.HELP),
            "list": lambda _: self._console.print(answers.action_list(self._game, self._console.width)),
            "l": lambda _: self._console.print(answers.action_list(self._game, self._console.width)),
            "forecast": lambda _: self._console.print(answers.forecast_table(self._game, self._names)),
            "f": lambda _: self._console.print(answers.forecast_table(self._game, self._names)),
            "score": lambda _: self._console.print(answers.score_table(self._game, self._names)),
            "legend": lambda _: self._console.print(screen.legend_view(self._game, self._names)),
            "animals": lambda _: self._print(guide(self._game)),
            "log": self._log,
            "why": self._why,
            "undo": self._undo,
            "u": self._undo,
            "restart": lambda _: self._restart(),
            "redo": lambda _: self._redo(),
            "r": lambda _: self._redo(),
            "save": self._save,
            "save!": lambda text: self._save(text, overwrite=True),
            "load": self._load,
            "quit": lambda _: self._quit(),
            "q": lambda _: self._quit(),
            "exit": lambda _: self._quit(),
        }

    # Actions

    def _action(self, text: str) -> None:
        """Play what was typed, or say what is wrong with it."""
        found = meaning(text, self._game)
        if len(found.lines) > 1:
            self._print(f"That could be: {', '.join(found.lines[:12])}{' …' if len(found.lines) > 12 else ''}.")
        elif found.line is None:
            self._print(f"{nonsense(text, self._game)} Type ? for help, l for what is possible.", "red")
        elif found.line in self._game.legal:
            self._try([found.line])
        elif lines := purchase_first(self._game, found.line):
            size = SIZES[action_of(lines[0]).size]
            self._ask(
                lines, f"No {size} is available. Buy one and {found.line}, {price(preview(self._game, *lines))} in all?"
            )
        else:
            self._print(self._game.why_not(found.line) or "That is not possible.", "red")

    def _try(self, lines: list[str]) -> None:
        """Play, but ask first where something would be lost."""
        doubt = self._doubt(lines[-1])
        if doubt:
            self._ask(lines, doubt)
        else:
            self._act(lines)

    def _doubt(self, line: str) -> str | None:
        """What a player may want to think over."""
        seat = self._game.player
        assert seat is not None
        if line == "end":
            ahead = self._game.forecast()[0]
            if ahead.played and ahead.lost[seat]:
                return f"The next sun brings {answers.light_sum(ahead, seat)}. End the turn?"
            return None
        lost = preview(self._game, line).lost if self._game.phase == "turn" else []
        if lost:
            gone = [PIECES[SIZES.index(size)] for size in lost]
            return f"The {' and the '.join(gone)} finds no free slot and leaves the game for good. Do it?"
        return None

    def _ask(self, lines: list[str], question: str) -> None:
        self._pending = lines
        self._print(f"{question} (y, or the same again)", "yellow")

    def _act(self, lines: list[str]) -> None:
        """Play lines of the player on turn."""
        for line in lines:
            self._play(line)

    def _look(self, space: str) -> None:
        """All about a space, and what can be done there."""
        scene = Scene(self._game.now, self._names)
        self._print(_sentence(scene.describe(scene.spaces[SPACE_NAMED[space]])))
        here = [line for line in self._game.legal if SPACE_NAMED[space] in action_of(line).names]
        nothing = f"Nothing can be done here now. {idle_reason(space, self._game)}" if not here else ""
        self._print(nothing or f"Here you can: {' · '.join(here)}", "dim")

    def _undo(self, text: str) -> None:
        """So many actions back, one if no number is said, within the own turn and not across a hatch (M-SETUP-4)."""
        wanted = small_number(text) if text else 1
        if wanted is None:
            raise BadRequest("say how many actions to take back: undo 2.")
        count = min(wanted, self._game.undoable())
        self._took_back([self._game.undo() for _ in range(count)])

    def _restart(self) -> None:
        """Back to the start of the turn, as far as that is allowed."""
        count = self._game.restart_turn()
        self._took_back(self._game.undone[:count][::-1])

    def _took_back(self, lines: list[str]) -> None:
        if not lines:
            raise BadRequest("there is nothing to take back in this turn.")
        for line in lines:
            self._tell(self._on_turn.name, f"takes back {line}")
        self._keep()
        self._stale = self._console.is_terminal

    def _redo(self) -> None:
        """Play again what was last taken back."""
        self._tell(self._on_turn.name, f"plays again {self._game.redo()}")
        self._keep()
        self._stale = self._console.is_terminal

    # Questions

    def _why(self, text: str) -> None:
        line = meaning(text, self._game).line
        if text.lower() in SPACE_NAMED and self._game.phase == "turn":
            self._look(text.lower())
        elif line is None:
            self._print(f"{nonsense(text, self._game)} Ask like this: why grow c3.", "red")
        else:
            self._print(self._game.why_not(line) or f"{line} is possible now.")

    def _log(self, text: str) -> None:
        last = small_number(text) or 12
        self._print("\n".join(answers.log_lines(self._game, self._names, last)) or "Nothing was done yet.")

    # Files

    def _save(self, text: str, overwrite: bool = False) -> None:
        """Into the file named, or the one used before; over another file only if that is wanted."""
        named = text.removesuffix(" yes")
        path = Path(os.path.expanduser(named)) if named else self._file
        if path is None:
            raise BadRequest("say where: save FILE.")
        if not (overwrite or named != text or path == self._file or self._may_write(path)):
            return
        self._game.save(path)
        self._file = path
        self._saved_actions = len(self._game.actions)
        self._print_whole(f"Saved in {path}.")

    def _may_write(self, path: Path) -> bool:
        """Whether nothing is overwritten, or a person at a terminal agrees."""
        if not os.path.lexists(path):
            return True
        if isinstance(self._reader, PipeReader) or not self._console.is_terminal:
            raise BadRequest(f"{path} exists already; `save! {path}` writes over it.")
        return self._reader.ask(f"{path} exists already. Write over it? (y/n) ", lambda: [*YES, *NO]).lower() in YES

    def _load(self, text: str) -> None:
        if not text:
            raise BadRequest("say what: load FILE.")
        path = Path(os.path.expanduser(text))
        game = Game.load(path)
        before = ". The game before it is kept" if self._kept() else ""
        self._keeper = Keeper()
        self._file = path
        self._saved_actions = len(game.actions)
        self._sit_down(game, seats_of(game))
        self._tell("", f"Loaded {text}{before}")

    def _quit(self) -> None:
        """Ask once if there is something that is in no file of the player's own."""
        if len(self._game.actions) == self._saved_actions or self._confirmed("Leave? The game is kept. (y/n) "):
            raise Leave

    def _confirmed(self, question: str) -> bool:
        try:
            return self._reader.ask(question, lambda: list(YES)).lower() in ("", *YES)
        except EOFError:
            return True

    # The screen

    def _redraw(self) -> None:
        self._stale = True

    def _clear(self) -> None:
        """On a terminal each screen takes the place of the last."""
        self._console.clear()

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style))

    def _print_whole(self, text: str, style: str = "") -> None:
        """In one line, so that what is in it can be copied."""
        self._console.print(Text(text, style=style), soft_wrap=True)


def _bot(game: Game, seat: int, kind: Seat) -> bots.Bot:
    """The bot of a seat; its choices follow from the game's seed."""
    if kind.command is not None:
        return ProgramBot(kind.command)
    bot = bots.make(kind.kind, seed=(game.data.seed or 0) * 4 + seat)
    bots.check(bot, kind.kind, game.players, game.rules)
    return bot


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")
