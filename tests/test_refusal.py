"""`legal` decides, `refusal` explains: there is no refusal exactly for legal actions, in every position we accept.

Positions of random games, and positions that somebody could have written: those of random games with some fields
changed, kept where `possible` accepts them.
"""

from __future__ import annotations

import inspect
import pickle
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from positions import OWNED, SLOTS, check_refusals, each_module_set
from random_games import MODULE_SETS, long_game, new_random_game, random_game, random_steps
from sunglade import Game, SungladeError, board, position
from sunglade.explain import sentence
from sunglade.kernel import Record
from sunglade.kernel.actions import ABILITIES, ANIMAL_WITH, TABLE
from sunglade.kernel.cost import cost
from sunglade.kernel.printed import LARGE, MEDIUM, SEED, SMALL
from sunglade.kernel.record import BEAVER, HEDGEHOG, NO_ANIMAL, NO_FRESH, NOWHERE, PHASES, SQUIRREL, TURN, TURTLE
from sunglade.kernel.refusal import Refusal, refusal
from sunglade.kernel.shortlist import packed
from sunglade.notation import ACTION_NAMES
from sunglade.rules import ANIMALS, BABIES
from sunglade.words import catalogue, languages

REASONS = set(re.findall(r'_no\(\s*"(\w+)"', Path(inspect.getfile(Refusal)).read_text(encoding="utf-8")))
"""All that `refusal` may answer."""
SEEDS = st.integers(0, 2**32 - 1)
Edit = Callable[[random.Random, Record], None]


# Positions of games


@each_module_set
@pytest.mark.parametrize("seed", range(4))
def test_legal_is_what_has_no_refusal(modules: list[str], seed: int) -> None:
    choose = random.Random(seed)
    for game in random_steps(new_random_game(seed, modules), seed):
        if choose.random() < 0.03 or game.over:
            check_refusals(game)


@pytest.mark.parametrize("seed", range(4))
def test_legal_is_what_has_no_refusal_in_long_games(seed: int) -> None:
    """In positions in which some ability can be used."""
    choose = random.Random(seed)
    for game in random_steps(long_game(seed), seed):
        if any(TABLE[number].ability for number in game.legal_numbers) and choose.random() < 0.05:
            check_refusals(game)


# Positions made by hand


def clear(s: Record, spaces: int) -> None:
    """Take what stands there off the board."""
    s.write("pieces", [there & ~spaces for there in s.numbers("pieces")])


def piece_there(choose: random.Random, s: Record, space: int) -> None:
    """Another piece, or none, on a space."""
    clear(s, 1 << space)
    seat = s.player if choose.random() < 0.6 else choose.randrange(s.players)
    if choose.random() < 0.8 and not (s.elder | s.stones) >> space & 1:
        s.pieces[seat, choose.choice([SEED, SEED, SMALL, MEDIUM, LARGE, LARGE])] |= 1 << space


def pieces(choose: random.Random, s: Record) -> None:
    for space in choose.sample(board.SPACES, choose.randint(1, 12)):
        piece_there(choose, s, space)


def piece_under_the_animal(choose: random.Random, s: Record) -> None:
    """And what an ability may need: pieces at hand, an open space."""
    if s.at[s.player] != NOWHERE:
        piece_there(choose, s, s.at[s.player])
        s.activated &= ~(1 << s.at[s.player])
        for size in range(4):
            s.available[s.player, size] = max(s.available[s.player, size], 1)


def player_boards(choose: random.Random, s: Record) -> None:
    for seat in range(s.players):
        for size in range(4):
            s.slots[seat, size] = choose.choice([0, choose.randrange(1 << SLOTS[size]), (1 << SLOTS[size]) - 1])
            s.available[seat, size] = choose.choice([0, 1, 2])


def bought_now(choose: random.Random, s: Record) -> None:
    for size in range(4):
        s.fresh[size] = choose.randint(0, min(2, s.available[s.player, size]))


def points(choose: random.Random, s: Record) -> None:
    for seat in range(s.players):
        s.light[seat] = min(choose.choice([0, 1, 2, 3, 4, 5, 12, 20]), s.light_cap)


def lunar_points(choose: random.Random, s: Record) -> None:
    for seat in range(s.players):
        s.lunar[seat] = choose.choice([14, choose.randint(0, 14)])


def activated(choose: random.Random, s: Record) -> None:
    share = choose.choice([0, 0.1, 0.3, 0.6, 1])
    s.activated = board.set_of(space for space in board.SPACES if choose.random() < share) & ~(s.elder | s.stones)


