"""Kept games are found, shown, resumed and deleted; two terminals at one game notice each other."""

import io
import json
import os
from pathlib import Path

import pytest

from at_the_terminal import Pty, environment, one_line, refused, sit, told
from sunglade import BadRequest, Game, Rules
from sunglade.cli import main
from sunglade.terminal import kept, store
from sunglade.terminal_folder import games_folder

pytestmark = pytest.mark.usefixtures("own_data_folder")


def keep(name: str, *actions: str, age: int, rounds: int = 18) -> Path:
    """A kept game, so many seconds old."""
    games_folder().mkdir(parents=True, exist_ok=True)
    path = games_folder() / f"{name}.json"
    Game(2, Rules(rounds=rounds), actions=actions, extra={"names": ["Ada", name]}).save(path)
    os.utime(path, (1e9 - age, 1e9 - age))
    return path


@pytest.fixture
def three() -> list[Path]:
    """The newest is over."""
    over = Game(2, Rules(rounds=1))
    while not over.over:
        over.play(over.legal[0])
    return [
        keep("2026-cedar", *over.actions, age=1, rounds=1),
        keep("2026-birch", "place a1", age=2),
        keep("2025-aspen", "place a2", age=3),
    ]


def test_games_are_listed_newest_first_with_folder_and_how_they_stand(
    three: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (games_folder() / "broken.json").write_text("{")
    os.utime(games_folder() / "broken.json", (1, 1))
    shown = told(capsys, "games")
    places = [shown.index(path.stem) for path in three]
    assert places == sorted(places)
    for words in ("set-up", "win", "Ada, 2026-birch", "cannot be read", str(games_folder())):
        assert words in one_line(shown), words
    listed = json.loads(told(capsys, "games", "--json"))
    assert [game["number"] for game in listed["games"]] == [1, 2, 3, 4]
    assert [game["over"] for game in listed["games"]] == [True, False, False, False]


def test_long_lists_say_how_many_they_leave_out(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(23):
        keep(f"game{number}", age=number)
    assert "3 older games are kept, too: --all lists them." in one_line(told(capsys, "games"))
    assert "older games" not in told(capsys, "games", "--all")


def test_names_in_the_list_can_be_copied(capsys: pytest.CaptureFixture[str]) -> None:
    name = store.Keeper().path.stem
    keep(name, age=1)
    assert name in told(capsys, "games")


def test_no_games_says_where_they_would_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"No game is kept in {games_folder()}." in told(capsys, "games")


def test_game_is_shown_by_number_and_by_name(three: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("2", "2026-birch", "2026-b"):
        assert "1 action played" in told(capsys, "games", "show", word)
    for words in (["games", "show", "2", "--json"], ["games", "--json", "show", "2"]):
        assert json.loads(told(capsys, *words))["file"] == str(three[1])


def test_colours_can_be_refused_before_and_after_the_verb(
    three: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    colours: list[bool | None] = []
    monkeypatch.setattr(kept, "show", lambda game, colour: colours.append(colour))
    for words in (["games", "show", "2"], ["games", "--no-color", "show", "2"], ["games", "show", "2", "--no-color"]):
        told(capsys, *words)
    assert colours == [None, False, False]


@pytest.mark.parametrize("verb", ["show", "delete"])
def test_help_says_what_the_verb_does(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["games", verb, "--help"])
    assert f"\n{verb.capitalize()} " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "said"),
    [("4", "numbers 1 to 3"), ("0", "numbers 1 to 3"), ("2026", "2 kept games"), ("oak", "no kept game has the name")],
)
def test_word_that_means_no_game_is_refused(
    word: str, said: str, three: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "games", "show", word)
    assert said in refused(capsys, "play", "--resume", word)


def test_resume_takes_number_name_or_nothing(three: list[Path]) -> None:
    found = [store.resumable(word).path for word in ("", "2", "2026-b", "3", "2025")]
    assert found == [three[1], three[1], three[1], three[2], three[2]]
    with pytest.raises(BadRequest, match="is over; `sunglade replay"):
        store.resumable("1")


def test_command_that_looks_back_can_be_typed_where_folders_have_spaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "my games"))
    over = Game(2, Rules(rounds=1))
    while not over.over:
        over.play(over.legal[0])
    path = keep("cedar", *over.actions, age=1, rounds=1)
    with pytest.raises(BadRequest) as refusal:
        store.resumable("1")
    assert f"replay '{path}'`" in refusal.value.message


