"""CudaBatchEnv on a real GPU: checks equality with the CPU, then measures. Prints one JSON object.

    python bench/gpu.py                      everything
    python bench/gpu.py --layouts few        fewer variants of random play
    python bench/gpu.py --constant-tables    tables in constant memory, as Numba does by itself: for comparison

Needs NumPy, numba, numba-cuda and platformdirs; PyTorch and JAX are tried where they are installed.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "vendor")]

import numpy as np  # noqa: E402

from sunglade.envs import cuda as gpu  # noqa: E402
from sunglade.envs import cuda_kernels as kernels  # noqa: E402
from sunglade.envs.batch import BatchEnv  # noqa: E402
from sunglade.envs.cuda import CudaBatchEnv, Layout  # noqa: E402
from sunglade.rules import MODULES, Rules  # noqa: E402

EQUAL_GAMES = 102_400
GAMES = 132 * 2048
STEPS = 1024
FEW = [
    Layout("shared", "slim", "count", 128, 64),
    Layout("shared", "slim", "count", 128, 96),
    Layout("local", "slim", "count", 128, 64),
]
MANY = [
    Layout("local", "full", "list", 128, 0),
    Layout("local", "full", "list", 128, 64),
    Layout("local", "full", "count", 128, 64),
    Layout("local", "slim", "list", 128, 64),
    *(Layout("local", "slim", "count", block, registers) for block, registers in ((128, 0), (128, 64), (256, 48))),
    *(Layout("shared", "slim", "count", 128, registers) for registers in (0, 96, 80, 64, 48, 40)),
    *(Layout("shared", "slim", "count", block, 64) for block in (32, 64, 192)),
]


def say(text: str) -> None:
    """Progress, for people."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def timed(env: CudaBatchEnv, work: Callable[[], object], repeats: int = 3) -> list[float]:
    """Seconds of each repetition, the GPU's work included."""
    seconds = []
    for _ in range(repeats):
        env.synchronize()
        began = time.perf_counter()
        work()
        env.synchronize()
        seconds.append(time.perf_counter() - began)
    return seconds


# Equality


def equal_random_play(players: int, rules: Rules, games: int, steps: int, layout: Layout) -> dict[str, Any]:
    """The same random games on both: positions, streams and what can be seen, byte for byte."""
    options: dict[str, Any] = {"players": players, "rules": rules, "seed": 2026}
    on_gpu, on_cpu = CudaBatchEnv(games, layout=layout, **options), BatchEnv(games, **options)
    played, expected = on_gpu.play_random(steps), on_cpu.play_random(steps)
    return {
        "players": players,
        "modules": list(rules.modules),
        "games_in_batch": games,
        "games_finished": played.games,
        "actions": played.actions,
        "equal": played == expected and same(on_gpu, on_cpu),
    }


def equal_steps(players: int, rules: Rules, games: int, steps: int) -> dict[str, Any]:
    """The same actions on both: also rewards and ends."""
    options: dict[str, Any] = {"players": players, "rules": rules, "seed": 7, "reward": "margin"}
    on_gpu, on_cpu = CudaBatchEnv(games, **options), BatchEnv(games, **options)
    equal, ended = same(on_gpu, on_cpu), 0
    for _ in range(steps):
        actions = on_cpu.random_actions()
        equal &= bool((on_gpu.random_actions().copy_to_host() == actions).all())
        (rewards, done), (expected, expected_done) = on_gpu.step(actions), on_cpu.step(actions)
        equal &= bool((rewards.numpy() == expected).all() and (done.numpy() == expected_done).all())
        ended += int(expected_done.sum())
    equal &= same(on_gpu, on_cpu)
    tested = {"players": players, "modules": list(rules.modules), "steps": games * steps, "games_finished": ended}
    return {**tested, "equal": equal}


