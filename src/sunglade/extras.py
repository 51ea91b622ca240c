"""Libraries that only some commands need: in which extra of the package they come."""

from __future__ import annotations

from typing import Final

from sunglade.words import Telling, saying

EXTRAS: Final = {
    **dict.fromkeys(("numpy", "numba", "llvmlite"), "numba"),
    **dict.fromkeys(
        (
            "aiosqlite",
            "cryptography",
            "fastapi",
            "httptools",
            "httpx",
            "openskill",
            "prometheus_client",
            "pydantic",
            "pydantic_core",
            "segno",
            "sqlalchemy",
        ),
        "server",
    ),
    **dict.fromkeys(("starlette", "uvicorn", "uvloop", "websockets"), "server"),
    "asyncpg": "postgres",
    **dict.fromkeys(("gymnasium", "pettingzoo"), "envs"),
    "pyspiel": "openspiel",
}
"""The extra in which a library comes, by the name it is imported under."""


def install(extra: str) -> str:
    """What is typed to get it."""
    return f"pip install 'sunglade[{extra}]'"


def lacking(error: ModuleNotFoundError) -> Telling | None:
    """The sentence for a library that is not there; None for one that should be."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return saying("terminal.command.extra", library=library, command=install(EXTRAS[library]))
