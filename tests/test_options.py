"""An option has one place: `Rules`. Everything that offers, keeps or shows options goes by it."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import turn
from sunglade import BadRules, Game, Rules, cli, kernel
from sunglade.options import OneOf, Several, Whole
from sunglade.rules import EDITIONS, OPTIONS
from sunglade.server.schema import RulesView
from sunglade.table.agreement import AgreedSeat, Agreement, new_deal
from sunglade.table.view import rules_view
from sunglade.terminal.animal_guide import guide
from sunglade.words import ENGLISH, catalogue


def values_of(name: str) -> list[Any]:
    """Some values of an option, the outermost among them."""
    kind = OPTIONS[name].kind
    if isinstance(kind, OneOf):
        return list(kind.values)
    if isinstance(kind, Whole):
        return [kind.low, kind.high, *([None] if kind.or_none else [])]
    most = kind.most or len(kind.words)
    return [kind.words[: kind.least], kind.words[-most:]]


RULES = st.builds(
    lambda edition, given: Rules(edition, **given),
    st.sampled_from(sorted(EDITIONS)),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(values_of(name)) for name in OPTIONS}),
)
EVERY_VALUE = [(name, value) for name in OPTIONS for value in values_of(name)]


@given(RULES)
def test_rules_come_back_from_all_they_are_kept_in(rules: Rules) -> None:
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert eval(repr(rules), {"Rules": Rules}) == rules
    for again in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert again == rules and hash(again) == hash(rules) and again.to_dict() == rules.to_dict()
    assert Game.from_position(Game(3, rules, seed=1).position()).rules == rules


@given(RULES)
def test_only_what_differs_from_the_edition_is_written(rules: Rules) -> None:
    usual = Rules(rules.edition, shore=rules.shore, revolutions=rules.revolutions)
    written = set(rules.to_dict()) - {"edition", "shore", "revolutions"}
    assert written == {name for name in OPTIONS if getattr(rules, name) != getattr(usual, name)}


def test_rules_cannot_be_changed() -> None:
    for name in ("edition", *OPTIONS, "anything"):
        with pytest.raises(AttributeError):
            setattr(Rules(), name, None)


def test_every_option_says_what_it_means_and_what_it_may_be() -> None:
    for name, option in OPTIONS.items():
        wanted = option.kind.wanted(catalogue(ENGLISH).tell)
        assert option.meaning and wanted, name
        assert all(set(editions.split()) <= set(EDITIONS) for editions in option.elsewhere.values())
        wrong: Any = object()
        with pytest.raises(BadRules, match=f"rules.{name} must be .*{wanted[:10]}"):
            Rules(**{name: wrong})


def test_no_two_options_share_a_bit() -> None:
    bits = [sum({bit for value in option.bits.values() for bit in _single(value)}) for option in OPTIONS.values()]
    assert all(one & other == 0 for one, other in itertools.combinations(bits, 2))


def _single(bits: int) -> list[int]:
    return [1 << place for place in range(bits.bit_length()) if bits >> place & 1]


@given(RULES, RULES)
def test_the_record_tells_rules_apart_that_play_differently(one: Rules, other: Rules) -> None:
    """What the rules of a game are is in its record, but for what an edition is called."""
    written = [name for name, option in OPTIONS.items() if option.bits]
    same = all(getattr(one, name) == getattr(other, name) for name in written)
    assert same == (one.bits == other.bits)
    assert kernel.new_record(one, 2).options == one.bits


@pytest.mark.parametrize(("name", "value"), EVERY_VALUE, ids=lambda part: str(part)[:20])
def test_the_command_line_takes_every_value_of_every_option(name: str, value: Any) -> None:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        words = [flag if value else f"--no-{flag[2:]}"]
    elif isinstance(OPTIONS[name].kind, Several):
        words = [flag, *(value or ["none"])]
    else:
        words = [flag, "none" if value is None else str(value)]
    module = OPTIONS[name].module
    args = cli._parser().parse_args(["play", *words, *(["--modules", module] if module else [])])
    assert getattr(cli._rules(args), name) == value


def test_the_server_shows_every_option() -> None:
    view = rules_view(Rules(), 2)
    assert {*OPTIONS, "given", "edition", "differs"} == set(view) == set(RulesView.model_fields)
    told = RulesView.model_json_schema()["properties"]
    assert told["moon_turns"]["enum"] == ["at_once", "on_arrival"] and told["moon_turns"]["description"]


def test_position_strings_of_older_versions_mean_what_they_meant() -> None:
    text = (
        "sunglade/1 2 us;modules=moon;moon_start=3 turn:1:0:0:0:0 A1.../...../....../......./....../...../...B1 "
        "light=3,0,0,0 available=2,3,1,0,2,3,1,0,0,0,0,0,0,0,0,0 animal=3,4,-1,-1 at=18,19,-1,-1 "
        "babies=two+small+medium+harvest+light+seed dealt=boar+fox,hedgehog+owl"
    )
    game = Game.from_position(text)
    rules = game.rules
    assert (rules.moon_turns, rules.boar_digs, rules.fox_scares, rules.fox_steals) == ("at_once", "own", "any", "lunar")
    assert game.position() == text
    assert ";fox_steals=light " in turn(animals="fox@d4 owl@d5", fox_steals="light").position()


def test_a_table_kept_with_a_cap_that_was_allowed_once_is_still_there() -> None:
    kept = Agreement(2, {"edition": "us"}, 1, new_deal(1, 2), [AgreedSeat("open"), AgreedSeat("open")]).to_dict()
    assert Agreement.from_dict(kept | {"rules": {"light_cap": 1000}}).game().rules.light_cap is None
    assert Agreement.from_dict(kept | {"rules": {"light_cap": 255}}).game().rules.light_cap == 255


def test_the_page_of_readings_has_every_option_that_chooses_one() -> None:
    page = (Path(__file__).parents[1] / "docs" / "readings.md").read_text(encoding="utf-8")
    differing = {name for name, option in OPTIONS.items() if option.elsewhere} | {"rounds"}
    readings = {name for name, option in OPTIONS.items() if option.module and isinstance(option.kind, OneOf)}
    assert len(readings) == 4
    for name in differing | readings:
        assert f"`{name}`" in page, name
    for name in readings:
        assert all(f"`{value}`" in page for value in values_of(name)), name


def test_the_guide_to_the_animals_follows_the_options() -> None:
    usual = guide(turn(animals="fox@d4 boar@d5"))
    other = guide(turn(animals="fox@d4 boar@d5", boar_digs="any", fox_scares="adjacent", fox_steals="light"))
    for words in ("Collects your large tree", "Another animal moves one space", "up to 2 lunar points from"):
        assert words in usual and words not in other
    for words in ("whoever owns it", "An animal next to the fox moves", "up to 2 light points from"):
        assert words in other and words not in usual
