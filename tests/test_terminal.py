"""The game at the terminal: what can be typed, what is asked back, and that nothing is lost."""

import io
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from at_the_terminal import HOT_SEAT, STOP, Pty, Typist, environment, one_line, paper, piped, sit
from positions import turn
from sunglade import BadRequest, Game, Rules, bots, names
from sunglade.terminal import seats, seats_of, store
from sunglade.terminal.parse import meaning
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.reader import next_words
from sunglade.terminal.replaying import Film
from sunglade.terminal.screen import turn_view
from sunglade.terminal.seats import remember
from sunglade.terminal.session import Session
from sunglade.terminal_folder import games_folder
from sunglade.words import speech

pytestmark = pytest.mark.usefixtures("own_data_folder")

# What can be typed


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("grow a1", "grow a1"),
        ("g a1", "grow a1"),
        ("GROW  A1", "grow a1"),
        ("p a1 b1", "plant a1 b1"),
        ("p a1->b1", "plant a1 b1"),
        ("plant a1, b1", "plant a1 b1"),
        ("b see", "buy seed"),
        ("b l", "buy large"),
        ("c d4", "collect d4"),
        ("e", "end"),
        ("0", "end"),
        ("s c4", "step c4"),
        ("hunt 1", "owl.hunt 1"),
        ("owl.hunt 3", "owl.hunt 3"),
        ("h 2", "owl.hunt 2"),
    ],
)
def test_short_forms(typed: str, line: str) -> None:
    game = turn("a1:A1 d4:A3", light=9, animals="owl@c3 fox@e4", lunar=14)
    assert meaning(typed, game).line == line


@pytest.mark.parametrize(
    ("typed", "line"), [("a1", "place a1"), ("place a1", "place a1"), ("p a1", "place a1"), ("1", "place a2")]
)
def test_verbs_may_be_left_out_in_the_set_up(typed: str, line: str) -> None:
    assert meaning(typed, Game(players=2)).line == line


def test_animal_is_drafted_by_its_name() -> None:
    game = Game(2, Rules(modules=["moon"]), deal={"animals": [["fox", "owl"], ["boar", "turtle"]]})
    assert meaning("owl", game).line == "draft owl"
    assert meaning("f", game).line == "draft fox"


def test_exact_words_beat_longer_ones() -> None:
    game = turn("c3:A3 a1:B1", animals="boar@c3 fox@e4", lunar=14, available={"A seed": 1})
    assert meaning("dig", game).line == "boar.dig"
    assert meaning("dig2", game).line == "boar.dig2"


def test_unclear_words_are_listed() -> None:
    shown = sit(turn("a1:A1", light=5), "b s", "b")
    assert "That could be: buy seed, buy small." in shown


def test_tab_completes_word_by_word() -> None:
    lines = ["plant a1 b1", "plant a1 b2", "plant c1 b2", "place a1", "end"]
    assert list(next_words("pl", lines)) == ["place ", "plant "]
    assert list(next_words("plant ", lines)) == ["a1 ", "c1 "]
    assert list(next_words("plant a1 b", lines)) == ["b1", "b2"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("grow a1", "This costs 2 light points and you have 1."),
        ("why grow a1", "This costs 2 light points and you have 1."),
        ("why end", "end is possible now."),
        ("why", "Ask like this: why grow c3."),
        ("grow z9", "'z9' is not a space"),
        ("a9", "'a9' is not a space"),
        ("9999", "There is no action number 9999."),
        ("xyzzy", "'xyzzy' is nothing that can be done here."),
        ("plant", "such actions look like"),
        ("[bold]x", "'[bold]x' is nothing"),
        ("\x00\x1b²", "'²' is nothing"),
        ("save", "Say where: save FILE."),
        ("load", "Say what: load FILE."),
        ("load no such file", "no such file"),
        ("redo", "There is nothing to redo."),
        ("undo", "There is nothing to take back in this turn."),
        ("restart", "There is nothing to take back in this turn."),
        ("d4", "d4, 4 leaves, empty."),
        ("a1", "Here you can: plant a1 a2"),
    ],
)
def test_wrong_words_get_a_sentence_and_the_game_goes_on(typed: str, told: str) -> None:
    shown = one_line(sit(turn("a1:A1 g4:B1", light=1), typed, "end"))
    assert told in shown
    assert "Ada ends the turn." in shown


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("c2", "Your first trees go on the edge of the board"),
        ("p c2", "Your first trees go on the edge of the board"),
        ("why c2", "Your first trees go on the edge of the board"),
        ("e", "You can’t do that now (First trees)."),
        ("s c4", "You can’t do that now (First trees)."),
        ("grow c3", "You can’t do that now (First trees)."),
    ],
)
def test_what_cannot_be_done_while_placing_is_told(typed: str, told: str) -> None:
    shown = one_line(sit(Game(players=2), typed))
    assert told in shown
    assert "That could be" not in shown and "is written" not in shown


