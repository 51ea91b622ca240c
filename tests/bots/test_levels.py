"""The levels: each plays every game there is, never at random, and better than the one below."""

import itertools
from collections import Counter
from typing import Any

import pytest

from positions import turn
from sunglade import Game, Rules, bots
from sunglade.bots import levels
from sunglade.bots.limits import LimitedAnalyst, TurnClock
from sunglade.bots.search import SearchBot
from sunglade.errors import SungladeError
from sunglade.kernel.actions import TABLE
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import EDITIONS

QUICK = ("seedling", "sapling", "birch", "maple")
MODULES = ("moon", "elder", "stones")
MODULE_SETS = [list(some) for count in range(4) for some in itertools.combinations(MODULES, count)]


def play_out(game: Game, names: list[str], seed: int = 0, ms: int = 20) -> Game:
    """Play a game to its end; every bot sees a redacted copy, as at a table."""
    players = [bots.make(name, seed=seed + seat) for seat, name in enumerate(names)]
    while not game.over:
        assert game.player is not None
        line = players[game.player].act(game.redacted(), ms)
        assert line in game.legal
        game.play(line)
    return game


@pytest.mark.parametrize(("number", "edition"), list(enumerate(EDITIONS)), ids=list(EDITIONS))
def test_every_level_is_legal_in_every_edition(number: int, edition: str) -> None:
    rules = Rules(edition=edition, modules=MODULE_SETS[number % 8], shade_forbids=number % 2 == 0, rounds=4)
    some = [bots.LEVELS[(number + place) % len(bots.LEVELS)] for place in range(4)]
    players = 2 + number % 3
    assert play_out(Game(players, rules, seed=number), some[:players]).over


@pytest.mark.parametrize("modules", MODULE_SETS, ids=lambda modules: "+".join(modules) or "base")
def test_quick_levels_are_legal_with_every_combination_of_modules(modules: list[str]) -> None:
    assert play_out(Game(4, Rules(modules=modules, rounds=8), seed=len(modules)), list(QUICK)).over


@pytest.mark.parametrize("level", QUICK)
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    games = [play_out(Game(2, Rules(rounds=6)), [level, level], seed=7) for _ in range(2)]
    assert games[0].actions == games[1].actions


@pytest.mark.parametrize(("lower", "higher"), list(itertools.pairwise(QUICK)))
def test_a_level_beats_the_one_below(lower: str, higher: str) -> None:
    """24 games: at 80 % each, fewer than 13 won would be a chance of one in a thousand."""
    won = 0.0
    for number in range(24):
        seats = [lower, higher] if number % 2 else [higher, lower]
        winners = play_out(Game(2, seed=number), seats, seed=number * 10).winners or []
        won += (seats.index(higher) in winners) / len(winners)
    assert won >= 13


@pytest.mark.parametrize("level", QUICK)
def test_no_level_plays_at_random(level: str) -> None:
    """Asked again and again with other seeds, it prefers some actions by far: chance would not."""
    game = turn("c3:A2 a1:A1 a4:B1 g4:B2", round=5, light=6)
    chosen = Counter(bots.make(level, seed=seed).act(game, 100) for seed in range(60))
    assert chosen.most_common(1)[0][1] >= 4 * 60 / len(game.legal)
    assert chosen["end"] < 30


def test_what_the_lower_levels_overlook() -> None:
    """The mistakes that docs/bots.md tells of."""
    early = turn("a1:A3 d4:A2 g4:B1", round=4, light=8)
    late = turn("a1:A3 d4:A2 g4:B1", round=16, light=8)

    def collects(level: str, game: Game) -> int:
        return sum(bots.make(level, seed=seed).act(game, 100) == "collect a1" for seed in range(40))

    assert collects("seedling", early) >= 12 and collects("sapling", early) >= 25  # too early, on poor soil
    assert collects("birch", early) == collects("maple", early) == 0
    assert collects("birch", late) >= 25
    poor_and_rich = turn("b2:A1 a1:B1", round=2, light=1)
    rich = {"plant b2 c3"}
    plants = Counter(bots.make("sapling", seed=seed).act(poor_and_rich, 100) for seed in range(40))
    assert sum(plants[line] for line in rich) >= 20  # looks for soil
    assert Counter(bots.make("seedling", seed=seed).act(poor_and_rich, 100) for seed in range(40))["end"] >= 30


@pytest.mark.parametrize("maker", [levels.sapling, levels.birch, levels.maple])
def test_quick_levels_use_what_their_animals_can_do_unless_they_do_not_know_it(maker: Any) -> None:
    """M-ANIMAL-2: the second seat never uses an ability."""
    used = [0, 0]
    for number in range(6):
        game = Game(2, Rules(modules=["moon"]), seed=number)
        players = [maker(number, abilities=seat == 0) for seat in range(2)]
        while not game.over:
            seat = game.now.player
            line = players[seat].act(game.redacted(), 100)
            used[seat] += TABLE[ACTION_NUMBERS[line]].kind == "ability"
            game.play(line)
    assert used[0] >= 2 and used[1] == 0


