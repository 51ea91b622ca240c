"""Malformed WebSocket messages, by the thousand.

PYTHONPATH=src python tests/server/fuzzing.py 100000
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from server.games import BOT, ME
from server.process import Server, sqlite_in
from sunglade.client import Seat
from sunglade.table.requests import DOINGS, OFFERS
from sunglade.table.saying import REACTIONS

TYPES = ["hello", "mine", "lobby", "command", "say", "ping"]
WORDS = [*TYPES, *DOINGS, *OFFERS, *REACTIONS]
KEYS = [
    "type", "id", "do", "seat", "expected", "action", "name", "level", "offer", "days", "back_to", "reaction", "text",
    "table", "token", "tokens", "since", "heard", "x", "__proto__",
]  # fmt: skip
FOR_GOOD = ("leave", "hand_over", "rename", "resign")
"""What would end the seat, or change what is looked for in answers: meant for a seat that is not there."""
CLOCK = {"kind": "days", "turn": 14, "vacation": 28}
TEXTS = ["", "end", "grow d4", "\x00", "\ud800", "é" * 30, "a" * 100, "../..", "<script>", "NaN", "-0", "𝕊"]


def value(rng: random.Random, depth: int = 0) -> Any:
    """Anything JSON can say."""
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([0, 1, -1, 2**31, 2**53, 2**63, 10**30, rng.randrange(300)])
    if kind == 2:
        return rng.choice([0.5, -1e300, 1e-300])
    if kind in (3, 4):
        return rng.choice(WORDS + TEXTS)
    if kind == 5:
        return "".join(chr(rng.randrange(1, 0x300)) for _ in range(rng.randrange(20)))
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randrange(5))}


def message(rng: random.Random, number: int, seat: Seat) -> str | bytes:
    """Something a server should not be sent, most of the time nearly right."""
    good = nearly_right(rng, number, seat)
    kind = rng.randrange(7)
    if kind == 0:
        return json.dumps(value(rng))
    if kind == 6:
        return json.dumps(good)
    if kind == 1:
        good[rng.choice(KEYS)] = value(rng)
        if good.get("do") in FOR_GOOD:
            good["seat"] = 3
        return json.dumps(good)
    if kind == 2:
        text = json.dumps(good)
        place = rng.randrange(len(text))
        return text[:place] + rng.choice(["", "\x00", "}", '"', "é", "["]) + text[place + rng.randrange(3) :]
    if kind == 3:
        return rng.randbytes(rng.randrange(60))
    if kind == 4:
        return "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(40)))
    return "[" * rng.randrange(1, 3000)


def nearly_right(rng: random.Random, number: int, seat: Seat) -> dict[str, Any]:
    """Something that may be said, or a command of any kind with whatever commands have."""
    if rng.random() < 0.2:
        return {"type": "say", "id": f"f{number}", rng.choice(("text", "reaction")): rng.choice(WORDS + TEXTS)}
    do = rng.choice(("play", rng.choice(DOINGS)))
    more: dict[str, Any] = {
        "action": "dance d4", "expected": seat.seq, "seat": rng.choice((0, 1, 3)), "name": "Ada", "level": "random",
        "offer": rng.choice(OFFERS), "days": rng.randrange(30), "back_to": rng.randrange(40),
    }  # fmt: skip
    wanted = ("expected", *rng.sample(sorted(more), rng.randrange(1, 4))) if do != "play" else ("expected", "action")
    command = {"type": "command", "id": f"f{number}", "do": do, **{name: more[name] for name in wanted}}
    return command | ({"seat": 3} if do in FOR_GOOD else {})


def first_message(rng: random.Random, seat: Seat) -> dict[str, Any]:
    """What a connection begins with, right or nearly so."""
    first = rng.choice((
        {"type": "hello", "table": seat.table, "token": seat.token, "since": 0, "heard": 0},
        {"type": "mine", "tokens": [seat.token]},
        {"type": "lobby"},
    ))  # fmt: skip
    return first if rng.random() < 0.3 else {**first, rng.choice([*first, *KEYS]): value(rng)}


def fuzz(server: Server, count: int, seed: int = 0) -> dict[str, int]:
    """Send them all; what came back, by kind. A good command works in between and at the end."""
    rng, counts, number = random.Random(seed), dict[str, int](), 0
    with server.client() as client:
        seat = client.create([ME, BOT], rules={"rounds": 100}, clock=CLOCK)
        while number < count:
            say_hello_badly(server, rng, seat, counts)
            live = seat.live()
            most = min(count, number + 190)
            try:
                while number < most:
                    live._socket.send(message(rng, number, seat))
                    number += 1
                    tally(live.receive(), counts, [seat.token, str(seat.invite)])
            except ConnectionClosed:
                counts["closed"] = counts.get("closed", 0) + 1
            live.close()
            carry_on(seat)
            if seat.over:
                seat = client.create([ME, BOT], rules={"rounds": 100}, clock=CLOCK)
    return counts


def say_hello_badly(server: Server, rng: random.Random, seat: Seat, counts: dict[str, int]) -> None:
    """Connections that begin with something else; some are good all the same."""
    for _ in range(5):
        with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300, compression=None) as socket:
            socket.send(json.dumps(first_message(rng, seat)))
            told = json.loads(socket.recv(300))
        tally(told | {"type": f"begun by {told['type']}"}, counts, [seat.token, str(seat.invite)])


def tally(told: dict[str, Any], counts: dict[str, int], secrets: list[str]) -> None:
    """Count an answer; it must not tell of a breakdown, of the machine, or a secret."""
    kind, text = told["error"]["kind"] if "error" in told else told["type"], json.dumps(told)
    assert kind != "internal", told
    assert not [word for word in ["Traceback", "/src/", "site-packages", "sqlite", *secrets] if word in text], told
    counts[kind] = counts.get(kind, 0) + 1


def carry_on(seat: Seat) -> None:
    """The next good command still works."""
    seat.refresh()
    while not seat.my_turn and not seat.over:
        seat.wait()
    if seat.over:  # somebody who is alone may have agreed to end it
        return
    with seat.live() as live:
        name = live.command("play", action=seat.legal[0], expected=seat.seq)
        while (told := live.receive()).get("id") != name:
            pass
        assert told["type"] == "ack", told
    seat.refresh()


def memory(server: Server) -> int:
    """Resident kilobytes of the server (Linux)."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def main() -> None:
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        server = Server(sqlite_in(folder), folder, "--limits", "0").start()
        print(fuzz(server, count // 10))
        before = memory(server)
        print(fuzz(server, count - count // 10, seed=1))
        print(f"memory after a tenth: {before} kB, at the end: {memory(server)} kB")
        server.stop()
        print("errors in the log:", server.errors())


if __name__ == "__main__":
    main()
