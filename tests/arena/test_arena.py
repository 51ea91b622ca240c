"""The arena as people run it: real processes that are killed, programs that misbehave, files that are cut off."""

import csv
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sunglade import BadRequest, Game, Rules
from sunglade.arena import Plan, entrants, hold, report, workers
from sunglade.arena.match import Match
from sunglade.arena.store import Store
from sunglade.cli import main
from sunglade.rules import MODULES

SHORT = Rules(rounds=2)
RUN = [sys.executable, "-m", "sunglade", "arena"]

BOT = """\
import json, os, signal, sys, time
for line in sys.stdin:
    request = json.loads(line)
    {misbehave}
    print(json.dumps({{"id": request["id"], "action": request["legal"][0]}}), flush=True)
"""


def program(folder: Path, misbehave: str = "pass", name: str = "bot.py") -> str:
    """The command line of a bot that plays the first legal action, after doing something else."""
    file = folder / name
    file.write_text(BOT.format(misbehave=misbehave))
    return f"{sys.executable} {file}"


def test_an_arena_writes_ratings_games_json_and_csv(tmp_path: Path) -> None:
    plan = Plan(entrants(["random", "greedy"], []), rules=SHORT)
    results = hold(plan, 6, tmp_path, jobs=2, quiet=True)
    assert sorted(result["game"] for result in results) == list(range(6))
    for result in results:
        game = Game.load(tmp_path / "games" / f"{result['game']:06}.json")
        assert game.over and game.extra["names"] == result["bots"]
        assert [score.total for score in game.scores()] == result["points"]
        assert [seat for seat, share in enumerate(result["shares"]) if share] == game.winners
    told = json.loads((tmp_path / "results.json").read_text())
    assert told["games"] == 6 and {row["bot"] for row in told["ratings"]} == {"random", "greedy"}
    rows = list(csv.DictReader((tmp_path / "games.csv").open()))
    assert len(rows) == 12 and Counter((row["bot"], row["seat"]) for row in rows) == dict.fromkeys(
        [("random", "0"), ("random", "1"), ("greedy", "0"), ("greedy", "1")], 3
    )
    assert "Cross table" in report.text(plan, results) and "greedy" in (tmp_path / "table.txt").read_text()


def test_the_same_seed_plays_the_same_games_whatever_the_jobs(tmp_path: Path) -> None:
    plan = Plan(entrants(["random", "greedy", "search:nodes=20"], []), 3, rules=SHORT, ms=60_000, seed=3)
    played = [hold(plan, 3, tmp_path / str(jobs), jobs=jobs, quiet=True) for jobs in (1, 2)]
    games = [
        [Game.load(tmp_path / folder / "games" / f"{number:06}.json").actions for number in range(3)]
        for folder in ("1", "2")
    ]
    assert games[0] == games[1] and len(played[0]) == len(played[1]) == 3


def test_more_games_can_be_played_later_and_none_is_played_twice(tmp_path: Path) -> None:
    plan = Plan(entrants(["random", "greedy"], []), rules=SHORT)
    hold(plan, 2, tmp_path, quiet=True)
    before = (tmp_path / "results.jsonl").read_bytes()
    assert len(hold(plan, 4, tmp_path, quiet=True)) == 4
    assert (tmp_path / "results.jsonl").read_bytes().startswith(before)


def test_an_arena_killed_at_any_moment_goes_on_where_it_was(tmp_path: Path) -> None:
    command = [*RUN, "--bots", "random", "greedy", "--games", "40", "--jobs", "2", "--out", str(tmp_path)]
    command += ["--rounds", "4", "--quiet"]
    lines = tmp_path / "results.jsonl"
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        before = lines.read_bytes().count(b"\n") if lines.exists() else 0
        while process.poll() is None and (not lines.exists() or lines.read_bytes().count(b"\n") < before + 3):
            time.sleep(0.01)
        process.kill()
        process.wait()
    kept = [json.loads(line) for line in lines.read_bytes().splitlines() if line.endswith(b"}")]
    assert len(kept) >= 9
    with lines.open("ab") as file:
        file.write(b'{"game": 39, "bots": ["ran')
    done = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, check=True, timeout=300)
    assert json.loads(done.stdout)["games"] == 40
    results = [json.loads(line) for line in lines.read_bytes().splitlines()]
    assert Counter(result["game"] for result in results) == Counter(range(40))
    assert results[: len(kept)] == kept