def test_animals_walk_where_the_moon_will_shine() -> None:
    """M-MOON-5: without abilities, the tracker of `sapling` is full before the end."""
    game = Game(2, Rules(modules=["moon"]), seed=3)
    players = [levels.sapling(seat, abilities=False) for seat in range(2)]
    while not game.over and game.round < 16:
        game.play(players[game.now.player].act(game.redacted(), 100))
    assert all(game.now.lunar[seat] >= 10 for seat in range(2))


def test_quick_levels_answer_at_once() -> None:
    """No clock in a test: they do not even look at the time they are given, so one millisecond changes nothing."""
    game = turn("c3:A2 a1:A1 a4:B1 g4:B2", round=5, light=6)
    for level in QUICK:
        assert bots.make(level, seed=1).act(game, 1) == bots.make(level, seed=1).act(game, 10**6)


@pytest.mark.parametrize("level", ["oak", "sequoia"])
def test_levels_that_search_are_as_strong_on_every_machine(level: str) -> None:
    """Their work is counted, not timed: the answer is the same however much time there is."""
    game = turn("c3:A2 a1:A1 a4:B1 g4:B2", round=5, light=6)
    answers = {bots.make(level, seed=3).act(game, ms) for ms in (60_000, 600_000)}
    assert len(answers) == 1
    bot = bots.make(level, seed=3)
    assert isinstance(bot, bots.Analyst)
    thought = bot.think(game, ms=60_000)
    assert len(thought.value) == 2 and thought.lines


# elder


def test_elder_keeps_to_two_seconds_for_a_whole_turn() -> None:
    asked: list[float] = []

    class Slow:
        """Spends what it is given, on a clock that the test turns."""

        def act(self, game: Game, ms: int) -> str:
            asked.append(ms)
            return game.legal[0]

        def think(self, game: Game, **options: Any) -> object:
            raise AssertionError

    elder = LimitedAnalyst(Slow(), ms=levels.ELDER_MS)  # type: ignore[arg-type]
    assert isinstance(bots.make("elder"), LimitedAnalyst)
    game = turn("c3:A2 a1:A1 g4:B2", round=5, light=6)
    assert elder._clock is not None
    for _ in range(3):
        elder.act(game, 10**6)
        elder._clock.spend(0.9)
    assert asked[0] == 2000 and 1000 < asked[1] <= 1100 and asked[2] <= 200


def test_elder_plays_modules_with_its_network() -> None:
    bot = bots.make("elder", seed=1)
    game = Game(2, Rules(modules=["moon"]))
    assert bot.act(game.redacted(), 50) in game.legal
    assert bots.note_of(bot) is None


def test_elder_falls_back_to_search_without_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    from sunglade.bots import neural

    def missing(*_: object, **__: Any) -> None:
        raise SungladeError("the weights are missing.")

    monkeypatch.setattr(neural, "NeuralBot", missing)
    bot = bots.make("elder", seed=1)
    assert bot.act(Game(2), 50) in Game(2).legal
    assert bots.note_of(bot) == "elder plays by plain search here: the weights are missing."


# Settings and clocks


def test_a_turn_clock_begins_anew_with_each_turn() -> None:
    clock, game = TurnClock(100), Game(2)
    assert clock.left(game) == 100
    clock.spend(0.03)
    assert clock.left(game) == 70
    game.play("place a1")
    assert clock.left(game) == 100
    clock.spend(5)
    assert clock.left(game) == 1


def test_settings_hold_a_bot_to_less(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(2)
    fixed = bots.make("search:nodes=40", seed=2)
    assert isinstance(fixed, bots.Analyst)
    assert sum(line.visits for line in fixed.think(game, ms=600_000).lines) == 40
    given: list[int] = []

    def act(bot: SearchBot, game: Game, ms: int) -> str:
        given.append(ms)
        return game.legal[0]

    monkeypatch.setattr(SearchBot, "act", act)
    bots.make("search:ms=30").act(game, 3_600_000)
    assert given == [30]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wizard", "there is no bot 'wizard'; the bots are random, greedy, search"),
        ("search:", "search has the settings ms, nodes, threads"),
        ("search:ms", "search has the settings"),
        ("search:speed=9", "search has the settings"),
        ("search:ms=0", "ms must be from 1 to"),
        ("search:ms=-5", "ms must be from 1 to"),
        ("search:nodes=1000000000000", "nodes must be from 1 to"),
        ("search:threads=two", "threads must be a number"),
        ("greedy:nodes=5", "greedy does not search"),
        ("seedling:nodes=5", "seedling does not search"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, told: str) -> None:
    with pytest.raises(SungladeError, match=told):
        bots.make(name)


def test_a_game_a_bot_cannot_play_is_refused() -> None:
    class Picky:
        def act(self, game: Game, ms: int) -> str:
            return "end"

        def refuses(self, players: int, rules: Rules) -> str | None:
            return "it is afraid of the dark." if rules.modules else None

    bots.check(Picky(), "picky", 2, Rules())
    with pytest.raises(SungladeError, match=r"picky cannot play this game: it is afraid of the dark\."):
        bots.check(Picky(), "picky", 2, Rules(modules=["moon"]))
