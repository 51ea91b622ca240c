"""A table as its log tells it: seats and game are a fold over events, and a command becomes an event or is refused.

Nothing here waits, stores or sends: the same events always give the same table (`docs/api.md`, Keeping).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from sunglade.bots.given_names import given_name
from sunglade.game import Game
from sunglade.notation import ACTION_NUMBERS
from sunglade.table.agreement import Agreement
from sunglade.table.clock import Clocks
from sunglade.table.ending import AGREED, RESIGNED, Ending, best_of
from sunglade.table.event_view import Chronicle, Told, tell_action
from sunglade.table.names import clean_name
from sunglade.table.offers import ANSWERS, Offer, Offers, decide_answer, decide_offer
from sunglade.table.problems import ServerProblem
from sunglade.table.rated import check_bot, nobody_instead
from sunglade.table.refusals import why
from sunglade.table.requests import Command
from sunglade.table.turns import Turn, Turns
from sunglade.table.view import NO_TURN, UNFORESEEN, board_after, position_view, rules_view, scores
from sunglade.teaching.adaptation import adapted

GAME_EVENTS: Final = ("play", "undo", "redo", "restart")
"""Events that change the position: a command made before one of them is stale."""
OWNERS_COMMANDS: Final = ("reopen", "stand_in")
"""What only the owner of a table does, and only to people who are away."""
ENDING_COMMANDS: Final = ("resign", "offer", *ANSWERS)
"""Commands by which players end a game or take it back, if all agree."""
MOST_EVENTS: Final = 20_000
"""A log ends here: endless undoing and redoing must not fill the disk."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a table's log. `holder` and `command` say whose command it was, None for the server's own."""

    seq: int
    at: float
    kind: str
    seat: int | None
    data: dict[str, Any]
    holder: str | None = None
    command: str | None = None
    ran: float | None = None
    """When it happened by the clock of running servers, at tables that have clocks."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What shall become the next event."""

    kind: str
    seat: int | None
    data: dict[str, Any]
    holder: str | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat. `holder` is the client that has it, `stand_in` whether a bot plays for that person for now.

    `this_turn` if it does so only until the turn that is under way ends.

    An open seat remembers who left it (`former`, `former_name`): they may sit down again while nobody else does.
    """

    kind: str
    name: str | None = None
    level: str | None = None
    holder: str | None = None
    stand_in: bool = False
    adapts: bool = False
    former: str | None = None
    former_name: str | None = None
    this_turn: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether a bot has the seat; one that stands in for a person has not."""
        return self.kind != "person" and self.level is not None

    @property
    def playing(self) -> str:
        """Who chooses the actions."""
        if self.kind == "person" and not self.stand_in:
            return "person"
        return "bot" if self.level is not None else "nobody"


