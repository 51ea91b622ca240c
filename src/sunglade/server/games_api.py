"""Games over HTTP: download, upload, replay, analysis, hints, what an action leads to, and why one is illegal."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from sunglade.analysis import JUDGE
from sunglade.forecast import sunlight
from sunglade.game import Game
from sunglade.server import schema
from sunglade.server.answers import json_answer
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Parts, StrictRoute, TableName, Token, authorised, may_look
from sunglade.table.event_view import Chronicle, tell_action
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import AnalysisRequest, HintRequest, Upload
from sunglade.table.room import Room
from sunglade.table.seating import setup_of_upload
from sunglade.table.thinking import Asker
from sunglade.table.view import boards, rules_view, scores, sunlight_view

MOST_FRAMES: Final = 60
MOST_QUESTIONS: Final = 80
HINT_S: Final = 60.0
"""Whoever waits longer for a hint is told that there is none."""
ADVISER: Final = JUDGE
"""Who gives hints and looks at whole games: the strongest."""

router = APIRouter(route_class=StrictRoute, tags=["games"])


@router.get("/tables/{table}/why", response_model=schema.WhyAnswer)
async def why(
    table: TableName,
    service: Parts,
    token: Token,
    client: Client,
    action: Annotated[list[str], Query(min_length=1, max_length=MOST_QUESTIONS, description="lines to ask about")],
) -> Response:
    """Why actions are not legal now, for the seat to act."""
    if any(len(line) > 60 for line in action):
        raise ServerProblem("bad_request", "an action has at most 60 letters.")
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    return json_answer({"seq": room.table.seq, "answers": [room.table.why(line) for line in action]})


@router.get("/tables/{table}/after", response_model=schema.BoardAfter)
async def after(
    table: TableName,
    service: Parts,
    token: Token,
    client: Client,
    action: Annotated[str, Query(max_length=60, description="a line that is legal now")],
) -> Response:
    """The board after an action of the seat to act, to be looked at before it is done."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    return json_answer({"seq": room.table.seq, "action": action, "board": room.table.after(action)})


@router.post("/tables/{table}/hint", response_model=schema.Hint)
async def hint(
    table: TableName, request: Checked[HintRequest], service: Parts, token: Token, client: Client
) -> Response:
    """What a bot would do for the seat to act. Only for who holds it, where the table allows help."""
    room = await service.registry.room(table)
    holder = await authorised(service, room, token, client)
    now = room.table
    if not now.setup.assistance:
        raise ServerProblem("no_assistance", "this table plays without assistance.")
    if now.game.player is None:
        raise ServerProblem("game_over", "the game is over.")
    if now.game.player not in now.seats_of(holder):
        raise ServerProblem("not_your_turn", "hints are for the player to act.")
    service.limits.spend("think", client)
    bot, asker = ADVISER, Asker(now.name, lambda: [client])
    try:
        async with asyncio.timeout(HINT_S):
            game = now.game.redacted_data.to_dict()
            answer = await service.engines.think(game, bot, seed=now.seq, asker=asker, ms=request.ms)
    except TimeoutError:
        raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0) from None
    told = {name: answer.get(name) for name in ("action", "value", "lines")}
    return json_answer({"seq": now.seq, "bot": bot, **told})


