"""docs/rules.md is what code and tests cite: every id there has a test, and every id cited is there."""

import re

import pytest

from specification import CITATION, ROOT, rule_ids, rule_tests, sections

CITING = [
    *sorted(path for folder in ("src", "tests", "bench", "examples") for path in (ROOT / folder).rglob("*.py")),
    *sorted(path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in {".ts", ".svelte"}),
    *sorted([*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]),
]


def test_every_section_numbers_its_rules_from_1() -> None:
    numbered = [rule for rule in rule_ids() if re.fullmatch(r"\D+-\d+", rule)]
    counts = {section: sum(rule.startswith(f"{section}-") for rule in numbered) for section in sections()}
    assert numbered == [f"{section}-{number}" for section, count in counts.items() for number in range(1, count + 1)]
    assert all(counts.values())


def test_no_rule_is_there_twice() -> None:
    assert len(rule_ids()) == len(set(rule_ids()))


@pytest.mark.parametrize("rule", rule_ids())
def test_rule_is_named_by_a_test(rule: str) -> None:
    assert rule in rule_tests()


def test_no_rule_is_cited_that_is_not_there() -> None:
    there = {*rule_ids(), *sections()}
    cited = {file: set(CITATION.findall(file.read_text(encoding="utf-8"))) for file in CITING}
    assert {file.relative_to(ROOT).as_posix(): ids - there for file, ids in cited.items() if ids - there} == {}
