"""Clocks of tables: what is charged to whom, over seconds and days, restarts and wrong clocks, and that it is once.

Time is a number that the test moves: no test waits for a clock, and none depends on how fast a machine is.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.games import BOT, ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from server.stories import opened, run
from sunglade.client import Client, Refused
from sunglade.server import schema
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.server.migrations import upgrade
from sunglade.table.autoplay import Autoplay
from sunglade.table.clock import DAY_S, GRACE_S
from sunglade.table.memory_log import MemoryLog
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import ClockRequest, Command, CreateTable, SeatRequest
from sunglade.table.retention import STEP_S, RunningClock
from sunglade.table.room import Room
from sunglade.table.seating import setup_for
from sunglade.table.table import Intent, Table
from sunglade.table.table_log import TableLog
from sunglade.table.table_registry import TableRegistry
from sunglade.table.timekeeper import LISTEN_S, Timekeeper
from sunglade.table.wish import Wish

LEVELS = ["random", "greedy"]
LIVE = ClockRequest("live", 30, reserve=60)
DAYS = ClockRequest("days", 3, vacation=14)


class Ticking:
    """The steady clock of a machine, moved by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class House:
    """What a server process has of clocks, without the process."""

    def __init__(self, log: TableLog, machine: Ticking, *, shared: bool = False) -> None:
        self.log, self.machine = log, machine
        self.clock = RunningClock(log, machine)
        self.registry = TableRegistry(log, Metrics(), LEVELS, 100, shared=shared, clock=self.clock)
        self.keeper = Timekeeper(self.registry, self.clock, machine)
        self.number = 0

    async def begin(self) -> None:
        """As a process that has been listening for a while."""
        await self.clock.advance()
        self.keeper._looked = self.machine()
        self.keeper._listening_since = self.machine() - LISTEN_S

    async def table(self, clock: ClockRequest | None, people: int = 2, *, empty: int = 0) -> Room:
        seats = [SeatRequest("me", "Ada"), *[SeatRequest("open")] * (people - 1 + empty)]
        setup = setup_for(CreateTable(seats, rules={"rounds": 3}, clock=clock), "ada", LEVELS)
        room = await self.registry.create(setup)
        for name in ("ben", "cleo", "dan")[: people - 1]:
            await self.sit(room, name)
        return room

    async def sit(self, room: Room, name: str) -> None:
        wish = Wish.of(room.table.name, None, name)
        await self.registry.fulfil(room, wish, lambda table: table.decide_seating(name, None, name))

    async def do(self, room: Room, who: str, do: str, **more: Any) -> None:
        self.number += 1
        await self.registry.act(room, who, Command(f"c{self.number}-{id(self)}", do, **more))

    async def play(self, room: Room) -> None:
        """Whoever is to act places a tree, which is a turn."""
        table = room.table
        who = table.chairs[table.game.player or 0].holder
        await self.do(room, str(who), "play", expected=table.seq, action=table.game.legal[0])

    async def bot_plays(self, room: Room) -> None:
        """The bot whose turn it is places a tree."""
        assert room.table.bot_to_act is not None
        line = room.table.game.legal[0]
        await self.registry.record(room, lambda table: Intent("play", table.game.player, {"action": line}))

    async def passes(self, seconds: float) -> None:
        """Time passes while this process runs, and looks at the clock as often as it does."""
        while seconds > 0:
            self.machine.seconds += min(seconds, STEP_S / 2)
            seconds -= STEP_S / 2
            await self.clock.advance()
            self.keeper._looked = self.machine()
        await self.keeper.look()


def left(room: Room) -> float:
    seconds = room.time_left()
    assert seconds is not None
    return round(seconds, 3)


# What is charged


def test_a_turn_has_its_seconds_and_only_what_is_beyond_them_comes_from_the_reserve() -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(LIVE)
        assert left(room) == 90.0
        await house.passes(20)
        await house.play(room)  # within its time
        assert [seat.reserve for seat in room.table.clocks.seats] == [60.0, 60.0]  # type: ignore[union-attr]
        assert left(room) == 90.0
        await house.passes(45)
        assert left(room) == 45.0
        await house.play(room)  # fifteen seconds beyond
        assert [seat.reserve for seat in room.table.clocks.seats] == [60.0, 45.0]  # type: ignore[union-attr]
        view = schema.TableView.model_validate_json(room.view())
        assert view.clock is not None and view.ran is not None and view.clock.deadline is not None
        assert view.clock.deadline - view.ran == pytest.approx(90.0) and view.clock.seat == 0

    run(story())


