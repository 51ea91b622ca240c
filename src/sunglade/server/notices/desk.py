"""Notices as people see them: who is told of which table, asked for and ended by whoever sits there."""

from __future__ import annotations

from typing import Any, Final

from sunglade.server.config import Config
from sunglade.server.metrics import Metrics
from sunglade.server.notices.posting import Posting
from sunglade.server.notices.quiet import QuietHours, zone_of
from sunglade.server.notices.sealing import BrowserKeys, ServerKey
from sunglade.server.notices.sender import Sender
from sunglade.server.notices.targets import PUSH, WEBHOOK, Targets, Wanted, host_of
from sunglade.table.house import House
from sunglade.table.problems import ServerProblem, table_deleted
from sunglade.table.requests import NoticesAsked, QuietRequest, TellBrowser, TellBrowserNoMore, TellGroup
from sunglade.table.room import Room
from sunglade.words import ENGLISH, codes

NOWHERE: Final = "mailto:nobody@example.org"
"""Some push services take no word of a server without a way to reach somebody."""


class Notices:
    """What is offered, and who wants it."""

    def __init__(self, config: Config, targets: Targets, house: House, metrics: Metrics, posting: Posting) -> None:
        self._config = config
        self._house = house
        self._posting = posting
        self._targets = targets
        self._sender = Sender(house.registry, self._targets, self._posting, metrics, self._server_key)
        self._key: ServerKey | None = None

    def start(self) -> None:
        """Begin to tell, if anything is offered."""
        if self._config.push or self._config.webhooks:
            self._sender.start()

    async def stop(self) -> None:
        """Stop at once; the rest is told by the next process."""
        await self._sender.stop()

    def _contact(self) -> str:
        if self._config.notices_contact is not None:
            return self._config.notices_contact
        return f"https://{self._config.allowed_hosts[0]}" if self._config.allowed_hosts else NOWHERE

    async def _server_key(self) -> ServerKey:
        """The key by which push services know this server; all processes have the same."""
        if self._key is None:
            self._key = ServerKey.kept(await self._targets.key(), self._contact())
        return self._key

    async def shown(self, table: str, asked: NoticesAsked, token: str | None, client: str) -> dict[str, Any]:
        """What is offered at a table, and how far whoever asks has taken it."""
        room, holder = await self._house.seated(table, token, client)
        return await self._view(room, holder, asked.endpoint)

    async def _view(self, room: Room, holder: str, endpoint: str | None) -> dict[str, Any]:
        at = await self._targets.at(room.table.name)
        mine = [each for each in at if each.kind == PUSH and each.holder == holder]
        wanted = next((each.wanted for each in mine if each.wanted.url == endpoint), None)
        group = next((each.wanted for each in at if each.kind == WEBHOOK), None)
        return {
            "push_key": (await self._server_key()).public if self._config.push else None,
            "push": wanted is not None,
            "devices": len(mine),
            "quiet": None if wanted is None else _quiet_told(wanted.quiet),
            "webhooks": self._config.webhooks,
            "owner": holder == room.table.owner,
            "webhook": None if group is None else {"host": host_of(group.url), "quiet": _quiet_told(group.quiet)},
        }

    async def tell_browser(self, table: str, wish: TellBrowser, token: str | None, client: str) -> dict[str, Any]:
        """Tell a browser from now on."""
        if not self._config.push:
            raise _not_offered()
        self._house.limits.spend("notices", client)
        room, holder = await self._house.seated(table, token, client)
        keys = BrowserKeys(wish.p256dh, wish.auth)
        if not keys.are_good():
            raise ServerProblem("bad_request", "these are no keys of a browser.")
        await self._posting.check(wish.endpoint)
        wanted = Wanted(wish.endpoint, _language(wish.language), keys, _quiet(wish.quiet))
        await self._want(room, holder, PUSH, wanted)
        return await self._view(room, holder, wish.endpoint)

    async def tell_browser_no_more(
        self, table: str, wish: TellBrowserNoMore, token: str | None, client: str
    ) -> dict[str, Any]:
        """Forget a browser; whoever sits here its own alone."""
        room, holder = await self._house.seated(table, token, client)
        await self._targets.want_no_more(table, PUSH, wish.endpoint, holder)
        return await self._view(room, holder, wish.endpoint)

    async def tell_group(
        self, table: str, wish: TellGroup, token: str | None, client: str, page: str
    ) -> dict[str, Any]:
        """Tell a group from now on, or no more; whose table it is decides. `page` is where the table is found."""
        if not self._config.webhooks and wish.url is not None:
            raise _not_offered()
        self._house.limits.spend("notices", client)
        room, holder = await self._house.seated(table, token, client)
        if holder != room.table.owner:
            raise ServerProblem("not_owner", "only the owner of the table connects it with a group.")
        if wish.url is None:
            await self._targets.want_no_more(table, WEBHOOK)
        else:
            await self._posting.check(wish.url)
            wanted = Wanted(wish.url, _language(wish.language), None, _quiet(wish.quiet), page)
            await self._want(room, holder, WEBHOOK, wanted)
        return await self._view(room, holder, None)

    async def _want(self, room: Room, holder: str, kind: str, wanted: Wanted) -> None:
        if not await self._targets.want(room.table.name, holder, kind, wanted, room.table.seq):
            raise table_deleted()


def _language(wanted: str) -> str:
    return wanted if wanted in codes() else ENGLISH


def _quiet(wish: QuietRequest | None) -> QuietHours | None:
    if wish is None:
        return None
    zone_of(wish.zone)
    return QuietHours(wish.begin, wish.end, wish.zone)


def _quiet_told(quiet: QuietHours | None) -> dict[str, Any] | None:
    return None if quiet is None else {"begin": quiet.begin, "end": quiet.end, "zone": quiet.zone}


def _not_offered() -> ServerProblem:
    return ServerProblem("no_notices", "this server sends no such notices.")
