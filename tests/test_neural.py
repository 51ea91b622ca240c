"""The player with a network: the graph of positions, its budgets, and what it says when the weights are not right."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sunglade import Game, Rules
from sunglade.bots import Analyst, make
from sunglade.encode import BASE_ACTIONS, observe
from sunglade.errors import BadRequest
from sunglade.neural import inference
from sunglade.neural.features import BASE_GAME, WHOLE_GAME, Sight
from sunglade.neural.inference import ANCHOR, NEWEST, SHIPPED, Inference, NoNetwork, shipped
from sunglade.neural.network_thinker import NetworkThinker
from sunglade.neural.weights_file import SUFFIX, read_weights, write_weights
from sunglade.options import OneOf
from sunglade.rules import BABIES, EDITIONS, MODULES, OPTIONS
from sunglade.search import graph
from sunglade.search.graph import Answers, Questions

pytestmark = pytest.mark.slow  # the network's search is compiled first


class Clueless(Inference):
    """A network that finds all actions and seats alike, at once: the graph alone is at work."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def answer(self, questions: Questions, waiting: int, answers: Answers) -> None:
        self.asked += [bytes(questions.observation[row]) for row in range(waiting)]
        answers.data[:] = bytes(Answers.size)
        for row in range(waiting):
            for seat in range(4):
                answers.values[row, seat] = 0.5


class Opinionated(Clueless):
    """A network that tries every action and finds each position worth something else: it shows what a search saw."""

    def answer(self, questions: Questions, waiting: int, answers: Answers) -> None:
        super().answer(questions, waiting, answers)
        for row in range(waiting):
            answers.values[row, 0] = crc32(bytes(questions.observation[row])) / 2**32


def played(players: int, actions: int, seed: int = 3, **rules: Any) -> Game:
    game = Game(players, Rules(**rules))
    bot = make("random", seed=seed)
    while not game.over and (len(game.actions) < actions or len(game.legal) == 1):
        game.play(bot.act(game, 0))
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_simulation_is_counted_and_every_walk_ends(players: int) -> None:
    thinker = NetworkThinker(Clueless())
    thought = thinker.think(played(players, 60), nodes=700)
    assert sum(line.visits for line in thought.lines) == thought.simulations
    assert 700 <= thought.simulations < 700 + 70  # the last batch may end with a few that needed no answer
    g = thinker._graph.array()[0]
    assert not g.walking[: g.edges].any()
    assert all(0 <= value <= 1 for line in thought.lines for value in line.value)


def test_no_position_is_asked_about_twice_though_many_ways_lead_to_it() -> None:
    network = Clueless()
    thinker = NetworkThinker(network)
    thinker.think(played(2, 60), nodes=3000)
    g = thinker._graph.array()[0]
    keys = g.key[: g.nodes]
    assert len(np.unique(keys)) == len(keys)
    assert len(network.asked) == len(set(network.asked)) < 3000 - 200  # the order of actions often does not matter


def test_what_a_node_is_worth_follows_from_the_nodes_behind_it() -> None:
    thinker = NetworkThinker(shipped())
    thinker.think(played(3, 90), nodes=150)
    g = thinker._graph.array()[0]
    node = int(g.root)
    edges = range(int(g.first[node]), int(g.first[node] + g.count[node]))
    tried = [edge for edge in edges if g.tries[edge]]
    total = g.own[node] + sum(g.tries[edge] * g.worth[g.child[edge]] for edge in tried)
    assert g.worth[node, :3] == pytest.approx(total[:3] / (1 + sum(g.tries[edge] for edge in tried)), abs=1e-5)


def test_the_end_of_a_game_counts_as_it_is_not_as_the_network_guesses() -> None:
    game = played(2, 1000)
    game.undo()
    while len(game.legal) < 3:
        game.undo()
    thought = NetworkThinker(Clueless()).think(game, nodes=600)
    assert thought.value != [0.5, 0.5]


def test_a_graph_without_room_answers_with_what_it_has() -> None:
    thinker = NetworkThinker(Clueless())
    thought = thinker.think(played(4, 80), nodes=10 * graph.NODES)
    assert 0 < thought.simulations < 10 * graph.NODES
    assert thinker._graph.nodes <= graph.NODES and thinker._graph.edges <= graph.EDGES
    game = played(4, 81)
    assert thinker.think(game, ms=20).action in game.legal  # begun anew


def test_the_same_nodes_give_the_same_answer() -> None:
    game = played(2, 40)
    first, second = (make("neural", seed=seed) for seed in (1, 1))
    assert isinstance(first, Analyst) and isinstance(second, Analyst)
    second.think(played(2, 39), nodes=30)  # what was thought before does not matter
    assert first.think(game, nodes=60) == second.think(game, nodes=60)