class Table:
    """The table after some events of its log."""

    def __init__(self, name: str, first: Event, game: Game | None = None) -> None:
        """A table at its first event; `game` is the one agreed on, where somebody has played it up to here already."""
        if first.kind != "created" or first.seq != 1:
            raise ValueError(f"the log of table {name} does not begin with its creation")
        self.name = name
        self.created = first.at
        self.setup = Agreement.from_dict(first.data)
        self.game: Game = self.setup.game() if game is None else game
        self.chairs = [Chair(s.kind, s.name, s.level, s.holder, adapts=s.adapts) for s in self.setup.seats]
        people = [chair.holder for chair in self.chairs if chair.holder is not None]
        self._maker = self.setup.owner or next(iter(people), None)
        self.rematch: str | None = None
        self.listed = self.setup.listed
        """Whether the lobby tells of it: agreed at the beginning, until somebody here withdraws it."""
        self.resigned: tuple[int, ...] = ()
        """Seats whose people have resigned, the first one first."""
        self.ended: Ending | None = None
        """How the game ended, where it was not by the rules."""
        self.offers = Offers()
        self.turns = Turns(self.game)
        terms = self.setup.clock
        self.clocks = None if terms is None else Clocks.agreed(terms, self.setup.players, first.ran)
        self.seq = first.seq
        self.game_seq = first.seq  # of the last event that changed the position
        self.changed = first.at
        self.starters: tuple[str | None, ...] | None = None
        """Rated games: who sat where when the game began, None for bots; only their results count."""
        self.turn_since = first.at  # when whoever is to act came to act
        self.turn_seq = first.seq  # by which event they did, or by which the game ended
        self.chronicle = Chronicle(self.game)
        self._let_clocks_follow()
        self._note_starters()

    @classmethod
    def from_log(cls, name: str, events: Iterable[Event]) -> Table:
        """Replay a log."""
        log = iter(events)
        table = cls(name, next(log))
        for event in log:
            table.apply(event)
        return table

    def copy(self) -> Table:
        """An independent table at the same event."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.fork()
        twin.chairs = list(self.chairs)
        twin.chronicle = self.chronicle.copy()
        twin.turns = self.turns.copy()
        return twin

    # Events

    def apply(self, event: Event) -> list[Told]:
        """Take up the next event of the log; what happened, told for clients."""
        if event.seq != self.seq + 1:
            raise ValueError(f"table {self.name} is at event {self.seq}, so {event.seq} cannot follow")
        waited_for = self._waited_for
        if self.clocks is not None:
            self.clocks = self.clocks.charged(event.ran)
        told = _APPLY[event.kind](self, event)
        self.seq, self.changed = event.seq, event.at
        if event.kind in GAME_EVENTS:
            self._moved_on(event)
        if self._waited_for != waited_for:
            self.turn_since, self.turn_seq = event.at, event.seq
        self._let_clocks_follow()
        self._note_starters()
        return [{"seq": event.seq, "at": event.at, **part} for part in told]

    def _moved_on(self, event: Event) -> None:
        """The position is another one: what was offered ends, unless only a bot has played."""
        self.game_seq = event.seq
        self._follow_turns()
        offer = self.offers.open
        is_past = offer is not None and offer.turn is not None and offer.turn not in self.to_take_back(offer.seat)
        if event.holder is not None or is_past or self.game.over:
            self.offers = self.offers.closed()

    def _follow_turns(self) -> None:
        """Where another turn has begun, people go on for whom a bot played one."""
        if self.turns.follow(self.game):
            self.chairs = [
                replace(chair, level=None, stand_in=False, this_turn=False) if chair.this_turn else chair
                for chair in self.chairs
            ]

    def _note_starters(self) -> None:
        """A rated game is between those who are there when it begins."""
        if self.setup.rated and self.starters is None and self.status != "waiting":
            self.starters = tuple(chair.holder for chair in self.chairs)

    def _let_clocks_follow(self) -> None:
        """Clocks run for people on their turn."""
        if self.clocks is not None:
            mover = self.game.player
            runs = mover is not None and self.status == "playing" and self.chairs[mover].playing == "person"
            self.clocks = self.clocks.following(self.turns.count, mover, runs=runs)

    def _play(self, event: Event) -> list[Told]:
        seat, line = self.game.player, event.data["action"]
        before = self.game.now.copy()
        self.game.play(line)
        told = tell_action(before, self.game.now, line, seat if seat is not None else 0)
        self.chronicle.note(before, told)
        return told

    def _undo(self, event: Event) -> list[Told]:
        return [{"kind": "undo", "seat": event.seat, "count": 1, "lines": [self.game.undo()]}]

    def _redo(self, event: Event) -> list[Told]:
        return [{"kind": "redo", "seat": event.seat, "line": self.game.redo()}]

    def _restart(self, event: Event) -> list[Told]:
        lines = [self.game.undo() for _ in range(self.game.undoable())]
        return [{"kind": "restart", "seat": event.seat, "count": len(lines), "lines": lines}]

    def _sat(self, event: Event) -> list[Told]:
        name = event.data["name"]
        self._change(event, Chair("person", name, None, event.data["holder"]))
        return [{"kind": "sat", "seat": event.seat, "name": name}]

    def _renamed(self, event: Event) -> list[Told]:
        before = self.chairs[event.seat or 0].name
        self._change(event, replace(self.chairs[event.seat or 0], name=event.data["name"]))
        return [{"kind": "renamed", "seat": event.seat, "name": event.data["name"], "before": before}]

    def _left(self, event: Event) -> list[Told]:
        name = self.chairs[event.seat or 0].name
        level = self._free(event)
        self.offers = self.offers.closed()
        return [{"kind": "left", "seat": event.seat, "name": name, "level": level, **self._bot_now(event)}]

    def _free(self, event: Event) -> str | None:
        """Open a seat; the bot that plays on there. A game that is over needs none, and keeps its players' names."""
        chair = self.chairs[event.seat or 0]
        level = self.setup.takeover_level if self._begun() else None
        if event.seat in self.resigned and not self.over:  # nobody else takes up a seat that comes last
            self._change(event, Chair("bot", None, level))
            return level
        free = Chair("open", chair.name, None) if self.over else Chair("open", None, level)
        if not event.data.get("for_good"):
            free = replace(free, former=chair.holder, former_name=chair.name)
        self._change(event, free)
        return level

    def _sat_again(self, event: Event) -> list[Told]:
        former, name = self.chairs[event.seat or 0].former, self.chairs[event.seat or 0].former_name
        self._change(event, Chair("person", name, None, event.data["holder"]))
        self._succeed(former, event.data["holder"])
        return [{"kind": "sat_again", "seat": event.seat, "name": name}]

    def _reopened(self, event: Event) -> list[Told]:
        name = self.chairs[event.seat or 0].name
        level = self._free(event)
        self.offers = self.offers.closed()
        return [{"kind": "reopened", "seat": event.seat, "name": name, "level": level, **self._bot_now(event)}]

    def _bot_now(self, event: Event) -> Told:
        """What the bot is called that plays on in a seat, where one does."""
        seat = event.seat or 0
        return {"bot": self.called(seat)} if self.chairs[seat].is_bot else {}

    def _forgotten(self, event: Event) -> list[Told]:
        for seat in event.data["seats"]:
            self.chairs[seat] = replace(self.chairs[seat], name=None, former_name=None)
        return [{"kind": "forgotten", "seat": seat} for seat in event.data["seats"]]

    def _moved(self, event: Event) -> list[Told]:
        before = self.chairs[event.seat or 0]
        self._change(event, replace(before, holder=event.data["holder"]))
        self._succeed(before.holder, event.data["holder"])
        return [{"kind": "moved", "seat": event.seat}]

    def _succeed(self, before: str | None, after: str) -> None:
        """The same person on another device."""
        if before == self._maker and not self.seats_of(before):
            self._maker = after

    def _bot_sat(self, event: Event) -> list[Told]:
        level = event.data["level"]
        self._change(event, Chair("bot", None, level))
        return [{"kind": "bot_sat", "seat": event.seat, "level": level, "name": self.called(event.seat or 0)}]

    def _bot_took_over(self, event: Event) -> list[Told]:
        level = event.data["level"]
        self._change(event, replace(self.chairs[event.seat or 0], level=level, stand_in=True))
        return [{"kind": "bot_took_over", "seat": event.seat, "level": level}]

    def _time_over(self, event: Event) -> list[Told]:
        level, then = event.data["level"], event.data["then"]
        chair = replace(self.chairs[event.seat or 0], level=level, stand_in=True, this_turn=then == "turn")
        self._change(event, chair)
        if self.clocks is not None:
            self.clocks = replace(self.clocks, is_out=True)
        return [{"kind": "time_over", "seat": event.seat, "level": level, "then": then}]

    def _vacation(self, event: Event) -> list[Told]:
        days = event.data["days"]
        if self.clocks is not None:
            self.clocks = self.clocks.with_vacation(event.seat or 0, days)
        return [{"kind": "vacation", "seat": event.seat, "days": days}]

    def _unlisted(self, event: Event) -> list[Told]:
        self.listed = False
        return [{"kind": "unlisted", "seat": event.seat}]

    def _back(self, event: Event) -> list[Told]:
        if self._is_out(event.seat or 0):  # whoever comes back gets no second time for the same turn
            self._change(event, replace(self.chairs[event.seat or 0], this_turn=True))
            return [{"kind": "back", "seat": event.seat}]
        self._change(event, replace(self.chairs[event.seat or 0], level=None, stand_in=False))
        return [{"kind": "back", "seat": event.seat}]

    def _resigned(self, event: Event) -> list[Told]:
        seat, level = event.seat or 0, event.data["level"]
        self.resigned = (*self.resigned, seat)
        self.offers = self.offers.closed()
        told: Told = {"kind": "resigned", "seat": seat}
        left = [other for other in range(len(self.chairs)) if other not in self.resigned]
        if len(left) == 1 or not any(self.chairs[other].kind == "person" for other in left):
            return [told, self._end(Ending(RESIGNED, seat))]
        self._change(event, replace(self.chairs[seat], level=level, stand_in=True, this_turn=False))
        return [told | {"level": level}]

    def _offered(self, event: Event) -> list[Told]:
        data = event.data
        turn = Turn(data["first"], event.seat or 0, data["round"]) if data["offer"] == "take_back" else None
        offer = Offer(data["offer"], event.seat or 0, event.seq, turn=turn)
        self.offers = self.offers.with_open(offer, self.turns.count)
        told: Told = {"kind": "offered", "seat": event.seat, "offer": offer.kind}
        return [told, *self._carry_out_offer(event)]

    def _agreed(self, event: Event) -> list[Told]:
        assert self.offers.open is not None
        same = self.seats_of(self.chairs[event.seat or 0].holder)
        self.offers = replace(self.offers, open=self.offers.open.with_agreed(same))
        return [{"kind": "agreed", "seat": event.seat}, *self._carry_out_offer(event)]

    def _answered(self, event: Event) -> list[Told]:
        self.offers = self.offers.closed()
        return [{"kind": event.kind, "seat": event.seat}]

    def _carry_out_offer(self, event: Event) -> list[Told]:
        """What was offered happens once nobody is left who has to agree."""
        offer = self.offers.open
        if offer is None or self.awaited:
            return []
        self.offers = self.offers.closed()
        if offer.turn is None:
            return [self._end(Ending(AGREED))]
        lines = self.game.take_back(len(self.game.actions) - offer.turn.first)
        self.chronicle.go_back_to(self.game.round)
        self.game_seq = event.seq
        self._follow_turns()
        return [{"kind": "taken_back", "seat": offer.seat, "count": len(lines), "lines": lines}]

    def _end(self, ending: Ending) -> Told:
        self.ended = ending
        points = [score["total"] for score in scores(self.game.now)]
        return {"kind": "ended", **ending.as_dict(), "winners": self.winners, "points": points}

    def _rematch(self, event: Event) -> list[Told]:
        self.rematch = event.data["table"]
        return [{"kind": "rematch", "table": self.rematch}]

    def _change(self, event: Event, chair: Chair) -> None:
        self.chairs[event.seat or 0] = chair

    # Questions

    @property
    def _waited_for(self) -> tuple[str, int | None, int]:
        """Which turn it is: somebody may have two in a row."""
        return self.status, self.game.player, self.turns.count

    @property
    def status(self) -> str:
        """waiting, playing or over."""
        if self.over:
            return "over"
        return "waiting" if any(chair.playing == "nobody" for chair in self.chairs) else "playing"

    @property
    def over(self) -> bool:
        """Whether nobody plays any more: by the rules, or because players ended it."""
        return self.game.over or self.ended is not None

    @property
    def winners(self) -> list[int] | None:
        """Who has won: the best who have not resigned, nobody where all agreed to end; None while it runs."""
        if not self.over:
            return None
        if self.ended is not None and self.ended.how == AGREED:
            return []
        return best_of(self.game, [seat for seat in range(len(self.chairs)) if seat not in self.resigned])

    @property
    def awaited(self) -> list[int]:
        """The seats of people who have to agree to the open offer and have not yet."""
        offer = self.offers.open
        if offer is None:
            return []
        asking = self.chairs[offer.seat].holder
        people = [seat for seat, chair in enumerate(self.chairs) if chair.kind == "person" and chair.holder != asking]
        return [seat for seat in people if seat not in offer.agreed and seat not in self.resigned]

    def to_take_back(self, seat: int) -> list[Turn]:
        """The turns a seat may ask to take back, the last first."""
        playing = self.chairs[seat].kind == "person" and seat not in self.resigned and not self.over
        return self.turns.to_take_back(seat, self.game) if playing else []

    def _is_out(self, seat: int) -> bool:
        """Whether a seat's time for the turn under way is over."""
        return self.clocks is not None and self.clocks.is_out and self.game.player == seat

    def _begun(self) -> bool:
        """Whether a bot plays on for whoever leaves: somebody has acted, or it is settled whose result this will be."""
        acted = bool(self.resigned) or len(self.game.actions) > len(self.setup.actions)
        return acted or self.starters is not None

    def seats_of(self, holder: str | None) -> list[int]:
        """The seats a client has."""
        return [seat for seat, chair in enumerate(self.chairs) if holder and chair.holder == holder]

    def speaking_seat(self, holder: str, wanted: int | None) -> int:
        """From which of their seats a client says something: the one it names, or its first."""
        mine = self.seats_of(holder)
        if not mine:
            raise ServerProblem("wrong_token", "this token holds no seat at this table.")
        if wanted is not None and wanted not in mine:
            raise ServerProblem("wrong_token", f"this token does not hold seat {wanted}.")
        return mine[0] if wanted is None else wanted

    def left_by(self, holder: str | None) -> list[int]:
        """The seats a client has left and may take again."""
        return [seat for seat, chair in enumerate(self.chairs) if holder and chair.former == holder]

    @property
    def owner(self) -> str | None:
        """Who looks after the table: who made it; while they have no seat, the next person in seat order."""
        if self.seats_of(self._maker):
            return self._maker
        first = next((seat for seat, agreed in enumerate(self.setup.seats) if agreed.holder is not None), 0)
        order = self.chairs[first:] + self.chairs[:first]
        return next((chair.holder for chair in order if chair.kind == "person"), None)

    @property
    def persons(self) -> int:
        """How many people sit here."""
        return sum(chair.kind == "person" for chair in self.chairs)

    @property
    def owner_seat(self) -> int | None:
        """A seat of who looks after the table, and invites; None where nobody sits."""
        return next(iter(self.seats_of(self.owner)), None)

    @property
    def bot_to_act(self) -> str | None:
        """The level of the bot whose turn it is."""
        seat = self.game.player
        if seat is None or self.status != "playing" or self.chairs[seat].playing != "bot":
            return None
        return self.chairs[seat].level

    def shown(self) -> dict[str, Any]:
        """The game as everybody may know it (docs/protocol.md, Game): all of it when it is over, redacted before."""
        data = self.game.data if self.over else self.game.redacted_data
        names = [
            f"{self.called(seat)} ({chair.level})" if chair.is_bot else chair.name
            for seat, chair in enumerate(self.chairs)
        ]
        ended = {} if self.ended is None else {"ended": self.ended.as_dict()}
        resigned = {"resigned": list(self.resigned)} if self.resigned else {}
        return data.to_dict() | {"names": names} | ended | resigned

    def called(self, seat: int) -> str | None:
        """The name in a seat: people may have one, bots always do."""
        chair = self.chairs[seat]
        return given_name(self.name, seat) if chair.is_bot else chair.name

    def next_level(self, seat: int) -> str | None:
        """As what a bot that adapts plays next, once the game is over."""
        chair = self.chairs[seat]
        winners = self.winners
        if winners is None or not chair.adapts or chair.level is None:
            return None
        if not winners:
            return chair.level
        people = [other for other, each in enumerate(self.chairs) if each.kind == "person"]
        return adapted(chair.level, sum(person in winners for person in people) / len(winners))

    def result(self, history: list[dict[str, Any]]) -> dict[str, Any] | None:
        """What `schema.Result` tells, with a history by rounds; None while the game runs."""
        if not self.over:
            return None
        how = {"how": "rules"} if self.ended is None else self.ended.as_dict()
        told = {"winners": self.winners, "scores": scores(self.game.now), "history": history}
        return told | {"seat": None} | how | {"resigned": list(self.resigned)}

    def view(self) -> dict[str, Any]:
        """What `schema.TableView` tells, without who is connected."""
        game, setup = self.game, self.setup
        result = self.result(self.chronicle.rounds(game.now)) if self.over else None
        offer = self.offers.open
        position = position_view(game, assistance=setup.assistance)
        if self.ended is not None:
            position["turn"] = NO_TURN
        return {
            "table": self.name,
            "seq": self.seq,
            "status": self.status,
            "created": self.created,
            "players": setup.players,
            "rules": rules_view(game.rules, setup.players),
            "settings": {
                "assistance": setup.assistance,
                "teaching": setup.teaching,
                "takeover_after": setup.takeover_after,
                "takeover_level": setup.takeover_level,
                "seeded": setup.seeded,
                "spectators": setup.spectators,
                "talk": setup.talk,
                "clock": setup.clock,
                "listed": self.listed,
                "rated": setup.rated,
            },
            "owner": self.owner_seat,
            "clock": None if self.clocks is None else self.clocks.view(),
            "rematch": self.rematch,
            "continues": setup.continues,
            "result": result,
            "offer": None if offer is None else offer.view(self.awaited),
            "take_back": [
                [{"back_to": turn.first, "round": turn.round} for turn in self.to_take_back(seat)]
                for seat in range(setup.players)
            ],
            **position,
        }

    # Commands

    def decide(self, command: Command, holder: str, levels: Iterable[str], ran: float | None = None) -> Intent:
        """The event a command asks for, or why not. Nothing changes. `ran` is the time by which clocks go."""
        if command.do == "sit_again":
            intent = self.decide_return(command.seat, holder)
            self._check_space()
            return replace(intent, holder=holder, command=command.id)
        seat = self._own_seat(command, holder)
        self._check_space()
        if command.do in OWNERS_COMMANDS:
            kind, data = self._decide_for_owner(command, holder)
            return Intent(kind, command.seat, data, holder, command.id)
        if command.do in GAME_EVENTS:
            data = self._decide_move(command, seat)
            return Intent(command.do, seat, data, holder, command.id)
        if command.do in ENDING_COMMANDS:
            return self._decide_ending(command, seat, holder)
        if command.do == "vacation":
            return Intent("vacation", seat, self._decide_vacation(command, seat, ran), holder, command.id)
        kind, data = self._decide_seat(command, seat, levels)
        target = command.seat if command.do == "fill" else seat
        return Intent(kind, target, data, holder, command.id)

    def _check_space(self) -> None:
        if self.seq >= MOST_EVENTS:
            raise ServerProblem("table_full", "this table's log is full; download the game and go on at a new table.")

    def decide_return(self, seat: int | None, former: str, holder: str | None = None) -> Intent:
        """The event by which somebody takes a seat again that they have left; on another device as another holder."""
        free = self.left_by(former)
        if seat is not None and seat in self.seats_of(former):
            raise ServerProblem("seat_taken", f"you sit in seat {seat} already.")
        if not free or (seat is not None and seat not in free):
            raise ServerProblem("seat_taken", "no seat that you have left is free.")
        return Intent("sat_again", free[0] if seat is None else seat, {"holder": holder or former})

    def _own_seat(self, command: Command, holder: str) -> int:
        """The seat a command is for. Filling an open seat is for whoever sits at the table."""
        mine = self.seats_of(holder)
        if not mine:
            raise ServerProblem("wrong_token", "this token holds no seat at this table.")
        if command.do in ("fill", *OWNERS_COMMANDS) or (command.do in ANSWERS and command.seat is None):
            return mine[0]
        if command.seat is None:
            to_act = self.game.player
            if command.do in GAME_EVENTS and (to_act is None or self.over):
                raise ServerProblem("game_over", "the game is over.")
            if command.do in GAME_EVENTS and to_act in mine:
                return to_act
            if len(mine) > 1:
                raise ServerProblem("unknown_seat", "you hold several seats; say which one with seat.")
            return mine[0]
        if command.seat not in mine:
            raise ServerProblem("wrong_token", f"this token does not hold seat {command.seat}.")
        return command.seat

    def _decide_for_owner(self, command: Command, holder: str) -> tuple[str, dict[str, Any]]:
        """What the owner does to the seat of another person. Whether that person is away, the table does not know."""
        if holder != self.owner:
            raise ServerProblem("not_owner", "only the owner of the table can do this.")
        if command.seat is None or command.seat >= len(self.chairs):
            raise ServerProblem("unknown_seat", f"{command.do} needs seat, the seat of somebody who is away.")
        chair = self.chairs[command.seat]
        if chair.kind != "person":
            raise ServerProblem("unknown_seat", f"nobody sits in seat {command.seat}.")
        if chair.holder == holder:
            raise ServerProblem("player_present", f"seat {command.seat} is your own.")
        if command.seat in self.resigned and not self.over:
            raise ServerProblem("has_resigned", "that player has resigned; a bot plays this seat.")
        if self.setup.rated and (self.starters is not None or command.do == "stand_in"):
            raise nobody_instead()
        if self._is_timed(chair):
            raise ServerProblem("clock_decides", "at a table with clocks nobody is replaced before their time is over.")
        if command.do == "reopen":
            return "reopened", {}
        if self.over:
            raise ServerProblem("game_over", "the game is over.")
        if chair.stand_in:
            raise ServerProblem("seat_taken", "a bot stands in there already.")
        return "bot_took_over", {"level": self.setup.takeover_level}

    def _is_timed(self, chair: Chair) -> bool:
        """Whether a clock alone decides how long a person may stay away: not where a bot plays on for them."""
        return self.clocks is not None and self.status == "playing" and (not chair.stand_in or chair.this_turn)

    def _decide_move(self, command: Command, seat: int) -> dict[str, Any]:
        if self.over and command.expected is not None and command.expected <= self.seq:
            raise ServerProblem("game_over", "the game is over.")
        self._check_fresh(command)
        if self.status == "waiting":
            raise ServerProblem("waiting_for_players", "the game begins when every seat is taken.")
        if self.game.player != seat:
            raise ServerProblem("not_your_turn", f"seat {self.game.player} is to act, not seat {seat}.")
        if seat in self.resigned:
            raise ServerProblem("has_resigned", "you have resigned; a bot plays this seat.")
        if self.chairs[seat].stand_in:
            raise ServerProblem("not_your_turn", "a bot stands in for you; send back first.")
        if command.do == "play":
            return {"action": self._checked_line(command.action)}
        if command.do == "redo":
            if not self.game.undone:
                raise ServerProblem("nothing_to_redo", "there is nothing to play again.")
        elif not self.game.undoable():
            raise ServerProblem("nothing_to_undo", "there is nothing to take back in this turn.")
        return {}

    def _decide_ending(self, command: Command, seat: int, holder: str) -> Intent:
        """The event by which somebody resigns, offers something, or answers an offer."""
        if self.over:
            raise ServerProblem("game_over", "the game is over.")
        if command.do in ANSWERS:
            answering = decide_answer(self.offers, command, self.seats_of(holder), self.awaited)
            return Intent(ANSWERS[command.do], answering, {}, holder, command.id)
        if self.status == "waiting":
            raise ServerProblem("waiting_for_players", "the game begins when every seat is taken.")
        if seat in self.resigned:
            raise ServerProblem("has_resigned", "you have resigned already.")
        if command.do == "resign":
            return Intent("resigned", seat, {"level": self.setup.takeover_level}, holder, command.id)
        self._check_fresh(command)
        data = decide_offer(self.offers, command, seat, self.turns.count, self.to_take_back(seat))
        return Intent("offered", seat, data, holder, command.id)

    def _decide_vacation(self, command: Command, seat: int, ran: float | None) -> dict[str, Any]:
        if self.clocks is None:
            raise ServerProblem("no_clock", "this table plays without a clock.")
        if self.over:
            raise ServerProblem("game_over", "the game is over.")
        return self.clocks.decide_vacation(seat, command.days, ran)

    def decide_time_over(self, ran: float) -> Intent | None:
        """The event by which a bot plays for whose time is over, if somebody's is."""
        clocks = self.clocks
        if clocks is None or clocks.running is None or not clocks.is_over(ran):
            return None
        return Intent("time_over", clocks.running, {"level": self.setup.takeover_level, "then": clocks.terms.then})

    def _check_fresh(self, command: Command) -> None:
        """A command is for the position its sender saw."""
        if command.expected is None:
            raise ServerProblem("bad_request", f"{command.do} needs expected, the sequence number it was made for.")
        if command.expected > self.seq:
            raise ServerProblem("stale", f"event {command.expected} has not happened; the table is at {self.seq}.")
        if command.expected < self.game_seq:
            raise ServerProblem("stale", f"the game has moved on: event {self.game_seq} came after {command.expected}.")

    def _checked_line(self, line: str | None) -> str:
        if line is None:
            raise ServerProblem("bad_request", "play needs action, the line to play.")
        if line in self.game.legal:
            return line
        why = self.why(line)
        raise ServerProblem("illegal_action", why["message"], reason=why["reason"], details=why["details"])

    def after(self, line: str) -> dict[str, Any] | None:
        """The board after an action, where it is legal now and its outcome known (schema.BoardView)."""
        if line not in self.game.legal or ACTION_NUMBERS[line] in UNFORESEEN:
            return None
        return board_after(self.game, line, assistance=self.setup.assistance)

    def why(self, line: str) -> dict[str, Any]:
        """Why an action is not legal (schema.Why)."""
        return why(self.game, line)

    def _decide_seat(self, command: Command, seat: int, levels: Iterable[str]) -> tuple[str, dict[str, Any]]:
        chair = self.chairs[seat]
        if command.do == "rename":
            if command.name is None:
                raise ServerProblem("bad_request", "rename needs name.")
            return "renamed", {"name": clean_name(command.name)}
        if command.do == "leave":
            return "left", {}
        if command.do == "unlist":
            if not self.listed:
                raise ServerProblem("not_listed", "the lobby does not tell of this table.")
            return "unlisted", {}
        if command.do in ("hand_over", "back") and seat in self.resigned:
            raise ServerProblem("has_resigned", "you have resigned; a bot plays this seat.")
        if command.do == "hand_over":
            if self.setup.rated:
                raise nobody_instead()
            if chair.stand_in:
                raise ServerProblem("seat_taken", "a bot stands in for you already.")
            return "bot_took_over", {"level": self.setup.takeover_level}
        if command.do == "back":
            if not chair.stand_in:
                raise ServerProblem("seat_taken", "you are playing this seat already.")
            if chair.this_turn:
                raise ServerProblem("time_over", "a bot plays this turn, since your time was over; then you go on.")
            return "back", {}
        return "bot_sat", {"level": self._checked_fill(command, levels)}

    def _checked_fill(self, command: Command, levels: Iterable[str]) -> str:
        if command.seat is None or command.seat >= len(self.chairs):
            raise ServerProblem("unknown_seat", "fill needs seat, the open seat a bot shall take.")
        if self.chairs[command.seat].kind != "open":
            raise ServerProblem("seat_taken", f"seat {command.seat} is not open.")
        level = command.level or self.setup.takeover_level
        if level not in levels:
            raise ServerProblem("bad_request", f"there is no bot {level!r}.")
        if self.setup.rated:
            if self.starters is not None:
                raise nobody_instead()
            check_bot(level, self.setup.players, self.game.rules)
        return level

    def decide_coming(self, name: str | None, seat: int | None, holder: str) -> Intent:
        """The event by which somebody sits down whom nobody invited: one seat each, where anybody may join."""
        if not self.listed:
            raise ServerProblem("wrong_invite", "this table needs an invitation.")
        if self.seats_of(holder):
            raise ServerProblem("seat_taken", "you sit here already.")
        if self.status == "playing":
            raise ServerProblem("seat_taken", "every seat is taken: the game has begun.")
        return self.decide_seating(name, seat, holder)

    def decide_seating(self, name: str | None, seat: int | None, holder: str) -> Intent:
        """The event by which an invited person sits down: where they sat before, if that seat is free."""
        open_seats = [number for number, chair in enumerate(self.chairs) if chair.kind == "open"]
        if seat is not None and seat >= len(self.chairs):
            raise ServerProblem("unknown_seat", f"this table has seats 0 to {len(self.chairs) - 1}.")
        if self.over:
            raise ServerProblem("game_over", "the game is over.")
        if not open_seats or (seat is not None and seat not in open_seats):
            raise ServerProblem("seat_taken", "that seat is taken." if open_seats else "every seat is taken.")
        own = self.left_by(holder)
        chosen = (own or open_seats)[0] if seat is None else seat
        if self.setup.rated and self.seats_of(holder):
            raise ServerProblem("seat_taken", "in a rated game everybody has one seat.")
        if self.starters is not None and chosen not in own:
            raise nobody_instead()
        if chosen in own and not name:
            return self.decide_return(chosen, holder)
        return Intent("sat", chosen, {"name": clean_name(name) if name else None, "holder": holder})

    def summary(self) -> dict[str, Any]:
        """The table in a list."""
        game = self.game
        return {
            "table": self.name,
            "seq": self.seq,
            "status": self.status,
            "created": self.created,
            "changed": self.changed,
            "players": game.players,
            "edition": game.rules.edition,
            "modules": list(game.rules.modules),
            "turn": None if self.over else game.player,
            "round": game.round,
            "rounds": game.rules.rounds,
            "turn_since": self.turn_since,
            "winners": self.winners,
            "points": [score["total"] for score in scores(game.now)] if self.over else None,
            "how": None if not self.over else "rules" if self.ended is None else self.ended.how,
        }


_APPLY: Final = {
    "play": Table._play,
    "undo": Table._undo,
    "redo": Table._redo,
    "restart": Table._restart,
    "sat": Table._sat,
    "renamed": Table._renamed,
    "left": Table._left,
    "sat_again": Table._sat_again,
    "reopened": Table._reopened,
    "forgotten": Table._forgotten,
    "moved": Table._moved,
    "bot_sat": Table._bot_sat,
    "bot_took_over": Table._bot_took_over,
    "back": Table._back,
    "rematch": Table._rematch,
    "resigned": Table._resigned,
    "offered": Table._offered,
    "agreed": Table._agreed,
    "time_over": Table._time_over,
    "vacation": Table._vacation,
    "unlisted": Table._unlisted,
    "declined": Table._answered,
    "withdrawn": Table._answered,
}
