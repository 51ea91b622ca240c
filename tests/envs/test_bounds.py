"""Compiled code of the environments with bounds checks on: no access outside an array, whatever is played or passed."""

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.xdist_group("bounds"), pytest.mark.slow]

CODE = """
import numpy as np
from sunglade import Rules
from sunglade.envs import BatchEnv
from sunglade.envs.one_game import OneGame
from sunglade.errors import IllegalAction
from sunglade.kernel.record import Record
from sunglade.rules import MODULES

for players in (2, 3, 4):
    long = Rules(rounds=200, light_cap=None)
    for rules in (Rules(), Rules(modules=MODULES), Rules(edition="es", shade_forbids=True), long):
        env = BatchEnv(12, players=players, rules=rules, seed=players, threads=2, reward="rank")
        env.play_random(250)
        for _ in range(150):
            env.step(env.random_actions())
        for wrong in (-1, -(2**62), 1409, 1415, 1416, 2**62):
            try:
                env.step(np.full(12, wrong))
            except IllegalAction:
                continue
            raise AssertionError(wrong)
        one = OneGame(players, rules, 1, observe=True)
        one.load(Record.of(env.records[0]))
        for seat in range(players):
            one.observation(seat)
env = BatchEnv(12, players=3, opponents="random", seat=2, auto_reset="next_step")
for _ in range(120):
    env.step(env.random_actions())
print("within bounds")
"""


def test_within_bounds() -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "within bounds", done.stderr[-3000:]