def test_two_threads_find_the_same_positions_worth_the_same() -> None:
    game = played(2, 40)
    one = NetworkThinker(shipped(1)).think(game, nodes=60)
    two = NetworkThinker(shipped(2)).think(game, nodes=60)
    assert two.action == one.action and two.value == pytest.approx(one.value, abs=0.02)


def test_what_was_found_is_kept_for_the_next_action_of_the_turn() -> None:
    network = Clueless()
    thinker = NetworkThinker(network)
    game = played(2, 60)
    game.play(thinker.think(game, nodes=100).action)
    before = len(network.asked)
    assert sum(line.visits for line in thinker.think(game, ms=0).lines) > 0
    assert len(network.asked) == before


def test_it_stops_at_a_word() -> None:
    """Said while the network answers for the third time; nothing else would end this thought."""
    stop = Event()

    class Told(Clueless):
        times = 0

        def answer(self, questions: Questions, waiting: int, answers: Answers) -> None:
            self.times += 1
            if self.times == 3:
                stop.set()
            super().answer(questions, waiting, answers)

    network = Told()
    assert NetworkThinker(network).think(played(2, 30), stop=stop).simulations > 0
    assert 3 <= network.times <= 5


def test_with_no_time_at_all_it_plays_the_bare_policy() -> None:
    game = played(2, 50)
    thinker = NetworkThinker(shipped())
    thought = thinker.think(game, ms=0)
    assert thought.simulations == 0 and thought.action in game.legal


def test_one_legal_action_needs_no_thought() -> None:
    game = Game(2)
    bot = make("greedy")
    while len(game.legal) > 1:
        game.play(bot.act(game, 0))
    thinker = NetworkThinker(Clueless())
    assert thinker.think(game, ms=60_000).action == game.legal[0]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(EDITIONS)), st.integers(2, 4), st.booleans(), st.integers(0, 150), st.integers(1, 99))
def test_it_plays_legally_in_every_edition(edition: str, players: int, shade: bool, actions: int, seed: int) -> None:
    game = played(players, actions, seed, edition=edition, shade_forbids=shade, revolutions=4)
    thinker = NetworkThinker(shipped())
    for _ in range(4):
        if not game.over:
            game.play(thinker.think(game, nodes=9).action)


READINGS = {name: option.kind.values for name, option in OPTIONS.items() if isinstance(option.kind, OneOf)}


@settings(max_examples=15, deadline=None)
@given(
    st.sets(st.sampled_from(MODULES), min_size=1),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in READINGS.items()}),
    st.integers(2, 4),
    st.integers(0, 150),
    st.integers(1, 99),
)
def test_it_plays_legally_with_every_set_of_modules(
    modules: set[str], readings: dict[str, Any], players: int, actions: int, seed: int
) -> None:
    game = played(players, actions, seed, modules=sorted(modules), **readings)
    thinker = NetworkThinker(shipped())
    for _ in range(4):
        if not game.over:
            game.play(thinker.think(game.redacted(), nodes=9).action)


def turtle_game(babies: tuple[str, ...], actions: int) -> Game:
    """A game in which the turtle plays, its babies so laid; as many actions as both players wish, none hatching."""
    deal = {"animals": [["turtle", "fox"], ["owl", "boar"]], "babies": list(babies)}
    game = Game(2, Rules(modules=["moon"]), deal=deal)
    bot = make("random", seed=5)
    game.play("draft turtle")
    while len(game.actions) < actions:
        wish = bot.act(game, 0)
        game.play("end" if wish == "turtle.hatch" else wish)
    return game


HATCHING = 60
"""Actions after which the turtle of these games stands on a baby."""


@pytest.mark.parametrize("actions", [1, 3, HATCHING])
def test_two_games_that_differ_only_in_what_lies_face_down_get_the_same_answer(actions: int) -> None:
    one, other = (turtle_game(babies, actions) for babies in (BABIES[:6], BABIES[:1:-1]))
    for network in (shipped(), Opinionated()):
        thoughts = [NetworkThinker(network).think(game, nodes=200) for game in (one, other, one.redacted())]
        assert thoughts[0] == thoughts[1] == thoughts[2]


