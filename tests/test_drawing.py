"""Drawings tell the whole position, as text without colour, as text with colour, and as a picture."""

import itertools
import random
import re
import xml.etree.ElementTree as ET

import pytest

from positions import turn
from sunglade import Game, Rules, board, bots, drawing, kernel, plain_text
from sunglade.drawing import as_text, flora
from sunglade.drawing.cards import WIDTH
from sunglade.drawing.legend import legend
from sunglade.drawing.scene import Scene
from sunglade.forecast import sunlight
from sunglade.notation import SEATS
from sunglade.words import ENGLISH, codes, speech

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
ALL_MODULES = ["moon", "elder", "stones"]
MODULE_SETS = [list(some) for count in range(4) for some in itertools.combinations(ALL_MODULES, count)]


def random_game(players: int = 2, modules: list[str] | None = None, rounds: int = 9, seed: int = 1) -> Game:
    """A game played at random up to a round."""
    game = Game(players, Rules(modules=modules or []), seed=seed)
    choose = random.Random(seed).choice
    while not game.over and game.round < rounds:
        game.play(choose(game.legal))
    return game


def phases() -> list[Game]:
    """A position of every phase."""
    found: dict[str, Game] = {}
    game = Game(3, Rules(modules=ALL_MODULES, rounds=2), seed=1)
    choose = random.Random(1).choice
    while not game.over:
        found.setdefault(game.phase, game.fork())
        game.play(choose(game.legal))
    found["over"] = game
    assert len(found) == 7
    return list(found.values())


def cell(text: str, space: str) -> str:
    """The two lines of a space, one after the other, as the plain drawing has them."""
    lines = text.split("\n")
    y, x = next((y, line.index(f"|{space}")) for y, line in enumerate(lines) if f"|{space}" in line)
    return f"{lines[y][x + 1 : x + 8]}/{lines[y + 1][x + 1 : x + 8]}"


# Text


@pytest.mark.parametrize("modules", MODULE_SETS, ids=lambda modules: "+".join(modules) or "base")
def test_plain_text_shows_every_piece_and_its_light(modules: list[str]) -> None:
    game = random_game(4, modules)
    text = drawing.text(game.record)
    for space in Scene(game.record).spaces:
        shown = cell(text, space.name)
        if space.owner is not None:
            assert f"/{SEATS[space.owner]}{space.size or '.'}" in shown
        if space.is_tree:
            assert ("▒0" if space.shaded else f"+{space.light}") in shown
        assert ("*" in shown) == space.activated
        assert shown.endswith(")") == space.lit
        assert ("ELDER" in shown) == space.elder and ("STONE" in shown) == space.stone
        assert shown[2:4].count(".") + 2 * shown[2:4].count(":") == space.leaves


def test_plain_text_shows_animals_dam_and_babies_on_one_space() -> None:
    game = turn("a1:A2", animals="beaver@a1 turtle@e4", dam="a1 a2 b2", face_down="a1 a4", activated="a1")
    text = drawing.text(game.record)
    assert cell(text, "a1").rstrip(")").rstrip() == "a1.=bea/A2+2*?"
    assert cell(text, "b2").startswith("b2:=")
    assert "tur" in cell(text, "e4")


def test_light_and_shade_are_the_kernel_s() -> None:
    game = random_game(4, rounds=12)
    scene = Scene(game.now)
    shaded = {space.name: space.shaded_by for space in scene.spaces if space.is_tree and space.shaded}
    assert shaded == sunlight(game.now).shaded
    dark = kernel.shadows(game.now, game.now.sun)
    for p in range(4):
        assert sum(s.light for s in scene.spaces if s.owner == p) == kernel.income(game.now, p, dark)


@pytest.mark.parametrize(("sun", "label"), list(enumerate(["SUN ↘", "SUN ↙", "SUN ←", "SUN ↖", "SUN ↗", "SUN →"])))
def test_sun_stands_outside_its_corner(sun: int, label: str) -> None:
    lines = drawing.text(turn("a1:A1", sun=sun).record).split("\n")
    corner = board.NAMES[board.SUN_CORNERS[sun]]
    at = next(y for y, line in enumerate(lines) if label in line)
    row = next(y for y, line in enumerate(lines) if f"|{corner}" in line)
    assert at - row in ((-1,) if sun < 2 else (2,) if sun in (3, 4) else (0,))


@pytest.mark.parametrize("game", phases(), ids=lambda game: game.phase)
def test_text_fits_eighty_columns_in_every_phase(game: Game) -> None:
    plain = drawing.text(game.record, names=["A name that is far too long for a table"] * game.players)
    assert max(map(len, plain.split("\n")[1:])) <= 80


def test_colour_adds_nothing_but_colour() -> None:
    game = random_game(4, ALL_MODULES)
    coloured = drawing.text(game.record, colour=True)
    assert ESCAPES.search(coloured)
    plain = drawing.text(game.record)
    assert not ESCAPES.search(plain)
    words = [re.sub(r"[|\s]+", " ", text) for text in (ESCAPES.sub("", coloured), plain)]
    assert words[0] == words[1]


