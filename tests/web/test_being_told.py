"""Being told while one is away: the switch at the table, what the service worker shows, and the number in the title."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect

from server.games import ME, OPEN, play_turn
from server.receiver import Browser, Receiver, packed
from sunglade.client import Client, Seat
from web.stage import OpenPage, Server, wait_until
from web.test_together_by_keyboard import reach

HEADINGS = "dialog h2"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def telling(client: None, tmp_path: Path) -> Iterator[Server]:
    """A server that may send to this machine."""
    running = Server(tmp_path / "tables.sqlite", "--no-device", "--allow-private-notices", "--webhooks")
    running.start()
    yield running
    running.stop()


def two(server: Server) -> tuple[Seat, Seat]:
    api = Client(server.address)
    ada = api.create([ME, OPEN], rules={"edition": "us", "rounds": 1}, takeover_after=None)
    ben = api.join(ada.table, str(ada.invite), "Ben")
    ada.refresh()
    return ada, ben


def as_ada(open_page: OpenPage, server: Server, seats: list[Seat], **look: Any) -> Page:
    """A page in a browser that holds these seats."""
    page = open_page(server.address, **look)
    held = [{"where": "server", "table": seat.table, "token": seat.token} for seat in seats]
    page.evaluate("(held) => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
    return page


def with_push(page: Page, server: Server, browser: Browser) -> None:
    """Its push service is the receiver: what it would give the page, the page gets."""
    page.context.grant_permissions(["notifications"], origin=server.address)
    keys = {"p256dh": packed(browser.public), "auth": browser.wish()["auth"]}
    page.add_init_script(
        """
        const made = (key) => ({
          endpoint: ENDPOINT, options: { applicationServerKey: key }, unsubscribe: async () => true,
          toJSON: () => ({ keys: KEYS }),
        });
        let push = null;
        PushManager.prototype.getSubscription = async () => push;
        PushManager.prototype.subscribe = async (wish) => (push = made(wish.applicationServerKey.buffer));
        """.replace("ENDPOINT", json.dumps(browser.endpoint)).replace("KEYS", json.dumps(keys))
    )


def push_service(page: Page, server: Server) -> Callable[[str], object]:
    """What gives the service worker of this page's browser a message, as a push service would."""
    devtools = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    wait_until(lambda: bool(page.evaluate("1") and registrations), "the service worker is known")

    def arrives(text: str) -> object:
        known = registrations[-1]["registrationId"]
        message = {"origin": server.address, "registrationId": known, "data": text}
        return devtools.send("ServiceWorker.deliverPushMessage", message)

    return arrives


def hand_over(*seats: Seat, to: Seat) -> None:
    """Others play until it is somebody's turn."""
    rng = random.Random(1)
    while True:
        for seat in seats:
            seat.refresh()
        if to.my_turn:
            return
        play_turn(next(seat for seat in seats if seat.my_turn), rng, most=1)


def open_notices(page: Page) -> None:
    page.get_by_role("button", name="Menu").first.click()
    page.get_by_role("button", name="Notifications").click()
    expect(page.locator(HEADINGS)).to_have_text("Notifications")


def notify_this_browser(page: Page) -> None:
    """Ask for it in the dialog, and stay until the server knows."""
    open_notices(page)
    page.get_by_role("checkbox", name="Notify this browser about this table").check()
    expect(page.get_by_role("checkbox", name="And about every new table of mine")).to_be_enabled()


def service_worker(page: Page) -> Worker:
    """That of the page's browser."""
    wait_until(lambda: bool(page.evaluate("1") and page.context.service_workers), "the service worker is known")
    return page.context.service_workers[0]


def test_a_notice_reaches_the_browser_and_is_shown_once(
    telling: Server, open_page: OpenPage, receiver: Receiver
) -> None:
    ada, ben = two(telling)
    browser = Browser(f"{receiver.url}/push")
    page = as_ada(open_page, telling, [ada])
    with_push(page, telling, browser)
    page.goto(f"{telling.address}/t/{ada.table}")
    notify_this_browser(page)
    page.goto(telling.address)  # away from the table
    if ada.my_turn:
        play_turn(ada, random.Random(1), most=1)
    hand_over(ada, ben, to=ada)
    with ada.live():
        pass  # the test has played for Ada: now she is away
    text = next(
        json.dumps(told)
        for told in (browser.opened(arrived.body) for arrived in receiver.wait_for("/push"))
        if told["kind"] == "turn"
    )

    arrives = push_service(page, telling)
    for _ in range(2):
        arrives(text)
    shown = """async () => (await (await navigator.serviceWorker.getRegistration()).getNotifications())
        .map(({ title, tag, data, lang }) => ({ title, tag, lang, id: data.id }))"""
    wait_until(lambda: bool(page.evaluate(shown)), "the notice is shown")
    (notice,) = page.evaluate(shown)
    assert notice == {
        "title": "Your turn", "tag": f"table {ada.table}", "lang": "en", "id": json.loads(text)["id"],
    }  # fmt: skip
    closed = (
        "async () => (await (await navigator.serviceWorker.getRegistration()).getNotifications()).map((n) => n.close())"
    )
    page.evaluate(closed)
    arrives(text)
    other = json.dumps(json.loads(text) | {"id": "another", "title": "Another"})
    arrives(other)
    wait_until(lambda: any(each["id"] == "another" for each in page.evaluate(shown)), "the other one is shown")
    assert len(page.evaluate(shown)) == 1


