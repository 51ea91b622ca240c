"""Players that are programs: a tiny interface and a registry of short names.

A bot is one small class with one method: position and time in, action line out. A new one is a file in this folder
and a line in `_HOMES`.

>>> from sunglade import Game
>>> make("random", seed=1).act(Game(players=2), ms=100) in Game(players=2).legal
True
"""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from sunglade.bots.bot import Analyst, Bot, BotFailed, Choosy, Closable, Foreteller, Line, Noting, Thought
from sunglade.errors import BadRequest
from sunglade.rules import Rules
from sunglade.suggest import did_you_mean
from sunglade.words import saying

__all__ = [
    "LEVELS", "NETWORKED", "Analyst", "Bot", "BotFailed", "Choosy", "Closable", "Foreteller", "Line", "Noting",
    "Thought", "check", "find_program", "is_named", "make", "names", "note_of", "split",
]  # fmt: skip

LEVELS: Final = ("seedling", "sapling", "birch", "maple", "oak", "sequoia", "elder")
"""Opponents for people, weakest first."""
NETWORKED: Final = ("neural", "elder")
"""Bots that think with the network, where it is there."""

_HOMES: Final = {
    "random": ("random", "Random"),
    "greedy": ("greedy", "Greedy"),
    "search": ("search", "SearchBot"),
    "neural": ("neural", "NeuralBot"),
    **{level: ("levels", level) for level in LEVELS},
}
"""Short name → file and maker. A bot is imported when it is first made, so that heavy ones cost nothing before."""

MAX_MS: Final = 24 * 3600 * 1000
MAX_NODES: Final = 10**9
LONGEST_NOTE: Final = 200
Maker = Callable[..., Bot]


def names() -> list[str]:
    """The short names of all bots, simplest first."""
    return list(_HOMES)


def make(name: str, *, seed: int = 0) -> Bot:
    """A new bot by its name, with settings where there are any: `search:threads=2`, `search:ms=50`.

    The same seed makes it choose the same way again. `ms` is the time it takes for a turn at most, `nodes` the
    simulations for an action; other settings are the bot's own.
    """
    from sunglade.bots.limits import Limited, LimitedAnalyst

    known, options = split(name)
    ms, nodes = options.pop("ms", None), options.pop("nodes", None)
    bot = _maker(known)(seed, **options)
    if ms is None and nodes is None:
        return bot
    if isinstance(bot, Analyst):
        return LimitedAnalyst(bot, ms, nodes)
    if nodes is not None:
        raise BadRequest(saying("terminal.bots.no_search", bot=known))
    return Limited(bot, ms)


def split(name: str) -> tuple[str, dict[str, Any]]:
    """A name and its settings, checked: `search:ms=50,threads=2`."""
    known, colon, told = name.partition(":")
    if known not in _HOMES:
        raise BadRequest(saying("terminal.bots.unknown", bot=f"{known!r:.60}", bots=", ".join(_HOMES)))
    kinds = {"ms": "int", "nodes": "int", **_own_settings(known)} if colon else {}
    options: dict[str, Any] = {}
    for setting in told.split(",") if colon else ():
        key, equals, text = setting.partition("=")
        if not equals and "weights" in kinds:  # neural:2026-11
            key, equals, text = "weights", "=", setting
        if not equals or key not in kinds:
            right = {"name": known, "settings": ", ".join(kinds)}
            raise BadRequest(saying("terminal.bots.settings", bot=f"{name!r:.60}", **right))
        options[key] = _value(name, key, text, kinds[key])
    return known, options


def is_named(text: str) -> bool:
    """Whether this is the name of a bot, with settings or without; otherwise it may be the command of a program."""
    return text.partition(":")[0] in _HOMES


def find_program(command: str) -> None:
    """Refuse the command of a program that is not there."""
    from sunglade.bots.program import words_of

    first = words_of(command)[0]
    if shutil.which(first) is None:
        unknown = saying("terminal.bots.program", bot=f"{first!r:.60}", bots=", ".join(_HOMES))
        raise BadRequest(lambda tell: unknown(tell) + did_you_mean(first, _HOMES))


def check(bot: Bot, name: str, players: int, rules: Rules) -> None:
    """Refuse a game that a bot cannot play."""
    reason = bot.refuses(players, rules) if isinstance(bot, Choosy) else None
    if reason is not None:
        raise BadRequest(saying("terminal.bots.cannot", bot=name, reason=reason))


def note_of(bot: Bot) -> str | None:
    """What a bot has to tell people, in one line that does nothing to a terminal."""
    note = bot.note if isinstance(bot, Noting) else None
    return "".join(letter for letter in note if letter.isprintable())[:LONGEST_NOTE] if note else None


def _maker(name: str) -> Maker:
    file, kind = _HOMES[name]
    maker: Maker = getattr(import_module(f"{__name__}.{file}"), kind)
    return maker


def _own_settings(name: str) -> dict[str, str]:
    """The settings a bot's maker takes by name, and what each is: those that can be written in a word."""
    found = inspect.signature(_maker(name)).parameters.values()
    kinds = {p.name: str(p.annotation).removesuffix(" | None") for p in found if p.kind is p.KEYWORD_ONLY}
    return {setting: kind for setting, kind in kinds.items() if kind in _READ}


_READ: Final[dict[str, Callable[[str], Any]]] = {"int": int, "float": float, "str": str}
_MOST: Final = {"ms": MAX_MS, "nodes": MAX_NODES}


def _value(name: str, key: str, text: str, kind: str) -> Any:
    """A setting's value from its text."""
    try:
        value = _READ[kind](text)
    except ValueError:
        wrong = {"bot": f"{name!r:.60}", "setting": key, "value": f"{text!r:.60}"}
        raise BadRequest(saying("terminal.bots.number", **wrong)) from None
    if key in _MOST and not 1 <= value <= _MOST[key]:
        wrong = {"bot": f"{name!r:.60}", "setting": key, "value": f"{text!r:.60}"}
        raise BadRequest(saying("terminal.bots.range", most=_MOST[key], **wrong))
    return value