def same(on_gpu: CudaBatchEnv, on_cpu: BatchEnv) -> bool:
    """Whether two batches are in the same state and show the same."""
    return bool(
        on_gpu.records.tobytes() == on_cpu.records.tobytes()
        and (on_gpu.masks.numpy() == on_cpu.masks).all()
        and (on_gpu.observations.numpy() == on_cpu.observations).all()
        and (on_gpu.player.numpy() == on_cpu.player).all()
    )


# Speed


def random_play(players: int, rules: Rules, games: int, layout: Layout) -> dict[str, Any]:
    """Actions a second of uniform random play."""
    env = CudaBatchEnv(games, players=players, rules=rules, layout=layout, observe=False)
    began = time.perf_counter()
    env.play_random(20, look=False)
    env.synchronize()
    compiled = time.perf_counter() - began
    seconds = timed(env, lambda: env.play_random(STEPS, look=False))
    return {
        **asdict(layout),
        "players": players,
        "modules": list(rules.modules),
        "games": games,
        "actions_per_s": round(games * STEPS / min(seconds)),
        "all": [round(games * STEPS / second) for second in seconds],
        "compile_s": round(compiled, 1),
    }


def stepping(players: int, rules: Rules, games: int, steps: int = 60) -> dict[str, Any]:
    """Steps a second with masks and observations written to the GPU's memory; the choice of actions timed apart."""
    env = CudaBatchEnv(games, players=players, rules=rules)
    cuda = gpu.cuda_module()
    env.play_random(50)
    env.step(env.random_actions(), check=False)
    chosen, stepped = 0.0, 0.0
    env.synchronize()
    began = time.perf_counter()
    for _ in range(steps):
        marks = [cuda.event() for _ in range(3)]
        marks[0].record()
        actions = env.random_actions()
        marks[1].record()
        env.step(actions, check=False)
        marks[2].record()
        marks[2].synchronize()
        chosen += cuda.event_elapsed_time(marks[0], marks[1]) / 1000
        stepped += cuda.event_elapsed_time(marks[1], marks[2]) / 1000
    env.synchronize()
    wall = time.perf_counter() - began
    assert not env.illegal.numpy().any()
    return {
        "players": players,
        "modules": list(rules.modules),
        "games": games,
        "steps_per_s": round(games * steps / stepped),
        "steps_per_s_with_random_policy": round(games * steps / (stepped + chosen)),
        "steps_per_s_wall": round(games * steps / wall),
        "bytes_per_step": 2824 + 1416,
        "step_ms": round(1000 * stepped / steps, 4),
        "parts_ms": parts(env),
    }


def parts(env: CudaBatchEnv) -> dict[str, float]:
    """What the kernels around a step take, in milliseconds; the rest of a step's time is the step itself."""
    found: dict[str, float] = {}
    works: dict[str, Callable[[], object]] = {
        "clear": lambda: env._launch(kernels.clear, env._mask_words, threads=env._mask_words.size),
        "look": lambda: env._launch(kernels.look, env._records, env._masks, env._player, env._sets),
        "expand": lambda: env._launch(
            kernels.expand_sets, env._set_words, env._seen_words, threads=env._seen_words.size
        ),
        "choose": env.random_actions,
    }
    for name, work in works.items():
        work()
        found[name] = round(1000 * min(timed(env, work, 5)), 4)
    return found


# Other libraries


def shared_with_torch(env: CudaBatchEnv) -> str:
    """Whether PyTorch sees the very same memory."""
    try:
        import torch
    except ImportError:
        return "not installed"
    env.synchronize()
    masks, seen = torch.as_tensor(env.masks, device="cuda"), torch.from_dlpack(env.observations)
    same_memory = masks.data_ptr() == env.masks.address and seen.data_ptr() == env.observations.address
    same_numbers = bool((seen.cpu().numpy() == env.observations.numpy()).all())
    same_numbers &= bool((masks.cpu().numpy() == env.masks.numpy()).all())
    actions = masks.to(torch.float32).argmax(dim=1)
    env.step(actions)
    return f"{torch.__version__}: same memory {same_memory}, same numbers {same_numbers}, stepped with a tensor"


