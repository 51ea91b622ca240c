"""Levels in compiled code choose as their bots do: the same worth, the same forgetfulness, and equals equally often."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from sunglade import bots
from sunglade.bots.greedy import Eye, Greedy
from sunglade.bots.impulsive import Impulsive
from sunglade.envs import BatchEnv
from sunglade.envs.level_play import _is_forgotten
from sunglade.envs.opponents import TURN_MS, BotOpponents, opponents_of
from sunglade.kernel import Record
from sunglade.kernel.actions import END
from sunglade.kernel.record import OVER, TURN
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import Rules
from sunglade.search.judgement import WORTHWHILE
from sunglade.search.manner import CHANCES, Manner

pytestmark = pytest.mark.xdist_group("envs")

LEVELS = ["seedling", "sapling", "birch", "maple"]
KINDS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"edition": "de", "shade_forbids": True}),
    (4, {"edition": "es", "rounds": 8}),
]
"""Numbers of players and rules."""


def manner_of(name: str) -> NDArray[np.void]:
    bot: Any = bots.make(name)
    manner: Manner = bot.manner
    return manner.array()


def positions(level: str, players: int, rules: dict[str, Any], games: int = 40, steps: int = 240) -> Any:
    """Batches on their way through games in which levels and random players act by turns; games that go on."""
    env = BatchEnv(games, players=players, rules=rules, seed=games + players)
    draw = np.random.default_rng(players)
    for _ in range(steps):
        chosen = env.actions_in_manner(manner_of(level), np.arange(games))
        yield env, chosen
        env.step(np.where(draw.random(games) < 0.8, chosen, env.random_actions()))


@numba.njit  # type: ignore[untyped-decorator]
def forgotten(records: Any, game: int, seed: int, actions: Any, forgets: int) -> Any:
    return np.array([_is_forgotten(records[game], seed, action, forgets) for action in actions])


def forgetting_alike(level: str, env: BatchEnv, game: int) -> Any:
    """A bot that forgets what the compiled player forgets in a game."""
    bot: Any = bots.make(level, seed=game)
    seed = int(env.seeds[game])

    def remembered(s: Record, numbers: list[int]) -> list[int]:
        lost = forgotten(env.records, game, seed, np.array(numbers), int(bot.manner.forgets))
        return [number for number, gone in zip(numbers, lost, strict=True) if not gone] or numbers

    bot._remembered = remembered
    return bot


def equally_good(bot: Any, env: BatchEnv, game: int) -> set[int]:
    """All that the bot would choose in a position, whichever way it breaks ties."""
    position = env.game(game)
    if isinstance(bot, Greedy):
        return best_by_judgement(bot, position.now, position.legal_numbers)
    assert isinstance(bot, Impulsive)
    candidates: list[set[int]] = []

    def best(numbers: list[int], worth: Any) -> int:
        most = max(map(worth, numbers))
        candidates.append({number for number in numbers if worth(number) == most})
        return min(candidates[-1])

    bot._best = best  # type: ignore[method-assign]
    chosen = ACTION_NUMBERS[bot.act(position, TURN_MS)]
    return candidates[-1] if candidates and chosen in candidates[-1] else {chosen}


def best_by_judgement(bot: Greedy, s: Record, numbers: list[int]) -> set[int]:
    eye = Eye(s, bot._habits)
    worth = eye.setup_worth if s.phase != TURN else eye.worth_after
    values = {number: worth(number) for number in numbers if number != END}
    most = max(values.values(), default=0.0)
    if s.phase == TURN and (not values or most <= eye.worth(s) + WORTHWHILE):
        return {END}
    return {number for number, value in values.items() if value == most}


@pytest.mark.parametrize("level", LEVELS)
def test_thousands_of_decisions_are_those_of_the_bot(level: str) -> None:
    asked = np.random.default_rng(5)
    decisions, several = 0, 0
    for players, rules in KINDS:
        for env, chosen in positions(level, players, rules):
            for game in asked.choice(env.n, 2, replace=False):
                good = equally_good(forgetting_alike(level, env, int(game)), env, int(game))
                assert int(chosen[game]) in good, (level, players, env.game(int(game)))
                decisions += 1
                several += len(good) > 1
    assert decisions > 1400 and several > 100


def test_what_is_forgotten_is_the_share_it_should_be_and_stays_so_for_a_turn() -> None:
    env = BatchEnv(500, seed=3)
    env.play_random(30)
    actions = np.arange(200)
    for name, share in (("seedling", 0.5), ("sapling", 0.2), ("birch", 0.15), ("maple", 0.0)):
        forgets = int(manner_of(name)["forgets"][0])
        assert forgets == round(share * CHANCES)
        lost = [forgotten(env.records, game, int(env.seeds[game]), actions, forgets) for game in range(env.n)]
        assert abs(np.mean(lost) - share) < 0.008
        before = env.records[["current_round", "player"]].copy()
        env.step(env.masks.shape[1] - 1 - env.masks[:, ::-1].argmax(axis=1))  # mostly within a turn
        same_turn = env.records[["current_round", "player"]] == before
        again = [forgotten(env.records, game, int(env.seeds[game]), actions, forgets) for game in range(env.n)]
        assert same_turn.sum() > 100 and np.array_equal(np.array(lost)[same_turn], np.array(again)[same_turn])
        assert not share or len({row.tobytes() for row in again}) == env.n


def test_of_equal_actions_each_is_as_likely_as_the_other() -> None:
    """The first tree of a game: to a beginner, who sees no shade, all spaces with the same soil beside are equal."""
    env = BatchEnv(6000, seed=8)
    bot: Any = bots.make("maple")
    good = sorted(best_by_judgement(bot, env.game(0).now, env.game(0).legal_numbers))
    chosen = env.actions_in_manner(manner_of("maple"), np.arange(env.n))
    counts = np.array([(chosen == number).sum() for number in good])
    expected = env.n / len(good)
    assert len(good) > 2 and counts.sum() == env.n
    assert (np.abs(counts - expected) < 5 * expected**0.5).all()


@pytest.mark.parametrize("level", ["seedling", "birch"])
def test_against_its_bot_a_level_wins_half_of_the_games(level: str) -> None:
    """Short games, both seats: 160 games have a deviation of 4 %."""
    env = BatchEnv(160, rules={"rounds": 4}, opponents=level, seat=None, auto_reset="disabled", seed=11)
    bot, won = BotOpponents(level, seed=77), 0.0
    while not env.outcome.done.all():
        actions = np.zeros(env.n, np.int64)
        waiting = np.flatnonzero(env.records["phase"] != OVER)
        actions[waiting] = bot.choose(env, waiting)
        rewards, done = env.step(actions)
        own = rewards[np.arange(env.n), env.seats]
        won += float(((own[waiting] + 1) / 2 * done[waiting]).sum())
    assert abs(won / env.n - 0.5) < 0.16


@pytest.mark.parametrize("auto_reset", ["same_step", "next_step", "disabled"])
def test_asked_or_not_they_play_the_same_games(auto_reset: str) -> None:
    options: dict[str, Any] = {"players": 3, "rules": {"rounds": 2}, "reward": "margin", "auto_reset": auto_reset}
    options |= {"opponents": ["sapling", "maple"], "seed": 6}
    compiled, asked = BatchEnv(24, threads=1, **options), BatchEnv(24, threads=3, **options)
    asked._manners = None
    asked._opponents = opponents_of(["sapling", "maple"], players=3, rules=Rules(), seed=6)
    asked.reset(seed=6)
    for _ in range(60):
        actions = compiled.random_actions()
        assert (asked.random_actions() == actions).all()
        (rewards, done), (expected, over) = compiled.step(actions), asked.step(actions)
        assert (rewards == expected).all() and (done == over).all()
        assert compiled.records.tobytes() == asked.records.tobytes()
        assert (compiled.observations == asked.observations).all() and (compiled.masks == asked.masks).all()
    kept = compiled.save()
    after = compiled.step(compiled.random_actions()).rewards.copy(), compiled.records.tobytes()
    compiled.restore(kept)
    again = compiled.step(compiled.random_actions()).rewards.copy(), compiled.records.tobytes()
    assert (after[0] == again[0]).all() and after[1] == again[1]


def test_levels_in_a_batch_are_as_strong_as_they_should_be() -> None:
    """Random players win nothing against `maple`, and little against `birch`, over whole games."""
    for name, most in (("maple", 0.02), ("birch", 0.1)):
        env = BatchEnv(60, opponents=name, auto_reset="disabled", seed=2, observe=False)
        won = 0.0
        while not env.outcome.done.all():
            rewards, _ = env.step(env.random_actions())
            won += float((rewards[np.arange(env.n), env.seats] > 0).sum())
        assert won / env.n <= most
