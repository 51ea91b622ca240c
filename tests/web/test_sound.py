"""Sound: what is made, as samples; that it is offered once, remembered, and silent where it is not wanted."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from web.playing import click_space, offered, open_table, settle
from web.stage import ROOT, OpenPage, Server, wait_until

ASSETS = ROOT / "src" / "sunglade" / "web" / "assets"
OFFER = "Play with sound?"
HOT_SEAT = [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}]

RENDER = """async ([module, cue]) => {
    const player = await import(module);
    const length = player.lengthOf(cue);
    const context = new OfflineAudioContext(1, 44100 * (length + 1), 44100);
    player.make(context, context.destination, cue, 0);
    const samples = (await context.startRendering()).getChannelData(0);
    const loudest = part => part.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    let crossings = 0;
    const [from, to] = [Math.round(44100 * 0.05), Math.round(44100 * Math.min(0.25, length))];
    for (let i = from + 1; i < to; i++) crossings += samples[i - 1] < 0 && samples[i] >= 0;
    return {length, peak: loudest(samples), late: loudest(samples.slice(Math.round(44100 * length) + 1)),
        end: loudest(samples.slice(Math.round(44100 * length * 0.75), Math.round(44100 * length))),
        pitch: crossings * 44100 / (to - from)};
}"""
CUES = (
    *(("wood", knocks) for knocks in (1, 3)),
    *(("leaves", size) for size in (1, 2, 3)),
    *(("light", step) for step in (0, 7, 14)),
    *(("bird", song) for song in (0, 1, 2)),
    *((name, 0) for name in ("soil", "collect", "token", "turn", "over", "owl")),
)
COUNTED = """
    window.heard = {contexts: 0, sources: 0, closed: 0};
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        constructor() { super(); heard.contexts += 1; }
        close() { heard.closed += 1; return super.close(); }
        createOscillator() { heard.sources += 1; return super.createOscillator(); }
        createBufferSource() { heard.sources += 1; return super.createBufferSource(); }
    };
"""

UNTOUCHED = """
    let touched = false;  // a script that a test sends counts as a gesture to the browser: only clicks do here
    addEventListener("pointerdown", () => (touched = true), {capture: true});
    Object.defineProperty(navigator, "userActivation", {get: () => ({hasBeenActive: touched})});