@pytest.mark.parametrize("typed", ["boar", "TURTLE", "draft boar", "boa"])
def test_animal_that_was_not_dealt_is_told(typed: str) -> None:
    game = Game(2, Rules(modules=["moon"]), deal={"animals": [["fox", "owl"], ["boar", "turtle"]]})
    assert "You weren’t dealt this animal." in one_line(sit(game, typed))


def test_wrong_space_for_an_animal_is_told() -> None:
    game = Game(2, Rules(modules=["moon"]), seed=1)
    while game.phase == "draft":
        game.play(game.legal[0])
    assert "Animals start on spaces with 3 leaves." in one_line(sit(game, "a1"))


@pytest.mark.parametrize(
    ("space", "told"),
    [
        ("g4", "small tree (Bo), in the sun, 1 light point. Nothing to do here. You have nothing on g4."),
        ("g1", "empty. Nothing to do here. No tree of yours throws a seed that far."),
        ("a1", "Nothing to do here. This costs 2 light points and you have 0."),
    ],
)
def test_space_where_nothing_can_be_done_says_why(space: str, told: str) -> None:
    for typed in (space, f"why {space}"):
        assert told in one_line(sit(turn("a1:A1 g4:B1", light=0), typed))


LOW = 24


def low_screen(game: Game, news: list[str]) -> list[str]:
    """The lines of a screen of 24 lines above the prompt."""
    shown = io.StringIO()
    console = paper(shown, height=LOW)
    names = [f"Somebody with a name {p}"[:20] for p in range(game.players)]
    console.print(turn_view(console, game, names, news))
    return shown.getvalue().rstrip("\n").split("\n")


