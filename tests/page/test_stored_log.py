"""Tables of a page outlive it: an event is stored before it counts as done, and nothing half is ever found again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping

import pytest

from page.opened import Page
from server.games import BOT, ME, OPEN, play_out, play_turn
from sunglade.client import Refused
from sunglade.page.stored_log import Changes, StoredLog
from sunglade.table.table import Table


class Shelf:
    """A store whose texts stay when pages go. It can be full, and it can break off in the middle."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.full = False

    async def load(self) -> Mapping[str, str]:
        return dict(self.texts)

    async def commit(self, changes: Changes) -> None:
        await asyncio.sleep(0)
        if self.full:
            raise OSError("the disk is full")
        for key, text in changes.items():
            if text is None:
                self.texts.pop(key, None)
            else:
                self.texts[key] = text


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
