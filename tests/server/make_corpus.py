"""Adds games to `corpus/`: logs of tables as a server kept them, with the state they led to.

    PYTHONPATH=src python tests/server/make_corpus.py

The corpus is kept and grows: a file that is there is never written again. Run this after a change of the rules'
version, the log or the package's version; every file must go on replaying to its final state.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import sunglade
from server.games import BOT, GREEDY, ME, OPEN, play_out
from server.process import Server, sqlite_in
from sunglade.client import Client, Seat
from sunglade.server.database import Database
from sunglade.table.agreement import RULES_VERSION
from sunglade.table.table import Event, Table

FOLDER = Path(__file__).parent / "corpus"
KINDS: dict[str, dict[str, Any]] = {
    "base": {"seats": [ME, ME], "rules": {"edition": "us"}},
    "cap-italy": {"seats": [ME, GREEDY, ME], "rules": {"edition": "it", "shade_forbids": True}},
    "moon": {"seats": [ME, ME, BOT], "rules": {"modules": ["moon"]}, "seed": 37},
    "elder": {"seats": [ME, ME], "rules": {"modules": ["elder"]}},
    "stones": {"seats": [ME, ME, ME, BOT], "rules": {"modules": ["stones"], "rounds": 9}},
    "readings": {
        "seats": [ME, GREEDY, ME, BOT],
        "rules": {
            "modules": ["moon"],
            "rounds": 12,
            "moon_turns": "on_arrival",
            "boar_digs": "any",
            "fox_scares": "adjacent",
            "fox_steals": "light",
        },
    },
    "all": {"seats": [ME, ME, GREEDY, ME], "rules": {"modules": ["moon", "elder", "stones"], "rounds": 12}},
}


def play(table: Seat, rng: random.Random) -> None:
    """To the end, with everything that can come between."""
    while not table.over:
        if not table.my_turn:
            table.wait()
            continue
        turn = table.view["turn"]
        do = rng.choices(["play", "undo", "redo", "restart", "rename"], [40, 5, 4, 1, 0.3])[0]
        if do == "rename":
            table.command("rename", seat=table.seats[0], name=rng.choice(["Ada", "Cleo"]))
        elif do != "play" and turn[f"can_{do}"]:
            table.command(do)
        else:
            busy = [line for line in table.legal if line != "end"]
            table.play(rng.choice(busy) if busy and rng.random() < 0.8 else table.legal[0])


def people_who_come_and_go(client: Client) -> Seat:
    """Somebody leaves, is replaced, comes back; a seat is filled by a bot."""
    ada = client.create([ME, OPEN, OPEN], rules={"rounds": 4, "modules": ["moon"]}, takeover_level="random")
    ben = client.join(ada.table, str(ada.invite), "Ben")
    ada.command("fill", seat=2, level="random")
    play_out(ada, ben, rng=random.Random(1), rounds=1)
    ben.command("hand_over")
    play_out(ada, rng=random.Random(2), rounds=2)
    ben.command("back")
    ben.command("leave")
    cleo = client.join(ada.table, str(ada.invite), "Cleo")
    play_out(ada, cleo, rng=random.Random(3))
    return ada


async def keep(database: Database, name: str, table: str, file: Path) -> None:
    """Write a log and what it led to. Who held a seat is not anybody's business, only that it was somebody else."""
    log = await database.log(table)
    final = Table.from_log(table, log)
    holders: dict[str, str] = {}

    def anonymous(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: holders.setdefault(part, f"holder {len(holders)}") if key == "holder" and part else anonymous(part)
                for key, part in value.items()
            }
        return [anonymous(part) for part in value] if isinstance(value, list) else value

    kept = {
        "name": name,
        "version": sunglade.__version__,
        "rules_version": RULES_VERSION,
        "final": final.game.state(),
        "seats": [[chair.kind, chair.name, chair.level] for chair in final.chairs],
        "game": final.shown(),
    }
    lines = [json.dumps(kept), *(json.dumps(anonymous(_line(event))) for event in log)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{file.name}: {len(log)} events")


def _line(event: Event) -> dict[str, Any]:
    return {"seq": event.seq, "at": event.at, "kind": event.kind, "seat": event.seat, "data": event.data}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        server = Server(sqlite_in(Path(place)), Path(place), "--limits", "0").start()
        played: list[tuple[str, str, Path]] = []
        with server.client() as client:
            for number, name in enumerate([*KINDS, "come-and-go"]):
                file = FOLDER / f"{sunglade.__version__}-rules-{RULES_VERSION}-{name}.jsonl"
                if file.exists():
                    continue
                if name in KINDS:
                    table = client.create(**KINDS[name])
                    play(table, random.Random(number))
                else:
                    table = people_who_come_and_go(client)
                played.append((name, table.table, file))
        server.stop()

        async def keep_all() -> None:
            database = Database(server.database)
            for name, table, file in played:
                await keep(database, name, table, file)
            await database.close()

        asyncio.run(keep_all())


if __name__ == "__main__":
    main()
