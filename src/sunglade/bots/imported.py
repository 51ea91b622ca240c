"""Bots that are Python objects of your own: `my_module:Bot`, `folder/my_file.py:Bot`, with settings `…:Bot:depth=3`.

A class is made for each game, with the game's seed if it takes one. Anything else is used as it is. What has `act` is a
bot; a function of observations (1, 2832) and masks (1, actions) that gives an action for each, such as a network of
PyTorch, is a policy. Only commands that people give on their own machine import anything: no server and no engine does.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from sunglade import bots, encode
from sunglade.bots.bot import Bot, BotFailed
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.notation import ACTION_NAMES

_REFERENCE: Final = re.compile(r"(?P<home>[\w./\\-]+):(?P<name>[A-Za-z_]\w*)(?::(?P<settings>.+))?")


def is_reference(text: str) -> bool:
    """Whether this names an object in a module or file, and not a registered bot."""
    return not bots.is_named(text) and _REFERENCE.fullmatch(text) is not None


def check_reference(text: str) -> None:
    """Refuse a module or file that is not there, without running it."""
    home = _parts(text)["home"]
    _look_here()
    try:
        there = Path(home).is_file() if home.endswith(".py") else importlib.util.find_spec(home) is not None
    except (ImportError, ValueError):
        there = False
    if not there:
        raise BadRequest(f"there is no module or file {home!r:.60} to take a bot from.")


def make_imported(text: str, *, seed: int = 0) -> Bot:
    """The bot that a reference names, ready for a game."""
    parts = _parts(text)
    found = _object(parts["home"], parts["name"])
    options = _settings(text, parts["settings"])
    if inspect.isclass(found):
        found = found(**({"seed": seed} if _takes(found, "seed") else {}), **options)
    elif options:
        raise BadRequest(f"{parts['name']} is not a class: it takes no settings.")
    if callable(getattr(found, "act", None)):
        bot: Bot = found
        return bot
    if callable(found):
        return PolicyBot(found)
    raise BadRequest(f"{text!r:.60} has no method `act`, and cannot be called with observations and masks.")


class PolicyBot:
    """A function of observations and masks as a bot."""

    def __init__(self, policy: Callable[[Any, Any], Any]) -> None:
        self._policy = policy

    def act(self, game: Game, ms: int) -> str:
        """What it gives for this position."""
        import numpy as np

        seen, mask = encode.Observation(), np.zeros((1, encode.ACTIONS), np.int8)
        encode.observe(game.now, 0, seen)
        mask[0, game.legal_numbers] = 1
        action = np.asarray(self._policy(seen.array().view(np.uint8)[None], mask)).reshape(-1)
        if len(action) != 1 or not 0 <= int(action[0]) < encode.ACTIONS:
            raise BotFailed(f"answered {action!r:.60} instead of one action's number.")
        return ACTION_NAMES[int(action[0])]


def _parts(text: str) -> dict[str, str]:
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise BadRequest(f"{text!r:.60} is not `module:name`, nor `file.py:name`.")
    return found.groupdict(default="")


@cache
def _object(home: str, name: str) -> Any:
    """What a module or file calls by this name; each is run once in a process."""
    _look_here()
    module = _run_file(Path(home)) if home.endswith(".py") else importlib.import_module(home)
    try:
        return getattr(module, name)
    except AttributeError:
        raise BadRequest(f"{home} has nothing that is called {name}.") from None


def _run_file(file: Path) -> Any:
    """A file as a module of its own; what lies beside it can be imported by it."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None  # its name ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def _look_here() -> None:
    """Modules of the current folder can be named, as with `python -m`."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))


def _takes(maker: Callable[..., Any], name: str) -> bool:
    """Whether something can be called with an argument of this name."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except ValueError:
        return False
    return any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)


def _settings(text: str, told: str) -> dict[str, Any]:
    """`depth=3,file=weights.pt`: numbers as such, all else as text."""
    options: dict[str, Any] = {}
    for setting in told.split(",") if told else ():
        key, equals, value = setting.partition("=")
        if not equals or not key.isidentifier():
            raise BadRequest(f"{text!r:.60}: settings are written as name=value, with commas between them.")
        options[key] = _number_or_text(value)
    return options


def _number_or_text(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
