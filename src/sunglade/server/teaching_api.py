"""The teacher over HTTP: puzzles and their answers; lines tried on a copy of a game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from sunglade.server import schema
from sunglade.server.answers import answered
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Open, StrictRoute
from sunglade.table.requests import MOST_PUZZLES, PuzzleAnswer, WhatIf, WhatIfAfter, WhatIfAnimal, WhatIfWhy

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


@router.post("/whatif", response_model=schema.Update)
async def what_if(request: Checked[WhatIf], house: Open, client: Client) -> Response:
    """A copy of a game after a line that is tried on it: everything that happened there, and how it stands."""
    return answered(await house.what_if(request, client))


@router.post("/whatif/why", response_model=schema.WhyAnswer)
async def what_if_why(request: Checked[WhatIfWhy], house: Open, client: Client) -> Response:
    """Why actions cannot be tried next on a copy."""
    return answered(await house.what_if_why(request, client))


@router.post("/whatif/after", response_model=schema.BoardAfter)
async def what_if_after(request: Checked[WhatIfAfter], house: Open, client: Client) -> Response:
    """The board of a copy after an action, to be looked at before it is tried."""
    return answered(await house.what_if_after(request, client))


@router.post("/whatif/hint", response_model=schema.Hint)
async def what_if_hint(request: Checked[WhatIf], house: Open, client: Client) -> Response:
    """What everybody's chances are on a copy, and what a bot would do there."""
    return answered(await house.what_if_hint(request, client))


@router.post("/whatif/animal", response_model=schema.AnimalOutlook)
async def what_if_animal(request: Checked[WhatIfAnimal], house: Open, client: Client) -> Response:
    """What the animal of a seat can do on a copy, now or in its coming turn, and why not the rest."""
    return answered(await house.what_if_animal(request, client))


@router.post("/whatif/turn", response_model=schema.TurnSoFar)
async def what_if_turn(request: Checked[WhatIf], house: Open, client: Client) -> Response:
    """A whole turn that is tried on a copy: what it costs its mover, and the best turn with what speaks for it."""
    return answered(await house.what_if_turn(request, client))
