"""What we read of ICU's message format: placeholders, and one plural that is decided by `count`.

>>> compiled("Version {version}")
'Version {version}'
>>> compiled("{count, plural, one {# seat} other {# seats}} open")
{'one': '{count} seat open', 'other': '{count} seats open'}

`web/catalogues.ts` reads the same for the client's build; `tests/words/messages.json` holds both to the same answers.
"""

from __future__ import annotations

import re

CATEGORIES = ("zero", "one", "two", "few", "many", "other")

Message = str | dict[str, str]
"""A text with placeholders, or a text for each plural category."""

_NAME = r"(?a:\w+)"  # of ASCII letters alone, as JavaScript means it
_TEXT = rf"(?:[^{{}}']|\{{{_NAME}\}})*"
_FORM = rf"({_NAME})\s*\{{({_TEXT})\}}\s*"
_PLURAL = re.compile(rf"\{{\s*count\s*,\s*plural\s*,\s*((?:{_FORM})+)\}}")


def compiled(message: str) -> Message:
    """The message, its plural around the whole of it; ValueError where it holds anything else."""
    found = _PLURAL.search(message)
    if found is None:
        return _checked(message)
    before, after = _checked(message[: found.start()]), _checked(message[found.end() :])
    forms = {str(name): before + text.replace("#", "{count}") + after for name, text in re.findall(_FORM, found[1])}
    if unknown := [name for name in forms if name not in CATEGORIES]:
        raise ValueError(f"{unknown[0]!r} is no plural category: {', '.join(CATEGORIES)}")
    if "other" not in forms:
        raise ValueError("a plural needs the form 'other'")
    return forms


def _checked(text: str) -> str:
    if "'" in text:
        raise ValueError("a straight apostrophe has a meaning of its own in this format: write ’")
    if re.fullmatch(_TEXT, text) is None:
        raise ValueError(f"this is neither a placeholder such as {{player}} nor the one plural of a message: {text!r}")
    return text


def placeholders(message: Message) -> set[str]:
    """The names a message is told with."""
    texts = [message] if isinstance(message, str) else [*message.values()]
    counted = set() if isinstance(message, str) else {"count"}
    return counted.union(*(re.findall(rf"\{{({_NAME})\}}", text) for text in texts))
