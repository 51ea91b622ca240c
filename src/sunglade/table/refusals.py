"""Why actions are not legal, as facts that clients tell in any language (schema.Why)."""

from __future__ import annotations

from typing import Any, Final

from sunglade.errors import SungladeError
from sunglade.explain import unknown_reason
from sunglade.game import Game
from sunglade.kernel.actions import ABILITIES, TABLE
from sunglade.kernel.record import PHASES
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS

OF_THE_LINE: Final = (
    "not_in_play",
    "not_next",
    "not_straight",
    "not_on_dam",
    "occupied",
    "baby_not_hatched",
    "blocked",
)
"""Reasons that tell of one action of an ability and of no other: another one tells more."""


def why(game: Game, line: str) -> dict[str, Any]:
    """Why an action is not legal (schema.Why); of an ability, by its bare name, why none of its actions is."""
    if line in ABILITIES and line not in ACTION_NUMBERS:
        return why(game, _nearest(game, line)) | {"action": line}
    try:
        refusal = game.refusal(line)
    except SungladeError as error:
        unknown = unknown_reason(game.now, line)
        told = {"reason": unknown.reason, "details": _plain(unknown.details), "message": error.message}
        return {"action": line, "legal": False, **told}
    if refusal is None:
        return {"action": line, "legal": True}
    answer: dict[str, Any] = {
        "action": line,
        "legal": False,
        "reason": refusal.reason,
        "details": _plain(refusal.details),
        "message": game.why_not(line),
    }
    return answer | ({"buy_first": first} if (first := _buy_first(game, line, refusal.details)) else {})


def _nearest(game: Game, ability: str) -> str:
    """The action of an ability that is legal, or else refused for what its player can do most about."""
    lines = [ACTION_NAMES[number] for number, action in enumerate(TABLE) if action.ability == ability]
    legal = set(game.legal)
    refused = {line: reason.reason for line in lines if (reason := game.refusal(line)) is not None}
    return min(lines, key=lambda line: (line not in legal, refused.get(line) in OF_THE_LINE))


def _buy_first(game: Game, line: str, details: dict[str, Any]) -> str | None:
    """The piece to buy first, where that is all that lacks."""
    size = details.get("size")
    if not isinstance(size, str) or f"buy {size}" not in game.legal:
        return None
    trial = game.fork()
    trial.play(f"buy {size}")
    return size if line in trial.legal else None


def _plain(details: dict[str, Any]) -> dict[str, Any]:
    """The facts of a refusal as JSON has them; phases by name."""
    plain = {name: value.item() if hasattr(value, "item") else value for name, value in details.items()}
    return plain | {"phase": PHASES[plain["phase"]]} if "phase" in plain else plain
