"""Every numbered rule of the specification is named by the docstring of a test that proves it."""

import ast
import re
from pathlib import Path

import pytest

COUNTS = {
    "R-BOARD": 4,
    "R-SETUP": 6,
    "R-ROUND": 5,
    "R-LIGHT": 4,
    "R-ACT": 6,
    "R-END": 2,
    "R-ADV": 2,
    "R-ED": 2,
    "M-SETUP": 7,
    "M-MOON": 6,
    "M-ANIMAL": 4,
    "M-ELDER": 3,
    "M-STONE": 3,
}
IDS = [f"{section}-{number}" for section, count in COUNTS.items() for number in range(1, count + 1)]


def named() -> set[str]:
    """The ids in the docstrings of test functions."""
    found = set()
    for file in (Path(__file__).parent / "rules").glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= set(re.findall(r"\b[RM]-[A-Z]+-\d+\b", ast.get_docstring(node) or ""))
    return found


@pytest.mark.parametrize("rule", IDS)
def test_rule_is_named_by_a_test(rule: str) -> None:
    assert rule in named()


def test_tests_name_no_rule_that_is_not_there() -> None:
    assert named() <= set(IDS)
