"""Tables on this device: the same client over a worker, by addresses that need no server, and what can go wrong.

The worker of these tests (`worker.js`) speaks as the real one does and takes its answers from a server.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.playing import Mouse, play_now, settle
from web.stage import OpenPage, Server, wait_until

WORKER = (Path(__file__).parent / "worker.js").read_text(encoding="utf-8")
SOCKETS = """(() => {
    const worker = new BroadcastChannel("sockets");
    const sockets = new Map();
    worker.onmessage = ({data}) => {
        if (data.kind === "say") sockets.get(data.socket)?.send(data.text);
        if (data.kind === "hang_up") sockets.get(data.socket)?.close();
        if (data.kind !== "connect") return;
        const {socket} = data;
        const line = new WebSocket(new URL(data.path, location.origin.replace("http", "ws")));
        sockets.set(socket, line);
        line.onopen = () => worker.postMessage({kind: "open", socket});
        line.onmessage = ({data: text}) => worker.postMessage({kind: "heard", socket, text});
        line.onclose = ({code, reason}) => worker.postMessage({kind: "closed", socket, code, reason});
    };
})()"""
"""The worker's sockets, opened in the page."""
SERVER_MARK = '<meta name="sunglade-server" content="./api/" />'


def device_mark(wish: str = "") -> str:
    return f'<meta name="sunglade-device" content="./worker.js{wish}" />'


def serve(page: Page, marks: str) -> None:
    """From now on the page finds these houses in its head, before any of its scripts runs."""
    page.add_init_script(SOCKETS)
    page.add_init_script(
        f"""document.addEventListener("readystatechange", () => {{
            const mark = document.querySelector("meta[name=sunglade-server]");
            if (document.readyState === "interactive" && mark) mark.outerHTML = {json.dumps(marks)};
        }})"""
    )
    page.route("**/worker.js*", lambda route: route.fulfill(body=WORKER, content_type="text/javascript"))


@pytest.fixture
def at_home(server: Server, open_page: OpenPage) -> Page:
    """A page that knows no server: everything is on this device."""
    page = open_page("about:blank")
    serve(page, device_mark())
    page.goto(server.address)
    return page


def test_a_page_without_a_server_plays_on_its_device_by_addresses_of_one_file(at_home: Page) -> None:
    page = at_home
    expect(page.get_by_text("without a network too")).to_be_visible()
    expect(page.get_by_text("Invite friends")).to_have_count(0)
    play_now(page)
    assert re.fullmatch(r"http://[^/]+/#/here/t/[^/]+", page.url)
    expect(page.get_by_role("button", name="Invite")).to_have_count(0)
    mouse = Mouse(page, 3)
    while page.locator("button.end").count() == 0:
        mouse.place()
    before = page.locator(".table").get_attribute("data-seq")
    address = page.url
    page.reload()
    settle(page)
    assert page.url == address
    wait_until(lambda: int(page.locator(".table").get_attribute("data-seq") or 0) >= int(before or 0), "what was done")
    guide = "./#/here/guide/" + address.rsplit("/", 1)[-1]
    expect(page.locator("nav.tools a")).to_have_attribute("href", guide)
    page.locator("header a.logo").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    page.go_back()
    page.wait_for_selector(".table")
    page.goto(address.split("#")[0] + "#/t/nobody")
    expect(page.get_by_text("There is no such page.")).to_be_visible()


def test_pages_are_found_by_fragment(at_home: Page) -> None:
    page = at_home
    page.get_by_role("link", name="How to play").click()
    expect(page).to_have_url(re.compile("/#/guide$"))
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(page.url.replace("#/guide", "#/new"))
    kinds = page.get_by_label("Who sits in seat 2?").locator("option")
    expect(kinds).to_have_text(["Me", "Someone on this device", "Bot"])
    expect(page.get_by_text("Where the game is kept")).to_have_count(0)
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".table")
    assert "#/here/t/" in page.url


