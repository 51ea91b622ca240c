"""Simulated clients: people of several habits, spectators, attackers. All of them check what they are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from simulation.judge import PSST, Violation
from simulation.network import Cut, Place, Socket
from sunglade.table.wish import Wish

if TYPE_CHECKING:
    from simulation.world import World

PACES_S: Final = (0.05, 0.3, 1.0, 3.0)
"""Seconds a person thinks about an action, more or less."""
ANSWER_S: Final = 15.0
"""After so long without an answer a client connects anew and sends the same again."""
CALM_ANSWER_S: Final = 12.0
"""When nothing goes wrong any more, an answer takes no longer."""
AGAIN_S: Final = (0.1, 1.0, 3.0)
HINT_S: Final = 25.0
"""So much longer a hint may take, since others wait for deep thoughts, too."""
REST_S: Final = 3600.0
"""So long a person who rests does nothing at all."""
MOST_ABANDONED: Final = 20
"""Tables at which attackers let bots play against each other."""
ANALYSIS_S: Final = 60.0
"""So long one position of an analysis may take when nothing goes wrong: people's bots come first."""
ANALYSED_ACTIONS: Final = 60
"""Longer games are not analysed here: every position is a question."""


class Client:
    """Somebody at an address, with habits of its own."""

    kind = "client"

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.name = f"{self.kind} {number}"
        self.address = f"10.0.{number // 200}.{number % 200 + 1}"
        self.chance = random.Random(f"{self.name} {world.seed}")
        self.nerve = random.Random(f"{self.name} among strangers {world.seed}")
        self.key: str | None = None
        """By which it is known as somebody, where it is."""

    async def run(self) -> None:
        """What it does, for as long as it likes."""
        raise NotImplementedError

    def identity(self) -> str:
        """An id that nobody else has."""
        return f"{self.chance.getrandbits(128):032x}"

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self.chance.uniform(0.5, 1.5))

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """A request to some process; `Cut` where there is no answer."""
        place = self.world.some_process(self.chance)
        began = self.world.loop.now
        status, told = await self.world.network.ask(place, self.address, method, path, body, token, self.key)
        if status == 401 and told["error"]["kind"] == "wrong_person":
            self.key = None  # nobody has come for so long that it was forgotten
        self.world.judge.note(self.name, method, path, status)
        self.world.judge.words_to(self.name, json.dumps(told))
        if self.world.is_calm(began):
            longer = 30.0 if "wait=" in path else HINT_S if path.endswith(("/hint", "/turn")) else 0.0
            self.world.took(f"an answer to {method} {path}", self.world.loop.now - began - longer, CALM_ANSWER_S)
        if status >= 500 and status != 503:
            raise Violation(f"{self.name} got {status} for {method} {path}: {told}")
        return status, told

    async def insist(self, method: str, path: str, body: Any, token: str | None = None) -> tuple[int, Any]:
        """The same request until there is an answer to it."""
        while True:
            try:
                status, told = await self.ask(method, path, body, token)
                if status not in (429, 503) and not (status == 409 and told["error"]["kind"] == "busy"):
                    return status, told
            except Cut:
                pass
            await self.pause(self.chance.choice(AGAIN_S))


@dataclass(frozen=True)
class Invitation:
    """What somebody who makes a table gives to others."""

    table: str
    secret: str
    old: str | None
    """An earlier one, which is no longer good."""
    seat: int | None = None
    """Where it is for one seat alone."""


