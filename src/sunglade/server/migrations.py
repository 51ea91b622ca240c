"""The schema's versions. Each step is plain SQL that both databases understand; a database knows how far it has come.

A step, once released, is never changed: a new one is added. Tests upgrade databases of every version, with
running games.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from sunglade.errors import BadRequest
from sunglade.server.asking import asking
from sunglade.server.database import Database

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE tables (id VARCHAR(40) PRIMARY KEY, created DOUBLE PRECISION NOT NULL,
        changed DOUBLE PRECISION NOT NULL, status VARCHAR(10) NOT NULL, seq INTEGER NOT NULL,
        rules_version INTEGER NOT NULL, invite VARCHAR(64), bot_due BOOLEAN NOT NULL,
        leased_by VARCHAR(40), leased_until DOUBLE PRECISION NOT NULL DEFAULT 0)""",
        "CREATE INDEX tables_by_change ON tables (changed)",
        "CREATE INDEX tables_with_bots ON tables (bot_due)",
        """CREATE TABLE events (table_id VARCHAR(40) NOT NULL, seq INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL,
        kind VARCHAR(20) NOT NULL, seat INTEGER, holder VARCHAR(40), command VARCHAR(64), data TEXT NOT NULL,
        PRIMARY KEY (table_id, seq), CONSTRAINT one_event_a_command UNIQUE (table_id, holder, command))""",
        """CREATE TABLE holders (token VARCHAR(64) PRIMARY KEY, id VARCHAR(40) NOT NULL,
        table_id VARCHAR(40) NOT NULL, created DOUBLE PRECISION NOT NULL, present_until DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX holders_by_id ON holders (id)",
        "CREATE INDEX holders_by_table ON holders (table_id)",
        """CREATE TABLE codes (code VARCHAR(64) PRIMARY KEY, table_id VARCHAR(40) NOT NULL, seat INTEGER NOT NULL,
        holder VARCHAR(40) NOT NULL, expires DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX codes_by_table ON codes (table_id)",
    ),
    # Uploaded games are kept for a shorter time than tables people sat at.
    ("ALTER TABLE tables ADD COLUMN uploaded BOOLEAN NOT NULL DEFAULT FALSE",),
    # What clients were told is kept: working it out again means a replay of the whole log.
    ("ALTER TABLE events ADD COLUMN told TEXT",),
    # Where the server tries whether it can write.
    ("CREATE TABLE trials (id INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL, padding TEXT NOT NULL)",),
    # Idle time is counted by a clock of the database's own, and begins with this step.
    (
        "CREATE TABLE clock (id INTEGER PRIMARY KEY, seconds DOUBLE PRECISION NOT NULL)",
        "INSERT INTO clock (id, seconds) VALUES (1, 0)",
        "ALTER TABLE tables ADD COLUMN used DOUBLE PRECISION",
        "UPDATE tables SET used = 0",
        "CREATE INDEX tables_by_use ON tables (used)",
        "DROP INDEX tables_by_change",
    ),
    # Clocks of tables: when events happened by that clock, and when somebody's time is over.
    (
        "ALTER TABLE events ADD COLUMN ran DOUBLE PRECISION",
        "ALTER TABLE tables ADD COLUMN deadline DOUBLE PRECISION",
        "CREATE INDEX tables_by_deadline ON tables (deadline)",
    ),
    # People who want to be known again, and whose seats are whose.
    (
        """CREATE TABLE people (id VARCHAR(40) PRIMARY KEY, name VARCHAR(40), species VARCHAR(20),
        created DOUBLE PRECISION NOT NULL, used DOUBLE PRECISION NOT NULL, leaving BOOLEAN NOT NULL)""",
        """CREATE TABLE person_keys ("key" VARCHAR(64) PRIMARY KEY, person VARCHAR(40) NOT NULL,
        created DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX person_keys_by_person ON person_keys (person)",
        """CREATE TABLE person_codes (code VARCHAR(64) PRIMARY KEY, person VARCHAR(40) NOT NULL,
        expires DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX person_codes_by_person ON person_codes (person)",
        "ALTER TABLE holders ADD COLUMN person VARCHAR(40)",
        "CREATE INDEX holders_by_person ON holders (person)",
    ),
    # What people say to each other at tables, beside the game; and which seats may say nothing more.
    (
        """CREATE TABLE talk (table_id VARCHAR(40) NOT NULL, number INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL,
        seat INTEGER NOT NULL, name TEXT, holder VARCHAR(40) NOT NULL, id VARCHAR(64) NOT NULL,
        reaction VARCHAR(20), text TEXT, PRIMARY KEY (table_id, number),
        CONSTRAINT said_once UNIQUE (table_id, holder, id))""",
        "ALTER TABLE tables ADD COLUMN muted INTEGER NOT NULL DEFAULT 0",
    ),
    # Who is told of tables while they are away, and the key by which push services know this server.
    (
        """CREATE TABLE notice_targets (id VARCHAR(40) PRIMARY KEY, table_id VARCHAR(40) NOT NULL,
        holder VARCHAR(40) NOT NULL, kind VARCHAR(10) NOT NULL, address VARCHAR(64) NOT NULL,
        host VARCHAR(200) NOT NULL, created DOUBLE PRECISION NOT NULL, told INTEGER NOT NULL, attempts INTEGER NOT NULL,
        next_at DOUBLE PRECISION NOT NULL, leased_by VARCHAR(40), leased_until DOUBLE PRECISION NOT NULL,
        data TEXT NOT NULL, CONSTRAINT one_target_an_address UNIQUE (table_id, kind, address))""",
        "CREATE INDEX notice_targets_by_table ON notice_targets (table_id)",
        "CREATE INDEX notice_targets_by_time ON notice_targets (next_at)",
        "CREATE TABLE secrets (name VARCHAR(40) PRIMARY KEY, value TEXT NOT NULL)",
    ),
    # The lobby: what it tells of a table, and until when by that clock.
    (
        "ALTER TABLE tables ADD COLUMN listing TEXT",
        "ALTER TABLE tables ADD COLUMN listed_until DOUBLE PRECISION",
        "CREATE INDEX tables_by_listing ON tables (listed_until)",
    ),
    # Rated games: which are to be reckoned with, what they came to, and how strong people are.
    (
        "ALTER TABLE tables ADD COLUMN rating_due BOOLEAN NOT NULL DEFAULT FALSE",
        "CREATE INDEX tables_to_rate ON tables (rating_due)",
        """CREATE TABLE standings (person VARCHAR(40) NOT NULL, players INTEGER NOT NULL,
        mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL,
        changed DOUBLE PRECISION NOT NULL, PRIMARY KEY (person, players))""",
        "CREATE INDEX standings_by_strength ON standings (players, mu)",
        """CREATE TABLE rated_games (table_id VARCHAR(40) PRIMARY KEY, number INTEGER NOT NULL UNIQUE,
        at DOUBLE PRECISION NOT NULL, players INTEGER NOT NULL)""",
        """CREATE TABLE rated_seats (table_id VARCHAR(40) NOT NULL, seat INTEGER NOT NULL, person VARCHAR(40),
        level VARCHAR(20), place INTEGER NOT NULL, mu_before DOUBLE PRECISION NOT NULL,
        sigma_before DOUBLE PRECISION NOT NULL, mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (table_id, seat))""",
        "CREATE INDEX rated_seats_by_person ON rated_seats (person)",
    ),
)
NEWEST: Final = len(STEPS)

LOCK: Final = 0x5E_A1_0D_E5
"""PostgreSQL: one process upgrades, the others wait."""


async def upgrade(database: Database) -> int:
    """Bring the schema to the newest version, in one transaction; the version it had."""
    async with asking(limit_s=None), database.engine.begin() as connection:
        if database.kind == "postgresql":
            await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        found = await _version(connection)
        if found > NEWEST:
            raise BadRequest(
                f"the database has schema version {found}, this program knows versions up to {NEWEST}; "
                "a newer Sunglade has used it."
            )
        for step in STEPS[found:]:
            for statement in step:
                await connection.execute(sa.text(statement))
        await connection.execute(sa.text("DELETE FROM schema_version"))
        await connection.execute(sa.text(f"INSERT INTO schema_version (version) VALUES ({NEWEST})"))
        return found


async def _version(connection: AsyncConnection) -> int:
    await connection.execute(sa.text("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"))
    version = (await connection.execute(sa.text("SELECT MAX(version) FROM schema_version"))).scalar()
    return int(version or 0)