@router.get("/tables/{table}/game")
async def download(table: TableName, service: Parts, token: Token, client: Client) -> Response:
    """The game as a file (docs/protocol.md): redacted while it runs, whole when it is over."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    answer = json_answer(room.table.shown())
    answer.headers["content-disposition"] = f'attachment; filename="sunglade-{room.table.name}.json"'
    return answer


@router.post("/games", response_model=schema.Stored, status_code=201)
async def upload(request: Checked[Upload], service: Parts, client: Client) -> Response:
    """Keep a game to be replayed and analysed. To go on with it, make a table with it."""
    service.limits.spend("heavy", client)
    service.limits.spend("create", client)
    setup = await asyncio.to_thread(setup_of_upload, request.game)
    room = await service.registry.create(setup, uploaded=True)
    return json_answer({"table": room.table.name, "frames": len(setup.actions) + 1}, 201)


# Replays


@router.get("/tables/{table}/replay", response_model=schema.Replay)
async def replay(
    table: TableName,
    service: Parts,
    token: Token,
    client: Client,
    first: Annotated[int, Query(ge=0, le=100_000)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_FRAMES)] = MOST_FRAMES,
) -> Response:
    """Positions of a game one after the other, with what led to each."""
    service.limits.spend("heavy", client)
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    now = room.table
    total = len(now.game.actions) + 1
    frames = await asyncio.to_thread(_frames, now.game.fork(), first, count)
    result = None
    if now.game.over:
        history = await asyncio.to_thread(_history, now.game.fork())
        result = {"winners": now.game.winners, "scores": scores(now.game.now), "history": history}
    following = first + len(frames)
    return json_answer(
        {
            "table": now.name,
            "players": now.game.players,
            "rules": rules_view(now.game.rules, now.game.players),
            "seats": room.seats_view(),
            "total": total,
            "first": first,
            "next": following if frames and following < total else None,
            "frames": frames,
            "result": result,
        }
    )


def _frames(game: Game, first: int, count: int) -> list[dict[str, Any]]:
    """Some positions of a game."""
    lines = game.actions
    found = []
    passing = Game.passing(game.to_dict())
    before, seat = game.now, 0
    for index, passed in enumerate(passing):
        if index >= first + count:
            break
        if index >= first:
            told = [] if index == 0 else tell_action(before, passed.now, lines[index - 1], seat)
            found.append(_frame(index, passed, [{"seq": index, "at": 0.0, **part} for part in told]))
        before, seat = passed.now.copy(), passed.player or 0
    return found


def _frame(index: int, game: Game, told: list[dict[str, Any]]) -> dict[str, Any]:
    s = game.now
    return {
        "index": index,
        "events": told,
        "state": game.state(),
        "now": sunlight_view(sunlight(s)),
        "boards": boards(s),
        "scores": scores(s),
    }


def _history(game: Game) -> list[dict[str, Any]]:
    """Light and points by round, from the first action on."""
    lines = game.actions
    chronicle: Chronicle | None = None
    before, seat = game.now, 0
    for index, passed in enumerate(Game.passing(game.to_dict())):
        if chronicle is None:
            chronicle = Chronicle(passed)
        else:
            chronicle.note(before, tell_action(before, passed.now, lines[index - 1], seat))
        before, seat = passed.now.copy(), passed.player or 0
    return chronicle.rounds(game.now) if chronicle is not None else []


# Analysis


@router.post("/tables/{table}/analysis", response_model=schema.Analysis)
async def analyse(
    table: TableName, request: Checked[AnalysisRequest], service: Parts, token: Token, client: Client
) -> Response:
    """Let a bot look at every position of a game that nobody plays any more; ask again for how far it has come."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    if not _is_finished(room):
        await service.registry.look_closer(room)
    if not _is_finished(room):
        raise ServerProblem("game_running", "a game can be analysed when it is over.")
    service.limits.spend("think", client)
    bot = request.bot or ADVISER
    if bot not in service.levels:
        raise ServerProblem("bad_request", f"there is no bot {bot!r}.")
    return json_answer(service.analyses.start(room, bot, request.nodes))


def _is_finished(room: Room) -> bool:
    """Whether nobody plays on, as with a finished game and an uploaded one."""
    return room.table.game.over or all(chair.playing == "nobody" for chair in room.table.chairs)


@router.get("/tables/{table}/analysis", response_model=schema.Analysis)
async def analysis(table: TableName, service: Parts, token: Token, client: Client) -> Response:
    """How far the analysis has come."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    return json_answer(service.analyses.find(room.table.name))
