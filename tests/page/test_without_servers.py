"""A page stands by itself: no framework, no database, no NumPy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def tables(*options: str) -> str:
    """What whole tables come to in a process of their own."""
    done = subprocess.run(
        [sys.executable, str(HERE / "without_servers.py"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_whole_tables_are_played_where_nothing_of_servers_can_be_imported() -> None:
    """People and bots, taking back, a rematch, pages left and opened; the games are those of a server."""
    alone = tables()
    assert alone == tables("--everything") and alone.count("\n") == 2