class Person(Client):
    """Sits down at a table and plays it to the end, over whatever connections there are."""

    kind = "person"
    http_share = 0.2
    forgets = 0.0
    """How often it gives up what was not answered, and does not come back before all is well."""
    knows_offers = True
    """Whether its version can end games together with others, or take back."""

    knows_talk = True
    """Whether its version can say something and hear what others say."""

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        self.pace = self.chance.choice(PACES_S)
        self.table = ""
        self.token = ""
        self.holder = ""
        self.seats: list[int] = []
        self.known = 0
        self.view: dict[str, Any] | None = None
        self.pending: dict[str, Any] | None = None
        self.since = 0.0
        self.by_http = self.chance.random() < self.http_share
        self.left = False
        self.socket: Socket | None = None
        self.attentive_since: float | None = None
        """Since when it has been listening to whatever it is told."""
        self.nap: asyncio.Timeout | None = None
        self.wake_at = 0.0
        self.rematches_left = 1
        self.mouth = random.Random(f"{self.name} speaks {world.seed}")
        self.guest_list = random.Random(f"{self.name} invites {world.seed}")
        self.heard = 0
        self.saying: dict[str, Any] | None = None
        """What it says and was not answered yet."""

    async def run(self) -> None:
        await self.pause(self.chance.choice((0.0, 0.5, 5.0)))
        while not await self.sit_down():
            await self.pause(2.0)
        await self.play()
        while self.left and not self.world.over and self.chance.random() < 0.6:
            await self.pause(self.chance.choice((0.1, 5.0, 60.0)))
            await self.world.rested()
            if not await self._sit_again():
                return
            await self.play()

    async def _sit_again(self) -> bool:
        """Take the seat again that was left; whether nobody else has it meanwhile."""
        command = self._command("sit_again")
        path = f"/tables/{self.table}/commands"
        status, told = await self.insist("POST", path, command, token=self.token)
        if status != 200:
            self.world.judge.refuse(self.table, self.holder, command, told["error"]["kind"])
            self.world.judge.no_return(self.table, self.holder, told["error"]["kind"])
            return False
        self.world.judge.acknowledge(self.table, self.holder, command, told["acknowledged"])
        self.world.judge.view(told["view"])
        if self.chance.random() < 0.3:  # again, as if the answer had been lost
            status, again = await self.insist("POST", path, command, token=self.token)
            if status == 200:
                self.world.judge.acknowledge(self.table, self.holder, command, again["acknowledged"])
        self.left, self.view = False, told["view"]
        return True

    # Sitting down

    async def sit_down(self) -> bool:
        """Take an open seat somewhere, or make a table."""
        world = self.world
        if world.rated and self.key is None:
            await self.become_somebody()
        if world.invitations and self.chance.random() < 0.8:
            invitation = world.invitations.pop(0)
            if self.chance.random() < 0.2:
                await self._mistype(invitation.table, invitation.old or self.identity()[:22])
            return await self._follow(invitation)
        if world.tables_left <= 0:
            return False
        world.tables_left -= 1
        seats: list[dict[str, Any]] = [{"kind": "me", "name": self.name}]
        seats.append(self.chance.choice(world.opponents))
        body = {"seats": seats, **world.table_options(self.chance)}
        if seats[1]["kind"] == "bot" and self.chance.random() < 0.1:  # nobody else can be waited for, for days
            body["clock"] = {"kind": "days", "turn": 1, "vacation": 3}
        if world.rated and seats[1] != {"kind": "bot", "level": "greedy"}:  # nobody has measured how strong it is
            body |= {"rated": True, "assistance": False}
        if seats[1]["kind"] == "open":  # old versions may sit down and never know
            body["takeover_after"] = body["takeover_after"] or 60
            body["listed"] = world.hall and self.nerve.random() < 0.6
        try:
            status, told = await self.ask("POST", "/tables", body)
        except Cut:
            world.tables_left += 1
            return False
        if status != 201:
            world.tables_left += 1
            return False
        self._seated(told)
        if seats[1]["kind"] == "open":
            await self._invite(told["invite"])
        return True

    async def become_somebody(self) -> None:
        """Rated games are for people who are known. Asked for again, it is the same person."""
        body = {"id": self.identity(), "name": self.name}
        status, told = await self.insist("POST", "/people", body)
        if status == 201:
            self.key = told["key"]
            if self.nerve.random() < 0.5:
                await self._become_it_elsewhere(told["person"])

    async def _become_it_elsewhere(self, person: str) -> None:
        """Go on in another browser, by a code; whose clock is wrong may have let it end."""
        status, told = await self.insist("POST", "/people/me/move", None)
        if status != 200:
            return
        body = {"code": told["code"], "id": self.identity()}
        answers = [await self.insist("POST", "/people/claim", body) for _ in range(2)]
        keys = [told["key"] for status, told in answers if status == 200]
        if len(set(keys)) > 1 or any(told["person"] != person for status, told in answers if status == 200):
            raise Violation(f"{self.name} became somebody else by a code: {answers}")
        self.key = keys[0] if keys else self.key

    async def _invite(self, invite: str) -> None:
        """Somebody may come; now and then by a second invitation, after which the first is no longer good."""
        if self.guest_list.random() < 0.6:
            await self._invite_to_seat(1)
            return
        old = None
        if self.chance.random() < 0.3:
            status, told = await self.insist("POST", f"/tables/{self.table}/invite", None, token=self.token)
            if status != 200:
                return
            old, invite = invite, told["invite"]
        self.world.invitations.append(Invitation(self.table, invite, old))

    async def _invite_to_seat(self, seat: int) -> None:
        """Somebody may come to this seat alone; only the newest invitation to a seat is good."""
        path, old, invite = f"/tables/{self.table}/seats/{seat}/invite", None, None
        for _ in range(self.guest_list.choice((1, 2))):
            status, told = await self.insist("POST", path, None, token=self.token)
            if status != 200:
                return
            old, invite = invite, told["invite"]
        if invite is not None:
            self.world.invitations.append(Invitation(self.table, invite, old, seat))

    async def _follow(self, invitation: Invitation) -> bool:
        """Come by an invitation. One to a seat leads there, and nobody else anywhere."""
        if invitation.seat is None:
            return await self.join(invitation.table, invitation.secret)
        if not await self.join(invitation.table, invitation.secret, as_stranger=False):
            return False
        if not {invitation.seat}.issuperset(self.seats):  # it may have been opened again meanwhile
            raise Violation(f"{self.name} was invited to {invitation}, and sits at {self.seats}")
        self.world.judge.note("invited", invitation.table, invitation.seat)
        await self._mistype(invitation.table, invitation.secret)
        return True

    async def _mistype(self, table: str, wrong: str) -> None:
        status, told = await self.insist(
            "POST", f"/tables/{table}/join", {"invite": wrong, "name": self.name, "id": self.identity()}
        )
        if status == 200:
            raise Violation(f"{self.name} joined {table} by a wrong invitation: {told}")

    async def join(self, table: str, invite: str, *, as_stranger: bool = True) -> bool:
        body = {"invite": invite, "name": self.name, "id": self.identity()}
        as_stranger = as_stranger and self.world.judge.is_listed(table) and self.nerve.random() < 0.5
        if as_stranger:  # where anybody may come
            del body["invite"]
        wish = Wish.of(table, body["id"], None)
        status, told = await self.insist("POST", f"/tables/{table}/join", body)
        kept = self.world.store.tables.get(table)
        if status == 401 and told["error"]["kind"] in ("wrong_person", "needs_person"):
            await self.become_somebody()
            return await self.join(table, invite, as_stranger=as_stranger)
        if status != 200:
            if kept is not None and wish.key in kept.commands:
                raise Violation(f"{self.name} joined {table}, but was told {told}")
            return as_stranger and await self.join(table, invite, as_stranger=False)
        if told["token"] != wish.token or (kept is not None and wish.key not in kept.commands):
            raise Violation(f"{self.name} got a token for a seat that the log of {table} does not give it")
        if self.chance.random() < 0.2:  # again, as if the answer had been lost
            status, again = await self.insist("POST", f"/tables/{table}/join", body)
            if table in self.world.store.tables and (status != 200 or again["token"] != told["token"]):
                raise Violation(f"{self.name} asked for the same seat again and got {status} {again}")
        self._seated(told)
        return True

    def _seated(self, told: dict[str, Any]) -> None:
        self.table, self.token, self.seats = told["table"], told["token"], told["seats"]
        self.world.judge.view(told["view"])
        self.view, self.known, self.pending = told["view"], 0, None
        self.heard, self.saying = 0, None
        self.holder = self.world.holder_of(self.table, self.token)
        if self not in self.world.seated:
            self.world.seated.append(self)

    # Playing

    @property
    def over(self) -> bool:
        return self.left or self.world.over or self.table in self.world.store.deleted

    async def play(self) -> None:
        while not self.over:
            if self.by_http or self.world.away:
                await self.world.rested()
            try:
                if self.by_http:
                    await self._over_http()
                else:
                    await self._over_socket()
            except Cut:
                await self._lose_heart()
            if self.view is not None and self.view["status"] == "over":
                await self._once_more()
            await self.pause(self.chance.choice(AGAIN_S))

    async def _lose_heart(self) -> None:
        """Nobody knows what became of the last action: some send it again, some do not."""
        pending = self.pending
        if pending is not None and pending["do"] == "play" and self.chance.random() < self.forgets:
            self.pending = None
            await self._come_back_later()

    async def _come_back_later(self) -> None:
        while not self.world.over and not self.world.is_calm(self.world.loop.now):
            await self.pause(5.0)
            await self.world.rested()

    async def _once_more(self) -> None:
        """A game is over. Some want another, and the others follow them."""
        world, view = self.world, self.view
        assert view is not None
        wants = self.chance.random() < 0.15 and view["settings"]["takeover_after"] is not None
        if self.rematches_left and not self.over and (view["rematch"] is not None or wants):
            self.rematches_left -= 1
            status, told = await self.insist("POST", f"/tables/{self.table}/rematch", None, token=self.token)
            if status == 200:
                if told["table"] != world.judge.tables[self.table].rematch:
                    raise Violation(f"{self.name} was told another rematch of {self.table} than its log has: {told}")
                self._seated(told)
        elif self.chance.random() < 0.3:
            await self.pause(20.0)

    async def _over_http(self) -> None:
        """Ask how it stands, act, ask again."""
        status, told = await self.ask("GET", f"/tables/{self.table}?since={self.known}&wait=20", token=self.token)
        if status != 200:
            self._lost(told)
            return
        self._learn(told)
        await self._talk_over_http()
        if self._my_turn():
            await self._maybe_hint()
            await self._maybe_judge()
            await self._maybe_try()
        command = self._next_command()
        if command is None:
            return
        self.pending = command
        while self.pending is not None and not self.over:
            path = f"/tables/{self.table}/commands"
            status, told = await self.insist("POST", path, command, token=self.token)
            if status == 200:
                self._learn(told)
                self._acknowledged(told["acknowledged"])
            else:
                self._refused(told["error"])

    async def _nudge(self) -> None:
        """Let whoever is to act know that somebody waits; twice is too often."""
        path = f"/tables/{self.table}/nudge"
        statuses = [(await self.ask("POST", path, None, token=self.token))[0] for _ in range(2)]
        if statuses == [200, 200] and self.world.judge.alone:
            raise Violation(f"{self.name} nudged twice at once at {self.table}")

    def _next_saying(self) -> dict[str, Any] | None:
        """Something to say, now and then."""
        if not self.knows_talk or self.world.resting or self.mouth.random() >= 0.1:
            return None
        identity = f"{self.mouth.getrandbits(128):032x}"
        return {"id": identity, "text": f"{PSST} {self.mouth.choice(('well', 'played'))} {identity[:4]}"}

    async def _talk_over_http(self) -> None:
        """Say something, and hear what the others say."""
        path = f"/tables/{self.table}/talk"
        self.saying = self.saying or self._next_saying()
        if self.saying is not None:
            status, told = await self.ask("POST", path, self.saying, token=self.token)
            if status == 200:
                self.world.judge.has_said(self.table, self.holder, self.saying["id"], told["number"])
            self._answered(status == 200, told.get("error", {}).get("kind", ""))
            status, told = await self.ask("GET", f"{path}?since={self.heard}", token=self.token)
            if status == 200:
                self.heard = self.world.judge.talk(self.table, self.heard, told["said"])

    def _answered(self, kept: bool, kind: str) -> None:
        """What was said is kept, or refused: some of that is said again."""
        if kept or kind not in ("busy", "too_fast", "shutting_down"):
            self.saying = None

    def _speak(self, socket: Socket) -> None:
        """Say something, or again what was not answered."""
        self.saying = self.saying or self._next_saying()
        if self.saying is not None:
            socket.send(json.dumps({"type": "say", **self.saying}))

    async def _maybe_hint(self) -> None:
        """Ask what a bot would do, where that is allowed, and where it is not."""
        view = self.view
        assert view is not None
        if self.chance.random() >= (0.1 if view["settings"]["assistance"] else 0.005):
            return
        began = self.world.loop.now
        path = f"/tables/{self.table}/hint"
        status, told = await self.ask("POST", path, {"ms": self.chance.choice((50, 1000))}, token=self.token)
        if status == 200 and self.world.is_calm(began):
            self.world.judge.hint(self.table, told)

    async def _maybe_judge(self) -> None:
        """Ask what it costs to end the turn, where there is one."""
        view = self.view
        assert view is not None
        if view["state"]["phase"] == "turn" and self.chance.random() < 0.02:
            status, told = await self.ask("POST", f"/tables/{self.table}/turn", None, token=self.token)
            if status == 200 and not 0 <= told["after"] <= 1:
                raise Violation(f"{self.name} was told a chance that is none: {told}")

    async def _maybe_try(self) -> None:
        """Try a line on a copy of the game, as far as it is known; the table knows nothing of it."""
        view = self.view
        assert view is not None
        if self.chance.random() >= 0.05:
            return
        status, game = await self.ask("GET", f"/tables/{self.table}/game", token=self.token)
        if status != 200:
            return
        line = self.chance.choice([action["line"] for action in view["turn"]["legal"]])
        status, told = await self.ask("POST", "/whatif", {"game": game, "actions": [line]})
        if status == 200:
            self.world.judge.tried(game, line, told)

    def _lost(self, told: dict[str, Any]) -> None:
        """The server does not know us, or the table, at all."""
        kind = told["error"]["kind"]
        if kind in ("busy", "too_fast", "too_many", "shutting_down"):
            return
        if self.table in self.world.store.deleted:
            self.left = True
            return
        raise Violation(f"{self.name} has a seat at {self.table}, but was told {told}")

    async def _over_socket(self) -> None:
        """Connect, and play until the connection ends."""
        world = self.world
        socket = self.socket = await world.network.connect(world.some_process(self.chance), self.address)
        try:
            since = self.known if self.chance.random() < 0.8 else self.chance.choice((0, self.known // 2))
            hello = {"type": "hello", "table": self.table, "token": self.token, "since": since}
            socket.send(json.dumps(hello | ({"heard": self.heard} if self.knows_talk else {})))
            self.known = since
            await self._converse(socket)
        finally:
            self.socket = self.attentive_since = None
            socket.cut()

    async def _converse(self, socket: Socket) -> None:
        began, present = self.world.loop.now, False
        self.wake_at = began + self._patience()
        try:
            if self.pending is not None:
                self._send(socket)
            while not self.over:
                try:
                    async with asyncio.timeout_at(self.wake_at) as self.nap:
                        text = await socket.receive()
                except TimeoutError:
                    if self.pending is not None and self.world.loop.now - self.since > ANSWER_S:
                        return
                    if not await self._act(socket):
                        return
                    self.wake_at = self.world.loop.now + self._patience()
                    continue
                message = json.loads(text)
                self.world.judge.words_to(self.name, text)
                if message["type"] == "goodbye":
                    self._lost({"error": message["error"]})
                    await self.pause(min(message.get("retry_after", 1.0), 5.0))
                    return
                if message["type"] == "welcome" and not present:
                    present = True
                    self.attentive_since = self.world.loop.now
                    self.world.judge.present[self.table] = self.world.judge.present.get(self.table, 0) + 1
                    self.world.welcomed(self, self.world.loop.now - began)
                self._hear(message)
                if message["type"] not in ("presence", "pong"):
                    self.wake_at = self.world.loop.now + self._patience()
        finally:
            self.nap = None
            if present:
                self.world.judge.present[self.table] -= 1

    def wake(self) -> None:
        """The hours of rest are over."""
        self.wake_at = self.world.loop.now + self._patience()
        if self.nap is not None:
            with contextlib.suppress(RuntimeError):  # it does something else at the moment
                self.nap.reschedule(self.wake_at)

    def _patience(self) -> float:
        if self.pending is not None:
            return ANSWER_S
        if self.world.resting:
            return REST_S
        return self.pace * self.chance.uniform(0.2, 2.0) if self._my_turn() else self.chance.choice((5.0, 60.0))

    async def _act(self, socket: Socket) -> bool:
        """Do something, now that it is our turn, or do nothing; whether the connection is still wanted."""
        if self.pending is None and self._my_turn() and not self.world.resting:
            self.attentive_since = None  # it waits for the hint, and for nothing else
            await self._maybe_hint()
            await self._maybe_judge()
            await self._maybe_try()
            self.attentive_since = self.world.loop.now
        self._speak(socket)
        if self.pending is None and (command := self._next_command()) is not None:
            self.pending = command
            return self._send(socket)
        if self.chance.random() < 0.1:
            return False
        if self.chance.random() < 0.05:
            await self._nudge()
        socket.send('{"type": "ping"}')
        return True

    def _send(self, socket: Socket) -> bool:
        self.since = self.world.loop.now
        last = self.world.faults.strike("last_word")
        socket.send(json.dumps({"type": "command", **(self.pending or {})}), and_close=last)
        return not last

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "update"):
            if kind == "welcome":
                self.seats = message["seats"]
            self._learn(message)
        elif kind == "ack" and self.pending is not None and message["id"] == self.pending["id"]:
            self._acknowledged(message["acknowledged"])
        elif kind == "refused" and self.pending is not None and message["id"] == self.pending["id"]:
            self._refused(message["error"])
        elif kind == "talk":
            self.heard = self.world.judge.talk(self.table, self.heard, message["said"])
        elif kind == "said":
            self.world.judge.has_said(self.table, self.holder, message["id"], message["number"])
            self._answered(True, "")
        elif kind == "refused" and self.saying is not None and message["id"] == self.saying["id"]:
            self._answered(False, message["error"]["kind"])

    def _learn(self, update: dict[str, Any]) -> None:
        world = self.world
        if not self.by_http:
            world.judge.update(self.known, update)
            self.known = update["seq"]
        else:
            world.judge.view(update["view"])
            self.known = max(self.known, update["view"]["seq"])
        if self.view is None or update["view"]["seq"] >= self.view["seq"]:
            self.view = update["view"]
        world.judge.note(self.name, "knows", self.known)

    def _acknowledged(self, seq: int) -> None:
        command, self.pending = self.pending, None
        assert command is not None
        self.world.judge.acknowledge(self.table, self.holder, command, seq)
        if command["do"] == "leave":
            self.left = True
            kept = self.world.store.tables.get(self.table)
            if kept is not None:
                self.world.departed.add(self.table)

    def _refused(self, error: dict[str, Any]) -> None:
        assert self.pending is not None
        self.world.judge.refuse(self.table, self.holder, self.pending, error["kind"])
        if error["kind"] == "wrong_token":  # the owner opened the seat
            self.left = True
        if error["kind"] not in ("busy", "too_fast", "shutting_down"):
            self.pending = None
        elif error["kind"] == "busy" and self.forgets and self.socket is not None:
            self.socket.cut()

    def _my_turn(self) -> bool:
        view = self.view
        if view is None or view["status"] != "playing" or view["turn"]["seat"] not in self.seats:
            return False
        seat = view["seats"][view["turn"]["seat"]]
        return not seat["resigned"] and not seat["this_turn"]

    def _next_command(self) -> dict[str, Any] | None:
        """What to do next, if anything."""
        view = self.view
        if view is None or view["status"] == "over" or self.world.resting:
            return None
        mine = [seat for seat in view["seats"] if seat["seat"] in self.seats and not seat["resigned"]]
        roll = self.chance.random()
        if mine and self.knows_offers and (command := self._agreement(view, mine[0]["seat"])) is not None:
            return command
        if any(seat["playing"] == "bot" and seat["kind"] == "person" and not seat["this_turn"] for seat in mine):
            return self._command("back") if self.world.calm_since is not None or roll < 0.5 else None
        if roll < 0.01:
            return self._command("rename", name=f"{self.name}*")
        if mine and view["settings"]["listed"] and self.nerve.random() < 0.02:
            return self._command("unlist", seat=mine[0]["seat"])
        if roll < 0.015 and self.world.calm_since is None:
            return self._command(self.chance.choice(("leave", "hand_over")))
        if view["owner"] in self.seats and self.world.calm_since is None and self.chance.random() < 0.05:
            absent = [seat["seat"] for seat in view["seats"] if seat["kind"] == "person" and not seat["connected"]]
            absent = absent or [seat["seat"] for seat in view["seats"] if seat["seat"] not in self.seats][:1]
            if absent:  # as far as it knows: who is back meanwhile keeps the seat
                return self._command(self.chance.choice(("reopen", "stand_in")), seat=self.chance.choice(absent))
        if view["status"] == "waiting":
            vacant = [seat["seat"] for seat in view["seats"] if seat["playing"] == "nobody"]
            if vacant and (roll < 0.1 or self.table in self.world.departed or self.world.calm_since is not None):
                return self._command("fill", seat=vacant[0], level=self.world.bot(self.chance))
            return None
        if not self._my_turn():
            return None
        turn = view["turn"]
        for do, possible in (("undo", turn["can_undo"]), ("redo", turn["can_redo"]), ("restart", turn["can_restart"])):
            if possible and self.chance.random() < 0.03:
                return self._command(do, expected=view["seq"])
        lines = [action["line"] for action in turn["legal"]]
        line = "end" if "end" in lines and self.chance.random() < 0.4 else self.chance.choice(lines)
        expected = view["seq"]
        if self.chance.random() < 0.03:  # as if it had been sent before the last things happened
            expected = max(1, expected - self.chance.randrange(1, 6))
        return self._command("play", expected=expected, action=line)

    def _agreement(self, view: dict[str, Any], seat: int) -> dict[str, Any] | None:
        """Answer what is offered, or not; now and then offer something, or give up."""
        offer, seen = view["offer"], {"expected": view["seq"], "seat": seat}
        if offer is not None and seat in offer["awaited"]:
            answer = self.chance.choice(("agree", "agree", "decline", None))
            return None if answer is None else self._command(answer, **seen)
        if offer is not None and offer["seat"] == seat and self.chance.random() < 0.1:
            return self._command("withdraw", **seen)
        if view["status"] != "playing" or self.world.calm_since is not None:
            return None
        roll = self.chance.random()
        terms = view["settings"]["clock"]
        if terms is not None and terms["vacation"] and roll > 0.95:
            return self._command("vacation", seat=seat, days=self.chance.choice((0, 1, 2)))
        if roll < 0.06:
            return self._command("offer", offer="take_back", **seen)
        if roll < 0.08:
            return self._command("offer", offer="end", **seen)
        return self._command("resign", seat=seat) if roll < 0.09 else None

    def _command(self, do: str, **more: Any) -> dict[str, Any]:
        self.since = self.world.loop.now
        return {"id": self.identity(), "do": do, **more}


class Forgetful(Person):
    """Gives up what is not answered, goes away, and looks again when all is well."""

    kind = "forgetful"
    http_share = 0.1
    forgets = 0.7


class Visitor(Person):
    """Plays for a while, and comes back when others have forgotten the table."""

    kind = "visitor"

    async def play(self) -> None:
        visit = asyncio.ensure_future(super().play())
        try:
            await asyncio.wait([visit], timeout=self.chance.choice((2.0, 15.0)))
            if not visit.done():
                visit.cancel()
                await asyncio.wait([visit])
                await self._come_back_later()
                visit = asyncio.ensure_future(super().play())
            await visit
        finally:
            visit.cancel()


class OldPerson(Person):
    """A client of a version that knew no ids for joining, and asked for everything anew after each connection."""

    kind = "old version"
    http_share = 0.5
    knows_offers = False
    knows_talk = False

    async def join(self, table: str, invite: str, *, as_stranger: bool = False) -> bool:
        try:
            status, told = await self.ask("POST", f"/tables/{table}/join", {"invite": invite, "name": self.name})
        except Cut:
            self.world.departed.add(table)
            return False
        if status != 200:
            return False
        self._seated(told)
        return True


class Mover(Person):
    """Takes its seat along from device to device."""

    kind = "mover"
    http_share = 0.0

    async def _over_socket(self) -> None:
        await super()._over_socket()
        if self.pending is None and self.seats and not self.over and self.chance.random() < 0.3:
            await self._move()

    async def _move(self) -> None:
        seat = self.seats[0]
        status, told = await self.ask("POST", f"/tables/{self.table}/seats/{seat}/move", token=self.token)
        if status != 200:
            return
        body = {"code": told["code"], "id": self.identity()}
        wish = Wish.of(self.table, body["id"], None)
        status, told = await self.insist("POST", f"/tables/{self.table}/claim", body)
        kept = self.world.store.tables.get(self.table)
        if kept is None:
            return
        if status != 200:
            if wish.key in kept.commands:
                raise Violation(f"{self.name} took its seat over at {self.table}, but was told {told}")
            return
        if wish.key not in kept.commands or told["token"] != wish.token:
            raise Violation(f"{self.name} got a token for a seat that the log of {self.table} does not give it")
        if self.chance.random() < 0.5:  # again, as if the answer had been lost
            status, again = await self.insist("POST", f"/tables/{self.table}/claim", body)
            if self.table in self.world.store.tables and (status != 200 or again["token"] != told["token"]):
                raise Violation(f"{self.name} took its seat over again and got {status} {again}")
        self.token, self.holder, self.known, self.view = told["token"], wish.holder, 0, told["view"]
        self.saying = None


class Spectator(Client):
    """Looks on at one table after the other, and asks for what it may ask for."""

    kind = "spectator"

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        self.table = ""
        self.known = 0
        self.attentive_since: float | None = None

    async def run(self) -> None:
        while not self.world.over:
            await self.pause(5.0)
            await self.world.rested()
            tables = sorted(self.world.store.tables)
            if not tables:
                continue
            table = self.chance.choice(tables)
            try:
                await (self._look_around(table) if self.chance.random() < 0.3 else self._watch(table))
            except Cut:
                continue

    async def _look_around(self, table: str) -> None:
        since = self.chance.choice((0, 0, 5, 1000))
        status, told = await self.ask("GET", f"/tables/{table}?since={since}")
        if status == 200:
            self.world.judge.view(told["view"])
        status, told = await self.ask("GET", f"/tables/{table}/game")
        if status == 200:
            self.world.judge.game(told, over=self.world.is_over(table, len(told["actions"])))
        await self.ask("GET", f"/tables/{table}/events?since={since}")
        await self.ask("GET", "/health")
        status, told = await self.ask("GET", "/lobby")
        if (status == 200) > self.world.hall:
            raise Violation(f"{self.name} was told a lobby where there is none: {told}")
        if status == 200:
            self.world.judge.lobby(told)

    async def _watch(self, table: str) -> None:
        world = self.world
        socket = await world.network.connect(world.some_process(self.chance), self.address)
        known = self.chance.choice((0, 0, 3))
        self.table = table
        try:
            socket.send(json.dumps({"type": "hello", "table": table, "since": known}))
            until = world.loop.now + self.chance.choice((1.0, 10.0, 60.0))
            while world.loop.now < until and not world.over:
                try:
                    async with asyncio.timeout(10.0):
                        text = await socket.receive()
                except TimeoutError:
                    continue
                world.judge.words_to(self.name, text)
                message = json.loads(text)
                if message["type"] in ("welcome", "update"):
                    world.judge.update(min(known, message["seq"]), message)
                    known = self.known = message["seq"]
                    self.attentive_since = self.attentive_since or world.loop.now
                elif message["type"] == "goodbye":
                    return
        finally:
            self.attentive_since = None
            socket.cut()


class Attacker(Client):
    """Floods, sends garbage, makes tables nobody plays at, asks for everything from the beginning."""

    kind = "attacker"

    async def run(self) -> None:
        while not self.world.over:
            await self.pause(self.chance.choice((0.5, 5.0, 20.0)))
            await self.world.rested()
            attack = self.chance.choice((self._garbage, self._crowd, self._past, self._guess, self._bots))
            try:
                await attack()
            except Cut:
                continue

    def _table(self) -> str:
        return self.chance.choice(sorted(self.world.store.tables) or ["nowhere"])

    async def _garbage(self) -> None:
        socket = await self.world.network.connect(self.world.some_process(self.chance), self.address)
        try:
            if self.chance.random() < 0.7:
                socket.send(json.dumps({"type": "hello", "table": self._table()}))
            for _ in range(self.chance.choice((1, 30, 250))):
                socket.send(self.chance.choice(
                    ("", "{", "[]", "null", '{"type": "command"}', '{"type": "ping"}', "x" * 20_000,
                     '{"type": "command", "id": "1", "do": "play", "action": "end", "expected": 1e999}',
                     '{"type": "command", "id": 7, "do": "fly"}')
                ))  # fmt: skip
            await asyncio.sleep(self.chance.choice((0.0, 1.0, 20.0)))
        finally:
            socket.cut()

    async def _crowd(self) -> None:
        """Many connections that read nothing."""
        table, sockets = self._table(), []
        try:
            for _ in range(self.chance.choice((5, 30))):
                socket = await self.world.network.connect(self.world.some_process(self.chance), self.address)
                sockets.append(socket)
                socket.send(json.dumps({"type": "hello", "table": table, "since": 0}))
            await asyncio.sleep(self.chance.choice((1.0, 40.0)))
        finally:
            for socket in sockets:
                socket.cut()

    async def _past(self) -> None:
        for _ in range(self.chance.choice((1, 20))):
            await self.ask("GET", f"/tables/{self._table()}/events?since=0")

    def _open_table(self) -> str:
        """One with a seat to be had."""
        judge = self.world.judge
        vacant = [name for name in sorted(self.world.store.tables) if judge.tables[name].status == "waiting"]
        return self.chance.choice(vacant) if vacant else self._table()

    async def _guess(self) -> None:
        for _ in range(self.chance.choice((1, 30))):
            token = f"{self.chance.getrandbits(120):032x}"[:22]
            body = {"id": self.identity(), "do": "leave"}
            status, told = await self.ask("POST", f"/tables/{self._table()}/commands", body, token)
            if status == 200:
                raise Violation(f"a guessed token was good: {told}")
            wish = {"invite": token, "name": self.name, "id": self.identity()}
            status, told = await self.ask("POST", f"/tables/{self._open_table()}/join", wish)
            if status == 200:
                raise Violation(f"a guessed invitation was good: {told}")
            table = self._open_table()
            if table in self.world.store.tables and not self.world.judge.tables[table].setup.listed:
                wish = {"name": self.name, "id": f"{self.nerve.getrandbits(128):032x}"}
                status, told = await self.ask("POST", f"/tables/{table}/join", wish)
                if status == 200:
                    raise Violation(f"anybody may join a table that nobody listed: {told}")

    async def _bots(self) -> None:
        """Tables with deep bots, and nobody there."""
        for _ in range(self.chance.choice((1, 1, 20))):
            if len(self.world.abandoned) >= MOST_ABANDONED:
                return
            seats = [{"kind": "me", "name": self.name}, {"kind": "bot", "level": "elder"}]
            options = self.world.table_options(self.chance) | {"takeover_level": "elder"}
            status, told = await self.ask("POST", "/tables", {"seats": seats, **options})
            if status == 201:
                self.world.abandoned.add(told["table"])
                body = {"id": self.identity(), "do": "hand_over"}
                await self.ask("POST", f"/tables/{told['table']}/commands", body, told["token"])


class Hog(Client):
    """Has many tables, three deep bots at each, and lets them all think at once; nobody is there."""

    kind = "hog"

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        self._tables: list[tuple[str, str]] = []

    async def run(self) -> None:
        seats = [{"kind": "me", "name": self.name}, *({"kind": "bot", "level": "elder"} for _ in range(3))]
        body = {"seats": seats, "rules": {"rounds": 6}, "assistance": False, "takeover_level": "elder"}
        while len(self._tables) < MOST_ABANDONED and self.world.calm_since is None:
            await self.pause(0.5)
            with contextlib.suppress(Cut):
                status, told = await self.ask("POST", "/tables", body)
                if status == 201:
                    self.world.abandoned.add(told["table"])
                    self._tables.append((told["table"], told["token"]))

    async def let_them_think(self) -> None:
        """All at once."""
        for table, token in self._tables:
            if table in self.world.store.tables:
                body = {"id": self.identity(), "do": "hand_over"}
                await self.insist("POST", f"/tables/{table}/commands", body, token)


class Analyst(Client):
    """Downloads games, keeps those that are over in another place, replays them, and has them analysed."""

    kind = "analyst"

    async def run(self) -> None:
        done: set[str] = set()
        while not self.world.over:
            await self.pause(self.chance.choice((2.0, 10.0)))
            await self.world.rested()
            judge = self.world.judge
            over = [name for name in sorted(self.world.store.tables) if judge.tables[name].game.over]
            fresh = [name for name in over if name not in done]
            if fresh and len(done) < 2:
                table = self.chance.choice(fresh)
                done.add(table)
                with contextlib.suppress(Cut):
                    await self._look_into(table)

    async def _look_into(self, table: str) -> None:
        status, game = await self.ask("GET", f"/tables/{table}/game")
        whole = status == 200 and self.world.is_over(table, len(game["actions"]))
        if not whole or len(game["actions"]) > ANALYSED_ACTIONS:
            return
        status, told = await self.ask("POST", "/games", {"game": game})
        if status != 201:
            return
        kept, frames = told["table"], len(game["actions"]) + 1
        if told["frames"] != frames:
            raise Violation(f"a game of {frames} positions was kept as one of {told['frames']}")
        status, again = await self.insist("GET", f"/tables/{kept}/game", None)
        if status == 200 and again["actions"] != game["actions"]:
            raise Violation(f"the game kept as {kept} is not the one that was sent")
        status, told = await self.insist("GET", f"/tables/{kept}/replay?first={frames - 1}", None)
        if status == 200 and (told["total"] != frames or [frame["index"] for frame in told["frames"]] != [frames - 1]):
            raise Violation(f"the replay of {kept} has {told['total']} positions, not {frames}")
        await self._analyse(self.chance.choice((table, kept)), frames)

    async def _analyse(self, table: str, frames: int) -> None:
        """By a process that stays there; when nothing goes wrong, it comes to an end."""
        place = self.world.some_process(self.chance)
        status, told = await self._tell(place, "POST", table, {"nodes": 16})
        done, since = 0, self.world.loop.now
        while status == 200 and told["status"] == "running" and place.alive and not self.world.over:
            if told["total"] != frames or told["done"] < done:
                raise Violation(f"the analysis of {table} tells {told['done']} of {told['total']} after {done}")
            if told["done"] > done or not self.world.is_calm(since) or self.world.deep_bots_think():
                since = self.world.loop.now
            done = told["done"]
            self.world.took(f"the next thought about {table}", self.world.loop.now - since, ANALYSIS_S)
            await self.pause(5.0)
            await self.world.rested()
            status, told = await self._tell(place, "GET", table, None)
        if status == 200 and told["status"] == "done" and told["done"] != frames:
            raise Violation(f"the analysis of {table} is done after {told['done']} of {frames}")

    async def _tell(self, place: Place, method: str, table: str, body: Any) -> tuple[int, Any]:
        status, told = await self.world.network.ask(place, self.address, method, f"/tables/{table}/analysis", body)
        self.world.judge.note(self.name, method, table, status)
        if status >= 500 and status != 503:
            raise Violation(f"{self.name} got {status} for the analysis of {table}: {told}")
        return status, told
