"""Libraries that only some commands need: in which extra of the package they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def naming_the_extra(what: str) -> Iterator[None]:
    """Around imports: a library that is not there is told together with the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in EXTRAS:
            raise
        sentence = f"{what} needs {library}, which is not installed; {install(EXTRAS[library])} brings it."
        raise ModuleNotFoundError(sentence, name=error.name) from None
