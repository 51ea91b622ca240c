"""The engine where there are no threads: one line after the other (the bots' worker of a page).

The network is no part of what a page begins with: it is fetched when a bot that thinks with it is first asked.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Final, Protocol
from zipfile import ZipFile

from sunglade.bots import NETWORKED
from sunglade.engine import answer
from sunglade.neural.inference import NEWEST, card_file, model_file

CARD: Final = "card"
PLANES: Final = "planes"
"""What the network comes as: its card; and all first bytes of its numbers, all second ones, and so on, which pack
better than the numbers themselves."""
FLOAT_BYTES: Final = 4


class JavaScriptBytes(Protocol):
    """What JavaScript hands over."""

    def to_bytes(self) -> bytes:
        """A copy."""


def answered(line: str) -> str:
    """The answer to a line of the engine's protocol, however long it takes."""
    return json.dumps(answer(line.encode()), separators=(",", ":"))


def lacks_network(line: str) -> bool:
    """Whether a bot is asked that thinks with the network, and that is not here yet."""
    return not model_file(NEWEST).exists() and json.loads(line).get("bot") in NETWORKED


def take_network(archive: JavaScriptBytes) -> None:
    """Keep the network where bots look for it."""
    with ZipFile(BytesIO(archive.to_bytes())) as parts:
        card, planes = parts.read(CARD), parts.read(PLANES)
    each = len(planes) // FLOAT_BYTES
    numbers = bytearray(len(planes))
    for byte in range(FLOAT_BYTES):
        numbers[byte::FLOAT_BYTES] = planes[byte * each : (byte + 1) * each]
    model_file(NEWEST).parent.mkdir(parents=True, exist_ok=True)
    card_file(NEWEST).write_bytes(card)
    model_file(NEWEST).write_bytes(numbers)
