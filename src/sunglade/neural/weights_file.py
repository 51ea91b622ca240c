"""The file of a network: its parts as they are played with, in the format of safetensors.

Eight bytes say how long the header is, which is JSON: for every part its kind of numbers, its shape and where its bytes
lie behind the header; `__metadata__` tells the size of the network. Nothing of it is trusted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from math import prod
from typing import Any, Final

from sunglade.encode import ACTIONS, PLANES, TABLE
from sunglade.neural.forward.layout import Size, places

SUFFIX: Final = ".safetensors"
FLOAT: Final = "F32"
_BYTES: Final = 4
_LENGTH: Final = 8
_ALIGNED: Final = 64


class BadWeights(ValueError):
    """The file is not one of a network for play; the message says what is wrong."""


def write_weights(size: Size, numbers: Mapping[str, bytes]) -> bytes:
    """A file of these parts, each as its float32 numbers, the lowest byte first."""
    told: dict[str, Any] = {"__metadata__": {name: str(number) for name, number in asdict(size).items()}}
    told |= _parts(size)
    for name, shape, _ in places(size):
        assert len(numbers[name]) == _BYTES * prod(shape), name
    header = json.dumps(told, separators=(",", ":")).encode()
    header += b" " * (-(_LENGTH + len(header)) % _ALIGNED)
    return b"".join((len(header).to_bytes(_LENGTH, "little"), header, *(numbers[name] for name, _, _ in places(size))))


def read_weights(file: bytes) -> tuple[Size, memoryview]:
    """A network's size and the bytes of all its parts, one behind the other; `BadWeights` where it is not whole."""
    length = int.from_bytes(file[:_LENGTH], "little")
    content = memoryview(file)[_LENGTH + length :]
    try:
        told = json.loads(file[_LENGTH : _LENGTH + length])
        size = Size(**{name: int(number) for name, number in told.pop("__metadata__").items()})
        kinds = {part["dtype"] for part in told.values()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadWeights("this is no file of a network for play") from None
    if kinds != {FLOAT}:
        raise BadWeights(f"its numbers are stored as {', '.join(sorted(map(str, kinds)))}, and only {FLOAT} is read")
    if size.planes > len(PLANES) or size.table > len(TABLE) or size.actions > ACTIONS:
        raise BadWeights("it knows more of the game than there is")
    if told != _parts(size) or len(content) != max(part["data_offsets"][1] for part in told.values()):
        raise BadWeights("its parts are not those of a network of its size")
    return size, content


def _parts(size: Size) -> dict[str, Any]:
    """What the header tells of the parts."""
    return {
        name: {"dtype": FLOAT, "shape": list(shape), "data_offsets": [_BYTES * at, _BYTES * (at + prod(shape))]}
        for name, shape, at in places(size)
    }