@pytest.mark.slow
@pytest.mark.parametrize("modules", [[], ["moon"], ["moon", "elder", "stones"]], ids=["base", "moon", "all"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_clock_and_choices_fit_on_24_lines(players: int, modules: list[str]) -> None:
    game = Game(players, Rules(modules=modules), seed=11)
    bot = bots.make("greedy", seed=11)
    phases = set()
    while not game.over:
        lines = low_screen(game, ["Somebody did something that takes long to tell. " * 5])
        assert len(lines) < LOW
        assert lines[0].startswith(("Set-up", "Revolution", "Round ")) and "…" not in lines[0]
        assert any(line.startswith("You can: ") for line in lines[-4:])
        if game.phase != "turn":
            assert lines[-1].startswith("You can: ")
            assert game.phase != "draft" or all(line.split()[1] in lines[-1] for line in game.legal)
        phases.add(game.phase)
        game.play(bot.act(game, 1))
    assert phases >= {"placing", "turn"} | ({"draft", "animals"} if modules else set())
    assert "stones" in phases or "stones" not in modules or players == 4


def test_every_question_has_an_answer() -> None:
    game = Game(2, Rules(modules=["moon", "elder", "stones"]), seed=1)
    bot = bots.make("greedy", seed=1)
    while game.round < 5:
        game.play(bot.act(game, 1))
    for tty, width in ((False, 80), (True, 80), (True, 130)):
        shown = sit(game, "?", "l", "f", "score", "log", "legend", "animals", "board", "", "c3", tty=tty, width=width)
        for word in ("collect c3", "Buy", "Moon", "Tokens", "— Round 5", "Used this turn", "lunar"):
            assert word in shown
        assert max(len(line) for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).split("\n")) <= width + 1


# What is asked back


def test_light_that_would_be_lost_is_told_before_it_is() -> None:
    """R-LIGHT-4."""
    game = turn("a1:A3 g4:A2 d4:B1", light=18)
    shown = one_line(sit(game, "end", "n", "end", "end"))
    assert "Next round 3 light points would go over your limit and be lost. End your turn?" in shown
    assert shown.count("Ada ends the turn.") == 1


def test_no_warning_where_there_is_no_cap_or_no_next_round() -> None:
    for game in (turn("a1:A3", light=18, edition="eu"), turn("a1:A3", light=18, round=18)):
        assert "lost" not in sit(game, "end")


def test_piece_that_would_leave_the_game_is_asked_about_once() -> None:
    """R-ACT-4: the small column of the player board is full."""
    game = turn("a1:A1 g4:B1", light=4, available={"A medium": 1}, slots={"A small": "xxxx"})
    shown = one_line(sit(game, "g a1", "y"))
    assert "The small tree has no free slot and would be lost. Do it anyway?" in shown
    assert "into a medium tree (2 light, lost: small tree)" in shown


def test_open_question_is_answered_before_anything_else_happens() -> None:
    game = turn("a1:A1 g4:B1", light=4, available={"A medium": 1}, slots={"A small": "xxxx"})
    shown = one_line(sit(game, "g a1", "end", "buy seed", "undo", "save x", "load x", "quit", ""))
    assert game.actions == []
    assert shown.count("Do it anyway? (first: y or n)") == 7
    sit(game, "g a1", "score", "forecast", "y")
    assert game.actions == ["grow a1"]


def test_missing_piece_is_offered_together_with_the_action() -> None:
    game = turn("a1:A1 g4:B1", light=5, available={"A medium": 0}, slots={"A small": "xxx."})
    assert purchase_first(game, "grow a1") == ["buy medium", "grow a1"]
    shown = one_line(sit(game, "l", "g a1", "g a1"))
    assert "grow a1 medium (5 light)" in shown
    assert "No medium tree in your available area. Buy one, then grow a1? Together: 5 light." in shown
    assert game.actions == ["buy medium", "grow a1"]


def test_no_offer_where_bought_pieces_must_wait_or_light_is_short() -> None:
    none = {"A medium": 0}
    for game in (turn("a1:A1", light=5, available=none, edition="es"), turn("a1:A1", light=4, available=none)):
        assert purchase_first(game, "grow a1") is None
        assert "Buy one for 3" in sit(game, "g a1")


def test_preview_plays_nothing() -> None:
    game = turn("d4:A3 g4:B1", light=4, players=3)
    before = game.fork()
    what = preview(game, "collect d4")
    assert (what.light, what.points, what.lost) == (-4, 22, [])
    assert game == before


def test_no_is_a_quiet_answer() -> None:
    game = turn("a1:A1 g4:B1", light=4, available={"A medium": 1}, slots={"A small": "xxxx"})
    shown = sit(game, "g a1", "n")
    assert "Do it anyway?" in one_line(shown) and "nothing that can be done" not in shown
    assert game.actions == []


# Taking back


def test_undo_redo_and_restart_within_the_turn() -> None:
    game = turn("a1:A1 g4:B1", light=5)
    sit(game, "b seed", "b seed", "undo", "undo", "r", "p a1 b1", "restart")
    assert game.actions == []
    sit(game, "b seed", "u", "redo")
    assert game.actions == ["buy seed"]
    sit(game, "b seed", "p a1 b1", "undo 2")
    assert game.actions == ["buy seed"]
    sit(game, "b seed", "undo 9")
    assert game.actions == []


def test_undo_never_touches_another_turn() -> None:
    game = turn("a1:A1 g4:B1", light={"A": 3, "B": 3})
    shown = sit(game, "b seed", "end", "undo")
    assert "There is nothing to take back in this turn." in shown
    assert game.actions == ["buy seed", "end"]


def test_undo_stops_at_a_hatch() -> None:
    game = turn("a1:A1 g4:B1", animals="turtle@a4 fox@e4", lunar=9, light=3, face_down="a4 g4")
    shown = sit(game, "b seed", "hatch", "undo")
    assert "hatches a baby" in shown
    assert game.actions[-1] == "turtle.hatch"
    assert "nothing to take back" in shown


# Nothing is lost


def test_game_survives_an_interruption_and_is_resumed() -> None:
    with pytest.raises(KeyboardInterrupt):
        sit(Game(2, seed=3), "p a1", STOP)
    path, game, _ = store.unfinished()
    assert game.actions == ["place a1"]
    assert [seat.name for seat in seats_of(game)] == ["Ada", "Bo"]
    assert path.parent == games_folder()


def test_end_of_input_keeps_the_game() -> None:
    shown = sit(Game(players=2), "p a1", "p a2")
    assert "`sunglade play --resume` continues it" in shown
    assert store.unfinished()[1].actions == ["place a1", "place a2"]


def test_resume_passes_over_finished_and_damaged_games() -> None:
    sit(Game(players=2), "p a1")
    folder = games_folder()
    (folder / "broken.json").write_text("{")
    over = Game(2, Rules(rounds=1))
    while not over.over:
        over.play(over.legal[0])
    over.save(folder / "over.json")
    for name, age in (("broken.json", -10), ("over.json", -20)):
        os.utime(folder / name, (time.time() - age, time.time() - age))
    (folder / "dangling.json").symlink_to(folder / "nowhere")
    kept = store.unfinished()
    assert kept.game.actions == ["place a1"]
    assert len(kept.damaged) == 1 and "broken.json" in kept.damaged[0]


def test_no_kept_game_is_ever_removed() -> None:
    games_folder().mkdir(parents=True)
    for number in range(150):
        Game(players=2).save(games_folder() / f"{number}.json")
    assert len(store.kept_games()) == len(list(games_folder().iterdir())) == 150


def test_nothing_to_resume_is_said() -> None:
    with pytest.raises(BadRequest, match="no unfinished game"):
        store.unfinished()


def test_unwritable_folder_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "file"))
    game = Game(players=2)
    shown = sit(game, "p a1", "p a2", "log")
    during, _, goodbye = shown.partition("Ada places a small tree on a1.\nBo places")
    assert during.count("could not be kept") == goodbye.count("could not be kept") == 1
    assert game.actions == ["place a1", "place a2"]
    assert "is kept" not in sit(game, "p a4", f"load {_saved(tmp_path)}")


