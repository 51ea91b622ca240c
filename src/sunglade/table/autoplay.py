"""What plays by itself: bots on their turn, and bots that stand in for people who stay away."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import zlib
from functools import partial
from typing import Final, Protocol

from sunglade.table.problems import ServerProblem
from sunglade.table.room import PRESENT_FOR_S, Room
from sunglade.table.table import Intent, Table
from sunglade.table.table_registry import TableRegistry
from sunglade.table.thinking import Asker, Thinkers
from sunglade.table.trouble import RETRY_S, DatabaseTrouble, log_trouble
from sunglade.table.work import end

LEASE_S: Final = 30.0
"""So long one process has a table's bots to itself, unless it goes on."""
SWEEP_S: Final = 2.0
AT_ONCE: Final = 100
"""Tables that are looked after before others have their turn: one or two milliseconds."""
TOGETHER: Final = 1000
WOKEN: Final = 100
LEAST_MS: Final = 20
AGAIN_S: Final = 1.0
UNPLAYABLE_S: Final = 30.0
"""Pauses before bots are asked again: after a failure, and where none of them plays a game."""
FALLBACK: Final = "greedy"
"""Plays for a bot that cannot play a game."""
MENDED_BY_PEOPLE: Final = frozenset({"storage_full"})
"""Problems that keep bots from acting until somebody at the table does something about them."""

log = logging.getLogger("sunglade.server")


class Pace(Protocol):
    """How quickly bots play."""

    @property
    def turn_ms(self) -> int:
        """How long a bot may think about a turn."""

    @property
    def bot_pace_s(self) -> float:
        """The least time between two actions of bots."""


