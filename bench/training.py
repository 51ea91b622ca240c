"""How fast `examples/ppo.py` learns on a GPU, and how soon it beats a bot. Prints a short table last, and writes JSON.

    python bench/training.py                                  two minutes of learning, then speeds of several settings
    python bench/training.py --out results.json --limit 400   measures no speeds after so many seconds

Every part runs in a process of its own, learning and speeds one at a time; one that fails costs no other. While the GPU
learns, the CPU's cores play what was learned so far against the bot: games from random set-ups, each from both seats.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "examples")]
os.environ["PYTHONPATH"] = os.pathsep.join([*sys.path[:2], os.environ.get("PYTHONPATH", "")])

Found = dict[str, Any]

LEARN_S = 120
CHECKPOINT_S = 15
COMPILE_S = 200
"""Longer than this nothing is compiled."""
ROUNDS = 100
SPEED_S = 6
SPEEDS: dict[str, Found] = {
    "default": {},
    "128k games": {"games": 131_072, "steps": 16, "minibatches": 16},
    "256 wide, 1 block": {"width": 256, "blocks": 1},
    "1024 wide": {"width": 1024},
    "2 epochs": {"epochs": 2},
    "uncompiled": {"compiled": False},
}


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not games:
        return 0.0, 1.0
    share, z = won / games, 1.96
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


# On the GPU


def wait_for_gpu(lock: str) -> Any:
    """Wait until no other part learns or measures. What is returned must be kept for as long as the GPU is needed."""
    file = open(lock, "w")  # noqa: SIM115  # open for as long as the GPU is held
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def synchronize() -> None:
    """Wait for the GPU, where there is one."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()


def learner_for(options: Found, device: str, *, compiled: bool = True) -> Any:
    """A learner after one round, in which everything is compiled; uncompiled where that fails."""
    import ppo
    import torch

    torch._dynamo.reset()
    settings = replace(ppo.Settings(), **options)
    learner = ppo.Learner(settings, torch.device(device), compiled=compiled)
    try:
        learner.iterate(1.0)
    except Exception:
        if not compiled:
            raise
        traceback.print_exc()
        print("compiling failed: uncompiled instead", flush=True)
        return learner_for(options, device, compiled=False)
    return learner


def check() -> Found:
    """What the learner does on the GPU against what it does on the CPU, for the same games."""
    import ppo
    import torch

    small = replace(ppo.Settings(), games=512, steps=8, minibatches=2)
    gpu, cpu = (ppo.Learner(small, torch.device(kind), compiled=False) for kind in ("cuda", "cpu"))
    cpu.network.load_state_dict(gpu.network.state_dict())
    same = True
    for _ in range(20):
        seen, expected = (each.eyes(each.games.observations, each.games.masks) for each in (gpu, cpu))
        same &= all(bool((a.cpu() == b).all()) for a, b in zip(seen, expected, strict=True))
        actions = cpu.games.env.random_actions()
        for each in (gpu, cpu):
            each.games.step(actions)
        same &= bool((gpu.games.margins.cpu() == cpu.games.margins).all())
    inputs, legal, _ = cpu.eyes(cpu.games.observations, cpu.games.masks)
    with torch.no_grad():
        exact = cpu.network(inputs, legal)
        with torch.autocast("cuda", torch.bfloat16):
            rough = gpu.network(inputs.cuda(), legal.cuda())
    apart = max(float((a.exp() - b.cpu().exp()).abs().max()) for a, b in zip(exact, rough, strict=True))
    rewards, done = torch.randn(8, 512, 2), torch.rand(8, 512) < 0.1
    values = torch.randn(9, 512, 2)
    found = ppo.advantages(rewards.cuda(), done.cuda(), values.cuda(), 0.9).cpu()
    advantages_apart = float((found - ppo.advantages(rewards, done, values, 0.9)).abs().max())
    gpu.iterate(1.0)
    return {
        "same_inputs": same, "answers_apart": apart, "advantages_apart": advantages_apart,
        "illegal": int(gpu.illegal), "all_right": same and apart < 0.02 and advantages_apart < 1e-4 and not gpu.illegal,
    }  # fmt: skip


