"""Games over HTTP: download, upload, replay, analysis, hints, what an action leads to, and why one is illegal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from sunglade.server import schema
from sunglade.server.answers import answered
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Open, SeatNumber, StrictRoute, TableName, Token
from sunglade.table.house import MOST_FRAMES, MOST_LINE, MOST_QUESTIONS
from sunglade.table.requests import AnalysisRequest, BetterRequest, HintRequest, Upload

router = APIRouter(route_class=StrictRoute, tags=["games"])


@router.get("/tables/{table}/why", response_model=schema.WhyAnswer)
async def why(
    table: TableName,
    house: Open,
    token: Token,
    client: Client,
    action: Annotated[list[str], Query(min_length=1, max_length=MOST_QUESTIONS, description="lines to ask about")],
) -> Response:
    """Why actions are not legal now, for the seat to act."""
    return answered(await house.why(table, token, client, action))


@router.get("/tables/{table}/seats/{seat}/animal", response_model=schema.AnimalOutlook)
async def animal(table: TableName, seat: SeatNumber, house: Open, token: Token, client: Client) -> Response:
    """What the animal of a seat can do now or in its coming turn, and why not the rest."""
    return answered(await house.animal(table, seat, token, client))


@router.get("/tables/{table}/after", response_model=schema.BoardAfter)
async def after(
    table: TableName,
    house: Open,
    token: Token,
    client: Client,
    action: Annotated[str, Query(max_length=MOST_LINE, description="a line that is legal now")],
) -> Response:
    """The board after an action of the seat to act, to be looked at before it is done."""
    return answered(await house.after(table, token, client, action))


@router.post("/tables/{table}/hint", response_model=schema.Hint)
async def hint(table: TableName, request: Checked[HintRequest], house: Open, token: Token, client: Client) -> Response:
    """What a bot would do for the seat to act. Only for who holds it, where the table allows help."""
    return answered(await house.hint(table, request, token, client))


@router.post("/tables/{table}/turn", response_model=schema.TurnSoFar)
async def judge_turn(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """What it costs to end the turn now, and what would be better. Only for who plays it, where help is allowed."""
    return answered(await house.judge_turn(table, token, client))


@router.get("/tables/{table}/game")
async def download(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """The game as a file (docs/protocol.md): redacted while it runs, whole when it is over."""
    answer = answered(await house.download(table, token, client))
    answer.headers["content-disposition"] = f'attachment; filename="sunglade-{table}.json"'
    return answer


@router.post("/games", response_model=schema.Stored, status_code=201)
async def upload(request: Checked[Upload], house: Open, client: Client) -> Response:
    """Keep a game to be replayed and analysed. To go on with it, make a table with it."""
    return answered(await house.upload(request, client), 201)


@router.get("/tables/{table}/replay", response_model=schema.Replay)
async def replay(
    table: TableName,
    house: Open,
    token: Token,
    client: Client,
    first: Annotated[int, Query(ge=0, le=100_000)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_FRAMES)] = MOST_FRAMES,
) -> Response:
    """Positions of a game one after the other, with what led to each."""
    return answered(await house.replay(table, token, client, first, count))


@router.post("/tables/{table}/analysis", response_model=schema.Analysis)
async def analyse(
    table: TableName, request: Checked[AnalysisRequest], house: Open, token: Token, client: Client
) -> Response:
    """Let a bot look at every position of a game that nobody plays any more; ask again for how far it has come."""
    return answered(await house.analyse(table, request, token, client))


@router.get("/tables/{table}/analysis", response_model=schema.Analysis)
async def analysis(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """How far the analysis has come."""
    return answered(await house.analysis(table, token, client))


@router.get("/tables/{table}/review", response_model=schema.Review)
async def review(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """The turns of an analysed game, judged as far as the analysis has come; who shaded whom."""
    return answered(await house.review(table, token, client))


@router.post("/tables/{table}/better", response_model=schema.Better)
async def better(
    table: TableName, request: Checked[BetterRequest], house: Open, token: Token, client: Client
) -> Response:
    """What a bot would have done in a turn, and why that is better."""
    return answered(await house.better(table, request, token, client))
