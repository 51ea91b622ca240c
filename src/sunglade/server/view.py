"""A position as clients see it: state, legal actions with what they would do, light, forecast, boards, scores.

Everything is asked of the kernel; nothing hidden goes in. Plain objects, in the shapes of `schema`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import board, kernel
from sunglade.forecast import Forecast, forecast, score
from sunglade.game import Game
from sunglade.kernel import actions
from sunglade.kernel.cost import cost
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.tables import PRICE, SIZES, SLOT_PRICES
from sunglade.notation import ACTION_NAMES, snapshot, state_dict
from sunglade.rules import OPTIONS, Rules
from sunglade.server.parts import parts
from sunglade.server.sunlight import Coming, copied, sunlight

View = dict[str, Any]

CHANGES_TREES: Final = ("grow", "collect", "place", "elder", "stone", "ability")
"""Kinds of actions that may change who stands in whose shadow."""


ONLY_COST: Final = ("buy", "plant")
"""Kinds of actions that change nothing for their player that a preview tells, but the light."""
AHEAD: Final = ("round", "sun", "played", "income", "light", "lost", "trees", "shaded", "shadows")


def position_view(game: Game, *, assistance: bool) -> View:
    """What there is to know about a position."""
    s = game.record
    ahead = forecast(s)
    return {
        "state": state_dict(s),
        "turn": _turn(game, ahead, assistance=assistance),
        "now": sunlight(s, int(s.sun)),
        "forecast": _forecast(ahead) if assistance else None,
        "boards": boards(s),
        "scores": scores(s),
    }


def scores(s: Record) -> list[View]:
    """Every player's points as if the game ended now."""
    return [asdict(score(s, p)) for p in range(s.players)]


def boards(s: Record) -> list[View]:
    """The player boards with their prices (R-SETUP-2)."""
    slots = s.slots.tolist()
    return [_board(slots[p]) for p in range(s.players)]


def _board(slots: list[int]) -> View:
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
        rounds.append(told | {"moon": None if coming.moon is None else asdict(coming.moon)})
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
    before = snapshot(game.record)
    now = Coming.under(game.record, suns, game.players, trees(before)) if assistance else None
    return [_action(game.record, before, number, now, suns) for number in game.legal_numbers]


def _action(s: Record, before: Any, number: int, now: Coming | None, suns: NDArray[np.int64]) -> View:
    line = ACTION_NAMES[number]
    price = cost(s, number)
    action: View = {"line": line, **parts(line), "cost": {"light": price.light, "lunar": price.lunar}}
    p = before.player
    if action["kind"] in ("step", "ability"):
        action["origin"] = board.NAMES[before.at[p]]
    if number in (actions.END, actions.TURTLE_HATCH):  # what a sunrise brings is the forecast; what hatches is hidden
        action["preview"] = _standing(before, p, price.lunar)
        return action
    if action["kind"] in ONLY_COST:
        action["preview"] = _standing(before, p, price.lunar) | {"light": before.light[p] - price.light}
        return action
    record = copied(s)
    kernel.apply(record, number)
    after = snapshot(record)
    action["preview"] = _preview(before, after, p)
    if action["kind"] == "grow":
        action["size"] = SIZES[_size_at(after, p, board.SPACE_NAMED[action["space"]])]
    if now is not None and action["kind"] in CHANGES_TREES:
        action["preview"] |= now.changed_by(Coming.under(record, suns, before.players, trees(after)))
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


def rules_view(rules: Rules, players: int) -> View:
    """Every option with its value, and which differ from the reference edition."""
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
