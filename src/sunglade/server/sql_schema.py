"""What the SQL database has: tables, their logs, who holds seats, who these people are."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("invite", sa.String(64)),  # hash
    sa.Column("bot_due", sa.Boolean, nullable=False),
    sa.Column("uploaded", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("leased_by", sa.String(40)),
    sa.Column("leased_until", sa.Float, nullable=False, server_default="0"),
    sa.Column("used", sa.Float),
    sa.Column("deadline", sa.Float),
    sa.Column("muted", sa.Integer, nullable=False, server_default="0"),
    sa.Column("listing", sa.Text),
    sa.Column("listed_until", sa.Float),
    sa.Column("rating_due", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("tables_by_use", "used"),
    sa.Index("tables_by_listing", "listed_until"),
    sa.Index("tables_by_deadline", "deadline"),
    sa.Index("tables_with_bots", "bot_due"),
    sa.Index("tables_to_rate", "rating_due"),
)
"""What is asked about many tables at once. `seq`, `status`, `bot_due`, `deadline`, `listing` repeat what the log says.

`rating_due` is whether a rated game is over whose result has not been reckoned with.

`used` is when something happened or somebody was there, by `clock`; null where that was not kept. `deadline` is when
the time of whoever is to act is over, by `clock`; null where no clock runs. `muted` are seats that may say nothing
more: a bit for each. `listing` is what the lobby tells of the table, null where it tells nothing, and `listed_until`
how long it does, by `clock`, if nobody comes.
"""

clock = sa.Table(
    "clock",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("seconds", sa.Float, nullable=False),
)
"""How long servers have run, in its only row: what idle time (`retention.py`) and clocks (`clock.py`) go by."""
NOW: Final = sa.select(clock.c.seconds).scalar_subquery()


def free_tables(*where: sa.ColumnElement[bool]) -> sa.Select[tuple[str]]:
    """Names of tables whose rows nobody is changing. Who changes many rows and waits for none blocks nobody."""
    return sa.select(tables.c.id).where(*where).with_for_update(skip_locked=True)


events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("holder", sa.String(40)),
    sa.Column("command", sa.String(64)),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("told", sa.Text),
    sa.Column("ran", sa.Float),
    sa.UniqueConstraint("table_id", "holder", "command", name="one_event_a_command"),
)
"""The logs. A sequence number is there once for each table, and so is a client's command.

`told` is what clients were told of an event, as the parts of a JSON list: it follows from the log, but only by a replay
of all of it. It is null where a version wrote the event that did not keep it. `ran` is when it happened by `clock`, at
tables that have clocks.
"""
LOGGED: Final = [column for column in events.c if column.name != "told"]

holders = sa.Table(
    "holders",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # hash
    sa.Column("id", sa.String(40), nullable=False, index=True),
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("present_until", sa.Float, nullable=False),
    sa.Column("person", sa.String(40), index=True),
)
"""Clients that hold or held seats at a table. One may have several tokens, and may be a person's."""

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(40)),
    sa.Column("species", sa.String(20)),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
    sa.Column("leaving", sa.Boolean, nullable=False),
)
"""Who wants to be known again. Who is `leaving` has no keys any more and is forgotten table by table."""

person_keys = sa.Table(
    "person_keys",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),  # hash
    sa.Column("person", sa.String(40), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),
)
"""Keys to people, each browser's own."""

person_codes = sa.Table(
    "person_codes",
    metadata,
    sa.Column("code", sa.String(64), primary_key=True),  # hash
    sa.Column("person", sa.String(40), nullable=False, index=True),
    sa.Column("expires", sa.Float, nullable=False),
)
"""Codes by which another browser gets a key to a person, each good once."""

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("code", sa.String(64), primary_key=True),  # hash
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("holder", sa.String(40), nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
)
"""Codes by which a seat moves to another device, each good once."""

talk = sa.Table(
    "talk",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.Text),
    sa.Column("holder", sa.String(40), nullable=False),
    sa.Column("id", sa.String(64), nullable=False),
    sa.Column("reaction", sa.String(20)),
    sa.Column("text", sa.Text),
    sa.UniqueConstraint("table_id", "holder", "id", name="said_once"),
)
"""What people said at tables (`saying.py`): the newest of each. No log, game file or replay has it."""

notice_targets = sa.Table(
    "notice_targets",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("holder", sa.String(40), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("address", sa.String(64), nullable=False),  # hash; empty for a webhook
    sa.Column("host", sa.String(200), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("told", sa.Integer, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("next_at", sa.Float, nullable=False),
    sa.Column("leased_by", sa.String(40)),
    sa.Column("leased_until", sa.Float, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.UniqueConstraint("table_id", "kind", "address", name="one_target_an_address"),
    sa.Index("notice_targets_by_time", "next_at"),
)
"""Browsers and groups that are told of tables (`notices/targets.py`), each up to which event."""

standings = sa.Table(
    "standings",
    metadata,
    sa.Column("person", sa.String(40), primary_key=True),
    sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Index("standings_by_strength", "players", "mu"),
)
"""How strong people are in games of so many players (`ratings/`)."""

rated_games = sa.Table(
    "rated_games",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
)
"""The rated games that have been reckoned with, in their order; without seats those that count for nobody.

They stay when their table goes.
"""

rated_seats = sa.Table(
    "rated_seats",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(40), index=True),
    sa.Column("level", sa.String(20)),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("mu_before", sa.Float, nullable=False),
    sa.Column("sigma_before", sa.Float, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)
"""What each rated game was worth to whoever began in a seat; nobody where they have been forgotten."""

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""What all processes share and nobody else knows: the key by which push services know this server."""

trials = sa.Table(
    "trials",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("padding", sa.Text, nullable=False),
)
"""Where it is tried whether anything can be written."""
PADDING: Final = 32 * 1024
