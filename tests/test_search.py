"""Tree search: legal under all rules, repeatable, in time, blind to what is hidden, and better than greedy."""

import gc
import itertools
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import positions
import random_games
from sunglade import Game, Rules, bots, kernel
from sunglade.bots.search import SearchBot
from sunglade.errors import BadRequest
from sunglade.kernel.actions import MAX_LEGAL
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import MODULES
from sunglade.search import rollout_thinker, uct
from sunglade.search.candidates import in_order
from sunglade.search.rollout_thinker import FIRST_CHUNK, MOST_CHUNK, RolloutThinker, Settings, Thought
from sunglade.search.uct import SIMPLE_ROLLOUTS, simulate


def middle(players: int = 2, turns: int = 12, **options: Any) -> Game:
    """A game played by `greedy` for some turns."""
    game, bot = Game(players, options), bots.make("greedy")
    while game.actions.count("end") < turns and not game.over:
        game.play(bot.act(game, 1))
    return game


@pytest.mark.parametrize("modules", random_games.MODULE_SETS, ids="+".join)
def test_what_it_plays_is_legal_under_every_option_and_module(modules: list[str]) -> None:
    for seed in range(6):
        game = random_games.new_random_game(seed, modules)
        thinker = RolloutThinker(seed)
        choose = random.Random(seed)
        for number, step in enumerate(random_games.random_steps(game, seed)):
            if step.over:
                break
            if choose.random() < 0.25:
                thought = thinker.think(step.redacted(), nodes=12)
                assert {line.action for line in thought.lines} <= set(step.legal), number
                assert len(thought.value) == step.players


def test_whole_games_by_search_alone_end() -> None:
    for seed, modules in enumerate(random_games.MODULE_SETS):
        game = Game(2 + seed % 3, Rules(modules=modules), seed=seed)
        thinker = RolloutThinker(seed)
        while not game.over:
            game.play(thinker.think(game, nodes=4).action)


def test_the_same_nodes_and_seed_give_the_same_answer() -> None:
    """With any number of threads, too."""
    game = middle()
    first, second, other = (RolloutThinker(seed, threads=2).think(game, nodes=800) for seed in (1, 1, 2))
    assert first == second == RolloutThinker(1).think(game, nodes=800)
    assert [line.visits for line in first.lines] != [line.visits for line in other.lines]
    assert first.simulations == 800


def turtle_game(babies: tuple[str, ...]) -> Game:
    """The turtle in play, some rounds under way."""
    deal = {"animals": [["turtle", "fox"], ["owl", "boar"]], "babies": list(babies)}
    game = Game(2, Rules(modules=["moon"]), deal=deal)
    game.play("draft turtle")
    return positions.play(game, "draft owl", *game_start(game))


def game_start(game: Game) -> list[str]:
    copy, choose = game.fork(), random.Random(3)
    copy.play("draft owl")
    while copy.round < 4:
        plain = [line for line in copy.legal if not line.startswith("turtle")]
        copy.play(choose.choice(plain))
    return copy.actions[2:]


def test_it_does_not_know_which_babies_lie_face_down() -> None:
    """Two games that differ only in what nobody has seen get the same answer (M-SETUP-4)."""
    some = turtle_game(("light", "seed", "two", "leaf", "small", "points"))
    others = turtle_game(("points", "harvest", "leaf", "medium", "two", "seed"))
    assert some.actions == others.actions and some.record.face_down
    for redact in (False, True):
        first, second = (game.redacted() if redact else game for game in (some, others))
        assert RolloutThinker(4).think(first, nodes=600) == RolloutThinker(4).think(second, nodes=600)


def test_hatching_is_looked_at_and_goes_on() -> None:
    game = positions.turn("c3:A1 e4:B1", animals="turtle@a1 owl@e4", lunar=9, light=3, round=5)
    assert "turtle.hatch" in game.legal
    thinker = RolloutThinker(1)
    assert "turtle.hatch" in {line.action for line in thinker.think(game, nodes=400).lines}
    game.play("turtle.hatch")
    assert thinker.think(game, nodes=200).action in game.legal


