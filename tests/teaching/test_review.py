"""Looking back: turns are judged by what they cost, gifts go to whoever gained, shade is put down to who cast it."""

from __future__ import annotations

from collections import Counter

import pytest

from positions import turn
from sunglade import Game, bots
from sunglade.board import SPACE_NAMED
from sunglade.kernel import shaded_by
from sunglade.teaching.case import Reason
from sunglade.teaching.comparison import compared
from sunglade.teaching.review import MISTAKE, SLIP, balance, judged, outlook, shade_ledger, told, turns_of
from teaching.test_reasons import everything, income, shaded, sunrises, trees

SET_UP = ["place a1", "place g4", "place a3", "place g2"]
PLAYED = Game(2, actions=[*SET_UP, "grow a1", "end", "buy seed", "end", "end"])


def test_turns_are_whole_and_the_set_up_is_none() -> None:
    assert turns_of(PLAYED) == [(4, 6, 0, 1), (6, 8, 1, 1), (8, 9, 1, 2)]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (0.5, 0.5 - SLIP[2] + 0.01, "good"),
        (0.5, 0.5 - SLIP[2] - 0.01, "slip"),
        (0.4, 0.4 - MISTAKE[2] - 0.01, "mistake"),
        (0.6, 0.4, "turning_point"),
        (0.9, 0.7, "mistake"),
        (0.5, 0.9, "good"),
    ],
)
def test_verdict_follows_from_what_was_lost(before: float, after: float, verdict: str) -> None:
    values: list[list[float] | None] = [None] * 10
    values[4], values[6] = [before, 1 - before], [after, 1 - after]
    (found,) = judged(PLAYED, values)
    assert (found.seat, found.verdict) == (0, verdict)
    assert found.loss == pytest.approx(max(0.0, before - after))


def test_own_losses_are_told_apart_from_gifts() -> None:
    values: list[list[float] | None] = [None] * 10
    values[4], values[6], values[8] = [0.5, 0.5], [0.3, 0.7], [0.35, 0.65]
    told = balance(2, judged(PLAYED, values))
    assert told[0] == pytest.approx({"lost": 0.2, "given": 0.05})
    assert told[1] == pytest.approx({"lost": 0.05, "given": 0.2})


def test_values_of_more_players_are_compared_as_shares() -> None:
    game = Game(3, actions=[f"place {space}" for space in ("a1", "g4", "d1", "a3", "g2", "d7")] + ["end"])
    values: list[list[float] | None] = [None] * 8
    values[6], values[7] = [0.9, 0.3, 0.3], [0.6, 0.45, 0.45]
    (found,) = judged(game, values)
    assert (found.before, found.after) == (0.6, 0.4)


def test_light_kept_away_is_put_down_to_whoever_casts_the_shadow() -> None:
    """R-LIGHT-2."""
    game = turn("a3:A3 b3:B1", round=1)
    dark = [0, 0]
    for _ in range(6):
        now = game.round
        while game.round == now:
            game.play("end")
        for seat, space, size in ((0, "a3", 3), (1, "b3", 1)):
            if shaded_by(game.now, game.now.sun, SPACE_NAMED[space], size):
                dark[seat] += size
    ledger = shade_ledger(game)
    assert dark[1] > 0 and ledger == [[0, dark[1]], [dark[0], 0]]


def test_better_turn_is_compared_with_the_one_played() -> None:
    game = turn("c4:A3 d4:A3 g4:B1", light=8, round=17)
    found = compared(game.now, ["collect c4", "collect d4"], ["collect c4", "end"])
    both, one = game.fork(), game.fork()
    for line in ("collect c4", "collect d4"):
        both.play(line)
    one.play("collect c4")
    assert found[0].kind == "points.more"
    assert found[0].numbers == {"new": both.now.score[0], "old": one.now.score[0]}
    kinds = [reason.kind for reason in found]
    assert "own.less" in kinds


def test_purchase_that_keeps_a_piece_is_told() -> None:
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})
    found = compared(game.now, ["buy small", "grow c4"], ["grow c4", "buy small"])
    assert [(reason.kind, reason.numbers) for reason in found] == [("keeps", {"pieces": 1})]


