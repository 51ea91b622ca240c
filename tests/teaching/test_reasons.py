"""Why an action is good: every number that is told is found again by playing on a copy."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from positions import turn
from sunglade import Game, bots, kernel
from sunglade.board import LEAVES, NAMES, NEIGHBOURS, SPACE_NAMED, spaces_in
from sunglade.kernel.actions import TABLE
from sunglade.kernel.record import NO_CAP, TURN
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import ANIMALS, Rules
from sunglade.teaching.case import Reason
from sunglade.teaching.reasons import reasons, sentence, told
from sunglade.words import catalogue, codes

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
SIZES = ("seed", "small", "medium", "large")


class Played:
    """An action at a position, and what a test needs to look for itself."""

    def __init__(self, game: Game, line: str) -> None:
        self.before, self.line = game.fork(), line
        self.after = game.fork()
        if line != "turtle.hatch":
            self.after.play(line)
        self.seat = game.now.player
        self.space = TABLE[ACTION_NUMBERS[line]].space


def sunrises(game: Game, count: int) -> Iterator[Game]:
    """The game after each of the coming sunrises, if everybody only ends turns; nobody has light before."""
    ahead = game.fork()
    ahead.now.light_cap = NO_CAP
    for _ in range(count):
        for seat in range(game.players):
            ahead.now.light[seat] = 0
        if ahead.phase == "turn":
            now = ahead.round
            while ahead.round == now and not ahead.over:
                ahead.play("end")
        else:
            kernel.begin_round(ahead.now)  # in the set-up nobody can end anything
        yield ahead


def income(game: Game, seat: int, suns: int) -> int:
    return sum(ahead.now.light[seat] for ahead in sunrises(game, suns))


def lunar_income(game: Game, seat: int, suns: int) -> int:
    had, total = game.now.lunar[seat], 0
    for ahead in sunrises(game, suns):
        total += ahead.now.lunar[seat] - had
        had = ahead.now.lunar[seat]
    return total


def trees(game: Game) -> dict[str, int]:
    return {name: piece["size"] for name, piece in game.state()["spaces"].items() if piece["size"] > 0}


def shaded(game: Game) -> set[str]:
    s = game.now
    return {name for name, size in trees(game).items() if kernel.shaded_by(s, s.sun, SPACE_NAMED[name], size)}


def owned(game: Game, seat: int, size: str) -> int:
    """Pieces of a size, wherever they are."""
    s, number = game.now, SIZES.index(size)
    parts = (s.pieces[seat, number].bit_count(), s.available[seat, number], s.slots[seat, number].bit_count())
    return sum(parts)


def until_turn_of(game: Game, seat: int) -> Game:
    ahead = game.fork()
    ahead.play("end")
    while ahead.player != seat:
        ahead.play("end")
    return ahead


def collected_there(game: Game, seat: int, leaves: int) -> int:
    """What a large tree on such soil pays: one is put there, with light to collect it."""
    ahead = game.fork()
    s = ahead.now
    s.player, s.light[seat], s.activated, s.effects = seat, 9, 0, 0
    free = next(space for space in range(37) if LEAVES[space] == leaves)
    for other in range(s.players):
        for size in range(4):
            s.pieces[other, size] &= ~(1 << free)
    s.pieces[seat, 3] |= 1 << free
    s.empty &= ~(1 << free)
    had = s.score[seat]
    kernel.apply(s, ACTION_NUMBERS[f"collect {NAMES[free]}"])
    return s.score[seat] - had


def light_is_so(p: Played, reason: Reason) -> None:
    assert reason.seat is not None
    new, old = (income(game, reason.seat, reason.numbers["suns"]) for game in (p.after, p.before))
    assert (reason.numbers["new"], reason.numbers["old"]) == (new, old) and new != old
    assert (new > old) is reason.kind.endswith("more")
    assert (reason.seat == p.seat) is reason.kind.startswith("own")
    assert reason.numbers["suns"] == min(6, p.before.now.rounds - p.before.round)


def shade_is_so(p: Played, reason: Reason) -> None:
    both = trees(p.before).keys() & trees(p.after).keys()
    suns = min(6, p.before.now.rounds - p.before.round)
    found = set()
    for old, new in zip(sunrises(p.before, suns), sunrises(p.after, suns), strict=True):
        found |= shaded(new) - shaded(old) if reason.kind == "shades" else shaded(old) - shaded(new)
    assert set(reason.spaces) == found & both


def cap_is_so(p: Played, reason: Reason) -> None:
    def wasted(game: Game) -> int:
        ahead = next(sunrises(game, 1))
        kept = game.fork()
        while kept.round == game.round:
            kept.play("end")
        return game.now.light[p.seat] + ahead.now.light[p.seat] - kept.now.light[p.seat]

    assert reason.numbers["saved"] == wasted(p.before) - wasted(p.after) > 0


def keep_is_so(p: Played, reason: Reason) -> None:
    ahead = p.before.fork()
    while ahead.round == p.before.round:
        ahead.play("end")
    assert reason.numbers == {"kept": p.before.now.light[p.seat], "then": ahead.now.light[p.seat]}


def lunar_is_so(p: Played, reason: Reason) -> None:
    assert reason.seat is not None
    new, old = (lunar_income(game, reason.seat, reason.numbers["suns"]) for game in (p.after, p.before))
    assert (reason.numbers["new"], reason.numbers["old"]) == (new, old) and new != old


def token_is_so(p: Played, reason: Reason) -> None:
    assert reason.numbers["points"] == p.after.now.score[p.seat] - p.before.now.score[p.seat] > 0


def race_is_so(p: Played, reason: Reason) -> None:
    assert reason.seat is not None
    rival = until_turn_of(p.before, reason.seat)
    for space in reason.spaces:
        theirs = rival.fork()
        theirs.play(f"collect {space}")
        assert theirs.now.score[reason.seat] - rival.now.score[reason.seat] == reason.numbers["points"]


def falls_is_so(p: Played, reason: Reason) -> None:
    pile = max(pile for pile in range(4) if p.after.now.taken[pile] > p.before.now.taken[pile])
    left = sum((9, 7, 5, 3)[: pile + 1]) - sum(p.after.now.taken[low] for low in range(pile + 1))
    assert reason.numbers["points"] == (collected_there(p.after, p.seat, pile + 1) if left else 0)


def to_come(game: Game, space: str) -> int:
    rounds = min(6, game.now.rounds - game.round)
    return sum(trees(ahead)[space] * (space not in shaded(ahead)) for ahead in sunrises(game, rounds))


def late_is_so(p: Played, reason: Reason) -> None:
    assert reason.numbers["light"] == to_come(p.before, reason.spaces[0])


def waits_is_so(p: Played, reason: Reason) -> None:
    (space,) = reason.spaces
    assert reason.numbers["light"] == to_come(p.before, space) > 0
    now = p.before.fork()
    now.play(f"collect {space}")
    assert now.now.score[p.seat] - p.before.now.score[p.seat] == reason.numbers["points"] or p.before.now.effects
    ahead = p.before.fork()
    ahead.play("end")
    while ahead.player != p.seat:
        others = [line.removeprefix("collect ") for line in ahead.legal if line.startswith("collect ")]
        assert LEAVES[SPACE_NAMED[space]] not in {LEAVES[SPACE_NAMED[other]] for other in others}
        ahead.play("end")


def gain_is_so(p: Played, reason: Reason) -> None:
    what = reason.kind.split(".")[1]
    seat = p.seat if reason.seat is None else reason.seat
    if what == "points":
        before, after = (game.now.score[seat] + kernel.baby_points(game.now, seat) for game in (p.before, p.after))
    else:
        before, after = (getattr(game.now, what)[seat] for game in (p.before, p.after))
    assert after - before == (reason.numbers["gain"] if "gain" in reason.numbers else -reason.numbers["loss"])


def leftover_is_so(p: Played, reason: Reason) -> None:
    end = p.before.fork()
    while not end.over:
        end.play("end")
    assert reason.numbers["points"] == end.scores()[p.seat].leftover
    assert reason.numbers["light"] == p.before.now.light[p.seat]


def lost_is_so(p: Played, reason: Reason) -> None:
    size = reason.kind.removeprefix("lost.")
    assert owned(p.after, p.seat, size) < owned(p.before, p.seat, size)


def everything(game: Game, seat: int) -> list[int]:
    return [owned(game, seat, size) for size in SIZES]


def buying_first_is_so(p: Played, reason: Reason) -> None:
    for size in SIZES:
        if f"buy {size}" in p.before.legal:
            bought = p.before.fork()
            bought.play(f"buy {size}")
            price = p.before.now.light[p.seat] - bought.now.light[p.seat]
            if p.line in bought.legal and price == reason.numbers["price"]:
                bought.play(p.line)
                if everything(bought, p.seat) == everything(p.before, p.seat):
                    return
    pytest.fail("no purchase keeps all pieces")


def room_is_so(p: Played, reason: Reason) -> None:
    size = reason.kind.removeprefix("room.")
    for space in reason.spaces:
        for game, keeps in ((p.before, False), (p.after, True)):
            grown = game.fork()
            grown.play(f"grow {space}")
            assert (owned(grown, p.seat, size) == owned(game, p.seat, size)) is keeps


def enables_is_so(p: Played, reason: Reason) -> None:
    for space in reason.spaces:
        assert f"grow {space}" in p.after.legal and f"grow {space}" not in p.before.legal


def seed_is_so(p: Played, reason: Reason) -> None:
    plants = [line for line in p.after.legal if line.startswith("plant ") and line not in p.before.legal]
    assert reason.numbers["leaves"] == max(LEAVES[SPACE_NAMED[line.split()[2]]] for line in plants)


def ability_is_so(p: Played, reason: Reason) -> None:
    ability = reason.terms["ability"].removeprefix("ability.")
    assert any(line.startswith(ability) for line in p.after.legal)
    assert not any(line.startswith(ability) for line in p.before.legal)


def ready_is_so(p: Played, reason: Reason) -> None:
    ahead = until_turn_of(p.after, p.seat)
    ahead.now.light[p.seat] = 20
    ahead.now.options &= ~Rules(shade_forbids=True).bits
    ahead = ahead.fork()
    assert {f"grow {space}" for space in reason.spaces} <= set(ahead.legal)


def price_is_so(p: Played, reason: Reason) -> None:
    assert reason.numbers["price"] == p.before.now.light[p.seat] - p.after.now.light[p.seat]


def soil_is_so(p: Played, reason: Reason) -> None:
    leaves = LEAVES[SPACE_NAMED[reason.spaces[0]]]
    assert reason.numbers == {"leaves": leaves, "points": collected_there(p.before, p.seat, leaves)}


def ripe_is_so(p: Played, reason: Reason) -> None:
    """The piece grows whenever it may, with light and pieces at hand: it can be collected then, and not before."""
    (space,) = reason.spaces
    ahead, steps = p.after.fork(), 0
    ahead.now.options &= ~Rules(shade_forbids=True).bits
    while f"collect {space}" not in ahead.legal:
        if f"grow {space}" in ahead.legal:
            ahead.play(f"grow {space}")
            steps += 1
        ahead = until_turn_of(ahead, p.seat)
        ahead.now.light[p.seat] = 20
        for size in range(4):
            ahead.now.available[p.seat, size] = 2
        ahead = ahead.fork()
    assert ahead.round == reason.numbers["round"] and steps == reason.numbers["steps"]
    assert (reason.kind == "last_call") is (ahead.round == p.before.now.rounds)


def sunrise_over(game: Game) -> Game:
    """The game after the next sunrise, if everybody only ends turns; in the set-up nobody can."""
    ahead, now = game.fork(), game.round
    if ahead.phase != "turn":
        kernel.begin_round(ahead.now)
    while ahead.round == now:
        ahead.play("end")
    return ahead


def steps_of(game: Game, seat: int) -> Iterator[Game]:
    """The game with the animal where it is, and after each way it can step in its player's coming turn."""
    there = game.fork()
    if there.phase != "turn":  # in the set-up it is lifted from space to space
        taken = there.now.elder | there.now.stones
        taken |= sum(1 << at for other, at in enumerate(there.now.at.tolist()) if other != seat and at >= 0)
        for space in [there.now.at[seat], *spaces_in(NEIGHBOURS[there.now.at[seat]] & ~taken)]:
            lifted = there.fork()
            lifted.now.at[seat] = space
            yield lifted
        return
    while there.player != seat:
        there.play("end")
    yield there
    for line in [line for line in there.legal if line.startswith("step ")]:
        stepped = there.fork()
        stepped.play(line)
        yield stepped
        if stepped.now.animal[seat] == ANIMALS.index("squirrel"):
            for second in [line for line in stepped.legal if line.startswith("step ")]:
                twice = stepped.fork()
                twice.play(second)
                yield twice


