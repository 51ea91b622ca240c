"""What a person wants every time: a small TOML file with name, language, bot and the like (`sunglade config`)."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import platformdirs

from sunglade.errors import BadRequest
from sunglade.suggest import did_you_mean
from sunglade.words import speech

COLOURS: Final = ("auto", "never")
MEANINGS: Final = {
    "name": "your name at the table",
    "language": "what is spoken; else the system's",
    "bot": "who plays against you",
    "edition": "whose rules are played",
    "colour": '"auto" or "never"',
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of a person; what is empty was not set."""

    name: str = ""
    language: str = ""
    bot: str = ""
    edition: str = ""
    colour: str = ""


USUAL: Final = Configuration(name="", language="en", bot="maple", edition="us", colour="auto")


def file() -> Path:
    """Where the settings stand; the variable SUNGLADE_CONFIG names another file."""
    named = os.environ.get("SUNGLADE_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("sunglade", appauthor=False)) / "config.toml"


def load() -> Configuration:
    """The settings, checked; nothing is set where there is no file."""
    found = _read()
    for key, value in found.items():
        _check(key, value)
    return Configuration(**found)


def language() -> str:
    """The language that is set; whatever else is wrong in the file is told by those who need it."""
    try:
        found = _read().get("language")
    except BadRequest:
        return ""
    return _checked_language(found) if isinstance(found, str) else ""


def _checked_language(value: str) -> str:
    try:
        return speech.checked(value)
    except BadRequest as error:
        raise BadRequest(f"{file()}: {error.message}") from None


def _read() -> dict[str, Any]:
    try:
        return tomllib.loads(file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadRequest(f"cannot read {file()}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{file()}: not TOML: {error}.") from None


def _check(key: str, value: Any) -> None:
    from sunglade import bots
    from sunglade.rules import EDITIONS

    known = [field.name for field in fields(Configuration)]
    if key not in known:
        right = f"the settings are {', '.join(known)}"
        raise BadRequest(f"{file()}: there is no setting {key!r:.40}; {right}.{did_you_mean(key, known)}")
    if not isinstance(value, str):
        raise BadRequest(f'{file()}: {key} must be text in quotes, such as {key} = "{_example(key)}".')
    right_words = {"edition": list(EDITIONS), "colour": list(COLOURS)}.get(key)
    if right_words is not None and value not in right_words:
        near = did_you_mean(value, right_words)
        raise BadRequest(f"{file()}: {key} must be one of {', '.join(right_words)}, not {value!r:.40}.{near}")
    if key == "language":
        _checked_language(value)
    if key == "bot" and not bots.is_named(value):
        near = did_you_mean(value, bots.names())
        raise BadRequest(f"{file()}: bot must be one of {', '.join(bots.names())}, not {value!r:.40}.{near}")


def _example(key: str) -> str:
    return getattr(USUAL, key) or "Ada"


def shown() -> str:
    """The settings as the file has them, those that are not set as comments: the text can be copied into it."""
    own = load()
    lines = [f"# {file()}{'' if file().exists() else ' (not there yet)'}"]
    for field in fields(Configuration):
        value = getattr(own, field.name)
        usual = f"{'' if value else '# '}{field.name} = {_quoted(value or _example(field.name))}"
        lines.append(f"{usual:28} # {MEANINGS[field.name]}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """As TOML has it, which is as JSON has it, but for one more sign that must not stand there bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