def test_clocks_stand_still_while_players_are_awaited_and_while_a_bot_plays() -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(LIVE, people=1, empty=1)
        await house.passes(500)
        assert room.table.clocks is not None and room.table.clocks.deadline is None

        room = await house.table(LIVE)
        await house.passes(25)
        await house.do(room, "ada", "hand_over")
        assert room.time_left() is None
        await house.passes(500)
        await house.do(room, "ada", "back")
        assert left(room) == 65.0, "a bot that helps out gives no new time either"
        await house.do(room, "ben", "leave")  # before anything was played, so that somebody else is awaited
        assert room.time_left() is None
        await house.passes(500)
        await house.sit(room, "cleo")
        assert left(room) == 65.0

    run(story())


def test_when_time_is_over_a_bot_plays_that_turn_and_then_the_person_goes_on() -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(LIVE)
        await house.passes(90 + GRACE_S)
        assert room.table.chairs[0].playing == "person", "not before everybody had the time that was told"
        await house.passes(0.1)
        assert room.table.chairs[0].playing == "bot" and room.table.bot_to_act == "greedy"
        with pytest.raises(ServerProblem) as refused:
            await house.do(room, "ada", "back")
        assert refused.value.kind == "time_over"
        await house.bot_plays(room)
        assert room.table.chairs[0].playing == "person" and room.table.clocks is not None
        assert room.table.clocks.seats[0].reserve == 0.0 and left(room) == 90.0
        await house.play(room)  # Ben
        assert left(room) == 30.0, "Ada's reserve is used up"

    run(story())


def test_a_bot_takes_the_seat_over_where_that_was_agreed_and_whoever_comes_back_waits_for_the_next_turn() -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(ClockRequest("live", 10, then="seat"))
        await house.passes(20)
        assert room.table.chairs[0].playing == "bot" and not room.table.chairs[0].this_turn
        await house.do(room, "ada", "back")
        assert room.table.chairs[0].playing == "bot", "no second time for the same turn"
        await house.bot_plays(room)
        assert room.table.chairs[0].playing == "person"

    run(story())


def test_who_resigns_while_a_bot_plays_their_turn_leaves_the_seat_to_it_for_good() -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(ClockRequest("live", 10), people=3)
        await house.passes(20)
        assert room.table.chairs[0].this_turn
        await house.do(room, "ada", "resign")
        await house.bot_plays(room)
        assert room.table.game.player != 0
        assert room.table.chairs[0].playing == "bot", "nobody waits for the time of who has resigned"

    run(story())


def test_who_is_away_is_left_to_the_clock() -> None:
    """Not to the shorter patience of tables without one."""

    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(DAYS)
        room.present_until["ben"] = time.time() + 1000
        players = Autoplay(house.registry, None, None, "p")  # type: ignore[arg-type]
        room.table.changed = 0.0
        await players._stand_in(room)
        assert room.table.chairs[0].playing == "person"

    run(story())


# Days


def test_a_vacation_that_is_taken_anew_leaves_no_less_than_nothing() -> None:
    """It may be a moment short of its days: then fewer than no days were told to be left."""

    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(DAYS)
        await house.do(room, "ada", "vacation", days=14)
        house.machine.seconds += 0.5
        for days in (0, 14):
            await house.do(room, "ada", "vacation", days=days)
        assert room.table.clocks is not None and room.table.clocks.seats[0].vacation_left == 0.0
        with pytest.raises(ServerProblem, match=r"^0 days"):
            await house.do(room, "ada", "vacation", days=1)

    run(story())


