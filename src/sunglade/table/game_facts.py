"""What never changes: board, pieces, animals, editions, options. `GET /meta` tells it, and the client is built with it.

`python -m sunglade.table.game_facts` prints it as the client's `web/src/api/game_facts.ts`; `make web` writes that.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from sunglade import board
from sunglade.bots import LEVELS
from sunglade.bots.given_names import BOT_NAMES
from sunglade.drawing.flora import SPECIES_NAMES
from sunglade.kernel import actions
from sunglade.kernel.printed import SIZES
from sunglade.notation import ACTION_NAMES
from sunglade.options import OneOf, Option, Whole
from sunglade.rules import ANIMALS, BABIES, EDITIONS, MAX_PLAYERS, MIN_PLAYERS, MODULES, OPTIONS, Rules
from sunglade.table.agreement import MOST_ACTIONS, MOST_ROUNDS
from sunglade.table.json_text import MOST_BODY
from sunglade.table.names import MOST_NAME
from sunglade.table.showcase import showcase


def game_facts() -> dict[str, Any]:
    """The facts by name, as plain objects."""
    return {
        "players": {"least": MIN_PLAYERS, "most": MAX_PLAYERS},
        "species": list(SPECIES_NAMES),
        "sizes": list(SIZES),
        "board": [_space(space) for space in board.SPACES],
        "sun_corners": [board.NAMES[space] for space in board.SUN_CORNERS],
        "sun_directions": [list(towards) for towards in board.SUN_DIRECTIONS],
        "moon_places": [list(place) for place in board.MOON_HEXES],
        "modules": list(MODULES),
        "animals": [{"animal": animal, "abilities": abilities_of(animal)} for animal in ANIMALS],
        "babies": list(BABIES),
        "levels": list(LEVELS),
        "editions": [_edition(name) for name in EDITIONS],
        "options": [_option(name, option) for name, option in OPTIONS.items()],
        "limits": {"name": MOST_NAME, "body": MOST_BODY, "rounds": MOST_ROUNDS, "actions": MOST_ACTIONS},
    }


def _space(space: int) -> dict[str, Any]:
    q, r = board.COORDINATES[space]
    neighbours = board.names_of(board.NEIGHBOURS[space])
    return {"name": board.NAMES[space], "leaves": board.LEAVES[space], "q": q, "r": r, "neighbours": neighbours}


@cache
def abilities_of(animal: str) -> list[dict[str, Any]]:
    """What an animal can do for lunar points (schema.AbilityInfo)."""
    return [_ability(ability) for ability, owner in actions.ANIMAL_WITH.items() if owner == animal]


def _ability(ability: str) -> dict[str, Any]:
    levels = max(action.level for action in actions.TABLE if action.ability == ability)
    return {"ability": ability, "levels": levels, "prices": _prices(ability), "asks": _asks(ability)}


def _asks(ability: str) -> list[str]:
    """What to ask `why` about it: the line of each level, or its name, where its lines name something besides."""
    numbers = [number for number, action in enumerate(actions.TABLE) if action.ability == ability]
    plain = [number for number in numbers if not (actions.TABLE[number].names or _meets(actions.TABLE[number]))]
    return [ACTION_NAMES[number] for number in plain] if plain == numbers else [ability]


def _meets(action: actions.Action) -> str:
    return action.target or action.baby


def _prices(ability: str) -> list[int]:
    """What an ability costs in lunar points: on each level, or on each soil where that decides."""
    rows = {action.lunar: action for action in actions.TABLE if action.ability == ability}
    if any(action.extra == "leaves" for action in rows.values()):
        return [lunar + leaves for lunar in rows for leaves in sorted(set(board.LEAVES))]
    return sorted(rows)


def _edition(name: str) -> dict[str, Any]:
    rules, reference = Rules(edition=name), Rules()
    values = {option: getattr(rules, option) for option in OPTIONS}
    return {
        "edition": name,
        "book": EDITIONS[name],
        "options": {option: list(value) if isinstance(value, tuple) else value for option, value in values.items()},
        "differs": [option for option, value in values.items() if value != getattr(reference, option)],
    }


def _option(name: str, option: Option) -> dict[str, Any]:
    told: dict[str, Any] = {"option": name, "module": option.module or None}
    kind = option.kind
    if isinstance(kind, OneOf):
        return told | {"kind": "choice", "values": list(kind.values)}
    if isinstance(kind, Whole):
        return told | {"kind": "number", "least": kind.low, "most": kind.high, "or_none": kind.or_none}
    return told | {"kind": name if name == "modules" else "spaces", "least": kind.least, "most": kind.most}


def client_source() -> str:
    """The facts as a source of the client, a constant each, and the forest of its start page."""
    facts = game_facts() | {"bot_names": list(BOT_NAMES), "showcase": showcase()}
    told = [f"export const {name.upper()} = {_source(fact)} as const;\n" for name, fact in facts.items()]
    return (
        "/** Written by `make web` from sunglade.table.game_facts: what is wrong here is mended there. */\n\n"
        + "\n".join(told)
    )


def _source(fact: Any) -> str:
    """A fact as JSON, a line for each object of a list."""
    if isinstance(fact, list) and isinstance(fact[0], dict):
        return "[\n" + "".join(f"  {json.dumps(entry, ensure_ascii=False)},\n" for entry in fact) + "]"
    return json.dumps(fact, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(client_source())
