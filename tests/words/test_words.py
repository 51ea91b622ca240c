"""One catalogue for Python and the client: what a reader of any language may rely on, here and there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sunglade import words
from sunglade.words import ENGLISH, Catalogue, catalogue, is_key, key, key_types, languages, preferred, read
from sunglade.words.key_types import PYTHON, TYPESCRIPT, python_source, typescript_source
from sunglade.words.messages import compiled, placeholders
from sunglade.words.plurals import category
from web.stage import hatch_build

CASES = json.loads((Path(__file__).parent / "messages.json").read_text(encoding="utf-8"))
ELSEWHERE = ("ar", "cs", "cy", "ga", "hi", "is", "ja", "lt", "lv", "nl", "pl", "pt", "sl", "sr", "tr", "uk", "zh")
"""Languages that count in other ways than ours."""


@pytest.mark.parametrize(("message", "expected"), CASES["read"])
def test_messages_are_read_as_the_client_reads_them(message: str, expected: object) -> None:
    assert compiled(message) == expected


@pytest.mark.parametrize("message", CASES["refused"])
def test_a_message_in_another_format_is_refused_by_file_and_key(message: str) -> None:
    with pytest.raises(ValueError, match=r"^xx\.arb, app\.name: "):
        read("xx", json.dumps({"app.name": message}))


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_message_with_the_same_placeholders(language: str) -> None:
    here, english = catalogue(language).words, catalogue(ENGLISH).words
    assert list(here) == list(english)
    assert [
        one for one in english if placeholders(here[one]) - {"count"} != placeholders(english[one]) - {"count"}
    ] == []
    assert {"ltr": False, "rtl": True}[str(here["language.direction"])] == catalogue(language).right_to_left


@pytest.mark.parametrize("language", languages())
def test_no_key_stands_twice_in_a_file(language: str) -> None:
    """JSON's readers would keep the last one and say nothing."""
    file = Path(words.__file__).parent / f"{language}.arb"
    keys = [name for name, _ in json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list)]
    assert [name for name in keys if keys.count(name) > 1] == []


@pytest.mark.parametrize("language", languages())
def test_every_message_can_be_told(language: str) -> None:
    spoken = catalogue(language)
    for name, message in spoken.words.items():
        for count in (0, 1, 2, 5, 21, 100):
            given: dict[str, str | int] = {one: f"<{one}>" for one in placeholders(message)} | {"count": count}
            assert "{" not in spoken.tell(key(name), **given)


def test_counts_take_the_plural_that_browsers_give_them() -> None:
    codes = [*languages(), *ELSEWHERE]
    script = f"""
        const counts = [...Array(1001).keys()];
        const told = Object.fromEntries({json.dumps(codes)}.map((code) => {{
          const rules = new Intl.PluralRules(code);
          return [code, counts.map((count) => rules.select(count))];
        }}));
        console.log(JSON.stringify(told));"""
    node = hatch_build.node()
    assert node is not None
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert {code: [category(code, count) for count in range(1001)] for code in codes} == told


def test_a_language_lends_what_it_lacks_from_english() -> None:
    lacking = Catalogue("xx", {"language.name": "X", "language.direction": "ltr"})
    assert lacking.tell("app.version", version="1") == "Version 1"


def test_a_forgotten_argument_is_an_error_and_not_a_hole_in_the_sentence() -> None:
    with pytest.raises(KeyError, match="version"):
        catalogue("de").tell("app.version")


def test_keys_made_of_parts_are_checked() -> None:
    assert key("piece." + "seed") == "piece.seed" and is_key("piece.seed")
    with pytest.raises(KeyError, match=r"piece\.bush"):
        key("piece.bush")


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("de", "de"), ("de-AT", "de"), ("he_IL.UTF-8", "he"), ("iw", "he"), ("C", "en"), ("ru_RU@x", "ru"), ("xx", "en")],
)
def test_the_language_of_a_system_is_understood(wanted: str, language: str) -> None:
    assert preferred([wanted]) == language
    assert preferred(["xx", wanted, "fr"]) == ("fr" if language == "en" else language)


def test_an_unknown_language_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"'xx'; there are de, en, es"):
        catalogue("xx")


def test_types_of_the_keys_are_those_of_the_catalogue() -> None:
    assert PYTHON.read_text(encoding="utf-8") == python_source(), "`make web` writes src/sunglade/words/keys.py anew"
    assert TYPESCRIPT.read_text(encoding="utf-8") == typescript_source(), "`make web` writes web/src/words/keys.ts anew"


def test_words_need_nothing_but_python() -> None:
    script = (
        "import sys; from sunglade.words import catalogue; catalogue('ru').tell('app.name');"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'numpy', 'numba', 'rich', 'platformdirs'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_types_of_the_keys_are_not_written_for_a_client_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_types, "TYPESCRIPT", tmp_path / "web" / "keys.ts")
    assert key_types.main() == 0
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "web").mkdir()
    key_types.main()
    assert (tmp_path / "web" / "keys.ts").read_text(encoding="utf-8") == typescript_source()
