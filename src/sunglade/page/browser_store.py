"""IndexedDB as a store of texts (`Store`). The worker hands in what speaks to it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from typing import Final, Protocol

from sunglade.page.stored_log import Changes
from sunglade.table.problems import ServerProblem

FULL: Final = "QuotaExceededError"
FULL_S: Final = 30.0
"""So long bots wait before they look whether somebody has made room."""


class Texts(Protocol):
    """The JavaScript side (web/src/device/storage.ts). It speaks JSON; what goes wrong has a name."""

    def read(self) -> Awaitable[str]:
        """All texts by their keys."""

    def write(self, changes: str) -> Awaitable[None]:
        """Carry out changes wholly, or not at all."""


class BrowserStore:
    """Texts in the browser's own database."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def load(self) -> Mapping[str, str]:
        """Everything that is kept."""
        kept: Mapping[str, str] = json.loads(await self._texts.read())
        return kept

    async def commit(self, changes: Changes) -> None:
        """Keep changes. Where there is no room left nothing has happened, and trying again at once would not help."""
        try:
            await self._texts.write(json.dumps(changes))
        except Exception as error:
            if getattr(error, "name", None) == FULL:
                full = "the storage of this device is full; nothing is lost."
                raise ServerProblem("storage_full", full, retry_after=FULL_S) from None
            raise
