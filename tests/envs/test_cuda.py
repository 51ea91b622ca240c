"""The GPU's batch: without a GPU one sentence; its kernels run in Numba's simulator against the CPU's batch."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

from sunglade.envs import CudaBatchEnv, tensors
from sunglade.envs.cuda import NoGpu
from sunglade.envs.cuda_driver import aligned, cuda_module
from sunglade.kernel.arrays import STATE

pytestmark = pytest.mark.xdist_group("envs")

SAME = """
import numpy as np
from sunglade import Rules
from sunglade.envs import BatchEnv, CudaBatchEnv
from sunglade.errors import BadRequest, IllegalAction
from sunglade.rules import MODULES

def same(gpu, cpu):
    assert gpu.records.tobytes() == cpu.records.tobytes()
    assert (gpu.masks.numpy() == cpu.masks).all() and (gpu.wide_masks.numpy()[:, :1409] == cpu.masks).all()
    assert (gpu.observations.numpy() == cpu.observations).all()
    assert (gpu.planes.numpy() == cpu.planes).all() and (gpu.player.numpy() == cpu.player).all()

# The simulator plays on whole records: narrow integers overflow there. test_choice_and_slim covers compact ones.
readings = dict(moon_turns="on_arrival", boar_digs="any", fox_scares="adjacent", fox_steals="light")
for players, rules in ((2, Rules(rounds=1)), (3, Rules(modules=MODULES, rounds=1, **readings))):
    options = dict(players=players, rules=rules, seed=5, reward="margin")
    cpu = BatchEnv(2, threads=1, **options)
    gpu = CudaBatchEnv(2, **options)
    same(gpu, cpu)
    ended = 0
    for _ in range(28):
        actions = cpu.random_actions()
        assert (gpu.random_actions().copy_to_host() == actions).all()
        (rewards, done), (expected, over) = gpu.step(actions), cpu.step(actions)
        assert (rewards.numpy() == expected).all() and (done.numpy() == over).all()
        ended += over.sum()
    same(gpu, cpu)
    assert ended
    assert gpu.play_random(6) == cpu.play_random(6)
    same(gpu, cpu)
    which = np.array([True, False])
    gpu.reset(games=which), cpu.reset(games=which)
    same(gpu, cpu)
    before = gpu.records
    for wrong, error in (
        (np.full(2, 1500), IllegalAction), (np.array([-1, 0]), IllegalAction), (np.zeros(3, np.int64), BadRequest),
        (np.zeros(2), BadRequest), (None, BadRequest),
    ):
        try:
            gpu.step(wrong)
        except error:
            continue
        raise AssertionError(wrong)
    gpu.step(np.full(2, 1500), check=False)
    assert gpu.illegal.numpy().all() and gpu.records.tobytes() == before.tobytes()
for options in (dict(n=0), dict(auto_reset="x"), dict(seed=1.5), dict(reward="x"), dict(players=2.0)):
    try:
        CudaBatchEnv(**{"n": 2, **options})
    except BadRequest:
        continue
    raise AssertionError(options)
print("the same")
"""

AGAINST = """
import numpy as np
from sunglade.envs import BatchEnv, CudaBatchEnv
from sunglade.errors import BadRequest, IllegalAction

def same(gpu, cpu):
    assert gpu.records.tobytes() == cpu.records.tobytes()
    assert (gpu.masks.numpy() == cpu.masks).all() and (gpu.observations.numpy() == cpu.observations).all()
    assert (gpu.player.numpy() == cpu.player).all() and (gpu.seats.numpy() == cpu.seats).all()

def on_host(array):
    return array.numpy() if hasattr(array, "numpy") else array

def last(observations, masks):
    assert observations.shape == (len(on_host(masks)), 2832)
    return 1408 - on_host(masks)[:, ::-1].argmax(axis=1)

def first(observations, masks):
    return on_host(masks).argmax(axis=1)

