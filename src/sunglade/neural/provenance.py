"""Where weights come from: under which licence, from which sources, by which commands."""

from __future__ import annotations

import json
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

LICENCE: Final = "Apache-2.0"
COMMANDS: Final = "commands.jsonl"
"""A line of a training folder for each time the training was begun or resumed."""


def commit() -> str | None:
    """The commit of these sources, marked where they have been changed since; None where there is no checkout."""
    command = ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
    try:
        told = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()


def note_command(folder: Path, arguments: list[str]) -> None:
    """Remember that the training is begun or resumed."""
    command = shlex.join(["python", "-m", "sunglade.neural.train", *arguments])
    line = {"date": datetime.now(UTC).date().isoformat(), "commit": commit(), "command": command}
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / COMMANDS).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def provenance(folder: Path) -> dict[str, Any]:
    """What a card says of the weights in a training folder: the last piece of training, and the earlier ones."""
    file = folder / COMMANDS
    pieces = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    last = pieces.pop() if pieces else {"commit": None, "command": None}
    return {"licence": LICENCE, "commit": last["commit"], "command": last["command"], "before": pieces}
