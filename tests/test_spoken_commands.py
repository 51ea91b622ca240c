"""What a player meets around the table is told in the language that was chosen: files, games, options, help."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from at_the_terminal import Pty, environment, one_line
from sunglade import BadRequest, Game, Rules
from sunglade.cli import main
from sunglade.terminal import store
from sunglade.terminal_folder import games_folder
from sunglade.words import ENGLISH, catalogue, languages, speech
from sunglade.words.keys import Key

RUN = [sys.executable, "-m", "sunglade"]
GERMAN, HEBREW = "de_DE.UTF-8", "he"

pytestmark = pytest.mark.usefixtures("own_data_folder")


@pytest.fixture(autouse=True)
def system_that_names_no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in speech.VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game, one of another version, one that is damaged; a game that is kept and over."""
    monkeypatch.chdir(tmp_path)
    game = Game(2, Rules(rounds=1))
    while not game.over:
        game.play(game.legal[0])
    game.save("over.json")
    Path("later.json").write_text(game.to_json().replace("sunglade/1", "sunglade/9"))
    Path("broken.json").write_text("{")
    Path("cheat.json").write_text(
        Game(2, actions=["place a1"]).to_json().replace('"place a1"', '"place a1", "place a1"')
    )
    games_folder().mkdir(parents=True)
    game.save(games_folder() / "cedar.json")
    return tmp_path


REFUSED = [
    ("replay none.json", "'none.json' ist nicht lesbar: Datei oder Ordner gibt es nicht.", "אין קובץ או תיקייה כאלה"),
    ("replay broken.json", "broken.json: kein JSON: Zeile 1, Spalte 2", "broken.json: זה לא JSON: שורה 1, עמודה 2"),
    ("play --load later.json", "Die Datei ist von einer anderen Version.", "הקובץ מגרסה אחרת."),
    ("show cheat.json", "cheat.json: actions[1] 'place a1': a1 ist nicht leer.", "המיקום a1 אינו ריק."),
    ("replay over.json --at 999", "also geht --at von 0 bis", "ולכן --at הוא בין 0 ל־"),
    ("games show 7", "haben die Nummern 1 bis 1, nicht 7; siehe `", "מספרי המשחקים השמורים הם 1 עד 1, לא 7"),
    ("games show oak", "keine aufbewahrte Partie heißt 'oak'", "אין משחק שמור בשם 'oak'"),
    ("games delete 1", "ohne Terminal gib --yes an", "בלי מסוף יש להוסיף --yes"),
    ("play --resume", "es gibt keine unbeendete Partie; `", "אין משחק שלא הסתיים"),
    ("play --resume cedar", "die Partie cedar ist zu Ende; `", "המשחק cedar הסתיים"),
    ("play --resume --players 3", "--players lässt sich nicht ändern.", "אי אפשר לשנות את --players."),
    ("play --players 9", "players muss von 2 bis 4 sein, nicht 9.", "players חייב להיות בין 2 ל־4, לא 9."),
    ("play --players two", "'two' ist keine ganze Zahl; siehe `sunglade play --help`.", "'two' אינו מספר שלם"),
    ("play --edition dee", "--edition muss eines von us, us1", "--edition: הערך חייב להיות אחד מאלה: us, us1"),
    ("play --modules sun", "oder `all` oder `none` sein, nicht ['sun'].", "או `all` או `none`, לא ['sun']."),
    ("play --moonstones 2", "gehört zum Modul stones, das nicht gespielt wird", "שייך למודול stones"),
    ("play --light-cap many", "ist weder eine ganze Zahl noch none", "אינו מספר שלם וגם לא none"),
    ("play --bot gredy", "weder einen Bot noch ein Programm 'gredy' gibt es", "אין בוט ואין תוכנית בשם 'gredy'"),
    ("play --bot search:ms=0", "ms muss von 1 bis", "ms חייב להיות בין 1 ל־"),
    ("play --bto elder", "sunglade play kennt '--bto' nicht; siehe `", "sunglade play לא מקבל את '--bto'"),
    ("play --players", "Angabe --players: ein Wert fehlt; siehe `", "--players: חסר ערך"),
    ("gmaes", "'gmaes' gibt es nicht (zur Wahl stehen", "אין 'gmaes' (אפשר לבחור:"),
    ("replay", "es fehlt: DATEI; siehe `sunglade replay --help`.", "חסר: FILE"),
    ("show", "show braucht eine Datei oder --position", "show צריך קובץ או --position"),
    ("analyse over.json --top -1", "--top muss eine ganze Zahl ab 0 sein", "--top חייב להיות מספר שלם"),
]


Answered = Callable[[str, int], tuple[str, str]]


