"""Several people at a table, each with a browser: seats that last, who is here, and how games stand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.playing import able, click_space, open_table, settle
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844}


def invited(page: Page, name: str, open_page: OpenPage, **options: object) -> Page:
    """Somebody who comes by the invitation of a table that a page shows."""
    page.get_by_role("button", name="Invite players").first.click()
    link = page.get_by_label("Invitation link").input_value()
    page.keyboard.press("Escape")
    other = open_page(link, **options)
    other.get_by_label("Your name").fill(name)
    other.get_by_role("button", name="Join", exact=True).click()
    other.wait_for_selector(".table")
    return other


def leave(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave the game").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the game").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def place(page: Page) -> None:
    """A small tree on the first space that is offered."""
    page.wait_for_selector(".cell.able")
    click_space(page, able(page)[0])
    settle(page)


def begun(open_page: OpenPage, server: Server, **options: object) -> tuple[Page, Page, str]:
    """Ada and Bea at a table, each with a tree on the board; it is Ada's turn."""
    ada = open_page(server.address)
    table = open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page, **options)
    for page in (ada, bea):
        place(page)
    return ada, bea, table


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_who_left_takes_the_seat_again_at_the_table(server: Server, open_page: OpenPage, size: dict[str, int]) -> None:
    ada, bea, table = begun(open_page, server, **size)
    leave(bea)
    expect(ada.locator("aside ol")).to_contain_text("Bea leaves the game")
    bea.goto(f"{server.address}/t/{table}")
    back = bea.get_by_role("button", name="Take my seat back")
    expect(bea.locator(".bottom")).to_contain_text("Your seat is still free")
    back.focus()
    bea.keyboard.press("Enter")
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()
    expect(back).to_have_count(0)
    expect(ada.get_by_role("article", name="Bea").last).to_be_visible()


def test_the_list_of_my_games_leads_back_to_a_seat_that_was_left(server: Server, open_page: OpenPage) -> None:
    _, bea, table = begun(open_page, server)
    leave(bea)
    bea.get_by_role("button", name="Take my seat back").click()
    bea.wait_for_selector(".table")
    assert table in bea.url
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_an_invitation_leads_who_left_back_to_their_own_seat(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    leave(bea)
    ada.get_by_role("button", name="Invite players").first.click()
    bea.goto(ada.get_by_label("Invitation link").input_value())
    bea.get_by_role("button", name="Take my seat back").click()
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_whose_seat_was_taken_meanwhile_may_have_another(server: Server, open_page: OpenPage) -> None:
    ada = open_page(server.address)
    table = open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page)
    leave(bea)
    invited(ada, "Cy", open_page)
    bea.goto(f"{server.address}/t/{table}")
    expect(bea.locator(".bottom")).to_contain_text("Somebody else has your seat now")
    bea.get_by_role("button", name="Join", exact=True).click()
    bea.get_by_role("button", name="Join", exact=True).click()
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_a_code_brings_a_left_seat_to_another_device(server: Server, open_page: OpenPage) -> None:
    _, bea, table = begun(open_page, server)
    bea.get_by_role("button", name="Invite players").first.click()
    bea.get_by_role("button", name="Continue on another device").click()
    link = bea.get_by_label("Continue on another device").input_value()
    bea.keyboard.press("Escape")
    leave(bea)
    phone = open_page(link, **PHONE)
    phone.get_by_role("button", name="Take my seat back").click()
    expect(phone.get_by_role("article", name="Bea (you)").last).to_be_visible()
    bea.goto(f"{server.address}/t/{table}")
    expect(bea.locator(".bottom")).to_contain_text("You are watching")
    expect(bea.get_by_role("button", name="Take my seat back")).to_have_count(0)


# Who is here


def test_everybody_sees_at_once_who_went_and_when_a_bot_stands_in(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    card = ada.locator('aside article[data-seat="1"]')
    expect(card.locator(".dot")).to_be_visible()
    expect(card.locator(".dot.away")).to_have_count(0)
    place(ada)  # now it is Bea's turn
    expect(card).to_contain_text("playing now")
    bea.close()
    expect(card.locator(".dot.away")).to_be_visible()
    expect(card).to_contain_text("playing now · away")
    expect(ada.get_by_role("timer")).to_have_text(re.compile(r"A bot plays for Bea in [012]:\d\d"))
    expect(ada.locator("[aria-live=polite]")).to_contain_text("Bea")


def test_a_phone_shows_who_is_away_in_the_small_cards(server: Server, open_page: OpenPage) -> None:
    ada = open_page(server.address, **PHONE)
    open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page)
    expect(ada.locator(".strip article .dot")).to_be_visible()
    bea.close()
    expect(ada.locator(".strip article .dot.away")).to_be_visible()


def test_who_waits_nudges_and_the_other_page_shows_it_until_it_is_done(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server, lost_connection=True)  # a refusal shows as an error in the console
    card = bea.locator('aside article[data-seat="0"]')
    button = card.get_by_role("button", name="The seat of Ada")
    button.focus()
    bea.keyboard.press("Enter")
    nudge = bea.get_by_role("button", name="Nudge Ada")
    expect(nudge).to_be_focused()
    bea.keyboard.press("Enter")
    expect(bea.get_by_role("dialog")).to_contain_text("Ada has been nudged.")
    expect(ada.get_by_role("alert")).to_contain_text("Bea is waiting for you.")
    expect(ada).to_have_title("Bea is waiting for you.")  # and back again, in turns
    expect(ada).to_have_title(re.compile("^●"))
    nudge.click()
    expect(bea.get_by_role("dialog").get_by_role("alert")).to_contain_text("Not so fast")
    place(ada)
    expect(ada.get_by_role("alert")).to_have_count(0)
    expect(ada).not_to_have_title(re.compile("waiting"))


