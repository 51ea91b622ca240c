"""A page answers as a server does: the tests of the server's tables, against a page, and what only a page has."""

from __future__ import annotations

import pytest

from server.games import BOT, ME
from server.test_tables import *  # noqa: F403 - all of them
from sunglade import bots
from sunglade.client import Client, Refused


def test_all_tables_of_the_device_are_listed_and_can_be_deleted(client: Client) -> None:
    older, newer = (client.create([ME, BOT], seed=seed).table for seed in (1, 2))
    listed = [entry["table"] for entry in client.ask("GET", "/tables")["tables"]]
    assert listed.index(newer) < listed.index(older)
    assert client.ask("DELETE", f"/tables/{older}") == {"deleted": older}
    for path in (f"/tables/{older}", f"/tables/{older}/events"):
        with pytest.raises(Refused, match=r"^unknown_table:"):
            client.ask("GET", path)
    listed = [entry["table"] for entry in client.ask("GET", "/tables")["tables"]]
    assert newer in listed and older not in listed


def test_a_page_offers_the_bots_that_it_can_play(client: Client) -> None:
    """All of them: those who think with the network fetch it when they are asked."""
    assert [bot["level"] for bot in client.ask("GET", "/meta")["bots"]] == bots.names()


def test_what_nobody_offers_is_an_unknown_page(client: Client) -> None:
    for method, path in (("GET", "/dance"), ("PUT", "/tables/x"), ("POST", "/tables/x/seats/7/move"), ("GET", "/")):
        with pytest.raises(Refused, match=r"^unknown_page:") as refused:
            client.ask(method, path)
        assert refused.value.status == 404
