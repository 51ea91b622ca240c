"""Every screen in every look on four sizes, to be looked at.

`PYTHONPATH=tests python tests/web/every_screen.py FOLDER [LOOK …]`

A look is light, dark, Hebrew, forced colours, or how somebody sees who lacks a kind of cones or all of them;
`LOOK-SIZE` names one size of it. The pictures of a look and size are also put side by side on one sheet.
"""

from __future__ import annotations

import json
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from server.games import play_out
from sunglade.client import Client, Seat
from sunglade.words import catalogue
from sunglade.words.keys import Key
from web.chromium import browser_and_server
from web.playing import click_space, settle, spoken
from web.stage import ROOT, Server

HERE = ROOT / "tests" / "web"
SIZES = {"desktop": (1280, 800), "tablet": (820, 1180), "phone": (390, 844), "flat": (844, 390)}
LOOKS: dict[str, dict[str, str]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "hebrew": {"locale": "he"},
    "forced": {"forced_colors": "active"},
    "protanopia": {},
    "deuteranopia": {},
    "tritanopia": {},
    "achromatopsia": {},
}
VISION = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
MENU: dict[str, Key] = {
    "invite": "invite.title",
    "being told": "table.telling",
    "rules": "table.options",
    "keys": "keys.title",
    "leave": "table.leave",
}
NAMES = ("Ada", "Ben", "Cy", "Di")
BOT = {"kind": "bot", "level": "sapling"}
SHEET_COLUMNS = 6
BE = "key => localStorage.setItem('sunglade.person', JSON.stringify({id: 'x'.repeat(32), key}))"
"""Be somebody who is known."""


@dataclass(frozen=True)
class Tables:
    """What the pictures show, made once; the server has a lobby and a ranking."""

    address: str
    open: Seat
    bots: Seat
    forest: Seat
    moonlit: Seat
    draft: Seat
    over: Seat
    person: str
    """The key of somebody who has played."""
    clocked: Seat
    """A table with a clock, where people talk."""
    slow: Seat
    """One by correspondence: the other has played since one's last turn, and offers to end the game."""
    deserted: Seat
    """One whose other player has gone, and whose owner looks at it."""
    rated: Seat
    """A rated game that is over, of that person."""

    @classmethod
    def made(cls, address: str, client: Client) -> Tables:
        """Tables at every stage of a game."""
        me = {"kind": "me", "name": "Ada"}
        for name, clock in (
            ("Sira", None),
            ("Tomas", {"kind": "days", "turn": 2}),
            ("Uma", {"kind": "live", "turn": 60}),
        ):
            client.create([{**me, "name": name}, {"kind": "open"}, BOT], listed=True, clock=clock)
        return cls(
            address,
            client.create([me, {"kind": "open"}, BOT]),
            client.create([me, BOT, BOT, BOT]),
            _going_on(client, "forest"),
            _going_on(client, "moonlit"),
            client.create([me, {"kind": "me", "name": "Ben"}], rules={"edition": "us", "modules": ["moon"]}),
            _played(client),
            person := _somebody(address),
            _clocked(client),
            _slow(client),
            _two(client)[0],
            _rated(address, person),
        )


def _going_on(client: Client, game: str) -> Seat:
    recorded = json.loads((HERE / f"{game}.json").read_text(encoding="utf-8"))
    return client.create([{"kind": "me", "name": name} for name in NAMES[: recorded["players"]]], game=recorded)


def _new_person(address: str, name: str) -> str:
    with Client(address) as client:
        return str(client.ask("POST", "/people", {"id": secrets.token_urlsafe(24), "name": name})["key"])


def _somebody(address: str) -> str:
    """Somebody who has won and lost a few games."""
    key = _new_person(address, "Ada")
    with Client(address, person=key) as client:
        for seed in range(3):
            seat = client.create([{"kind": "me", "name": "Ada"}, BOT], rules={"rounds": 2}, seed=seed)
            play_out(seat, rng=random.Random(seed))
    return key


