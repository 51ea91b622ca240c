"""The client in Firefox: it loads, opens a table and plays, on a server and without one; its console stays clean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from web.firefox import HOW, Firefox, found_firefox
from web.playing import SEEN_POINT
from web.stage import Server
from web.static_host import Host


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    program = found_firefox()
    if program is None:
        pytest.fail(HOW, pytrace=False)
    running = Firefox(program, tmp_path)
    yield running
    running.close()


def test_firefox_plays_against_a_bot(server: Server, firefox: Firefox) -> None:
    firefox.open(server.address)
    firefox.wait_for("document.querySelector('form .button.main:not([disabled])')")
    firefox.click_on("form .button.main")
    for placed in (1, 2):  # the first two trees, by mouse
        firefox.wait_for("document.querySelector('.cell.able')")
        space = firefox.evaluate("document.querySelector('.cell.able').dataset.space")
        firefox.wait_for("document.querySelector('aside ol')")
        firefox.wait_for(f"({SEEN_POINT})({space!r})")
        firefox.click(*firefox.evaluate(f"({SEEN_POINT})({space!r})"))
        firefox.wait_for(f"document.querySelector('aside ol').innerText.split('small tree on').length > {placed}")
        firefox.wait_for(f"document.querySelector('[data-space={space}]').ariaLabel.includes('yours')")
    firefox.wait_for("document.querySelector('.end:not([disabled])')")
    firefox.wait_for("document.querySelectorAll('.cast').length === 4")  # every tree casts a shadow
    firefox.wait_for("document.querySelector('.buy:not([disabled])')")
    firefox.click_on(".buy:not([disabled])")
    firefox.wait_for("/buys a seed/.test(document.querySelector('aside ol').innerText)")
    firefox.click_on(".end")
    firefox.wait_for("document.querySelector('dialog .button.main')")
    firefox.click_on("dialog .button.main")
    firefox.wait_for("/ends the turn/.test(document.querySelector('aside ol').innerText)")
    assert not firefox.errors, firefox.errors


PLACED = "document.querySelectorAll('.cell[aria-label*=yours]').length"


def place(firefox: Firefox) -> None:
    """Place a tree by mouse."""
    before = firefox.evaluate(PLACED)
    firefox.wait_for("document.querySelector('.cell.able')")
    space = firefox.evaluate("document.querySelector('.cell.able').dataset.space")
    firefox.wait_for(f"({SEEN_POINT})({space!r})")
    firefox.click(*firefox.evaluate(f"({SEEN_POINT})({space!r})"))
    firefox.wait_for(f"{PLACED} > {before}")


def test_firefox_plays_on_a_device_without_a_web_server(host: Host, firefox: Firefox) -> None:
    """Loaded, played, kept, reloaded from a memory image without a network, played on."""
    firefox.open(host.address)
    firefox.wait_for("document.querySelector('form .button.main:not([disabled])')")
    firefox.click_on("form .button.main")
    place(firefox)
    firefox.wait_for("document.querySelector('.cell.able')")
    firefox.evaluate("navigator.serviceWorker.ready.then(() => true)")
    host.stop()
    try:
        firefox.reload()
        firefox.wait_for(f"{PLACED} === 1")
        place(firefox)
        firefox.wait_for("document.querySelector('.end:not([disabled])')")
        firefox.wait_for(f"{PLACED} === 2")
    finally:
        host.start()
    assert not firefox.errors, firefox.errors
