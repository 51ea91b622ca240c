"""The language in which this process speaks to the person in front of it: English, unless the command line chose.

>>> tell("count.points", count=3)
'3 points'

Everything people read in the terminal is told by it. In a language that is read from right to left, what is put into
a sentence is isolated, so that `+5 → 17` stays in its order; `terminal/right_to_left.py` lays the lines out.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sunglade.errors import BadRequest
from sunglade.words import ENGLISH, Catalogue, catalogue, codes, known_code, preferred

if TYPE_CHECKING:
    from sunglade.words.keys import Key

LEFT_TO_RIGHT: Final = "\N{LEFT-TO-RIGHT ISOLATE}"
END: Final = "\N{POP DIRECTIONAL ISOLATE}"
"""Unicode's marks around what keeps its own order inside a sentence of the other direction."""
FENCE: Final = "\N{LEFT-TO-RIGHT MARK}"
"""An unseen border: what stands on its two sides is never put in order together."""
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which language a person reads; the first that is set decides."""

_chosen: Catalogue | None = None


def speak(language: str) -> None:
    """Speak this language from now on."""
    global _chosen
    _chosen = catalogue(language)


def spoken() -> Catalogue:
    """The words of the language that is spoken."""
    return _chosen or catalogue(ENGLISH)


def tell(key: Key, /, **arguments: object) -> str:
    """A message in that language, its placeholders filled in; `count` decides the plural."""
    words = spoken()
    filled = {name: value if isinstance(value, int) else str(value) for name, value in arguments.items()}
    if words.right_to_left:
        filled = {name: isolated(value) if isinstance(value, str) else value for name, value in filled.items()}
    return words.tell(key, **filled)


def isolated(text: str) -> str:
    """What keeps its order in a sentence from right to left; a bare number or what has that direction needs nothing."""
    if not spoken().right_to_left or not text or text.isdigit() or is_right_to_left(text):
        return text
    return f"{LEFT_TO_RIGHT}{text}{END}"


def from_left_to_right(text: str) -> str:
    """What is written from left to right although there are letters of the other direction in it."""
    return f"{LEFT_TO_RIGHT}{text}{END}" if spoken().right_to_left else text


def fence() -> str:
    """An unseen border between two spaces of a board, where a language needs one."""
    return FENCE if spoken().right_to_left else ""


def gain(amount: str) -> str:
    """An amount that is gained, `+5 light`: the sign stays before the number."""
    number = re.match(r"\d*", amount)
    assert number is not None
    return isolated(f"+{number[0]}") + amount[number.end() :]


def without_subject(sentence: str, name: str) -> str:
    """A sentence that begins with a name, without it: to go on where the name was just said."""
    for subject in (name, isolated(name)):
        if sentence.startswith(subject):
            return sentence.removeprefix(subject).lstrip(" \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}:–")
    return sentence


def is_right_to_left(text: str) -> bool:
    """Whether there are letters in it that are read from right to left."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def choose(named: str | None, configured: str = "", environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak: the one that was named, else the one in the settings, else the system's, else English."""
    return checked(named) if named else configured or preferred([_of_the_system(environment)])


def checked(named: str) -> str:
    """The code of a language; BadRequest with those there are where there are no words in it."""
    code = known_code(named)
    if code is None:
        there_are = ", ".join(f"{code} ({catalogue(code).name})" for code in codes())
        raise BadRequest(tell("terminal.language.unknown", language=f"{named!r:.40}", languages=there_are))
    return code


def _of_the_system(environment: Mapping[str, str]) -> str:
    set_there = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    if set_there or environment is not os.environ:
        return set_there
    return _asked_of_windows() or _asked_of_macos()


def _asked_of_windows() -> str:
    """The language of its windows."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""


def _asked_of_macos() -> str:
    """The person's language, where the shell was told none."""
    if sys.platform == "darwin":
        import subprocess

        asking = ["defaults", "read", "-g", "AppleLocale"]
        try:
            return subprocess.run(asking, capture_output=True, text=True, timeout=5, check=False).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            return ""
    return ""


def can_be_shown(language: str, encoding: str) -> bool:
    """Whether an encoding has all letters of a language; English is written with those of ASCII."""
    words = catalogue(language).words.values()
    texts = (text for message in words for text in ([message] if isinstance(message, str) else message.values()))
    letters = "".join({letter for text in texts for letter in text if letter.isalpha()})
    try:
        letters.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return language == ENGLISH
    return True