def test_hatching_is_worth_the_mean_of_what_may_hatch() -> None:
    game = turtle_game(BABIES[:6], HATCHING)
    assert "turtle.hatch" in game.legal
    thinker = NetworkThinker(Clueless())
    thinker.think(game, nodes=3000)
    g = thinker._graph.array()[0]
    chances = np.flatnonzero(g.state[: g.nodes] == graph.CHANCE)
    outcomes = [g.tries[g.first[node] : g.first[node] + len(BABIES)] for node in chances]
    assert max(int((tries > 0).sum()) for tries in outcomes) == len(BABIES)  # any of them may lie there
    for node, tries in zip(chances, outcomes, strict=True):
        if tries.sum():
            children = g.child[g.first[node] : g.first[node] + len(BABIES)][tries > 0]
            assert g.worth[node, 0] == pytest.approx(
                np.average(g.worth[children, 0], weights=tries[tries > 0]), abs=1e-5
            )
    assert not g.walking[: g.edges].any()


def test_the_anchor_is_kept_and_knows_no_modules() -> None:
    bot = make(f"neural:{ANCHOR}")
    assert isinstance(bot, Analyst)
    assert bot.think(Game(2), nodes=5).action in Game(2).legal
    with pytest.raises(BadRequest, match="base game only"):
        bot.think(Game(2, Rules(modules=["stones"])), nodes=5)
    with pytest.raises(BadRequest, match=r"no weights '2025'; there are whole, small, 2026-11"):
        make("neural:2025")


def test_a_finished_game_and_an_endless_search_are_refused_with_a_sentence() -> None:
    bot = make("neural")
    assert isinstance(bot, Analyst)
    with pytest.raises(BadRequest, match="over"):
        bot.think(played(2, 1000), nodes=5)
    with pytest.raises(BadRequest, match="end"):
        bot.think(Game(2))


