"""Training as its users run it: real processes in the environment with PyTorch that `make test` makes."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from sunglade import Game
from sunglade.neural.inference import Inference
from sunglade.neural.network_thinker import NetworkThinker

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / ".train" / "bin" / "python"
TINY = shlex.split(
    "--width 32 --layers 1 --heads 2 --games 256 --threads 2 --batch 256 --least 1000 --full 8 --full-share 1 "
    "--considered 8 --rate 4e-3 --capacity 50000 --reuse 8 --players 2 --rounds 12 --rate-games 512 --seed 1 --past 0 "
    "--minutes 600"
)
"""The budget is in steps of learning, and no network grows old by the clock: the same is learned on a busy machine."""
ENOUGH = 0.6
"""Of 512 games won: four and a half deviations above chance."""
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
"""PyTorch's threads wait for each other in a loop: on two busy cores they are ten times slower than one."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("training")]


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    assert PYTHON.exists(), "training needs the environment that `make test` makes"
    command = [str(PYTHON), "-W", "ignore", "-m", "sunglade.neural.train", "--folder", str(folder), *TINY, *more]
    paths = {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(command, env={**os.environ, **ONE_THREAD, **paths}, text=True, cwd=folder.parent)


def progress(folder: Path) -> list[dict[str, Any]]:
    file = folder / "progress.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture(scope="session")  # others of its group stand in other files: trained once all the same
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny network that was trained until it beat random play, in pieces: mostly one or two minutes."""
    folder = tmp_path_factory.mktemp("training") / "tiny"
    for steps in range(600, 3001, 600):
        assert start(folder, "--steps", str(steps), "--report", "36000").wait() == 0
        if progress(folder)[-1]["beats_random"] > ENOUGH:
            break
    return folder


def test_a_tiny_network_learns_to_beat_random_in_minutes(trained: Path) -> None:
    last = progress(trained)[-1]
    assert last["steps"] >= 600 and last["games"] > 0
    assert last["beats_random"] > ENOUGH, last


def test_a_trained_network_can_be_exported_and_played(trained: Path, tmp_path: Path) -> None:
    target = tmp_path / "tiny.safetensors"
    command: list[str | Path] = [PYTHON, "-W", "ignore", "-m", "sunglade.neural.export", trained, target]
    subprocess.run(command, env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "src")}, check=True)
    game = Game(3)
    card = json.loads(target.with_suffix(".json").read_text())
    assert card["licence"] == "Apache-2.0" and "--seed 1" in card["command"]
    assert NetworkThinker(Inference(target.read_bytes())).think(game, nodes=20).action in game.legal


def test_training_cut_off_at_any_moment_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    process = start(folder, "--save-every", "0", "--report", "0", "--rate-games", "0")
    while process.poll() is None and not any(line["steps"] > 20 for line in progress(folder)):
        time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = progress(folder)[-1]
    assert start(folder, "--steps", str(before["steps"] + 5), "--rate-games", "0").wait() == 0
    after = progress(folder)[-1]
    assert after["steps"] >= before["steps"] + 5 and after["games"] >= before["games"]
    assert sum(file.stat().st_size for file in folder.iterdir()) < 20_000_000


def in_training_environment(code: str) -> str:
    """Run code in the environment with PyTorch; return what it prints."""
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])}
    environment = {**os.environ, **ONE_THREAD, **paths}
    command = [str(PYTHON), "-W", "ignore", "-c", code]
    return subprocess.run(command, env=environment, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def test_a_deeper_network_begins_with_what_the_shallower_one_knows_and_learns_on(trained: Path, tmp_path: Path) -> None:
    code = f"""
import torch
from dataclasses import replace
from pathlib import Path
from sunglade.encode import OBSERVATION
from sunglade.neural.network import Network, averaged, read_card
folder = Path("{trained}")
before = averaged(folder)
deeper = Network(replace(before.shape, layers=3))
deeper.load_grown(torch.load(folder / "average.pt"), read_card(folder))
raw = torch.randint(0, 4, (5, OBSERVATION.itemsize), dtype=torch.uint8)
print(all(torch.equal(one, other) for one, other in zip(before(raw), deeper(raw))))
"""
    assert in_training_environment(code).strip() == "True"
    folder = tmp_path / "deeper"
    shutil.copytree(trained, folder)
    steps = progress(folder)[-1]["steps"] + 5
    assert start(folder, "--layers", "3", "--steps", str(steps), "--rate-games", "0").wait() == 0
    assert progress(folder)[-1]["steps"] >= steps
    assert json.loads((folder / "network.json").read_text())["shape"]["layers"] == 3


def test_a_pupil_comes_to_say_what_its_teacher_says_and_the_teacher_stays_as_it_is(
    trained: Path, tmp_path: Path
) -> None:
    """How far the points are apart that they expect, in positions that neither has seen."""
    folder = tmp_path / "pupil"
    before = (trained / "average.pt").read_bytes()
    taught = ["--teacher", str(trained), "--layers", "2", "--rate-games", "0"]
    found = []
    for steps in ("1", "120"):
        assert start(folder, *taught, "--steps", steps).wait() == 0
        found.append(float(in_training_environment(COMPARED + f"print(apart('{trained}', '{folder}'))")))
    assert found[1] < 0.5 * found[0]
    assert (trained / "average.pt").read_bytes() == before


def test_a_rival_sits_at_tables_of_the_past_and_never_changes(trained: Path) -> None:
    code = f"""
import torch
from pathlib import Path
from sunglade.neural.network import Shape, averaged
from sunglade.neural.train import Trainer
rival = averaged(Path("{trained}"))
trainer = Trainer(Path("nowhere"), Shape(32, 2, 2), 1e-3, torch.device("cpu"), 8, rival=Path("{trained}"))
trainer.grow_old()
print(all(torch.equal(one, other) for one, other in zip(rival.parameters(), trainer.older.parameters(), strict=True)))
"""
    assert in_training_environment(code).strip() == "True"


def test_the_rate_of_learning_falls_by_equal_factors_and_no_further_than_asked() -> None:
    asked = "[falling(8e-4, 1e-4, part / 3) for part in range(5)] + [falling(8e-4, None, 0.5)]"
    command = [str(PYTHON), "-c", f"from sunglade.neural.train import falling; print({asked})"]
    told = subprocess.check_output(command, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
    assert json.loads(told) == pytest.approx([8e-4, 4e-4, 2e-4, 1e-4, 1e-4, 8e-4])


@pytest.mark.parametrize(
    ("folder", "name", "modules"), [("2026-11", "2026-11", False), ("whole", "whole", True), ("small", "small", True)]
)
def test_the_shipped_networks_answer_as_those_in_training(folder: str, name: str, modules: bool) -> None:
    """The anchor of all measurements has weights for modules, too; in the base game they change nothing."""
    code = f"""
from pathlib import Path
from sunglade.neural.network import averaged
from sunglade.neural.inference import shipped
print(difference(averaged(Path("training/{folder}")), shipped(name="{name}"), modules={modules}))
print(foretold_otherwise(averaged(Path("training/{folder}")), shipped(name="{name}"), modules={modules}))
"""
    assert all(float(line) < 1e-3 for line in in_training_environment(COMPARED + code).split())


COMPARED = """
import numpy as np, torch
from network_questions import answers, questions

def difference(network, playing, modules=True):
    asked, count = questions(12, modules=modules), 12
    raw = torch.from_numpy(np.frombuffer(bytes(asked), np.uint8).reshape(len(asked.observation), -1)[:count].copy())
    actions = torch.arange(playing.size.actions)[None].expand(count, -1)
    return np.abs(network.answer(raw, actions).detach().numpy() - np.array(answers(playing, asked, count))).max()

def foretold_otherwise(network, playing, modules):
    # points at the end and who stands where
    from sunglade.neural.forward.answer import Prospect
    from sunglade.neural.heads import POINTS_SCALE
    from sunglade.search.graph import Answers
    asked, prospect, apart = questions(5, modules=modules), Prospect(), 0.0
    raw = np.frombuffer(bytes(asked), np.uint8).reshape(len(asked.observation), -1)[:5].copy()
    said = network(torch.from_numpy(raw))
    points, owner = (said[3] * POINTS_SCALE).detach().numpy(), said[4].softmax(2).detach().numpy()
    for row in range(5):
        asked.observation[0] = asked.observation[row]
        playing.foretell(asked, Answers(), prospect)
        apart = max(apart, np.abs(points[row] - prospect.array()["points"]).max())
        apart = max(apart, np.abs(owner[row] - prospect.array()["owner"]).max())
    return apart

def apart(one, other):
    # how far the points that the second network expects are from those of the first
    from pathlib import Path
    from sunglade.neural.network import averaged
    asked, count = questions(12, modules=False), 12
    raw = torch.from_numpy(np.frombuffer(bytes(asked), np.uint8).reshape(len(asked.observation), -1)[:count].copy())
    wanted, found = (averaged(Path(folder))(raw)[3][:, :2] for folder in (one, other))
    return float((wanted - found).abs().mean())
"""


@pytest.mark.parametrize("shape", ["32, 1, 2, 32", "64, 4, 4, 16", "96, 2, 4, 32", "96, 2, 3, 48", "160, 1, 2, 32"])
def test_networks_of_every_size_answer_in_play_as_in_training(shape: str) -> None:
    """All weights random, those of modules, too: width, layers, heads, and the reach of planting."""
    code = f"""
from sunglade.neural.export import for_play
from sunglade.neural.features import WHOLE_GAME
from sunglade.neural.inference import Inference
from sunglade.neural.network import Network, Shape
torch.manual_seed(1)
network = Network(Shape({shape}))
with torch.no_grad():
    for name, weights in network.named_parameters():
        if name.startswith("module_") or "norm" in name or "bias" in name:
            weights += 0.1 * torch.randn_like(weights)
print(difference(network, Inference(for_play(network, WHOLE_GAME))))
"""
    assert float(in_training_environment(COMPARED + code)) < 1e-4


def test_networks_are_compared_in_matches_with_and_without_modules(trained: Path) -> None:
    code = f"""
import sys
from sunglade.neural.ladder import main
sys.argv = ["ladder", "a={trained}:2", "b={trained}:0", "--games", "12", "--players", "2", "3", "--modules", "both",
            "--threads", "2"]
main()
"""
    lines = [json.loads(line) for line in in_training_environment(code).splitlines()]
    assert [(line["players"], line["modules"]) for line in lines] == [(2, False), (3, False), (2, True), (3, True)]
    assert all(line["games"] >= 12 and line["low"] <= line["elo"] <= line["high"] for line in lines)
