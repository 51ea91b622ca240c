"""The command protocol under drops, duplicates, reorderings, reconnects, crashes, and two clients on one seat.

Two houses stand for two processes on one log, in a database and in memory. Whatever happens, the log stays a legal game
and every acknowledged command is in it exactly once.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from server.process import sqlite_in
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.server.migrations import upgrade
from sunglade.table.memory_log import MemoryLog
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, CreateTable, SeatRequest
from sunglade.table.seating import setup_for
from sunglade.table.table import Table
from sunglade.table.table_log import TableLog, new_holder_row
from sunglade.table.table_registry import TableRegistry
from sunglade.table.tokens import new_token
from sunglade.table.wish import Wish

LEVELS = ["random", "greedy"]
EXPECTED_REFUSALS = {
    "stale", "not_your_turn", "illegal_action", "nothing_to_undo", "nothing_to_redo", "seat_taken", "game_over",
}  # fmt: skip
CLIENTS = st.integers(0, 2)  # 0 and 1 hold seat 0 together, 2 holds seat 1
HOUSES = st.integers(0, 1)


class Protocol(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.loop = asyncio.new_event_loop()
        self.database = self.new_log()
        self.houses = [self.new_house(), self.new_house()]
        seats = [SeatRequest(kind="me", name="Ada"), SeatRequest(kind="open")]
        request = CreateTable(seats=seats, rules={"rounds": 3, "modules": ["moon"]})
        setup = setup_for(request, "first", LEVELS)
        room = self.run(self.houses[0].create(setup, [lambda name: new_holder_row(name, "first", new_token())]))
        self.table = room.table.name
        sitting = Wish.of(self.table, None, "second")
        self.run(self.houses[0].fulfil(room, sitting, lambda table: table.decide_seating("Ben", None, "second")))
        self.holders = ["first", "first", "second"]
        self.known = [self.seen(0)] * 3
        self.sent: list[tuple[int, Command]] = []
        self.acknowledged: dict[tuple[str, str], tuple[int, Command]] = {}
        self.number = 0

    def new_log(self) -> TableLog:
        database = Database(sqlite_in(self.folder))
        self.run(upgrade(database))
        return database

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def new_house(self) -> TableRegistry:
        return TableRegistry(self.database, Metrics(), LEVELS, 100, shared=True)

    def room(self, registry: int) -> Any:
        return self.run(self.houses[registry].room(self.table))

    def seen(self, registry: int) -> tuple[int, list[str], bool, bool]:
        table = self.room(registry).table
        return table.seq, table.game.legal, table.game.undoable() > 0, bool(table.game.undone)

    async def deliver(self, registry: int, client: int, command: Command) -> int | None:
        room = await self.houses[registry].room(self.table)
        try:
            seq = await self.houses[registry].act(room, self.holders[client], command)
        except ServerProblem as problem:
            assert problem.kind in EXPECTED_REFUSALS, problem.as_dict()
            return None
        key = (self.holders[client], command.id)
        assert self.acknowledged.setdefault(key, (seq, command))[0] == seq, "acknowledged as two events"
        return seq

    @rule(client=CLIENTS, choice=st.integers(0, 10**6), do=st.sampled_from(["play"] * 6 + ["undo", "redo", "restart"]))
    def compose(self, client: int, choice: int, do: Literal["play", "undo", "redo", "restart"]) -> None:
        """A client makes a command for what it last saw, and nothing arrives yet."""
        seq, legal, *_ = self.known[client]
        self.number += 1
        line = legal[choice % len(legal)] if legal and do == "play" else "end" if do == "play" else None
        self.sent.append((client, Command(id=f"{client}-{self.number}", do=do, expected=seq, action=line)))

    @rule(client=CLIENTS, name=st.sampled_from(["Ada", "Cleo", "Dan"]))
    def rename(self, client: int, name: str) -> None:
        self.number += 1
        self.sent.append((client, Command(id=f"{client}-{self.number}", do="rename", name=name)))

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 10**6), registry=HOUSES, forget=st.booleans())
    def arrive(self, which: int, registry: int, forget: bool) -> None:
        """Any command that is under way arrives: late, out of order, or again."""
        place = which % len(self.sent)
        client, command = self.sent.pop(place) if forget else self.sent[place]
        self.run(self.deliver(registry, client, command))

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 10**6))
    def arrive_twice_at_once(self, which: int) -> None:
        """The same command at both houses at the same moment: one event."""
        client, command = self.sent[which % len(self.sent)]

        async def both() -> tuple[int | None, int | None]:
            return await asyncio.gather(self.deliver(0, client, command), self.deliver(1, client, command))

        seqs = {seq for seq in self.run(both()) if seq is not None}
        assert len(seqs) <= 1

    @precondition(lambda self: len(self.sent) > 1)
    @rule(one=st.integers(0, 10**6), other=st.integers(0, 10**6))
    def two_at_once(self, one: int, other: int) -> None:
        """Two commands at the same moment, at different houses."""
        (a, first), (b, second) = self.sent[one % len(self.sent)], self.sent[other % len(self.sent)]

        async def both() -> None:
            await asyncio.gather(self.deliver(0, a, first), self.deliver(1, b, second))

        self.run(both())

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 10**6))
    def drop(self, which: int) -> None:
        self.sent.pop(which % len(self.sent))

    @rule(client=CLIENTS, registry=HOUSES)
    def reconnect(self, client: int, registry: int) -> None:
        """A client comes back with what it last saw, and misses nothing."""
        room, since = self.room(registry), self.known[client][0]
        self.run(self.houses[registry].keep_up(room, since))
        _, page = self.run(self.houses[registry].archive.page(room, since))
        told = json.loads(page)
        assert sorted({event["seq"] for event in told}) == list(range(since + 1, room.table.seq + 1))
        self.known[client] = self.seen(registry)

    @rule(registry=HOUSES)
    def crash(self, registry: int) -> None:
        """A process dies and another begins, with nothing but the log."""
        self.houses[registry] = self.new_house()

    @invariant()
    def the_log_is_a_legal_game_with_every_acknowledged_command_once(self) -> None:
        log = self.run(self.database.log(self.table))
        assert [event.seq for event in log] == list(range(1, len(log) + 1))
        table = Table.from_log(self.table, log)
        commands = [(event.holder, event.command) for event in log if event.command is not None]
        assert len(commands) == len(set(commands))
        by_seq = {event.seq: event for event in log}
        for (holder, name), (seq, command) in self.acknowledged.items():
            event = by_seq[seq]
            assert (event.holder, event.command) == (holder, name)
            if command.do == "play":
                assert event.data == {"action": command.action}
        for registry in self.houses:
            room = registry.rooms.get(self.table)
            if room is not None and room.table.seq == table.seq:
                assert room.table.game.state() == table.game.state() and room.table.chairs == table.chairs

    def teardown(self) -> None:
        self.run(self.database.close())
        self.loop.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class ProtocolInMemory(Protocol):
    def new_log(self) -> TableLog:
        return MemoryLog(shared=True)


Protocol.TestCase.settings = settings(max_examples=25, stateful_step_count=40)
ProtocolInMemory.TestCase.settings = settings(max_examples=50, stateful_step_count=40)
TestProtocol = Protocol.TestCase
TestProtocolInMemory = ProtocolInMemory.TestCase