def test_outlook_ends_with_what_came_about() -> None:
    game = turn("c4:A3 g4:B1", light=8, round=17)
    for line in ("collect c4", "end", "end", "end", "end"):
        game.play(line)
    assert game.over
    *before, end = outlook(game, [None] * (len(game.actions) + 1))
    assert before == [None] * len(game.actions)
    totals = [player["points"] for player in game.state()["players"]]
    assert end == {"points": totals, "standing": {"g4": [0.0, 1.0]}}


def test_outlook_of_a_running_game_is_what_was_foretold_without_what_is_unlikely() -> None:
    seen = {"points": [80.5, 70.0], "standing": {"a1": [0.01, 0.04], "a2": [0.0, 0.3]}}
    nothing: list[None] = [None] * len(PLAYED.actions)
    found = told(PLAYED, [None, *nothing], [seen, *nothing])["outlook"]
    assert found == [{"points": [80.5, 70.0], "standing": {"a2": [0.0, 0.3]}}, *nothing]
    assert told(PLAYED, [None, *nothing])["outlook"] == [None, *nothing], "a bot that cannot say foretells nothing"


def played_on(game: Game, lines: list[str]) -> Game:
    """The game after some actions of a turn."""
    after = game.fork()
    for line in lines:
        after.play(line)
    return after


def turn_by(level: str, game: Game) -> list[str]:
    """What a bot does in this turn, without its end."""
    bot, ahead, lines = bots.make(level, seed=game.round), game.fork(), list[str]()
    while (line := bot.act(ahead.redacted(), 100)) != "end":
        lines.append(line)
        ahead.play(line)
    return lines


def is_so(reason: Reason, new: Game, old: Game, seat: int) -> bool:
    """A fact about two ends of a turn, found by looking at the boards and playing on."""
    suns = min(6, new.now.rounds - new.round)
    numbers = reason.numbers
    match reason.kind.split("."):
        case ["points", more]:
            has, had = (sum(game.state()["players"][seat]["tokens"]) for game in (new, old))
            return numbers == {"new": has, "old": had} and (has > had) is (more == "more") and has != had
        case ["keeps"]:
            has, had = (sum(everything(game, seat)) for game in (new, old))
            return numbers["pieces"] == has - had > 0
        case ["left", "more"]:
            has, had = (game.now.light[seat] for game in (new, old))
            return numbers == {"new": has, "old": had} and has > had
        case [("own" | "rival") as whose, more]:
            assert reason.seat is not None
            has, had = (income(game, reason.seat, suns) for game in (new, old))
            assert (reason.seat == seat) is (whose == "own")
            return numbers == {"suns": suns, "new": has, "old": had} and (has > had) is (more == "more") and has != had
        case [("shades" | "frees") as kind]:
            found = set()
            for one, other in zip(sunrises(new, suns), sunrises(old, suns), strict=True):
                found |= shaded(one) - shaded(other) if kind == "shades" else shaded(other) - shaded(one)
            return set(reason.spaces) == found & trees(new).keys() & trees(old).keys()
    return False


def test_every_number_of_a_comparison_is_found_again_by_playing() -> None:
    """What a review, a teacher and a puzzle say of two turns: turns of two levels in games for two, three and four."""
    said = Counter[str]()
    for players in (2, 3, 4):
        game = Game(players, seed=players)
        while game.phase != "turn":
            game.play(game.legal[-1])
        while not game.over:
            seat, better, worse = game.now.player, turn_by("maple", game), turn_by("sapling", game)
            new, old = played_on(game, better), played_on(game, worse)
            for reason in compared(game.now, better, worse):
                assert is_so(reason, new, old, seat), (reason, better, worse)
                said[reason.kind] += 1
            game = played_on(game, [*better, "end"])
    usual = {"points.more", "points.fewer", "left.more", "own.more", "own.less", "rival.less", "shades", "frees"}
    assert usual <= said.keys(), said