@pytest.mark.parametrize(
    "name", ["neural:threads=0", "neural:threads=-3", "neural:explore=nan", "neural:explore=-5", "elder:threads=0"]
)
def test_impossible_settings_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(BadRequest, match="from"):
        make(name)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the shipped weights, to be damaged."""
    shutil.copytree(inference.FOLDER, tmp_path / "weights")
    monkeypatch.setattr(inference, "FOLDER", tmp_path / "weights")
    inference._checked_model.cache_clear()
    yield tmp_path / "weights"
    inference._checked_model.cache_clear()


def test_missing_weights_are_told(weights: Path) -> None:
    (weights / f"{NEWEST}{SUFFIX}").unlink()
    with pytest.raises(NoNetwork, match="missing"):
        make("neural")


def test_damaged_weights_are_told(weights: Path) -> None:
    file = weights / f"{NEWEST}{SUFFIX}"
    model = bytearray(file.read_bytes())
    model[len(model) // 2] ^= 1
    file.write_bytes(model)
    with pytest.raises(NoNetwork, match="damaged"):
        make("neural")


OTHERS = '{"encoding": "an older one", "sight": {"planes": 43, "table": 347, "actions": 871}}'


@pytest.mark.parametrize("card", ["", "[]", "{}", '{"encoding": "an older one"}', OTHERS])
def test_weights_of_another_version_are_told(weights: Path, card: str) -> None:
    (weights / f"{NEWEST}.json").write_text(card)
    with pytest.raises(NoNetwork, match=r"missing|another version"):
        make("neural")


WHOLE = (inference.FOLDER / f"{NEWEST}{SUFFIX}").read_bytes()
HEADER = json.loads(WHOLE[8 : 8 + int.from_bytes(WHOLE[:8], "little")])


def with_header(**changed: Any) -> bytes:
    """The shipped network with something else in its header."""
    header = json.dumps(HEADER | changed).encode()
    return len(header).to_bytes(8, "little") + header + WHOLE[8 + int.from_bytes(WHOLE[:8], "little") :]


def size_with(**changed: Any) -> dict[str, Any]:
    return {"__metadata__": HEADER["__metadata__"] | changed}


NO_NETWORKS = {
    "empty": (b"", "no file of a network"),
    "a text": (b"no network at all", "no file of a network"),
    "its beginning": (WHOLE[:1000], "no file of a network"),
    "a header without end": (b"\xff" * 7 + b"\x7f" + WHOLE[8:], "no file of a network"),
    "without sizes": (with_header(__metadata__={}), "no file of a network"),
    "a width below 0": (with_header(**size_with(width="-32")), "no file of a network"),
    "an odd width": (with_header(**size_with(width="33")), "no file of a network"),
    "three heads": (with_header(**size_with(heads="3")), "no file of a network"),
    "another block": (with_header(**size_with(layers="5")), "parts"),
    "another width": (with_header(**size_with(width="64")), "parts"),
    "a million planes": (with_header(**size_with(planes="1000000")), "more of the game"),
    "half numbers": (with_header(place=HEADER["place"] | {"dtype": "F16"}), "stored as F16, F32, and only F32"),
    "another shape": (with_header(place=HEADER["place"] | {"shape": [38, 128]}), "parts"),
    "another part": (with_header(more=HEADER["place"]), "parts"),
    "cut off": (WHOLE[:-4], "parts"),
    "more behind it": (WHOLE + b"more", "parts"),
}


@pytest.mark.parametrize("name", NO_NETWORKS)
def test_a_file_that_is_no_network_is_told_in_a_sentence(name: str) -> None:
    model, told = NO_NETWORKS[name]
    with pytest.raises(NoNetwork, match=rf"are damaged: .*{told}.*; install sunglade again\.$"):
        Inference(model)


def test_weights_written_again_are_the_same() -> None:
    size, content = read_weights(WHOLE)
    numbers = {
        name: bytes(content[slice(*part["data_offsets"])]) for name, part in HEADER.items() if name != "__metadata__"
    }
    assert write_weights(size, numbers) == WHOLE


def test_the_shipped_weights_are_small_and_have_a_card() -> None:
    assert sum(file.stat().st_size for file in inference.FOLDER.iterdir()) <= 10_000_000
    for name in SHIPPED:
        card = json.loads((inference.FOLDER / f"{name}.json").read_text())
        assert {"licence", "commit", "command", "encoding", "sha256", "trained", "games", "positions"} <= set(card)
        assert card["licence"] == "Apache-2.0" and "sunglade.neural.train" in card["command"]
        assert ("no modules" in card["learned"]) == (name == ANCHOR)


ANSWERS = [
    ("us-2", 30, {557: 4.7512, 791: 4.6436, 465: 3.5643}, [0.73835, 0.26465, 0.0582, 0.07228]),
    ("us1-3", 70, {35: 5.4216, 152: 3.3833, 751: 2.8515}, [0.06281, 0.93508, 0.01953, 0.02362]),
    ("he-4", 110, {36: 4.6021, 30: 2.9994, 12: 2.7841}, [0.16504, 0.49479, 0.38276, 0.04238]),
    (
        "de-4-shade",
        160,
        {3: 4.5697, 17: 3.7636, 4: 2.5379},
        [0.02061, 0.05391, 0.01343, 0.93549],
    ),
    ("es-2", 60, {737: 3.3799, 825: 3.0755, 738: 3.0332}, [0.68435, 0.3172, 0.06877, 0.0624]),
    (
        "it-4-long",
        240,
        {648: 2.7634, 551: 2.7436, 25: 2.7345},
        [0.24934, 0.02594, 0.35277, 0.4399],
    ),
]
"""After so many actions of a recorded game: the three best logits and the values, as the network answered when new."""


@pytest.mark.parametrize(("recorded", "count", "best", "value"), ANSWERS, ids=lambda part: str(part)[:10])
def test_the_anchor_answers_as_ever(recorded: str, count: int, best: dict[int, float], value: list[float]) -> None:
    """What was added to observations since changes nothing for it."""
    told = json.loads((Path(__file__).parent / "golden" / f"{recorded}.json").read_text())["game"]
    game = Game.from_dict(told | {"actions": told["actions"][:count]})
    questions, answers = Questions(), Answers()
    observe(game.now, (6 - game.now.sun) % 6, questions.observation[0])
    shipped(name=ANCHOR).answer(questions, 1, answers)
    logits = [answers.logits[0, action] for action in range(BASE_ACTIONS)]
    assert logits.index(max(logits)) == next(iter(best))
    assert [logits[action] for action in best] == pytest.approx(list(best.values()), abs=0.01)
    assert [answers.values[0, seat] for seat in range(4)] == pytest.approx(value, abs=0.001)


def test_a_network_takes_the_beginning_of_an_observation() -> None:
    """What is added there comes behind what networks look at."""
    for name, sight in ((ANCHOR, BASE_GAME), (NEWEST, WHOLE_GAME)):
        size = shipped(name=name).size
        assert (size.planes, size.table, size.actions) == (sight.planes, sight.table, sight.actions)
        assert Sight(**json.loads((inference.FOLDER / f"{name}.json").read_text())["sight"]) == sight


@pytest.mark.parametrize("players", [2, 4])
def test_the_bare_policy_beats_greedy(players: int) -> None:
    thinker = NetworkThinker(shipped())
    wins = 0.0
    games = 2 * players
    for number in range(games):
        game = Game(players)
        mine = number % players
        others = make("greedy", seed=number)
        while not game.over:
            game.play(thinker.think(game, ms=0).action if game.player == mine else others.act(game, 0))
        winners = game.winners or []
        wins += winners.count(mine) / len(winners)
    assert wins >= 0.75 * games
