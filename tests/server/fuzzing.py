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

from server.games import BOT, ME
from server.process import Server
from sunglade.client import Seat

WORDS = ["hello", "command", "ping", "play", "undo", "redo", "restart", "rename", "leave", "hand_over", "back", "fill"]
KEYS = ["type", "id", "do", "seat", "expected", "action", "name", "level", "table", "token", "since", "x", "__proto__"]
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
    good = {"type": "command", "id": f"f{number}", "do": "play", "expected": seat.seq, "action": "dance d4"}
    kind = rng.randrange(6)
    if kind == 0:
        return json.dumps(value(rng))
    if kind == 1:
        good[rng.choice(KEYS)] = value(rng)
        if good.get("do") in ("leave", "hand_over", "rename"):
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


def fuzz(server: Server, count: int, seed: int = 0) -> dict[str, int]:
    """Send them all; what came back, by kind. A good command works in between and at the end."""
    rng, counts, number = random.Random(seed), dict[str, int](), 0
    with server.client() as client:
        seat = client.create([ME, BOT], rules={"rounds": 100})
        while number < count:
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
                seat = client.create([ME, BOT], rules={"rounds": 100})
    return counts


def tally(told: dict[str, Any], counts: dict[str, int], secrets: list[str]) -> None:
    """Count an answer; it must not tell of a breakdown, of the machine, or a secret."""
    kind, text = told["error"]["kind"] if "error" in told else told["type"], json.dumps(told)
    assert kind != "internal", told
    assert not [word for word in ["Traceback", "/src/", "site-packages", "sqlite", *secrets] if word in text], told
    counts[kind] = counts.get(kind, 0) + 1


def carry_on(seat: Seat) -> None:
    """The next good command still works."""
    seat.refresh()
    while not seat.my_turn:
        seat.wait()
        assert not seat.over
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
        server = Server(f"sqlite+aiosqlite:///{folder / 'tables.sqlite'}", folder, "--limits", "0").start()
        print(fuzz(server, count // 10))
        before = memory(server)
        print(fuzz(server, count - count // 10, seed=1))
        print(f"memory after a tenth: {before} kB, at the end: {memory(server)} kB")
        server.stop()
        print("errors in the log:", server.errors())


if __name__ == "__main__":
    main()