"""


@pytest.fixture
def player_module() -> str:
    (file,) = ASSETS.glob("player*.js")
    return f"/assets/{file.name}"


def rendered(page: Page, module: str, sound: str, of: int) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(RENDER, [module, {"sound": sound, "of": of}])
    return found


def test_every_sound_is_heard_stays_soft_and_ends_when_it_says(
    server: Server, open_page: OpenPage, player_module: str
) -> None:
    page = open_page(server.address)
    for cue in CUES:
        made = rendered(page, player_module, *cue)
        assert 0.02 < made["peak"] < 0.9, (cue, made)
        assert made["late"] < 0.003, f"{cue} sounds on after {made['length']} s"
        assert made["end"] > 1e-5, f"{cue} ends before {made['length']} s"
        assert 0.1 < made["length"] < 3, cue


def test_notes_rise_with_the_scale_and_larger_crowns_are_deeper(
    server: Server, open_page: OpenPage, player_module: str
) -> None:
    page = open_page(server.address)
    notes = [rendered(page, player_module, "light", step) for step in range(15)]
    told = page.evaluate(
        "async module => { const p = await import(module); return [...Array(15).keys()].map(p.pitchOf); }",
        player_module,
    )
    for note, pitch in zip(notes, told, strict=True):
        assert abs(note["pitch"] - pitch) < 0.03 * pitch, "a note sounds at the pitch of its step"
    assert told == sorted(told)
    crowns = [rendered(page, player_module, "leaves", size)["pitch"] for size in (1, 2, 3)]
    assert crowns == sorted(crowns, reverse=True), crowns


def test_forty_points_that_land_at_once_stay_within_bounds(
    server: Server, open_page: OpenPage, player_module: str
) -> None:
    page = open_page(server.address)
    peak = page.evaluate(
        """async module => {
            const player = await import(module);
            const context = new OfflineAudioContext(1, 44100 * 2, 44100);
            const out = player.mixer(context, 1);
            for (let i = 0; i < 40; i++) player.make(context, out, {sound: "light", of: i % 15, after: 0.01 * i}, 0);
            const samples = (await context.startRendering()).getChannelData(0);
            return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
        }""",
        player_module,
    )
    assert 0.1 < peak < 1


def kept(page: Page) -> dict[str, object]:
    found: dict[str, object] = page.evaluate("JSON.parse(localStorage.getItem('sunglade.settings') ?? '{}')")
    return found


def at_a_new_table(server: Server, open_page: OpenPage, **settings: object) -> Page:
    page = open_page(server.address)
    page.add_init_script(COUNTED)
    if settings:
        page.evaluate("kept => localStorage.setItem('sunglade.settings', kept)", json.dumps(settings))
    open_table(page, HOT_SEAT)
    return page


def place(page: Page) -> None:
    """A tree of whoever is to place one, and on to the next at this screen."""
    click_space(page, offered(page)[0])
    settle(page)
    ready = page.locator("dialog .button.main")
    if ready.count():
        ready.click()


def test_sound_declined_is_never_made_nor_offered_again(server: Server, open_page: OpenPage) -> None:
    page = at_a_new_table(server, open_page)
    page.get_by_role("group", name=OFFER).get_by_role("button", name="No").click()
    expect(page.get_by_role("group", name=OFFER)).to_have_count(0)
    place(page)
    assert page.evaluate("heard") == {"contexts": 0, "sources": 0, "closed": 0}
    assert not [entry for entry in page.evaluate(FETCHED) if "player" in entry], "what makes sound was not even fetched"
    page.reload()
    page.wait_for_selector(".cell.able")
    expect(page.get_by_role("group", name=OFFER)).to_have_count(0)
    open_table(page, HOT_SEAT)
    page.wait_for_selector(".cell.able")
    expect(page.get_by_role("group", name=OFFER)).to_have_count(0)
    assert kept(page).get("sound", False) is False


FETCHED = "performance.getEntriesByType('resource').map(entry => entry.name)"


def test_sound_accepted_is_heard_and_remembered(server: Server, open_page: OpenPage) -> None:
    page = at_a_new_table(server, open_page)
    assert page.evaluate("heard.contexts") == 0
    page.get_by_role("group", name=OFFER).get_by_role("button", name="Yes").click()
    wait_until(lambda: page.evaluate("heard.sources") > 0, "the first sound")
    before = page.evaluate("heard.sources")
    place(page)
    wait_until(lambda: page.evaluate("heard.sources") > before, "soil where a tree is placed")
    wait_until(lambda: kept(page)["sound"] is True, "the setting is kept")
    page.reload()
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("group", name=OFFER)).to_have_count(0)


def test_nothing_sounds_before_a_gesture(server: Server, open_page: OpenPage) -> None:
    with Client(server.address) as client:
        seat = client.create(HOT_SEAT)
        page = open_page(server.address)
        page.add_init_script(COUNTED + UNTOUCHED)
        page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({sound: true}))")
        page.goto(f"{server.address}/t/{seat.table}")
        settle(page)
        before = page.locator(".plant").count()
        seat.play(seat.legal[0])
        wait_until(lambda: page.locator(".plant").count() > before, "a tree that somebody else placed")
        wait_until(lambda: any("player" in entry for entry in page.evaluate(FETCHED)), "sound is ready")
        assert page.evaluate("heard.contexts") == 0
        page.mouse.click(250, 20)  # where nothing is
        seat.play(seat.legal[0])
        wait_until(lambda: page.evaluate("heard.sources") > 0, "soil, after a click")


def test_a_hidden_page_is_silent_and_what_was_begun_is_not_heard_later(server: Server, open_page: OpenPage) -> None:
    page = at_a_new_table(server, open_page, sound=True, soundOffered=True)
    place(page)
    wait_until(lambda: page.evaluate("heard.sources") > 0, "soil")
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", {value: true, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    wait_until(lambda: page.evaluate("heard.closed === heard.contexts"), "silence")
    before = page.evaluate("heard")
    place(page)
    page.wait_for_selector(".cell.able")
    assert page.evaluate("heard.sources") == before["sources"]


def test_a_key_mutes_and_the_settings_have_a_volume(server: Server, open_page: OpenPage) -> None:
    page = at_a_new_table(server, open_page, sound=True, soundOffered=True)
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "true")
    place(page)
    page.keyboard.press("q")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[role=status]").first).to_have_text("Sound off")
    wait_until(lambda: page.evaluate("heard.closed === heard.contexts"), "silence at once")
    page.keyboard.press("q")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("slider", name="Volume").fill("25")
    wait_until(lambda: kept(page)["volume"] == 25, "the volume is kept")
    page.get_by_role("checkbox", name="Sounds").uncheck()
    expect(page.get_by_role("slider", name="Volume")).to_be_disabled()
