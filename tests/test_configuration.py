"""The file of settings: whatever stands in it is shown so that it can be copied there."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglade import configuration
from sunglade.configuration import Configuration


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_every_name_is_shown_as_toml(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(configuration, "load", lambda: Configuration(name=name))
        assert tomllib.loads(configuration.shown()) == {"name": name}


@pytest.mark.parametrize("name", ["two\nlines", "\x00\x1f\x7f\x85", 'a \\ and "quotes"', "été 🌳"])
def test_signs_that_toml_does_not_take_bare_are_shown_as_toml(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "load", lambda: Configuration(name=name))
    assert tomllib.loads(configuration.shown()) == {"name": name}
