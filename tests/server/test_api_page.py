"""docs/api.md is what foreign programs are written from: its games run as they are printed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.process import SRC, Server

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


def block(language: str) -> str:
    """The first piece of code in a language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def run(server: Server, *command: str, text: str) -> str:
    """What a program of the page prints, told of this server instead of the usual one."""
    assert "http://localhost:8740" in text
    program = text.replace("http://localhost:8740", server.url)
    done = subprocess.run(
        [*command, program],
        capture_output=True,
        text=True,
        timeout=300,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "PYTHONPATH": SRC},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="curl and jq are not on this machine")
def test_the_game_in_curl(server: Server) -> None:
    printed = run(server, "bash", "-euo", "pipefail", "-c", text=block("bash"))
    result, end = json.JSONDecoder().raw_decode(printed)
    game = json.loads(printed[end:])
    assert result["winners"] and game["actions"][-1] == "end"
    assert game["names"][0] == "Ada" and game["names"][1].endswith(" (greedy)")


def test_the_game_in_python(server: Server) -> None:
    assert "'winners'" in run(server, sys.executable, "-c", text=block("python"))