class Clock:
    """A clock that goes on by what the simulations are said to cost: the speed of the machine does not count."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost_ms: Callable[[int], float]) -> None:
        self.now = 0.0
        self.calls = 0
        self.before_call: Callable[[int], object] = lambda calls: None
        self._cost_ms = cost_ms
        monkeypatch.setattr(rollout_thinker, "simulate", self._simulate)
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def _simulate(self, trees: Any, roots: Any, desk: Any, settings: Any, simulations: int) -> None:
        self.before_call(self.calls)
        self.calls += 1
        simulate(trees, roots, desk, settings, simulations)
        self.now += simulations * self._cost_ms(self.calls) / 1000


COSTS: dict[str, Callable[[int], float]] = {
    "quick": lambda calls: 0.004,
    "slow": lambda calls: 0.5,
    "now quick, now slow": lambda calls: 0.005 if calls % 7 else 0.05,
    "slower and slower": lambda calls: 0.005 * 1.05**calls,
}


@pytest.mark.parametrize("ms", [20, 100, 500])
@pytest.mark.parametrize("cost", COSTS)
def test_a_turn_takes_its_time_and_at_most_50_ms_more(monkeypatch: pytest.MonkeyPatch, cost: str, ms: int) -> None:
    clock, bot, game = Clock(monkeypatch, COSTS[cost]), SearchBot(1), middle(3)
    player, began = game.player, clock.now
    while game.player == player:
        game.play(bot.act(game, max(1, int(ms - (clock.now - began) * 1000))))
    assert (clock.now - began) * 1000 < ms + 50


@pytest.mark.parametrize("threads", [1, 2])
def test_time_is_kept_by_the_real_clock(threads: int) -> None:
    """How near is measured, not tested: on a busy machine a thread may wait for its core."""
    thinker, game = RolloutThinker(1, threads=threads), middle(3)
    assert thinker.think(game, ms=100).action in game.legal  # and not: for ever


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("moment", [0, 1, 2, 10])
def test_a_stop_ends_it_at_any_moment(monkeypatch: pytest.MonkeyPatch, threads: int, moment: int) -> None:
    """After the word no thread begins anything new."""
    stop, game = threading.Event(), middle()
    clock = Clock(monkeypatch, lambda calls: 0.01)
    clock.before_call = lambda calls: stop.set() if calls >= moment else None
    assert RolloutThinker(1, threads=threads).think(game, stop=stop).action in game.legal
    assert moment < clock.calls <= moment + threads


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interruption_ends_all_threads(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """As when somebody types Ctrl-C: nothing thinks on in the background."""
    calls, searching, search = itertools.count(), [], rollout_thinker.Worker.search

    def interrupted(*arguments: Any) -> None:
        simulate(*arguments)
        if next(calls) == 5:
            raise KeyboardInterrupt

    def watched(worker: rollout_thinker.Worker, *arguments: Any, **options: Any) -> int:
        searching.append(worker)
        try:
            return search(worker, *arguments, **options)
        finally:
            searching.remove(worker)

    monkeypatch.setattr(rollout_thinker, "simulate", interrupted)
    monkeypatch.setattr(rollout_thinker.Worker, "search", watched)
    with pytest.raises(KeyboardInterrupt):
        RolloutThinker(1, threads=threads).think(middle(), stop=threading.Event())
    assert next(calls) > 5 and searching == []


def test_only_one_thread_decides_that_more_thinking_is_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper whose first simulations were slow thought that there was no time for more, and left the other alone."""
    deciding = []
    monkeypatch.setattr(rollout_thinker.Worker, "_decided", lambda worker, *_: deciding.append(worker))
    two, clock = RolloutThinker(1, threads=2), Clock(monkeypatch, lambda calls: 0.01)
    two.think(middle(), ms=200)
    assert clock.calls > 1 and set(deciding) == {two._workers[0]}


