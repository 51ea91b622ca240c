"""Settings of the whole test set: hypothesis draws the same examples on every machine and in every run."""

import math
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sunglade.words import ENGLISH, speech

settings.register_profile(
    "fixed",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fixed")
collect_ignore = ["envs/jax_games.py"]
"""What other environments run: here its imports are not to be had."""
LONGEST_NAME = 100
os.environ["LC_ALL"] = "C.UTF-8"  # whatever the machine speaks, what tests start speaks English


def pytest_xdist_auto_num_workers() -> int:
    """Tests wait for servers and browsers half of the time: on two cores three workers are faster by a quarter."""
    return math.ceil(1.5 * (os.cpu_count() or 1))


def pytest_make_parametrize_id(val: object) -> str | None:
    """A test is called by the beginning of a long text that it is given."""
    return f"{val[:LONGEST_NAME]!r}…" if isinstance(val, str | bytes) and len(val) > LONGEST_NAME else None


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A test that speaks another language keeps it to itself."""
    yield
    speech.speak(ENGLISH)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Interrupts reach what the test starts: a run in the background ignores them, and its children inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is touched."""
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SUNGLADE_CONFIG", str(tmp_path / "config.toml"))