def test_a_game_by_correspondence_over_weeks_with_a_vacation(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            house = House(database, Ticking())
            await house.begin()
            room = await house.table(DAYS)
            assert left(room) == 3 * DAY_S
            await house.passes(2 * DAY_S)
            await house.do(room, "ada", "vacation", days=7)
            assert left(room) == 8 * DAY_S
            with pytest.raises(ServerProblem) as refused:
                await house.do(room, "ada", "vacation", days=1)
            assert refused.value.kind == "no_vacation"
            await house.passes(3 * DAY_S)
            await house.do(room, "ada", "vacation", days=0)  # back early
            assert left(room) == DAY_S and room.table.clocks is not None
            assert room.table.clocks.seats[0].vacation_left == pytest.approx(11 * DAY_S)
            with pytest.raises(ServerProblem):
                await house.do(room, "ada", "vacation", days=12)
            view = schema.TableView.model_validate_json(room.view())
            assert view.settings.clock is not None and view.settings.clock.vacation == 14

            house.registry.rooms.clear()  # nobody has it in memory
            del room
            await house.passes(DAY_S - 60)
            name = (await database.overdue(1e12, 10))[0][0]
            assert (await database.newest(name, "time_over")) is None
            await house.passes(120)
            assert (await database.newest(name, "time_over")) is not None
            assert await database.next_deadline() is None, "a bot is to act"

    run(story())


@pytest.mark.parametrize("killed", [False, True])
def test_three_days_without_a_server_cost_nobody_anything(tmp_path: Path, killed: bool) -> None:
    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            machine = Ticking()
            house = House(database, machine)
            await house.begin()
            room = await house.table(LIVE)
            await house.passes(40)
            if not killed:
                await house.clock.advance()
            before, name = left(room), room.table.name
            machine.seconds += 3 * DAY_S  # nothing runs
            later = House(database, machine)
            await later.begin()
            await later.keeper.look()
            room = await later.registry.room(name)
            assert before <= left(room) <= before + 40 and room.table.chairs[0].playing == "person"
            await later.passes(left(room) + GRACE_S + 0.1)
            assert room.table.chairs[0].playing == "bot"

    run(story())


def test_clocks_that_are_set_forward_or_back_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        room = await house.table(LIVE)
        right = time.time
        for wrong_by in (365 * DAY_S, -365 * DAY_S):
            monkeypatch.setattr(time, "time", lambda wrong_by=wrong_by: right() + wrong_by)
            before = left(room)
            await house.passes(5)
            await house.do(room, "ben", "rename", name="Benno")
            assert left(room) == pytest.approx(before - 5)
        monkeypatch.undo()

    run(story())


def test_a_process_that_stood_still_listens_first() -> None:
    """What people did meanwhile is still on its way."""

    async def story() -> None:
        machine = Ticking()
        house = House(MemoryLog(), machine)
        await house.begin()
        room = await house.table(ClockRequest("live", 10))
        machine.seconds += 50
        await house.keeper.look()
        assert room.table.chairs[0].playing == "person"
        await house.play(room)
        machine.seconds += 3
        await house.keeper.look()
        assert room.table.chairs[1].playing == "person"

    run(story())


def test_a_table_at_which_something_breaks_holds_up_nobody_elses_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        house = House(MemoryLog(), Ticking())
        await house.begin()
        broken, sound = await house.table(ClockRequest("live", 10)), await house.table(ClockRequest("live", 20))

        def decide(ran: float) -> Intent | None:
            raise ZeroDivisionError

        monkeypatch.setattr(broken.table, "decide_time_over", decide)
        await house.passes(60)
        assert [room.table.chairs[0].playing for room in (broken, sound)] == ["person", "bot"]

    run(story())


def test_a_log_of_clocks_gives_the_same_table_however_often_it_is_read() -> None:
    async def story() -> None:
        log = MemoryLog()
        house = House(log, Ticking())
        await house.begin()
        room = await house.table(ClockRequest("days", 1, vacation=5), people=3)
        for step in range(12):
            await house.passes(step * 1000)
            await house.play(room) if room.table.clocks and room.table.clocks.running is not None else None
            if step == 4:
                await house.do(room, "cleo", "vacation", days=2)
        again = Table.from_log(room.table.name, await log.log(room.table.name))
        assert again.clocks == room.table.clocks and again.view() == room.table.view()
        assert log.tables[room.table.name].row["deadline"] == again.clocks.deadline  # type: ignore[union-attr]

    run(story())


# Several processes


async def _two_houses(database_a: TableLog, database_b: TableLog) -> None:
    machine = Ticking()
    one, two = House(database_a, machine, shared=True), House(database_b, machine, shared=True)
    await one.begin()
    await two.begin()
    room = await one.table(LIVE)
    name = room.table.name
    twin = await two.registry.room(name)
    await one.passes(50)
    await two.clock.advance()
    assert left(twin) == pytest.approx(left(room), abs=2.0), "both tell the same time"
    two.keeper._looked = machine()
    machine.seconds += 45
    one.keeper._looked = two.keeper._looked = machine()
    await asyncio.gather(one.keeper.look(), two.keeper.look(), one.keeper.look())
    log = await database_a.log(name)
    assert [event.kind for event in log].count("time_over") == 1
    await two.registry.look_closer(twin)
    assert twin.table.chairs[0].playing == "bot" and twin.table.seq == len(log)


def test_two_processes_carry_out_one_expiry_in_postgresql(postgres: Postgres) -> None:
    async def story() -> None:
        url = postgres.new_database()
        one, two = Database(url), Database(url)
        await upgrade(one)
        try:
            await _two_houses(one, two)
        finally:
            await one.close()
            await two.close()

    run(story())


def test_a_process_that_has_not_heard_of_the_time_for_minutes_asks_before_it_gives_anybody_any() -> None:
    """Simulated worlds found it: whose table was made there had what was left of the time by the others' clock."""

    async def story() -> None:
        log, machine = MemoryLog(shared=True), Ticking()
        late, other = House(log, machine, shared=True), House(log, machine, shared=True)
        await late.begin()
        await other.begin()
        await other.passes(5 * STEP_S)
        room = await late.table(LIVE)
        assert left(room) == 90.0
        assert left(await other.registry.room(room.table.name)) == 90.0
        await other.passes(40)
        await late.play(room)
        assert [seat.reserve for seat in room.table.clocks.seats] == [50.0, 60.0]  # type: ignore[union-attr]

    run(story())


def test_a_process_killed_before_its_event_is_committed_leaves_it_to_the_next() -> None:
    class Dying(MemoryLog):
        dies = True

        async def append(self, batch: Any) -> list[bool]:
            if self.dies and any(wanted.event.kind == "time_over" for wanted in batch):
                await asyncio.get_running_loop().create_future()  # for ever: the process is gone
            return await super().append(batch)

    async def story() -> None:
        log, machine = Dying(shared=True), Ticking()
        house = House(log, machine, shared=True)
        await house.begin()
        room = await house.table(ClockRequest("live", 10))
        await house.clock.advance()
        machine.seconds += 20
        house.keeper._looked = machine()
        dying = asyncio.create_task(house.keeper.look())
        await asyncio.sleep(0.05)
        dying.cancel()
        log.dies = False
        later = House(log, machine, shared=True)
        await later.begin()
        await later.keeper.look()
        await later.passes(20)
        events = await log.log(room.table.name)
        assert [event.kind for event in events].count("time_over") == 1

    run(story())


# Over HTTP


def refused(client: Client, **clock: Any) -> str:
    with pytest.raises(Refused) as told_so:
        client.create([ME, OPEN], clock=clock)
    return str(told_so.value)


def test_clocks_are_agreed_when_a_table_is_made_and_seen_by_all(client: Client) -> None:
    ada = client.create([ME, OPEN], clock={"kind": "live", "turn": 60, "reserve": 300, "then": "seat"})
    assert ada.view["settings"]["clock"]["then"] == "seat" and ada.view["clock"]["deadline"] is None
    ben = client.join(ada.table, str(ada.invite), "Ben")
    view = schema.TableView.model_validate(ben.view)
    assert view.clock is not None and view.clock.seat == 0 and view.ran is not None
    assert view.clock.deadline is not None and 350 < view.clock.deadline - view.ran <= 360
    mine = client.ask("POST", "/mine", body={"tokens": [ada.token]})["tables"][0]["table"]
    assert 300 < mine["time_left"] <= 360
    with pytest.raises(Refused, match="no_vacation"):
        ada.command("vacation", days=1)
    plain = client.create([ME, BOT])
    assert plain.view["clock"] is None and plain.view["ran"] is None
    with pytest.raises(Refused, match="no_clock"):
        plain.command("vacation", days=1)


def test_clocks_that_cannot_be_are_refused_in_a_sentence(client: Client) -> None:
    assert "10 to 3600 seconds" in refused(client, kind="live", turn=5)
    assert "1 to 14 days" in refused(client, kind="days", turn=15)
    assert "vacation is for clocks of days" in refused(client, kind="live", turn=30, vacation=3)
    assert "reserve is for live clocks" in refused(client, kind="days", turn=3, reserve=60)


def test_a_real_server_lets_a_bot_play_when_time_is_over_and_a_rematch_has_the_same_clock(
    serve: Callable[..., Server],
) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create(
            [ME, OPEN], rules={"rounds": 1}, clock={"kind": "live", "turn": 10}, takeover_level="random"
        )
        ben = client.join(ada.table, str(ada.invite), "Ben")
        while not any(event["kind"] == "time_over" for event in ben.events):
            ben.wait()
        while ben.view["turn"]["seat"] == 0:
            ben.wait()
        assert ben.view["seats"][0]["playing"] == "person", "Ada goes on next time"
        ben.command("resign")
        again = client.ask("POST", f"/tables/{ada.table}/rematch", token=ben.token)
        assert again["view"]["settings"]["clock"]["turn"] == 10
