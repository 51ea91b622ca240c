"""Sets of games: they hold what was played and thought, are the same whenever made, and never half there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sunglade import BadRequest, Game, Rules, data
from sunglade.analysis import analyst
from sunglade.cli import main
from sunglade.data.columns import COLUMNS, column, read, write
from sunglade.data.folder import files_in, games_of
from sunglade.data.playing import play
from sunglade.envs import BatchEnv
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import MODULES

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "examples" / "games"
MOST_SAMPLE = 300_000
SHORT = Rules(rounds=2)
MOONLIGHT = Rules(rounds=2, modules=MODULES)
BOT = "search"
PLANS = st.builds(
    data.Plan,
    players=st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple),
    rules=st.sampled_from([SHORT, MOONLIGHT, Rules(edition="de", rounds=1)]),
    bot=st.just(BOT),
    nodes=st.integers(1, 40),
    seed=st.integers(0, 1000),
    explore=st.integers(0, 3),
    random_setup=st.booleans(),
)


@pytest.fixture(scope="module")
def short_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six short games with all modules, for two to four players."""
    folder = tmp_path_factory.mktemp("set")
    data.make_set(data.Plan((2, 3, 4), MOONLIGHT, BOT, nodes=30), 6, folder, quiet=True)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in files_in(folder)}


# What is in it


@given(plan=PLANS, number=st.integers(0, 50))
@settings(max_examples=20)
def test_a_game_holds_every_position_that_was_searched_and_what_the_search_said(plan: data.Plan, number: int) -> None:
    """Asked again in the same order, the same bot says the same."""
    found = data.Dataset(play(plan, number), [plan.to_dict()])
    bot = analyst(plan.bot, seed=plan.opening(number).bot_seed)
    searched = 0
    for ply, moment in enumerate(found.game(0).replay()):
        if moment.over or (plan.random_setup and moment.round == 0):
            continue
        thought = bot.think(moment.redacted(), nodes=plan.nodes)
        row, searched = searched, searched + 1
        batch = found.batch([row])
        assert found.columns["ply"][row] == ply and found.columns["mover"][row] == moment.player
        assert bytes(found.records[row]) == bytes(moment.now)
        assert set(np.flatnonzero(batch.masks[0])) == set(moment.legal_numbers)
        assert found.columns["value"][row, : moment.players] == pytest.approx(thought.value)
        visits = {ACTION_NUMBERS[line.action]: line.visits for line in thought.lines if line.visits}
        expected = {action: count / sum(visits.values()) for action, count in visits.items()}
        assert {int(action): batch.policies[0, action] for action in np.flatnonzero(batch.policies[0])} == (
            pytest.approx(expected)
        )
        played = found.game(0).actions[ply]
        assert played == thought.action if moment.round > plan.explore else ACTION_NUMBERS[played] in visits
    assert searched == len(found)


@given(plan=PLANS, number=st.integers(0, 50))
@settings(max_examples=25)
def test_results_are_those_of_the_game(plan: data.Plan, number: int) -> None:
    found = data.Dataset(play(plan, number), [plan.to_dict()])
    game = found.game(0)
    assert game.over and game.winners is not None
    points = found.columns["points"][0].tolist()
    assert points == [score.total for score in game.scores()] + [0] * (4 - game.players)
    shares, places = found.columns["share"][0], found.columns["place"][0]
    assert shares.sum() == pytest.approx(1)
    assert set(np.flatnonzero(shares)) == set(np.flatnonzero(places == 1)) == set(game.winners)
    assert np.count_nonzero(places) == game.players


def test_batches_show_what_environments_show_with_the_mover_first(short_set: Path) -> None:
    found = data.load(short_set)
    everything = found.batch()
    for row in range(0, len(found), 7):
        moment = found.position(row)
        assert moment.player is not None
        env = BatchEnv(1, players=moment.players, rules=moment.rules)
        env.set_game(0, moment)
        assert (everything.observations[row] == env.observations[0]).all()
        assert (everything.masks[row] == env.masks[0]).all()
        columns, game, seats = found.columns, found.game_of[row], moment.players
        order = [(moment.player + seat) % seats for seat in range(seats)]
        for seen, told in (
            (everything.values, columns["value"][row]),
            (everything.shares, columns["share"][game]),
            (everything.points, columns["points"][game]),
        ):
            assert seen[row].tolist() == [*told[order].tolist(), *[0] * (4 - seats)]
        assert everything.players[row] == seats


def test_one_pass_shows_every_position_once_in_an_order_that_the_seed_decides(short_set: Path) -> None:
    found = data.load(short_set)

    def passed(seed: int | None) -> list[bytes]:
        return [row.tobytes() for batch in found.batches(16, seed=seed) for row in batch.observations]

    in_order = [row.tobytes() for row in found.batch().observations]
    assert passed(None) == in_order and passed(1) == passed(1) != in_order
    assert sorted(passed(1)) == sorted(passed(2)) == sorted(in_order)
    with pytest.raises(BadRequest, match="at least one position"):
        next(found.batches(0))