def learn(seconds: float, folder: str, options: Found, device: str) -> Found:
    """Learn, and leave a checkpoint in the folder now and then."""
    alone = wait_for_gpu(f"{folder}/lock")
    import ppo

    began = time.perf_counter()
    learner = learner_for(options, device)
    compiled = time.perf_counter() - began
    kept = [0.0]

    def report(learner: Any, seconds: float, steps: int, found: Any) -> None:
        ppo.tell(learner, seconds, steps, found)
        if seconds - kept[0] > CHECKPOINT_S:
            kept[0] = seconds
            keep(seconds)

    def keep(seconds: float) -> None:
        unfinished = Path(folder) / "unfinished"
        ppo.save(learner, unfinished)
        unfinished.rename(Path(folder) / f"{seconds:06.1f}.pt")

    began = time.perf_counter()
    steps = ppo.train(learner, seconds, report)
    took = time.perf_counter() - began
    keep(took)
    alone.close()
    return {
        "seconds": round(took, 1), "steps": steps, "steps_per_s": round(steps / took),
        "before_s": round(compiled, 1), "illegal": int(learner.illegal),
    }  # fmt: skip


def speeds(deadline: float, folder: str, options: Found, device: str) -> Found:
    """Steps a second of the environment alone, of playing and of learning with all of it, by setting."""
    import torch

    if device == "cuda":
        compile_environment()
    found: Found = {}
    alone = wait_for_gpu(f"{folder}/lock")
    for name, others in SPEEDS.items():
        if time.time() + 40 > deadline:
            print(f"no time for {name}", flush=True)
            continue
        try:
            found[name] = speed({**options, **others}, device)
        except Exception as error:
            traceback.print_exc()
            found[name] = {"failed": repr(error)[:300]}
        torch.cuda.empty_cache()
        print("speed", name, json.dumps(found[name]), flush=True)
    alone.close()
    return found


def compile_environment() -> None:
    """While others use the GPU."""
    from sunglade.envs import CudaBatchEnv

    small = CudaBatchEnv(256)
    small.step(small.random_actions(), check=False)
    small.synchronize()


def speed(options: Found, device: str) -> Found:
    """One setting's."""
    import torch

    compiled = options.pop("compiled", True)
    learner = learner_for(options, device, compiled=compiled)
    games, count = learner.settings.games, learner.settings.games * learner.settings.steps

    def step_ten_times() -> None:
        for _ in range(10):
            learner.games.step(learner.games.env.random_actions())

    learner.iterate(0.5)
    return {
        "environment": rate(step_ten_times, 10 * games),
        "playing": rate(learner.play, count),
        "training": rate(lambda: learner.iterate(0.5), count),
        "memory_gb": round(torch.cuda.max_memory_reserved() / 1e9, 1),
    }


def rate(work: Callable[[], object], steps: int) -> int:
    """Steps a second of work that does so many."""
    synchronize()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < SPEED_S / 3 or not done:
        work()
        synchronize()
        done += steps
    return round(done / (time.perf_counter() - began))


PARTS: dict[str, Callable[..., Found]] = {"check": check, "learn": learn, "speeds": speeds}


# On the CPU


def match(file: str, against: str, first: int, last: int) -> list[float]:
    """Some rounds of a checkpoint against the bot."""
    import ppo

    shares: list[float] = ppo.match(file, against, first, last)
    return shares


def untrained(folder: Path, options: Found) -> Path:
    """A network that knows nothing: it warms the cores up."""
    import ppo
    import torch

    settings = replace(ppo.Settings(), **options)
    file = folder / "untrained"
    torch.save({"settings": ppo.asdict(settings), "weights": ppo.Network(settings).state_dict()}, file)
    return file


