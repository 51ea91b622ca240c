"""Which process has a table's bots: told by one clock, however wrong those of the processes are."""

from __future__ import annotations

import time

import pytest

from server.long_tables import put
from server.postgres import Postgres
from server.stories import opened, run
from sunglade.server.sql_schema import tables

LEASE_S = 30.0
YEAR_S = 365 * 24 * 3600.0


@pytest.mark.parametrize("wrong_by", [-YEAR_S, YEAR_S])
def test_a_process_whose_clock_is_wrong_holds_no_bots_longer_than_others(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, wrong_by: float
) -> None:
    """Else nobody takes them over when it dies, for a year, or everybody does at once."""

    async def story() -> None:
        async with opened(postgres.new_database()) as database:
            await put(database, "table", 3)
            await database.change(tables.update().values(bot_due=True))
            right = time.time()
            with monkeypatch.context() as wrong:
                wrong.setattr(time, "time", lambda: right + wrong_by)
                assert await database.lease("table", "wrong", LEASE_S)
            assert not await database.lease("table", "other", LEASE_S)
            assert await database.bots_due("", 10) == []
            await database.renew(["table"], "wrong", -1.0)  # it runs out
            assert [name for name, _ in await database.bots_due("", 10)] == ["table"]
            assert await database.lease("table", "other", LEASE_S)
            await database.release("table", "other")
            assert await database.lease("table", "wrong", LEASE_S)

    run(story())
