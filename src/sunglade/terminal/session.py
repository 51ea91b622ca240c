"""A game at the terminal: people type, bots answer, nothing is lost."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.console import Console
from rich.text import Text

from sunglade import bots
from sunglade.board import SPACE_NAMED
from sunglade.bots.limits import TurnClock
from sunglade.bots.program import ProgramBot
from sunglade.drawing.scene import Scene
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.kernel.printed import SIZES
from sunglade.notation import action_of
from sunglade.terminal import advice, answers, screen
from sunglade.terminal.animal_guide import guide
from sunglade.terminal.news import News, ended, sunrise
from sunglade.terminal.parse import idle_reason, meaning, nonsense, small_number
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.reader import PipeReader, Reader
from sunglade.terminal.seats import BOT_MS, Seat, remember, seats_of, strangers
from sunglade.terminal.store import Keeper, command, is_kept
from sunglade.terminal.taking_back import HATCH, Done, Joined, play_again, take_back
from sunglade.terminal.words import price, told
from sunglade.terminal.yes_no import answers_to_a_question, is_no, is_yes, yes_and_no
from sunglade.words import key
from sunglade.words.speech import isolated, tell

if TYPE_CHECKING:
    from sunglade.words.keys import Key

LOOKING: Final = (
    "?", "help", "h", "list", "l", "forecast", "f", "score", "legend", "animals", "log", "last", "why", "hint",
    "value", "board",
)  # fmt: skip
"""What may be asked while a question is open: it changes nothing."""
FILES: Final = ("save", "save!", "load")
"""Their file names may have anything in them, a semicolon too."""


class Question(NamedTuple):
    """What a player is asked, and the lines that wait for a yes."""

    text: str
    lines: list[str]

    def asked(self) -> Text:
        """The question as it stands on the screen."""
        return Text(tell("terminal.question", question=self.text, **yes_and_no()), style="yellow")


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
        self._use_file(file)
        self._saved_actions = len(game.actions) if file else 0
        self._warned = False
        self._news = News()
        self._shown: list[str] = []
        """The news on the screen, for when it is drawn again."""
        self._alerts: list[str] = []
        """Sentences that must be seen whatever the screen has room for."""
        self._question: Question | None = None
        self._offer = ""
        """A line that is played if the space it is about is typed again."""
        self._waiting: list[str] = []
        """What else was typed in one line, after semicolons."""
        self._looked_up: list[str] = []
        """What was answered before the rest of a line was done, for the screen after it."""
        self._adviser = advice.Adviser()
        self._values_shown = False
        self._values: dict[str, str] = {}
        """What the value line said of the last position it was asked about."""
        self._bots: list[bots.Bot | None] = []
        self._sit_down(game, table)
        self._tell("", tell("terminal.welcome"))
        for note in notes:
            self._alert(note)
        if keeper.trouble:
            self._warned = True
            self._alert(tell("terminal.kept.never", reason=keeper.trouble, file=tell("terminal.word.file")))

    def _sit_down(self, game: Game, table: list[Seat]) -> None:
        """Begin with a game; where one of its bots cannot be made, everything stays as it was."""
        seated = [None if seat.is_human else _bot(game, p, seat) for p, seat in enumerate(table)]
        self._send_off()
        self._bots = seated
        self._game = game
        self._table = table
        self._joined = Joined()
        self._clocks = [TurnClock(BOT_MS) for _ in table]
        self._noted: dict[int, str] = {}
        self._failed: set[int] = set()
        """Seats of programs that broke down: their turns are ended for them."""
        self._stale = True
        for stranger in strangers(game, table):
            self._alert(stranger)
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
            self._keeper.close()

    def _send_off(self) -> None:
        """End the programs that played."""
        for bot in self._bots:
            if isinstance(bot, bots.Closable):
                bot.close()

    def _say_goodbye(self) -> None:
        self._print_if_kept(tell("terminal.kept", command=command("play --resume")))

    def _print_if_kept(self, hint: str) -> None:
        """How to come back to the game, or why that will not be possible."""
        if self._kept():
            self._print_whole(hint, "dim")
        elif self._keeper.trouble:
            self._print(self._unkept(), "red")

    def _unkept(self) -> str:
        return tell("terminal.kept.not", reason=self._keeper.trouble)

    def _result(self) -> None:
        """The last screen: board, scores, winners."""
        self._clear()
        self._console.print(screen.board_view(self._console, self._game, self._names))
        for sentence in self._news.take():
            self._print(sentence, "dim")
        self._console.print(answers.score_table(self._game, self._names))
        self._print(answers.verdict(self._game, self._names), "bold")
        self._print_if_kept(
            tell("terminal.look_back", command=f"{command('replay')} {shlex.quote(str(self._keeper.path))}")
        )

    def _kept(self) -> bool:
        """Keep the game if there is something to keep, or was before it was taken back; whether it is."""
        if not self._game.actions and not os.path.exists(self._keeper.path):
            return False
        self._keeper.keep(self._game)
        return not self._keeper.trouble

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
            self._alert(tell("terminal.bot.failed", player=self._names[seat], reason=failure.message))
            return
        self._clocks[seat].spend(time.perf_counter() - began)
        self._play(line)
        self._pass_on_note(seat, bot)

    def _pass_on_note(self, seat: int, bot: bots.Bot) -> None:
        """What a bot has to tell people, once."""
        note = bots.note_of(bot)
        if note and note != self._noted.get(seat):
            self._noted[seat] = note
            name = self._names[seat]
            self._tell(name, tell("terminal.bot.says", player=name, note=note.removesuffix(".")))

    def _play(self, line: str, *, with_the_one_before: bool = False) -> None:
        """Carry out an action, keep the game, and tell what was done."""
        before = self._game.fork()
        self._game.play(line)
        self._joined.played(len(before.actions), with_the_one_before=with_the_one_before)
        self._keep()
        self._tell(self._names[before.player or 0], told(before, line, self._game, self._names))
        morning = sunrise(before, self._game, self._names)
        if morning:
            self._tell("", morning)
        if self._console.is_terminal or self._game.player != before.player or self._game.phase != before.phase:
            self._stale = True

    def _tell(self, name: str, sentence: str) -> None:
        """At once in a pipe; below the next board on a terminal. A sentence about somebody begins with the name."""
        if not self._console.is_terminal:
            self._print(ended(sentence), "dim")
        elif name:
            self._news.add(name, sentence)
        else:
            self._news.note(sentence)

    def _alert(self, sentence: str) -> None:
        """At once in a pipe; just above the next prompt on a terminal."""
        if self._console.is_terminal:
            self._alerts.append(sentence)
        else:
            self._print_whole(sentence, "red")

    # The conversation

    def _human(self) -> None:
        """Show the position if it is new, and answer one line, or one action of it."""
        if self._question is not None or not self._waiting:
            self._show()
        mover = self._game.player
        try:
            self._answer(self._next_text())
        except SungladeError as error:
            self._show()
            self._print(_sentence(error.told_by(tell)), "red")
            self._drop_waiting()
        if self._game.player != mover:
            self._drop_waiting()

    def _show(self) -> None:
        """The position if it is new: before anything is said, which would go with the screen before it."""
        if self._stale:
            self._shown = self._news.take()
            self._draw()
            self._stale = False
        looked_up, self._looked_up = self._looked_up, []
        for answer in looked_up:
            self._console.print(Text.from_ansi(answer), soft_wrap=True)
        alerts, self._alerts = self._alerts, []
        for sentence in alerts:
            self._print_whole(sentence, "red")

    def _draw(self) -> None:
        """The screen, in place of the one before, with the question that is open."""
        below = [self._standing_value()] if self._values_shown else []
        if self._question is not None:
            below.append(self._question.asked())
        self._clear()
        self._console.print(screen.turn_view(self._console, self._game, self._names, self._shown, below))

    def _standing_value(self) -> Text:
        """The value line of every screen; where there is none, the reason, once."""
        try:
            return Text(self._value_line(), style="dim")
        except SungladeError as refusal:
            self._values_shown = False
            return Text(_sentence(refusal.told_by(tell)), style="red")

    def _value_line(self) -> str:
        """Everybody's chance of winning; a position is thought about once, however often it is drawn."""
        position = self._game.position()
        if position not in self._values:
            self._values = {position: advice.value_line(self._names, self._thought(advice.VALUE_MS))}
        return self._values[position]

    def _next_text(self) -> str:
        """What is to be done next: the rest of the line before, or what is typed now."""
        if self._waiting and self._question is None:
            return self._waiting.pop(0)
        typed = self._reader.ask(self._prompt(), self._choices, self._draw)
        text = "".join(letter for letter in typed if letter.isprintable()).strip()
        if self._question is not None or text.partition(" ")[0].lower() in FILES:
            return text
        first, *self._waiting = [part.strip() for part in text.split(";") if part.strip()] or [""]
        return first

    def _drop_waiting(self) -> None:
        """Say what of a line is not done, because something before it failed or the turn is over."""
        if self._waiting:
            self._alert(tell("terminal.not_done", lines="; ".join(self._waiting)))
            self._waiting = []

    def _prompt(self) -> str:
        if self._question is not None:
            return f"{isolated(self._on_turn.name)}, {'/'.join(yes_and_no().values())}> "
        has = self._purse() if self._game.phase == "turn" else self._phase()
        return f"{isolated(self._on_turn.name)}, {has}> "

    def _phase(self) -> str:
        return tell(key(f"phase.{self._game.phase}"))

    def _purse(self) -> str:
        """What the player on turn can spend."""
        own = self._game.state()["players"][self._game.player]
        said = [tell("terminal.light.count", count=own["light"])]
        return ", ".join([*said, *([tell("terminal.lunar.count", count=own["lunar"])] if "lunar" in own else [])])

    def _choices(self) -> list[str]:
        """What Tab completes."""
        return answers_to_a_question() if self._question is not None else [*self._game.legal, *self._commands()]

    def _answer(self, text: str) -> None:
        """Do what a typed line asks for."""
        if self._question is not None:
            self._answer_question(self._question, text)
            return
        offer, self._offer = self._offer, ""
        word, _, rest = text.partition(" ")
        command = self._commands().get(word.lower())
        if command is not None and word.lower() in LOOKING:
            self._look_up(lambda: command(rest.strip()))
        elif command is not None:
            self._show()
            command(rest.strip())
        elif text.lower() not in SPACE_NAMED:
            self._action(text)
        elif offer and offer.split()[-1] == text.lower():
            self._try([offer])
        else:
            self._look_up(lambda: self._look(text.lower()))

    def _look_up(self, look: Callable[[], None]) -> None:
        """Answer now, or where more is done on the same line, below the screen that comes after it."""
        if not self._waiting or not self._console.is_terminal:
            self._show()
            look()
            return
        with self._console.capture() as answer:
            look()
        self._looked_up.append(answer.get().rstrip("\n"))

    def _answer_question(self, question: Question, text: str) -> None:
        """Nothing else happens before a question is answered; looking things up changes nothing."""
        word, _, rest = text.partition(" ")
        if is_yes(text) or meaning(text, self._game).line == question.lines[-1]:
            self._question = None
            self._act(question.lines)
        elif is_no(text):
            self._question = None
            self._drop_waiting()
        elif word.lower() in LOOKING:
            self._commands()[word.lower()](rest.strip())
        else:
            self._print(tell("terminal.question.first", question=question.text, **yes_and_no()), "yellow")

    def _commands(self) -> dict[str, Callable[[str], None]]:
        """Everything that can be typed beside actions."""
        return {
            "": lambda _: self._redraw(),
            "board": lambda _: self._console.print(screen.board_view(self._console, self._game, self._names)),
            "?": lambda _: self._console.print(answers.help_table()),
            "help": lambda _: self._console.print(answers.help_table()),
            "h": lambda _: self._console.print(answers.help_table()),
            "list": lambda _: self._console.print(answers.action_list(self._game, self._console.width)),
            "l": lambda _: self._console.print(answers.action_list(self._game, self._console.width)),
            "forecast": lambda _: self._console.print(answers.forecast_table(self._game, self._names)),
            "f": lambda _: self._console.print(answers.forecast_table(self._game, self._names)),
            "score": lambda _: self._console.print(answers.score_table(self._game, self._names)),
            "legend": lambda _: self._console.print(screen.legend_view(self._console, self._game, self._names)),
            "animals": lambda _: self._print(guide(self._game)),
            "log": self._log,
            "last": lambda _: self._print("\n".join(answers.last_turns(self._game, self._names)) or tell("log.empty")),
            "hint": lambda _: self._hint(),
            "value": self._value,
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
            more = ["…"] if len(found.lines) > 12 else []
            raise BadRequest(tell("terminal.several", lines=", ".join([*found.lines[:12], *more])))
        if found.line is None:
            wrong = nonsense(text, self._game, [word for word in self._commands() if len(word) > 1])
            raise BadRequest(f"{wrong} {tell('terminal.help_hint')}".lstrip())
        if found.line in self._game.legal:
            self._try([found.line])
        elif lines := purchase_first(self._game, found.line):
            self._try(lines)
        else:
            raise BadRequest(self._game.why_not(found.line, tell) or tell("error.illegal_action"))

    def _try(self, lines: list[str]) -> None:
        """Play, but ask first where more is done than was said, or something would be lost."""
        doubt = " ".join(filter(None, [self._extra_purchase(lines), self._doubt(lines)]))
        if doubt:
            self._show()
            self._question = Question(doubt, lines)
            self._console.print(self._question.asked())
        else:
            self._act(lines)

    def _extra_purchase(self, lines: list[str]) -> str:
        """What would be bought before the action that was asked for."""
        if len(lines) == 1:
            return ""
        none = tell(key(f"refusal.none_available.{SIZES[action_of(lines[0]).size]}"))
        return f"{none} {tell('terminal.buy_first', action=lines[-1], price=price(preview(self._game, *lines)))}"

    def _doubt(self, lines: list[str]) -> str:
        """What a player may want to think over."""
        seat = self._game.player
        assert seat is not None
        if lines == ["end"]:
            ahead = self._game.forecast()[0]
            loses = ahead.lost[seat] if ahead.played else 0
            return f"{tell('end.ask.lost', count=loses)} {tell('end.ask.title')}" if loses else ""
        lost = preview(self._game, *lines).lost if self._game.phase == "turn" and lines != [HATCH] else []
        gone = [tell(key(f"preview.gone.{size}")) for size in lost]
        return " ".join([*gone, tell("terminal.anyway")]) if gone else ""

    def _act(self, lines: list[str]) -> None:
        """Play lines of the player on turn; several are one step."""
        for place, line in enumerate(lines):
            self._play(line, with_the_one_before=place > 0)

    def _look(self, space: str) -> None:
        """All about a space, and what can be done there; nothing is done."""
        scene = Scene(self._game.now, self._names)
        self._print(ended(scene.describe(scene.spaces[SPACE_NAMED[space]])))
        here = [line for line in self._game.legal if SPACE_NAMED[space] in action_of(line).names]
        if not here:
            self._print(f"{tell('action.none')} {idle_reason(space, self._game)}", "dim")
        elif self._game.phase == "turn":
            self._print(tell("terminal.here", lines=" · ".join(here)), "dim")
        else:
            self._offer = here[0]
            self._print(tell("terminal.here.again", line=here[0], space=space), "dim")

    def _undo(self, text: str) -> None:
        """So many steps back, one if no number is said; beyond the own turn only bots may be waiting."""
        wanted = small_number(text) if text else 1
        if not wanted:
            raise BadRequest(tell("terminal.undo.how_many"))
        done = take_back(self._game, self._table, self._joined)
        for _ in range(min(wanted - 1, self._game.undoable())):
            if self._game.undoable():
                done += take_back(self._game, self._table, self._joined)
        self._took_back(done)

    def _restart(self) -> None:
        """Back to the start of the turn, as far as that is allowed."""
        count = self._game.restart_turn()
        if not count:
            raise BadRequest(tell("terminal.undo.nothing_here"))
        self._took_back([Done(self._game.player or 0, line) for line in self._game.undone[:count][::-1]])

    def _took_back(self, done: list[Done]) -> None:
        mover, own = self._names[done[-1].seat], [line for seat, line in done if seat == done[-1].seat]
        others = {self._names[seat]: None for seat, _ in done if seat != done[-1].seat}
        said: Key = "terminal.undone.others" if others else "terminal.undone"
        self._tell(mover, tell(said, player=mover, lines=", ".join(own), others=", ".join(others)))
        self._history_changed()

    def _redo(self) -> None:
        """Play again what was last taken back, bots' answers included."""
        for seat, line in play_again(self._game, self._table, self._joined):
            self._tell(self._names[seat], tell("terminal.redone", player=self._names[seat], lines=line))
        self._history_changed()

    def _history_changed(self) -> None:
        self._clocks = [TurnClock(BOT_MS) for _ in self._table]
        self._keep()
        self._stale = self._console.is_terminal

    # Questions

    def _why(self, text: str) -> None:
        line = meaning(text, self._game).line
        if text.lower() in SPACE_NAMED and self._game.phase == "turn":
            self._look(text.lower())
        elif line is None:
            self._print(f"{nonsense(text, self._game)} {tell('terminal.why')}".lstrip(), "red")
        else:
            self._print(self._game.why_not(line, tell) or tell("terminal.why.possible", line=line))

    def _log(self, text: str) -> None:
        last = small_number(text) or 12
        self._print("\n".join(answers.log_lines(self._game, self._names, last)) or tell("log.empty"))

    def _hint(self) -> None:
        with self._thinking():
            found = self._adviser.advise(self._game, advice.HINT_MS)
        for sentence in advice.hint(self._game, self._names, found):
            self._print(sentence)

    def _value(self, text: str) -> None:
        """Once, or from now on with every screen, or no more."""
        if text not in ("", "on", "off"):
            raise BadRequest(tell("terminal.value.how"))
        if text != "off":
            self._print(self._value_line())
        self._values_shown = text == "on" or (self._values_shown and not text)

    def _thought(self, ms: int) -> bots.Thought:
        with self._thinking():
            return self._adviser.think(self._game, ms)

    def _thinking(self) -> AbstractContextManager[object]:
        return nullcontext() if self._waiting else self._console.status(tell("hint.thinking"))

    # Files

    def _save(self, text: str, overwrite: bool = False) -> None:
        """Into the file named, or the one used before; over another file only if that is wanted. `-` shows it."""
        named = text.removesuffix(" yes")
        if named == "-":
            sys.stdout.write(self._game.to_json())
            return
        path = Path(os.path.expanduser(named)) if named else self._file
        if path is None:
            raise BadRequest(tell("terminal.save.where", file=tell("terminal.word.file")))
        if path.is_dir():
            raise BadRequest(tell("terminal.save.folder", folder=path, file=path / "game.json"))
        agreed = overwrite or named != text or (path == self._file and _stamp(path) == self._file_stamp)
        if not (agreed or self._may_write(path)):
            return
        self._game.save(path)
        self._use_file(path)
        self._saved_actions = len(self._game.actions)
        self._print_whole(tell("terminal.save.done", file=path))

    def _use_file(self, path: Path | None) -> None:
        """Remember the player's own file, and how it was: another terminal may write it, too."""
        self._file = path
        self._file_stamp = _stamp(path) if path else None

    def _may_write(self, path: Path) -> bool:
        """Whether nothing is overwritten, or a person at a terminal agrees."""
        if not os.path.lexists(path):
            return True
        problem = tell("terminal.save.changed" if path == self._file else "terminal.save.exists", file=path)
        if isinstance(self._reader, PipeReader) or not self._console.is_terminal:
            raise BadRequest(f"{problem} {tell('terminal.save.over', file=path)}")
        return is_yes(self._asked(f"{problem} {tell('terminal.save.ask', **yes_and_no())} "))

    def _asked(self, question: str) -> str:
        """What somebody answers who cannot go on before."""
        return self._reader.ask(question, answers_to_a_question, None)

    def _load(self, text: str) -> None:
        if not text:
            raise BadRequest(tell("terminal.load.what", file=tell("terminal.word.file")))
        path = Path(os.path.expanduser(text))
        kept = f" {tell('terminal.loaded.kept')}" if self._kept() else ""
        if path.resolve() == self._keeper.path.resolve():
            self._sit_down_at(path)
        else:
            self._change_to(path)
        self._tell("", tell("terminal.loaded", file=text) + kept)

    def _sit_down_at(self, path: Path) -> None:
        game = Game.load(path)
        self._sit_down(game, seats_of(game))

    def _change_to(self, path: Path) -> None:
        """Go on with a file: a kept game where it is kept, unless another terminal has it, any other in a new place."""
        kept = is_kept(path)
        keeper = Keeper(path if kept else None)
        keeper.open()
        try:
            self._sit_down_at(path)
        except SungladeError:
            keeper.close()
            raise
        self._keeper.close()
        self._keeper = keeper
        self._use_file(None if kept else path)
        self._saved_actions = 0 if kept else len(self._game.actions)

    def _quit(self) -> None:
        """Ask once if there is something that is in no file of the player's own."""
        if len(self._game.actions) in (0, self._saved_actions) or self._may_leave():
            raise Leave

    def _may_leave(self) -> bool:
        """Enter is a yes only where nothing is lost."""
        kept = self._kept()
        question = tell("terminal.leave", **yes_and_no())
        if not kept:
            question = tell("terminal.leave.lost", problem=self._unkept(), **yes_and_no())
        try:
            answer = self._asked(f"{question} ")
            return is_yes(answer) or (kept and not answer)
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
    """With a capital letter, unless a file's name or a space stands first, and an end."""
    word = text.partition(" ")[0]
    begun = text[:1].upper() + text[1:] if word.isalpha() else text
    return ended(begun)


def _stamp(path: Path) -> tuple[int, int] | None:
    """When a file was last written, and its size; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