def _rated(address: str, person: str) -> Seat:
    """Ten rated games against a bot, the last one against Ben; one more waits in the lobby."""
    me, maple = {"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "maple"}
    terms: dict[str, Any] = {"rated": True, "assistance": False, "rules": {"edition": "us"}}
    with Client(address, person=person) as ada, Client(address, person=_new_person(address, "Ben")) as ben:
        for _ in range(9):
            ada.create([me, maple], **terms).command("resign")
        seat = ada.create([me, {"kind": "open"}], **terms)
        ben.join(seat.table, str(seat.invite), "Ben").command("resign")
        ben.create([{**me, "name": "Ben"}, {"kind": "open"}, maple], listed=True, **terms)
        while ada.ask("GET", f"/tables/{seat.table}/ratings", token=seat.token)["state"] == "pending":
            time.sleep(0.1)
    return seat


def _two(client: Client, **options: Any) -> tuple[Seat, Seat]:
    me, open_seat = {"kind": "me", "name": "Ada"}, {"kind": "open"}
    ada = client.create([me, open_seat], rules={"edition": "us"}, **options)
    return ada, client.join(ada.table, str(ada.invite), "Ben")


def _played_to_round_2(*seats: Seat) -> None:
    chance = random.Random(2)
    while seats[0].state["round"] < 2:
        for seat in seats:
            seat.refresh()
            if seat.my_turn:
                seat.play(chance.choice(seat.legal))


def _slow(client: Client) -> Seat:
    """Ben has acted since Ada has, and thinks it is enough."""
    ada, ben = _two(client, clock={"kind": "days", "turn": 2, "vacation": 14})
    _played_to_round_2(ada, ben)
    while not ada.my_turn:
        ben.refresh()
        ben.play("end" if "end" in ben.legal else ben.legal[0])
        ada.refresh()
    ben.refresh()
    ben.command("offer", offer="end")
    return ada


def _clocked(client: Client) -> Seat:
    """Ben says something and goes."""
    ada, ben = _two(client, clock={"kind": "live", "turn": 600, "reserve": 3600})
    _played_to_round_2(ada, ben)
    for seat, text in ((ada, "Hello!"), (ben, "A fine sun today. I have to fetch the children, back in a minute")):
        seat.say(text)
    ben.say(reaction="well_played")
    return ada


def _played(client: Client) -> Seat:
    seat = client.create([{"kind": "me", "name": name} for name in NAMES], rules={"edition": "us", "rounds": 5})
    chance = random.Random(4)
    while not seat.over:
        seat.play("end" if "end" in seat.legal and chance.random() < 0.4 else chance.choice(seat.legal))
    return seat


def sit(page: Page, tables: Tables, seat: Seat, ready: str = ".table") -> None:
    """Open a table with its seat."""
    held = [{"table": seat.table, "token": seat.token, "invite": seat.invite}]
    page.evaluate("held => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
    page.goto(f"{tables.address}/t/{seat.table}")
    page.wait_for_selector(ready)
    settle(page)


def opened(page: Page, place: str, ready: str) -> None:
    """Open another page."""
    page.goto(place)
    page.wait_for_selector(ready, state="attached")
    spoken(page)


def scenes(page: Page, tables: Tables) -> Iterator[str]:
    """Bring the page to one screen after the other; the name of each."""
    home = tables.address
    opened(page, home, ".page:has(nav .way) .board .lighting")
    yield "start"
    page.locator("header button").click()
    page.wait_for_selector("dialog[open] select")
    yield "settings"
    page.keyboard.press("Escape")
    page.locator("nav button.way").last.click()
    page.wait_for_selector("dialog [role=radiogroup]")
    yield "shared screen"
    opened(page, f"{home}/new", "optgroup option")
    yield "set-up"
    for box in page.locator("fieldset input[type=checkbox]:not([role=switch])").all()[:3]:
        box.check()
    page.locator("summary").first.click()
    yield "set-up, modules"
    opened(page, f"{home}/invite", "[role=radiogroup]")
    yield "inviting friends"
    page.evaluate("localStorage.removeItem('sunglade.seats')")
    opened(page, f"{home}/t/{tables.open.table}#{tables.open.invite}", "form")
    yield "join"
    sit(page, tables, tables.open)
    yield "waiting"
    yield from _at_a_table(page, tables)
    yield from _dialogs(page, tables)
    opened(page, f"{home}/replay/{tables.over.table}?step=60", "input[type=range]")
    page.wait_for_selector(".players li")
    yield "replay"
    opened(page, f"{home}/guide", "section")
    yield "guide"
    yield from together(page, tables)
    yield from _of_ratings(page, tables)
    yield from _mishaps(page, tables)


def _at_a_table(page: Page, tables: Tables) -> Iterator[str]:
    sit(page, tables, tables.bots)
    page.wait_for_selector(".cell.able")
    yield "placing, three bots"
    sit(page, tables, tables.forest)
    yield "turn"
    page.locator(".track input").fill("2")
    yield "two rounds ahead"
    page.locator(".track input").fill("0")
    click_space(page, page.locator(".start").first.get_attribute("data-at") or "")
    page.wait_for_selector(".menu .entry")
    yield "menu of a space"
    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('.plant')?.scrollIntoView({block: 'center'})")
    sit(page, tables, tables.moonlit)
    yield "moonlight"
    page.locator("[role=tab]").last.click()
    page.locator("aside .panel").scroll_into_view_if_needed()
    yield "points"
    sit(page, tables, tables.draft)
    yield "draft"


def _dialogs(page: Page, tables: Tables) -> Iterator[str]:
    sit(page, tables, tables.forest)
    _menu(page)
    yield "menu"
    page.keyboard.press("Escape")
    for name, key in MENU.items():
        _menu(page, key)
        yield name
        page.keyboard.press("Escape")
    page.locator("button.end").click()
    page.wait_for_selector("dialog[open]")
    yield "end of turn"
    page.keyboard.press("Escape")
    sit(page, tables, tables.over, ".table")
    page.wait_for_selector("dialog[open]")
    yield "result"


def together(page: Page, tables: Tables) -> Iterator[str]:
    """What people do with each other."""
    opened(page, f"{tables.address}/lobby", "li.card")
    yield "lobby"
    opened(page, f"{tables.address}/seek", "[role=switch]")
    page.locator("fieldset select:has(option[value=days])").select_option("days")
    yield "seeking"
    sit(page, tables, tables.clocked)
    yield "a clock"
    page.locator("button.talk").click()
    page.wait_for_selector("section.talk li")
    yield "talk"
    page.keyboard.press("Escape")
    _menu(page, "table.ending")
    yield "resigning"
    page.keyboard.press("Escape")
    yield from _slowly(page, tables)
    sit(page, tables, tables.deserted)
    page.wait_for_selector('[data-seat="1"] .dot.away', state="attached")
    page.locator('[data-seat="1"] .seat-button:visible').first.click()
    page.wait_for_selector("dialog[open] .choice")
    yield "the seat of somebody who is away"
    page.keyboard.press("Escape")
    page.evaluate(BE, tables.person)
    opened(page, f"{tables.address}/you", "main li")
    yield "you"
    opened(page, f"{tables.address}/you#abcdefgh", "main .button.main")
    yield "you on another device"
    opened(page, f"{tables.address}/privacy", "main h2")
    yield "privacy"


def _slowly(page: Page, tables: Tables) -> Iterator[str]:
    """At a table where turns take days."""
    sit(page, tables, tables.slow)
    page.wait_for_selector(".bar[role=group] .button.main")
    yield "an offer"
    _menu(page, "clock.vacation")
    yield "pausing a clock"
    page.keyboard.press("Escape")
    page.locator("button.since").click()
    page.wait_for_selector("section.since .numbers")
    page.keyboard.press("ArrowRight")
    yield "since the last turn"
    page.keyboard.press("Escape")


def _menu(page: Page, key: Key | None = None) -> None:
    """Open the menu of a table, and what stands there under these words."""
    page.locator("header nav button").last.click()
    entries = page.locator("dialog .entry")
    entries.last.wait_for()
    if key is not None:
        words = catalogue(page.evaluate("document.documentElement.lang")).tell(key)
        entries.get_by_text(words, exact=True).click()
        page.wait_for_selector("dialog:not(:has(.entry))")


def _of_ratings(page: Page, tables: Tables) -> Iterator[str]:
    """Agreeing on a rated game, and what comes of it."""
    page.evaluate("localStorage.removeItem('sunglade.person')")
    opened(page, f"{tables.address}/new", "[role=switch]")
    page.locator("[role=switch]").first.check()
    page.locator("fieldset:has([role=switch])").first.scroll_into_view_if_needed()
    yield "set-up, rated"
    page.locator("form button.main").last.click()
    page.wait_for_selector("dialog[open]")
    yield "becoming somebody"
    page.evaluate(BE, tables.person)
    sit(page, tables, tables.rated)
    page.wait_for_selector("dialog[open] #rating-worth")
    page.locator("#rating-worth").scroll_into_view_if_needed()
    yield "what a result was worth"
    opened(page, f"{tables.address}/you", "#my-ratings")
    page.locator("#my-ratings").scroll_into_view_if_needed()
    yield "ratings of mine"
    opened(page, f"{tables.address}/ranking", "tbody tr")
    yield "ranking"


def _mishaps(page: Page, tables: Tables) -> Iterator[str]:
    opened(page, f"{tables.address}/nonsense", "h1")
    yield "wrong address"
    opened(page, f"{tables.address}/t/AbcdefghIj", "h1")
    yield "no such table"
    page.route_web_socket(lambda address: "/api/live" in address, lambda socket: socket.close())
    opened(page, f"{tables.address}/t/{tables.bots.table}", "h1")
    yield "no server"


def pictures(browser: Browser, tables: Tables, look: str, size: str, folder: Path) -> list[Path]:
    """A picture of every screen, and a sheet of them all."""
    width, height = SIZES[size]
    options: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", **LOOKS[look]}
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=size != "desktop", **options)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(tables.address)
    quiet = {"tips": False, "soundOffered": True, "motion": "none"}
    page.evaluate("kept => localStorage.setItem('sunglade.settings', kept)", json.dumps(quiet))
    if look in VISION:
        page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": look})
    made = []
    for name in scenes(page, tables):
        page.wait_for_timeout(150)
        file = folder / f"{look}-{size}-{name.replace(', ', '-').replace(' ', '-')}.png"
        page.screenshot(path=file)
        made.append(file)
    context.close()
    _sheet(browser, made, width, folder / f"sheet-{look}-{size}.png")
    return made


def _sheet(browser: Browser, files: list[Path], width: int, sheet: Path) -> None:
    """Pictures side by side."""
    shown = 2400 // SHEET_COLUMNS if width > 800 else 220
    page = browser.new_page(viewport={"width": 2400 if width > 800 else 220 * 14, "height": 100})
    cards = "".join(
        f'<figure style="margin:4px;width:{shown - 10}px;display:inline-block;vertical-align:top">'
        f'<img src="{file.as_uri()}" style="width:100%"><figcaption>{file.stem}</figcaption></figure>'
        for file in files
    )
    page_file = sheet.with_suffix(".html")
    page_file.write_text(f'<body style="margin:0;font:12px sans-serif;background:#777">{cards}', encoding="utf-8")
    page.goto(page_file.as_uri())
    page.screenshot(path=sheet, full_page=True)
    page.close()
    page_file.unlink()


def with_tables(server: Server, work: Callable[[Tables], None]) -> None:
    """Make the tables on a server and do something with them."""
    with Client(server.address) as client:
        work(Tables.made(server.address, client))


def main() -> None:
    """Take them all."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or list(LOOKS)
    folder.mkdir(parents=True, exist_ok=True)
    with browser_and_server() as (browser, server):

        def take(tables: Tables) -> None:
            for look, size in product(LOOKS, SIZES):
                if look in wanted or f"{look}-{size}" in wanted:
                    print(f"{look} {size}: {len(pictures(browser, tables, look, size, folder))} screens", flush=True)

        with_tables(server, take)


if __name__ == "__main__":
    main()
