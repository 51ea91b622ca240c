"""Makes `old/schema-N.sql` and `.json`: a database of the present schema with running games, for tests of upgrades.

    python tests/server/make_old.py FOLDER_OF_THE_NEW_FILES

Run it once for each schema version, before the next step is added to `migrations.STEPS`, and never again.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
from pathlib import Path

from server.games import BOT, ME, OPEN, play_out
from server.process import Server
from sunglade.client import Client, Seat
from sunglade.server.migrations import NEWEST

ALL = {"modules": ["moon", "elder", "stones"]}


def in_the_middle_of_a_turn(client: Client) -> list[Seat]:
    """Two people, something played and something taken back."""
    ada = client.create([ME, OPEN], rules=ALL, seed=37)
    ben = client.join(ada.table, str(ada.invite), "Ben")
    play_out(ada, ben, rng=random.Random(1), rounds=5)
    acting = ada if ada.my_turn else ben
    for _ in range(3):
        acting.play(next(line for line in acting.legal if line != "end"))
    acting.undo()
    ada.refresh()
    ben.refresh()
    return [ada, ben]


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "tables.sqlite"
        server = Server(f"sqlite+aiosqlite:///{file}", Path(place), "--limits", "0").start()
        with server.client() as client:
            seats = in_the_middle_of_a_turn(client)
            finished = client.create([ME, BOT], rules={"rounds": 2})
            play_out(finished, rng=random.Random(2))
            waiting = client.create([ME, OPEN, BOT])
            bots = client.create([ME, BOT, BOT, BOT])
            play_out(bots, rng=random.Random(3), rounds=1)
            told = [
                {"table": s.table, "token": s.token, "seats": s.seats, "invite": s.invite, "view": s.view}
                for s in [*seats, finished, waiting, bots]
            ]
        server.stop()
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            folder.mkdir(exist_ok=True)
            (folder / f"schema-{NEWEST}.sql").write_text("\n".join(database.iterdump()) + "\n")
    (folder / f"schema-{NEWEST}.json").write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