def test_the_title_tells_live_at_how_many_tables_it_is_our_turn(telling: Server, open_page: OpenPage) -> None:
    ada, ben = two(telling)
    other, cleo = two(telling)
    hand_over(ada, ben, to=ben)
    hand_over(other, cleo, to=cleo)
    page = as_ada(open_page, telling, [ada, other])
    page.goto(telling.address)
    expect(page).to_have_title("Sunglade")
    hand_over(ada, ben, to=ada)
    expect(page).to_have_title("(1) Sunglade")
    hand_over(other, cleo, to=other)
    expect(page).to_have_title("(2) Sunglade")
    mine = page.locator("section li a")
    expect(mine.first).to_contain_text("Your turn")
    assert ada.table in str(mine.first.get_attribute("href"))  # it has waited longer
    page.goto(f"{telling.address}/t/{ada.table}")
    page.wait_for_selector(".table")
    wait_until(lambda: page.title().startswith("(1) ●"), "the other table is counted")
    page.keyboard.press("o")
    page.wait_for_url(f"**/t/{other.table}")


def told_how(seat: Seat, **more: Any) -> Any:
    """What the server knows of who is told of a table."""
    return seat.client.ask("POST", f"/tables/{seat.table}/notices", more, token=seat.token)


BADGES = """
    window.badges = [];
    navigator.setAppBadge = async (count) => void badges.push(count);
    navigator.clearAppBadge = async () => void badges.push(0);
"""
"""How the app's icon is marked, one after the other."""


def test_the_icon_of_the_app_has_the_number_too(telling: Server, open_page: OpenPage) -> None:
    ada, ben = two(telling)
    hand_over(ada, ben, to=ada)
    page = as_ada(open_page, telling, [ada])
    page.add_init_script(BADGES)
    page.goto(telling.address)
    wait_until(lambda: bool(page.evaluate("badges.at(-1) === 1")), "the icon has the number")
    hand_over(ada, ben, to=ben)
    wait_until(lambda: bool(page.evaluate("badges.at(-1) === 0")), "the icon has none")


def test_the_icon_is_marked_while_no_page_is_open_and_put_right_by_the_next(
    telling: Server, open_page: OpenPage, receiver: Receiver
) -> None:
    ada, ben = two(telling)
    page = as_ada(open_page, telling, [ada])
    with_push(page, telling, Browser(f"{receiver.url}/push"))
    page.goto(f"{telling.address}/t/{ada.table}")
    notify_this_browser(page)
    page.goto(telling.address)
    arrives = push_service(page, telling)
    worker = service_worker(page)
    told = {"table": ada.table, "title": "Sunglade", "body": "…", "language": "en", "direction": "ltr"}

    def badges_after(name: str, kind: str) -> Any:
        """How the icon was marked by the time a notice is shown, and all that comes with it is done."""
        for identity in (name, f"{name} and the end"):  # notices are shown one after the other
            arrives(json.dumps({**told, "id": identity, "kind": kind if identity == name else "over"}))
            shown = "async (id) => (await registration.getNotifications()).some((each) => each.data.id === id)"
            wait_until(lambda: bool(worker.evaluate(shown, identity)), f"{identity} is shown")  # noqa: B023
        return worker.evaluate("self.badges")

    worker.evaluate("delete WorkerNavigator.prototype.setAppBadge")
    page.goto("about:blank")
    assert badges_after("without icons that can be marked", "turn") is None
    worker.evaluate(
        """() => {
            self.badges = [];
            navigator.setAppBadge = async (...count) => void badges.push(count);
        }"""
    )
    assert badges_after("of no concern", "sat") == []
    assert badges_after("a turn", "turn") == [[]]
    assert badges_after("an offer", "offer_take_back") == [[], []]
    page.goto(telling.address)
    assert badges_after("an open page", "turn") == [[], []]  # it tells the number itself

    hand_over(ada, ben, to=ada)
    page.add_init_script(BADGES)
    page.goto(telling.address)
    wait_until(lambda: bool(page.evaluate("badges.at(-1) === 1")), "the icon has the number")
    hand_over(ada, ben, to=ben)
    wait_until(lambda: bool(page.evaluate("badges.at(-1) === 0")), "the icon has none")
    page.evaluate("localStorage.removeItem('sunglade.seats')")
    page.reload()  # nobody who sits nowhere is awaited
    wait_until(lambda: bool(page.evaluate("badges.at(-1) === 0")), "the icon has none, without seats")


