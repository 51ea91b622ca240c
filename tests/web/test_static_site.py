"""The game as static files in some folder of some host: no server of ours, tables kept by the browser."""

from __future__ import annotations

import re
import subprocess
import sys

from playwright.sync_api import Page, Request, Route, expect

from web.playing import Mouse, able, click_space, is_my_turn, play_now, spoken
from web.stage import PATIENCE_S, OpenPage, wait_until
from web.static_host import Host


def seen(page: Page) -> str:
    """The forest, as the page tells it to those who do not see, in their language."""
    spoken(page)
    told: str = page.eval_on_selector_all(".cell", "cells => cells.map(one => one.getAttribute('aria-label')).join()")
    return told


def test_a_table_is_played_without_a_server_and_is_there_after_a_reload(host: Host, open_page: OpenPage) -> None:
    page = open_page("about:blank", lost_connection=True)
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(_address(request)))
    page.goto(host.address)
    play_now(page)
    mouse = Mouse(page, seed=1)
    assert mouse.place()
    wait_until(lambda: is_my_turn(page), "the bot's first answer")  # its worker has been fetched by now
    host.stop()
    for _ in range(4):
        wait_until(lambda: is_my_turn(page), "our turn")
        mouse.step()
    wait_until(lambda: is_my_turn(page), "our turn")
    wait_until(lambda: page.locator(".plant").count() >= 4, "the trees")
    before = seen(page)
    host.start()
    page.reload()
    wait_until(lambda: is_my_turn(page), "the table after a reload")
    assert seen(page) == before
    page.get_by_role("link", name="How to play").click()  # in this tab: another would find the tables in use
    page.get_by_role("link", name="Back to the game").click()
    wait_until(lambda: is_my_turn(page), "the table after a look at the guide")
    page.goto(host.address)
    expect(page.locator("a[href*='here/t/']").first).to_be_visible()  # among “Your games”
    assert asked and all(address.startswith(host.address) for address in asked), asked


PLAIN_HTTP = "delete WorkerNavigator.prototype.locks;"
"""As a browser has it where the page is not secure."""
DEAF = "self.BroadcastChannel = class { postMessage() {} close() {} };"
"""As where a tab slept while another one asked."""
ELSEWHERE = "open in another tab"


def in_workers(page: Page, script: str) -> None:
    """Let something be done in the workers of all tabs of a page's browser before anything else."""

    def begin(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=script + answer.text())

    page.context.route("**/device/table_worker*", begin)


def placed(page: Page) -> None:
    """Go to where trees are placed and place one."""
    wait_until(lambda: is_my_turn(page) and bool(able(page)), "our first tree")
    assert Mouse(page, seed=1).place()
    wait_until(lambda: is_my_turn(page), "the bot's answer")


def test_a_second_tab_without_locks_leaves_the_tables_to_the_first(host: Host, open_page: OpenPage) -> None:
    first = open_page("about:blank", lost_connection=True)
    in_workers(first, PLAIN_HTTP)
    first.goto(host.address)
    first.get_by_role("button", name="Play now").click()
    placed(first)
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.get_by_text(ELSEWHERE).first).to_be_visible(timeout=PATIENCE_S * 1000)
    before = seen(first)
    first.close()
    second.reload()
    wait_until(lambda: is_my_turn(second), "the table in the second tab")
    assert seen(second) == before


def test_what_another_tab_has_stored_is_never_overwritten(host: Host, open_page: OpenPage) -> None:
    first = open_page("about:blank", lost_connection=True)
    in_workers(first, PLAIN_HTTP + DEAF)
    first.goto(host.address)
    first.get_by_role("button", name="Play now").click()
    first.wait_for_selector(".cell.able")
    second = first.context.new_page()
    second.goto(first.url)
    second.wait_for_selector(".cell.able")
    placed(first)
    before = seen(first)
    click_space(second, able(second)[-1])
    expect(second.get_by_text(ELSEWHERE).first).to_be_visible(timeout=PATIENCE_S * 1000)
    first.reload()
    wait_until(lambda: is_my_turn(first), "the table after a reload")
    assert seen(first) == before


def test_the_page_of_the_command_line_is_played_and_stays_when_the_command_ends(
    host: Host, open_page: OpenPage
) -> None:
    """`sunglade page`: the package's own site (`host` has built it), kept by the browser as any other."""
    command = [sys.executable, "-m", "sunglade", "page", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        told = re.search(r"http://\S+/", serving.stdout.readline())
        assert told is not None
        page = open_page(told[0], lost_connection=True)
        page.get_by_role("button", name="Play now").click()
        placed(page)
        assert page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        serving.terminate()
        assert serving.wait(60) == 0
    before = seen(page)
    page.reload()
    wait_until(lambda: is_my_turn(page), "the table after the command ended")
    assert seen(page) == before


def _address(request: Request) -> str:
    return str(request.url)
