"""A small client for the table's API: for bots that play over the network, scripts and tests.

    from sunglade.client import Client

    client = Client("http://localhost:8740")
    table = client.create([{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "greedy"}])
    while not table.over:
        if table.my_turn:
            table.play(table.legal[0])
        else:
            table.wait()

What tables, views and commands are is told by docs/api.md.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self

from sunglade.extras import naming_the_extra

with naming_the_extra("sunglade.client"):
    import httpx
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import ClientConnection, connect

Answer = dict[str, Any]

TRIES: Final = 5
AGAIN_S: Final = 0.2
WAIT_S: Final = 25.0


class Closing:
    """What is closed at the end of a `with`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is held."""
        raise NotImplementedError


MADE_FOR_A_VIEW = ("play", "undo", "redo", "restart", "offer", "agree", "decline", "withdraw")
"""Commands that name the view they were made for."""


class Refused(Exception):
    """The server refused a request. `kind` is one of the API's, `error` all it said."""

    def __init__(self, status: int, error: Answer) -> None:
        super().__init__(f"{error.get('kind')}: {error.get('message')}")
        self.status = status
        self.error = error
        self.kind: str = error.get("kind", "internal")


def _read(answer: httpx.Response) -> Any:
    """What a good answer says. One that is no JSON broke off half way: the network's fault, as far as anybody knows."""
    try:
        return answer.json()
    except ValueError:
        raise httpx.RemoteProtocolError("the answer broke off", request=answer.request) from None


