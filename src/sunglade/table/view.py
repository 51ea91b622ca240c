"""A position as clients see it: state, legal actions with what they would do, light, forecast, boards, scores.

Everything is asked of the kernel; nothing hidden goes in. Plain objects, in the shapes of `schema`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from sunglade import board, kernel
from sunglade.changes import change, size_at, token_taken
from sunglade.forecast import Forecast, RoundAhead, Sunlight, forecast, sunlight
from sunglade.forecast import scores as points_of
from sunglade.game import Game
from sunglade.kernel import actions
from sunglade.kernel.cost import cost
from sunglade.kernel.printed import PRICE, SIZES, SLOT_PRICES
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.rounds import next_turn_order, revolution, revolutions, turn_order
from sunglade.notation import ACTION_NAMES, action_parts, state_dict
from sunglade.rules import OPTIONS, Rules
from sunglade.table.sunlight import Coming

View = dict[str, Any]

CHANGES_TREES: Final = ("grow", "collect", "place", "elder", "stone", "ability")
"""Kinds of actions that may change who stands in whose shadow."""
ONLY_COST: Final = ("buy", "plant")
"""Kinds of actions that change nothing for their player that a preview tells, but the light."""
UNFORESEEN: Final = (actions.END, actions.TURTLE_HATCH)
"""What a sunrise brings is the forecast; what hatches is hidden."""
UNDER_A_SUN: Final = ("sun", "income", "trees", "shaded", "shadows")
OF_THE_MOON: Final = ("at", "full", "lit", "income", "lunar")
POINTS: Final = ("tokens", "leftover", "moon", "total", "pieces")
NO_TURN: Final[View] = {
    "seat": None, "legal": [], "can_undo": False, "can_redo": False, "can_restart": False, "left": None,
}  # fmt: skip
"""What can be done when nobody plays any more. Look, do not change."""
AHEAD: Final = ("round", "sun", "played", "income", "light", "lost", "trees", "shaded", "shadows")


def position_view(game: Game, *, assistance: bool) -> View:
    """What there is to know about a position."""
    s = game.now
    ahead = forecast(s)
    return {
        "state": state_dict(s),
        "round": round_view(s),
        "turn": _turn(game, ahead, assistance=assistance),
        "now": sunlight_view(sunlight(s)),
        "forecast": _forecast(ahead) if assistance else None,
        "boards": boards(s),
        "scores": scores(s),
    }


def board_after(game: Game, line: str, *, assistance: bool) -> View:
    """The board, light and shade after a legal action, for looking at it before it is done (schema.BoardView)."""
    after = game.fork()
    after.play(line)
    s = after.now
    return {
        "state": state_dict(s),
        "now": sunlight_view(sunlight(s)),
        "forecast": _forecast(forecast(s)) if assistance else None,
    }


def round_view(s: Record) -> View:
    """Where the game is, and who plays when (R-ROUND-3, R-ROUND-4)."""
    return {
        "revolution": revolution(s),
        "revolutions": revolutions(s),
        "order": turn_order(s),
        "next_order": next_turn_order(s),
    }


def sunlight_view(light: Sunlight) -> View:
    """What `schema.Sunlight` tells."""
    return {name: getattr(light, name) for name in UNDER_A_SUN}


def scores(s: Record) -> list[View]:
    """Every player's points as if the game ended now."""
    return [{name: getattr(score, name) for name in POINTS} for score in points_of(s)]


def boards(s: Record) -> list[View]:
    """The player boards with their prices (R-SETUP-2)."""
    return [_board(tuple(s.slots[p, size] for size in range(4))) for p in range(s.players)]


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
        return NO_TURN
    legal = _legal(game, assistance=assistance)
    undoable = game.undoable() > 0
    seat = game.player or 0
    return {
        "seat": seat,
        "legal": legal,
        "can_undo": undoable,
        "can_redo": bool(game.undone),
        "can_restart": undoable,
        "left": _left(legal, _wasted(ahead[0], seat) if assistance else None) if game.phase == "turn" else None,
    }


def _wasted(sunrise: RoundAhead, seat: int) -> int:
    """Light that the limit takes at the next sunrise; none where the game ends before it."""
    return sunrise.lost[seat] if sunrise.played else 0


def _left(legal: list[View], wasted: int | None) -> View:
    """How many actions of each kind could still be paid."""
    kinds = [action["kind"] for action in legal]
    counts = {kind: kinds.count(kind) for kind in ("buy", "plant", "grow", "collect")}
    return {**counts, "abilities": kinds.count("ability"), "wasted": wasted}


def _legal(game: Game, *, assistance: bool) -> list[View]:
    """Every legal action with what it would do."""
    s = game.now
    coming = Coming.of(s) if assistance else None
    return [_action(s, number, coming) for number in game.legal_numbers]


def _action(s: Record, number: int, coming: Coming | None) -> View:
    """An action with its price and its preview; what cannot be told from the position is tried on a copy of it."""
    price, p = cost(s, number), s.player
    costs = {"light": price.light, "lunar": price.lunar}
    action: View = {"line": ACTION_NAMES[number], **action_parts(number), "cost": costs}
    if action["kind"] in ("step", "ability"):
        action["origin"] = board.NAMES[s.at[p]]
    if number in UNFORESEEN:
        action["preview"] = _standing(s, p, price.lunar)
    elif action["kind"] in ONLY_COST:
        action["preview"] = _standing(s, p, price.lunar) | {"light": s.light[p] - price.light}
    else:
        after = s.copy()
        kernel.apply(after, number)
        action["preview"] = _preview(s, after, p)
        if action["kind"] == "grow":
            action["size"] = SIZES[size_at(after, board.SPACE_NAMED[action["space"]])]
        if coming is not None and action["kind"] in CHANGES_TREES:
            action["preview"] |= coming.changed_by(Coming.of(after), _trees(s), _trees(after))
    return action


def _trees(s: Record) -> int:
    """The spaces with a tree."""
    found = 0
    for p in range(s.players):
        found |= s.pieces[p, 1] | s.pieces[p, 2] | s.pieces[p, 3]
    return found


def _standing(s: Record, p: int, lunar: int) -> View:
    """A preview of something that changes nothing but lunar points."""
    preview: View = {"light": s.light[p], "points": 0, "lost": []}
    return preview | {"lunar": s.lunar[p] - lunar} if s.options & MODULE_MOON else preview


def _preview(before: Record, after: Record, p: int) -> View:
    """What an action does for its player."""
    what = change(before, after, p)
    preview: View = {"light": before.light[p] + what.light, "points": what.points, "lost": what.lost}
    if before.options & MODULE_MOON:
        preview["lunar"] = before.lunar[p] + what.lunar
    return preview | token_view(before, after)


def token_view(before: Record, after: Record) -> View:
    """The scoring token that an action took, and from which pile; nothing if none."""
    token = token_taken(before, after)
    return {} if token is None else {"token": token.value, "pile": token.leaves}


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