def _saved(folder: Path) -> Path:
    """A saved game without actions."""
    Game(players=2).save(folder / "saved.json")
    return folder / "saved.json"


def test_trouble_is_seen_once_on_a_low_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "file"))
    game = Game(4, Rules(modules=["moon"]), seed=11)
    shown = sit(game, "0", "0", "0", tty=True)
    assert shown.count("could not be kept") == 2  # after the first action, and when leaving


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    sit(Game(players=2, seed=5), "p a1", f"save {file}", "p a2", "save", "q", "y")
    assert Game.load(file).actions == ["place a1", "place a2"]
    shown = sit(Game(players=3), "p a4", f"load {file}", "log")
    assert "Ada places a small tree on a1." in shown


def test_save_remembers_only_what_was_written_and_overwrites_only_on_demand(tmp_path: Path) -> None:
    file = _saved(tmp_path)
    shown = one_line(sit(Game(players=2), "save no/such/folder/x", "save", "p a1", f"save {file}", "p a2"))
    assert "Say where: save FILE." in shown
    assert "exists already. `save! " in shown
    assert Game.load(file).actions == []
    for number, line in enumerate((f"save! {file}", f"save {file} yes"), start=1):
        sit(Game(players=2), "p a1", "p a2"[: 4 * (number - 1)], line)
        assert len(Game.load(file).actions) == number


def test_save_asks_at_a_terminal_before_it_overwrites(tmp_path: Path) -> None:
    file = _saved(tmp_path)
    sit(Game(players=2), "p a1", f"save {file}", "n", tty=True)
    assert Game.load(file).actions == []
    sit(Game(players=2), "p a1", f"save {file}", "y", tty=True)
    assert Game.load(file).actions == ["place a1"]


def test_load_tells_so_on_the_next_screen(tmp_path: Path) -> None:
    assert "Loaded" in sit(Game(players=2), f"load {_saved(tmp_path)}", tty=True)


def test_save_where_nothing_can_be_written_says_so() -> None:
    assert "Cannot write" in sit(Game(players=2), "p a1", "save no/such/folder/x", "p a2")


def test_quit_asks_only_when_something_is_unsaved(tmp_path: Path) -> None:
    assert "Leave?" not in sit(Game(players=2), f"save {tmp_path / 'g.json'}", "quit")
    game = Game(players=2)
    typist = Typist(["p a1", "quit", "n", "quit", "y", "p a2"])
    console = Console(file=io.StringIO())
    Session(game, seats(2, HOT_SEAT[:2], []), console, typist, store.Keeper()).run()
    assert ["Leave?" in question for question in typist.questions] == [False, False, True, False, True]
    assert game.actions == ["place a1"]


def test_quit_says_that_a_game_cannot_be_kept_and_enter_is_no_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "file"))
    game, typist = Game(players=2), Typist(["p a1", "quit", "", "p a2", "quit", "y", "p a4"])
    Session(game, seats(2, HOT_SEAT[:2], []), paper(io.StringIO()), typist, store.Keeper()).run()
    leave = [question for question in typist.questions if "Leave?" in question]
    assert len(leave) == 2 and all("This game could not be kept: " in question for question in leave)
    assert game.actions == ["place a1", "place a2"]


