"""One game: time by the turn, and bots that break down in every way there is."""

from itertools import pairwise

import pytest

from sunglade import Game
from sunglade.arena import Plan, entrants, match
from sunglade.arena.match import Contestants, Match, Watcher, play, result
from sunglade.bots import Bot
from sunglade.rules import Rules

SHORT = Rules(rounds=3)


class Clock:
    """Time passes only while a bot takes it: how busy the machine is does not count."""

    def __init__(self) -> None:
        self._now = 0.0

    def perf_counter(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds


time = Clock()


@pytest.fixture(autouse=True)
def matches_go_by_this_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "time", time)


class Patient:
    """Plays the first legal action that does not end anything, and notes what it is given."""

    def __init__(self, breaks_after: int = 10**9, how: str = "") -> None:
        self.acted = 0
        self.given: list[tuple[int, int]] = []
        self._breaks_after = breaks_after
        self._how = how

    def act(self, game: Game, ms: int) -> str:
        self.acted += 1
        self.given.append((game.round, ms))
        if self.acted > self._breaks_after:
            if self._how == "crash":
                raise ZeroDivisionError("no light")
            if self._how == "late":
                time.sleep(0.2)
            else:
                return {"nonsense": "grow z9", "none": None}[self._how]  # type: ignore[return-value]
        return "end" if "end" in game.legal else game.legal[0]


class Table(Contestants):
    """Seats given bots."""

    def __init__(self, plan: Plan, *bots: Bot) -> None:
        super().__init__(plan)
        self._bots = iter(bots)

    def sit_down(self, *_: object) -> Bot:
        return next(self._bots)


def line_up(players: int, ms: int = 50, grace: int = 0) -> Plan:
    names = [f"search:nodes={number + 1}" for number in range(players)]
    return Plan(entrants(names, []), players, ms, 0, grace, SHORT)


def test_a_set_up_at_random_is_the_same_for_every_seat_and_another_one_after_each_lap() -> None:
    rules = Rules(rounds=1, modules=["moon", "stones"])
    plan = Plan(entrants(["random", "greedy"], []), rules=rules, random_setup=True)
    set_ups = []
    for number in range(4):
        match, seen = Match(plan.fixture(number)), [Patient(), Patient()]
        game = play(plan, match, Table(plan, *seen), Watcher())
        first_turn = next(at for at, position in enumerate(game.replay()) if position.phase == "turn")
        assert sum(bot.acted for bot in seen) == len(match.actions) - first_turn  # nobody is asked before
        set_ups.append(match.actions[:first_turn])
    assert set_ups[0] == set_ups[1] != set_ups[2] == set_ups[3]
    cut_off = Match(plan.fixture(0), actions=set_ups[0][:3])
    play(plan, cut_off, Table(plan, Patient(), Patient()), Watcher())
    assert cut_off.actions[: len(set_ups[0])] == set_ups[0]


BREAKDOWNS = {
    "crash": "crashed: ZeroDivisionError: no light",
    "nonsense": "answered 'grow z9', which is not a legal action here.",
    "none": "answered None, which is not a legal action here.",
    "late": "ms for a turn of 50 ms.",
}


@pytest.mark.parametrize("how", BREAKDOWNS)
def test_of_two_the_other_wins_at_once(how: str) -> None:
    plan = line_up(2)
    match = Match(plan.fixture(0))
    game = play(plan, match, Table(plan, Patient(3, how), Patient()), Watcher())
    told = result(plan, match, game, 1.0)
    assert BREAKDOWNS[how] in told["failed"]["0"]
    assert told["places"] == [2, 1] and told["shares"] == [0, 1] and not game.over


@pytest.mark.parametrize("how", ["crash", "nonsense"])
@pytest.mark.parametrize("breaks_after", [0, 4])
def test_of_three_it_only_ends_its_turns_and_is_last(how: str, breaks_after: int) -> None:
    """Also when it breaks down in the set-up, where a turn cannot be ended."""
    plan = line_up(3)
    match = Match(plan.fixture(0))
    bots = [Patient(), Patient(breaks_after, how), Patient()]
    game = play(plan, match, Table(plan, *bots), Watcher())
    assert game.over and bots[1].acted == breaks_after + 1
    told = result(plan, match, game, 1.0)
    assert list(told["failed"]) == ["1"] and told["places"][1] == 3 and told["shares"][1] == 0
    assert sum(told["shares"]) == pytest.approx(1)


def test_when_only_one_of_four_is_left_it_wins_and_who_failed_later_is_ahead() -> None:
    plan = line_up(4)
    match = Match(plan.fixture(0))
    bots = [Patient(4, "crash"), Patient(), Patient(3, "crash"), Patient(2, "crash")]
    game = play(plan, match, Table(plan, *bots), Watcher())
    told = result(plan, match, game, 1.0)
    assert told["places"] == [2, 1, 3, 4] and told["shares"] == [0, 1, 0, 0] and not game.over


def test_a_match_goes_on_where_another_process_left_it() -> None:
    plan = line_up(2)
    whole = Match(plan.fixture(0))
    play(plan, whole, Table(plan, Patient(), Patient()), Watcher())
    half = Match(plan.fixture(0), actions=whole.actions[: len(whole.actions) // 2])
    game = play(plan, half, Table(plan, Patient(), Patient()), Watcher())
    assert game.over and half.actions == whole.actions


class Slow(Patient):
    """Buys seeds as long as it can, taking 20 ms for each action."""

    def act(self, game: Game, ms: int) -> str:
        super().act(game, ms)
        time.sleep(0.02)
        return next((line for line in ("buy seed", "end") if line in game.legal), game.legal[0])


def test_time_is_counted_by_the_turn() -> None:
    plan = line_up(2, ms=2000, grace=5000)
    slow = Slow()
    play(plan, Match(plan.fixture(0)), Table(plan, slow, Patient()), Watcher())
    by_round: dict[int, list[int]] = {}
    for number, left in slow.given:
        by_round.setdefault(number, []).append(left)
    assert by_round[0] == [2000, 2000]  # each placing is a turn of its own
    turns = [left for number, left in by_round.items() if number]
    assert all(left[0] == 2000 and left == sorted(left, reverse=True) for left in turns)
    assert all(later == before - 20 for left in turns for before, later in pairwise(left))
    assert max(map(len, turns)) > 2


def test_a_turn_over_its_time_but_within_the_grace_is_counted_not_lost() -> None:
    plan = line_up(2, ms=1, grace=60_000)
    match = Match(plan.fixture(0))

    class Dawdler(Patient):
        def act(self, game: Game, ms: int) -> str:
            time.sleep(0.06 if game.round == 1 else 0)
            return super().act(game, ms)

    told = result(plan, match, play(plan, match, Table(plan, Dawdler(), Patient()), Watcher()), 1.0)
    assert told["failed"] == {} and told["late_turns"][0] >= 1 and told["longest_ms"][0] >= 60


def test_bots_see_a_redacted_game() -> None:
    """M-SETUP-4: no seed, and nothing about face-down babies."""
    plan = Plan(entrants(["greedy", "random"], []), rules=Rules(rounds=1, modules=["moon"]))

    class Looker(Patient):
        def act(self, game: Game, ms: int) -> str:
            told = game.to_dict()
            assert "seed" not in told and set(told["deal"]["babies"]) == {None}
            return super().act(game, ms)

    match = Match(plan.fixture(0))
    play(plan, match, Table(plan, Looker(), Looker()), Watcher())
    assert match.failed == {}
