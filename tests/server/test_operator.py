"""What an operator does while the server runs: close a table, free a seat, ban an address."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from server.games import ME, OPEN
from server.postgres import Postgres
from server.process import Server
from sunglade.client import Refused
from sunglade.errors import BadRequest
from sunglade.server import schema, tending
from sunglade.server.bans import Bans, ban, network_of, unban
from sunglade.server.database import Database
from sunglade.server.limits import client_key
from sunglade.server.sql_schema import people
from sunglade.table.problems import ServerProblem
from sunglade.table.tokens import new_token

HANG_S = 300


def tables(*given: str) -> str:
    """`sunglade tables …`; what it says."""
    done = asked(*given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def asked(*given: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sunglade", "tables", *given]
    return subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))


def until(holds: Callable[[], Any]) -> Any:
    hang = time.monotonic() + HANG_S
    while not (found := holds()):
        assert time.monotonic() < hang
        time.sleep(0.2)
    return found


@pytest.mark.slow
def test_a_closed_table_and_a_free_seat_are_noticed_by_a_server_that_runs(serve: Callable[..., Server]) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create([ME, OPEN])
        ben = client.join(ada.table, str(ada.invite), "Ben")
        with ada.live() as live:
            assert "is free" in tables("free", ada.table, "1", "--database", server.database)
            kinds: list[str] = []
            while "left" not in kinds:
                kinds += [event["kind"] for event in live.receive(timeout=HANG_S).get("events", [])]
            with pytest.raises(Refused, match="no seat"):
                ben.command("rename", name="Benno")
            with pytest.raises(Refused, match="seat_taken"):
                ben.command("sit_again")
            assert client.join(ada.table, str(ada.invite), "Cleo").view["seats"][1]["name"] == "Cleo"
            assert "is deleted" in tables("close", ada.table, "--database", server.database)
            while (told := live.receive(timeout=HANG_S))["type"] != "goodbye":
                pass
            assert told["error"]["kind"] == "unknown_table"
        with pytest.raises(Refused, match="no such table"):
            client.ask("GET", f"/tables/{ada.table}")
    assert server.errors() == []


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres) -> str:
    """Either kind."""
    return f"sqlite+aiosqlite:///{tmp_path / 't.sqlite'}" if request.param == "sqlite" else postgres.new_database()


@pytest.mark.slow
def test_a_person_is_renamed_at_a_table_while_a_server_runs(serve: Callable[..., Server], database: str) -> None:
    server = serve(database=database)
    with server.client() as client:
        ada = client.create([ME, OPEN])
        client.join(ada.table, str(ada.invite), "Rude")
        where = ("--database", database)
        with ada.live() as live:
            assert "is called Ben now" in tables("rename", ada.table, "1", "  B\u202een ", *where)
            told: list[dict[str, Any]] = []
            while not told:
                events = live.receive(timeout=HANG_S).get("events", [])
                told = [event for event in events if event["kind"] == "renamed"]
        assert (told[0]["name"], told[0]["before"]) == ("Ben", "Rude")
        for words, why in (
            (("rename", ada.table, "2", "x"), "seats 0 to 1"),
            (("rename", ada.table, "0", "\u200b"), "at least one letter"),
            (("rename", "nowhere", "0", "x"), "no such table"),
            (("who", "nowhere"), "no such table"),
        ):
            done = asked(*words, *where)
            assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
    assert server.errors() == []


@pytest.mark.slow
def test_a_banned_person_takes_no_seat_until_served_again(
    serve: Callable[..., Server], database: str, tmp_path: Path
) -> None:
    file = tmp_path / "banned"
    server = serve("--banned", str(file), database=database)
    with server.client() as host, server.client() as client:
        known = client.ask("POST", "/people", {"id": new_token(), "name": "Ben"})
        client.person = known["key"]
        ada = host.create([ME, OPEN, OPEN])
        ben = client.join(ada.table, str(ada.invite), "Ben")
        said = tables("who", ada.table, "--database", database)
        assert (
            said.splitlines()[1] == f"1: person, Ben (person:{known['person']})" and said.splitlines()[2] == "2: open"
        )
        tables("ban", f"person:{known['person']}", "--banned", str(file))

        def kind() -> str | None:
            try:
                client.create([ME, OPEN])
            except Refused as refusal:
                return refusal.kind
            return None

        until(lambda: kind() == "not_served")
        for method, path, body in (
            ("POST", f"/tables/{ada.table}/join", {"invite": ada.invite, "name": "Ben"}),
            ("PUT", "/people/me", {"name": "B", "species": None}),
            ("POST", f"/tables/{ada.table}/seat", None),
        ):
            with pytest.raises(Refused, match="not_served"):
                client.ask(method, path, body)
        assert client.ask("GET", "/people/me")["name"] == "Ben"  # what is known of them they may see
        ben.refresh()
        assert ben.view["seats"][1]["name"] == "Ben"
        tables("unban", f"person:{known['person']}", "--banned", str(file))
        until(lambda: kind() is None)
    assert server.errors() == []


@pytest.mark.slow
def test_people_without_tables_are_forgotten_when_their_key_was_not_shown_for_long(
    serve: Callable[..., Server], database: str
) -> None:
    server = serve(database=database)
    with server.client() as client:
        keys = [
            client.ask("POST", "/people", {"id": new_token(), "name": name})["key"] for name in ("Ada", "Ben", "Cy")
        ]
        client.person = keys[1]
        client.create([ME, OPEN])

        async def years_ago() -> None:
            log = Database(database)
            await log.change(people.update().where(people.c.name != "Cy").values(used=0.0))
            await log.close()

        asyncio.run(years_ago())
        tables("retire", "--days", "30", "--database", database)
        left = []
        for key in keys:
            client.person = key
            with contextlib.suppress(Refused):
                left.append(client.ask("GET", "/people/me")["name"])
        assert left == ["Ben", "Cy"]


@pytest.mark.slow
def test_what_is_kept_is_told_as_it_is_set(serve: Callable[..., Server]) -> None:
    server = serve("--keep-days", "90", "--contact", "ops@example.org", "--verbose")
    with server.client() as client:
        told = client.ask("GET", "/privacy")
    schema.Privacy.model_validate(told)
    assert told == {"keep_days": 90.0, "keep_uploads_days": 30.0, "logs_addresses": True, "contact": "ops@example.org"}


def test_bans_are_people_too(tmp_path: Path) -> None:
    file = tmp_path / "banned.txt"
    bans = Bans(file)
    ban(file, "person:abc_1")
    ban(file, "203.0.113.7")
    assert bans.look() and bans.has("203.0.113.7")
    with pytest.raises(ServerProblem, match="not served"):
        bans.check_person("abc_1")
    bans.check_person("abc")
    for wrong in ("person:", "person:a b", "person:a\nb", "person:" + 41 * "a"):
        with pytest.raises(BadRequest, match="no person"):
            ban(file, wrong)
    unban(file, "person:abc_1")
    assert bans.look()
    bans.check_person("abc_1")


@pytest.mark.slow
def test_a_banned_address_is_turned_away_until_it_is_served_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    file = tmp_path / "banned"
    server = serve("--banned", str(file))
    with server.client() as client:
        ada = client.create([ME, OPEN])
        live = ada.live()
        assert "127.0.0.0/8 is banned" in tables("ban", "127.0.0.0/8", "--banned", str(file))
        refused = until(
            lambda: (found := httpx.get(f"{server.url}/api/health", timeout=300)).status_code == 429 and found
        )
        assert refused.json()["error"]["kind"] == "too_many" and "not served" in refused.text
        assert refused.headers["connection"] == "close"
        with pytest.raises(ConnectionClosed):
            while True:
                live.receive(timeout=HANG_S)
        assert "served again" in tables("unban", "127.0.0.0/8", "--banned", str(file))
        until(lambda: httpx.get(f"{server.url}/api/health", timeout=300).status_code == 200)
        assert ada.refresh()["seq"] == 1
    assert server.errors() == []


def test_bans_are_addresses_networks_and_households(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "banned.txt"
    bans = Bans(file)
    assert not bans.look() and not bans.has("203.0.113.7")
    ban(file, "203.0.113.7")
    ban(file, "2001:db8:1:2::5")
    file.write_text(file.read_text() + "nonsense  # not an address\n\n198.51.100.0/24 # a whole network\n")
    assert bans.look() and not bans.look()
    banned = {"203.0.113.7": True, "203.0.113.8": False, "198.51.100.9": True, "2001:db8:1:2::": True}
    assert {address: bans.has(address) for address in banned} == banned
    assert not bans.has("2001:db8:1:3::") and not bans.has("unknown")
    with pytest.raises(ServerProblem, match="not served"):
        bans.check("198.51.100.9")
    unban(file, "2001:db8:1:2::/64")
    assert bans.look() and not bans.has("2001:db8:1:2::") and bans.has("203.0.113.7")
    with pytest.raises(BadRequest, match="is not in"):
        unban(file, "192.0.2.1")
    with pytest.raises(BadRequest, match="no address"):
        ban(file, "everybody")


def test_a_mapped_address_is_the_ipv4_address_it_stands_for(tmp_path: Path) -> None:
    bans = Bans(tmp_path / "banned.txt")
    for text, network in (("::ffff:203.0.113.7", "203.0.113.7/32"), ("::ffff:198.51.100.0/120", "198.51.100.0/24")):
        assert str(ban(tmp_path / "banned.txt", text)) == network
    bans.look()
    assert bans.has(client_key("::ffff:203.0.113.7")) and bans.has("203.0.113.7") and bans.has("198.51.100.200")
    assert not bans.has(client_key("::1")) and not bans.has("203.0.113.8")


@given(st.lists(st.ip_addresses(network="198.51.100.0/28") | st.ip_addresses(v=6)), st.integers(0, 128), st.data())
def test_banned_is_whoever_is_in_one_of_the_networks(addresses: list[Any], length: int, data: st.DataObject) -> None:
    networks = [network_of(f"{address}/{min(length, address.max_prefixlen)}") for address in addresses]
    asked = data.draw(
        st.ip_addresses(network="198.51.100.0/28")
        | st.ip_addresses(v=6)
        | st.sampled_from(addresses or [ip_address("::1")])
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "banned.txt"
        file.write_text("".join(f"{network}\n" for network in networks))
        bans = Bans(file)
        bans.look()
    assert bans.has(str(asked)) == any(asked in network for network in networks)


def test_what_the_operator_wrote_beside_the_addresses_stays(tmp_path: Path) -> None:
    file = tmp_path / "banned.txt"
    written = "# floods since Monday\n203.0.113.7  # shouts\n\n198.51.100.0/24"
    file.write_text(written)
    ban(file, "192.0.2.1")
    ban(file, "203.0.113.7")
    assert file.read_text() == f"{written}\n192.0.2.1/32\n"
    unban(file, "198.51.100.0/24")
    assert file.read_text() == "# floods since Monday\n203.0.113.7  # shouts\n\n192.0.2.1/32\n"


def test_bans_that_cannot_be_read_are_neither_lifted_nor_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "banned.txt"
    ban(file, "203.0.113.7")
    bans = Bans(file)
    bans.look()
    file.unlink()
    file.mkdir()
    assert not bans.look() and bans.has("203.0.113.7")
    assert "banned addresses cannot be read" in caplog.text
    for change in (ban, unban):
        with pytest.raises(OSError):
            change(file, "203.0.113.7")
    file.rmdir()
    assert bans.look() and not bans.has("203.0.113.7")


def test_bans_written_at_the_same_time_are_all_there(tmp_path: Path) -> None:
    file = tmp_path / "banned.txt"
    ban(file, "203.0.113.0")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: ban(file, f"198.51.100.{number}"), range(40)))
        list(threads.map(lambda number: unban(file, f"198.51.100.{number}"), range(0, 40, 2)))
    odd = {f"198.51.100.{number}/32" for number in range(1, 40, 2)}
    assert set(file.read_text().split()) == odd | {"203.0.113.0/32"}


def test_what_is_not_there_cannot_be_closed_or_freed(tmp_path: Path, serve: Callable[..., Server]) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create([ME, OPEN])

    async def story() -> None:
        database = Database(server.database)
        with pytest.raises(BadRequest, match="no table"):
            await tending.close_table(database, "nowhere")
        with pytest.raises(BadRequest, match="no such table"):
            await tending.free_seat(database, "nowhere", 0)
        with pytest.raises(BadRequest, match="nobody sits"):
            await tending.free_seat(database, ada.table, 1)
        with pytest.raises(BadRequest, match="seats 0 to 1"):
            await tending.free_seat(database, ada.table, 2)
        await database.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "words", ["close t", "free t 0", "rename t 0 x", "who t", "retire --days 1", "backup {}/backup.gz"]
)
def test_a_database_that_is_not_there_is_not_made_to_be_looked_after(words: str, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "tables.sqlite"
    done = asked(*words.format(tmp_path).split(), "--database", f"sqlite+aiosqlite:///{file}")
    assert done.returncode == 2 and f"there is no database {file}" in done.stderr and "SUNGLADE_DATA" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_does_not_answer_is_told_in_one_sentence() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        url = f"postgresql+asyncpg://me@127.0.0.1:{nobody.getsockname()[1]}/tables"
        done = asked("close", "t", "--database", url)
    assert done.returncode == 2 and done.stderr.startswith("sunglade: the database cannot be used: "), done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("word", ["ban", "unban"])
def test_bans_are_in_no_database(word: str, tmp_path: Path) -> None:
    done = asked(word, "203.0.113.7", "--banned", str(tmp_path / "banned.txt"), "--database", "sqlite+aiosqlite:///x")
    assert done.returncode == 2 and "--database" in done.stderr