def test_helpers_stay_from_one_thought_to_the_next_and_end_with_the_thinker() -> None:
    before = set(threading.enumerate())
    three = RolloutThinker(1, threads=3)
    for _ in range(5):
        three.think(middle(), ms=5)
        helpers = set(threading.enumerate()) - before
        assert len(helpers) <= 2
    del three
    gc.collect()
    for helper in helpers:
        helper.join(60)
    assert not any(helper.is_alive() for helper in helpers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_thinks_with_threads_of_its_own() -> None:
    """Threads stay behind when a process forks; the copy waited for them for ever."""
    game, two = middle(), RolloutThinker(1, threads=2)
    two.think(game, ms=5)
    child = os.fork()
    if child == 0:
        os._exit(0 if two.think(game, ms=5).action in game.legal else 1)
    until = time.monotonic() + 300
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < until:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(child, signal.SIGKILL)
    assert ended == (child, 0)


def test_an_action_nobody_tried_is_worth_what_the_position_is() -> None:
    """And not nothing: an analysis with few simulations called the last turn of a game a disaster."""
    for players in (2, 3):
        thought = RolloutThinker(1).think(middle(players), nodes=1)
        assert thought.lines[-1].visits == 0
        assert thought.lines[-1].value == thought.value != [0.0] * players


def test_a_new_game_does_not_inherit_the_pace_of_an_ending_one() -> None:
    thinker = RolloutThinker()
    thinker.think(middle(turns=35), ms=1)
    thinker._workers[0]._a_second = 1e9  # in the last turn a simulation takes no time
    assert thinker.think(middle(turns=35), ms=0).simulations == MOST_CHUNK
    assert thinker.think(Game(2), ms=0).simulations <= FIRST_CHUNK


def test_a_stop_before_the_start_still_gives_an_answer() -> None:
    stop = threading.Event()
    stop.set()
    game = middle()
    assert RolloutThinker(1).think(game, stop=stop).action in game.legal


def test_the_tree_is_kept_as_the_game_goes_on() -> None:
    game, thinker = middle(), RolloutThinker(1)
    first = thinker.think(game, nodes=3000)
    game.play(first.action)
    second = thinker.think(game, nodes=1)
    assert sum(line.visits for line in second.lines) >= first.lines[0].visits - 1


def test_the_tree_is_kept_over_the_turns_of_others() -> None:
    game, thinker = middle(3), RolloutThinker(1)
    players: set[int | None] = set()
    expected = thinker.think(game, nodes=20_000).lines[0].visits
    while len(players) < 3 and expected > 50:
        players.add(game.player)
        game.play(thinker.think(game, nodes=1).action)
        lines = thinker.think(game, nodes=1).lines
        assert sum(line.visits for line in lines) >= expected - 1  # the first visit came before there were children
        expected = lines[0].visits
    assert len(players) > 1


def whole_game(thinker: RolloutThinker, players: int) -> list[Thought]:
    """What a search thinks from the middle of a game to its end."""
    game, thoughts = middle(players, 8), []
    while not game.over:
        thoughts.append(thinker.think(game, nodes=150))
        game.play(thoughts[-1].action)
    return thoughts


@pytest.mark.parametrize("players", [2, 4])
def test_a_tree_that_is_tidied_up_is_the_same_tree(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    as_it_is = whole_game(RolloutThinker(2), players)
    monkeypatch.setattr(rollout_thinker.Worker, "room", 0)  # so little that it is tidied up at every step
    assert whole_game(RolloutThinker(2), players) == as_it_is
    monkeypatch.setattr(rollout_thinker, "KEPT", 30)
    assert len(whole_game(RolloutThinker(2), players)) > 20


def test_a_full_tree_grows_no_more_and_the_search_goes_on() -> None:
    thinker, game = RolloutThinker(1), middle()
    thinker.think(game, nodes=10)
    hand = thinker._workers[0].hand
    hand.end = hand.free + 1000
    thought = thinker.think(game, nodes=5000)
    assert hand.free <= hand.end and thought.simulations == 5000
    assert sum(line.visits for line in thought.lines) == 5010


def test_a_device_with_little_memory_has_smaller_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    few = uct._room("20000")
    assert (few, uct._room(""), uct._room("-1"), uct._room("1"), uct._room("9" * 30)) == (
        20_000, uct.NODES, uct.NODES, uct.LEAST_ROOM, uct.NODES,
    )  # fmt: skip
    monkeypatch.setattr(uct, "ROOM", few)
    thinker = RolloutThinker(1)
    assert thinker.think(middle(), nodes=10_000).simulations == 10_000
    hand = thinker._workers[0].hand
    assert few - MAX_LEGAL <= hand.free <= hand.end <= few


def check_tree(thinker: RolloutThinker, game: Game) -> int:
    """Walk the whole tree along its actions: each legal where it is, each by who is on move. Returns the nodes seen."""
    t = thinker._tree.array()[0]
    waiting, seen = [(int(t.root), game.fork().now)], 0
    while waiting:
        node, record = waiting.pop()
        first, count = divmod(int(t.family[node]), 2 * MAX_LEGAL)
        children = range(first, first + count)
        assert t.visits[children].sum() <= t.visits[node]
        assert 0 <= t.won[node] <= t.visits[node]
        legal = set(legal_numbers(record)) if count else set()
        actions = [int(t.action[child]) for child in children]
        assert len(set(actions)) == len(actions) and set(actions) <= legal
        assert all(t.mover[child] == record.player for child in children)
        seen += count
        for child, action in zip(children, actions, strict=True):
            if t.family[child]:
                after = record.copy()
                kernel.apply(after, action)
                waiting.append((child, after))
    return seen


def legal_numbers(s: kernel.Record) -> list[int]:
    out = kernel.LegalList()
    return out.action[: kernel.legal(s, out)].tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_threads_grow_one_tree_and_leave_it_whole(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """More threads than cores, stopped now and then, over several positions; the tree is checked each time."""
    game, searching = middle(players, 4 * players), RolloutThinker(players, threads=6)
    calls, stop = itertools.count(1), threading.Event()

    def counted(*arguments: Any) -> None:
        simulate(*arguments)
        if next(calls) % 60 == 0:
            stop.set()

    monkeypatch.setattr(rollout_thinker, "simulate", counted)
    for _ in range(4):
        before = sum(line.visits for line in searching.think(game, nodes=1).lines)
        stop.clear()
        thought = searching.think(game, stop=stop)
        assert sum(line.visits for line in thought.lines) == before + thought.simulations
        assert check_tree(searching, game) > 100
        game.play(thought.action)


def test_another_game_does_not_inherit_the_tree() -> None:
    thinker = RolloutThinker(1)
    thinker.think(middle(), nodes=3000)
    for game in (middle(3), middle(2, 14), Game(2), Game(4)):
        thought = thinker.think(game, nodes=50)
        assert sum(line.visits for line in thought.lines) == 50
        assert {line.action for line in thought.lines} <= set(game.legal)


def test_an_undone_game_does_not_keep_the_tree() -> None:
    thinker, game = RolloutThinker(1), middle()
    thinker.think(game, nodes=500)
    game.undo()
    assert sum(line.visits for line in thinker.think(game, nodes=50).lines) == 50


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_the_base_game_the_rollouts_are_those_of_the_yardstick(players: int) -> None:
    """So what is measured beside the yardstick is what plays."""
    game = middle(players)
    own, yardstick = (RolloutThinker(3, settings=Settings(simple=simple)) for simple in (0, SIMPLE_ROLLOUTS))
    assert own.think(game, nodes=400) == yardstick.think(game, nodes=400)


def swap_is_the_same(game: Game, first: str, second: str) -> bool:
    """Whether two actions of a turn can be swapped, and lead to the same position."""
    one, other = game.fork(), game.fork()
    positions.play(one, first, second)
    if second not in other.legal:
        return False
    other.play(second)
    if first not in other.legal:
        return False
    other.play(first)
    for each in (one, other):
        each.record.tokens.sort()  # in which order they were taken does not matter
    return one.now == other.now


def test_what_is_left_out_is_reached_in_the_other_order() -> None:
    """Of two actions that can be swapped one order is searched; the other must lead to the very same position."""
    left_out = 0
    for seed in range(40):
        choose = random.Random(seed)
        for game in random_games.random_steps(random_games.new_random_game(seed), seed):
            if game.over or game.phase != "turn" or choose.random() < 0.8:
                continue
            first = choose.choice(game.legal)
            if first == "turtle.hatch":
                continue
            after = game.fork()
            after.play(first)
            for second in after.legal if after.player == game.player and after.round == game.round else []:
                if not searched_after(after, first, second):
                    assert swap_is_the_same(game, first, second), (seed, first, second)
                    left_out += 1
    assert left_out > 200


def searched_after(game: Game, first: str, second: str) -> bool:
    plain = getattr(in_order, "py_func", in_order)  # Python cannot call it compiled
    return bool(plain(game.now, ACTION_NUMBERS[first], ACTION_NUMBERS[second]))


def test_it_beats_greedy() -> None:
    won = 0.0
    for seed in range(6):
        game, me = Game(2), seed % 2
        thinker, greedy = RolloutThinker(seed), bots.make("greedy", seed=seed)
        while not game.over:
            game.play(thinker.think(game, nodes=400).action if game.player == me else greedy.act(game, 1))
        winners = game.winners or []
        won += (me in winners) / len(winners)
    assert won >= 5


def test_more_thinking_helps() -> None:
    won = 0.0
    for seed in range(12):
        game, me = Game(2), seed % 2
        many, few = RolloutThinker(seed), RolloutThinker(seed + 100)
        while not game.over:
            game.play((many.think(game, nodes=400) if game.player == me else few.think(game, nodes=20)).action)
        winners = game.winners or []
        won += (me in winners) / len(winners)
    assert won >= 9


def test_impossible_wishes_are_refused() -> None:
    for threads in (0, -1, 1000):
        with pytest.raises(BadRequest, match="thread"):
            RolloutThinker(threads=threads)
    wrong = (("explore", -1.0), ("explore", float("nan")), ("width", 0.0), ("widen", -1.0), ("widen_root", -1.0))
    for name, value in (*wrong, ("margin", 2.0)):
        setting: dict[str, Any] = {name: value}
        with pytest.raises(BadRequest, match=name):
            Settings(**setting)
    with pytest.raises(BadRequest, match="end"):
        RolloutThinker().think(Game(2))
    with pytest.raises(BadRequest, match="at least one node"):
        RolloutThinker().think(Game(2), nodes=0)
    game = Game(2, {"rounds": 1})
    positions.play(game, "place a1", "place g4", "place a3", "place g2", "end", "end")
    with pytest.raises(BadRequest, match="over"):
        RolloutThinker().think(game, nodes=5)


def test_the_bench_compares_one_thread_two_threads_and_the_limit() -> None:
    from sunglade.search import bench

    figures = bench.measure(simulations=300)
    assert all(figures[name] > 0 for name in ("one_thread_per_s", "two_threads_ratio", "own_settings_per_s"))
    roots = bench.middle_game()
    assert roots.position[0].current_round == bench.MIDDLE_ROUND
    assert roots == bench.middle_game()
    with pytest.raises(BadRequest, match=r"mcts\.cpp"):
        bench.measure(Path(__file__).parent)


@pytest.mark.parametrize("seed", range(12))
def test_one_bot_may_be_asked_about_one_game_after_another(seed: int) -> None:
    """A bug: what was played in the other game was played on in the one before, and was not legal there."""
    bot, chance = RolloutThinker(), random.Random(seed)
    for players in (2, 4, 3):
        game = Game(players, {"modules": list(MODULES) if seed % 2 else []}, seed=seed)
        for _ in range(chance.randrange(60)):
            game.play(chance.choice(game.legal))
        if not game.over:
            assert bot.think(game, nodes=5).action in game.legal