def test_player_boards_show_gaps_and_pieces_that_must_wait() -> None:
    game = turn("a1:A1", light=9, edition="es", slots={"A small": "x.x."})
    game.play("buy seed")
    text = drawing.text(game.record)
    assert "| 2 3 " in text
    assert "usable from the next turn on (1×seed)" in text


def test_print_draws_the_board() -> None:
    game = Game(players=2)
    assert str(game) == drawing.text(game.record)
    assert "Set-up · 18 rounds" in str(game)


def test_clock_counts_revolutions_and_rounds() -> None:
    assert "Revolution 2 of 3 · Round 9 of 18" in str(turn(round=9))
    assert "Revolution 3 of 3 · Round 19 of 19" in str(turn(round=19, edition="it"))


# Pictures


def parsed(svg: str) -> ET.Element:
    """The picture as XML; a mistake in it fails the test."""
    return ET.fromstring(svg)


def test_every_phase_gives_a_well_formed_picture_with_a_title() -> None:
    for game in phases():
        root = parsed(drawing.svg(game.record))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].tag.endswith("title") and "Sunglade" in (root[0].text or "")
        assert root.get("role") == "img"


@pytest.mark.parametrize("modules", MODULE_SETS, ids=lambda modules: "+".join(modules) or "base")
def test_picture_names_every_space_and_its_piece(modules: list[str]) -> None:
    game = random_game(3, modules)
    titles = {title.text for title in parsed(drawing.svg(game.record)).iter("{http://www.w3.org/2000/svg}title")}
    scene = Scene(game.record)
    assert {scene.describe(space) for space in scene.spaces} <= titles


@pytest.mark.parametrize("language", codes())
def test_a_picture_speaks_one_language_and_its_legend_stays_in_its_card(language: str) -> None:
    """Letters are at most 0.62 of their size wide, on average, in the fonts that are asked for."""
    game = random_game(3, ["moon"])
    speech.speak(language)
    drawn = legend(Scene(game.now))
    told = re.findall(r'<text[^>]*font-size="11"[^>]*>([^<]+)</text>', drawn)
    assert len(told) == 8
    assert max(map(len, told)) * 11 * 0.62 <= WIDTH - 46
    picture = game._repr_svg_()
    for word in ("on turn", "first player", "moonlit", "sun at", "dam", "price to buy", "crescent"):
        assert language == ENGLISH or not re.search(rf">[^<]*\b{word}\b", picture)


def test_picture_has_no_script_and_no_outside_reference() -> None:
    svg = drawing.svg(random_game(4, ALL_MODULES).record).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"script|https?:|xlink|data:", svg)
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(ids)


def test_names_with_markup_do_no_harm() -> None:
    names = ["<b>&\"'", "]]>"]
    root = parsed(drawing.svg(random_game().record, names=names))
    assert names[0] in {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}


def test_species_differ_by_shape_not_only_by_colour() -> None:
    for size in range(4):
        shapes = {re.sub(r"#[0-9a-f]{6}", "", flora.piece(seat, size)) for seat in range(4)}
        assert len(shapes) == 4


def test_notebooks_show_the_picture() -> None:
    game = Game(players=2)
    assert game._repr_svg_() == drawing.svg(game.record)


def test_drawings_never_tell_a_face_down_baby() -> None:
    """M-SETUP-4: two deals that differ only in what nobody has seen look the same."""
    game = Game(2, Rules(modules=["moon"]), deal={"animals": [["turtle", "owl"], ["fox", "boar"]]})
    for line in ("draft turtle", "draft fox", "animal c3", "animal c4"):
        game.play(line)
    other = game.determinised(5)
    assert other.record.babies != game.record.babies
    assert drawing.text(other.record) == drawing.text(game.record)
    assert drawing.svg(other.record) == drawing.svg(game.record)


@pytest.mark.parametrize("language", codes())
def test_labels_on_the_rim_are_whole_wherever_sun_and_moon_stand(language: str) -> None:
    """Also where a terminal lacks arrows: rows stay where they are."""
    plain_text.register()
    speech.speak(language)
    game, bot = Game(2, Rules(modules=["moon"], rounds=18), seed=1), bots.make("greedy", seed=1)
    while not game.over:
        sun, moon = (speech.tell(name).upper() for name in ("term.sun", "terminal.moon"))
        lines = as_text.board_lines(Scene(game.now), tokens=False)
        drawn = "\n".join(lines)
        assert re.search(f"{sun} ?[{''.join(as_text.ARROWS)}]", drawn) and re.search(rf"{moon} ?[O)]", drawn)
        assert speech.tell("terminal.board.next") in drawn
        encoding = "utf-8" if language in ("he", "ru", "ro") else "latin-1"
        assert [len(line.encode(encoding, plain_text.NAME).decode(encoding)) for line in lines] == [*map(len, lines)]
        now = game.round
        while not game.over and game.round == now:
            game.play(bot.act(game, 1))