def lunar_within_reach(game: Game, seat: int, rounds: int) -> int:
    """The most lunar points after so many sunrises, if the animal may step in every turn but this one."""
    had = game.now.lunar[seat]
    standing = {game.now.at[seat]: sunrise_over(game)}
    for _ in range(rounds - 1):
        then: dict[int, Game] = {}
        for each in standing.values():
            for stepped in steps_of(each, seat):
                at = stepped.now.at[seat]
                if at not in then or stepped.now.lunar[seat] > then[at].now.lunar[seat]:
                    then[at] = stepped
        standing = {at: sunrise_over(each) for at, each in then.items()}
    return max(each.now.lunar[seat] for each in standing.values()) - had


def way_is_so(p: Played, reason: Reason) -> None:
    rounds = reason.numbers["suns"]
    assert rounds == min(3, p.before.now.rounds - p.before.round)
    assert reason.numbers["new"] == lunar_within_reach(p.after, p.seat, rounds)
    if reason.kind != "way":
        assert reason.numbers["old"] == lunar_within_reach(p.before, p.seat, rounds)
        assert (reason.numbers["new"] > reason.numbers["old"]) is (reason.kind == "way.more")


def closes_is_so(p: Played, reason: Reason) -> None:
    """A medium tree is put beside it, with a seed and light: nothing can be planted there."""
    (space,) = reason.spaces
    assert reason.numbers["leaves"] == LEAVES[SPACE_NAMED[space]]
    for game, may in ((p.before, True), (p.after, False)):
        ahead = game.fork()
        s = ahead.now
        beside = next(iter(spaces_in(NEIGHBOURS[SPACE_NAMED[space]] & ~(s.elder | s.stones))))
        s.options &= ~Rules(shade_forbids=True).bits
        s.phase, s.light[s.player], s.available[s.player, 0] = TURN, 9, 1
        for other in range(s.players):
            for size in range(4):
                s.pieces[other, size] &= ~(1 << beside)
        s.pieces[s.player, 2] |= 1 << beside
        s.empty &= ~(1 << beside)
        assert (f"plant {NAMES[beside]} {space}" in ahead.fork().legal) is may


