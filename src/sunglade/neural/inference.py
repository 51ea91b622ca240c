"""The network at play: compiled code on the CPU, no PyTorch."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from threading import local
from typing import Any, Final

from sunglade.encode import BASE_ACTIONS
from sunglade.errors import BadRequest, SungladeError
from sunglade.kernel.fields import Floats
from sunglade.neural.features import Sight
from sunglade.neural.forward.aligned import FLOAT_BYTES, AlignedFloats
from sunglade.neural.forward.answer import Prospect, answer, foretell, room_for
from sunglade.neural.forward.layout import layout_of
from sunglade.neural.weights_file import SUFFIX, BadWeights, read_weights
from sunglade.search.graph import Answers, Questions
from sunglade.search.helpers import MAX_THREADS, Helpers
from sunglade.words import saying

FOLDER = Path(__file__).parent / "weights"
NEWEST: Final = "whole"
ANCHOR: Final = "2026-11"
"""The first network, which knows the base game only: what later ones are measured against."""
SMALL: Final = "small"
"""Taught by the newest: a third of its size and three times as fast, for pages and phones."""
SHIPPED: Final = (NEWEST, SMALL, ANCHOR)
"""Names of the networks that come with the package; beside each a card, what it was made from and for."""


class NoNetwork(SungladeError):
    """The network cannot be used: missing, damaged, or made for another version."""


class Inference:
    """A network that answers for positions, several threads sharing a batch."""

    def __init__(self, model: bytes, threads: int = 1) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise BadRequest(f"a network has from 1 to {MAX_THREADS} threads, not {threads}.")
        self._threads = threads
        self._model = model
        try:
            self.size, content = read_weights(model)
        except BadWeights as problem:
            raise NoNetwork(
                f"the weights of the neural player are damaged: {problem}; install sunglade again."
            ) from None
        self._layout = layout_of(self.size)
        self._weights = AlignedFloats(len(content) // FLOAT_BYTES, content)
        self._rooms = local()
        self._helpers = Helpers(threads)

    @property
    def plays_modules(self) -> bool:
        """Whether it answers for more than the actions of the base game."""
        return self.size.actions > BASE_ACTIONS

    def answer(self, questions: Questions, waiting: int, answers: Answers) -> None:
        """Answer the first questions: logits of the actions it knows, and the value of each relative seat."""
        together = min(self._threads, waiting)
        if together <= 1:
            self._answer(questions, 0, waiting, answers)
            return
        ends = [waiting * part // together for part in range(together + 1)]
        work = [self._helpers.submit(self._answer, questions, *part, answers) for part in pairwise(ends)]
        for helper in work:
            helper.result()

    def foretell(self, questions: Questions, answers: Answers, prospect: Prospect) -> None:
        """How the game of the first question may end."""
        foretell(questions, self._weights.floats(), self._layout, self._room(), answers, prospect)

    def __deepcopy__(self, memo: object) -> Inference:
        """It keeps nothing of what it was asked: one serves all."""
        return self

    def __reduce__(self) -> tuple[type[Inference], tuple[bytes, int]]:
        """What threads compute with cannot be pickled, but made again."""
        return Inference, (self._model, self._threads)

    def _answer(self, questions: Questions, first: int, last: int, answers: Answers) -> None:
        """Answer some."""
        answer(questions, first, last, self._weights.floats(), self._layout, self._room(), answers)

    def _room(self) -> Floats:
        """Each thread has a room of its own to compute in."""
        if not hasattr(self._rooms, "mine"):
            self._rooms.mine = AlignedFloats(room_for(self._layout))
        room: Floats = self._rooms.mine.floats()
        return room


def shipped(threads: int = 1, name: str = NEWEST) -> Inference:
    """A network that comes with the package; `NoNetwork` where it cannot be used."""
    return Inference(shipped_file(name), threads)


def shipped_file(name: str) -> bytes:
    """The file of such a network, checked."""
    if name not in SHIPPED:
        raise BadRequest(f"there are no weights {name!r:.60}; there are {', '.join(SHIPPED)}.")
    return _checked_model(name)


def model_file(name: str) -> Path:
    """Where a shipped network lies."""
    return FOLDER / f"{name}{SUFFIX}"


def card_file(name: str) -> Path:
    """And what it was made from and for."""
    return model_file(name).with_suffix(".json")


@cache
def _checked_model(name: str) -> bytes:
    """The bytes of a shipped network, seen to be whole and of this version."""
    try:
        card: Any = json.loads(card_file(name).read_text())
        model = model_file(name).read_bytes()
    except (OSError, ValueError):
        raise NoNetwork(saying("terminal.bots.weights.missing")) from None
    if not _is_of_this_version(card):
        raise NoNetwork(saying("terminal.bots.weights.version"))
    if card.get("sha256") != sha256(model).hexdigest():
        raise NoNetwork(saying("terminal.bots.weights.damaged"))
    return model


def _is_of_this_version(card: Any) -> bool:
    """Whether what the network has learned to see and to do is there today, under the same numbers."""
    try:
        return bool(Sight(**card["sight"]).version() == card["encoding"])
    except (KeyError, TypeError):
        return False