modules = {"modules": ["moon", "elder"]}
for opponents, players, auto_reset, rules in (
    ("maple", 2, "same_step", {}), ("seedling", 2, "next_step", {}), (["birch", last, "random"], 4, "disabled", {}),
    ([first, "sapling"], 3, "same_step", {}), (last, 2, "same_step", {}), (["random", last], 3, "next_step", modules),
):
    options = dict(players=players, seed=5, reward="margin", opponents=opponents, auto_reset=auto_reset)
    options |= {"rules": {"rounds": 1, **rules}}
    cpu, gpu = BatchEnv(3, threads=1, **options), CudaBatchEnv(3, **options)
    same(gpu, cpu)
    ended = 0
    while ended < 3:
        actions = cpu.random_actions()
        assert (gpu.random_actions().copy_to_host() == actions).all()
        (rewards, done), (expected, over) = gpu.step(actions), cpu.step(actions)
        assert (rewards.numpy() == expected).all() and (done.numpy() == over).all()
        ended += int(over.sum())
    same(gpu, cpu)
    assert gpu.play_random(3) == cpu.play_random(3)
    same(gpu, cpu)

def refused(error, words, **options):
    try:
        CudaBatchEnv(2, **options)
    except error as caught:
        assert words in str(caught), str(caught)
    else:
        raise AssertionError(words)

refused(IllegalAction, "opponents, game 0: 'end' (0) is", opponents=lambda seen, masks: np.zeros(2, int), seat=1)
refused(BadRequest, "must give 2 whole numbers, not float64", opponents=lambda seen, masks: np.zeros(2), seat=1)
refused(BadRequest, "2 other seats need as many opponents, not 1", opponents=["maple"], players=3)
refused(BadRequest, "'oak' does not play on a GPU: BatchEnv takes it", opponents="oak")
refused(BadRequest, "'maple' does not play on a GPU in games with modules", opponents="maple", rules=modules)
refused(BadRequest, "observe", opponents=last, observe=False)
refused(BadRequest, "not 7", opponents=7)
refused(BadRequest, "a seat is for games with opponents", seat=0)
print("the same")
"""


@pytest.mark.parametrize("script", [SAME, AGAINST], ids=["all seats", "against opponents"])
def test_kernels_in_the_simulator_do_what_the_cpu_does(script: str) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "the same", done.stderr[-3000:]


@pytest.mark.skipif(not cuda_module().is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("script", [SAME, AGAINST], ids=["all seats", "against opponents"])
def test_a_gpu_does_what_the_cpu_does(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "the same", done.stderr[-3000:]


def test_without_a_gpu_it_says_so_in_one_sentence() -> None:
    if cuda_module().is_available():
        assert CudaBatchEnv(4).masks.numpy().sum() == 4 * 18
        return
    with pytest.raises(NoGpu) as caught:
        CudaBatchEnv(4)
    sentence = str(caught.value)
    assert "GPU" in sentence and "BatchEnv" in sentence and sentence.count(".") == 1 and "\n" not in sentence


def test_aligned_records_are_the_same_records() -> None:
    same = aligned(STATE)
    assert same.isalignedstruct and same.itemsize == STATE.itemsize
    assert dict(same.fields or {}) == dict(STATE.fields or {}) != {}


def test_memory_is_shared_by_dlpack_and_let_go() -> None:
    memory = np.arange(60, dtype=np.int16).reshape(3, 20)
    view = tensors.DeviceArray(
        memory, (3, 5), np.int16, strides=(40, 2), device=(tensors.CPU, 0), address=memory.ctypes.data
    )
    before = len(tensors._alive)
    taken = np.from_dlpack(view)
    assert (taken == memory[:, :5]).all() and np.shares_memory(taken, memory)
    memory[1, 2] = -7
    assert taken[1, 2] == -7 and len(tensors._alive) == before + 1
    part = taken[1:]
    del taken
    gc.collect()
    assert len(tensors._alive) == before + 1
    del part
    gc.collect()
    assert len(tensors._alive) == before
    unused = view.__dlpack__()
    del unused
    gc.collect()
    assert len(tensors._alive) == before


def test_cuda_array_interface() -> None:
    class Memory:
        __cuda_array_interface__ = {"data": (4096, False)}  # noqa: RUF012

    found = tensors.DeviceArray(Memory(), (2, 3, 4), np.float32).__cuda_array_interface__
    assert found["data"] == (4096, False) and found["shape"] == (2, 3, 4) and found["typestr"] == "<f4"
    assert found["strides"] == (48, 16, 4) and found["version"] == 3