class Autoplay:
    """Lets bots act, one task for each table where one is to."""

    def __init__(self, registry: TableRegistry, engines: Thinkers, pace: Pace, process: str) -> None:
        self._registry = registry
        self._database = registry.database
        self._engines = engines
        self._pace = pace
        self._process = process
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._asked_again: set[str] = set()  # tables where something happened while their bots' task was still there
        self._sweeping: asyncio.Task[None] | None = None
        self._woken = ""  # the last table that was looked after
        registry.on_change = self.consider

    def start(self) -> None:
        """Begin to look after tables."""
        self._sweeping = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Stop at once; what is not committed never happened."""
        tasks = [*self._acting.values(), *([self._sweeping] if self._sweeping else [])]
        await end(tasks)

    # Bots on their turn

    def consider(self, room: Room) -> None:
        """Let a bot act where it is a bot's turn, unless one is at it already."""
        name = room.table.name
        if name in self._acting:
            self._asked_again.add(name)
        elif self._may_act(room):
            task = self._acting[name] = asyncio.create_task(self._act(room))
            task.add_done_callback(partial(self._acted, room))

    def _acted(self, room: Room, task: asyncio.Task[None]) -> None:
        """A task has ended; what happened since it last looked may have made it a bot's turn again."""
        name = room.table.name
        del self._acting[name]
        asked_again = name in self._asked_again
        self._asked_again.discard(name)
        if asked_again and not task.cancelled():
            self.consider(room)

    def _may_act(self, room: Room) -> bool:
        """Bots play for people who sit there; without any, only while somebody watches."""
        return room.table.bot_to_act is not None and (room.table.persons > 0 or bool(room.connections))

    async def _act(self, room: Room) -> None:
        """Play bots' actions until it is a person's turn. What goes wrong is tried again at the next sweep."""
        try:
            if await self._lease(room):
                try:
                    await self._play_on(room)
                finally:
                    await asyncio.shield(self._release(room))
        except ServerProblem as problem:
            log.warning("bot did not act", extra={"table": room.table.name, "reason": problem.message})
            if problem.kind in MENDED_BY_PEOPLE:
                room.hinder(problem)
            await asyncio.sleep(problem.more.get("retry_after", AGAIN_S))
        except DatabaseTrouble as trouble:
            log_trouble(trouble)
            await asyncio.sleep(RETRY_S)
        except Exception:
            log.exception("bot did not act", extra={"table": room.table.name})
            await asyncio.sleep(AGAIN_S)

    async def _play_on(self, room: Room) -> None:
        turn, spent, acted = (-1, -1), 0.0, 0.0
        while self._may_act(room):
            table = room.table
            now = (table.game.round, table.game.player or 0)
            if now != turn:
                turn, spent = now, 0.0
            began = time.monotonic()
            line = await self._choose(room, int(self._pace.turn_ms - 1000 * spent))
            spent += time.monotonic() - began
            await asyncio.sleep(max(0.0, self._pace.bot_pace_s - (time.monotonic() - acted)))
            acted = time.monotonic()
            await self._registry.record(room, partial(_move, line=line, seq=table.game_seq))
            if not await self._lease(room):
                return

    async def _choose(self, room: Room, ms: int) -> str:
        """What the bot plays. It knows what a player may know."""
        table, asker = room.table, Asker(room.table.name, room.people)
        legal = table.game.legal
        if len(legal) == 1:
            return legal[0]
        seed = zlib.crc32(f"{table.name} {table.game_seq}".encode())
        game = table.game.redacted_data.to_dict()
        level, time_left = table.bot_to_act or table.setup.takeover_level, max(LEAST_MS, ms)
        for bot in (level, FALLBACK):
            try:
                answer = await self._engines.think(game, bot, seed=seed, asker=asker, ms=time_left)
            except ServerProblem as problem:
                if problem.kind != "bad_request":
                    raise
                log.warning("bot refuses this game", extra={"bot": bot, "reason": problem.message})
                continue
            line = answer.get("action")
            if line in legal:
                return str(line)
            log.warning("bot plays what is not legal", extra={"bot": bot, "action": str(line)[:80]})
        raise ServerProblem("busy", "no bot plays this game.", retry_after=UNPLAYABLE_S)

    async def _lease(self, room: Room) -> bool:
        """Have the table's bots to this process. Two that both act are harmless, but a waste."""
        if not self._database.shared:
            return True
        return await self._database.lease(room.table.name, self._process, LEASE_S)

    async def _release(self, room: Room) -> None:
        if self._database.shared:
            with contextlib.suppress(DatabaseTrouble):  # then it runs out by itself
                await self._database.release(room.table.name, self._process)

    # People who stay away

    async def _sweep(self) -> None:
        """Every few seconds: tables whose bots nobody looks after, people who stay away."""
        while True:
            try:
                await self._wake_bots()
                await self._look_after()
                await self._registry.tell_who_came_and_went()
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("sweep failed")
            await asyncio.sleep(SWEEP_S)

    async def _look_after(self) -> None:
        """Tables in memory, some at a time. None is held until the next time: it would never leave."""
        for number, room in enumerate(list(self._registry.rooms.values())):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
            if room.connections:
                self.consider(room)
                room.look_around()
            with contextlib.suppress(ServerProblem):  # too busy, or gone
                await self._stand_in(room)

    async def _wake_bots(self) -> None:
        """Tables where a bot is to act and no process is at it, as after a crash; the next hundred each time."""
        due = await self._database.bots_due(self._woken, WOKEN)
        self._woken = due[-1][0] if len(due) == WOKEN else ""
        for name, seq in due:
            if name not in self._acting:
                try:
                    room = await self._registry.room(name)
                    await self._registry.keep_up(room, seq)  # a process that is gone may have told nobody
                    self.consider(room)
                except ServerProblem as problem:
                    log.warning("table left alone", extra={"table": name, "reason": problem.message})
                    await self._database.leave_alone(name)

    async def _stand_in(self, room: Room) -> None:
        """A bot takes over for a person who stays away on their turn while another person waits."""
        at, seat = room.stand_in_at(), room.table.game.player
        if at is not None and seat is not None and time.time() > at:
            await self._registry.record(room, lambda table: _takeover(table, seat))

    # Presence for other processes

    async def beat(self) -> None:
        """Tell other processes, through the database, who is connected here, and which tables' bots are ours."""
        if not self._database.shared:
            return
        ours = sorted(self._acting)
        for start in range(0, len(ours), TOGETHER):
            await self._database.renew(ours[start : start + TOGETHER], self._process, LEASE_S)
        rooms = self._registry.rooms.values()
        here = sorted({c.holder for room in rooms for c in room.connections if c.holder is not None})
        until = time.time() + PRESENT_FOR_S
        for start in range(0, len(here), TOGETHER):
            await self._database.be_present(here[start : start + TOGETHER], until)


def _move(table: Table, line: str, seq: int) -> Intent | None:
    """A bot's action, if the game has not moved on while it thought."""
    if table.game_seq != seq or table.bot_to_act is None or line not in table.game.legal:
        return None
    return Intent("play", table.game.player, {"action": line})


def _takeover(table: Table, seat: int) -> Intent | None:
    if table.game.player != seat or table.chairs[seat].playing != "person":
        return None
    return Intent("bot_took_over", seat, {"level": table.setup.takeover_level})
