"""The network at play: ONNX Runtime on the CPU, no PyTorch."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade.encode import BASE_ACTIONS
from sunglade.errors import BadRequest, SungladeError
from sunglade.neural.features import Sight, inputs_of
from sunglade.search.helpers import Helpers
from sunglade.search.rollout_thinker import MAX_THREADS

FOLDER = Path(__file__).parent / "weights"
NEWEST: Final = "whole"
ANCHOR: Final = "2026-11"
"""The first network, which knows the base game only: what later ones are measured against."""
SHIPPED: Final = (NEWEST, ANCHOR)
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
        self._session = _session(model)
        self._bytes = int(self._session.get_inputs()[0].shape[1])
        self._helpers = Helpers(threads)

    @property
    def plays_modules(self) -> bool:
        """Whether it answers for more than the actions of the base game."""
        return bool(self._session.get_outputs()[0].shape[1] > BASE_ACTIONS)

    def answer(self, observations: NDArray[np.void]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits of the actions it knows (n, actions) and the value of each relative seat (n, 4)."""
        raw = inputs_of(observations, self._bytes)
        if self._threads == 1 or len(raw) < 2:
            return self._run(raw)
        parts = np.array_split(raw, min(self._threads, len(raw)))
        asked = [self._helpers.submit(self._run, part) for part in parts]
        answers = [helper.result() for helper in asked]
        return np.concatenate([a for a, _ in answers]), np.concatenate([b for _, b in answers])

    def __deepcopy__(self, memo: object) -> Inference:
        """It keeps nothing of what it was asked: one serves all."""
        return self

    def __reduce__(self) -> tuple[type[Inference], tuple[bytes, int]]:
        """Sessions cannot be pickled, but made again."""
        return Inference, (self._model, self._threads)

    def _run(self, raw: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits, values = self._session.run(None, {"observation": raw})
        return logits, values


def shipped(threads: int = 1, name: str = NEWEST) -> Inference:
    """A network that comes with the package; `NoNetwork` where it cannot be used."""
    if name not in SHIPPED:
        raise BadRequest(f"there are no weights {name!r:.60}; there are {' and '.join(SHIPPED)}.")
    return Inference(_checked_model(name), threads)


@cache
def _checked_model(name: str) -> bytes:
    """The bytes of a shipped network, seen to be whole and of this version."""
    try:
        card: Any = json.loads((FOLDER / f"{name}.json").read_text())
        model = (FOLDER / f"{name}.onnx").read_bytes()
    except (OSError, ValueError):
        raise NoNetwork("the weights of the neural player are missing or unreadable; install sunglade again.") from None
    if not _is_of_this_version(card):
        raise NoNetwork("the weights of the neural player belong to another version; install sunglade again.")
    if card.get("sha256") != sha256(model).hexdigest():
        raise NoNetwork("the weights of the neural player are damaged; install sunglade again.")
    return model


def _is_of_this_version(card: Any) -> bool:
    """Whether what the network has learned to see and to do is there today, under the same numbers."""
    try:
        return bool(Sight(**card["sight"]).version() == card["encoding"])
    except (KeyError, TypeError):
        return False


def _session(model: bytes) -> Any:
    """An ONNX Runtime session on one thread."""
    try:
        import onnxruntime
    except ImportError:
        raise NoNetwork("the neural player needs onnxruntime; install it with pip.") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception:  # ONNX Runtime has a dozen kinds of errors for files it cannot read
        raise NoNetwork("the weights of the neural player are damaged; install sunglade again.") from None
