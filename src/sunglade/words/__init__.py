"""What people read, in every language: a file each (`en.arb`). The client's build takes it from here, and Python.

The terminal speaks one of them (`speech.py`).

>>> catalogue("en").tell("app.version", version="1.0")
'Version 1.0'
>>> catalogue("ru").tell("count.points", count=3)
'3 очка'

A file is JSON: keys with messages in ICU's format, as translators' tools know it (ARB). Of that format it uses
placeholders, `{player}`, and one plural, `{count, plural, one {# point} other {# points}}`, by CLDR's categories.
Keys that begin with `terminal.` are for Python alone; all others travel to the client.

- Grammar is never glued together: what would be inflected has a key of its own (`log.buy.seed`). Names of players are
  only ever subjects or follow a colon. `{animal}` is `animal.fox.the` inside a sentence, never at its beginning;
  `animal.fox` is the label. `{piece}` is `piece.large` or `piece.spruce.large`.
- Spaces are called `d4` in every language. No message carries direction marks: to isolate what is put into a
  right-to-left one is the work of whoever shows it.
- Which terms are right is said in docs/glossary.md.

This room needs nothing but Python: it works where NumPy does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Protocol, cast, get_args

from sunglade.words.messages import Message, compiled
from sunglade.words.plurals import category

if TYPE_CHECKING:
    from sunglade.words.keys import Key

ENGLISH: Final = "en"
"""The language that is always there: it lends what another lacks."""

_SUFFIX = ".arb"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Catalogue:
    """The words of one language."""

    def __init__(self, language: str, words: Mapping[str, Message]) -> None:
        """Words that are ready to be told, by their keys."""
        self.language = language
        self.words = words
        self.name = str(words["language.name"])
        self.right_to_left = words["language.direction"] == "rtl"

    def tell(self, key: Key, /, **arguments: str | int) -> str:
        """A message with its placeholders filled in; `count` decides the plural."""
        message = self.words[key] if key in self.words else catalogue(ENGLISH).words[key]
        if not isinstance(message, str):
            count = arguments["count"]
            message = message.get(category(self.language, int(count)), message["other"])
        return _PLACEHOLDER.sub(lambda found: str(arguments[found[1]]), message)


class Tell(Protocol):
    """Who tells a message: `Catalogue.tell` of a language, or whoever shows it in its own way."""

    def __call__(self, key: Key, /, **arguments: str | int) -> str:
        """The message with its placeholders filled in."""
        ...


Telling = Callable[[Tell], str]
"""A sentence that is told later, by somebody who knows the language."""


def saying(key: Key, /, **arguments: str | int) -> Telling:
    """A message that is told later."""
    return lambda tell: tell(key, **arguments)


@cache
def catalogue(language: str) -> Catalogue:
    """The words of a language; KeyError where there is no file of it."""
    if language not in codes():
        raise KeyError(f"no words in {language!r}; there are {', '.join(codes())}")
    text = files(__name__).joinpath(language + _SUFFIX).read_text(encoding="utf-8")
    return Catalogue(language, read(language, text))


def read(language: str, text: str) -> dict[str, Message]:
    """The messages of a file; ValueError where one is not what we read of ICU's format."""
    words = {}
    for key, message in json.loads(text).items():
        if key.startswith("@"):  # about the file or a message, for translators
            continue
        try:
            words[key] = compiled(message)
        except ValueError as problem:
            raise ValueError(f"{language}{_SUFFIX}, {key}: {problem}") from None
    return words


@cache
def codes() -> tuple[str, ...]:
    """The codes of all languages, in the order of the alphabet."""
    found = (file.name for file in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages, by what each calls itself."""
    return tuple(sorted(codes(), key=lambda code: catalogue(code).name))


def is_key(name: str) -> bool:
    """Whether there is such a message."""
    return name in _keys()


@cache
def _keys() -> frozenset[str]:
    from sunglade.words.keys import Key

    return frozenset(get_args(Key))


def key(name: str) -> Key:
    """A key made of parts, such as `f"piece.{size}"`; KeyError where there is no such message."""
    if not is_key(name):
        raise KeyError(f"no message is called {name!r}")
    return cast("Key", name)


def preferred(wanted: Iterable[str]) -> str:
    """The first language of these that we speak, else English: `de`, `pt-BR`, `he_IL.UTF-8`."""
    return next(filter(None, map(known_code, wanted)), ENGLISH)


def known_code(tag: str) -> str | None:
    """The code of the language that a tag names, such as `de_AT.UTF-8`; None where we do not speak it."""
    base = re.split(r"[-_.@]", tag.lower())[0]
    base = {"iw": "he"}.get(base, base)
    return base if base in codes() else None
