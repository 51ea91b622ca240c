"""A position as clients see it: state, legal actions with what they would do, light, forecast, boards, scores.

Everything is asked of the kernel; nothing hidden goes in. Plain objects, in the shapes of `schema`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import board, kernel
from sunglade.forecast import Forecast, Sunlight, outlook
from sunglade.forecast import scores as points_of
from sunglade.game import Game
from sunglade.kernel import actions
from sunglade.kernel.cost import cost
from sunglade.kernel.printed import PRICE, SIZES, SLOT_PRICES
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.notation import ACTION_NAMES, action_parts, snapshot, state_dict
from sunglade.rules import OPTIONS, Rules
from sunglade.server.sunlight import Coming

View = dict[str, Any]

CHANGES_TREES: Final = ("grow", "collect", "place", "elder", "stone", "ability")
"""Kinds of actions that may change who stands in whose shadow."""
ONLY_COST: Final = ("buy", "plant")
"""Kinds of actions that change nothing for their player that a preview tells, but the light."""
UNDER_A_SUN: Final = ("sun", "income", "trees", "shaded", "shadows")
OF_THE_MOON: Final = ("at", "full", "lit", "income", "lunar")
POINTS: Final = ("tokens", "leftover", "moon", "total", "pieces")
AHEAD: Final = ("round", "sun", "played", "income", "light", "lost", "trees", "shaded", "shadows")


def position_view(game: Game, *, assistance: bool) -> View:
    """What there is to know about a position."""
    s = game.record
    now, ahead = outlook(s)
    return {
        "state": state_dict(s),
        "round": _round(game),
        "turn": _turn(game, ahead, assistance=assistance),
        "now": sunlight_view(now),
        "forecast": _forecast(ahead) if assistance else None,
        "boards": boards(s),
        "scores": scores(s),
    }


def _round(game: Game) -> View:
    """Where the game is, and who plays when (R-ROUND-3, R-ROUND-4)."""
    s, now = game.record, game.round
    return {
        "revolution": game.rules.revolution_of(now),
        "revolutions": game.rules.revolutions_begun,
        "order": _order(int(s.first), game.players),
        "next_order": _order(int(kernel.next_first(s)), game.players) if 0 < now < game.rules.rounds else None,
    }


def _order(first: int, players: int) -> list[int]:
    """Clockwise from the first player (R-ROUND-3)."""
    return [(first + seat) % players for seat in range(players)]


def sunlight_view(light: Sunlight) -> View:
    """What `schema.Sunlight` tells."""
    return {name: getattr(light, name) for name in UNDER_A_SUN}


def scores(s: Record) -> list[View]:
    """Every player's points as if the game ended now."""
    return [{name: getattr(score, name) for name in POINTS} for score in points_of(s)]


def boards(s: Record) -> list[View]:
    """The player boards with their prices (R-SETUP-2)."""
    slots = s.slots.tolist()
    return [_board(tuple(slots[p])) for p in range(s.players)]


@lru_cache(maxsize=1024)
def _board(slots: tuple[int, ...]) -> View:
    """A player board. Look, do not change."""
    columns = [
        [{"price": price, "occupied": bool(slots[size] >> slot & 1)} for slot, price in enumerate(prices)]
        for size, prices in enumerate(SLOT_PRICES)
    ]
    return {
        "columns": columns,
        "prices": [int(PRICE[size, slots[size]]) if slots[size] else None for size in range(4)],
        "full": [all(slot["occupied"] for slot in column) for column in columns],
    }


# What is to come


def _forecast(ahead: Forecast) -> list[View]:
    """The coming rounds (schema.RoundAhead)."""
    rounds = []
    for coming in ahead:
        told = {name: getattr(coming, name) for name in AHEAD}
        moon = None if coming.moon is None else {name: getattr(coming.moon, name) for name in OF_THE_MOON}
        rounds.append(told | {"moon": moon})
    return rounds


# What can be done


def _turn(game: Game, ahead: Forecast, *, assistance: bool) -> View:
    if game.over:
        return {"seat": None, "legal": [], "can_undo": False, "can_redo": False, "can_restart": False, "left": None}
    legal = _legal(game, np.array([coming.sun for coming in ahead]), assistance=assistance)
    undoable = game.undoable() > 0
    seat = game.player or 0
    return {
        "seat": seat,
        "legal": legal,
        "can_undo": undoable,
        "can_redo": bool(game.undone),
        "can_restart": undoable,
        "left": _left(legal, ahead[0].lost[seat] if assistance else None) if game.phase == "turn" else None,
    }


def _left(legal: list[View], wasted: int | None) -> View:
    """How many actions of each kind could still be paid."""
    kinds = [action["kind"] for action in legal]
    counts = {kind: kinds.count(kind) for kind in ("buy", "plant", "grow", "collect")}
    return {**counts, "abilities": kinds.count("ability"), "wasted": wasted}