def test_torch_would_take_every_array_as_it_is(short_set: Path) -> None:
    """Contiguous, writable and of kinds that PyTorch has; writing to one changes nothing else."""
    found = data.load(short_set)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch = found.batch([0, 3, 5])
    arrays: list[Any] = [getattr(batch, field.name) for field in fields(batch)]
    arrays += [array for array in found.columns.values() if array.dtype.kind != "S"]
    for array in arrays:
        assert array.flags.writeable and array.flags.c_contiguous
        assert array.dtype in (np.uint8, np.int8, np.int16, np.int32, np.int64, np.float32)
    batch.observations[:] = 7
    batch.values[:] = 7
    assert (found.batch([0]).observations != 7).any() and (found.columns["value"] != 7).all()


def test_sets_are_joined_in_the_order_given(short_set: Path, tmp_path: Path) -> None:
    data.make_set(data.Plan((2,), SHORT, BOT, nodes=5), 2, tmp_path / "other", quiet=True)
    both = data.load(short_set, *files_in(tmp_path / "other"))
    assert both.games == 8 and both.columns["number"].tolist() == [0, 1, 2, 3, 4, 5, 0, 1]
    assert len(both.records) == len(both) and both.game(7) == data.load(tmp_path / "other").game(1)


# The same whenever made


def test_the_same_plan_gives_the_same_bytes_however_it_is_made(short_set: Path, tmp_path: Path) -> None:
    """At once, one after the other, broken off in between, or on two processes."""
    plan = data.Plan((2, 3, 4), MOONLIGHT, BOT, nodes=30)
    for games in (1, 4, 6):
        data.make_set(plan, games, tmp_path / "parts", quiet=True)
    assert contents(tmp_path / "parts") == contents(short_set)
    data.make_set(plan, 6, tmp_path / "two", jobs=2, quiet=True)
    assert contents(tmp_path / "two") == contents(short_set)


def test_the_network_s_games_can_be_made_again(tmp_path: Path) -> None:
    plan = data.Plan((4,), MOONLIGHT, "neural", nodes=8)
    for folder in ("first", "second"):
        data.make_set(plan, 1, tmp_path / folder, quiet=True)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    assert data.load(tmp_path / "first").about[0]["network"]


def test_games_differ_from_each_other(short_set: Path) -> None:
    found = data.load(short_set)
    assert len({tuple(found.game(game).actions) for game in range(found.games)}) == found.games


def test_a_full_file_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sunglade.data.folder.GAMES_IN_A_FILE", 2)
    plan = data.Plan((2,), Rules(rounds=1), BOT, nodes=2)
    data.make_set(plan, 3, tmp_path, quiet=True)
    data.make_set(plan, 5, tmp_path, quiet=True)
    assert [file.name for file in files_in(tmp_path)] == [f"games-0000000{first}.npz" for first in (0, 2, 4)]
    assert data.load(tmp_path).columns["number"].tolist() == [0, 1, 2, 3, 4]


# Never half there


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
@pytest.mark.parametrize(("sign", "jobs"), [(signal.SIGKILL, 1), (signal.SIGINT, 2)])
def test_whatever_ends_it_files_can_be_read_and_it_goes_on(
    sign: signal.Signals, jobs: int, tmp_path: Path, interruptible: None
) -> None:
    options = f"--bot search --nodes 20 --players 2 --rounds 4 --jobs {jobs} --quiet".split()
    words = [sys.executable, "-m", "sunglade", "data", "make", str(tmp_path), *options]
    process = subprocess.Popen([*words, "--games", "5000"], stderr=subprocess.PIPE, text=True)
    while not files_in(tmp_path) or data.load(tmp_path).games < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(sign)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (-sign if sign is signal.SIGKILL else 130)
    assert errors == ("" if sign is signal.SIGKILL else "sunglade: interrupted.\n")
    there = data.load(tmp_path).games
    plan = data.Plan((2,), Rules(rounds=4), BOT, nodes=20)
    data.make_set(plan, min(there + 2, 100), tmp_path, quiet=True)
    found = data.load(tmp_path)
    assert found.games >= there and len(found.records) == len(found)
    assert found.game(1) == data.Dataset(play(plan, 1), []).game(0)


def test_a_disk_that_is_full_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = data.Plan((2,), SHORT, BOT, nodes=5)
    data.make_set(plan, 2, tmp_path, quiet=True)
    before = contents(tmp_path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadRequest, match="No space left"):
        data.make_set(plan, 3, tmp_path, quiet=True)
    assert contents(tmp_path) == before and len(list(tmp_path.iterdir())) == 2, "the file and its lock"


# What is refused


