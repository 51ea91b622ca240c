"""What the worker of a page is told and says: texts by number, and a storage that may be full."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest

from sunglade.page.door import Door, open_door
from sunglade.page.engine_lines import answered

ME, BOT = {"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}


class Full(Exception):
    """As a browser calls it."""

    name = "QuotaExceededError"


class Texts:
    """What the browser keeps."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.is_full = False
        self.is_full_after = math.inf  # so many more writings

    async def read(self) -> str:
        return json.dumps(self.kept)

    async def write(self, changes: str) -> None:
        if self.is_full or self.is_full_after == 0:
            raise Full
        self.is_full_after -= 1
        new = self.kept | json.loads(changes)
        self.kept = {key: text for key, text in new.items() if text is not None}


class Worker:
    """The worker around a door. Its bots think at once, unless they are gone."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._door: Door | None = None
        self._news = asyncio.Event()
        self.answers: dict[int, tuple[int, Any]] = {}
        self.said: list[dict[str, Any]] = []
        self.ended: list[tuple[int, int, str]] = []
        self.losses = 0
        self.line = 1

    async def door(self) -> Door:
        if self._door is None:
            self._door = await open_door(self, self._texts)
        return self._door

    def answer(self, number: int, status: int, kind: str, body: str) -> None:
        assert kind == "application/json"
        self.answers[number] = status, json.loads(body)
        self._news.set()

    def opened(self, socket: int) -> None: ...

    def heard(self, socket: int, text: str) -> None:
        self.said.append(json.loads(text))
        self._news.set()

    def closed(self, socket: int, code: int, reason: str) -> None:
        self.ended.append((socket, code, reason))
        self._news.set()

    def ask(self, line: str) -> None:
        assert self._door is not None
        thinkers = self._door.thinkers
        if self.losses:
            self.losses -= 1
            asyncio.get_running_loop().call_soon(thinkers.lost)
        elif json.loads(line)["cmd"] == "think":
            asyncio.get_running_loop().call_soon(lambda: thinkers.answered(answered(line)))

    async def news(self) -> None:
        self._news.clear()
        async with asyncio.timeout(300):
            await self._news.wait()

    async def request(self, method: str, path: str, token: str | None = None, body: object = None) -> tuple[int, Any]:
        number = len(self.answers) + 1
        (await self.door()).request(number, method, path, token, None if body is None else json.dumps(body))
        while number not in self.answers:
            await self.news()
        return self.answers[number]

    async def my_turn(self) -> dict[str, Any]:
        """The view in which seat 0 is to act, once it has come."""
        while True:
            views = [said["view"] for said in self.said if "view" in said]
            if views and views[-1]["turn"]["seat"] == 0:
                found: dict[str, Any] = views[-1]
                return found
            await self.news()

    async def play(self, number: int) -> dict[str, Any]:
        """Play something; what became of it."""
        view = await self.my_turn()
        self.said.clear()
        line = view["turn"]["legal"][0]["line"]
        command = {"type": "command", "id": f"c{number}", "do": "play", "action": line, "expected": view["seq"]}
        (await self.door()).say(self.line, json.dumps(command))
        while not (told := [said for said in self.said if said.get("id") == f"c{number}"]):
            await self.news()
        return told[0]


async def seated(worker: Worker) -> tuple[str, str]:
    """A table against a bot, with a line to it."""
    status, made = await worker.request("POST", "/api/tables", body={"seats": [ME, BOT], "rules": {}, "seed": 1})
    assert status == 201, made
    await connected(worker, made["table"], made["token"])
    return made["table"], made["token"]


async def connected(worker: Worker, table: str, token: str) -> None:
    door = await worker.door()
    door.connect(worker.line)
    door.say(worker.line, json.dumps({"type": "hello", "table": table, "token": token, "since": 0}))


def test_a_table_is_played_and_is_there_for_the_next_worker() -> None:
    async def play() -> None:
        texts = Texts()
        worker = Worker(texts)
        table, token = await seated(worker)
        worker.losses = 1  # bots that break down are asked again
        for number in range(3):
            assert (await worker.play(number))["type"] == "ack"
        seq = (await worker.my_turn())["seq"]
        again = Worker(texts)
        status, told = await again.request("GET", f"/api/tables/{table}?since={seq}", token)
        assert (status, told["seq"]) == (200, seq)
        await connected(again, table, token)
        assert (await again.play(3))["type"] == "ack"
        (await again.door()).hang_up(1)
        (await again.door()).say(1, "nobody hears this")

    asyncio.run(play())


def test_a_full_storage_is_a_refusal_and_nothing_has_happened() -> None:
    async def play() -> None:
        texts = Texts()
        worker = Worker(texts)
        await seated(worker)
        seq, kept = (await worker.my_turn())["seq"], dict(texts.kept)
        texts.is_full = True
        refused = await worker.play(0)
        assert (refused["type"], refused["error"]["kind"]) == ("refused", "storage_full")
        status, told = await worker.request("POST", "/api/tables", body={"seats": [ME, BOT], "rules": {}})
        assert (status, told["error"]["kind"]) == (507, "storage_full")
        assert told["error"]["retry_after"] >= 30  # bots do not think again and again for nothing
        assert texts.kept == kept
        texts.is_full = False
        await connected(worker, *(await seated(worker)))
        assert seq == 1 and (await worker.play(1))["type"] == "ack"

    asyncio.run(play())


def test_a_bot_whose_action_finds_no_room_acts_when_there_is_some_and_everybody_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who comes back meanwhile is told as well. A bug: the bot seemed to think for ever."""
    monkeypatch.setattr("sunglade.page.browser_store.FULL_S", 0.01)

    async def play() -> None:
        texts = Texts()
        worker = Worker(texts)
        table, token = await seated(worker)
        await worker.my_turn()
        texts.is_full_after = 1
        assert (await worker.play(0))["type"] == "ack"
        await no_room_is_told(worker)
        (await worker.door()).hang_up(1)
        worker.line = 2
        worker.said.clear()
        await connected(worker, table, token)
        await no_room_is_told(worker)
        texts.is_full_after = math.inf
        assert (await worker.play(1))["type"] == "ack"

    asyncio.run(play())


async def no_room_is_told(worker: Worker) -> None:
    while not (told := [said for said in worker.said if said["type"] == "refused"]):
        await worker.news()
    assert (told[0]["id"], told[0]["error"]["kind"]) == (None, "storage_full")


def test_a_line_to_a_table_that_is_not_there_ends_with_a_reason() -> None:
    async def play() -> None:
        worker = Worker(Texts())
        await connected(worker, "nowhere", "token")
        while not worker.ended:
            await worker.news()
        assert worker.ended[0][0] == 1 and worker.said[-1]["type"] == "goodbye"

    asyncio.run(play())
