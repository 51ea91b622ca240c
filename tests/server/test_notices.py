"""Whoever is away is told: of what is still true, never less than once, in a way that only their browser can read."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from server.games import ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from server.receiver import Browser, Receiver, check_word, free_port
from server.stories import opened
from sunglade.client import Client, Refused, Seat
from sunglade.server import schema
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.server.notices.addresses import is_public, located
from sunglade.server.notices.posting import Outcome, Posting
from sunglade.server.notices.quiet import QuietHours
from sunglade.server.notices.sealing import BrowserKeys, ServerKey, new_key
from sunglade.server.notices.sender import BREATH_S, MOST_ATTEMPTS, MOST_OF_A_HOST, SEEN_S, Sender
from sunglade.server.notices.targets import PUSH, WEBHOOK, SqlTargets, Wanted
from sunglade.server.sql_schema import notice_targets
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, CreateTable, SeatRequest
from sunglade.table.room import Room
from sunglade.table.seating import setup_for
from sunglade.table.table_registry import TableRegistry
from sunglade.table.wish import Wish

Serve = Callable[..., Server]
ADA, BEN = "ada", "ben"
LEVELS = ["random", "greedy"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


class House:
    """What a server process has of notices, without the process. The time of day is the test's."""

    def __init__(self, database: Database, *, limit_s: float = 10.0, name: str = "one") -> None:
        self.database = database
        self.registry = TableRegistry(database, Metrics(), LEVELS, 100, shared=database.shared)
        self.targets = SqlTargets(database, name)
        self.posting = Posting(private=True, limit_s=limit_s)
        self.day = datetime(2026, 11, 18, 12, 0, tzinfo=UTC).timestamp()
        self.sender = Sender(self.registry, self.targets, self.posting, Metrics(), self.server_key, lambda: self.day)
        self.key = ServerKey.kept(new_key(), "mailto:ada@example.org")

    async def server_key(self) -> ServerKey:
        return self.key

    async def table(self, rounds: int = 1) -> Room:
        """Ada and Ben, who have both gone; it is Ada's turn or Ben's."""
        request = CreateTable([SeatRequest("me", "Ada"), SeatRequest("open")], {"edition": "us", "rounds": rounds})
        setup = setup_for(request, ADA, LEVELS)
        room = await self.registry.create(setup)
        wish = Wish.of(room.table.name, None, BEN)
        await self.registry.fulfil(room, wish, lambda table: table.decide_seating("Ben", None, BEN))
        return room

    async def tell(self, room: Room, who: str, url: str, **more: Any) -> Browser:
        browser = Browser(url)
        wish = browser.wish()
        keys = BrowserKeys(wish["p256dh"], wish["auth"])
        wanted = Wanted(url, more.pop("language", "en"), keys, **more)
        assert await self.targets.want(room.table.name, who, PUSH, wanted, 0)
        return browser

    async def play(self, room: Room) -> None:
        """Whoever is to act does something."""
        table = room.table
        assert table.game.player is not None
        holder = table.chairs[table.game.player].holder
        assert holder is not None
        command = Command(f"c{table.seq}", "play", expected=table.seq, action=table.game.legal[-1])
        await self.registry.act(room, holder, command)

    async def look(self) -> None:
        """All pauses are over: tell whoever is to be told."""
        await self.database.change(notice_targets.update().values(next_at=0.0))
        await self.sender.look()
        await self.sender.settled()

    async def rows(self) -> int:
        return len(await self.database.all(sa.select(notice_targets.c.id)))


@asynccontextmanager
async def standing(url: str, **more: Any) -> AsyncIterator[House]:
    async with opened(url) as database:
        house = House(database, **more)
        try:
            yield house
        finally:
            await house.registry.finish(5)


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return sqlite_in(tmp_path)


def in_house(url: str, work: Callable[[House], Awaitable[None]], **more: Any) -> None:
    async def run() -> None:
        async with standing(url, **more) as house:
            await work(house)

    asyncio.run(run())


def to_act(room: Room) -> str:
    assert room.table.game.player is not None
    holder = room.table.chairs[room.table.game.player].holder
    assert holder is not None
    return holder


# What is told


