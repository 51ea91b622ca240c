"""Game: a position with its history. What people import."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sunglade import kernel, position
from sunglade.board import spaces_in
from sunglade.deal import Deal
from sunglade.errors import BadRequest, BadRules, IllegalAction
from sunglade.explain import sentence, unknown_line
from sunglade.forecast import Forecast, Score, forecast, scores
from sunglade.gamefile import OWN_KEYS, GameData, game_text, load_game, parse_json, read_game, save_text
from sunglade.kernel.actions import END, TURTLE_HATCH
from sunglade.kernel.animals import baby_on
from sunglade.kernel.cost import Cost, cost
from sunglade.kernel.record import ANIMALS_PHASE, OVER, PHASES, TURN, TURTLE, Record
from sunglade.kernel.refusal import Refusal, refusal
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS, State, state_dict
from sunglade.rules import Rules, check_players
from sunglade.words import ENGLISH, Tell, Telling, catalogue, saying

if TYPE_CHECKING:
    import numpy as np

KEPT_EVERY: Final = 64
"""So often a game keeps its position, to come back to those before: all of them would be most of a table's memory."""

WITHOUT_NUMPY: Final = (
    "Game.record is a record of NumPy, which is not installed: pip install 'sunglade[numba]' brings it; "
    "Game.now has the same fields without it."
)


