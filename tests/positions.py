"""Positions in a few words, for the tests.

>>> game = turn("a1:A1 c3:B3", light=2)
>>> game.legal[:3], piece(game, "c3"), piece(game, "d4")
(['end', 'buy seed', 'buy small'], 'B3', '.')

Players are A, B, C, D; a piece is its owner and its size, 0 seed … 3 large, as in position strings.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from random_games import MODULE_SETS, MODULES
from sunglade import Game, IllegalAction, Rules, board, kernel, position
from sunglade.kernel.actions import ABILITIES, ACTIONS
from sunglade.kernel.record import PHASES
from sunglade.kernel.refusal import refusal
from sunglade.kernel.shortlist import packed
from sunglade.notation import ACTION_NAMES
from sunglade.rules import ANIMALS, BABIES

SEATS = "ABCD"
SIZES = ("seed", "small", "medium", "large")
OWNED = (6, 8, 4, 2)
STARTING_AVAILABLE = (2, 4, 1, 0)
SLOTS = (4, 4, 3, 2)
each_module_set = pytest.mark.parametrize("modules", MODULE_SETS, ids=lambda modules: "+".join(modules) or "base")

TOKEN_PILES = (
    (14, 14, 13, 13, 13, 12, 12, 12, 12),
    (17, 16, 16, 14, 14, 13, 13),
    (19, 18, 18, 17, 17),
    (22, 21, 20),
)


def spaces(names: str) -> int:
    """A set of spaces from their names."""
    return board.set_of(board.SPACE_NAMED[name] for name in names.split())


def turn(
    pieces: str = "",
    *,
    players: int = 2,
    player: str = "A",
    sun: int = 0,
    round: int | None = None,
    light: int | Mapping[str, int] = 0,
    available: Mapping[str, int] | None = None,
    slots: Mapping[str, str] | None = None,
    taken: tuple[int, ...] = (0, 0, 0, 0),
    collector: str = "B",
    activated: str = "",
    animals: str = "",
    lunar: int | Mapping[str, int] | None = None,
    steps: int = 0,
    used: str = "",
    hatched: str = "",
    babies: str | None = None,
    face_down: str | None = None,
    elder: str = "",
    stones: str = "",
    dam: str = "",
    **options: Any,
) -> Game:
    """A game in the middle of a player's turn.

    - `pieces`: "a1:A1 c3:B3".
    - `light`, `lunar`: of the player on turn, or of each one named.
    - `available={"A seed": 1}`, `slots={"B small": ".xxx"}` (cheapest slot first). What is not given follows from the
      start position: pieces on the board were available or, if those do not suffice, bought.
    - `taken`: tokens gone from each pile; `collector` has them.
    - `animals`: "fox@c3 owl@e4", in seat order. `hatched`: babies in the turtle's hand, once on the first shore spaces;
      where the turtle has used an ability this turn, the one on the last has hatched, too, and is gone.

    The modules follow from what is given.
    """
    wanted = [name for name, given in zip(MODULES, (animals, elder, stones), strict=True) if given]
    if stones:
        options = {"moonstones": len(stones.split())} | options
    rules = Rules(**{"modules": wanted} | options)
    at_hand = hatched.split()
    hidden = babies.split() if babies else [*at_hand, *(baby for baby in BABIES if baby not in at_hand)][:6]
    s = kernel.new_record(rules, players, _hands(animals), tuple(hidden))

    # The clock
    s.phase = PHASES.index("turn")
    s.current_round = sun + 1 if round is None else round
    s.sun = (s.current_round - 1) % 6
    s.first = (s.current_round - 1) % players
    s.player = SEATS.index(player)
    s.turn = (s.player - s.first) % players

    # The boards
    for word in pieces.split():
        name, piece = word.split(":")
        s.pieces[SEATS.index(piece[0]), int(piece[1])] |= spaces(name)
    for seat, size in itertools.product(range(players), range(4)):
        whose = f"{SEATS[seat]} {SIZES[size]}"
        _share_out(s, seat, size, (available or {}).get(whose), (slots or {}).get(whose))
    for points, given in ((s.light, light), (s.lunar, lunar)):
        amounts = {player: given} if isinstance(given, int) else given
        for whose, amount in (amounts or {}).items():
            points[SEATS.index(whose)] = amount
    for pile, gone in enumerate(taken):
        for value in TOKEN_PILES[pile][:gone]:
            s.taken[pile] += 1
            s.tokens[s.collected] = SEATS.index(collector) * 32 + value
            s.score[SEATS.index(collector)] += value
            s.collected += 1

    # The modules
    s.stones_left = 0
    s.elder, s.stones, s.dam, s.activated = spaces(elder), spaces(stones), spaces(dam), spaces(activated)
    for seat, word in enumerate(animals.split()):
        animal, at = word.split("@")
        s.animal[seat] = ANIMALS.index(animal)
        s.at[seat] = board.SPACE_NAMED[at]
    s.steps = steps
    s.used = packed([ABILITIES.index(name) + 1 for name in used.split()])
    s.hatched = packed([BABIES.index(name) + 1 for name in at_hand])
    if "turtle" in animals:
        lying = rules.shore[len(at_hand) : -1 if "turtle" in used else None]
        s.face_down = spaces(" ".join(lying) if face_down is None else face_down)
    return Game.from_position(position.to_text(s, rules))


def _hands(animals: str) -> tuple[tuple[str, str], ...]:
    """Each player's two cards, the kept one first."""
    kept = [word.split("@")[0] for word in animals.split()]
    others = [animal for animal in ANIMALS if animal not in kept]
    return tuple(zip(kept, others, strict=False))