CARDS = {
    "boar": turn("a1:A3 g4:B1", animals="boar@a1 owl@d5", lunar=14, available={"A seed": 1}),
    "hedgehog": turn("a1:A1 g4:B1", animals="hedgehog@b2 owl@d5", lunar=14),
    "squirrel": turn("a1:A1 g4:B1 a2:B0", animals="squirrel@a2 owl@d5", lunar=14),
    "fox": turn("a1:A0 g4:B1", animals="fox@a1 owl@b1", lunar={"A": 14, "B": 3}),
    "owl": turn("a1:A1 g4:B1", animals="owl@a1 fox@d5", lunar=14),
    "badger": turn("a1:A0 g4:B1", animals="badger@a1 owl@d5", lunar=14, available={"A small": 1}),
    "beaver": turn("a1:A1 g4:B1", animals="beaver@a1 owl@d5", lunar=14, dam="a1 a2 b2", available={"A medium": 1}),
    "turtle": turn("a2:A1 g4:B1", animals="turtle@a1 owl@d5", lunar=14),
}
"""For each animal a turn in which it can do everything it can do without a baby, where that is cheapest."""


def card_is_so(p: Played, reason: Reason) -> None:
    game = CARDS[p.line.removeprefix("draft ")]
    prices: dict[str, int] = {}
    for number in game.legal_numbers:
        if TABLE[number].kind == "ability":
            after = game.now.copy()
            kernel.apply(after, number)
            price = game.now.lunar[0] - after.lunar[0] + (2 if TABLE[number].ability == "fox.steal" else 0)
            prices[f"ability.{TABLE[number].ability}"] = min(price, prices.get(f"ability.{TABLE[number].ability}", 99))
    assert prices[reason.terms["ability"]] == reason.numbers["price"] == min(prices.values())