def test_game_taken_back_to_its_start_is_kept_so() -> None:
    sit(Game(players=2), "p a1", "undo", "quit", kinds=["human", "random"], tty=True)
    (file,) = games_folder().glob("*.json")
    assert Game.load(file).actions == []


def test_game_whose_bot_cannot_be_made_is_not_loaded_and_the_old_one_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "strange.json"
    Game(players=2, extra={"seats": ["human", "random:nodes=5"]}).save(file)
    before = file.read_bytes()
    game = Game(players=2)
    shown = sit(game, "p a1", f"load {file}", "p a3", "save", kinds=["human", "random"], tty=True)
    assert "Random does not search, so nodes cannot be set for it." in shown
    assert "Say where: save FILE." in shown and "Loaded" not in shown
    assert game.actions[::2][:2] == ["place a1", "place a3"]
    (kept,) = games_folder().glob("*.json")
    assert Game.load(kept).actions == game.actions and file.read_bytes() == before


def test_names_do_nothing_to_a_terminal() -> None:
    game = Game(3, extra={"names": ["\x1b[2JÄda", "x" * 50, "\x07\n"]})
    assert [seat.name for seat in seats_of(game)] == ["[2JÄda", "x" * 23 + "…", "Player C"]
    assert seats(2, [], ["\x1b]0;title\x07"])[0].name == "]0;title"


def test_hints_name_a_program_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", [".venv/bin/sunglade", "play"])
    assert store.command("play --resume") == f"{Path('.venv/bin/sunglade')} play --resume"
    assert " " not in store.Keeper().path.name


def test_only_chosen_names_are_kept_and_whole(tmp_path: Path) -> None:
    """What nobody chose is read in the reader's language, whoever wrote the file; a server writes none there."""
    game, long = Game(4), "Wilhelmina Maximiliane von Lichtenwald"
    speech.speak("ru")
    remember(game, seats(4, ["human"], [long], ["maple"]))
    game.save(tmp_path / "game.json")
    speech.speak("de")
    loaded = Game.load(tmp_path / "game.json")
    assert loaded.extra["names"] == [long, "", "", ""]
    assert [seat.name for seat in seats_of(loaded)] == ["Wilhelmina Maximiliane…", "Ahorn 1", "Ahorn 2", "Ahorn 3"]
    assert names.of_game(loaded.extra, 4) == [seat.name for seat in seats_of(loaded)]
    assert [names.shortened(f"Methusalem {number}", 11) for number in (1, 2)] == ["Methusal… 1", "Methusal… 2"]
    unnamed = Game(2, extra={"names": [None, "Bo"]})
    assert [seat.name for seat in seats_of(unnamed)] == ["Spieler A", "Bo"]


def test_programs_are_told_apart(tmp_path: Path) -> None:
    program = tmp_path / "my_bot.py"
    program.write_text("")
    opponents = [f"{sys.executable} {program}"] * 2
    assert [seat.name for seat in seats(3, [], ["Ada"], opponents)] == ["Ada", "My_bot 1", "My_bot 2"]


def test_seats_are_kept_with_the_game_and_strange_ones_become_people() -> None:
    game = Game(3, extra={"seats": ["greedy", "wizard"], "names": ["Ann", 7]})
    assert [(seat.kind, seat.name) for seat in seats_of(game)] == [
        ("greedy", "Ann"),
        ("human", "7"),
        ("human", "Player C"),
    ]


# Whole games


@pytest.mark.parametrize(
    ("modules", "players"), [([], 2), (["moon", "elder", "stones"], 4)], ids=["base", "all modules"]
)
@pytest.mark.parametrize("tty", [False, True], ids=["pipe", "terminal"])
def test_whole_game_against_bots_to_the_result(modules: list[str], players: int, tty: bool) -> None:
    game = Game(players, Rules(modules=modules, rounds=6), seed=8)
    adviser = bots.make("greedy", seed=8)
    shown = io.StringIO()
    console = paper(shown, tty=tty, colours="256" if tty else None)
    typist = Typist(lambda: "y" if session._question else adviser.act(game, 100))
    session = Session(game, seats(players, [], ["Ada"]), console, typist, store.Keeper())
    session.run()
    assert game.over
    text = shown.getvalue()
    assert "Look back with: sunglade replay" in one_line(text)
    assert re.search(r"wins|Shared win", text)
    assert "Maple" in text
    assert ("\x1b[" in text) == tty
    assert Game.load(next(games_folder().glob("*.json"))).over


