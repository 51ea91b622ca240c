"""What the server does for those who have gone: finished, and its failures told to whom they concern."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from sunglade.table.problems import ServerProblem
from sunglade.table.trouble import DatabaseTrouble
from sunglade.table.work import Work


def after_the_asker_left(error: Exception) -> list[dict[str, Any]]:
    """Work that fails once nobody waits for it; what the loop complains of afterwards."""
    complaints: list[dict[str, Any]] = []

    async def scene() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        work, going_on = Work(), asyncio.Event()

        async def fail() -> None:
            await going_on.wait()
            raise error

        asker = asyncio.create_task(work.do(fail()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asker.cancel()
        await asyncio.wait([asker])
        assert asker.cancelled()
        going_on.set()
        await work.finish(60)

    asyncio.run(scene())
    gc.collect()
    return complaints


def test_a_refusal_nobody_waits_for_breaks_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """A client that leaves in the tick of its command: the loop called that an exception never retrieved."""
    assert after_the_asker_left(ServerProblem("stale", "the game has moved on.")) == []
    assert caplog.records == []


def test_a_failure_nobody_waits_for_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    assert after_the_asker_left(ValueError("broken")) == []
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_database_trouble_nobody_waits_for_is_logged_as_trouble(caplog: pytest.LogCaptureFixture) -> None:
    """One line that is not repeated, no traceback for each command that was under way."""
    assert after_the_asker_left(DatabaseTrouble("gone")) == []
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [("WARNING", "database trouble")]
