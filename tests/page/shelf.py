"""A store for tests, where a browser has its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from sunglade.page.stored_log import Changes


class Shelf:
    """A store whose texts stay when pages go. It can be full, at once or after so many more commits."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.full = False
        self.room_for: int | None = None

    async def load(self) -> Mapping[str, str]:
        return dict(self.texts)

    async def commit(self, changes: Changes) -> None:
        await asyncio.sleep(0)
        if self.full or self.room_for == 0:
            raise OSError("the disk is full")
        if self.room_for is not None:
            self.room_for -= 1
        for key, text in changes.items():
            if text is None:
                self.texts.pop(key, None)
            else:
                self.texts[key] = text
