"""docs/bots.md says what is true: its commands are ones, its levels are all there."""

import json
import re
import shlex
from pathlib import Path

from sunglade import bots
from sunglade.bots import levels
from sunglade.cli import _parser

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_commands_on_the_page_are_understood() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sunglade ")]
    assert len(commands) >= 6
    for command in commands:
        _parser().parse_args(shlex.split(command)[1:])


def test_objects_on_the_page_are_json() -> None:
    for block in blocks("json"):
        assert json.loads(block)["cmd"] == "act"


def test_every_level_is_told_with_what_it_overlooks() -> None:
    for level in bots.LEVELS:
        row = re.search(rf"^\| `{level}` \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
        assert row and row[1] and row[2]
    assert f"searches, {levels.OAK_NODES[2]:,} simulations" in PAGE
    assert f"searches, {levels.SEQUOIA_NODES[2]:,} simulations" in PAGE
