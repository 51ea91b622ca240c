"""Who looks on, and knows everything: what may never happen, checked at every event and at every word that is told.

- What is acknowledged is in the log, as that event, and stays there.
- A command or wish is carried out once, and answered the same way each time.
- What anybody is told is the fold of the log, and nothing that is not committed.
- What is said is kept once, told in order, each once, and never part of a game: neither in its log, nor for bots.
- Nothing hidden is told: neither to clients nor to bots.
- No table that somebody may be at is deleted.
- Nothing breaks: no error is logged, nobody is told of one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from simulation.faulty_log import Store
from sunglade import Game
from sunglade.table.listing import listing
from sunglade.table.memory_log import Kept
from sunglade.table.retention import STEP_S
from sunglade.table.room import encoded_events
from sunglade.table.table import GAME_EVENTS, Event, Table
from sunglade.table.thinking import SEARCHERS

LIVE: Final = ("seats", "watching", "ran", "stand_in_at")
"""What views tell of the present moment, which no log has."""
DIFFERENCE_S: Final = 12.0
"""By so much clocks of processes may differ when the log answers slowly."""
AGREEMENTS: Final = ("resigned", "offered", "agreed", "declined", "withdrawn")
AT_ONCE_S: Final = 1.5
"""A simple bot is told that it is its turn, and acts, within this time where one process does everything."""
PSST: Final = "psst"
"""All that people say in a simulation begins so, and nothing else does."""
NEWS_S: Final = 12.0
"""So long after it was committed everybody who is there knows an event, when nothing goes wrong."""


class Violation(AssertionError):
    """Something happened that never may."""


class Judge:
    """Folds the log by itself."""

    def __init__(self, store: Store, now: Any) -> None:
        self.tables: dict[str, Table] = {}
        self.told: dict[str, list[Any]] = {}
        self.acknowledged: dict[tuple[str, str, str], int] = {}
        self.used_at: dict[str, float] = {}
        """When somebody last did something at a table."""
        self.asleep_s = 0.0
        """How long all machines were off: in that time no table grows old."""
        self.committed_at: dict[str, list[float]] = {}
        """When each event of a table was committed."""
        self.is_calm: Callable[[float], bool] = lambda since: False
        """Whether nothing went wrong since a moment."""
        self.alone = False
        """Whether one process does everything, so that it knows everything."""
        self._awake_at: dict[str, float] = {}
        self._said_at: dict[str, float] = {}
        self.said: dict[tuple[str, str, str], int] = {}
        """What clients were told is kept of what they said, and as which number."""
        self._spent: dict[str, tuple[int, float]] = {}
        """The turn that is under way at a table, and how long its player has really had, while machines were on."""
        self.present: dict[str, int] = {}
        """Clients that are connected to a table and know it."""
        self.unlisted_at: dict[str, float] = {}
        self.events = 0
        self.words = 0
        self.keep_s = self.keep_uploads_s = 0.0
        self.trace = hashlib.sha256()
        self._store = store
        self._now = now
        store.on_event = self.event
        store.on_append = self.row
        store.on_delete = self.deletion
        store.on_said = self.used

    def note(self, *what: object) -> None:
        """Everything that happens, so that two runs can be compared."""
        self.trace.update(repr((round(self._now(), 6), *what)).encode())

    # The log

    def event(self, name: str, event: Event) -> None:
        """An event is in the log."""
        self.events += 1
        self.note("event", name, event)
        if PSST in repr(event):
            raise Violation(f"what somebody said is in the log of {name}: {event}")
        if event.kind == "play" and event.holder is None:
            self._bot_acts(name)
        if name in self.tables:
            self._time_passes(name, event)
        self.used_at[name] = self._now()
        self._awake_at[name] = self._store.asked_at - self.asleep_s  # time counts from then, however slow the log is
        self.committed_at.setdefault(name, []).append(self._now())
        if event.kind == "unlisted":
            self.unlisted_at[name] = self._now()
        if event.kind == "rematch" and self.tables[name].rematch is not None:
            raise Violation(f"{name} has a second rematch")
        if event.seq == 1:
            table = self.tables[name] = Table(name, event)
            told: list[Any] = []
        else:
            table = self.tables[name]
            if table.over and event.kind in (*GAME_EVENTS, *AGREEMENTS):
                raise Violation(f"{name} is over, and goes on with {event}")
            self._seats_are_safe(name, table, event)
            people = {chair.holder for seat, chair in enumerate(table.chairs) if _plays(table, seat)}
            try:
                told = json.loads(b"[" + encoded_events(table.apply(event)) + b"]")
            except Exception as error:
                raise Violation(f"the log of {name} has an event that cannot follow: {event}: {error!r}") from error
            if any(part["kind"] == "taken_back" or part.get("how") == "agreed" for part in told):
                self._all_agreed(name, event, people)
        self.told.setdefault(name, []).append(told)

    def _seats_are_safe(self, name: str, table: Table, event: Event) -> None:
        """Nobody loses a seat to another person but by the owner, and with clocks nobody for being away."""
        if event.kind not in ("reopened", "bot_took_over"):
            return
        chair = table.chairs[event.seat or 0]
        mine = event.holder is not None and chair.holder == event.holder
        if event.kind == "reopened" and mine:
            raise Violation(f"{name}: somebody opened their own seat: {event}")
        if mine:
            return
        if event.holder is not None and event.holder != table.owner:
            raise Violation(f"{name}: another person than the owner did something to a seat: {event}")
        bot_stays = chair.stand_in and not chair.this_turn
        if table.setup.clock is not None and table.status == "playing" and not bot_stays:
            raise Violation(f"{name} has clocks, but somebody was replaced for being away: {event}")
        if event.seat in table.resigned:
            raise Violation(f"{name}: the seat of somebody who resigned was given away: {event}")

    def _time_passes(self, name: str, event: Event) -> None:
        """Nobody's time is over before they had as much as everybody was told, in which machines were on."""
        table, awake = self.tables[name], self._now() - self.asleep_s
        clocks = table.clocks
        if clocks is None:
            return
        turn, spent = self._spent.get(name, (clocks.turn, 0.0))
        spent = spent if turn == clocks.turn else 0.0
        if clocks.running is not None:
            spent += awake - self._awake_at[name]
        self._spent[name] = (clocks.turn, spent)
        if event.kind == "time_over":
            had = clocks.terms.turn_s + clocks.seats[clocks.running or 0].reserve
            slack = DIFFERENCE_S + (STEP_S if self.asleep_s else 0.0)
            if clocks.running != event.seat or spent < had - slack:
                raise Violation(f"{name}: time was over after {spent:.1f} of {had:.1f} s: {event}")

    def _all_agreed(self, name: str, event: Event, people: set[str | None]) -> None:
        """What only all people together may do was done: each of them offered it or agreed since it was offered."""
        said: set[str | None] = set()
        for earlier in reversed([*self._store.tables[name].events[: event.seq - 1], event]):
            if earlier.kind in ("agreed", "offered"):
                said.add(earlier.holder)
            if earlier.kind == "offered":
                break
            if earlier.kind in ("declined", "withdrawn", "resigned", "left", "reopened"):
                raise Violation(f"{name}: an offer that had ended was carried out as {event}")
        moved = any(other.kind == "moved" for other in self._store.tables[name].events)
        if not moved and not people <= said:
            raise Violation(f"{name}: {event} happened, but only {len(said)} of {len(people)} agreed")

    def _bot_acts(self, name: str) -> None:
        """A bot whose turn it was since the last event has acted."""
        bot, since = self.tables[name].bot_to_act, self.used_at[name]
        waits = self.alone and self.present.get(name) and bot not in SEARCHERS
        if waits and self.is_calm(since) and self._now() - since > AT_ONCE_S:
            raise Violation(f"{bot} took {self._now() - since:.1f} s to act at {name}, where it has nothing else to do")

    def row(self, name: str, kept: Kept) -> None:
        """A table's row repeats what its log tells."""
        table = self.tables[name]
        due = table.bot_to_act is not None and table.persons > 0
        repeated = {"changed": table.changed, "seq": table.seq, "status": table.status, "bot_due": due}
        repeated["deadline"] = None if table.clocks is None else table.clocks.deadline
        repeated["listing"] = listing(table)
        if {key: kept.row[key] for key in repeated} != repeated:
            raise Violation(f"the row of {name} does not repeat its log: {kept.row}, not {repeated}")

    def deletion(self, name: str, kept: Kept) -> None:
        """A table is deleted."""
        self.note("deleted", name)
        idle = self._idle(name)
        keep_s = self.keep_uploads_s if kept.row["uploaded"] else self.keep_s
        if idle < keep_s - STEP_S:  # the clock of running servers goes on by so much at a time
            raise Violation(f"{name} was deleted {idle:.0f} s after it was used; {keep_s:.0f} s it is kept")
        if self.present.get(name):
            raise Violation(f"{name} was deleted while somebody was connected to it")

    def forgotten(self, seconds: float) -> None:
        """For so long at least servers ran and nobody was at any table: what was idle is no longer there."""
        for name, kept in self._store.tables.items():
            keep_s = self.keep_uploads_s if kept.row["uploaded"] else self.keep_s
            idle = min(seconds, self._idle(name))
            if idle > keep_s:
                raise Violation(f"{name} is still there after {idle:.0f} s; {keep_s:.0f} s it is kept")

    def used(self, name: str) -> None:
        """Something is said at a table, or again."""
        self.note("said", name)
        self._said_at[name] = self._now() - self.asleep_s

    def _idle(self, name: str) -> float:
        """For how long nobody did or said anything at a table."""
        idle: float = self._now() - self.asleep_s - max(self._awake_at[name], self._said_at.get(name, 0.0))
        return idle

    # What is told

    def talk(self, name: str, heard: int, said: list[dict[str, Any]]) -> int:
        """Somebody who has heard what was said up to a number is told what followed; up to where."""
        if name in self._store.deleted:
            return heard
        wanted = [saying.told() for saying in self._store.tables[name].said if saying.number > heard][: len(said)]
        if said != wanted:
            raise Violation(f"after {heard}, {said} was told as said at {name}, and not {wanted}")
        return said[-1]["number"] if said else heard

    def has_said(self, name: str, holder: str, identity: str, number: int) -> None:
        """A client is told that what it said is kept."""
        self.note("said", name, identity, number)
        if self.said.setdefault((name, holder, identity), number) != number:
            raise Violation(f"{identity} was said as {self.said[name, holder, identity]} and as {number}")
        self._is_kept(name, holder, identity, number)

    def _is_kept(self, name: str, holder: str, identity: str, number: int) -> None:
        if name in self._store.deleted:
            return
        kept = [one.number for one in self._store.tables[name].said if (one.holder, one.id) == (holder, identity)]
        if kept != [number]:
            raise Violation(f"{identity} was told to be said at {name} as {number}, but is kept as {kept}")

    def is_listed(self, name: str) -> bool:
        """Whether anybody may join a table."""
        return name in self._store.tables and self.tables[name].listed

    def lobby(self, told: dict[str, Any]) -> None:
        """Somebody looks into the lobby: of private tables nothing is told, of others no longer than they like."""
        for name in (table["table"] for kind in ("waiting", "running") for table in told[kind]):
            if not self.tables[name].setup.listed:
                raise Violation(f"{name} is private, and told of in the lobby")
            since = self.unlisted_at.get(name)
            if since is not None and self.is_calm(since) and self._now() - since > NEWS_S:
                raise Violation(f"{name} was taken out of the lobby, and is told of there")

    def view(self, view: dict[str, Any]) -> None:
        """Somebody is told how a table stands."""
        self.words += 1
        name, seq = view["table"], view["seq"]
        if name in self._store.deleted:
            return
        if seq > len(self.told.get(name, ())):
            raise Violation(f"{name} is told at event {seq}, but the log has {len(self.told.get(name, ()))}")
        table = self.tables[name]
        if seq == table.seq:
            fold = json.loads(json.dumps(table.view()))
            plain = {key: value for key, value in view.items() if key not in LIVE}
            if plain != fold:
                wrong = [key for key in fold if plain.get(key) != fold[key]]
                raise Violation(f"the view of {name} at {seq} is not the fold of its log: {wrong}")
            self._seats(name, view["seats"], table)
        elif self.alone:
            self.knows(f"whoever asked for {name}", name, seq)

    def knows(self, who: str, name: str, seq: int) -> None:
        """Somebody is there and knows a table up to an event: not much less than there is."""
        committed = self.committed_at[name]
        if name in self._store.deleted or seq >= len(committed):
            return
        if self._now() - committed[seq] > NEWS_S and self.is_calm(self._now() - NEWS_S):
            raise Violation(f"{who} knows {seq} events, {self._now() - committed[seq]:.0f} s after the next")

    def _seats(self, name: str, seats: list[dict[str, Any]], table: Table) -> None:
        for told, (seat, chair) in zip(seats, enumerate(table.chairs), strict=True):
            if (told["kind"], told["name"], told["playing"]) != (chair.kind, table.called(seat), chair.playing):
                raise Violation(f"the seats of {name} at {table.seq} are not those of its log")

    def update(self, known: int, update: dict[str, Any]) -> None:
        """Somebody who knows everything up to an event is told what followed."""
        view, events = update["view"], update["events"]
        name = view["table"]
        self.view(view)
        if name in self._store.deleted:
            return
        last = update["seq"]
        if last < known:
            raise Violation(f"somebody who knows {name} up to {known} was told that it is at {last}")
        wanted = [part for told in self.told[name][known:last] for part in told]
        if events != wanted:
            raise Violation(
                f"{name}: events {known + 1} to {last} were told as {[e['seq'] for e in events]}, "
                f"the log has {[e['seq'] for e in wanted]}"
            )

    def hint(self, name: str, told: dict[str, Any]) -> None:
        """Somebody is told what a bot would do."""
        table = self.tables[name]
        if name not in self._store.deleted and told["seq"] == table.seq and told["action"] not in table.game.legal:
            raise Violation(f"the hint for event {told['seq']} of {name} is not legal: {told['action']}")

    def tried(self, game: dict[str, Any], line: str, told: dict[str, Any]) -> None:
        """Somebody tried a line on a copy."""
        after = Game.from_dict({**game, "actions": [*game["actions"], line]})
        if told["view"]["state"] != after.state():
            raise Violation(f"a copy after {line} is not what the rules say: {told['view']['state']}")

    def words_to(self, who: str, text: str) -> None:
        """Anything sent to a client."""
        if '"holder"' in text or '"command"' in text:
            raise Violation(f"{who} was told who holds a seat: {text[:200]}")
        if PSST in text and '"said"' not in text:
            raise Violation(f"{who} was told in the game what somebody said: {text[:200]}")
        if '"internal"' in text:
            raise Violation(f"{who} was told of an internal error: {text[:300]}")

    def game(self, game: dict[str, Any], *, over: bool = False) -> None:
        """A game as somebody may know it who plays or thinks for a player."""
        if PSST in repr(game):
            raise Violation("what somebody said was told as a part of a game")
        if over:
            return
        if "seed" in game:
            raise Violation("the seed of a running game was told")
        lines = game["actions"]
        if any(baby is not None for baby in game.get("deal", {}).get("babies", ())) and not _hatched(lines):
            raise Violation("hidden babies were told")

    # Commands and wishes

    def acknowledge(self, table: str, holder: str, command: dict[str, Any], seq: int) -> None:
        """A client is told that its command is kept."""
        self.note("ack", table, command["id"], seq)
        event = self._at(table, seq)
        if event is None:
            if table in self._store.deleted:
                return
            raise Violation(f"command {command['id']} was acknowledged as {seq}, which {table} does not have")
        if (event.holder, event.command) != (holder, command["id"]):
            raise Violation(f"command {command['id']} was acknowledged as {seq}, which is another's: {event}")
        if command["do"] == "play" and event.data.get("action") != command["action"]:
            raise Violation(f"command {command['id']} became another action: {event}")
        if command["do"] in ("reopen", "stand_in") and event.seat != command["seat"]:
            raise Violation(f"command {command['id']} was for seat {command['seat']}, but became {event}")
        if command["do"] in (*GAME_EVENTS, "offer"):
            between = self._store.tables[table].events[command["expected"] : seq - 1]
            taken_back = any(
                part["kind"] == "taken_back"
                for told in self.told[table][command["expected"] : seq - 1]
                for part in told
            )
            if taken_back or any(other.kind in GAME_EVENTS for other in between):
                raise Violation(f"command {command['id']} was for event {command['expected']}, but became {seq}")
        key = (table, holder, command["id"])
        if self.acknowledged.setdefault(key, seq) != seq:
            raise Violation(f"command {command['id']} was acknowledged as {self.acknowledged[key]} and as {seq}")

    def refuse(self, table: str, holder: str, command: dict[str, Any], kind: str) -> None:
        """A client is told that its command is not carried out."""
        self.note("refused", table, command["id"], kind)
        kept = self._store.tables.get(table)
        if kept is not None and (holder, command["id"]) in kept.commands and kind not in ("busy", "too_fast"):
            raise Violation(f"command {command['id']} was refused as {kind}, but the log of {table} has it")

    def no_return(self, table: str, holder: str, kind: str) -> None:
        """A client is told that it cannot have the seat again that it left."""
        if table not in self._store.deleted and kind == "seat_taken" and self.tables[table].left_by(holder):
            raise Violation(f"a seat of {table} is free, but whoever left it was told {kind}")

    def _at(self, table: str, seq: int) -> Event | None:
        kept = self._store.tables.get(table)
        return kept.events[seq - 1] if kept is not None and 0 < seq <= len(kept.events) else None

    def final(self) -> None:
        """When all is over."""
        for (name, holder, command), seq in self.acknowledged.items():
            event = self._at(name, seq)
            is_kept = event is not None and (event.holder, event.command) == (holder, command)
            if name not in self._store.deleted and not is_kept:
                raise Violation(f"the acknowledged command {command} is not in the log of {name}")
        for (name, holder, identity), number in self.said.items():
            self._is_kept(name, holder, identity, number)
        for name, kept in self._store.tables.items():
            numbers = [saying.number for saying in kept.said]
            if numbers != list(range(1, len(numbers) + 1)):
                raise Violation(f"what was said at {name} has the numbers {numbers}")
            if [event.seq for event in kept.events] != list(range(1, len(kept.events) + 1)):
                raise Violation(f"the log of {name} has gaps")
            self.row(name, kept)
            for seq, told in enumerate(kept.told[1:], start=2):
                if told is not None and json.loads(f"[{told}]") != self.told[name][seq - 1]:
                    raise Violation(f"what is kept of event {seq} of {name} is not what happened")


def _plays(table: Table, seat: int) -> bool:
    """Whether a person who has not resigned has a seat."""
    return table.chairs[seat].kind == "person" and seat not in table.resigned


def _hatched(lines: list[str]) -> bool:
    return any("turtle" in line for line in lines)