def shared_with_jax(env: CudaBatchEnv) -> str:
    """The same for JAX."""
    try:
        import jax
    except ImportError:
        return "not installed"
    env.synchronize()
    seen = jax.dlpack.from_dlpack(env.observations)
    masks = jax.dlpack.from_dlpack(env.wide_masks)
    same_memory = seen.unsafe_buffer_pointer() == env.observations.address
    same_memory &= masks.unsafe_buffer_pointer() == env.masks.address
    same_numbers = bool((np.asarray(seen) == env.observations.numpy()).all())
    return f"{jax.__version__}: same memory {same_memory}, same numbers {same_numbers}"


def attempt(work: Callable[[], Any]) -> Any:
    """One part failing must not cost the others."""
    try:
        return work()
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:600]}


def main() -> int:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", choices=("few", "many"), default="many")
    parser.add_argument("--constant-tables", action="store_true")
    parser.add_argument(
        "--seconds", type=float, default=480.0, help="begin no further variant of random play after this"
    )
    parser.add_argument("--out", type=Path, help="also write the JSON here, after every part")
    chosen = parser.parse_args()
    if chosen.constant_tables:
        gpu.tables_in_global_memory = nullcontext  # type: ignore[assignment]
    began = time.perf_counter()
    results: dict[str, Any] = {"date": time.strftime("%Y-%m-%d"), "machine": machine()}

    def note(name: str, work: Callable[[], Any]) -> None:
        say(name)
        found = attempt(work)
        say(json.dumps(found))
        results.setdefault(name, []).append(found)
        if chosen.out:
            chosen.out.write_text(json.dumps(results, indent=2))

    base, modules = Rules(), Rules(modules=MODULES)
    for layout in FEW[:1] if chosen.constant_tables else FEW:
        note("random_play", lambda layout=layout: random_play(2, base, GAMES, layout))
    if not chosen.constant_tables:
        note("stepping", lambda: stepping(2, base, 65_536))
        note("stepping", lambda: stepping(2, base, 262_144))
        listed = Layout("shared", "slim", "list", 128, 96)
        note("equality", lambda: equal_random_play(2, modules, EQUAL_GAMES, 300, listed))
        note("equality", lambda: equal_random_play(2, base, EQUAL_GAMES, 200, FEW[0]))
        note("equality", lambda: equal_steps(3, modules, 1024, 250))
        torch_env = attempt(lambda: CudaBatchEnv(1000))
        note("torch", lambda: shared_with_torch(torch_env))
        note("jax", lambda: shared_with_jax(torch_env))
        note("random_play_modules", lambda: random_play(2, modules, GAMES, listed))
        note("equality", lambda: equal_random_play(4, modules, 16_384, 600, Layout("local", "slim", "list", 128, 96)))
        note("random_play_other_players", lambda: random_play(4, base, GAMES, FEW[0]))
        for layout in MANY if chosen.layouts == "many" else []:
            if layout not in FEW and time.perf_counter() - began < chosen.seconds:
                note("random_play", lambda layout=layout: random_play(2, base, GAMES, layout))
        speeds = [row for row in results["random_play"] if "actions_per_s" in row]
        best = max(speeds, key=lambda row: row["actions_per_s"], default=None)
        if best is not None:
            fastest = Layout(*(best[name] for name in ("room", "record", "choice", "block", "registers")))
            for games in (132 * 1024, 132 * 4096, 132 * 8192):
                note("random_play_batch_sizes", lambda games=games: random_play(2, base, games, fastest))
            results["fastest"] = best
    results["seconds"] = round(time.perf_counter() - began)
    print(json.dumps(results, indent=2))
    if chosen.out:
        chosen.out.write_text(json.dumps(results, indent=2))
    return 0 if all(row.get("equal", False) for row in results.get("equality", [])) else 1


def machine() -> dict[str, str]:
    """What this was measured on."""
    import numba

    cuda = gpu.cuda_module()
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    versions = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    return {"gpu": name, "cpu": platform.processor() or platform.machine(), **versions}


if __name__ == "__main__":
    sys.exit(main())
