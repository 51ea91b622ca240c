"""Tables of a page outlive it: an event is stored before it counts as done, and nothing half is ever found again."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from page.opened import Page
from page.shelf import Shelf
from server.games import BOT, ME, OPEN, play_out, play_turn
from sunglade.client import Refused
from sunglade.page.stored_log import StoredLog
from sunglade.table.table import Event, Table
from sunglade.table.table_log import Append
from sunglade.table.trouble import DatabaseTrouble


def opened(shelf: Shelf) -> Page:
    return Page(asyncio.run(StoredLog.opened(shelf)))


def test_tables_go_on_after_a_page_is_left_or_breaks_down() -> None:
    """Games, seats, invitations, codes and what was told are found again, in the middle of turns, again and again."""
    shelf, rng = Shelf(), random.Random(1)
    page = opened(shelf)
    table = page.client().create([ME, BOT, OPEN], rules={"rounds": 4, "modules": ["moon", "elder", "stones"]})
    ben = page.client().join(table.table, str(table.invite), "Ben")
    code = ben.move(ben.seats[0])
    crashes = 0
    while not table.over:
        if rng.random() < 0.3 and crashes < 4:
            crashes += 1
            page.kill() if crashes % 2 else page.close()
            page = opened(shelf)
            for seat in (table, ben):
                before = seat.view
                seat.client = page.client()
                seat.refresh()
                assert seat.seq >= before["seq"]
                if seat.seq == before["seq"]:
                    assert seat.state == before["state"] and seat.legal == [a["line"] for a in before["turn"]["legal"]]
        if crashes == 2 and code:
            ben, code = page.client().claim(table.table, code), ""
        acting = next((seat for seat in (table, ben) if seat.my_turn), None)
        if acting is None:
            table.wait(1.0)
            ben.refresh()
        else:
            play_turn(acting, rng)
            table.refresh()
            ben.refresh()
    assert crashes and not code
    page.close()
    log = asyncio.run(StoredLog.opened(shelf))
    assert Table.from_log(table.table, asyncio.run(log.log(table.table))).view()["state"] == table.state


def test_what_cannot_be_stored_has_not_happened() -> None:
    shelf = Shelf()
    page = opened(shelf)
    table = page.client().create([ME, ME])
    before = table.state
    shelf.full = True
    with pytest.raises(Refused, match=r"^busy:"):
        table.play(table.legal[0], identity="first")
    assert table.client.ask("GET", f"/tables/{table.table}")["view"]["state"] == before
    with pytest.raises(Refused, match=r"^busy:"):
        page.client().create([ME, ME])
    shelf.full = False
    table.play(table.legal[0], identity="first")
    assert len(page.client().ask("GET", "/tables")["tables"]) == 1
    page.kill()
    again = opened(shelf)
    (found,) = again.client().ask("GET", "/tables")["tables"]
    assert found["table"] == table.table and found["seq"] == table.seq
    again.close()


def test_a_deleted_table_leaves_nothing_behind() -> None:
    shelf = Shelf()
    page = opened(shelf)
    kept = page.client().create([ME, BOT])
    texts = dict(shelf.texts)
    gone = page.client().create([ME, ME], rules={"rounds": 1})
    play_out(gone, rng=random.Random(2))
    gone.move(0)
    gone.move(0)
    page.client().ask("DELETE", f"/tables/{gone.table}")
    assert {key for key in shelf.texts if gone.table in shelf.texts[key] or gone.table in key} == set()
    assert set(texts) <= set(shelf.texts) and all(kept.table in shelf.texts[key] + key for key in shelf.texts)
    page.close()


def test_all_tables_go_to_another_device_in_a_file() -> None:
    """Also those of which the browser has lost the seat; tables that are there already stay as they are."""
    first, second = Shelf(), Shelf()
    page = opened(first)
    played, new = page.client().create([ME, BOT]), page.client().create([ME, ME])
    play_turn(played, random.Random(1))
    file = page.client().ask("GET", "/store")
    before = page.client().ask("GET", "/tables")["tables"]
    page.close()
    page = opened(second)
    told = page.client().ask("POST", "/store", file)
    assert sorted(told.pop("brought")) == sorted([played.table, new.table])
    assert told == {"known": 0, "unreadable": 0}
    after = page.client().ask("GET", "/tables")["tables"]
    assert [(entry["table"], entry["seq"], entry["size"]) for entry in after] == [
        (entry["table"], entry["seq"], entry["size"]) for entry in before
    ]
    assert all(entry["size"] > 1000 for entry in before)
    token = page.client().ask("POST", f"/tables/{new.table}/seat")["token"]
    assert page.client().ask("POST", "/mine", {"tokens": [token]})["tables"][0]["table"]["mine"] == [0, 1]
    page.client().ask("DELETE", f"/tables/{played.table}")
    assert page.client().ask("POST", "/store", file) == {"brought": [played.table], "known": 1, "unreadable": 0}
    page.close()
    page = opened(second)
    assert {entry["table"] for entry in page.client().ask("GET", "/tables")["tables"]} == {played.table, new.table}
    page.close()


def test_a_file_of_tables_that_is_damaged_or_foreign_changes_nothing() -> None:
    shelf = Shelf()
    page = opened(shelf)
    table = page.client().create([ME, BOT]).table
    file = page.client().ask("GET", "/store")
    page.client().ask("DELETE", f"/tables/{table}")
    wrong: Any
    for wrong in ([], {}, {"format": "sunglade-tables"}, file | {"version": 2}, file | {"format": "sunglade"}):
        with pytest.raises(Refused, match=r"^bad_request:"):
            page.client().ask("POST", "/store", wrong)
    texts = file["tables"][table]
    row, event = f"1-table/{table}", f"2-event/{table}/00000001"
    for wrong in ({row: texts[row]}, {event: texts[event]}, {**texts, event: "{"}, {**texts, row: "[]"}):
        assert page.client().ask("POST", "/store", file | {"tables": {table: wrong}})["unreadable"] == 1
    foreign: Any
    for foreign in ({**texts, "1-table/other": "{}"}, {**texts, "9-other": "{}"}, "", {row: 1}):
        told = page.client().ask("POST", "/store", file | {"tables": {table: foreign}})
        assert told["brought"] == []
    assert shelf.texts == {}
    shelf.full = True
    with pytest.raises(Refused):
        page.client().ask("POST", "/store", file)
    assert page.client().ask("GET", "/tables")["tables"] == []
    page.close()


def test_events_that_come_together_are_stored_together_or_not_at_all() -> None:
    """Whoever is told that it failed finds nothing of it after a reload."""
    asyncio.run(_append_together())


async def _append_together() -> None:
    shelf, names = Shelf(), ("a", "b", "c")
    log = await StoredLog.opened(shelf)
    row = {
        "changed": 1.0,
        "seq": 1,
        "status": "playing",
        "bot_due": False,
        "deadline": None,
        "listing": None,
        "rating_due": False,
        "invite": None,
        "uploaded": False,
    }
    for name in names:
        await log.create({"id": name, **row}, Event(1, 1.0, "created", None, {}))
    second = [Append(name, Event(2, 2.0, "play", 0, {}), row | {"seq": 2}) for name in names]
    shelf.room_for = 1
    assert await log.append([*second, replace(second[0])]) == [True, True, True, False]
    texts = dict(shelf.texts)
    third = [Append(name, Event(3, 3.0, "play", 0, {}), row | {"seq": 3}) for name in names]
    with pytest.raises(DatabaseTrouble):
        await log.append(third)
    assert shelf.texts == texts
    for found in (log, await StoredLog.opened(shelf)):
        assert await found.seqs(names) == dict.fromkeys(names, 2)


def _changed(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    told = json.loads(text)
    change(told)
    return json.dumps(told)


OF_THE_FIRST: dict[str, set[str]] = {
    "1-table": {
        "id", "created", "rules_version", "invite", "uploaded", "leased_by", "leased_until",
        "changed", "seq", "status", "bot_due",
    },
    "2-event": {"event", "told"},
    "3-seat": {"token", "id", "table_id", "created", "present_until"},
    "4-code": {"code", "table_id", "seat", "holder", "expires"},
}  # fmt: skip
"""What the first version with tables on a device kept, by kind of text."""


def _as_first(kind: str, told: dict[str, Any]) -> object:
    if kind == "2-event":
        told["event"].pop("ran")
    return [told.pop(name) for name in set(told) - OF_THE_FIRST[kind]]


def test_tables_that_an_older_version_kept_open_and_go_on() -> None:
    """A device is upgraded by opening the page: what later versions keep besides is missing in its store."""
    shelf = Shelf()
    page = opened(shelf)
    table = page.client().create([ME, ME])
    table.play(table.legal[0])
    table.move(0)
    page.close()
    for key in shelf.texts:
        shelf.texts[key] = _changed(shelf.texts[key], partial(_as_first, key.partition("/")[0]))
    page = opened(shelf)
    table.client = page.client()
    assert "error" not in table.client.ask("GET", "/tables")["tables"][0]
    table.play(table.legal[0])
    assert table.client.ask("GET", "/statistics")["games"] == []
    page.close()


DAMAGES: dict[str, Callable[[dict[str, str], str], object]] = {
    "no JSON": lambda texts, name: texts.update({f"2-event/{name}/{2:08}": "{"}),
    "an event of another version": lambda texts, name: _damage(
        texts, f"2-event/{name}/{2:08}", lambda told: told["event"].update(later=1)
    ),
    "an event without its action": lambda texts, name: _damage(
        texts, f"2-event/{name}/{2:08}", lambda told: told["event"].update(data={})
    ),
    "data that is none": lambda texts, name: _damage(
        texts, f"2-event/{name}/{2:08}", lambda told: told["event"].update(data=[])
    ),
    "a first event that agrees on nothing": lambda texts, name: _damage(
        texts, f"2-event/{name}/{1:08}", lambda told: told["event"].update(data={})
    ),
    "an event is missing": lambda texts, name: texts.pop(f"2-event/{name}/{2:08}"),
    "no events": lambda texts, name: [texts.pop(key) for key in list(texts) if key.startswith(f"2-event/{name}")],
    "no row": lambda texts, name: texts.pop(f"1-table/{name}"),
    "a row without its columns": lambda texts, name: texts.update({f"1-table/{name}": "{}"}),
    "a row that is a list": lambda texts, name: texts.update({f"1-table/{name}": "[]"}),
}


def _damage(texts: dict[str, str], key: str, change: Callable[[dict[str, Any]], object]) -> None:
    texts[key] = _changed(texts[key], change)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_table_that_cannot_be_read_leaves_the_others_alone(damage: str) -> None:
    """It says so itself, its texts stay as they are, for a version that can read them, and it can be deleted."""
    shelf = Shelf()
    page = opened(shelf)
    spoilt, whole = (page.client().create([ME, ME]) for _ in range(2))
    for table in (spoilt, whole):
        table.play(table.legal[0])
        table.play(table.legal[0])
    page.close()
    DAMAGES[damage](shelf.texts, spoilt.table)
    before = dict(shelf.texts)
    page = opened(shelf)
    client = page.client()
    listed = {table["table"]: table for table in client.ask("GET", "/tables")["tables"]}
    assert listed[spoilt.table]["error"]["kind"] == "rules_changed" and "error" not in listed[whole.table]
    mine = client.ask("POST", "/mine", {"tokens": [spoilt.token, whole.token]})["tables"]
    assert [found["table"] is None for found in mine] == [True, False]
    with pytest.raises(Refused, match=r"^rules_changed:"):
        client.ask("GET", f"/tables/{spoilt.table}")
    assert shelf.texts == before
    whole.client = client
    whole.play(whole.legal[0])
    client.ask("DELETE", f"/tables/{spoilt.table}")
    assert not [key for key in shelf.texts if spoilt.table in key + shelf.texts[key]]
    page.close()