@given(cut=st.integers(0, 10_000), at=st.integers(0, 10_000), byte=st.integers(0, 255))
@settings(max_examples=60)
def test_a_damaged_file_is_told_in_one_sentence(
    cut: int, at: int, byte: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Cut off or with a wrong byte: it is read as it was, or refused."""
    file = tmp_path_factory.mktemp("damaged") / "games-00000000.npz"
    plan = data.Plan((2,), Rules(rounds=1), BOT, nodes=3)
    columns = play(plan, 0)
    write(file, columns, plan.to_dict())
    content = bytearray(file.read_bytes())
    content[at % len(content)] = byte
    for damaged in (content, content[: cut % len(content)]):
        file.write_bytes(damaged)
        try:
            found = data.load(file)
            found.records  # noqa: B018 - replayed
        except BadRequest as refused:
            assert "\n" not in refused.message
        else:
            assert all((found.columns[name] == columns[name]).all() for name in COLUMNS)


LIES: dict[str, tuple[str, Any]] = {
    "an action that is not legal": ("action", 1408),
    "an action that there is not": ("action", -5),
    "other points": ("points", 77),
    "another place": ("place", 3),
    "another share": ("share", 0.25),
    "another seat": ("mover", 3),
    "an action that could not be tried": ("tried", 1408),
    "no visit": ("visits", 0),
    "a value that is none": ("value", float("nan")),
    "positions out of order": ("ply", 30_000),
    "a wrong count": ("tried_count", 9),
    "a negative count": ("actions_count", -1),
    "rules that there are not": ("rules", b'{"edition": "xx"}'),
    "too many players": ("players", 9),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_the_rules_do_not_have_is_refused(lie: str, short_set: Path, tmp_path: Path) -> None:
    columns, about = read(files_in(short_set)[0])
    name, value = LIES[lie]
    columns[name] = columns[name].copy()
    columns[name][0] = value
    write(tmp_path / "games.npz", columns, about)
    with pytest.raises(BadRequest) as refused:
        data.load(tmp_path / "games.npz").records  # noqa: B018 - replayed
    assert "\n" not in refused.value.message


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_of_another_kind_or_length_is_refused(name: str, short_set: Path, tmp_path: Path) -> None:
    columns, about = read(files_in(short_set)[0])
    for wrong in (columns[name][:-1], columns[name].astype("U20"), np.array(3)):
        write(tmp_path / "games.npz", columns | {name: wrong}, about)
        with pytest.raises(BadRequest, match=r"games\.npz: "):
            data.load(tmp_path / "games.npz")


def test_another_format_and_other_archives_are_refused(short_set: Path, tmp_path: Path) -> None:
    columns, about = read(files_in(short_set)[0])
    write(tmp_path / "later.npz", columns, about | {"format": "sunglade-data/9"})
    np.savez(tmp_path / "other.npz", about=np.array(b"{}"))
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("later.npz", "other.npz", "array.npy"):
        with pytest.raises(BadRequest, match=name):
            data.load(tmp_path / name)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("check {set}/none", "cannot read"),
        ("check {empty}", "there are no games in"),
        ("make {empty}", "games must be a whole number from 1"),
        ("make {empty} --bot maple", "does not say what a position is worth"),
        ("make {empty} --bot nobody", "nobody"),
        ("make {empty} --players 5", "players must be from 2 to 4, not 5."),
        ("make {empty} --nodes 0", "nodes must be a whole number from 1"),
        ("make {empty} --seed -1", "seed must be a whole number from 0"),
        ("make {empty} --explore -1", "explore must be a whole number from 0"),
        ("make {empty} --jobs 0", "jobs must be a whole number from 1"),
        ("make {set} --bot search --nodes 31 --games 1", "made otherwise: players is [2, 3, 4] there, not [2]"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    words: str, told: str, short_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = ["--games", "0"] if words == "make {empty}" else []
    assert main(["data", *words.format(set=short_set, empty=tmp_path).split(), *last]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and errors.count("\n") == 1 and told in errors


def test_two_do_not_add_to_one_folder(tmp_path: Path) -> None:
    from sunglade.data.folder import Folder

    plan = data.Plan((2,), SHORT, BOT, nodes=5)
    with Folder(tmp_path, plan), pytest.raises(BadRequest, match="somebody else is adding"):
        data.make_set(plan, 1, tmp_path, quiet=True)


# What is documented


def test_the_page_tells_every_column() -> None:
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| `(.+?)` \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [
        (name, told.rows, f"{told.kind} × {told.width}" if told.width > 1 else told.kind, told.meaning)
        for name, told in COLUMNS.items()
    ]


def test_a_game_can_be_cut_out_of_its_file(short_set: Path) -> None:
    columns, _ = read(files_in(short_set)[0])
    games = games_of(columns)
    assert sum(len(game["tried"]) for game in games) == len(columns["tried"])
    assert [data.Dataset(game, []).game(0) for game in games] == list(map(data.load(short_set).game, range(6)))


def test_an_empty_column_keeps_its_shape() -> None:
    assert {name: column(name, []).shape for name in ("points", "ply")} == {"points": (0, 4), "ply": (0,)}


def test_the_sample_is_small_and_sound() -> None:
    """Of each number of players, with and without modules."""
    files = [file for folder in sorted(SAMPLE.iterdir()) for file in files_in(folder)]
    assert sum(file.stat().st_size for file in files) <= MOST_SAMPLE
    found = data.load(*files)
    assert len(found.records) == len(found) > 2000
    kinds = {
        (int(players), rules) for players, rules in zip(found.columns["players"], found.columns["rules"], strict=True)
    }
    assert len(kinds) == 6 and {about["nodes"] for about in found.about} == {400}
    assert isinstance(found.position(0), Game)
