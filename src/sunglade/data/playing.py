"""Playing one game of a set: a search chooses every action, and what it thought becomes rows of the columns."""

from __future__ import annotations

import json
from random import Random
from typing import Final

from sunglade.analysis import analyst
from sunglade.bots import Thought
from sunglade.data.columns import COLUMNS, Columns, column
from sunglade.data.plan import Plan
from sunglade.data.result import by_seat, result
from sunglade.game import Game
from sunglade.notation import ACTION_NUMBERS

SET_UP_ROUND: Final = 0
"""What the round is called before the first."""
Tried = list[tuple[str, int]]
Rows = dict[str, list[object]]


def play(plan: Plan, number: int) -> Columns:
    """Game `number` of a plan, as columns with one game."""
    opening = plan.opening(number)
    game = Game(opening.players, plan.rules, seed=opening.seed)
    bot = analyst(plan.bot, seed=opening.bot_seed)
    rows: Rows = {name: [] for name in COLUMNS}
    while not game.over:
        if plan.random_setup and game.round == SET_UP_ROUND:
            game.play(opening.chance.choice(game.legal))
            continue
        thought = bot.think(game.redacted(), nodes=plan.nodes)
        tried = _tried(thought)
        _add_position(rows, game, thought, tried)
        game.play(_drawn(tried, opening.chance) if game.round <= plan.explore else thought.action)
    _add_game(rows, game, number)
    return {name: column(name, found) for name, found in rows.items()}


def _tried(thought: Thought) -> Tried:
    """The actions that were tried and how often; where there was nothing to choose, the one there is, once."""
    tried = [(line.action, line.visits) for line in thought.lines if line.visits]
    return tried or [(thought.action, 1)]


def _drawn(tried: Tried, chance: Random) -> str:
    """An action, as likely as it was tried often."""
    (line,) = chance.choices([line for line, _ in tried], [visits for _, visits in tried])
    return line


def _add_position(rows: Rows, game: Game, thought: Thought, tried: Tried) -> None:
    rows["ply"].append(len(game.actions))
    rows["mover"].append(game.player)
    rows["value"].append(by_seat(thought.value))
    rows["simulations"].append(getattr(thought, "simulations", sum(visits for _, visits in tried)))
    rows["tried_count"].append(len(tried))
    rows["tried"] += [ACTION_NUMBERS[line] for line, _ in tried]
    rows["visits"] += [visits for _, visits in tried]


def _add_game(rows: Rows, game: Game, number: int) -> None:
    """What was agreed, done and reached."""
    points, places, shares = result(game.now)
    rows["number"].append(number)
    rows["seed"].append(game.data.seed)
    rows["players"].append(game.players)
    rows["rules"].append(json.dumps(game.rules.to_dict()).encode())
    rows["actions_count"].append(len(game.actions))
    rows["positions_count"].append(len(rows["ply"]))
    rows["points"].append(points)
    rows["place"].append(places)
    rows["share"].append(shares)
    rows["action"] += [ACTION_NUMBERS[line] for line in game.actions]