def the_animal(choose: random.Random, s: Record) -> None:
    """The other card that was dealt."""
    if s.animal[s.player] != NO_ANIMAL:
        s.animal[s.player] = choose.choice(list(board.spaces_in(s.dealt[s.player])))


def where_animals_are(choose: random.Random, s: Record) -> None:
    """Close together, so that they meet, and often where there are babies and dams."""
    shore = [*board.spaces_in(s.shore), *board.spaces_in(s.river)]
    first = choose.choice(shore if choose.random() < 0.6 else board.SPACES)
    others = choose.sample(list(board.spaces_in(board.REACH[2][first])), 3)
    for seat, space in zip([s.player, *(p for p in range(4) if p != s.player)], [first, *others], strict=True):
        if s.at[seat] != NOWHERE:
            s.at[seat] = space


def steps(choose: random.Random, s: Record) -> None:
    s.steps = choose.choice([0, 1, 2] if s.animal[s.player] in (SQUIRREL, HEDGEHOG) else [0, 1])


def used(choose: random.Random, s: Record) -> None:
    """Some of the animal's abilities, now and then another's."""
    animal = ANIMALS[s.animal[s.player]] if choose.random() < 0.9 else choose.choice(ANIMALS)
    codes = [code for code, name in enumerate(ABILITIES, 1) if ANIMAL_WITH[name] == animal]
    s.used = packed(choose.sample(codes, choose.randint(0, len(codes))))


def babies(choose: random.Random, s: Record) -> None:
    """Some face down, some in the hand, some gone."""
    codes = choose.sample(range(1, len(BABIES) + 1), 6)
    s.babies = packed(codes)
    lie = {space: choose.random() < 0.4 for space in board.spaces_in(s.shore)}
    s.face_down = board.set_of(space for space in lie if lie[space])
    seen = [code for code, hidden in zip(codes, lie.values(), strict=True) if not hidden]
    hand = [code for code in seen if choose.random() < 0.7]
    s.hatched = packed(hand)
    s.baby_points = 3 if BABIES.index("points") + 1 in set(seen) - set(hand) else 0


def effects(choose: random.Random, s: Record) -> None:
    s.effects = choose.randrange(4)
    if s.animal[s.player] == TURTLE and choose.random() < 0.8:
        s.used = packed([ABILITIES.index("turtle.steps") + 1])


def dam(choose: random.Random, s: Record) -> None:
    """Anywhere, or under the animal if that can be."""
    dams = [board.set_of(spaces) for spaces in board.DAMS]
    near = [spaces for spaces in dams if spaces >> max(s.at[s.player], 0) & 1]
    s.dam = choose.choice([0, choose.choice(dams), *near])


def obstacles(choose: random.Random, s: Record) -> None:
    """The Elder Tree and the stones somewhere else, and what stood there gone."""
    spaces = choose.sample(board.SPACES, 10)
    s.elder = 1 << spaces[0] if s.elder else 0
    s.stones = board.set_of(spaces[1 : 1 + s.stones.bit_count()])
    clear(s, s.elder | s.stones)


def clock(choose: random.Random, s: Record) -> None:
    """Another round, and so another player."""
    if s.phase == TURN:
        s.current_round = choose.randint(1, s.rounds)
        s.sun, s.first = (s.current_round - 1) % 6, (s.current_round - 1) % s.players
        s.player = (s.first + s.turn) % s.players
    else:
        s.phase = choose.randrange(len(PHASES))


EDITS: list[Edit] = [clock, obstacles, pieces, player_boards, bought_now, points, activated]
MOON_EDITS: list[Edit] = [
    the_animal, where_animals_are, piece_under_the_animal, babies, used, effects, steps, dam,
]  # fmt: skip


def as_many_as_there_are(s: Record) -> None:
    """Leave out what a player cannot have."""
    for seat in range(s.players):
        for size in range(4):
            while s.pieces[seat, size].bit_count() > OWNED[size]:
                s.pieces[seat, size] &= s.pieces[seat, size] - 1
            left = OWNED[size] - s.pieces[seat, size].bit_count()
            s.available[seat, size] = min(s.available[seat, size], left)
            while s.available[seat, size] + s.slots[seat, size].bit_count() > left:
                s.slots[seat, size] &= s.slots[seat, size] - 1
    for size in range(4):
        s.fresh[size] = min(s.fresh[size], s.available[s.player, size])


def as_the_animals_allow(s: Record) -> None:
    """Leave out babies without a turtle, a dam without a beaver, and what only a turn of the right player has."""
    if TURTLE not in s.animal:
        s.face_down = s.hatched = s.baby_points = 0
    if BEAVER not in s.animal:
        s.dam = 0
    if s.phase != TURN or s.animal[s.player] != TURTLE:
        s.effects = 0
    if s.phase != TURN:
        s.activated = s.steps = s.used = 0
    if s.phase != TURN or not s.options & NO_FRESH:
        s.write("fresh", [0, 0, 0, 0])