def growths_is_so(p: Played, reason: Reason) -> None:
    """The piece grows in every turn, with light and pieces at hand."""
    (space,) = reason.spaces
    ahead, steps = p.after.fork(), 0
    ahead.now.options &= ~Rules(shade_forbids=True).bits
    while trees(ahead).get(space) != 3:
        s = ahead.now
        s.activated, s.light[p.seat], s.player = 0, 20, p.seat
        for size in range(4):
            s.available[p.seat, size] = 2
        ahead = ahead.fork()
        ahead.play(f"grow {space}")
        steps += 1
    assert steps == reason.numbers["steps"] > 0


CHECKS: dict[str, Callable[[Played, Reason], None]] = {
    "own.more": light_is_so, "own.less": light_is_so, "rival.more": light_is_so, "rival.less": light_is_so,
    "shades": shade_is_so, "frees": shade_is_so, "cap": cap_is_so, "keep": keep_is_so, "spent": keep_is_so,
    "lunar.more": lunar_is_so, "lunar.less": lunar_is_so, "rival.lunar": lunar_is_so,
    "token": token_is_so, "race": race_is_so, "token.falls": falls_is_so, "late": late_is_so, "waits": waits_is_so,
    **{f"gains.{what}": gain_is_so for what in ("points", "light", "lunar")},
    **{f"takes.{what}": gain_is_so for what in ("points", "light", "lunar")},
    "leftover": leftover_is_so, **{f"lost.{size}": lost_is_so for size in SIZES}, "lost.buy_first": buying_first_is_so,
    **{f"room.{size}": room_is_so for size in SIZES[:3]}, "enables": enables_is_so, "enables.seed": seed_is_so,
    "enables.ability": ability_is_so, "ready": ready_is_so, "price": price_is_so, "soil": soil_is_so,
    "ripe": ripe_is_so, "ripe.next": ripe_is_so, "last_call": ripe_is_so, "growths": growths_is_so,
    "way": way_is_so, "way.more": way_is_so, "way.less": way_is_so, "card": card_is_so, "closes": closes_is_so,
}  # fmt: skip