MISBEHAVIOUR = {
    "crash": ("sys.exit('out of light')", "ended with exit code 1, saying 'out of light'"),
    "kills its parent": ("os.kill(os.getppid(), signal.SIGKILL)", "its process died."),
}


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_a_bot_that_misbehaves_loses_and_the_arena_goes_on(tmp_path: Path, how: str) -> None:
    misbehave, told = MISBEHAVIOUR[how]
    command = program(tmp_path, f"if len(request['game']['actions']) > 5:\n        {misbehave}")
    plan = Plan(entrants(["greedy"], [command]), rules=SHORT, ms=5000)
    results = hold(plan, 2, tmp_path / "out", quiet=True)
    assert [result["shares"][result["bots"].index("greedy")] for result in results] == [1, 1]
    assert all(told in reason for result in results for reason in result["failed"].values())
    assert all(len(result["failed"]) == 1 for result in results)


def test_of_three_the_match_is_played_on_without_it(tmp_path: Path) -> None:
    command = program(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)")
    plan = Plan(entrants(["greedy", "random"], [command]), 3, rules=SHORT, ms=5000)
    for result in hold(plan, 3, tmp_path / "out", quiet=True):
        seat = result["bots"].index(command)
        assert result["places"][seat] == 3 and list(result["failed"]) == [str(seat)]
        assert Game.load(tmp_path / "out" / "games" / f"{result['game']:06}.json").over


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_worker_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "HANGING_S", 3)
    monkeypatch.setattr(workers, "START_MS", 0)
    command = program(tmp_path, "os.kill(os.getppid(), signal.SIGSTOP)")
    plan = Plan(entrants(["greedy"], [command]), rules=SHORT)
    results = hold(plan, 2, tmp_path / "out", quiet=True)
    assert [list(result["failed"].values()) for result in results] == [["did not come back."]] * 2


def test_a_program_that_plays_well_behaved_can_win(tmp_path: Path) -> None:
    plan = Plan(entrants([], [program(tmp_path), program(tmp_path, name="other.py")]), rules=SHORT, ms=5000)
    results = hold(plan, 2, tmp_path / "out", quiet=True)
    assert all(result["failed"] == {} for result in results)


OWN_BOTS = """\
class Last:
    def __init__(self, seed, *, offset=1):
        self.offset = offset

    def act(self, game, ms):
        return game.legal[-min(self.offset, len(game.legal))]


def policy(observations, masks):
    assert observations.shape == (1, 2832) and masks.shape == (1, 1409) and masks.sum() > 0
    return masks.argmax(axis=1)


class Broken:
    def __init__(self):
        raise ZeroDivisionError("weights")


number = 7
"""


def test_objects_and_policies_in_python_play_without_a_process_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_own_bots.py").write_text(OWN_BOTS)
    monkeypatch.chdir(tmp_path)
    names = ["my_own_bots:Last:offset=2", "my_own_bots.py:policy", "random"]
    plan = Plan(entrants(names, []), 2, rules=SHORT)
    results = hold(plan, 6, tmp_path / "out", quiet=True)
    assert len(results) == 6 and not any(result["failed"] for result in results)
    assert Plan.from_dict(plan.to_dict()) == plan
    game = Game.load(tmp_path / "out" / "games" / "000000.json")
    first = Game(2, SHORT)
    place = plan.names[plan.fixture(0).seats[0]]
    assert game.actions[0] == (first.legal[-2] if place.endswith("=2") else first.legal[0])


