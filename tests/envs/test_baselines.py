"""The baselines of examples/: run as their users run them, in the environment with PyTorch that `make test` makes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PYTHON = ROOT / ".train" / "bin" / "python"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("training")]


def run_with_torch(*arguments: str) -> str:
    assert PYTHON.exists(), "the baselines need the environment that `make test` makes"
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "examples"), str(ROOT / "bench")])
    told = {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    command = [str(PYTHON), "-W", "error", *arguments]
    done = subprocess.run(command, env={**os.environ, **told}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


EYES = """
import numpy as np, ppo, torch
from sunglade import encode
from sunglade.envs import BatchEnv
from sunglade.envs.observation import TURNED_ACTION

for players in (2, 3, 4):
    env, eyes, suns = BatchEnv(16, players=players, seed=3), ppo.Eyes(players), set()
    for _ in range(10):
        env.play_random(20)
        inputs, legal, turns = eyes(torch.from_numpy(env.observations), torch.from_numpy(env.masks))
        suns |= set(turns.tolist())
        for game in range(env.n):
            turned, seen = int(turns[game]), encode.Observation()
            encode.observe(env.game(game).now, turned, seen)
            whole = seen.array().view(np.uint8).reshape(-1)
            assert (inputs[game].numpy() == whole[ppo.columns(players)]).all()
            assert whole.sum() == inputs[game].sum(), "nothing that a base game shows is left out"
            real = np.flatnonzero(env.masks[game])
            assert sorted(TURNED_ACTION[turned][real]) == np.flatnonzero(legal[game].numpy()).tolist()
            assert sorted(eyes.back[turned, legal[game].nonzero()[:, 0]].tolist()) == real.tolist()
    assert suns == set(range(6))
"""

ADVANTAGES = """
import ppo, torch

torch.manual_seed(1)
steps, games, seats, trace = 7, 40, 3, 0.8
rewards, done = torch.randn(steps, games, seats), torch.rand(steps, games) < 0.2
values = torch.randn(steps + 1, games, seats)
found = ppo.advantages(rewards, done, values, trace)
for step in range(steps):
    for game in range(games):
        expected, weight = torch.zeros(seats), 1.0
        for later in range(step, steps):
            after = torch.zeros(seats) if done[later, game] else values[later + 1, game]
            expected += weight * (rewards[later, game] + after - values[later, game])
            weight *= trace
            if done[later, game]:
                break
        assert torch.allclose(found[step, game], expected, atol=1e-5)
"""

LEARNS = """
import ppo, torch
from pathlib import Path

learner = ppo.Learner(ppo.Settings(**ppo.ON_CPU), torch.device("cpu"), compiled=False)
file = Path(FOLDER) / "ppo.pt"
for round in range(1, 31):
    learner.iterate(1 - round / 31)
    if round % 6 == 0:
        ppo.save(learner, file)
        shares = ppo.match(file, "random", 0, 30)
        if sum(shares) > 0.7 * len(shares):
            break
else:
    raise AssertionError(sum(shares))
"""

SEARCH = """
import alphazero, numpy as np, ppo
from sunglade.envs import BatchEnv

settings, habits = ppo.Settings(width=32, blocks=1), alphazero.Habits(games=64)
judge = alphazero.Judge(settings)
search = alphazero.Search(judge, habits, seed=1)
games = BatchEnv(64, seed=5, reward="margin", auto_reset="disabled")
tried_last = 0
while games.outcome.done.mean() < 0.5:
    answers = judge.look(games)
    actions, chances, worth = search.run(games, answers)
    legal = answers.legal.numpy()
    simulations = search.visits[:, 0].sum(axis=1)
    assert (simulations <= habits.simulations).all() and (simulations > 20).all()
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-3) and (chances[~legal] == 0).all()
    saved, means, ended = games.save(), search._means(), games.outcome.done.copy()
    for place in range(habits.considered):
        action = search.actions[:, 0, place]
        tried = search.visits[:, 0, place] > 0
        margins, over = games.step(np.where(tried, action, actions))
        for game in np.flatnonzero(over & tried & ~ended):  # an action that ends the game is worth what the game pays
            acts = saved.records["player"][game]
            assert np.isclose(means[game, place], alphazero.paid(margins, settings)[game, acts], atol=1e-5)
            tried_last += 1
        games.restore(saved)
    games.step(actions)
assert tried_last > 5
"""

ZERO = """
import alphazero, ppo, torch

settings = ppo.Settings(width=32, blocks=1)
learner = alphazero.AlphaZero(settings, alphazero.Habits(games=16, simulations=16, batch=64))
before = [weights.clone() for weights in learner.judge.network.parameters()]
while True:
    positions, policy, value = learner.iterate(1.0)
    if positions > 64 and policy:
        break
