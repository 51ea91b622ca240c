"""The rule ids of docs/rules.md, and which tests name them in their docstrings."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules.md"

RULE = re.compile(r"[RM]-[A-Z]+-\d+(?:-[A-Z]+)?")
CITATION = re.compile(r"\b[RM]-[A-Z]+(?:-\d+(?:-[A-Z]+)?)?\b")
HEADING = re.compile(r"^#+ .*: ([RM]-[A-Z]+)$", re.MULTILINE)
DEFINITION = re.compile(r"^(?:- |\| )\*\*(" + RULE.pattern + r")\*\* ", re.MULTILINE)


@cache
def sections() -> list[str]:
    """R-BOARD, R-SETUP, …"""
    return HEADING.findall(RULES.read_text(encoding="utf-8"))


@cache
def rule_ids() -> list[str]:
    """Every id that docs/rules.md defines, in its order."""
    return DEFINITION.findall(RULES.read_text(encoding="utf-8"))


def tests_in(file: Path) -> Iterator[tuple[str, set[str]]]:
    """Each test function of a file, and the ids its docstring names."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, set(RULE.findall(ast.get_docstring(node) or ""))


@cache
def rule_tests() -> dict[str, list[str]]:
    """The tests that name each id, as pytest calls them: `tests/rules/test_light.py::test_…`."""
    naming: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests" / "rules").glob("test_*.py")):
        for name, ids in tests_in(file):
            for rule in ids:
                naming.setdefault(rule, []).append(f"{file.relative_to(ROOT).as_posix()}::{name}")
    return naming
