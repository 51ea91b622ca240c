"""Dead objects that hold each other go in quiet moments, or when there are too many of them."""

import gc
from collections.abc import Iterator

import pytest

from sunglade.server import garbage
from sunglade.server.garbage import Garbage


class Ring:
    """Holds itself."""

    alive = 0

    def __init__(self) -> None:
        self.me = self
        Ring.alive += 1

    def __del__(self) -> None:
        Ring.alive -= 1


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Garbage]:
    """One that finds a hundred objects worthwhile, and a thousand too many."""
    monkeypatch.setattr(garbage, "WORTHWHILE", 100)
    monkeypatch.setattr(garbage, "MOST", 1000)
    own = Garbage()
    own.start()
    Ring.alive = 0  # now that those of other tests are gone
    yield own
    own.stop()
    gc.unfreeze()


def dead(count: int) -> None:
    for _ in range(count):
        Ring()


def test_python_does_not_look_by_itself(collector: Garbage) -> None:
    dead(100_000)
    assert Ring.alive == 100_000


def test_garbage_waits_while_something_happens(collector: Garbage) -> None:
    dead(300)
    assert not collector.look(happened=1)
    assert Ring.alive == 300


def test_garbage_goes_in_a_quiet_moment(collector: Garbage) -> None:
    dead(300)
    collector.look(happened=7)
    assert collector.look(happened=7)
    assert Ring.alive == 0


def test_too_much_garbage_waits_for_nothing(collector: Garbage) -> None:
    dead(1500)
    assert collector.look(happened=3)
    assert Ring.alive == 0


def test_a_quiet_house_without_new_objects_is_left_alone(collector: Garbage) -> None:
    collector.look(happened=1)
    assert not collector.look(happened=1)


def test_afterwards_python_looks_again(collector: Garbage) -> None:
    collector.stop()
    assert gc.isenabled()
