"""Which language the terminal speaks: the one that was named, the one in the settings, the system's, English."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from at_the_terminal import refused
from sunglade import configuration
from sunglade.cli import main
from sunglade.words import codes, speech

pytestmark = pytest.mark.usefixtures("own_data_folder")


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Spoken:
    return Spoken(monkeypatch)


class Spoken:
    """What a command line speaks, with these settings on this system."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, settings: str = "", **system: str) -> str:
        for name in speech.VARIABLES:
            self._monkeypatch.delenv(name, raising=False)
        for name, value in system.items():
            self._monkeypatch.setenv(name, value)
        configuration.file().write_text(settings)
        assert main([*words, "config"]) == 0
        return speech.spoken().language


def test_a_named_language_goes_before_the_settings_and_these_before_the_system(spoken: Spoken) -> None:
    german = 'language = "de"'
    assert spoken("--language", "fr", settings=german, LANG="ru_RU.UTF-8") == "fr"
    assert spoken("--language=he", settings=german, LANG="ru_RU.UTF-8") == "he"
    assert spoken(settings=german, LANG="ru_RU.UTF-8") == "de"
    assert spoken(LANG="ru_RU.UTF-8") == "ru"
    assert spoken() == "en"


def test_the_first_variable_that_is_set_decides(spoken: Spoken) -> None:
    assert spoken(LC_ALL="it_IT", LC_MESSAGES="es_ES", LANG="ro_RO") == "it"
    assert spoken(LC_ALL="", LC_MESSAGES="es_ES", LANG="ro_RO") == "es"
    assert spoken(LC_ALL="C", LANG="ro_RO") == "en"
    assert spoken(LANG="tlh_KL") == "en"


@pytest.mark.parametrize("place", [("--language", "xx", "play"), ("play", "--language", "xx")])
def test_an_unknown_language_is_refused_with_those_there_are(
    place: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, *place)
    assert "'xx'" in said and all(code in said for code in codes()) and "Deutsch" in said


def test_an_unknown_language_in_the_settings_names_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    configuration.file().write_text('language = "xx"')
    assert refused(capsys, "editions").startswith(f"sunglade: {configuration.file()}: ")


def test_the_engine_speaks_english_to_programs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sunglade", "engine", "--language", "de"]
    done = subprocess.run(command, input="{}\n", capture_output=True, text=True, check=True)
    assert "cmd must be" in done.stdout


@pytest.mark.parametrize(("language", "encoding"), [("ru", "ascii"), ("he", "latin-1"), ("ro", "latin-1")])
def test_where_letters_cannot_be_shown_english_is_spoken_and_that_is_said(language: str, encoding: str) -> None:
    command = [sys.executable, "-X", "utf8=0", "-m", "sunglade", "editions", "--language", language]
    environment = {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(Path(speech.__file__).parents[2]), "COLUMNS": "80"}
    done = subprocess.run(command, capture_output=True, text=True, encoding=encoding, env=environment, check=True)
    assert "lacks letters" in done.stderr and done.stderr.count("\n") == 1
    assert "Editions:" in done.stdout


def test_what_is_put_into_a_hebrew_sentence_keeps_its_order() -> None:
    speech.speak("he")
    assert speech.tell("hint.chance", percent="+5 → 17").endswith(f"{speech.LEFT_TO_RIGHT}+5 → 17{speech.END}")
    assert speech.tell("count.points", count=3) == "3 נקודות"
