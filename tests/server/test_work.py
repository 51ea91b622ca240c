"""What the server does for those who have gone: finished, and its failures told to whom they concern."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any

import pytest

from sunglade.server.metrics import Metrics
from sunglade.table.memory_log import MemoryLog
from sunglade.table.problems import ServerProblem
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble
from sunglade.table.work import Work


class Failing:
    """What is wrong shows when it is let go on."""

    def __init__(self, error: Exception) -> None:
        self.going_on = asyncio.Event()
        self._error = error

    async def fail(self, *_: Any) -> Any:
        await self.going_on.wait()
        raise self._error


async def do(work: Work, failing: Failing) -> None:
    await work.do(failing.fail())


def after_the_asker_left(error: Exception, ask: Callable[[Work, Failing], Any] = do) -> list[dict[str, Any]]:
    """Work that fails once nobody waits for it; what the loop complains of afterwards."""
    complaints: list[dict[str, Any]] = []

    async def scene() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        work, failing = Work(), Failing(error)
        asker = asyncio.create_task(ask(work, failing))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asker.cancel()
        await asyncio.wait([asker])
        assert asker.cancelled()
        failing.going_on.set()
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


def test_a_table_that_cannot_be_read_for_somebody_who_has_gone_is_trouble_as_any_other(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by a simulated world: the loop called it an exception never retrieved."""

    async def look(work: Work, failing: Failing) -> None:
        log = MemoryLog()
        monkeypatch.setattr(log, "unmarked", failing.fail)
        registry = TableRegistry(log, Metrics(), [], 10, shared=False)
        registry._work = work
        await registry.room("table")

    assert after_the_asker_left(DatabaseTrouble("gone"), look) == []
    assert [record.getMessage() for record in caplog.records] == ["database trouble"]
