"""`sunglade serve` on the command line. Imports nothing heavy before it is asked to run."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from sunglade.errors import BadRequest

DEFAULT_PORT = 8740
STREAM = "-"
"""Standard input or output, in place of a file."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """What an operator can choose."""
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="127.0.0.1; 0.0.0.0 for the network")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, metavar="N", help=f"{DEFAULT_PORT}; 0 for any free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    parser.add_argument("--database", metavar="URL", help="sqlite+aiosqlite:///FILE or postgresql+asyncpg://…")
    parser.add_argument("--openapi", action="store_true", help="print the API's schema and end")
    web = parser.add_argument_group("behind a reverse proxy")
    web.add_argument("--root-path", default="", metavar="/PATH", help="where the proxy shows the server")
    web.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="a name it is reached by")
    web.add_argument("--proxy", action="append", default=[], metavar="ADDRESS", help="believe this proxy's headers")
    more = parser.add_argument_group("operating")
    more.add_argument("--bots", type=int, metavar="N", help="processes for bots (one less than cores)")
    more.add_argument("--bot-pace", type=float, metavar="S", help="seconds between two actions of bots (0.2)")
    more.add_argument(
        "--keep-days",
        type=float,
        default=0.0,
        metavar="N",
        help="delete tables idle for N days of running (0: never)",
    )
    more.add_argument("--keep-uploads-days", type=float, default=30.0, metavar="N", help="the same for uploads (30)")
    more.add_argument("--database-wait", type=float, metavar="S", help="seconds to wait for a database to come (60)")
    more.add_argument("--idle", type=float, metavar="S", help="seconds until an idle table leaves memory (600)")
    more.add_argument("--limits", type=float, default=1.0, metavar="X", help="scale of an address's limits (0: none)")
    more.add_argument("--connections", type=int, metavar="N", help="open connections at most (what the system allows)")
    more.add_argument("--connections-each", type=int, metavar="N", help="the same for one address (200)")
    more.add_argument("--banned", metavar="FILE", help="who is not served, one a line (see `tables ban`)")
    more.add_argument(
        "--lobby", action="store_true", help="let strangers find each other: tables that anybody may join"
    )
    more.add_argument("--no-ratings", action="store_true", help="let nobody agree on rated games")
    more.add_argument("--ranking", action="store_true", help="tell everybody who is how strong, by rated games")
    more.add_argument("--no-device", action="store_true", help="offer no tables on the players' own devices")
    more.add_argument("--no-talk", action="store_true", help="let nobody say anything to others at any table")
    more.add_argument("--no-push", action="store_true", help="tell no browsers whose turn it is (Web Push)")
    more.add_argument("--webhooks", action="store_true", help="let tables tell groups' chats whose turn it is")
    more.add_argument(
        "--allow-private-notices", action="store_true", help="also to addresses of private networks, for homes"
    )
    more.add_argument("--notices-contact", metavar="URL", help="mailto: or https: for push services (the first host)")
    more.add_argument("--contact", metavar="TEXT", help="whom to ask about privacy, told at the start page")
    more.add_argument("--metrics-token", metavar="TOKEN", help="needed for /metrics; without, only from this machine")
    more.add_argument("--log-json", action="store_true", help="logs as JSON lines")
    more.add_argument("--verbose", action="store_true", help="log every request")


def add_keeping_options(parser: argparse.ArgumentParser) -> None:
    """What an operator does to a database: `sunglade tables …`."""
    doing = parser.add_subparsers(title="what", metavar="WHAT", required=True)
    for name, what, stream in (
        ("backup", "write everything to a file, while the server runs or not", "output"),
        ("restore", "fill an empty database from such a file", "input"),
    ):
        verb = doing.add_parser(name, help=what)
        verb.add_argument("file", metavar="FILE", help=f"- is standard {stream}")
        verb.set_defaults(what=name)
    retiring = doing.add_parser("retire", help="delete tables at which nothing happened for N days of running servers")
    retiring.add_argument("--days", type=float, required=True, metavar="N")
    retiring.set_defaults(what="retire")
    closing = doing.add_parser("close", help="delete one table, whoever is there")
    closing.add_argument("table", metavar="TABLE")
    closing.set_defaults(what="close")
    for name, what in (
        ("free", "make a person leave a seat"),
        ("rename", "give a person in a seat another name"),
        ("mute", "let nobody in a seat say anything to the others"),
        ("unmute", "let them say something again"),
    ):
        verb = doing.add_parser(name, help=what)
        verb.add_argument("table", metavar="TABLE")
        verb.add_argument("seat", type=int, metavar="SEAT", help="from 0")
        if name == "rename":
            verb.add_argument("name", metavar="NAME")
        verb.set_defaults(what=name)
    asking = doing.add_parser("who", help="who sits at a table, with what `ban` takes to serve a person no longer")
    asking.add_argument("table", metavar="TABLE")
    asking.set_defaults(what="who")
    for verb in doing.choices.values():
        verb.add_argument("--database", metavar="URL", help="as for `sunglade serve`")
    for name, what in (("ban", "serve an address, a network or a person no longer"), ("unban", "serve it again")):
        verb = doing.add_parser(name, help=what)
        verb.add_argument("address", metavar="ADDRESS", help="or person:NUMBER, as `who` tells it")
        verb.add_argument("--banned", metavar="FILE", help="as for `sunglade serve`")
        verb.set_defaults(what=name)


def keep(args: argparse.Namespace) -> int:
    """Look after a database, or after who is served."""
    import asyncio

    from sunglade.server import backup, bans, tending
    from sunglade.server.config import default_banned, default_database
    from sunglade.server.database import Database
    from sunglade.server.migrations import upgrade
    from sunglade.server.run import checked_url
    from sunglade.table.retention import retire
    from sunglade.table.trouble import DatabaseTrouble

    async def work() -> str:
        database = Database(checked_url(args.database or default_database(), new=args.what == "restore"))
        try:
            if args.what == "backup" and args.file == STREAM:
                return f"{await backup.backup_to(database, _stdout())} tables were written."
            if args.what == "backup":
                return f"{await backup.backup(database, Path(args.file))} tables are in {args.file}."
            if args.what == "restore":
                source = sys.stdin.buffer if args.file == STREAM else Path(args.file)
                return f"{await backup.restore(database, source)} tables came from {args.file}."
            await upgrade(database)
            if args.what == "close":
                await tending.close_table(database, args.table)
                return f"Table {args.table} is deleted."
            if args.what == "free":
                await tending.free_seat(database, args.table, args.seat)
                return f"Seat {args.seat} of table {args.table} is free."
            if args.what in ("mute", "unmute"):
                await tending.mute_seat(database, args.table, args.seat, muted=args.what == "mute")
                can = "cannot say anything" if args.what == "mute" else "can say something again"
                return f"Seat {args.seat} of table {args.table} {can}."
            if args.what == "rename":
                name = await tending.rename_seat(database, args.table, args.seat, args.name)
                return f"Seat {args.seat} of table {args.table} is called {name} now."
            if args.what == "who":
                return "\n".join(await tending.who_sits(database, args.table))
            return f"{len(await retire(database, args.days, args.days))} tables deleted."
        finally:
            await database.close()

    if args.what in ("ban", "unban"):
        file = Path(args.banned) if args.banned else default_banned()
        barred = bans.ban(file, args.address) if args.what == "ban" else bans.unban(file, args.address)
        print(f"{barred} is {'banned' if args.what == 'ban' else 'served again'}: {file}.")
        return 0
    try:
        done = asyncio.run(work())
    except DatabaseTrouble as trouble:
        raise BadRequest(f"the database cannot be used: {trouble}") from None
    print(done, file=sys.stderr if args.what == "backup" and args.file == STREAM else sys.stdout)
    return 0


def _stdout() -> IO[bytes]:
    """Where a backup goes that is piped on; a terminal would only show signs that mean nothing."""
    if sys.stdout.isatty():
        raise BadRequest("a backup is compressed; send it to a file or to a program: sunglade tables backup - | …")
    return sys.stdout.buffer


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    if args.openapi:
        from sunglade.server.openapi import schema_text

        sys.stdout.write(schema_text())
        return 0
    _check(args)
    from sunglade.server.config import Config, default_banned, default_database
    from sunglade.server.run import serve

    chosen = {
        "engines": args.bots,
        "bot_pace_s": args.bot_pace,
        "idle_s": args.idle,
        "database_wait_s": args.database_wait,
        "connections": args.connections,
        "connections_each": args.connections_each,
    }
    config = Config(
        database=args.database or default_database(),
        host=args.host,
        port=args.port,
        open_command=open_command(sys.argv),
        root_path=args.root_path.rstrip("/"),
        allowed_hosts=tuple(args.allow_host),
        proxies=tuple(args.proxy),
        limits=args.limits,
        keep_days=args.keep_days,
        keep_uploads_days=args.keep_uploads_days,
        banned=Path(args.banned) if args.banned else default_banned(),
        lobby=args.lobby,
        ratings=not args.no_ratings,
        ranking=args.ranking,
        metrics_token=args.metrics_token,
        device=not args.no_device,
        talk=not args.no_talk,
        push=not args.no_push,
        webhooks=args.webhooks,
        private_notices=args.allow_private_notices,
        notices_contact=args.notices_contact,
        log_json=args.log_json,
        verbose=args.verbose,
        contact=args.contact,
        **{name: value for name, value in chosen.items() if value is not None},
    )
    return serve(config, open_browser=not args.no_browser)


def open_command(argv: Sequence[str]) -> str:
    """The command by which this server was started, as it would be to let others in. It tells no secrets."""
    program = Path(argv[0])
    found = shutil.which(program.name)
    if program.name == "__main__.py":
        said = ["python", "-m", "sunglade"]
    elif found is not None and Path(found).resolve() == program.resolve():
        said = [program.name]
    else:
        inside = program.is_relative_to(Path.cwd())
        said = [str(program.relative_to(Path.cwd()) if inside else program)]
    return shlex.join([*said, *_without(argv[1:], "--host", "--metrics-token"), "--host", "0.0.0.0"])


def _without(options: Sequence[str], *names: str) -> list[str]:
    """Options but some with their values, and without passwords in addresses."""
    kept, rest = [], iter(options)
    for option in rest:
        if option in names:
            next(rest, None)
        elif not option.startswith(tuple(f"{name}=" for name in names)):
            kept.append(re.sub(r"(//[^/@:]*):[^@]*@", r"\1:PASSWORD@", option))
    return kept


def _check(args: argparse.Namespace) -> None:
    if not 0 <= args.port <= 65535:
        raise BadRequest(f"--port must be from 0 to 65535, not {args.port}.")
    if args.root_path and not args.root_path.startswith("/"):
        raise BadRequest(f"--root-path must begin with a slash, not {args.root_path!r:.60}.")
    if args.bots is not None and args.bots < 1:
        raise BadRequest(f"--bots must be at least 1, not {args.bots}.")
    if args.notices_contact is not None and not args.notices_contact.startswith(("mailto:", "https://")):
        raise BadRequest(f"--notices-contact must begin with mailto: or https://, not {args.notices_contact!r:.60}.")
    for name in ("limits", "keep_days", "bot_pace", "idle", "database_wait", "connections", "connections_each"):
        if (getattr(args, name) or 0) < 0:
            raise BadRequest(f"--{name.replace('_', '-')} cannot be negative.")
