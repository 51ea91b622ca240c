"""The list of mutants stays true: `make mutants` finds every line that it changes, and every rule has one."""

import ast

import pytest

from mutants import SOURCES, Mutant, all_mutants
from specification import rule_ids, rule_tests


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda mutant: mutant.name)
def test_the_mutant_can_be_planted(mutant: Mutant) -> None:
    source = (SOURCES / mutant.file).read_text(encoding="utf-8")
    planted = mutant.planted(source)
    assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(source))
    assert mutant.rule in rule_tests()


def test_there_are_enough_and_each_has_its_own_name() -> None:
    names = [mutant.name for mutant in all_mutants()]
    assert len(names) == len(set(names)) >= 100


@pytest.mark.parametrize("rule", rule_ids())
def test_every_rule_has_a_mutant(rule: str) -> None:
    assert rule in {mutant.rule for mutant in all_mutants()}