def check(game: Game, line: str) -> list[str]:
    found = reasons(game, line)
    for reason in found:
        CHECKS[reason.kind](Played(game, line), reason)
    return [reason.kind for reason in found]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_every_number_is_found_again_in_games_of_every_edition_and_module(file: Path) -> None:
    recorded = json.loads(file.read_text(encoding="utf-8"))
    recorded = recorded.get("game", recorded)
    for index, game in enumerate(Game.passing(recorded)):
        if index % 5 == 0 and index < len(recorded["actions"]):
            check(game.fork(), recorded["actions"][index])


def test_every_number_is_found_again_and_every_action_has_a_reason_in_games_of_bots() -> None:
    """Base game: at least 95 of 100 actions have a reason; in these games all have one."""
    seen: Counter[str] = Counter()
    for seed in range(3):
        game = Game(2 + seed, seed=seed)
        players = [bots.make("maple", seed=seat) for seat in range(game.players)]
        while not game.over:
            line = players[game.now.player].act(game.redacted(), 100)
            kinds = check(game, line)
            assert kinds, line
            seen.update(kinds)
            game.play(line)
    usual = {"own.more", "token", "waits", "late", "ripe", "soil", "enables", "ready", "cap", "keep", "race", "shades"}
    assert usual <= seen.keys()