def test_quiet_hours_are_chosen_by_keyboard_and_the_server_keeps_to_them(
    telling: Server, open_page: OpenPage, receiver: Receiver
) -> None:
    ada, _ = two(telling)
    browser = Browser(f"{receiver.url}/push")
    page = as_ada(open_page, telling, [ada], width=390, height=844, timezone_id="Europe/Bucharest")
    with_push(page, telling, browser)
    page.goto(f"{telling.address}/t/{ada.table}")
    open_notices(page)
    here = page.get_by_role("checkbox", name="Notify this browser about this table")
    expect(here).to_be_enabled()
    quiet = page.get_by_role("checkbox", name="Quiet hours").first
    reach(page, here)
    page.keyboard.press("Space")
    expect(here).to_be_checked()
    reach(page, quiet)
    page.keyboard.press("Space")
    reach(page, page.get_by_label("From", exact=True).first)
    page.keyboard.press("ArrowUp")  # the next hour, however this browser writes hours
    wanted = {"begin": 23 * 60, "end": 7 * 60, "zone": "Europe/Bucharest"}
    wait_until(lambda: bool(told_how(ada, endpoint=browser.endpoint)["quiet"] == wanted), "the server knows the hours")
    quiet.press("Space")
    wait_until(lambda: told_how(ada, endpoint=browser.endpoint)["quiet"] is None, "there are none any more")


def test_a_touch_of_a_notice_leads_to_its_table(telling: Server, open_page: OpenPage, receiver: Receiver) -> None:
    """In the service worker itself; only the browser's permission to open windows is not asked for."""
    ada, _ = two(telling)
    page = as_ada(open_page, telling, [ada])
    with_push(page, telling, Browser(f"{receiver.url}/push"))
    page.goto(f"{telling.address}/t/{ada.table}")
    notify_this_browser(page)
    page.goto(telling.address)
    worker = service_worker(page)
    opened = worker.evaluate(
        """async (table) => {
            const opened = [];
            Object.defineProperty(self.clients, "openWindow", { value: async (url) => void opened.push(url) });
            await registration.showNotification("Your turn", { data: { id: "x", table } });
            const [notification] = await registration.getNotifications();
            dispatchEvent(new NotificationEvent("notificationclick", { notification }));
            for (let n = 0; n < 500 && opened.length === 0; n++) await new Promise((done) => setTimeout(done, 20));
            return opened;
        }""",
        ada.table,
    )
    assert opened == [f"{telling.address}/t/{ada.table}"]


def test_a_group_is_connected_in_the_dialog_with_quiet_hours(
    telling: Server, open_page: OpenPage, receiver: Receiver
) -> None:
    ada, _ = two(telling)
    page = as_ada(open_page, telling, [ada], width=390, height=844, timezone_id="Europe/Bucharest")
    page.goto(f"{telling.address}/t/{ada.table}")
    open_notices(page)
    group = page.locator("section", has=page.get_by_role("heading", name="Group chat"))
    page.get_by_label("Address of the webhook").fill(f"{receiver.url}/hook/SECRET")
    group.get_by_role("checkbox", name="Quiet hours").check()
    group.get_by_label("Until").fill("08:15")
    group.get_by_label("Until").press("Tab")
    page.get_by_role("button", name="Connect").press("Enter")
    expect(page.get_by_text("Connected with 127.0.0.1")).to_be_visible()
    expect(group).to_contain_text("22:00–08:15")
    told = told_how(ada)["webhook"]
    assert told["quiet"] == {"begin": 22 * 60, "end": 8 * 60 + 15, "zone": "Europe/Bucharest"}
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_label("Address of the webhook")).to_be_visible()


def test_a_private_address_is_refused_in_a_sentence_and_nothing_is_connected(
    client: None, tmp_path: Path, open_page: OpenPage, receiver: Receiver
) -> None:
    """By what its name resolves to; nobody comes to the door."""
    running = Server(tmp_path / "tables.sqlite", "--no-device", "--webhooks")
    running.start()
    try:
        ada, _ = two(running)
        page = as_ada(open_page, running, [ada], lost_connection=True)  # a refusal shows in the console
        page.goto(f"{running.address}/t/{ada.table}")
        open_notices(page)
        for address in ("https://localhost/hook", "https://[::1]/hook", f"{receiver.url}/hook"):
            page.get_by_label("Address of the webhook").fill(address)
            page.get_by_role("button", name="Connect").click()
            expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
            expect(page.get_by_label("Address of the webhook")).to_have_value(address)
        assert told_how(ada)["webhook"] is None and not receiver.arrived
    finally:
        running.stop()
