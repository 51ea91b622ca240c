"""What a person wants every time: a small TOML file with name, language, bot and the like (`sunglade config`)."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import platformdirs

from sunglade import system_errors
from sunglade.errors import BadRequest
from sunglade.options import must_be
from sunglade.suggest import did_you_mean
from sunglade.words import key, saying, speech

COLOURS: Final = ("auto", "never")
BIDI: Final = ("auto", "terminal", "here")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of a person; what is empty was not set."""

    name: str = ""
    language: str = ""
    bot: str = ""
    edition: str = ""
    colour: str = ""
    bidi: str = ""


USUAL: Final = Configuration(name="", language="en", bot="maple", edition="us", colour="auto", bidi="auto")


def file() -> Path:
    """Where the settings stand; the variable SUNGLADE_CONFIG names another file."""
    named = os.environ.get("SUNGLADE_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("sunglade", appauthor=False)) / "config.toml"


def load() -> Configuration:
    """The settings, checked; nothing is set where there is no file."""
    found = _read()
    for setting, value in found.items():
        _check(setting, value)
    return Configuration(**found)


def language() -> str:
    """The language that is set, checked."""
    return _checked_language(_set_alone("language"))


def bidi() -> str:
    """Who lays out lines that are read from right to left, as far as that is set."""
    return _set_alone("bidi")


def _set_alone(key: str) -> str:
    """One setting; whatever else is wrong in the file is told by those who need it."""
    try:
        found = _read().get(key)
    except BadRequest:
        return ""
    return found if isinstance(found, str) else ""


def _checked_language(value: str) -> str:
    try:
        return speech.checked(value) if value else ""
    except BadRequest as error:
        raise error.within(str(file())) from None


def _read() -> dict[str, Any]:
    try:
        return tomllib.loads(file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadRequest(
            speech.tell("terminal.file.unread", file=file(), reason=system_errors.reason(error, speech.tell))
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(speech.tell("terminal.config.toml", detail=error)) from None


def _check(setting: str, value: Any) -> None:
    from sunglade import bots
    from sunglade.rules import EDITIONS

    known = [field.name for field in fields(Configuration)]
    if setting not in known:
        unknown = speech.tell("terminal.config.unknown", setting=f"{setting!r:.40}", settings=", ".join(known))
        raise _wrong(unknown + did_you_mean(setting, known))
    if not isinstance(value, str):
        raise _wrong(speech.tell("terminal.config.text", setting=setting, example=f'{setting} = "{_example(setting)}"'))
    right_words = {"edition": list(EDITIONS), "colour": list(COLOURS), "bidi": list(BIDI), "bot": bots.names()}.get(
        setting
    )
    if right_words is not None and value not in right_words and not (setting == "bot" and bots.is_named(value)):
        wanted = saying("terminal.rules.one_of", words=", ".join(right_words))
        raise _wrong(must_be(setting, wanted, value)(speech.tell) + did_you_mean(value, right_words))
    if setting == "language":
        _checked_language(value)


def _wrong(sentence: str) -> BadRequest:
    """What is wrong in the file, with its name."""
    return BadRequest(sentence).within(str(file()))


def _example(setting: str) -> str:
    return getattr(USUAL, setting) or "Ada"


def shown() -> str:
    """The settings as the file has them, those that are not set as comments: the text can be copied into it."""
    own = load()
    absent = "" if file().exists() else f" ({speech.tell('terminal.config.absent')})"
    lines = [speech.from_left_to_right(f"# {file()}{absent}")]
    for field in fields(Configuration):
        value = getattr(own, field.name)
        usual = f"{'' if value else '# '}{field.name} = {_quoted(value or _example(field.name))}"
        lines.append(f"{usual:28} # {speech.tell(key(f'terminal.config.{field.name}'))}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """As TOML has it, which is as JSON has it, but for one more sign that must not stand there bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
