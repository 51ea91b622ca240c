"""`sunglade bench --envs` measures what the bars ask for."""

import json

import pytest

from sunglade.envs import bench

pytestmark = pytest.mark.xdist_group("envs")


def test_every_figure_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"PAIRS": 1, "RANDOM_BATCH": 32, "RANDOM_STEPS": 20, "STEP_BATCH": 32, "STEP_STEPS": 3, "AGENT_STEPS": 20}
    for name, value in small.items():
        monkeypatch.setattr(bench, name, value)
    parts: list[str] = []
    figures = bench.measure(parts.append)
    assert len(parts) == 3 and json.loads(json.dumps(figures)) == figures
    for name in ("batch_to_playout", "batch_steps_per_s", "pettingzoo_steps_per_s", "batch_random_actions_per_s"):
        assert figures[name] > 0
