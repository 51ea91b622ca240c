"""The teacher over HTTP: puzzles and their answers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from sunglade.server import schema
from sunglade.server.answers import answered
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Open, StrictRoute
from sunglade.table.requests import MOST_PUZZLES, PuzzleAnswer

router = APIRouter(route_class=StrictRoute, tags=["teaching"])

Number = Annotated[int, Path(ge=1, le=MOST_PUZZLES, description="counted from 1, easy ones first")]


@router.get("/puzzles", response_model=schema.Puzzles)
async def puzzles(
    house: Open, day: Annotated[str, Query(max_length=10, description="whose puzzle of the day: 2026-11-17")]
) -> Response:
    """All puzzles, easy ones first, and the one of a day."""
    return answered(house.puzzles(day))


@router.get("/puzzles/{number}", response_model=schema.Puzzle)
async def puzzle(number: Number, house: Open) -> Response:
    """A puzzle without its answer. A table can begin at its position."""
    return answered(house.puzzle(number))


@router.post("/puzzles/{number}", response_model=schema.PuzzleVerdict)
async def answer(number: Number, request: Checked[PuzzleAnswer], house: Open, client: Client) -> Response:
    """Whether a turn is the best there, or as good; and the best turn with what speaks for it."""
    return answered(await house.judge_puzzle(number, request, client))
