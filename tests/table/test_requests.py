"""Requests are read by plain classes, and refuse exactly what the models made from them refuse, at the same place."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import to_json

from sunglade.game import Game
from sunglade.server.request_models import model_of
from sunglade.table import requests
from sunglade.table.json_text import plain_json
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, Ping, read_hello, read_message
from sunglade.table.shapes import ObjectOf
from sunglade.table.view import position_view

KINDS = [
    requests.SeatRequest,
    requests.ClockRequest,
    requests.CreateTable,
    requests.Join,
    requests.Claim,
    requests.Command,
    requests.Upload,
    requests.Mine,
    requests.AnalysisRequest,
    requests.HintRequest,
    requests.WhatIf,
    requests.WhatIfWhy,
    requests.WhatIfAfter,
    requests.Hello,
    requests.LiveCommand,
    requests.Ping,
]
GOOD: dict[str, list[Any]] = {
    "id": ["c-1", "A" * 22, "x" * 64],
    "do": list(requests.DOINGS),
    "seat": [0, 3],
    "expected": [0, 2**53],
    "since": [7],
    "heard": [0, 7],
    "action": ["end", "plant c3 c5"],
    "name": ["Ada", "é" * 200],
    "level": ["oak"],
    "offer": list(requests.OFFERS),
    "days": [0, 28],
    "back_to": [0, 100_000],
    "bot": ["elder"],
    "takeover_level": ["greedy"],
    "kind": ["me", "open", "bot", "live", "days"],
    "seats": [[{"kind": "me"}, {"kind": "bot", "level": "oak"}], [{"kind": "open"}] * 4],
    "rules": [{}, {"edition": "us"}],
    "game": [{"players": 2}],
    "assistance": [True],
    "teaching": ["off", "strict"],
    "adapts": [True],
    "spectators": [False],
    "talk": [False],
    "listed": [True],
    "rated": [True],
    "takeover_after": [10, 86400],
    "clock": [{"kind": "live", "turn": 10, "reserve": 60}, {"kind": "days", "turn": 3, "then": "seat"}],
    "turn": [1, 3600],
    "reserve": [0, 36_000],
    "then": ["turn", "seat"],
    "vacation": [0, 28],
    "seed": [5],
    "invite": ["i" * 22],
    "code": ["c"],
    "token": ["t"],
    "tokens": [[], ["a", "b"]],
    "actions": [[], ["end", "grow c3"]],
    "asked": [["end"], ["grow c3"] * 80],
    "nodes": [16],
    "ms": [50],
    "type": ["hello", "command", "ping"],
    "table": ["abc"],
}
BAD: list[Any] = [
    None, True, 0, 1, -1, 4, 17, 2**53, 2**53 + 1, 1.0, 1e300, "", "x", "x\n", "é", "A" * 22 + "\n", "x" * 41,
    "x" * 61, "x" * 65, "x" * 201, [], [1], ["x" * 65], ["t"] * 101, {}, {"a": 1}, [{"kind": "me"}],
    [{"kind": "me"}] * 5,
    [{"kind": "you"}] * 2, [{"kind": "me"}, {"kind": "bot", "levle": "oak"}], [{"kind": "me", "name": ""}, 3],
    {"kind": "live"}, {"kind": "hours", "turn": 3}, {"kind": "live", "turn": 10, "then": "bot"},
]  # fmt: skip


@st.composite
def told(draw: st.DrawFn, kind: type) -> Any:
    """A request that is nearly right."""
    names = list(ObjectOf(kind).shapes)
    found = {}
    for name in draw(st.lists(st.sampled_from([*names, *names, "extra", "Id"]), unique=True)):
        found[name] = draw(st.sampled_from(GOOD.get(name, [1]) * 3 + BAD))
    for name in names:
        if name not in found and draw(st.booleans()):
            found[name] = draw(st.sampled_from(GOOD[name]))
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_request_is_read_as_its_model_tells(kind: type, data: st.DataObject) -> None:
    """The model is what other programs are told; nothing else may be let in or kept out."""
    request = data.draw(told(kind))
    try:
        expected = model_of(kind).model_validate(request).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in ("body", *first["loc"]))
        with pytest.raises(ServerProblem) as refused:
            ObjectOf(kind).read(request, "body")
        assert refused.value.kind == "bad_request"
        if first["type"] != "model_type":  # a model calls an object an instance of itself
            assert refused.value.message == f"{place}: {first['msg']}"[:300]
    else:
        assert asdict(ObjectOf(kind).read(request, "body")) == expected


@pytest.mark.parametrize("request_", [None, 1, "x", [], True])
def test_what_is_no_object_is_refused_in_a_sentence(request_: Any) -> None:
    with pytest.raises(ServerProblem, match=r"^body: Input should be an object$"):
        ObjectOf(Command).read(request_, "body")


def test_messages_of_a_live_connection_are_told_apart_by_their_type() -> None:
    assert read_message({"type": "ping"}) == Ping("ping")
    assert read_message({"type": "command", "id": "1", "do": "undo"}).type == "command"
    unknown: list[Any] = [None, [], {}, {"type": "hello"}, {"type": ["ping"]}]
    for message in unknown:
        with pytest.raises(ServerProblem, match=r"^type: Input should be 'command', 'say' or 'ping'$"):
            read_message(message)
    with pytest.raises(ServerProblem, match=r"^hello: table: Field required$"):
        read_hello({"type": "hello"})


@pytest.mark.parametrize("modules", [[], ["moon", "elder", "stones"]])
def test_python_writes_json_as_the_server_does(modules: list[str]) -> None:
    """What a page writes is what a server writes, letter by letter."""
    game = Game(3, {"modules": modules}, seed=4)
    for _ in range(40):
        view = {"view": position_view(game, assistance=True), "names": ["Zoë", '\u2028\x7f"\\/\x01', "𝔸"], "at": 1.5}
        assert plain_json(view) == to_json(view)
        assert json.loads(plain_json(view)) == view
        game.play(game.legal[len(game.actions) % len(game.legal)])