def test_replay_steps_forth_and_back() -> None:
    game = Game(2, Rules(rounds=1))
    while not game.over:
        game.play(game.legal[0])
    film = Film(game, Console(file=io.StringIO()))
    assert film.last == 6
    moves = [("", 1), ("next", 2), ("b", 1), ("goto 4", 4), ("9", 6), ("back", 5), ("r", 6), ("nonsense", 6), ("0", 0)]
    number = 0
    for wish, expected in moves:
        number = film.follow(wish, number)
        assert number == expected


# The program itself


def test_piped_game_is_plain_text_and_can_be_resumed(tmp_path: Path) -> None:
    arguments = ["--seed", "1", "--name", "Ada", "--seat", "human", "--seat", "greedy"]
    shown = piped(tmp_path, "p a1\np a3\nforecast\nb small\nend\nq\n", *arguments)
    assert "\x1b" not in shown
    assert "Ada buys a small tree for 2 light points." in shown
    assert max(map(len, shown.split("\n"))) <= 80
    assert "Ada buys a small tree for 2 light points." in piped(tmp_path, "log\n", "--resume")
    (tmp_path / "games" / "newest.json").write_text("{")
    resumed = one_line(piped(tmp_path, "log\n", "--resume"))
    assert "A newer game could not be read" in resumed and "newest.json" in resumed
    assert "Ada buys a small tree for 2 light points." in resumed


def test_loaded_file_is_where_save_saves(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    Game(players=2, extra={"seats": ["human", "human"]}).save(file)
    piped(tmp_path, "p a1\nsave\n", "--load", str(file))
    assert Game.load(file).actions == ["place a1"]


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("no_color", [False, True], ids=["colour", "NO_COLOR"])
def test_game_on_a_terminal(tmp_path: Path, no_color: bool) -> None:
    game = Pty(environment(tmp_path, **({"NO_COLOR": "1"} if no_color else {})), "--seed", "1", "--name", "Ada")
    game.wait_for("First trees>")
    assert ("48;5;187" in game.shown) is not no_color
    assert ("|a1." in game.shown) is no_color
    game.type("pla\ta1\r")  # Tab completes the verb
    game.wait_for("Maple places a small tree")
    game.wait_for("First trees>")
    game.type("\x1b[A")  # the arrow key brings the line back
    game.wait_for("place a1")
    game.type("\x03p a3\r")  # clears the line first
    game.wait_for("light>")
    game.type("\x03")
    game.wait_for("sunglade: interrupted.")
    assert game.ended() == 130
    assert store_actions(tmp_path)[0::2] == ["place a1", "place a3"]


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.usefixtures("interruptible")
def test_screen_is_drawn_again_on_ctrl_l_and_when_the_window_changes(tmp_path: Path) -> None:
    game = Pty(environment(tmp_path), "--seed", "1", "--name", "Ada", "--no-color")
    game.wait_for("First trees>")
    game.type("p a\x0c")
    game.wait_for("Ada: First trees")
    game.wait_for_screen("First trees>")
    game.type("3\r")  # what was typed is still there
    game.wait_for("Maple places a small tree")
    game.wait_for_screen("First trees>")
    game.resize(130, 40)
    game.wait_for("Maple places a small tree")
    game.wait_for_screen("First trees>")
    game.type("\x03")
    assert game.ended() == 130
    assert store_actions(tmp_path)[0] == "place a3"


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_z_suspends_and_the_game_goes_on_after(tmp_path: Path) -> None:
    game = Pty(environment(tmp_path), "--seed", "1", "--name", "Ada", can_be_suspended=True)
    game.wait_for("First trees>")
    game.type("\x1a")
    assert os.WIFSTOPPED(os.waitpid(game.process.pid, os.WUNTRACED)[1])
    os.kill(game.process.pid, signal.SIGCONT)
    game.wait_for("First trees>")
    game.type("p a1\r")
    game.wait_for("Maple places a small tree")
    game.wait_for_screen("First trees>")
    game.type("\x03")
    assert game.ended() == 130


def store_actions(folder: Path) -> list[str]:
    """What the kept game holds."""
    (file,) = (folder / "games").glob("*.json")
    return Game.load(file).actions
