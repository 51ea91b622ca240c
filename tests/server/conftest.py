"""A real server process, a real PostgreSQL, and clients to both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from server.postgres import Postgres
from server.process import Server, sqlite_in
from sunglade.client import Client


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL of our own, for the time of the tests."""
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers; those still alive at the end are stopped."""
    started: list[Server] = []

    def start(*options: str, database: str | None = None, files: tuple[int, int] | None = None) -> Server:
        url = database or sqlite_in(tmp_path)
        server = Server(url, tmp_path, "--limits", "0", *options, files=files)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        if server.process is not None and server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def anywhere(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: Postgres
) -> Iterator[Server]:
    """A server over either database, with the `SERVER_OPTIONS` of a file."""
    folder = tmp_path_factory.mktemp("anywhere")
    url = sqlite_in(folder) if request.param == "sqlite" else postgres.new_database()
    running = Server(url, folder, "--limits", "0", *getattr(request.module, "SERVER_OPTIONS", ())).start()
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server without limits for the tests of a file."""
    folder = tmp_path_factory.mktemp("server")
    running = Server(sqlite_in(folder), folder, "--limits", "0").start()
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=300) as client:
        yield client