# The owner


def test_the_owner_opens_the_seat_of_who_is_away_and_invites_somebody_to_it(
    server: Server, open_page: OpenPage
) -> None:
    ada, bea, table = begun(open_page, server)
    address = bea.url
    held = bea.evaluate("localStorage.getItem('sunglade.seats')")
    bea.close()
    expect(ada.locator('aside article[data-seat="1"] .dot.away')).to_be_visible()
    ada.get_by_role("button", name="The seat of Bea").click()
    ada.get_by_role("button", name="Open the seat").click()
    dialog = ada.get_by_role("dialog")
    expect(dialog).to_contain_text("Seat 2")
    dialog.get_by_role("button", name="Invite somebody to this seat").click()
    link = dialog.get_by_label("Invitation to this seat").input_value()
    ada.keyboard.press("Escape")
    expect(ada.locator("aside ol")).to_contain_text("Bea’s seat is open again")
    cy = open_page(link, **PHONE)
    cy.get_by_label("Your name").fill("Cy")
    cy.get_by_role("button", name="Join", exact=True).click()
    expect(cy.get_by_role("article", name="Cy (you)").last).to_be_visible()
    assert "#" not in cy.url and table in cy.url
    again = open_page(server.address)
    again.evaluate("held => localStorage.setItem('sunglade.seats', held)", held)
    again.goto(address)
    expect(again.locator(".bottom")).to_contain_text("You are watching")
    late = open_page(link, lost_connection=True)
    expect(late.get_by_role("heading", name="This invitation has ended")).to_be_visible()


def test_the_owner_lets_a_bot_stand_in_and_who_comes_back_takes_over(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    place(ada)
    bea.goto("about:blank")
    expect(ada.locator('aside article[data-seat="1"] .dot.away')).to_be_visible()
    ada.get_by_role("button", name="The seat of Bea").click()
    ada.get_by_role("button", name="Let a bot play now").click()
    ada.keyboard.press("Escape")
    expect(ada.locator("aside ol")).to_contain_text("A bot is playing for Bea")
    bea.go_back()
    bea.get_by_role("button", name="Take my seat back").click()
    expect(ada.locator("aside ol")).to_contain_text("Bea takes over from the bot")


def test_only_the_owner_is_offered_to_look_after_seats_and_only_of_who_is_away(
    server: Server, open_page: OpenPage
) -> None:
    ada = open_page(server.address)
    open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page)
    invited(ada, "Cy", open_page)
    ada.get_by_role("button", name="The seat of Bea").click()
    expect(ada.get_by_role("dialog")).to_contain_text("This player is here")
    expect(ada.get_by_role("button", name="Open the seat")).to_have_count(0)
    expect(bea.get_by_role("button", name="The seat of Ada")).to_be_visible()  # to be nudged: it is Ada's turn
    expect(bea.get_by_role("button", name="The seat of Cy")).to_have_count(0)


# The log, and the list of games


def test_the_log_tells_who_it_was_at_the_time(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    log = ada.locator("aside ol")
    expect(log).to_contain_text("Bea places a small tree")
    rename = """async name => {
        const [held] = JSON.parse(localStorage.getItem("sunglade.seats"));
        await fetch(`/api/tables/${held.table}/commands`, {method: "POST",
            headers: {"content-type": "application/json", authorization: `Bearer ${held.token}`},
            body: JSON.stringify({id: name, do: "rename", name})});
    }"""
    bea.evaluate(rename, "Beate")
    expect(log).to_contain_text("Bea is now called Beate")
    place(ada)
    place(bea)
    expect(log).to_contain_text("Beate places a small tree")
    leave(bea)
    expect(log).to_contain_text("Beate leaves the game")
    cy = invited(ada, "Cy", open_page)
    for page in (ada, cy):
        expect(page.locator("aside ol")).to_contain_text("Cy takes seat 2")
        lines = page.locator("aside ol li").all_inner_texts()
        told = [line for line in lines if "places a small tree" in line and not line.startswith("Ada")]
        assert [line.split(" ")[0] for line in told] == ["Bea", "Beate"]
    ada.reload()
    expect(log).to_contain_text("Bea places a small tree")
    expect(log).to_contain_text("Beate places a small tree")


def test_the_list_of_games_tells_results_and_whose_turn_it_is(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}], {"rounds": 1})
    finish = """async () => {
        const [{table, token}] = JSON.parse(localStorage.getItem("sunglade.seats"));
        const ask = async (path, body) => (await fetch(`/api/tables/${table}${path}`, {method: body ? "POST" : "GET",
            headers: {"content-type": "application/json", authorization: `Bearer ${token}`},
            body: body && JSON.stringify(body)})).json();
        let {view} = await ask("");
        for (let n = 0; view.status === "playing"; n++) {
            const lines = view.turn.legal.map(({line}) => line);
            const action = lines.includes("end") ? "end" : lines[0];
            ({view} = await ask("/commands", {id: `c${n}`, do: "play", expected: view.seq, action}));
        }
        return view.scores.map(({total}) => total);
    }"""
    page.goto(server.address)
    entry = page.locator(".mine li")
    expect(entry).to_contain_text("Your turn")
    expect(entry.locator("time")).to_have_text(re.compile("minute"))
    points = page.evaluate(finish)
    page.reload()
    expect(entry).to_contain_text("Ada win" if points[0] > points[1] else "win")
    expect(entry).to_contain_text(f"Ada {points[0]} · Ben {points[1]}")
    expect(entry.locator("time")).to_have_text(re.compile(r"20\d\d"))