def test_resumed_game_is_the_one_that_the_other_terminal_left(
    three: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take = store.Keeper.open

    def another_terminal_ends_first(keeper: store.Keeper) -> None:
        keep("2026-birch", "place a1", "place g4", age=2)
        take(keeper)

    monkeypatch.setattr(store.Keeper, "open", another_terminal_ends_first)
    monkeypatch.setattr("sys.stdin", io.StringIO("p a3\n"))
    told(capsys, "play", "--resume", "2")
    assert Game.load(three[1]).actions[:3] == ["place a1", "place g4", "place a3"]


def test_kept_game_that_is_loaded_as_a_file_goes_on_where_it_is_kept(
    three: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(games_folder())
    monkeypatch.setattr("sys.stdin", io.StringIO("p g4\nsave\n"))
    told(capsys, "play", "--load", three[1].name, "--seat", "human", "--seat", "human")
    assert Game.load(three[1]).actions == ["place a1", "place g4"]
    assert len(store.kept_games()) == 3


def test_kept_game_that_is_loaded_at_the_table_goes_on_where_it_is_kept(three: list[Path]) -> None:
    shown = sit(Game(players=2), "p a4", f"load {three[1]}", f"load {three[1]}", "p g4", "save", tty=True)
    assert "Say where: save FILE." in shown and "open in another terminal" not in shown
    assert Game.load(three[1]).actions == ["place a1", "place g4"]
    assert len(store.kept_games()) == 4
    assert not store.is_open(three[1])


def test_kept_game_that_another_terminal_plays_is_not_loaded_at_the_table(three: list[Path]) -> None:
    other = store.Keeper(three[1])
    other.open()
    game = Game(players=2)
    shown = sit(game, f"load {three[1]}", "p a4", tty=True)
    other.close()
    assert "is open in another terminal" in one_line(shown) and game.actions == ["place a4"]


def test_kept_game_that_cannot_be_loaded_is_left_to_others(three: list[Path]) -> None:
    three[1].write_text("{")
    sit(Game(players=2), f"load {three[1]}", tty=True)
    assert list((games_folder().parent / "open").iterdir()) == []


def test_file_elsewhere_is_not_written_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.json"
    Game(2).save(file)
    monkeypatch.setattr("sys.stdin", io.StringIO("p a1\n"))
    told(capsys, "play", "--load", str(file))
    assert Game.load(file).actions == [] and len(store.kept_games()) == 1


def test_deleting_is_for_those_named_and_asks(three: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert "say --yes" in refused(capsys, "games", "delete", "1")
    assert told(capsys, "games", "delete", "1", "2025-aspen", "1", "--yes").count("Deleted") == 2
    assert store.kept_games() == [three[1]]


@pytest.mark.parametrize(("answer", "left"), [("y", 2), ("n", 3), ("", 3), (None, 3)])
def test_only_a_yes_deletes(
    answer: str | None,
    left: int,
    three: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def answered(question: str) -> str:
        if answer is None:
            raise EOFError  # Ctrl+D
        return answer

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answered)
    assert ("Nothing was deleted." in told(capsys, "games", "delete", "1")) == (left == 3)
    assert len(store.kept_games()) == left


def test_game_open_in_another_terminal_is_neither_resumed_nor_deleted(
    three: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first = store.Keeper(three[1])
    first.open()
    assert "is open in another terminal" in refused(capsys, "play", "--resume", "2")
    assert "is open in another terminal" in refused(capsys, "play", "--load", str(three[1]))
    assert "is open in another terminal" in refused(capsys, "games", "delete", "2", "--yes")
    assert "set-up (open)" in one_line(told(capsys, "games"))
    first.close()
    assert list((games_folder().parent / "open").iterdir()) == []
    assert "(open)" not in one_line(told(capsys, "games"))
    assert "Deleted" in told(capsys, "games", "delete", "2", "--yes")


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.usefixtures("interruptible")
def test_second_terminal_is_told_and_the_first_goes_on(tmp_path: Path) -> None:
    own = environment(tmp_path)
    first = Pty(own, "--seed", "1")
    first.wait_for("First trees>")
    first.type("p a1\r")
    first.wait_for("Maple places a small tree")
    second = Pty(own, "--resume")
    second.wait_for("is open in another terminal")
    assert second.ended() == 2
    first.type("p a3\r")
    first.wait_for("light>")
    first.type("\x03")
    assert first.ended() == 130
    third = Pty(own, "--resume", "1")
    third.wait_for("light>")
    third.type("\x03")
    assert third.ended() == 130


def test_folder_that_cannot_be_written_is_told_before_the_first_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "file"))
    keeper = store.Keeper()
    keeper.open()
    shown = one_line(sit(Game(players=2), "p a1", keeper=keeper))
    assert "No game can be kept: cannot write in" in shown.partition("Ada places")[0]


def test_file_written_by_another_terminal_is_not_overwritten_unasked(tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    game = Game(players=2)
    shown = one_line(sit(game, f"save {file}", "p a1", "save", "p a2"))
    assert Game.load(file).actions == ["place a1"] and "somebody else" not in shown

    def other_terminal() -> str:
        Game(players=2, actions=["place a4", "place g1"]).save(file)
        return "save"

    shown = one_line(sit(Game(players=2), f"load {file}", other_terminal))
    assert "was changed by somebody else" in shown
    assert Game.load(file).actions == ["place a4", "place g1"]
