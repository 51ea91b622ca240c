"""What can be asked of a house of tables, over HTTP or in a page: make, join, play, leave; hints, replays, analyses.

Whoever asks has a token where they sit, and is a client that limits are for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from typing import Any, Final

import sunglade
from sunglade.analysis import JUDGE
from sunglade.engine import PROTOCOL
from sunglade.table.agreement import RULES_VERSION, uploaded
from sunglade.table.analysis import Analyses
from sunglade.table.animal_outlook import animal_outlook
from sunglade.table.answers import Answer, joined, whole_past, whole_update
from sunglade.table.event_view import Told
from sunglade.table.game_facts import game_facts
from sunglade.table.lobby import Lobby
from sunglade.table.people import People
from sunglade.table.problems import ServerProblem, table_deleted
from sunglade.table.rated import needs_person, told_levels
from sunglade.table.replay import frames, history
from sunglade.table.requests import (
    AnalysisRequest,
    BetterRequest,
    Claim,
    Command,
    CreateTable,
    HintRequest,
    Invited,
    Join,
    Mine,
    PuzzleAnswer,
    Say,
    Upload,
    WhatIf,
    WhatIfAfter,
    WhatIfAnimal,
    WhatIfWhy,
)
from sunglade.table.room import Room
from sunglade.table.saying import Saying, clean_text
from sunglade.table.seating import setup_for, setup_of_upload
from sunglade.table.spending import Spending
from sunglade.table.table import Event, Intent, Table
from sunglade.table.table_log import Holder, SeatCode, SpentCode, new_holder_row
from sunglade.table.table_registry import TableRegistry
from sunglade.table.teacher import NODES, Teacher
from sunglade.table.thinking import SEARCHERS, Asker, Thinkers
from sunglade.table.tokens import hashed, new_holder, new_token
from sunglade.table.view import rules_view
from sunglade.table.what_if import EVERYBODY, Copy, tried, turn_tried
from sunglade.table.wish import Wish
from sunglade.teaching.review import told as review_told

API: Final = 1
"""Version of this API: raised when something that worked no longer does."""
CODE_GOOD_S: Final = 15 * 60
SEAT_INVITE_GOOD_S: Final = 30 * 24 * 3600
ANYBODY: Final = ""
"""Whose seat a code gives away that is an invitation."""
HINT_S: Final = 60.0
"""Whoever waits longer for a hint is told that there is none."""
ADVISER: Final = JUDGE
"""Who gives hints and looks at whole games: the strongest."""
PLAYED_AT_ONCE: Final = 250
"""Actions of a game that is brought along, that are played on a copy in the time of one command."""
MOST_LINE: Final = 60
MOST_QUESTIONS: Final = 80
MOST_FRAMES: Final = 60
MOST_WAIT_S: Final = 30.0


Aside = Callable[..., Awaitable[Any]]
"""Carries out a function that takes long, so that others do not wait for it where that can be: `asyncio.to_thread`."""


class House:
    """The tables of a server, or of a page, and everything that can be asked of them."""

    def __init__(
        self,
        registry: TableRegistry,
        thinkers: Thinkers,
        analyses: Analyses,
        limits: Spending,
        aside: Aside,
        *,
        talk: bool,
        lobby: Lobby | None = None,
        ratings: bool = False,
        ranking: bool = False,
    ) -> None:
        """`talk` is whether people can say something to each other, `lobby` where tables are listed, if anywhere.

        `ratings` is whether games can be rated, `ranking` whether everybody is told who is how strong.
        """
        self.registry = registry
        self.limits = limits
        self.stopping = asyncio.Event()
        """Set when the house closes: nobody waits any longer."""
        self.people = People(registry, limits)
        self._log = registry.database
        self._thinkers = thinkers
        self._analyses = analyses
        self._teacher = Teacher(thinkers)
        self._aside = aside
        self._talk = talk
        self._lobby = lobby
        self._ratings = ratings
        self._ranking = ranking

    def _told(self, content: Any) -> bytes:
        return self.registry.write(content)

    # Who asks

    async def authorised(self, room: Room, token: str | None, client: str) -> str:
        """Who a token belongs to. Wrong ones are counted, and soon told to wait; right ones never."""
        if token is None:
            raise ServerProblem("wrong_token", "this needs the token of a seat: Authorization: Bearer TOKEN.")
        try:
            return await self.registry.holder(room, token)
        except ServerProblem:
            self.limits.spend("wrong", client)
            raise

    async def looked_at(self, table: str, token: str | None, client: str) -> Room:
        """A table's room for somebody with a token, or for a spectator where those are welcome."""
        room = await self.registry.room(table)
        if token is not None or not room.table.setup.spectators:
            room.notice(await self.authorised(room, token, client), client)
        return room

    async def seated(self, table: str, token: str | None, client: str) -> tuple[Room, str]:
        """The table, and who asks; refused is whoever does not sit there."""
        room = await self.registry.room(table)
        return room, await self._seated_holder(room, token, client)

    async def _seated_holder(self, room: Room, token: str | None, client: str) -> str:
        holder = await self.authorised(room, token, client)
        if not room.table.seats_of(holder):
            await self.registry.look_closer(room)
        if not room.table.seats_of(holder):
            raise ServerProblem("wrong_token", "this token holds no seat at this table.")
        return holder

    # Tables

    def meta(self) -> dict[str, Any]:
        """What is offered here."""
        levels = [{"level": level, "searches": level in SEARCHERS} for level in self.registry.levels]
        offered = {"talk": self._talk, "lobby": self._lobby is not None, "ratings": self._ratings}
        rated = {"rated_levels": told_levels(), "ranking": self._ranking}
        return {**_unchanging(), "bots": levels, **offered, **rated}

    async def create(self, request: CreateTable, client: str, key: str | None = None) -> bytes:
        """Make a table and sit down at it, as the person whose key it is."""
        self.limits.spend("create", client)
        person = await self.people.seated_as(key, client)
        if request.clock is not None and self.registry.clock is None:
            raise ServerProblem("no_clock", "tables on a device have no clocks.")
        if request.rated:
            self._check_rated(person)
        if request.listed:
            self._lobby_here()
            self.limits.spend("list", client)
        holder, token, invite = new_holder(), new_token(), new_token()
        setup = await self._aside(setup_for, request, holder, self.registry.levels)
        setup = replace(setup, talk=setup.talk and self._talk)
        room = await self.registry.create(
            setup, [lambda name: new_holder_row(name, holder, token, person)], invite=hashed(invite)
        )
        seated = self._seated(room, holder, client, token, invite=invite)
        if self._lobby is not None and request.listed:
            self._lobby.welcome(room)
        return seated

    def _check_rated(self, person: str | None) -> None:
        """Rated games are for people who are known, where there are any."""
        if not self._ratings:
            raise ServerProblem("no_ratings", "games are not rated here.")
        if person is None:
            raise needs_person()

    def _seated(self, room: Room, holder: str, client: str, token: str | None, **more: Any) -> bytes:
        """A place at a table; without a token where the client has one already."""
        room.notice(holder, client)
        fields = {"table": room.table.name, "token": token, "seats": room.table.seats_of(holder), **more}
        return joined(self.registry.write, fields, view=room.view())

    async def look(self, table: str, token: str | None, client: str, since: int, wait: float) -> Answer:
        """How a table stands and what happened since; with `wait` the answer comes when something does."""
        room = await self.looked_at(table, token, client)
        await self.registry.keep_up(room, since)
        if wait and not self.stopping.is_set():
            waiting = asyncio.create_task(room.wait_for_news(since, wait))
            stopping = asyncio.create_task(self.stopping.wait())
            await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
            for task in (waiting, stopping):
                task.cancel()
            room.check_open()
        return await whole_update(self.registry.archive, room, since)

    async def events(self, table: str, token: str | None, client: str, since: int) -> Answer:
        """What happened, from any point on."""
        return await whole_past(self.registry.archive, await self.looked_at(table, token, client), since)

    async def command(self, table: str, request: Command, token: str | None, client: str) -> Answer:
        """Carry out a command. When the answer comes, it is kept for good."""
        room = await self.registry.room(table)
        holder = await self.authorised(room, token, client)
        self.limits.spend("command", holder)
        room.notice(holder, client)
        before = request.expected if request.expected is not None else room.table.seq
        seq = await self.registry.act(room, holder, request)
        return await whole_update(self.registry.archive, room, min(before, seq - 1), acknowledged=seq)

    # Seats

    async def join(self, table: str, request: Join, token: str | None, client: str, key: str | None = None) -> bytes:
        """Sit down on an open seat. A client that sits here already keeps its token."""
        room, wish = await self._wished(table, request.id, token, client, key)
        event = await self.registry.fulfilled(room, wish)
        if event is None and room.table.setup.rated:
            await self._check_alone(room, wish)
        if event is None and request.invite is None:
            event = await self._come(room, wish, request, client)
        elif event is None:
            seat, also = await self._invited_to(table, request.invite or "", request.seat, client)
            event = await self.registry.fulfil(
                room, wish, lambda now: now.decide_seating(request.name, seat, wish.holder), also
            )
        if event.kind not in ("sat", "sat_again"):
            raise _reused()
        return self._seated(room, wish.holder, client, wish.token or token)

    async def _check_alone(self, room: Room, wish: Wish) -> None:
        """In a rated game everybody is known, and has one seat."""
        self._check_rated(wish.person)
        own = [holder.id for holder in await self._log.holders([room.table.name]) if holder.person == wish.person]
        if any(room.table.seats_of(holder) for holder in own if holder != wish.holder):
            raise ServerProblem("seat_taken", "in a rated game everybody has one seat.")

    async def _come(self, room: Room, wish: Wish, request: Join, client: str) -> Event:
        """Sit down where anybody may. Who tries it elsewhere is counted as one who guesses."""
        try:
            if self._lobby is None:
                raise ServerProblem("wrong_invite", "this table needs an invitation.")
            return await self.registry.fulfil(
                room, wish, lambda now: now.decide_coming(request.name, request.seat, wish.holder)
            )
        except ServerProblem as problem:
            if problem.kind == "wrong_invite":
                self.limits.spend("wrong", client)
            raise

    async def _good_invitation(self, table: str, invite: str, client: str) -> SeatCode | None:
        """The one seat an invitation is for; None for that of the table. Wrong ones are counted."""
        if await self._log.invitation(table) == hashed(invite):
            return None
        code = await self._log.code(table, hashed(invite))
        if code is None or code.holder != ANYBODY or code.expires < time.time():
            self.limits.spend("wrong", client)
            raise ServerProblem("wrong_invite", "this invitation is not good at this table.")
        return code

    async def invitation(self, table: str, request: Invited, client: str) -> bytes:
        """What somebody who is invited sees, spectators welcome or not: the table, and who invites."""
        self.limits.spend("heavy", client)
        room = await self.registry.room(table)
        await self._good_invitation(table, request.invite, client)
        await self.registry.look_closer(room)
        return joined(self.registry.write, {"by": room.table.owner_seat}, view=room.view())

    async def _invited_to(
        self, table: str, invite: str, seat: int | None, client: str
    ) -> tuple[int | None, list[SpentCode]]:
        """Which seat an invitation is good for: that of the table for any, that of a seat for it alone, once."""
        code = await self._good_invitation(table, invite, client)
        if code is None:
            return seat, []
        if seat not in (None, code.seat):
            raise ServerProblem("wrong_invite", f"this invitation is for seat {code.seat}.")
        return code.seat, [SpentCode(code.code)]

    async def _wished(
        self, table: str, command: str | None, token: str | None, client: str, key: str | None
    ) -> tuple[Room, Wish]:
        """A seat is asked for, by somebody new or by one who sits here already."""
        self.limits.spend("join", client)
        room = await self.registry.room(table)
        holder = None if token is None else await self.authorised(room, token, client)
        person = await self.people.seated_as(key, client)
        if token is not None and person is not None:
            await self._log.link([hashed(token)], person)
        return room, Wish.of(table, command, holder, person)

    async def invite(self, table: str, token: str | None, client: str) -> bytes:
        """A new invitation, for whoever sits here; older ones no longer work."""
        room = await self.registry.room(table)
        await self._seated_holder(room, token, client)
        code = new_token()
        if not await self._log.invite(table, hashed(code)):
            raise table_deleted()
        return self._told({"invite": code})

    async def invite_to_seat(self, table: str, seat: int, token: str | None, client: str) -> bytes:
        """An invitation to an open seat, good for it alone, once; by the owner. An older one no longer works."""
        room = await self.registry.room(table)
        holder = await self._seated_holder(room, token, client)
        await self.registry.look_closer(room)
        if holder != room.table.owner:
            raise ServerProblem("not_owner", "only the owner of the table can do this.")
        if seat >= len(room.table.chairs):
            raise ServerProblem("unknown_seat", f"this table has seats 0 to {len(room.table.chairs) - 1}.")
        if room.table.chairs[seat].kind != "open":
            raise ServerProblem("seat_taken", f"seat {seat} is not open.")
        code, expires = new_token(), time.time() + SEAT_INVITE_GOOD_S
        if not await self._log.keep_code(SeatCode(hashed(code), table, seat, ANYBODY, expires)):
            raise table_deleted()
        return self._told({"invite": code, "expires": expires})

    async def nudge(self, table: str, token: str | None, client: str) -> bytes:
        """Let the person to act know that another one waits. Nobody keeps it."""
        room = await self.registry.room(table)
        holder = await self._seated_holder(room, token, client)
        room.notice(holder, client)
        now, mine = room.table, room.table.seats_of(holder)
        to = now.game.player
        if to is None or now.status != "playing" or to in mine or now.chairs[to].playing != "person":
            raise ServerProblem("not_your_turn", "no other person is to act.")
        await self.registry.nudge(room, mine[0], to)
        return self._told({"seat": to})

    async def move_seat(self, table: str, seat: int, token: str | None, client: str) -> bytes:
        """A code by which another device takes this seat, or one that was left. Good once, for a quarter of an hour."""
        room = await self.registry.room(table)
        holder = await self.authorised(room, token, client)
        if not _may_move(room.table, seat, holder):
            await self.registry.look_closer(room)
        if not _may_move(room.table, seat, holder):
            raise ServerProblem("wrong_token", f"this token does not hold seat {seat}.")
        code, expires = new_token(), time.time() + CODE_GOOD_S
        if not await self._log.keep_code(SeatCode(hashed(code), table, seat, holder, expires)):
            raise table_deleted()
        return self._told({"code": code, "expires": expires})

    async def claim(self, table: str, request: Claim, token: str | None, client: str, key: str | None = None) -> bytes:
        """Take a seat over from another device, which loses it."""
        room, wish = await self._wished(table, request.id, token, client, key)
        code = await self._log.code(table, hashed(request.code))
        event = await self.registry.fulfilled(room, wish)
        if event is None:
            if code is None or code.expires < time.time():
                self.limits.spend("wrong", client)
                raise ServerProblem("wrong_invite", "this code is not good, or no longer.")

            def moved(now: Table) -> Intent:
                if not _may_move(now, code.seat, code.holder):
                    raise ServerProblem("wrong_invite", "this code is not good any more.")
                if now.chairs[code.seat].former == code.holder:
                    return now.decide_return(code.seat, code.holder, wish.holder)
                return Intent("moved", code.seat, {"holder": wish.holder})

            event = await self.registry.fulfil(room, wish, moved, [SpentCode(code.code)])
        if event.kind not in ("moved", "sat_again") or (code is not None and event.seat != code.seat):
            raise _reused()
        return self._seated(room, wish.holder, client, wish.token or token)

    # Talk

    def has_talk(self, room: Room) -> bool:
        """Whether people can say something to each other at a table."""
        return self._talk and room.table.setup.talk

    def check_talk(self, room: Room) -> None:
        """Refuse what is about talk where there is none."""
        if not self._talk:
            raise ServerProblem("no_talk", "nobody can say anything here.")
        if not room.table.setup.talk:
            raise ServerProblem("no_talk", "this table plays without talk.")

    async def talk(self, table: str, token: str | None, client: str, since: int) -> bytes:
        """What was said after a number, for everybody who may look."""
        self.limits.spend("heavy", client)
        room = await self.looked_at(table, token, client)
        self.check_talk(room)
        await self.registry.talks.keep_up(room, since)
        _, said = room.talk.since(since)
        return joined(self.registry.write, {}, said=said)

    async def say(self, table: str, request: Say, token: str | None, client: str) -> bytes:
        """Say something. When the answer comes, it is kept."""
        room = await self.registry.room(table)
        holder = await self._seated_holder(room, token, client)
        room.notice(holder, client)
        return self._told({"number": await self.said(room, holder, request)})

    async def said(self, room: Room, holder: str, request: Say) -> int:
        """The number of what somebody who sits here says, once it is kept."""
        self.check_talk(room)
        self.limits.spend("say", holder)
        if (request.reaction is None) == (request.text is None):
            raise ServerProblem("bad_request", "either a reaction or a text can be said.")
        if not room.table.seats_of(holder):
            await self.registry.look_closer(room)
        seat = room.table.speaking_seat(holder, request.seat)
        text = None if request.text is None else clean_text(request.text)
        name = room.table.called(seat)
        saying = Saying(time.time(), seat, name, holder, request.id, request.reaction, text)
        return await self.registry.talks.say(room, saying)

    # The lobby

    async def lobby(self, client: str) -> bytes:
        """Who seeks whom for what, and which games may be watched."""
        return await self.open_lobby(client).view()

    def open_lobby(self, client: str) -> Lobby:
        """The lobby, for a client that has not looked into it too often."""
        found = self._lobby_here()
        self.limits.spend("lobby", client)
        return found

    def _lobby_here(self) -> Lobby:
        if self._lobby is None:
            raise ServerProblem("no_lobby", "there is no lobby here.")
        return self._lobby

    # Rematch and lists

    async def rematch(self, table: str, token: str | None, client: str, key: str | None = None) -> bytes:
        """The next game with the same people, seats moved on by one; everybody gets a token for the new table."""
        self.limits.spend("create", client)
        room = await self.registry.room(table)
        person = await self.people.seated_as(key, client)
        holder = await self._seated_holder(room, token, client)
        if not room.table.over:
            await self.registry.look_closer(room)
        if not room.table.over:
            raise ServerProblem("game_running", "a rematch is for when the game is over.")
        if room.table.setup.rated:
            self._check_rated(person)
        data = await self.registry.rematch(room)
        given, who = new_token(), data["holders"].get(holder)
        new_room = await self.registry.room(data["table"])
        if who is None:
            raise ServerProblem(
                "wrong_token", "this token held no seat when the rematch was made; ask for an invitation."
            )
        await self._log.add_holder(new_holder_row(data["table"], who, given, person))
        new_room.holders[hashed(given)] = who
        return self._seated(new_room, who, client, given)

    async def mine(self, request: Mine, client: str) -> bytes:
        """The tables of the tokens a client has kept."""
        self.limits.spend("heavy", client)
        return self._told({"tables": [await self.summary(holder) for holder in await self.holders(request.tokens)]})

    async def holders(self, tokens: list[str]) -> list[Holder | None]:
        """Whose tokens these are, in their order; None for one that is not good."""
        digests = [hashed(token) for token in tokens]
        known = {holder.token: holder for holder in await self._log.known(digests)}
        return [known.get(digest) for digest in digests]

    async def summary(self, holder: Holder | None) -> dict[str, Any]:
        """A table of somebody's."""
        if holder is None:
            return {"table": None}
        try:
            room = await self.registry.room(holder.table_id)
        except ServerProblem:
            return {"table": None}
        own = {"mine": room.table.seats_of(holder.id), "left": room.table.left_by(holder.id)}
        seats = {"seats": room.seats_view(), **own, "time_left": room.time_left()}
        return {"table": room.table.summary() | seats}

    # Questions about a game

    async def why(self, table: str, token: str | None, client: str, action: list[str]) -> bytes:
        """Why actions are not legal now, for the seat to act."""
        if any(len(line) > MOST_LINE for line in action):
            raise ServerProblem("bad_request", f"an action has at most {MOST_LINE} letters.")
        room = await self.looked_at(table, token, client)
        return self._told({"seq": room.table.seq, "answers": [room.table.why(line) for line in action]})

    async def animal(self, table: str, seat: int, token: str | None, client: str) -> bytes:
        """What the animal of a seat can do now or in its next turn, and why not the rest."""
        now = (await self.looked_at(table, token, client)).table
        told = await self._aside(animal_outlook, now.game.fork(), seat)
        return self._told({"seq": now.seq, **told})

    async def after(self, table: str, token: str | None, client: str, action: str) -> bytes:
        """The board after an action of the seat to act, to be looked at before it is done."""
        room = await self.looked_at(table, token, client)
        return self._told({"seq": room.table.seq, "action": action, "board": room.table.after(action)})

    async def hint(self, table: str, request: HintRequest, token: str | None, client: str) -> bytes:
        """What a bot would do for the seat to act. Only for who holds it, where the table allows help."""
        now = await self._helped(table, token, client)
        return await self._advice(now, Asker(now.name, lambda: [client]), ms=request.ms)

    async def _helped(self, table: str, token: str | None, client: str) -> Table:
        """A table that allows help, for whoever holds the seat to act."""
        room = await self.registry.room(table)
        holder = await self.authorised(room, token, client)
        now = room.table
        if not now.setup.assistance:
            raise ServerProblem("no_assistance", "this table plays without assistance.")
        if now.over:
            raise ServerProblem("game_over", "the game is over.")
        if now.game.player not in now.seats_of(holder):
            raise ServerProblem("not_your_turn", "help is for the player to act.")
        self.limits.spend("think", client)
        return now

    async def judge_turn(self, table: str, token: str | None, client: str) -> bytes:
        """What it costs to end the turn now, as strictly as the table was made; for who plays it."""
        now = await self._helped(table, token, client)
        if "end" not in now.game.legal:
            raise ServerProblem("illegal_action", "there is no turn to end.", reason="phase", details={})
        asker = Asker(now.name, lambda: [client])
        try:
            async with asyncio.timeout(HINT_S):
                told = await self._teacher.turn_so_far(now.game.fork(), now.setup.teaching, asker)
        except TimeoutError:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None
        return self._told({"seq": now.seq, **told})

    async def _advice(self, table: Table, asker: Asker, ms: int | None = None, nodes: int | None = None) -> bytes:
        """What a bot would do at a table, knowing what a player may know (schema.Hint)."""
        game = table.game.redacted_data.to_dict()
        try:
            async with asyncio.timeout(HINT_S):
                answer = await self._thinkers.think(
                    game, ADVISER, seed=table.seq, asker=asker, ms=ms, nodes=nodes, reasons=True
                )
        except TimeoutError:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None
        told = {name: answer.get(name) for name in ("action", "value", "lines")}
        return self._told({"seq": table.seq, "bot": ADVISER, **told, "reasons": answer.get("reasons", [])})

    # What if

    async def _tried(self, request: WhatIf, client: str) -> tuple[Copy, list[Told]]:
        """A copy of a game after a line, and what happened on it."""
        self._spend_on_copy(request, client)
        found: tuple[Copy, list[Told]] = await self._aside(tried, request)
        return found

    def _spend_on_copy(self, request: WhatIf, client: str) -> None:
        played = request.game.get("actions")
        self.limits.spend("command", client, 1.0 + (len(played) if isinstance(played, list) else 0) / PLAYED_AT_ONCE)

    async def what_if(self, request: WhatIf, client: str) -> bytes:
        """A copy of a game after what was tried on it, as a table is told."""
        copy, told = await self._tried(request, client)
        room = Room(copy, {}, [], self.registry.write)
        room.notice(EVERYBODY, client)
        return joined(self.registry.write, {"seq": copy.seq, "events": told}, view=room.view())

    async def what_if_why(self, request: WhatIfWhy, client: str) -> bytes:
        """Why actions cannot be tried next."""
        copy, _ = await self._tried(request, client)
        return self._told({"seq": copy.seq, "answers": [copy.why(line) for line in request.asked]})

    async def what_if_after(self, request: WhatIfAfter, client: str) -> bytes:
        """The board after an action, to be looked at before it is tried."""
        copy, _ = await self._tried(request, client)
        return self._told({"seq": copy.seq, "action": request.action, "board": copy.after(request.action)})

    async def what_if_hint(self, request: WhatIf, client: str) -> bytes:
        """What the judge thinks of a copy, and what it would do there. Games that are played come first."""
        copy, _ = await self._tried(request, client)
        if copy.game.over:
            raise ServerProblem("game_over", "the game is over.")
        self.limits.spend("think", client)
        return await self._advice(copy, Asker(f"what if {client}", lambda: [client], background=True), nodes=NODES)

    async def what_if_animal(self, request: WhatIfAnimal, client: str) -> bytes:
        """What the animal of a seat can do on a copy."""
        copy, _ = await self._tried(request, client)
        return self._told({"seq": copy.seq, **animal_outlook(copy.game, request.seat)})

    async def what_if_turn(self, request: WhatIf, client: str) -> bytes:
        """A turn that is tried on a copy, judged as the review does, and the best one beside it."""
        self._spend_on_copy(request, client)
        copy, lines = await self._aside(turn_tried, request)
        start = await self._aside(uploaded, request.game)
        self.limits.spend("think", client)
        asker = Asker(f"what if {client}", lambda: [client], background=True)
        try:
            async with asyncio.timeout(HINT_S):
                told = await self._teacher.turn_tried(start, copy.game, lines, asker)
        except TimeoutError:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None
        return self._told({"seq": copy.seq, **told})

    def puzzles(self, day: str) -> bytes:
        """All puzzles, and the one of a day."""
        return self._told(self._teacher.puzzles(day))

    def puzzle(self, number: int) -> bytes:
        """A puzzle without its answer."""
        return self._told(self._teacher.puzzle(number))

    async def judge_puzzle(self, number: int, request: PuzzleAnswer, client: str) -> bytes:
        """Whether a turn is the best of a puzzle, or as good."""
        self.limits.spend("think", client)
        try:
            async with asyncio.timeout(HINT_S):
                return self._told(await self._teacher.judge(number, request.actions, client))
        except TimeoutError:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None

    async def download(self, table: str, token: str | None, client: str) -> bytes:
        """The game as a file (docs/protocol.md): redacted while it runs, whole when it is over."""
        return self._told((await self.looked_at(table, token, client)).table.shown())

    async def upload(self, request: Upload, client: str) -> bytes:
        """Keep a game to be replayed and analysed. To go on with it, make a table with it."""
        self.limits.spend("heavy", client)
        self.limits.spend("create", client)
        setup = await self._aside(setup_of_upload, request.game)
        room = await self.registry.create(setup, uploaded=True)
        return self._told({"table": room.table.name, "frames": len(setup.actions) + 1})

    async def replay(self, table: str, token: str | None, client: str, first: int, count: int) -> bytes:
        """Positions of a game one after the other, with what led to each."""
        self.limits.spend("heavy", client)
        room = await self.looked_at(table, token, client)
        now = room.table
        total = len(now.game.actions) + 1
        found = await self._aside(frames, now.game.fork(), first, count)
        result = now.result(await self._aside(history, now.game.fork())) if now.over else None
        following = first + len(found)
        return self._told(
            {
                "table": now.name,
                "players": now.game.players,
                "rules": rules_view(now.game.rules, now.game.players),
                "seats": room.seats_view(),
                "total": total,
                "first": first,
                "next": following if found and following < total else None,
                "frames": found,
                "result": result,
            }
        )

    async def analyse(self, table: str, request: AnalysisRequest, token: str | None, client: str) -> bytes:
        """Let a bot look at every position of a game that nobody plays any more; ask again how far it has come."""
        room = await self.looked_at(table, token, client)
        if not _is_finished(room):
            await self.registry.look_closer(room)
        if not _is_finished(room):
            raise ServerProblem("game_running", "a game can be analysed when it is over.")
        self.limits.spend("think", client)
        bot = request.bot or ADVISER
        if bot not in self.registry.levels:
            raise ServerProblem("bad_request", f"there is no bot {bot!r}.")
        return self._told(self._analyses.start(room, bot, request.nodes))

    async def analysis(self, table: str, token: str | None, client: str) -> bytes:
        """How far the analysis has come."""
        room = await self.looked_at(table, token, client)
        return self._told(self._analyses.find(room.table.name))

    async def review(self, table: str, token: str | None, client: str) -> bytes:
        """The turns of an analysed game, judged as far as the analysis has come."""
        self.limits.spend("heavy", client)
        room = await self.looked_at(table, token, client)
        game = room.table.game.fork()
        found = self._analyses.found(room.table.name, len(game.actions) + 1)
        return self._told(await self._aside(review_told, game, *found))

    async def better(self, table: str, request: BetterRequest, token: str | None, client: str) -> bytes:
        """What a bot would have done in a turn of a game that nobody plays any more, and why that is better."""
        room = await self.looked_at(table, token, client)
        if not _is_finished(room):
            raise ServerProblem("game_running", "a game can be reviewed when it is over.")
        self.limits.spend("think", client)
        try:
            async with asyncio.timeout(HINT_S):
                return self._told(await self._teacher.better(room.table.game, request.first, room.table.name, client))
        except TimeoutError:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None


@cache
def _unchanging() -> dict[str, Any]:
    versions = {"version": sunglade.__version__, "api": API, "protocol": PROTOCOL, "rules_version": RULES_VERSION}
    return versions | game_facts()


def _reused() -> ServerProblem:
    return ServerProblem("command_id_reused", "this id was for another seat; choose a new one.")


def _may_move(table: Table, seat: int, holder: str) -> bool:
    """Whether a client may take a seat to another device: its own, or one it has left that is free."""
    return seat in table.seats_of(holder) or seat in table.left_by(holder)


def _is_finished(room: Room) -> bool:
    """Whether nobody plays on, as with a finished game and an uploaded one."""
    return room.table.over or all(chair.playing == "nobody" for chair in room.table.chairs)