@pytest.fixture
def answered(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Answered:
    """What a line is answered in German, which the system speaks, and in Hebrew, which the line asks for.

    Of a line that is refused, what is told on standard error counts; else what is shown.
    """
    kept = games_folder() / "cedar.json"
    text = kept.read_text()

    def said(arguments: list[str], status: int) -> str:
        assert main(arguments) == status
        told = capsys.readouterr()
        return told.err if status else told.out

    def answer(typed: str, status: int) -> tuple[str, str]:
        hebrew = said(["--language", HEBREW, *typed.split()], status)
        kept.write_text(text)  # one of the lines deletes it
        monkeypatch.setenv("LANG", GERMAN)
        return said(typed.split(), status), hebrew

    return answer


@pytest.mark.parametrize(("typed", "german", "hebrew"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_wrong_is_told_in_the_chosen_language(typed: str, german: str, hebrew: str, answered: Answered) -> None:
    in_german, in_hebrew = answered(typed, 2)
    assert hebrew in in_hebrew
    assert german in in_german


TOLD = [
    ("", "Bäume im Wettlauf ums Licht", "עצים מתחרים על האור"),
    ("games", "zuletzt gespielt Spieler Stand Name", "שוחק לאחרונה שחקנים מצב שם"),
    ("games show 1", "Aufbewahrt in ", "נשמר בקובץ "),
    ("games delete 1 --yes", "cedar ist gelöscht.", "cedar: נמחק."),
    ("replay over.json", "Schritt 0 von 6: der Anfang.", "צעד 0 מתוך 6: ההתחלה."),
    ("config", "# dein Name am Tisch", "# השם שלך בשולחן"),
    ("show over.json --svg board.svg", "Gezeichnet in board.svg.", "צויר בקובץ board.svg."),
]


@pytest.mark.parametrize(("typed", "german", "hebrew"), TOLD, ids=[row[0] for row in TOLD])
def test_what_is_shown_is_told_in_the_chosen_language(typed: str, german: str, hebrew: str, answered: Answered) -> None:
    in_german, in_hebrew = answered(typed, 0)
    assert hebrew in one_line(in_hebrew)
    assert german in one_line(in_german)


VERBS = [(), ("play",), ("games",), ("games", "show"), ("games", "delete"), ("replay",), ("show",), ("editions",)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("verb", [*VERBS, ("analyse",), ("config",)], ids=" ".join)
def test_help_is_in_the_language_from_its_first_word_on(
    verb: tuple[str, ...], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--language", language, *verb, "--help"])
    shown = capsys.readouterr().out
    headings: list[Key] = ["terminal.usage.usage", "terminal.usage.options", "terminal.usage.help"]
    for heading in headings:
        assert catalogue(language).tell(heading) in shown
    if language != ENGLISH:
        assert "show this help" not in shown and "usage: " not in shown and "options:" not in shown.lower()


@pytest.mark.parametrize(
    "verb", ["serve", "site", "tables", "tables backup", "arena", "evaluate", "engine", "bench", "warm"]
)
def test_help_for_operators_and_programs_is_english(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--language", HEBREW, *verb.split(), "--help"])
    shown = capsys.readouterr().out
    assert shown.startswith("usage: ") and not speech.is_right_to_left(shown)


def test_the_manual_page_is_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    english = capsys.readouterr().out
    assert main(["--language", HEBREW, "man"]) == 0
    assert capsys.readouterr().out == english


def test_python_is_told_in_english_whatever_the_system_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", GERMAN)
    with pytest.raises(BadRequest, match=r"cannot read 'none\.json': No such file or directory\."):
        Game.load("none.json")


@pytest.mark.parametrize(
    ("language", "said"), [("de", "kann nicht geschrieben werden"), ("he", "אי אפשר לכתוב בתיקייה")]
)
def test_folder_that_cannot_be_written_is_told_at_the_start(language: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    own = environment(tmp_path) | {"SUNGLADE_DATA": str(tmp_path / "file" / "below")}
    command = [*RUN, "--language", language, "play", "--seat", "human", "--seat", "human"]
    done = subprocess.run(command, input="", capture_output=True, text=True, encoding="utf-8", env=own)
    assert done.returncode == 0 and said in one_line(done.stdout), done.stdout + done.stderr


@pytest.mark.parametrize(("system", "said"), [(GERMAN, "in einem anderen Terminal offen"), ("he_IL.UTF-8", "cedar")])
def test_game_that_another_terminal_plays_is_told_by_a_process_of_its_own(
    system: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path))
    games_folder().mkdir(parents=True)
    path = games_folder() / "cedar.json"
    Game(2, actions=["place a1"]).save(path)
    here = store.Keeper(path)
    here.open()
    own = environment(tmp_path, LC_ALL=system)
    done = subprocess.run([*RUN, "play", "--resume"], capture_output=True, text=True, encoding="utf-8", env=own)
    here.close()
    assert done.returncode == 2 and said in one_line(done.stderr), done.stderr
    assert os.linesep not in done.stderr.strip() and "open in another" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals")
@pytest.mark.parametrize(
    ("language", "answer", "left"), [("de", "n", 1), ("de", "j", 0), ("he", "ל", 1), ("he", "כ", 0)]
)
def test_deleting_is_agreed_to_in_ones_own_letters(
    language: str, answer: str, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path))
    games_folder().mkdir(parents=True)
    Game(2, actions=["place a1"]).save(games_folder() / "cedar.json")
    terminal = Pty(environment(tmp_path), "games", "delete", "1", command=[*RUN, "--language", language])
    terminal.wait_for("?")
    terminal.type(f"{answer}\n")
    assert terminal.ended() == 0
    assert len(store.kept_games()) == left
