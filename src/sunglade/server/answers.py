"""Answers over HTTP: JSON, whole or a part at a time."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_json

from sunglade.table.answers import Answer

JSON = "application/json"


def json_answer(content: Any, status: int = 200) -> Response:
    """Any object."""
    return Response(to_json(content), status, media_type=JSON)


def answered(answer: Answer, status: int = 200) -> Response:
    """What a house says."""
    if isinstance(answer, bytes):
        return Response(answer, status, media_type=JSON)
    return StreamingResponse(answer, status, media_type=JSON)