def test_beside_a_server_one_chooses_where_the_game_is_kept(server: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url))
    serve(page, SERVER_MARK + device_mark())
    page.goto(f"{server.address}/new")
    page.get_by_label("Who sits in seat 2?").select_option("open")
    expect(page.get_by_role("button", name="Create game")).to_be_enabled()
    assert workers == []  # who plays on the server loads nothing else
    page.get_by_role("radio", name="On this device").check()
    expect(page.get_by_label("Who sits in seat 2?")).to_have_value("here")
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".table")
    assert "/#/here/t/" in page.url
    assert len(workers) == 1
    page.locator("header a.logo").click()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".cell.able")
    assert re.fullmatch(r"http://[^/]+/t/[^/]+", page.url)
    page.locator("header a.logo").click()
    mine = page.locator(".mine li")
    expect(mine).to_have_count(2)
    expect(mine.filter(has_text="On this device")).to_have_count(1)
    mine.filter(has_text="On this device").get_by_role("button", name="Delete this game").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()  # it is nowhere else: asked first
    page.keyboard.press("Escape")
    expect(mine).to_have_count(2)
    page.get_by_role("button", name="Remove from the list").click()  # the server has it still
    expect(mine).to_have_count(1)
    kept = json.loads(page.evaluate("localStorage.getItem('sunglade.seats')"))
    assert [held["where"] for held in kept] == ["device"]


def test_an_ordinary_page_offers_and_reaches_no_device(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    expect(page.get_by_role("button", name="Create game")).to_be_enabled()
    expect(page.get_by_role("radio", name="On this device")).to_have_count(0)
    page.goto(f"{server.address}/#/here/t/somewhere")
    expect(page.get_by_text("There is no such page.")).to_be_visible()


def test_the_page_is_there_while_the_device_loads_and_tells_how_far_it_is(server: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    serve(page, device_mark("?slow"))
    page.goto(server.address)
    bar = page.get_by_role("progressbar", name="Loading the game onto this device…")
    expect(bar).to_be_visible()
    wait_until(lambda: bar.evaluate("bar => bar.value") == 0.5, "half of it has come")
    expect(page.get_by_role("status")).to_have_text("Loading the game onto this device…")
    page.get_by_role("link", name="How to play").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("no_wasm", "it has no WebAssembly"),
        ("no_storage", "private windows"),
        ("half_cached", "belongs to another version"),
        ("elsewhere", "open in another tab"),
        ("device_stopped", "has stopped"),
    ],
)
def test_a_device_that_cannot_keep_tables_says_why_and_may_be_asked_again(
    server: Server, open_page: OpenPage, code: str, sentence: str
) -> None:
    page = open_page("about:blank")
    serve(page, device_mark(f"?failed={code}"))
    page.goto(server.address)
    expect(page.get_by_role("alert")).to_contain_text(sentence)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.unroute("**/worker.js*")
    page.route(
        "**/worker.js*",
        lambda route: route.fulfill(body=WORKER.replace("failed", "mended"), content_type="text/javascript"),
    )
    page.get_by_role("button", name="Try now").click()
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_table_whose_device_is_elsewhere_waits_to_be_asked_again(server: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    serve(page, device_mark("?failed=elsewhere"))
    page.goto(f"{server.address}/#/here/t/somewhere")
    expect(page.get_by_role("main")).to_contain_text("open in another tab")
    with page.expect_request("**/worker.js*"):  # another worker is started
        page.get_by_role("button", name="Try now").click()
    expect(page.get_by_role("main")).to_contain_text("open in another tab")


def test_a_worker_that_dies_in_the_middle_of_a_turn_loses_nothing(server: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank", lost_connection=True)
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url))
    serve(page, device_mark("?dies=2"))  # the first word is hello, the second a command
    bodies = [WORKER.replace("dies", "lives"), WORKER]  # only the first one dies
    page.route(
        "**/worker.js*",
        lambda route: route.fulfill(
            body=bodies.pop() if len(bodies) > 1 else bodies[0], content_type="text/javascript"
        ),
    )
    page.goto(server.address)
    play_now(page)
    Mouse(page, 5).place()
    wait_until(lambda: len(workers) == 2, "another worker is started")
    expect(page.locator(".plant").first).to_be_attached()  # the command has been carried out
    expect(page.locator(".lost")).to_have_count(0)