@pytest.mark.parametrize("modules", [(), MODULES])
def test_bots_have_acted_in_every_phase_before_a_clock_runs(modules: tuple[str, ...]) -> None:
    """What a turn needs was compiled in the first game's first turn, which took longer than the turn's time: lost."""
    seen: list[tuple[str, int]] = []

    class Watched:
        def act(self, game: Game, ms: int) -> str:
            assert not game.over and game.legal
            seen.append((game.phase, game.round))
            return game.legal[0]

    told: list[tuple[str, ...]] = []
    players: Any = SimpleNamespace(sit_down=lambda *_: Watched())
    pipe: Any = SimpleNamespace(send=told.append)
    workers._warm_up(Plan(entrants(["random", "greedy"], []), rules=Rules(modules=modules)), players, pipe)
    phases = {"placing", "turn"} | ({"draft", "animals", "elder", "stones"} if modules else set())
    assert {phase for phase, _ in seen} == phases and max(round for _, round in seen) > 2
    assert told[-1] == ("ready",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("no_such_module:Bot", "no module or file 'no_such_module'"),
        ("no_such_file.py:Bot", "no module or file 'no_such_file.py'"),
        ("my_bad_bots:Nobody", "nothing that is called Nobody"),
        ("my_bad_bots:number", "no method `act`"),
        ("my_bad_bots:Broken", "ZeroDivisionError: weights"),
        ("my_bad_bots:Last:offset", "name=value"),
    ],
)
def test_an_object_that_cannot_play_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, told: str
) -> None:
    (tmp_path / "my_bad_bots.py").write_text(OWN_BOTS)
    monkeypatch.chdir(tmp_path)
    assert main(["arena", "--bots", "random", name, "--games", "2", "--quiet"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")
@pytest.mark.usefixtures("interruptible")
def test_interrupted_it_sums_up_what_was_played(tmp_path: Path) -> None:
    command = [*RUN, "--bots", "random", "greedy", "--games", "100000", "--out", str(tmp_path), "--rounds", "2"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    lines = tmp_path / "results.jsonl"
    while not lines.exists() or lines.read_bytes().count(b"\n") < 4:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130 and b"Traceback" not in errors, errors.decode()
    assert json.loads((tmp_path / "results.json").read_text())["games"] >= 4


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")
@pytest.mark.usefixtures("interruptible")
def test_a_worker_that_is_interrupted_while_it_begins_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    plan = Plan(entrants(["random", "greedy"], []), rules=SHORT)
    for delay in (0.0, 0.05, 0.2):
        worker = workers.Workers(plan, 1)._started(Match(plan.fixture(0)), 1)
        time.sleep(delay)
        os.kill(worker.process.pid, signal.SIGINT)
        worker.process.join(60)
        assert worker.process.exitcode == 0
    assert capfd.readouterr().err == ""


def test_every_bot_has_the_time_to_load_however_soon_another_one_has() -> None:
    """The first to be ready left the others the time of a turn, which is too short to compile the search."""
    plan = Plan(entrants(["random", "oak"], []), rules=SHORT)
    games = workers.Workers(plan, 1)
    ours, theirs = multiprocessing.Pipe()
    worker = workers.Worker(None, ours, match=Match(plan.fixture(0)))
    until = worker.deadline
    assert not worker.ready and list(games._take(worker, ("note", "random is ready."))) == []
    assert worker.deadline >= until
    worker.ready = True
    assert list(games._take(worker, ("asked", 0))) == [] and worker.deadline < until
    ours.close()
    theirs.close()


# Folders that do not fit


def started(folder: Path) -> Plan:
    plan = Plan(entrants(["random", "greedy"], []), rules=SHORT)
    hold(plan, 2, folder, quiet=True)
    return plan


def test_a_folder_with_another_arena_is_refused(tmp_path: Path) -> None:
    started(tmp_path)
    other = Plan(entrants(["random", "greedy"], []), rules=SHORT, ms=70)
    with pytest.raises(BadRequest, match="holds another arena: ms is 500 there, not 70"):
        hold(other, 2, tmp_path, quiet=True)


def test_a_folder_in_which_nothing_was_played_can_have_another_plan(tmp_path: Path) -> None:
    """A refused arena leaves its folder free."""
    moon = Rules(modules=("moon",), rounds=1)
    with pytest.raises(BadRequest, match="neural:2026-11 cannot play"):
        hold(Plan(entrants(["neural:2026-11", "greedy"], []), rules=moon), 2, tmp_path, quiet=True)
    assert len(hold(Plan(entrants(["random", "greedy"], []), rules=moon), 2, tmp_path, quiet=True)) == 2


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    plan = started(tmp_path)
    lines = tmp_path / "results.jsonl"
    text = lines.read_bytes().splitlines()
    lacking = json.dumps({key: value for key, value in json.loads(text[0]).items() if key != "points"}).encode()
    for damage in (b"{", b"[]", text[0].replace(b"random", b"rondom"), lacking):
        lines.write_bytes(b"\n".join([damage, *text[1:]]) + b"\n")
        with pytest.raises(BadRequest, match="line 1 is not a result of this arena"):
            hold(plan, 2, tmp_path, quiet=True)


def test_a_damaged_plan_is_named(tmp_path: Path) -> None:
    plan = started(tmp_path)
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(Exception, match=r"plan\.json: not JSON"):
        hold(plan, 2, tmp_path, quiet=True)


def test_two_arenas_do_not_share_a_folder(tmp_path: Path) -> None:
    plan = Plan(entrants(["random", "greedy"], []), rules=SHORT)
    with Store(tmp_path, plan), pytest.raises(BadRequest, match="another arena is playing into"):
        hold(plan, 2, tmp_path, quiet=True)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="cannot write"):
        hold(Plan(entrants(["random", "greedy"], [])), 2, tmp_path / "file" / "out", quiet=True)


# The command line


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["arena", *arguments]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and errors.startswith("sunglade: ") and errors.count("\n") == 1
    return errors


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "at least two bots"),
        (["--bots", "greedy"], "at least two bots"),
        (["--bots", "greedy", "wizard"], "there is no bot 'wizard'; the bots are random, greedy"),
        (["--bots", "greedy", "random", "--games", "-3"], "games must be a whole number from 1"),
        (["--bots", "greedy", "random", "--games", "many"], "not a whole number"),
        (["--bots", "greedy", "random", "--ms", "0"], "ms must be a whole number from 1"),
        (["--bots", "greedy", "random", "--jobs", "0"], "jobs must be a whole number from 1"),
        (["--bots", "greedy", "random", "--players", "5"], "players must be from 2 to 4"),
        (["--bots", "greedy", "random", "--modules", "sun"], "--modules"),
        (["--bots", "greedy", "greedy:nodes=5"], "does not search"),
        (["--bots", "greedy", "neural:2026-11", "--modules", "moon"], "neural:2026-11 cannot play this game: these"),
    ],
    ids=" ".join,
)
def test_wrong_input_is_one_sentence(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(capsys, *arguments, *(["--quiet"] if arguments else []))


def test_the_arena_runs_without_rich(tmp_path: Path) -> None:
    """A machine for measuring has only what the bots need."""
    code = (
        "import sys; sys.modules['rich'] = sys.modules['prompt_toolkit'] = None\n"
        "from sunglade.cli import main\n"
        "if __name__ == '__main__': sys.exit(main(sys.argv[1:]))"
    )
    script = tmp_path / "run.py"
    script.write_text(code)
    arguments = ["arena", "--bots", "random", "greedy", "--games", "2", "--rounds", "1", "--out", str(tmp_path / "out")]
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, check=True, timeout=300)
    assert b"Ratings" in done.stdout and b"Traceback" not in done.stderr