def _legal(game: Game, suns: NDArray[np.int64], *, assistance: bool) -> list[View]:
    """Every legal action with what it would do. What is tried is tried on copies, all of them looked at together."""
    s, numbers = game.record, game.legal_numbers
    before = snapshot(s)
    legal = [_action(before, number) for number in numbers]
    tried = [place for place, action in enumerate(legal) if "preview" not in action]
    if not tried:
        return legal
    after = _played(s, [numbers[place] for place in tried])
    coming = Coming.under(after, suns, before.players) if assistance else None
    for place, index in enumerate(tried, start=1):
        action, then = legal[index], snapshot(after[place])
        action["preview"] = _preview(before, then, before.player)
        if action["kind"] == "grow":
            action["size"] = SIZES[_size_at(then, before.player, board.SPACE_NAMED[action["space"]])]
        if coming is not None and action["kind"] in CHANGES_TREES:
            action["preview"] |= coming[0].changed_by(coming[place], trees(before), trees(then))
    return legal


def _played(s: Record, numbers: list[int]) -> NDArray[np.void]:
    """The position, and what would come of it after each of some actions."""
    after = np.frombuffer(bytearray(s.tobytes() * (1 + len(numbers))), kernel.STATE)
    for place, number in enumerate(numbers, start=1):
        kernel.apply(after[place], number)
    return after


def _action(before: Any, number: int) -> View:
    """An action with its price, and with its preview where nothing has to be tried for it."""
    price = cost(before, number)
    costs = {"light": price.light, "lunar": price.lunar}
    action: View = {"line": ACTION_NAMES[number], **action_parts(number), "cost": costs}
    p = before.player
    if action["kind"] in ("step", "ability"):
        action["origin"] = board.NAMES[before.at[p]]
    if number in (actions.END, actions.TURTLE_HATCH):  # what a sunrise brings is the forecast; what hatches is hidden
        action["preview"] = _standing(before, p, price.lunar)
    elif action["kind"] in ONLY_COST:
        action["preview"] = _standing(before, p, price.lunar) | {"light": before.light[p] - price.light}
    return action


# Two positions compared, as `notation.snapshot` has them


def trees(r: Any) -> int:
    """The spaces with a tree."""
    found = 0
    for pieces in r.pieces:
        found |= pieces[1] | pieces[2] | pieces[3]
    return found


def _standing(r: Any, p: int, lunar: int) -> View:
    """A preview of something that changes nothing but lunar points."""
    preview: View = {"light": r.light[p], "points": 0, "lost": []}
    return preview | {"lunar": r.lunar[p] - lunar} if r.options & MODULE_MOON else preview


def _preview(before: Any, after: Any, p: int) -> View:
    """What an action does for its player; a sunrise that it brings about is not counted in."""
    then = after if after.current_round == before.current_round else before
    preview: View = {
        "light": then.light[p],
        "points": after.score[p] - before.score[p] + after.baby_points - before.baby_points,
        "lost": lost(before, after, p),
    }
    if before.options & MODULE_MOON:
        preview["lunar"] = then.lunar[p]
    return preview | token_taken(before, after)


def token_taken(before: Any, after: Any) -> View:
    """The scoring token an action took, and from which pile; nothing if none (R-ACT-5)."""
    if after.collected == before.collected:
        return {}
    pile = next(pile for pile in range(4) if after.taken[pile] > before.taken[pile])
    return {"token": after.tokens[before.collected] % 32, "pile": pile + 1}


def lost(before: Any, after: Any, p: int) -> list[str]:
    """The sizes of a player's pieces that left the game (R-ACT-4)."""
    return [SIZES[size] for size in range(4) for _ in range(_owned(before, p, size) - _owned(after, p, size))]


def _owned(r: Any, p: int, size: int) -> int:
    """A player's pieces of a size, wherever they are."""
    return int(r.pieces[p][size].bit_count() + r.available[p][size] + r.slots[p][size].bit_count())


def _size_at(r: Any, p: int, space: int) -> int:
    return next(size for size in range(4) if r.pieces[p][size] >> space & 1)


# What was agreed


@lru_cache(maxsize=256)
def rules_view(rules: Rules, players: int) -> View:
    """Every option with its value, and which differ from the reference edition. Look, do not change."""
    reference = Rules()
    values = {name: getattr(rules, name) for name in OPTIONS}
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {
        "given": rules.to_dict(),
        "edition": rules.edition,
        **told,
        "moonstones": rules.stones_for(players),
        "differs": [name for name, value in values.items() if value != getattr(reference, name)],
    }