class Client(Closing):
    """A server. What carries an id is sent again when the network fails: nothing happens twice."""

    def __init__(self, url: str, *, timeout: float = 60.0, person: str | None = None) -> None:
        """`person` is the key of whoever wants to be known again at new tables."""
        self.url = url.rstrip("/")
        self.person = person
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, params: Any = None, tries: int = 1
    ) -> Any:
        """A request and its answer; `Refused` if the server says no."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if self.person is not None:
            headers["Sunglade-Person"] = self.person
        for left in reversed(range(tries)):
            try:
                answer = self._http.request(method, f"/api{path}", json=body, headers=headers, params=params)
                if answer.status_code < 400:
                    return _read(answer)
                break
            except httpx.TransportError:
                if not left:
                    raise
                time.sleep(AGAIN_S)
        try:
            raise Refused(answer.status_code, answer.json()["error"])
        except (ValueError, KeyError):
            raise Refused(answer.status_code, {"kind": "internal", "message": answer.text[:200]}) from None

    def meta(self) -> Answer:
        """What the server offers."""
        found: Answer = self.ask("GET", "/meta")
        return found

    def create(self, seats: Sequence[Answer], **options: Any) -> Seat:
        """Make a table: seats of kind me, open or bot; options as in `CreateTable`."""
        return Seat(self, self.ask("POST", "/tables", {"seats": list(seats), **options}))

    def join(
        self, table: str, invite: str, name: str | None, seat: int | None = None, *, identity: str | None = None
    ) -> Seat:
        """Sit down at a table. With the same identity again it is the same seat; keep it secret."""
        wish = {"invite": invite, "name": name, "seat": seat, "id": identity or uuid.uuid4().hex}
        return Seat(self, self.ask("POST", f"/tables/{table}/join", wish, tries=TRIES))

    def claim(self, table: str, code: str, *, identity: str | None = None) -> Seat:
        """Take a seat over from another device. With the same identity again it is the same seat; keep it secret."""
        wish = {"code": code, "id": identity or uuid.uuid4().hex}
        return Seat(self, self.ask("POST", f"/tables/{table}/claim", wish, tries=TRIES))

    def sit(self, table: str, token: str) -> Seat:
        """Come back to a table with a token that was kept."""
        (entry,) = self.ask("POST", "/mine", {"tokens": [token]})["tables"]
        mine = entry["table"]["mine"] if entry["table"] else []
        seat = Seat(self, {"table": table, "token": token, "seats": mine, "view": None})
        seat.refresh()
        return seat

    def upload(self, game: Answer) -> str:
        """Keep a game for replay; the name of its table."""
        return str(self.ask("POST", "/games", {"game": game})["table"])


class Seat:
    """A place at a table, with the newest view of it."""

    def __init__(self, client: Client, seated: Answer) -> None:
        self.client = client
        self.table: str = seated["table"]
        self.token: str = seated["token"]
        self.seats: list[int] = seated["seats"]
        self.invite: str | None = seated.get("invite")
        self.view: Answer = seated["view"]
        self.events: list[Answer] = []

    # How it stands

    @property
    def seq(self) -> int:
        """The last event known."""
        return int(self.view["seq"])

    @property
    def state(self) -> Answer:
        """docs/protocol.md's state."""
        found: Answer = self.view["state"]
        return found

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.view["status"] == "over")

    @property
    def my_turn(self) -> bool:
        """Whether one of my seats is to act."""
        return self.view["status"] == "playing" and self.view["turn"]["seat"] in self.seats

    @property
    def legal(self) -> list[str]:
        """The legal lines."""
        return [action["line"] for action in self.view["turn"]["legal"]]

    def refresh(self, wait: float = 0.0) -> Answer:
        """Ask how the table stands; with `wait` until something happens."""
        since = self.seq if self.view else 0
        params = {"since": since, "wait": wait}
        answer: Answer = self.client.ask("GET", f"/tables/{self.table}", token=self.token, params=params)
        return self.learn(answer)

    def wait(self, seconds: float = WAIT_S) -> Answer:
        """Wait until something happens."""
        return self.refresh(seconds)

    def learn(self, update: Answer) -> Answer:
        """Take up an update."""
        known = self.events[-1]["seq"] if self.events else 0
        self.events += [event for event in update["events"] if event["seq"] > known]
        if self.view is None or update["seq"] >= self.seq:
            self.view = update["view"]
        return update

    # What can be done

    def command(self, do: str, *, identity: str | None = None, expected: int | None = None, **more: Any) -> Answer:
        """Send a command; when this returns, it is kept for good."""
        body = {"id": identity or uuid.uuid4().hex, "do": do, **more}
        if do in MADE_FOR_A_VIEW:
            body["expected"] = self.seq if expected is None else expected
        path = f"/tables/{self.table}/commands"
        answer: Answer = self.client.ask("POST", path, body, token=self.token, tries=TRIES)
        return self.learn(answer)

    def play(self, line: str, **more: Any) -> Answer:
        """Play an action."""
        return self.command("play", action=line, **more)

    def undo(self) -> Answer:
        """Take the last action of this turn back."""
        return self.command("undo")

    def redo(self) -> Answer:
        """Play again what was taken back."""
        return self.command("redo")

    def restart(self) -> Answer:
        """Take the whole turn back."""
        return self.command("restart")

    def why(self, *lines: str) -> list[Answer]:
        """Why actions are not legal."""
        path = f"/tables/{self.table}/why"
        answers: list[Answer] = self.client.ask("GET", path, token=self.token, params={"action": lines})["answers"]
        return answers

    def after(self, line: str) -> Answer | None:
        """The board after an action; None where it is not legal or its outcome is not known before."""
        path = f"/tables/{self.table}/after"
        board: Answer | None = self.client.ask("GET", path, token=self.token, params={"action": line})["board"]
        return board

    def hint(self, ms: int = 1000) -> Answer:
        """What a bot would do."""
        found: Answer = self.client.ask("POST", f"/tables/{self.table}/hint", {"ms": ms}, token=self.token)
        return found

    def game(self) -> Answer:
        """The game file, redacted while it runs."""
        found: Answer = self.client.ask("GET", f"/tables/{self.table}/game", token=self.token)
        return found

    def move(self, seat: int) -> str:
        """A code by which another device takes a seat over."""
        return str(self.client.ask("POST", f"/tables/{self.table}/seats/{seat}/move", token=self.token)["code"])

    def invite_to(self, seat: int) -> str:
        """An invitation to an open seat, good for it alone, once; for the owner of the table."""
        return str(self.client.ask("POST", f"/tables/{self.table}/seats/{seat}/invite", token=self.token)["invite"])

    def nudge(self) -> int:
        """Let the person to act know that I wait; their seat."""
        return int(self.client.ask("POST", f"/tables/{self.table}/nudge", token=self.token)["seat"])

    def say(self, text: str | None = None, *, identity: str | None = None, **more: Any) -> int:
        """Say a text, or a `reaction`, at the table; the number it is kept as."""
        body = {"id": identity or uuid.uuid4().hex, "text": text, **more}
        path = f"/tables/{self.table}/talk"
        return int(self.client.ask("POST", path, body, token=self.token, tries=TRIES)["number"])

    def talk(self, since: int = 0) -> list[Answer]:
        """What was said at the table."""
        path = f"/tables/{self.table}/talk"
        said: list[Answer] = self.client.ask("GET", path, token=self.token, params={"since": since})["said"]
        return said

    def rematch(self) -> Seat:
        """My seat at the rematch."""
        return Seat(self.client, self.client.ask("POST", f"/tables/{self.table}/rematch", token=self.token))

    def live(self, since: int | None = None, heard: int | None = None) -> Live:
        """A WebSocket to the table; with `heard` it also tells what was said after that."""
        return Live(self.client.url, self.table, self.token, self.seq if since is None else since, heard)


class Live(Closing):
    """A WebSocket: messages come as they happen; `command` sends and does not wait."""

    def __init__(
        self, url: str, table: str, token: str | None, since: int | None = None, heard: int | None = None
    ) -> None:
        address = url.replace("http", "ws", 1) + "/api/live"
        self._socket: ClientConnection = connect(address, max_size=2**24, compression=None).__enter__()
        hello = {"type": "hello", "table": table, "token": token, "since": since, "heard": heard}
        self.send({name: value for name, value in hello.items() if value is not None})
        self.welcome = self.receive()
        if self.welcome["type"] == "goodbye":
            raise Refused(0, self.welcome["error"])

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def send(self, message: Any) -> None:
        """Send any message."""
        self._socket.send(json.dumps(message))

    def command(self, do: str, *, identity: str | None = None, **more: Any) -> str:
        """Send a command; its id."""
        name = identity or uuid.uuid4().hex
        self.send({"type": "command", "id": name, "do": do, **more})
        return name

    def receive(self, timeout: float | None = 60.0) -> Answer:
        """The next message."""
        message: Answer = json.loads(self._socket.recv(timeout))
        return message

    def __iter__(self) -> Iterator[Answer]:
        while True:
            try:
                yield self.receive(None)
            except ConnectionClosed:
                return
