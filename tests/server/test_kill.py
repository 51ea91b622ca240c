"""No acknowledged command is lost or doubled when server processes die."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.killing import OPTIONS, run
from server.postgres import Postgres
from server.process import Server, sqlite_in

pytestmark = pytest.mark.slow
many = pytest.mark.parametrize("kills", [20, pytest.param(200, marks=pytest.mark.proof)])


@many
def test_killing_the_server_loses_and_doubles_nothing(tmp_path: Path, kills: int) -> None:
    server = Server(sqlite_in(tmp_path), tmp_path, *OPTIONS).start()
    report = run([server], kills, pause=(0.05, 0.6))
    assert (report.missing, report.doubled, report.stuck, report.broken) == ([], [], [], [])
    assert report.acknowledged > report.kills


@many
def test_killing_one_of_two_processes_on_postgresql_loses_and_doubles_nothing(
    tmp_path: Path, postgres: Postgres, kills: int
) -> None:
    url = postgres.new_database()
    servers = [Server(url, tmp_path, *OPTIONS).start() for _ in range(2)]
    report = run(servers, kills, pause=(0.05, 0.6))
    assert (report.missing, report.doubled, report.stuck, report.broken) == ([], [], [], [])
    assert report.acknowledged > report.kills