def test_at_least_95_of_100_actions_have_a_reason_with_every_module() -> None:
    """And every number is found again; the set-up is told of, too."""
    said = actions = 0
    for seed in range(3):
        game = Game(2 + seed, Rules(modules=["moon", "elder", "stones"], moonstones=1), seed=seed)
        players = [bots.make("search:nodes=60", seed=seat) for seat in range(game.players)]
        while not game.over:
            line = players[game.now.player].act(game.redacted(), 1000)
            said += bool(check(game, line) if actions % 3 == 0 else reasons(game, line))
            actions += 1
            game.play(line)
    assert said >= 0.95 * actions > 300


@pytest.mark.parametrize("animal", ANIMALS)
def test_price_that_is_told_of_a_card_is_what_is_paid(animal: str) -> None:
    others = [other for other in ANIMALS if other != animal]
    game = Game(2, Rules(modules=["moon"]), deal={"animals": [[animal, others[0]], others[1:3]]})
    while f"draft {animal}" not in game.legal:
        game.play(game.legal[0])
    assert check(game, f"draft {animal}") == ["card"]


def test_last_moment_to_plant_and_a_collect_that_can_wait() -> None:
    game = turn("c3:A2 d4:A3 g4:B1", round=14, light=9, available={"A seed": 1})
    assert "last_call" in check(game, "plant c3 c4")
    assert "last_call" not in check(turn("c3:A2 g4:B1", round=15, light=9, available={"A seed": 1}), "plant c3 c4")
    assert "waits" in check(game, "end")


def test_a_rival_who_reaches_for_the_same_pile_is_named() -> None:
    game = turn("c4:A3 d5:B3 g4:B1", light={"A": 5, "B": 5}, round=9)
    found = [reason for reason in reasons(game, "collect c4") if reason.kind == "race"]
    assert [(reason.seat, reason.spaces) for reason in found] == [(1, ("d5",))]
    check(game, "collect c4")


def test_what_is_lost_is_told_first_and_how_to_avoid_it() -> None:
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})
    assert check(game, "grow c4")[:2] == ["lost.small", "lost.buy_first"]
    assert "room.small" in check(game, "buy small")


@pytest.mark.parametrize("language", codes())
def test_every_kind_is_told_in_every_language(language: str) -> None:
    numbers = dict.fromkeys(
        ("new", "old", "suns", "cap", "saved", "kept", "then", "points", "light", "gain", "loss"), 7
    )
    numbers |= dict.fromkeys(("price", "leaves", "steps", "round"), 7)
    for kind in CHECKS:
        terms = {"ability": "ability.fox.move"} if kind in ("enables.ability", "card") else {}
        said = sentence(Reason(kind, numbers, ("a1", "c4"), 1, terms), ["Ada", "Bo"], catalogue(language).tell)
        assert "{" not in said and said, kind


def test_what_programs_get_is_plain() -> None:
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})
    assert json.loads(json.dumps(told(reasons(game, "grow c4"))))[0]["kind"] == "lost.small"