def _share_out(s: kernel.Record, seat: int, size: int, available: int | None, slots: str | None) -> None:
    """What a player has beside and on the player board, never more than there is."""
    left = OWNED[size] - int(s.pieces[seat, size]).bit_count()
    if available is None:
        most = left if slots is None else left - slots.count("x")
        available = max(min(STARTING_AVAILABLE[size] - (OWNED[size] - left), most), 0)
    if slots is None:
        count = min(SLOTS[size], left - available)
        slots = "." * (SLOTS[size] - count) + "x" * count
    assert available + slots.count("x") <= left, "a player cannot have so many pieces"
    s.available[seat, size] = available
    s.slots[seat, size] = sum(1 << slot for slot, mark in enumerate(slots) if mark == "x")


def sunrise(pieces: str = "", sun: int = 0, players: int = 2, **position: Any) -> Game:
    """A round that has just begun with the sun at this position: everybody had no light before."""
    before = sun or 6
    last = SEATS[(before - 2) % players]
    game = turn(pieces, players=players, round=before, player=last, **position)
    game.play("end")
    assert game.now.sun == sun
    return game


def piece(game: Game, space: str) -> str:
    """The piece on a space: "A1", or "." where there is none."""
    found = game.state()["spaces"].get(space)
    return f"{SEATS[found['owner']]}{found['size']}" if found else "."


def player(game: Game, seat: str = "A") -> dict[str, Any]:
    """What the state says of a player."""
    told: dict[str, Any] = game.state()["players"][SEATS.index(seat)]
    return told


def lights(game: Game) -> list[int]:
    """Everybody's light points."""
    return [each["light"] for each in game.state()["players"]]


def lunars(game: Game) -> list[int]:
    """Everybody's lunar points."""
    return [each["lunar"] for each in game.state()["players"]]


def play(game: Game, *lines: str) -> Game:
    """Play lines, and return the game."""
    for line in lines:
        game.play(line)
    return game


def starting(game: Game, word: str) -> list[str]:
    """The legal actions with this first word."""
    return [line for line in game.legal if line.split()[0] == word]


def refused(game: Game, line: str) -> str:
    """The reason why a line is not legal; it must be so everywhere, and change nothing."""
    before = bytes(game.now)
    assert line not in game.legal
    with pytest.raises(IllegalAction) as error:
        game.play(line)
    assert error.value.message == game.why_not(line)
    assert bytes(game.now) == before
    refusal = game.refusal(line)
    assert refusal is not None
    return refusal.reason


def check_refusals(game: Game) -> None:
    """There is no refusal exactly for the legal actions, of all there are."""
    free = [number for number in range(ACTIONS) if refusal(game.now, number) is None]
    wrong = set(game.legal_numbers) ^ set(free)
    assert not wrong, (sorted(ACTION_NAMES[number] for number in wrong), game.position())


def paid(line: str, cost: int, pieces: str = "", **position: Any) -> Game:
    """The game after A's ability, played with just enough lunar points; one point less must not do."""
    assert refused(turn(pieces, lunar={"A": cost - 1, "B": 9}, **position), line) == "lunar"
    return play(turn(pieces, lunar={"A": cost, "B": 9}, **position), line)


# Random games
