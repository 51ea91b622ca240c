"""The typed record: its layout, its copies, the same memory for Python, compiled code and NumPy; and without NumPy."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from random_games import new_random_game, random_steps
from sunglade import Game, drawing, kernel
from sunglade.encode import OBSERVATION, Observation
from sunglade.kernel.arrays import STATE, dtype_of
from sunglade.kernel.fields import LARGE, Memory, Number, NumberField, Numbers, Part, Parts, Real, Reals, Words
from sunglade.kernel.record import Record
from sunglade.rules import MODULES
from sunglade.search import graph, uct

HERE = Path(__file__).parent


def some_record(seed: int = 1, actions: int = 90) -> Record:
    game, choose = Game(4, {"modules": MODULES}, seed=seed), random.Random(seed)
    for _ in range(actions):
        game.play(choose.choice(game.legal))
    return game.now


def test_the_layout_is_what_programs_and_trained_weights_know() -> None:
    """Records are saved by programs and sent to GPUs: a field that moves breaks them."""
    assert (Record.size, STATE.itemsize, len(Record.fields)) == (880, 880, 39)
    offsets = {name: offset for name, (_, offset, *_) in (STATE.fields or {}).items()}
    assert offsets == {field.name: field.offset for field in Record.fields}
    assert [offsets[name] for name in ("pieces", "light", "empty", "player", "tokens", "baby_points")] == [
        0, 384, 480, 528, 616, 872,
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [Record, kernel.LegalList, Observation, uct.Hand, uct.Settings, graph.Settings])
def test_fields_and_numpy_see_the_same_numbers(kind: type[Memory]) -> None:
    memory, choose = kind(), random.Random(3)
    view = memory.array()[0]
    for field in kind.fields:
        assert isinstance(field, NumberField)
        most = 2.0 if field.code in "df" else 100
        if isinstance(field, Number | Real):
            setattr(memory, field.name, most)
            assert view[field.name] == most
        else:
            place = tuple(choose.randrange(length) for length in field.shape)
            getattr(memory, field.name)[place if len(place) > 1 else place[0]] = most
            assert view[field.name][place] == most and np.count_nonzero(view[field.name]) == 1
            assert getattr(memory, field.name).tolist() == view[field.name].tolist()
    assert memory.copy() == memory and bytes(memory) == view.tobytes()


def test_numpy_sees_what_compiled_code_writes_and_the_other_way_round() -> None:
    game = Game(2)
    record = game.record
    game.play("place a1")
    assert isinstance(record, np.record) and record.pieces[0, 1] == game.now.pieces[0, 1] == 1
    assert record.tobytes() == bytes(game.now) and record.light[:2].tolist() == [0, 0]
    assert kernel.points(record, 0) == kernel.points(game.now, 0)  # type: ignore[arg-type]  # for programs of others


def test_a_copy_is_a_record_of_its_own() -> None:
    s = some_record()
    copies = [s.copy(), Record(bytes(s)), Record.of(s.array()[0]), copy.deepcopy(s), pickle.loads(pickle.dumps(s))]
    s.light[0] += 1
    for twin in copies:
        assert twin != s and twin.light[0] == s.light[0] - 1
    assert Record.of(s) is s
    assert s != "a record" and s != Observation()


def test_a_record_cannot_be_made_of_anything() -> None:
    with pytest.raises(ValueError, match="a Record has 880 bytes, not 3"):
        Record(b"abc")
    with pytest.raises(TypeError):
        hash(Record())


def test_numbers_of_a_field_by_its_name() -> None:
    s = some_record()
    assert s.numbers("pieces") == [s.pieces[p, size] for p in range(4) for size in range(4)]
    assert s.numbers("sun") == [s.sun]
    s.write("light", [4, 3, 2, 1])
    s.write("sun", [5])
    assert (s.light.tolist(), s.sun) == ([4, 3, 2, 1], 5)
    with pytest.raises(ValueError, match="different"):
        s.write("light", [1])


def test_a_field_has_a_place_of_its_own_in_every_kind_of_memory() -> None:
    class Mixed(Memory):
        small = Numbers(8, code="b")
        half = Real()
        pair = Reals(2, code="f")
        one = Number()

    assert [(field.name, field.offset) for field in Mixed.fields] == [
        ("small", 0),
        ("half", 8),
        ("pair", 16),
        ("one", 24),
    ]
    assert dtype_of(Mixed).itemsize == Mixed.size == 32 and OBSERVATION.itemsize == Observation.size
    mixed = Mixed()
    mixed.half, mixed.one = 0.25, -1
    assert (mixed.half, mixed.one, mixed.array()["half"].tolist()) == (0.25, -1, [0.25])


class Inner(Memory):
    one = Number()
    three = Numbers(3, code="i")
    rest = Numbers(1, code="i")


class Outer(Memory):
    before = Number()
    inner = Part(Inner)
    same = Words(inner)
    several = Parts(Inner, 3)
    after = Number()


def test_a_part_lies_in_the_memory_around_it() -> None:
    outer, inner = Outer(), Inner()
    assert Outer.size == 8 + 4 * Inner.size + 8 and [field.offset for field in Outer.fields] == [0, 8, 8, 32, 104]
    inner.one, inner.three[1] = 7, 9
    outer.inner = inner
    outer.several[2] = outer.inner
    inner.one = 0
    outer.inner.one += 1
    view = outer.array()[0]
    assert outer.same.tolist() == [8, 9 << 32, 0] == view.same.tolist()
    assert (view.inner.one, view.several[2].one, view.several[2].three.tolist()) == (8, 7, [0, 9, 0])
    outer.several[1].one = -1
    view.several[0].one = 5
    assert [part.one for part in outer.several] == [5, -1, 7] and outer.before == outer.after == 0
    twin = copy.deepcopy(outer)
    twin.inner.one = 1
    assert outer.inner.one == 8 and outer.inner.copy() == outer.inner != twin.inner
    with pytest.raises(IndexError, match="there are 3"):
        outer.several[3]


@pytest.mark.parametrize("name", ["words", "data", "copy"])
def test_a_field_cannot_have_the_name_of_what_a_memory_has_itself(name: str) -> None:
    with pytest.raises((TypeError, RuntimeError)) as problem:
        type("Wrong", (Memory,), {name: Number()})
    assert "needs another name" in str(problem.value.__cause__ or problem.value)


def test_a_large_memory_is_zeros_of_its_own() -> None:
    class Large(Memory):
        row = Numbers(LARGE)

    one, other = Large(), Large()
    assert one == other and not any(one.row[:: LARGE // 64])
    one.row[LARGE - 1] = 3
    twin = copy.deepcopy(one)
    one.row[0] = 4
    assert one != other and (twin.row[LARGE - 1], twin.row[0]) == (3, 0)


@pytest.mark.parametrize("seed", range(4))
def test_a_drawing_is_the_same_of_either_kind_of_record(seed: int) -> None:
    for game in random_steps(new_random_game(seed), seed):
        if len(game.actions) % 40 == 0:
            assert drawing.text(game.record) == drawing.text(game.now) == str(game)


def test_rules_games_and_views_stand_without_numpy() -> None:
    """As in a browser, where compiled rules are called by other means: interpreted, the same games come out."""
    run = subprocess.run(
        [sys.executable, str(HERE / "without_numpy.py")], capture_output=True, text=True, cwd=HERE, check=False
    )
    assert run.returncode == 0, run.stderr
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(told) == 3
    for one in told:
        assert Game.from_dict(one["game"]).position() == one["position"]


def test_who_asks_for_numpy_s_record_without_numpy_is_told_what_brings_it() -> None:
    code = "import without_numpy; without_numpy.forbid(); from sunglade import Game; Game(players=2).record"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE, check=False)
    last = run.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: Game.record is a record of NumPy") and "'sunglade[numba]'" in last