class Evaluation:
    """Plays checkpoints on the CPU's cores as they appear."""

    def __init__(self, folder: Path, against: str, jobs: int, rounds: int, options: Found) -> None:
        self.folder, self.against, self.options = folder, against, options
        self.jobs, self.rounds = jobs, rounds
        self.pool = ProcessPoolExecutor(jobs)
        self.curve: list[Found] = []
        self._seen: set[Path] = set()

    def warm_up(self) -> None:
        """Compile what the CPU needs, in one process first: the others find it on the disk."""
        file = untrained(self.folder, self.options)
        self.pool.submit(match, str(file), self.against, 0, 1).result()

    def look(self) -> None:
        """Play what is new."""
        for file in sorted(self.folder.glob("*.pt")):
            if file not in self._seen:
                self._seen.add(file)
                self.play(file)

    def play(self, file: Path) -> None:
        """One checkpoint."""
        edges = [self.rounds * part // self.jobs for part in range(self.jobs + 1)]
        parts = [self.pool.submit(match, str(file), self.against, a, b) for a, b in pairwise(edges)]
        shares = [share for part in parts for share in part.result()]
        low, high = wilson(sum(shares), len(shares))
        found = {"seconds": float(file.stem), "won": sum(shares), "games": len(shares), "low": low, "high": high}
        self.curve.append(found)
        print(
            f"after {found['seconds']:5.1f} s: {sum(shares):g} of {len(shares)} won against {self.against}", flush=True
        )


class Part:
    """A part in a process of its own. It prints into a file, and what it found last."""

    def __init__(self, name: str, folder: Path, options: Found) -> None:
        self._log = folder / f"{name}.log"
        command = [sys.executable, "-u", __file__, "--part", name, json.dumps(options)]
        with self._log.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

    def found(self, deadline: float) -> Found:
        """What it found; all it printed is printed here."""
        try:
            self.process.wait(max(deadline - time.time(), 1))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        lines = self._log.read_text().splitlines()
        print("\n".join(line[:300] for line in lines[-60:-1]), flush=True)
        try:
            found: Found = json.loads(lines[-1])
            return found
        except (IndexError, json.JSONDecodeError):
            return {"failed": (lines[-1] if lines else "nothing printed")[:300]}


def table(results: Found) -> None:
    """The short table."""
    print("\n| setting | environment, steps/s | playing | training |\n|---|---|---|---|")
    for name, row in results["speeds"].items():
        if "failed" in row or name == "failed":
            print(f"| {name} | failed | | |")
        else:
            print(f"| {name} | {row['environment']:,} | {row['playing']:,} | {row['training']:,} |")
    print("\n| learned for | won | of | share |\n|---|---|---|---|")
    for row in results["curve"]:
        share = f"{row['won'] / row['games']:.1%} ({row['low']:.1%}–{row['high']:.1%})"
        print(f"| {row['seconds']:.0f} s | {row['won']:g} | {row['games']} | {share} |")
    for part in ("check", "learn"):
        print(f"{part}: {json.dumps(results.get(part))}", flush=True)


def main() -> int:
    """Learn, play, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--keep", type=Path, help="where to put the last network")
    parser.add_argument("--limit", type=float, default=400.0, help="measure no speeds after so many seconds")
    parser.add_argument("--seconds", type=float, default=LEARN_S, help="of learning")
    parser.add_argument("--against", default="maple")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the learner")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="set-ups that a checkpoint plays, from both seats each"
    )
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--jobs", type=int, default=max((os.cpu_count() or 2) - 4, 1))
    parser.add_argument("--part", nargs=2, metavar=("NAME", "OPTIONS"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.part:
        print(json.dumps(PARTS[chosen.part[0]](**json.loads(chosen.part[1]))))
        return 0
    deadline = time.time() + chosen.limit
    options = {name: json.loads(value) for name, _, value in (given.partition("=") for given in chosen.set)}
    results: Found = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shared = {"folder": scratch, "options": options, "device": chosen.device}
        parts = {"learn": Part("learn", folder, {"seconds": chosen.seconds, **shared})}
        if chosen.device == "cuda":
            parts["check"] = Part("check", folder, {})
        parts["speeds"] = Part("speeds", folder, {"deadline": deadline, **shared})
        evaluation = Evaluation(folder, chosen.against, chosen.jobs, chosen.rounds, options)
        results["curve"] = evaluation.curve
        evaluation.warm_up()
        patience = max(deadline, time.time() + chosen.seconds + COMPILE_S)
        while parts["learn"].process.poll() is None and time.time() < patience:
            evaluation.look()
            time.sleep(1)
        evaluation.look()
        for name, part in parts.items():
            results[name] = part.found(deadline + 20)
        evaluation.pool.shutdown()
        networks = sorted(folder.glob("*.pt"))
        if chosen.keep and networks:
            chosen.keep.write_bytes(networks[-1].read_bytes())
    if chosen.out:
        chosen.out.write_text(json.dumps(results, indent=2))
    table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