def test_a_turn_is_told_once_sealed_for_the_browser_and_signed(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        browser = await house.tell(room, to_act(room), f"{receiver.url}/ada")
        await house.look()
        await house.look()
        (arrived,) = receiver.at("/ada")
        told = browser.opened(arrived.body)
        assert (told["kind"], told["table"], told["title"]) == ("turn", room.table.name, "Your turn")
        assert "Ada" in told["body"] and "Ben" in told["body"] and told["direction"] == "ltr"
        assert arrived.headers["content-encoding"] == "aes128gcm" and int(arrived.headers["ttl"]) > 0
        assert len(arrived.headers["topic"]) <= 32
        check_word(arrived.headers["authorization"], receiver.url, house.key.public, house.day)

    in_house(sqlite, work)


def test_a_notice_is_in_the_readers_language(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        browser = await house.tell(room, to_act(room), f"{receiver.url}/ada", language="he")
        await house.look()
        told = browser.opened(receiver.at("/ada")[0].body)
        assert (told["language"], told["direction"], told["title"]) == ("he", "rtl", "התור שלך")

    in_house(sqlite, work)


def test_nothing_is_told_of_a_turn_that_has_passed(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        first = to_act(room)
        await house.tell(room, first, f"{receiver.url}/first")
        while to_act(room) == first:
            await house.play(room)
        await house.look()
        assert receiver.arrived == []

    in_house(sqlite, work)


def test_the_next_turn_is_told_under_another_id(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        first = to_act(room)
        browser = await house.tell(room, first, f"{receiver.url}/first")
        await house.look()
        for mine in (False, True):
            while (to_act(room) == first) is not mine:
                await house.play(room)
        await house.look()
        ids = [browser.opened(arrived.body)["id"] for arrived in receiver.at("/first")]
        assert len(ids) == 2 and ids[0] != ids[1]

    in_house(sqlite, work)


def test_two_turns_of_one_person_in_a_row_are_two_turns(sqlite: str, receiver: Receiver) -> None:
    """Who plays last in a round may be first in the next: a bot may have played the first turn, when time was over."""

    async def work(house: House) -> None:
        room = await house.table(rounds=3)
        while True:
            table, before = room.table, (room.table.game.player, room.table.game.round)
            line = "end" if "end" in table.game.legal else table.game.legal[0]
            await house.registry.act(room, to_act(room), Command(f"c{table.seq}", "play", None, table.seq, line))
            now = (room.table.game.player, room.table.game.round)
            if now[0] == before[0] and now != before and before[1] > 0:
                break
        assert (room.table.turn_seq, room.table.turn_since) == (room.table.seq, room.table.changed)

    in_house(sqlite, work)


def test_the_end_of_a_game_is_told(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        browser = await house.tell(room, BEN, f"{receiver.url}/ben")
        await house.registry.act(room, ADA, Command("r", "resign"))
        await house.look()
        told = browser.opened(receiver.at("/ben")[0].body)
        assert told["kind"] == "over" and "Ben" in told["body"]
        assert await house.rows() == 0, "finished games are no rows to look through"

    in_house(sqlite, work)


def test_offers_and_seats_that_are_taken_are_told(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        waiting = BEN if to_act(room) == ADA else ADA
        browser = await house.tell(room, waiting, f"{receiver.url}/waiting")
        await house.look()
        if waiting == ADA:
            assert browser.opened(receiver.at("/waiting")[0].body)["kind"] == "sat"
        before = len(receiver.arrived)
        command = Command("o", "offer", expected=room.table.seq, offer="end")
        await house.registry.act(room, to_act(room), command)
        await house.look()
        (arrived,) = receiver.at("/waiting")[before:]
        assert browser.opened(arrived.body)["kind"] == "offer_end"

    in_house(sqlite, work)


def test_whoever_looks_at_the_table_is_told_when_they_have_gone(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"{receiver.url}/ada")
        room.present_until[to_act(room)] = time.time() + 3600
        await house.look()
        assert receiver.arrived == []
        room.present_until[to_act(room)] = 0.0
        await house.look()
        assert len(receiver.at("/ada")) == 1

    in_house(sqlite, work)


def test_whoever_saw_a_game_end_is_not_told_of_it_when_they_have_gone(sqlite: str, receiver: Receiver) -> None:
    """They closed the page after the result, and were told the result."""

    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, BEN, f"{receiver.url}/ben")
        room.present_until[BEN] = time.time() + 3600
        await house.registry.act(room, ADA, Command("r", "resign"))
        house.day = room.table.turn_since + SEEN_S - 1  # somebody may have gone unnoticed
        await house.look()
        assert await house.rows() == 1
        house.day += 2
        await house.look()
        room.present_until[BEN] = 0.0
        await house.look()
        assert await house.rows() == 0 and receiver.arrived == []

    in_house(sqlite, work)


# When not


def test_quiet_hours_put_a_notice_off_which_comes_only_if_it_is_still_true(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        rooms = [await house.table(), await house.table()]
        night = QuietHours(22 * 60, 7 * 60, "Europe/Bucharest")
        for number, room in enumerate(rooms):
            await house.tell(room, to_act(room), f"{receiver.url}/{number}", quiet=night)
        house.day = datetime(2026, 11, 18, 20, 30, tzinfo=UTC).timestamp()  # 22:30 there
        await house.look()
        assert receiver.arrived == []
        mover = to_act(rooms[0])
        while to_act(rooms[0]) == mover:
            await house.play(rooms[0])
        house.day = datetime(2026, 11, 19, 5, 0, tzinfo=UTC).timestamp()  # 7:00 there
        await house.look()
        assert [arrived.path for arrived in receiver.arrived] == ["/1"]

    in_house(sqlite, work)


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        ((22 * 60, 7 * 60), "2026-11-18T21:00+00:00", "2026-11-19T06:00+00:00"),
        ((22 * 60, 7 * 60), "2026-11-18T04:00+00:00", "2026-11-18T06:00+00:00"),
        ((22 * 60, 7 * 60), "2026-11-18T06:00+00:00", None),
        ((12 * 60, 13 * 60), "2026-11-18T11:30+00:00", "2026-11-18T12:00+00:00"),
        ((9 * 60, 9 * 60), "2026-11-18T08:00+00:00", None),
        ((22 * 60, 7 * 60), "2026-03-28T22:00+00:00", "2026-03-29T05:00+00:00"),  # clocks go forward in this night
        ((22 * 60, 7 * 60), "2026-10-24T22:00+00:00", "2026-10-25T06:00+00:00"),  # and back in this one
    ],
)
def test_quiet_hours_go_by_the_clock_of_a_place(hours: tuple[int, int], now: str, until: str | None) -> None:
    found = QuietHours(*hours, "Europe/Berlin").until(datetime.fromisoformat(now).timestamp())
    assert found == (None if until is None else datetime.fromisoformat(until).timestamp())


# What goes wrong


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(sqlite: str, receiver: Receiver, status: int) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"{receiver.url}/gone")
        receiver.statuses["/gone"] = status
        await house.look()
        assert await house.rows() == 0

    in_house(sqlite, work)


@pytest.mark.parametrize("status", [301, 307, 400, 429, 500, 503])
def test_what_is_not_taken_is_sent_again_with_the_same_id_and_longer_pauses(
    sqlite: str, receiver: Receiver, status: int
) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        browser = await house.tell(room, to_act(room), f"{receiver.url}/busy")
        receiver.statuses["/busy"] = status
        receiver.more["/busy"] = {"location": f"{receiver.url}/elsewhere"}
        pauses = []
        for _ in range(3):
            await house.look()
            row = await house.database.one(sa.select(notice_targets.c.next_at))
            pauses.append(row.next_at - time.time())
        receiver.statuses["/busy"] = 201
        await house.look()
        await house.look()
        assert pauses == sorted(pauses) and pauses[0] > 0
        assert len({browser.opened(arrived.body)["id"] for arrived in receiver.at("/busy")}) == 1
        assert len(receiver.at("/busy")) == 4 and receiver.at("/elsewhere") == []

    in_house(sqlite, work)


def test_a_push_service_that_asks_for_a_pause_gets_it(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"{receiver.url}/busy")
        receiver.statuses["/busy"], receiver.more["/busy"] = 429, {"retry-after": "3600"}
        await house.look()
        row = await house.database.one(sa.select(notice_targets.c.next_at))
        assert row.next_at - time.time() > 3000

    in_house(sqlite, work)


def test_who_never_takes_anything_is_forgotten_in_the_end(sqlite: str) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"http://127.0.0.1:{free_port()}/nobody")
        for _ in range(MOST_ATTEMPTS - 1):
            await house.look()
        assert await house.rows() == 1
        await house.look()
        assert await house.rows() == 0

    in_house(sqlite, work)


def test_a_host_that_hangs_holds_up_nobody_else(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        hung = Receiver(hanging={f"/{number}" for number in range(30)})
        try:
            for number in range(30):
                await house.tell(room, to_act(room), f"{hung.url.replace('127.0.0.1', 'localhost')}/{number}")
            await house.tell(room, to_act(room), f"{receiver.url}/well")
            for _ in range(3):
                await house.database.change(notice_targets.update().values(next_at=0.0))
                await house.sender.look()
            while not receiver.at("/well"):
                await asyncio.sleep(0.01)
            assert house.sender._busy["localhost"] <= MOST_OF_A_HOST
            await house.sender.stop()
        finally:
            hung.close()

    in_house(sqlite, work, limit_s=300)


def test_who_has_nothing_to_be_told_waits_for_no_place_at_a_host(sqlite: str, receiver: Receiver) -> None:
    """Most browsers have the same push service: two at a time was too few to look at all of them."""

    async def work(house: House) -> None:
        room = await house.table()
        for number in range(8):
            await house.tell(room, BEN if to_act(room) == ADA else ADA, f"{receiver.url}/{number}")
        await house.look()
        told = await house.database.all(sa.select(notice_targets.c.told))
        assert [row.told for row in told] == [room.table.seq] * 8 and receiver.arrived == []

    in_house(sqlite, work)


def test_a_clock_that_was_ahead_and_is_set_back_keeps_nobody_from_being_told(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"{receiver.url}/later")
        ahead = time.time() + 100 * 24 * 3600
        await house.database.change(notice_targets.update().values(next_at=ahead, leased_until=ahead, leased_by="p"))
        await house.sender.look()
        await house.sender.settled()
        assert len(receiver.at("/later")) == 1

    in_house(sqlite, work)


def test_a_browser_that_asks_several_times_at_once_is_told_once(postgres: Postgres, receiver: Receiver) -> None:
    """Two tabs that were opened together: for one of them something went wrong in the server."""

    async def work(house: House) -> None:
        room = await house.table()
        await asyncio.gather(*(house.tell(room, to_act(room), f"{receiver.url}/tab") for _ in range(4)))
        assert await house.rows() == 1

    in_house(postgres.new_database(), work)


def test_a_request_that_gets_no_answer_ends_by_itself(receiver: Receiver) -> None:
    receiver.hanging.add("/slow")
    answer = asyncio.run(Posting(private=True, limit_s=0.2).post(f"{receiver.url}/slow", b"", {}))
    assert answer.outcome is Outcome.FAILED and "time" in answer.reason


# Groups


def test_a_group_is_told_as_chats_take_it_without_anything_secret(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.registry.act(room, ADA, Command("n", "rename", name="@everyone *Ada*"))
        wanted = Wanted(f"{receiver.url}/hook", "en", page="https://games.example/")
        await house.targets.want(room.table.name, ADA, WEBHOOK, wanted, 0)
        await house.look()
        told = json.loads(receiver.at("/hook")[0].body)
        assert told["kind"] == "turn" and told["url"] == f"https://games.example/t/{room.table.name}"
        assert told["allowed_mentions"] == {"parse": []}
        assert "Your turn" in told["body"] and told["content"] == told["text"]
        assert "@everyone" not in told["content"].replace("\\@everyone", "") and "*Ada*" in told["body"]
        assert set(told) == {"id", "table", "kind", "content", "allowed_mentions", "text", "body", "url"}

    in_house(sqlite, work)


# Where nothing is sent

INNER = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::1", "::127.0.0.1",
    "2001:0:5ef5:79fd::80ff:fffe", "not an address", "",
]  # fmt: skip


@pytest.mark.parametrize("address", INNER)
def test_addresses_of_private_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x",
        "https://2130706433/x", "https://0x7f.1/x", "https://017700000001/x", "https://10.0.0.1/x",
        "https://169.254.169.254/latest/meta-data", "https://[fd00:ec2::254]/x", "https://[fe80::1%25lo]/x",
        "http://example.org/x", "ftp://example.org/x", "https://", "https:///x", "file:///etc/passwd",
        "https://user:password@example.org/", "https://example.org:25/x", "https://example.org:0/x",
        "https://example.org:99999/x", "https://exa mple.org/", "https://example.org/\nx", "//example.org", "x",
        "https://nowhere.invalid/x", "https://" + "a" * 2000,
    ],
)  # fmt: skip
def test_nothing_is_sent_to_private_or_odd_addresses(url: str) -> None:
    with pytest.raises(ServerProblem):
        asyncio.run(located(url, private=False))


def test_the_connection_goes_to_the_address_that_was_judged(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that answers differently a moment later leads nowhere else."""
    from sunglade.server.notices import addresses

    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    monkeypatch.setattr(addresses, "_resolve", lambda host: next(answers))
    port = receiver.url.rpartition(":")[2]
    answer = asyncio.run(Posting(private=True).post(f"http://rebinding.test:{port}/x", b"{}", {}))
    assert answer.outcome is Outcome.TAKEN
    assert receiver.at("/x")[0].headers["host"] == f"rebinding.test:{port}"
    assert next(answers) == ["127.0.0.2"]


def test_a_name_with_a_private_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from sunglade.server.notices import addresses

    monkeypatch.setattr(addresses, "_resolve", lambda host: ["8.8.8.8", "192.168.0.1"])
    with pytest.raises(ServerProblem, match="private network"):
        asyncio.run(located("https://both.example/x", private=False))
    answer = asyncio.run(Posting(private=False).post("https://both.example/x", b"", {}))
    assert answer.outcome is Outcome.FAILED


# Over HTTP


def ask(seat: Seat, what: str = "", **body: Any) -> dict[str, Any]:
    path = f"/tables/{seat.table}/notices{what}"
    return dict(seat.client.ask("POST", path, body, token=seat.token))


def two(client: Client) -> tuple[Seat, Seat]:
    ada = client.create([ME, OPEN], rules={"edition": "us", "rounds": 1})
    assert ada.invite is not None
    ben = client.join(ada.table, ada.invite, "Ben")
    ada.refresh()
    return ada, ben


def leave(seat: Seat) -> None:
    """A page that is closed is away at once."""
    with seat.live():
        pass


def test_a_browser_is_told_by_a_server_that_signs_with_the_key_it_gave(serve: Serve, receiver: Receiver) -> None:
    server = serve("--allow-private-notices", "--notices-contact", "mailto:op@example.org")
    with server.client() as client:
        seats = two(client)
        mover = next(seat for seat in seats if seat.my_turn)
        browser = Browser(f"{receiver.url}/push")
        shown = ask(mover, endpoint=browser.endpoint)
        schema.Notices.model_validate(shown)
        assert (shown["push"], shown["webhooks"]) == (False, False)
        assert ask(mover, "/browser", **browser.wish(language="de"))["push"] is True
        other = next(seat for seat in seats if seat is not mover)
        for seat in (mover, other, mover):
            while seat.my_turn:
                seat.play("end" if "end" in seat.legal else seat.legal[0])
            for each in seats:
                each.refresh()
            if seat is other:
                leave(mover)
                break
        (arrived,) = receiver.wait_for("/push")
        assert browser.opened(arrived.body)["title"] == "Du bist dran"
        claims = check_word(arrived.headers["authorization"], receiver.url, shown["push_key"])
        assert claims["sub"] == "mailto:op@example.org"
        assert ask(mover, "/browser/forget", endpoint=browser.endpoint)["push"] is False
    assert server.stop() == 0 and server.errors() == []


def test_groups_are_for_servers_that_allow_it_and_for_whoever_invites(serve: Serve, receiver: Receiver) -> None:
    url = f"{receiver.url}/hook/SECRET"
    with serve().client() as client:
        ada, _ = two(client)
        with pytest.raises(Refused, match="no_notices"):
            ask(ada, "/group", url=url)


def test_a_group_is_connected_and_let_go(serve: Serve, receiver: Receiver) -> None:
    with serve("--webhooks", "--allow-private-notices").client() as client:
        ada, ben = two(client)
        with pytest.raises(Refused, match="not_owner"):
            ask(ben, "/group", url=f"{receiver.url}/hook/SECRET")
        shown = ask(ada, "/group", url=f"{receiver.url}/hook/SECRET")
        assert shown["webhook"]["host"] == "127.0.0.1" and "SECRET" not in str(shown)
        assert ask(ben)["webhook"]["host"] == "127.0.0.1"
        assert ask(ada, "/group", url=None)["webhook"] is None


@pytest.mark.parametrize("options", [("--webhooks",)])
def test_private_addresses_are_refused_in_a_sentence(serve: Serve, receiver: Receiver, options: tuple[str]) -> None:
    with serve(*options).client() as client:
        ada, _ = two(client)
        for url in (receiver.url, "https://localhost:9/x", "https://[::ffff:10.0.0.1]/x"):
            with pytest.raises(Refused, match="bad_request"):
                ask(ada, "/group", url=url)
            with pytest.raises(Refused, match="bad_request"):
                ask(ada, "/browser", **Browser(url).wish())
        assert receiver.arrived == []


def test_a_table_that_is_deleted_forgets_who_was_told(sqlite: str) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, ADA, "https://push.example/x")
        await house.database.delete_table(room.table.name)
        assert await house.rows() == 0
        wanted = Wanted("https://push.example/y", "en")
        assert not await house.targets.want(room.table.name, ADA, WEBHOOK, wanted, 0)

    in_house(sqlite, work)


def test_a_server_that_tells_no_browsers_says_so(serve: Serve) -> None:
    with serve("--no-push").client() as client:
        ada, _ = two(client)
        assert ask(ada)["push_key"] is None
        with pytest.raises(Refused, match="no_notices"):
            ask(ada, "/browser", **Browser("https://push.example/x").wish())


# Killed in between


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_killed_between_a_turn_and_its_notice_sends_it_later(
    serve: Serve, receiver: Receiver, kind: str, request: pytest.FixtureRequest, sqlite: str
) -> None:
    """The first process dies while it sends; the one after it, or the one beside it, sends the same again."""
    postgres: Postgres | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    url = sqlite if postgres is None else postgres.new_database()
    options = ("--allow-private-notices",)
    servers = [serve(*options, database=url)]
    if postgres is not None:
        servers.append(serve(*options, database=url))
    with servers[0].client() as client:
        seats = two(client)
        mover = next(seat for seat in seats if seat.my_turn)
        browser = Browser(f"{receiver.url}/push")
        ask(mover, "/browser", **browser.wish())
        other = next(seat for seat in seats if seat is not mover)
        receiver.hanging.add("/push")
        for seat in (mover, other):
            seat.refresh()
            while seat.my_turn:
                seat.play("end" if "end" in seat.legal else seat.legal[0])
        leave(mover)
        (first,) = receiver.wait_for("/push")
    for server in servers:
        server.kill()
    receiver.hanging.clear()
    serve(*options, database=url)
    second = receiver.wait_for("/push", 2)[1]
    assert browser.opened(first.body)["id"] == browser.opened(second.body)["id"]


def test_a_target_that_cannot_be_read_goes_and_holds_up_nobody(sqlite: str, receiver: Receiver) -> None:
    async def work(house: House) -> None:
        room = await house.table()
        await house.tell(room, to_act(room), f"{receiver.url}/bad")
        await house.database.change(notice_targets.update().values(data="no JSON"))
        await house.tell(room, to_act(room), f"{receiver.url}/good")
        await house.look()
        assert [arrived.path for arrived in receiver.arrived] == ["/good"] and await house.rows() == 1

    in_house(sqlite, work)


async def _look_both(*houses: House) -> None:
    await asyncio.gather(*(house.sender.look() for house in houses))
    await asyncio.gather(*(house.sender.settled() for house in houses))


def test_processes_share_one_key_and_tell_once(postgres: Postgres, receiver: Receiver) -> None:
    url = postgres.new_database()

    async def run() -> None:
        async with standing(url, name="one") as one, standing(url, name="two") as two:
            keys = await asyncio.gather(*(house.targets.key() for house in (one, two) for _ in range(3)))
            assert len(set(keys)) == 1
            room = await one.table()
            for number in range(20):
                await one.tell(room, to_act(room), f"{receiver.url}/{number}")
            while len({arrived.path for arrived in receiver.arrived}) < 10:
                await _look_both(one, two)
            for _ in range(10):
                await _look_both(one, two)
                await asyncio.sleep(BREATH_S / 5)
            paths = [arrived.path for arrived in receiver.arrived]
            assert sorted(paths) == sorted({f"/{number}" for number in range(10, 20)})

    asyncio.run(run())