assert any((a != b).any() for a, b in zip(before, learner.judge.network.parameters()))
kept = learner.memory
assert torch.allclose(kept.chances[:positions].float().sum(1), torch.ones(positions), atol=0.01)
assert torch.allclose(kept.values[:positions].sum(1), torch.zeros(positions), atol=0.3)  # what one gains another loses
"""


TRAPS = """
import gymnasium, numpy as np, torch
from sunglade.envs import BatchEnv, SungladeVectorEnv

def draw(masks):
    legal = torch.from_numpy(masks).bool()
    logits = torch.zeros(legal.shape).masked_fill(~legal, float("-inf"))
    return torch.distributions.Categorical(logits=logits).sample().numpy()

for mode in ("same_step", "next_step", "disabled"):
    ended, short = 0, {"rules": {"rounds": 2}}
    batch = BatchEnv(8, auto_reset=mode, seed=1, **short)
    vector = SungladeVectorEnv(8, self_play=True, autoreset_mode=mode.upper(), **short)
    seen, info = vector.reset(seed=1)
    for _ in range(80):
        for array in (batch.observations, batch.states(), batch.player, *batch.step(draw(batch.masks)), seen):
            torch.from_numpy(array)
        ended += int(batch.outcome.done.sum())
        if mode == "disabled" and vector.batch.outcome.done.any():
            seen, info = vector.reset(options={"reset_mask": vector.batch.outcome.done.copy()})
        seen, rewards, done, _, info = vector.step(draw(info["action_mask"]))
        [torch.from_numpy(array) for array in (rewards, done, info["rewards"], info["seat"])]
    assert ended > 8

single = gymnasium.make("sunglade/Sunglade-v1", rules={"rounds": 2}, self_play=True)
seen, info = single.reset(seed=1)
over = False
while not over:
    seen, _, over, _, info = single.step(draw(info["action_mask"][None])[0])
    torch.from_numpy(seen)
assert info["action_mask"].nonzero()[0].tolist() == [0]
"""


@pytest.mark.parametrize("code", [EYES, ADVANTAGES], ids=["eyes", "advantages"])
def test_ppo_sees_the_turned_board_and_every_seat_has_its_advantages(code: str) -> None:
    run_with_torch("-c", code)


def test_masked_policies_of_torch_draw_through_the_ends_of_games_without_a_warning() -> None:
    """Legal actions alone by minus infinity: where a game was over nothing was left, and drawing failed at step 48."""
    run_with_torch("-c", TRAPS)


def test_ppo_beats_random_players_within_half_a_million_steps(tmp_path: Path) -> None:
    run_with_torch("-c", f"FOLDER = {str(tmp_path)!r}\n{LEARNS}")


def test_alphazeros_search_knows_what_a_finished_game_pays() -> None:
    run_with_torch("-c", SEARCH)


def test_alphazero_learns_from_finished_games() -> None:
    run_with_torch("-c", ZERO)


def test_learning_is_measured_by_one_command(tmp_path: Path) -> None:
    """As on a GPU, with small numbers: the table at the end has what was learned and played."""
    sets = [f"--set={name}={value}" for name, value in (("games", 32), ("steps", 8), ("minibatches", 2), ("width", 32))]
    out = run_with_torch(
        str(ROOT / "bench" / "training.py"), "--device=cpu", "--seconds=1", "--rounds=1", "--jobs=1", "--limit=0",
        f"--keep={tmp_path / 'ppo.pt'}", *sets,
    )  # fmt: skip
    assert "| learned for | won | of | share |" in out and "| 2 |" in out


def test_a_policy_of_torch_plays_in_the_arena_without_a_process_of_its_own(tmp_path: Path) -> None:
    code = "import ppo, torch; settings = ppo.Settings(**ppo.ON_CPU); device = torch.device('cpu')\n"
    code += f"ppo.save(ppo.Learner(settings, device, compiled=False), {str(tmp_path / 'ppo.pt')!r})"
    run_with_torch("-c", code)
    bot = f"{ROOT / 'examples' / 'ppo.py'}:Bot:file={tmp_path / 'ppo.pt'}"
    out = run_with_torch(
        "-m", "sunglade", "arena", "--bots", bot, "random", "--games", "4", "--rounds", "2", "--ms", "60000", "--quiet",
        "--json", "--out", str(tmp_path / "arena"),
    )  # fmt: skip
    found = {row["bot"]: row for row in json.loads(out)["ratings"]}
    assert found[bot]["seats"] == 4 and not found[bot]["failures"]