class Game:
    """A game of 2–4 players: its rules, its position, and every action that led there.

    >>> game = Game(players=2)
    >>> for line in ("place a1", "place g4", "place a3", "place g2"):
    ...     game.play(line)
    >>> game.round, game.player, game.legal[:4]
    (1, 0, ['end', 'buy seed', 'buy small', 'grow a1'])
    >>> game.why_not("buy medium")
    'This costs 3 light points and you have 2.'
    """

    def __init__(
        self,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        deal: Mapping[str, Any] | None = None,
        actions: Sequence[str] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        chosen = rules if isinstance(rules, Rules) else Rules.from_dict({} if rules is None else rules)
        check_players(players)
        if type(seed) is not int:
            raise BadRequest(f"seed must be a whole number, not {seed!r:.60}.")
        if set(extra or ()) & set(OWN_KEYS):
            raise BadRequest(f"extra may not have the game's own keys: {', '.join(OWN_KEYS)}.")
        if isinstance(actions, str):
            raise BadRequest("actions must be a list of lines, not one line.")
        dealt = Deal.from_dict({} if deal is None else deal, seed, players)
        self._begin(GameData(players, chosen, seed, dealt, [], dict(extra or {})))
        self._play_all(list(actions))

    def _begin(self, data: GameData) -> None:
        """Set up the position at which a stored game begins, without its actions."""
        if data.position is not None:
            self._begin_at(data.position, data)
            return
        self._data = data
        self.players = data.players
        self.rules = data.rules
        self.extra = data.extra
        self.now = kernel.new_record(data.rules, data.players, data.deal.animals, data.deal.babies)
        """The position, as plain integers. Look, do not touch: it changes as the game goes on; copy it to keep it."""
        self._forget_history()

    def _begin_at(self, start: str, data: GameData) -> None:
        """The same for one that begins at a position string: players, rules and deal are what it tells."""
        rules, self.now = position.from_text(start)
        told = position.data_of(self.now, rules)
        if (told.players, told.rules) != (data.players, data.rules):
            raise BadRequest(saying("terminal.position.other"))
        self._data = replace(told, extra=data.extra)
        self.players, self.rules, self.extra = told.players, rules, data.extra
        self._forget_history()

    def _forget_history(self) -> None:
        self._numbers: list[int] = []
        self._kept: list[bytes] = []  # the record before every action whose index is a multiple of KEPT_EVERY
        self._first_turn: int | None = None  # the index of the first action after the set-up
        self._undone: list[int] = []
        self._legal: list[int] | None = None  # once asked for

    def _play_all(self, lines: list[str], first: int = 0) -> None:
        """Play lines; an error says which one, counted from `first`."""
        for index, line in enumerate(lines, start=first):
            try:
                self.play(line)
            except (IllegalAction, BadRequest) as error:
                raise error.within(f"actions[{index}] {line!r:.60}", at=index) from None

    # What the position is

    @property
    def record(self) -> np.record:
        """The position as a NumPy record of `kernel.STATE`, the same memory as `now`. Look, do not touch."""
        try:
            record: np.record = self.now.array()[0]
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(WITHOUT_NUMPY, name=missing.name) from None
        return record

    @property
    def phase(self) -> str:
        """draft, animals, elder, stones, placing, turn or over."""
        return PHASES[self.now.phase]

    @property
    def over(self) -> bool:
        """Whether the game has ended (R-ROUND-5)."""
        return self.now.phase == OVER

    @property
    def player(self) -> int | None:
        """The seat that acts next; None when the game is over."""
        return None if self.over else self.now.player

    @property
    def round(self) -> int:
        """The round in progress, 0 before the first."""
        return self.now.current_round

    @property
    def winners(self) -> list[int] | None:
        """The seats that won, several when they share the win (R-END-2); None before the end."""
        return list(spaces_in(kernel.winners(self.now))) if self.over else None

    def state(self) -> State:
        """The position as docs/protocol.md tells it to other programs."""
        return state_dict(self.now)

    def scores(self) -> list[Score]:
        """What each player's points are made of, as if the game ended now (R-END-1)."""
        return scores(self.now)

    def forecast(self) -> Forecast:
        """Light, shade and moon of the coming six rounds if nobody acts."""
        return forecast(self.now)

    # What can be done

    @property
    def legal_numbers(self) -> list[int]:
        """The legal actions as the kernel's numbers, in its fixed order."""
        if self._legal is None:
            found = kernel.LegalList()
            count = kernel.legal(self.now, found)
            self._legal = found.action[:count].tolist()
        return list(self._legal)

    @property
    def legal(self) -> list[str]:
        """Every legal action once, in a fixed order."""
        return [ACTION_NAMES[number] for number in self.legal_numbers]

    def refusal(self, line: str) -> Refusal | None:
        """Why a well-formed action is not legal, as a word with details; None when it is legal."""
        number = ACTION_NUMBERS.get(line) if isinstance(line, str) else None
        if number is None:
            raise IllegalAction(partial(unknown_line, line))
        return refusal(self.now, number)

    def why_not(self, line: str, tell: Tell | None = None) -> str | None:
        """Why an action is not legal, in a sentence; None when it is legal.

        In English, unless another language tells it: `sunglade.words.catalogue("de").tell`.
        """
        telling = self._why_not(line)
        return None if telling is None else telling(tell or catalogue(ENGLISH).tell)

    def _why_not(self, line: str) -> Telling | None:
        if not isinstance(line, str) or line not in ACTION_NUMBERS:
            return partial(unknown_line, line)
        reason = self.refusal(line)
        return None if reason is None else partial(sentence, reason)

    def cost(self, line: str) -> Cost:
        """What a legal action costs in light and in lunar points."""
        reason = self._why_not(line)
        if reason is not None:
            raise IllegalAction(reason)
        return cost(self.now, ACTION_NUMBERS[line])

    def play(self, line: str) -> None:
        """Carry out one legal action, or raise IllegalAction with the reason."""
        number = ACTION_NUMBERS.get(line) if isinstance(line, str) else None
        if number is None or number not in self.legal_numbers:
            raise IllegalAction(self._why_not(line) or "That is not legal.")
        if number == TURTLE_HATCH and not baby_on(self.now, self.now.at[self.now.player]):
            raise BadRequest(saying("terminal.hatch.unknown"))
        self._push(number)
        self._undone.clear()

    def _push(self, number: int) -> None:
        if len(self._numbers) % KEPT_EVERY == 0:
            self._kept.append(bytes(self.now))
        if self._first_turn is None and self.now.phase == TURN:
            self._first_turn = len(self._numbers)
        self._numbers.append(number)
        kernel.apply(self.now, number)
        self._legal = None

    # What was done

    @property
    def actions(self) -> list[str]:
        """Every action played, in order."""
        return [ACTION_NAMES[number] for number in self._numbers]

    @property
    def undone(self) -> list[str]:
        """What `redo` would play again, next first."""
        return [ACTION_NAMES[number] for number in reversed(self._undone)]

    def undo(self) -> str:
        """Take back the last action, whoever played it; return it."""
        if not self._numbers:
            raise BadRequest(saying("error.nothing_to_undo"))
        number = self._numbers.pop()
        self._undone.append(number)
        kept, since = divmod(len(self._numbers), KEPT_EVERY)
        self.now = Record(self._kept[kept])
        for played in self._numbers[len(self._numbers) - since :]:
            kernel.apply(self.now, played)
        if not since:
            self._kept.pop()
        if self._first_turn == len(self._numbers):
            self._first_turn = None
        self._legal = None
        return ACTION_NAMES[number]

    def redo(self) -> str:
        """Play again what was last taken back; return it."""
        if not self._undone:
            raise BadRequest(saying("error.nothing_to_redo"))
        number = self._undone.pop()
        self._push(number)
        return ACTION_NAMES[number]

    def undoable(self) -> int:
        """How many actions a player at a table may take back: to the start of the turn, not across a hatch.

        A hatch shows a hidden baby, and what was seen cannot be unseen (M-SETUP-4). In the set-up every single
        action is a turn of its own, so nothing may be taken back.
        """
        if self.now.phase != TURN or self._first_turn is None:
            return 0
        count = 0
        for number in reversed(self._numbers[self._first_turn :]):
            if number in (END, TURTLE_HATCH):
                break
            count += 1
        return count

    def restart_turn(self) -> int:
        """Take back what `undoable` allows; return how many actions that were."""
        count = self.undoable()
        for _ in range(count):
            self.undo()
        return count

    def take_back(self, count: int) -> list[str]:
        """Take back so many actions, whoever played them, for good: `redo` forgets them. Return them, last first."""
        lines = [self.undo() for _ in range(count)]
        self._undone.clear()
        return lines

    def fork(self) -> Game:
        """An independent copy with the same history."""
        copy = Game.__new__(Game)
        copy._data = self._data
        copy.players, copy.rules, copy.extra = self.players, self.rules, dict(self.extra)
        copy.now = self.now.copy()
        copy._forget_history()
        copy._numbers, copy._kept, copy._undone = list(self._numbers), list(self._kept), list(self._undone)
        copy._first_turn = self._first_turn
        return copy

    def replay(self) -> Iterator[Game]:
        """The game from its start: the position before the first action and after each one."""
        copy = self.fork()
        numbers = list(copy._numbers)
        while copy._numbers:
            copy.undo()
        copy._undone.clear()
        yield copy.fork()
        for number in numbers:
            copy._push(number)
            yield copy.fork()

    # Hidden information (M-SETUP-4)

    def redacted(self) -> Game:
        """The game as a player may know it: no seed, and babies still face down or in the box unknown."""
        return self._with_deal(self._known_deal(), seed=None)

    @property
    def redacted_data(self) -> GameData:
        """What `redacted` tells of what was agreed, dealt and done. Nothing is played again for it."""
        deal = self._known_deal()
        return replace(self.data, seed=None, deal=deal, position=self._start_with(deal))

    def _known_deal(self) -> Deal:
        known = self._hatched_babies()
        babies = tuple(baby if baby in known else None for baby in self._data.deal.babies)
        return Deal(self._data.deal.animals, babies)

    def determinised(self, seed: int) -> Game:
        """A copy in which the babies nobody has seen are shuffled anew, as bots must think of them."""
        if type(seed) is not int:
            raise BadRequest(f"seed must be a whole number, not {seed!r:.60}.")
        return self._with_deal(self._data.deal.with_unknown_shuffled(self._hatched_babies(), seed), seed=None)

    def _hatched_babies(self) -> set[str]:
        """The babies that have been seen: they no longer lie face down."""
        s = self.now
        if s.phase <= ANIMALS_PHASE or TURTLE not in s.animal:
            return set()
        babies = zip(spaces_in(s.shore), self._data.deal.babies, strict=True)
        return {baby for space, baby in babies if baby is not None and not s.face_down >> space & 1}

    def _with_deal(self, deal: Deal, seed: int | None) -> Game:
        """The same game under another deal that agrees with everything that was seen."""
        copy = Game.__new__(Game)
        copy._begin(replace(self._data, seed=seed, deal=deal, extra=dict(self.extra), position=self._start_with(deal)))
        for number in self._numbers:
            copy._push(number)
        return copy

    def _start_with(self, deal: Deal) -> str | None:
        """The position that the game begins at, where it is not the start, under another deal."""
        start = self._data.position
        return None if start is None else position.with_babies(start, deal.babies)

    # As text

    @property
    def data(self) -> GameData:
        """What was agreed, dealt and done."""
        return replace(self._data, actions=self.actions, extra=self.extra)

    def to_dict(self) -> dict[str, Any]:
        """The game object of docs/protocol.md."""
        return self.data.to_dict()

    @classmethod
    def from_dict(cls, game: object) -> Game:
        """A game from docs/protocol.md's object, full or redacted; every action is checked."""
        *_, last = cls.passing(game)
        return last

    @classmethod
    def passing(cls, game: object) -> Iterator[Game]:
        """One game, seen before the first action of a game object and after each; it goes on changing."""
        data = read_game(game)
        new = cls.__new__(cls)
        new._begin(data)
        yield new
        for index, line in enumerate(data.actions):
            new._play_all([line], first=index)
            yield new

    def to_json(self) -> str:
        """The game as JSON text."""
        return game_text(self.data)

    @classmethod
    def from_json(cls, text: str | bytes) -> Game:
        """A game from JSON text."""
        return cls.from_dict(parse_json(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, whole or not at all."""
        save_text(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Read a game from a file."""
        data = load_game(path)
        try:
            return cls.from_dict(data.to_dict())
        except (IllegalAction, BadRequest, BadRules) as error:
            raise error.within(os.fspath(path)) from None

    def position(self) -> str:
        """The position, rules included, in one line."""
        return position.to_text(self.now, self.rules)

    @classmethod
    def from_position(cls, text: str) -> Game:
        """A game that begins at a position string; its past is not known."""
        rules, s = position.from_text(text)
        new = cls.__new__(cls)
        new._begin(position.data_of(s, rules))
        return new

    def __str__(self) -> str:
        from sunglade import drawing  # many modules, and most games are never drawn

        return drawing.text(self.now)

    def _repr_svg_(self) -> str:
        from sunglade import drawing

        return drawing.svg(self.now)

    def __repr__(self) -> str:
        if self._data.position is not None and not self._numbers:
            return f"Game.from_position({self.position()!r})"
        return f"Game.from_dict({self.to_dict()!r})"

    def __eq__(self, other: object) -> bool:
        """Same rules and position, whatever way led there."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules == other.rules and self.now == other.now

    __hash__ = None  # type: ignore[assignment]  # a game changes
