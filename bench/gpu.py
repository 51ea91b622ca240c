"""CudaBatchEnv on a real GPU: equality with the CPU, then speed. Prints a row for each part, and writes JSON.

    python bench/gpu.py                      what the documentation's figures come from
    python bench/gpu.py --out results.json   also write everything there, after every part
    python bench/gpu.py --opponents          games against opponents only: equality, then speed with each kind

Every part runs in a process of its own: parts are compiled side by side and measured one at a time, and one that fails
costs no other. Needs NumPy, numba, numba-cuda and platformdirs; PyTorch and JAX are tried where they are installed.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "vendor")]

Found = dict[str, Any]

EQUAL_GAMES = 102_400
"""Games compared with the CPU's in a part."""
DIGEST_GAMES = 8192
DIGEST_STEPS = 300
"""Random play that is compared by a digest of all positions: `digest` on the CPU, `random_play` on the GPU."""
GAMES = 132 * 4096
STEPS = 1024
REPEATS = 5
PART_SECONDS = 200


@contextmanager
def gpu_alone() -> Iterator[None]:
    """Wait until no other part measures."""
    with open(os.environ["SUNGLADE_GPU_LOCK"], "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _rules(modules: bool) -> Any:
    from sunglade.rules import MODULES, Rules

    return Rules(modules=MODULES) if modules else Rules()


def _digest(env: Any) -> str:
    return hashlib.sha256(env.records.tobytes()).hexdigest()[:16]


def _timed(env: Any, work: Callable[[], object]) -> list[float]:
    """Seconds of each repetition, the GPU's work included."""
    seconds = []
    for _ in range(REPEATS):
        env.synchronize()
        began = time.perf_counter()
        work()
        env.synchronize()
        seconds.append(time.perf_counter() - began)
    return seconds


# Equality


def digest(players: int, modules: bool) -> Found:
    """What random play comes to on the CPU."""
    from sunglade.envs.batch import BatchEnv

    env = BatchEnv(DIGEST_GAMES, players=players, rules=_rules(modules), seed=2026, observe=False)
    env.play_random(DIGEST_STEPS)
    return {"digest": _digest(env)}


def equal_random_play(players: int, modules: bool, games: int, steps: int) -> Found:
    """The same random games on both: positions, streams and what can be seen, byte for byte."""
    from sunglade.envs.batch import BatchEnv
    from sunglade.envs.cuda import CudaBatchEnv

    options: Found = {"players": players, "rules": _rules(modules), "seed": 2026}
    on_gpu, on_cpu = CudaBatchEnv(games, **options), BatchEnv(games, **options)
    played, expected = on_gpu.play_random(steps), on_cpu.play_random(steps)
    equal = played == expected and _same(on_gpu, on_cpu)
    return {"games_finished": played.games, "actions": played.actions, "equal": equal}


def equal_steps(players: int, modules: bool, games: int, steps: int) -> Found:
    """The same steps on both: actions, rewards and ends of each; positions and what can be seen now and then."""
    from sunglade.envs.batch import BatchEnv
    from sunglade.envs.cuda import CudaBatchEnv

    options: Found = {"players": players, "rules": _rules(modules), "seed": 7, "reward": "margin"}
    on_gpu, on_cpu = CudaBatchEnv(games, **options), BatchEnv(games, **options)
    equal, ended = _same(on_gpu, on_cpu), 0
    for step in range(steps):
        actions = on_cpu.random_actions()
        equal &= bool((on_gpu.random_actions().copy_to_host() == actions).all())
        (rewards, done), (expected, expected_done) = on_gpu.step(actions), on_cpu.step(actions)
        equal &= bool((rewards.numpy() == expected).all() and (done.numpy() == expected_done).all())
        ended += int(expected_done.sum())
        if step % 50 == 49:
            equal &= _same(on_gpu, on_cpu)
    equal &= _same(on_gpu, on_cpu)
    return {"games_finished": ended, "actions": games * steps, "equal": equal}


def _same(on_gpu: Any, on_cpu: Any) -> bool:
    """Whether two batches are in the same state and show the same."""
    return bool(
        on_gpu.records.tobytes() == on_cpu.records.tobytes()
        and (on_gpu.masks.numpy() == on_cpu.masks).all()
        and (on_gpu.observations.numpy() == on_cpu.observations).all()
        and (on_gpu.player.numpy() == on_cpu.player).all()
    )


# Speed


def random_play(players: int, modules: bool, games: int = GAMES) -> Found:
    """Actions a second of uniform random play."""
    from sunglade.envs.cuda import CudaBatchEnv

    CudaBatchEnv._look = lambda self: None  # type: ignore[method-assign]  # saves compiling what is not measured
    options: Found = {"players": players, "rules": _rules(modules), "observe": False}
    began = time.perf_counter()
    first = CudaBatchEnv(DIGEST_GAMES, seed=2026, **options)
    first.play_random(DIGEST_STEPS, look=False)
    found = _digest(first)
    compiled = time.perf_counter() - began
    with gpu_alone():
        env = CudaBatchEnv(games, **options)
        env.play_random(100, look=False)
        seconds = _timed(env, lambda: env.play_random(STEPS, look=False))
    return {
        "actions_per_s": round(games * STEPS / sorted(seconds)[len(seconds) // 2]),
        "all": [round(games * STEPS / second) for second in seconds],
        "games": games,
        "digest": found,
        "compile_s": round(compiled, 1),
    }


def stepping(players: int, modules: bool, games: int, steps: int = 100) -> Found:
    """Steps a second with masks and observations written to the GPU's memory; random actions timed apart."""
    from sunglade.envs.cuda import CudaBatchEnv
    from sunglade.envs.cuda_driver import cuda_module

    options: Found = {"players": players, "rules": _rules(modules)}
    cuda = cuda_module()
    small = CudaBatchEnv(256, **options)
    small.step(small.random_actions(), check=False)
    small.play_random(5)
    with gpu_alone():
        env = CudaBatchEnv(games, **options)
        env.play_random(60)
        marks = [cuda.event() for _ in range(2 * steps + 1)]
        env.synchronize()
        began = time.perf_counter()
        marks[0].record()
        for step in range(steps):
            actions = env.random_actions()
            marks[2 * step + 1].record()
            env.step(actions, check=False)
            marks[2 * step + 2].record()
        env.synchronize()
        wall = time.perf_counter() - began
        assert not env.illegal.numpy().any()
        parts = _parts(env)
    spans = [cuda.event_elapsed_time(a, b) / 1000 for a, b in pairwise(marks)]
    return {
        "steps_per_s": round(games * steps / sum(spans[1::2])),
        "steps_per_s_with_random_policy": round(games * steps / wall),
        "games": games,
        "step_ms": round(1000 * sum(spans[1::2]) / steps, 3),
        "parts_ms": parts,
    }


def _parts(env: Any) -> dict[str, float]:
    """What the kernels around a step take, in milliseconds; the rest of a step's time is the step itself."""
    from sunglade.envs import cuda_kernels as kernels

    look = kernels.look_kernel(bool(env.rules.modules))
    views = env._records, env._seats, env._everyone, env.n, env._masks, env._player, env._set_words
    masks, seen = env._mask_words, env._seen_words
    works: dict[str, Callable[[], object]] = {
        "clear": lambda: env._launch(kernels.clear, masks, masks.size, threads=masks.size),
        "look": lambda: env._launch(look, *views),
        "expand": lambda: env._launch(kernels.expand_sets, env._set_words, seen, seen.size, threads=seen.size),
        "choose": env.random_actions,
    }
    return {name: round(1000 * min(_timed(env, work)), 3) for name, work in works.items()}


# Opponents


def last_legal(observations: Any, masks: Any) -> Any:
    """A policy that is the same on both: the legal action with the highest number, on a GPU by PyTorch."""
    if isinstance(masks, np.ndarray):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    import torch

    there = torch.as_tensor(masks, device="cuda")
    return there.shape[1] - 1 - there.flip(1).argmax(dim=1)


def small_network() -> Callable[[Any, Any], Any]:
    """A policy of PyTorch that looks at everything: 256 wide, in bfloat16, actions drawn by its chances."""
    import torch

    torch.manual_seed(1)
    layers = torch.nn.Linear(2832, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1409)
    network = torch.nn.Sequential(*layers).to("cuda", torch.bfloat16)

    def policy(observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = network(torch.as_tensor(observations, device="cuda").to(torch.bfloat16)).float()
            noise = -torch.empty_like(logits).exponential_().log()
            return (logits + noise).masked_fill(torch.as_tensor(masks, device="cuda") == 0, -torch.inf).argmax(dim=1)

    return policy


FUNCTIONS: dict[str, Callable[[], Any]] = {"last_legal": lambda: last_legal, "a Torch policy": small_network}


def _seated(names: Any) -> Any:
    """Opponents by their names: also functions, also one for each seat."""
    if isinstance(names, list):
        return [_seated(name) for name in names]
    return FUNCTIONS[names]() if names in FUNCTIONS else names


def equal_against(players: int, modules: bool, opponents: list[Any], games: int, steps: int) -> Found:
    """The same steps against the same opponents on both: rewards and ends of each, positions and what is seen."""
    from sunglade.envs.batch import BatchEnv
    from sunglade.envs.cuda import CudaBatchEnv

    found: Found = {}
    for number, names in enumerate(opponents):
        how = "same_step", "next_step"
        options: Found = {"players": players, "rules": _rules(modules), "seed": 7 + number, "reward": "margin"}
        options |= {"opponents": _seated(names), "auto_reset": how[number % 2]}
        on_gpu, on_cpu = CudaBatchEnv(games, **options), BatchEnv(games, **options)
        with gpu_alone():
            equal, ended = _same(on_gpu, on_cpu), 0
            for step in range(steps):
                actions = on_cpu.random_actions()
                equal &= bool((on_gpu.random_actions().copy_to_host() == actions).all())
                (rewards, done), (expected, expected_done) = on_gpu.step(actions), on_cpu.step(actions)
                equal &= bool((rewards.numpy() == expected).all() and (done.numpy() == expected_done).all())
                ended += int(expected_done.sum())
                if step % 50 == 49:
                    equal &= _same(on_gpu, on_cpu)
            equal &= _same(on_gpu, on_cpu) and bool((on_gpu.seats.numpy() == on_cpu.seats).all())
        found[", ".join(names) if isinstance(names, list) else names] = {"equal": equal, "games_finished": ended}
    return {"against": found, "games": games, "steps": steps, "equal": all(one["equal"] for one in found.values())}


def equal_network(games: int) -> Found:
    """How often the network chooses alike: on a GPU it computes in bfloat16."""
    from sunglade.envs.batch import BatchEnv
    from sunglade.envs.cuda_opponents import device_opponents
    from sunglade.envs.opponents import NetworkOpponents

    alike = 0
    for players, modules in ((2, False), (3, True)):
        env = BatchEnv(games, players=players, rules=_rules(modules), seed=3)
        env.play_random(90)
        expected = NetworkOpponents().choose(env, np.arange(games))
        _, (network,) = device_opponents("network", 2, _rules(modules))
        policy: Any = network  # takes memory of either kind
        alike += int((policy(env.observations, env.masks).cpu().numpy() == expected).sum())
    return {"positions": 2 * games, "alike": alike, "equal": alike >= 0.95 * 2 * games}


def against(opponents: list[str], games: int, steps: int) -> Found:
    """Steps a second of a learner that acts at random, two players, with each kind of opponent."""
    from sunglade.envs.cuda import CudaBatchEnv

    found: Found = {}
    for name in opponents:
        policy = _seated(name)
        began = time.perf_counter()
        small = CudaBatchEnv(256, opponents=policy)
        for _ in range(3):
            small.step(small.random_actions(), check=False)
        small.synchronize()
        compiled = time.perf_counter() - began
        with gpu_alone():
            env = CudaBatchEnv(games, opponents=policy)
            env.play_random(60)
            for _ in range(5):
                env.step(env.random_actions(), check=False)
            seconds = []
            for _ in range(3):
                env.synchronize()
                began = time.perf_counter()
                for _ in range(steps):
                    env.step(env.random_actions(), check=False)
                env.synchronize()
                seconds.append(time.perf_counter() - began)
            assert not env.illegal.numpy().any()
        rates = sorted(round(games * steps / second) for second in seconds)
        found[name] = {"steps_per_s": rates[1], "all": rates, "ready_after_s": round(compiled, 1)}
        print(json.dumps({name: found[name]}), file=sys.stderr, flush=True)
    return {"against": found, "games": games, "steps": steps}


# Other libraries


def shared_with_torch() -> Found:
    """Whether PyTorch sees the very same memory, and can step."""
    import torch

    from sunglade.envs.cuda import CudaBatchEnv

    env = CudaBatchEnv(1000)
    masks, seen = torch.as_tensor(env.masks, device="cuda"), torch.from_dlpack(env.observations)
    equal = masks.data_ptr() == env.masks.address and seen.data_ptr() == env.observations.address
    before = env.records
    for _ in range(20):
        env.step(masks.to(torch.float32).argmax(dim=1))
    torch.cuda.synchronize()
    equal &= bool((seen.cpu().numpy() == env.observations.numpy()).all())
    equal &= bool((masks.cpu().numpy() == env.masks.numpy()).all()) and before.tobytes() != env.records.tobytes()
    return {"version": torch.__version__, "equal": equal}


def shared_with_jax() -> Found:
    """The same for JAX."""
    import jax

    from sunglade.envs.cuda import CudaBatchEnv

    env = CudaBatchEnv(1000)
    env.step(env.random_actions())
    env.synchronize()
    seen, masks = jax.dlpack.from_dlpack(env.observations), jax.dlpack.from_dlpack(env.wide_masks)
    equal = seen.unsafe_buffer_pointer() == env.observations.address
    equal &= masks.unsafe_buffer_pointer() == env.masks.address
    equal &= bool((np.asarray(seen) == env.observations.numpy()).all())
    chosen = jax.numpy.argmax(masks, axis=1).astype(jax.numpy.int32)
    chosen.block_until_ready()
    env.step(chosen)
    return {"version": jax.__version__, "equal": equal}


PARTS: dict[str, Callable[..., Found]] = {
    part.__name__: part
    for part in (
        digest, equal_random_play, equal_steps, random_play, stepping, shared_with_torch, shared_with_jax,
        equal_against, equal_network, against,
    )
}  # fmt: skip

Part = tuple[str, Found]

CHECKS: list[Part] = [
    ("digest", {"players": 2, "modules": False}),
    ("digest", {"players": 2, "modules": True}),
    ("digest", {"players": 4, "modules": False}),
    ("equal_random_play", {"players": 2, "modules": True, "games": EQUAL_GAMES, "steps": 400}),
    ("equal_steps", {"players": 2, "modules": True, "games": EQUAL_GAMES, "steps": 300}),
    ("equal_random_play", {"players": 2, "modules": False, "games": EQUAL_GAMES, "steps": 200}),
    ("equal_random_play", {"players": 4, "modules": True, "games": 16_384, "steps": 700}),
    ("equal_steps", {"players": 3, "modules": False, "games": 4096, "steps": 300}),
]
SPEEDS: list[Part] = [
    ("random_play", {"players": 2, "modules": False}),
    ("stepping", {"players": 2, "modules": False, "games": 65_536}),
    ("stepping", {"players": 2, "modules": False, "games": 262_144}),
    ("random_play", {"players": 2, "modules": True}),
    ("stepping", {"players": 2, "modules": True, "games": 262_144}),
    ("random_play", {"players": 4, "modules": False}),
]
LEVELS = ["seedling", "sapling", "birch", "maple"]
OPPONENTS: list[Part] = [
    ("against", {"opponents": ["random", *LEVELS], "games": 65_536, "steps": 100}),
    ("against", {"opponents": ["a Torch policy", "network"], "games": 65_536, "steps": 20}),
    (
        "equal_against",
        {
            **{"players": 2, "modules": False, "games": 8192, "steps": 200},
            "opponents": ["maple", "birch", "random", "sapling", "seedling", "last_legal"],
        },
    ),
    (
        "equal_against",
        {
            **{"players": 4, "modules": False, "games": 4096, "steps": 150},
            "opponents": [["maple", "last_legal", "seedling"], "maple", ["birch", "sapling", "random"]],
        },
    ),
    (
        "equal_against",
        {"players": 3, "modules": True, "games": 4096, "steps": 150, "opponents": ["random", ["last_legal", "random"]]},
    ),
    ("equal_network", {"games": 2048}),
]
LIBRARIES: list[Part] = [("shared_with_torch", {}), ("shared_with_jax", {})]


def run_part(name: str, options: Found) -> Found:
    """One part in a process of its own."""
    command = [sys.executable, __file__, "--part", name, json.dumps(options)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PART_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"took more than {PART_SECONDS} s"}
    try:
        found: Found = json.loads(done.stdout.splitlines()[-1])
        return found
    except (IndexError, json.JSONDecodeError):
        return {"failed": done.stderr.strip()[-1500:] or f"exit status {done.returncode}"}


def machine() -> Found:
    """What this is measured on."""
    import numba

    from sunglade.envs.cuda_driver import cuda_module, require_gpu

    require_gpu()
    device = cuda_module().get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    versions = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    return {"gpu": name, "cpu": platform.processor() or platform.machine(), "cores": os.cpu_count(), **versions}


def main() -> int:
    """Run the parts, several at a time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--opponents", action="store_true", help="games against opponents only")
    parser.add_argument("--jobs", type=int, default=max((os.cpu_count() or 2) * 7 // 8, 1))
    parser.add_argument("--part", nargs=2, metavar=("NAME", "OPTIONS"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.part:
        print(json.dumps(PARTS[chosen.part[0]](**json.loads(chosen.part[1]))))
        return 0
    began = time.perf_counter()
    parts = OPPONENTS if chosen.opponents else [*CHECKS[:5], *SPEEDS, *CHECKS[5:], *LIBRARIES]
    try:
        results: Found = {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "parts": []}
    except RuntimeError as no_gpu:
        print(no_gpu, file=sys.stderr)
        return 1
    print(json.dumps(results["machine"]), flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as pool:
        os.environ["SUNGLADE_GPU_LOCK"] = f"{folder}/lock"
        working = {pool.submit(run_part, name, options): (name, options) for name, options in parts}
        for done in as_completed(working):
            name, options = working[done]
            found = done.result()
            results["parts"].append({"part": name, **options, **found})
            print(
                f"{time.perf_counter() - began:5.0f} s  {name} {json.dumps(options)}: {json.dumps(found)}", flush=True
            )
            if chosen.out:
                chosen.out.write_text(json.dumps(results, indent=2))
    return 0 if all_equal(results["parts"]) else 1


def all_equal(rows: list[Found]) -> bool:
    """Whether every comparison came out equal, and random play at the CPU's digests."""
    expected = {(row["players"], row["modules"]): row["digest"] for row in rows if row["part"] == "digest"}

    def is_wrong(row: Found) -> bool:
        rules = (row.get("players"), row.get("modules"))
        differs = "digest" in row and row["digest"] != expected.get(rules, row["digest"])
        return "failed" in row or row.get("equal") is False or differs

    wrong = [row for row in rows if is_wrong(row)]
    for row in wrong:
        print(f"not equal, or failed: {json.dumps(row)[:600]}")
    print("all equal" if not wrong else f"{len(wrong)} parts are not as they should be", flush=True)
    return not wrong


if __name__ == "__main__":
    sys.exit(main())