@cache
def original(seed: int) -> Game:
    """A position to change, mostly in a turn with animals. Look, do not play."""
    choose = random.Random(seed)
    modules = choose.choice([m for m in MODULE_SETS if "moon" in m] if choose.random() < 0.9 else MODULE_SETS)
    return random_game(
        seed, choose.randint(0, 14) if choose.random() < 0.15 else choose.randint(20, 120), modules=modules
    )


def made_by_hand(seed: int) -> Game | None:
    """A position of a random game with some fields changed; None if no game can reach it."""
    choose = random.Random(seed)
    game = original(choose.randrange(300))
    s = game.now.copy()
    edits = EDITS + MOON_EDITS if "moon" in game.rules.modules else EDITS
    for place in sorted(choose.sample(range(len(edits)), choose.randint(1, len(edits) - 1))):
        edits[place](choose, s)
    if "moon" in game.rules.modules:
        lunar_points(choose, s)
    if choose.random() < 0.9:
        as_many_as_there_are(s)
        as_the_animals_allow(s)
    try:
        return Game.from_position(position.to_text(s, game.rules))
    except SungladeError:
        return None


BRING_LIGHT = ("squirrel.eat", "fox.steal", "owl.hunt", "turtle.steps")
BRING_LUNAR_POINTS = ("fox.steal",)


def check_prices(game: Game) -> None:
    """A legal action can be paid and costs its price."""
    s, player = game.now, game.now.player
    for number in game.legal_numbers:
        price, action = cost(s, number), TABLE[number]
        left = (s.light[player] - price.light, s.lunar[player] - price.lunar)
        assert min(left) >= 0
        if s.phase == TURN and action.kind != "end":
            after = game.fork()
            after.play(ACTION_NAMES[number])
            assert after.now.light[player] == left[0] or action.ability in BRING_LIGHT
            assert after.now.lunar[player] == left[1] or action.ability in BRING_LUNAR_POINTS


@settings(suppress_health_check=list(HealthCheck))
@given(SEEDS)
def test_legal_is_what_has_no_refusal_in_positions_made_by_hand(seed: int) -> None:
    game = made_by_hand(seed)
    assume(game is not None)
    assert game is not None
    check_refusals(game)
    check_prices(game)


@pytest.mark.proof
@pytest.mark.parametrize("first", range(0, 20_000, 1000))
def test_legal_is_what_has_no_refusal_in_thousands_of_positions_made_by_hand(first: int) -> None:
    for seed in range(first, first + 1000):
        game = made_by_hand(seed)
        if game is not None:
            check_refusals(game)
            check_prices(game)


def test_positions_made_by_hand_are_often_accepted_and_use_every_ability() -> None:
    """Otherwise they would prove little."""
    games = [made_by_hand(seed) for seed in range(2000)]
    accepted = [game for game in games if game is not None]
    assert len(accepted) > len(games) / 2
    legal = [TABLE[number] for game in accepted for number in game.legal_numbers]
    assert {action.ability for action in legal} == {"", *ABILITIES}
    assert {action.baby for action in legal} == {"", *BABIES}


def test_every_reason_is_told_in_every_language() -> None:
    """Also the two for lines that are no action at all."""
    found: dict[str, Refusal] = {word: Refusal(word, {}) for word in ("not_edge", "not_three_leaves")}
    seeds = iter(range(20_000))
    while REASONS - set(found):
        game = made_by_hand(next(seeds))
        refusals = [refusal(game.now, number) for number in range(len(TABLE))] if game is not None else []
        found = {reason.reason: reason for reason in refusals if reason is not None} | found
    for reason in found.values():
        told = [sentence(reason, catalogue(language).tell) for language in languages()]
        assert len(set(told)) == len(told), told  # none of them is told in another's words


def test_a_refusal_is_told_with_the_words_of_the_game() -> None:
    game = Game(players=2, actions=["place a1", "place g4", "place a3", "place g2"])
    german = catalogue("de").tell
    assert game.why_not("buy medium", german) == "Das kostet 3 Lichtpunkte, du hast aber nur 2."
    assert game.why_not("buy", german) == "'buy' ist keine Aktion; solche Aktionen sehen so aus: 'buy seed'."
    with pytest.raises(SungladeError) as error:
        Game(players=2, actions=["place a1", "place a1"])
    assert error.value.told_by(german) == "actions[1] 'place a1': a1 ist nicht leer."
    assert pickle.loads(pickle.dumps(error.value)).message == error.value.message
