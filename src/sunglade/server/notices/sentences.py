"""A reason in words: for one person in their language, and for a group as chats take messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from sunglade.server.notices.reasons import Reason
from sunglade.table.table import Table
from sunglade.words import Catalogue, catalogue
from sunglade.words.keys import Key

SPECIES: Final[tuple[Key, ...]] = ("species.spruce", "species.poplar", "species.maple", "species.acacia")
"""By seat: what people are called who have chosen no name."""
ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
END: Final = "\N{POP DIRECTIONAL ISOLATE}"
"""Around a name, which may run the other way than the sentence."""
MARKUP: Final = re.compile(r"[\\`*_~|<>\[\]()#@:!.-]")
"""What chats take for more than a sign."""


def for_person(table: Table, reason: Reason, language: str) -> dict[str, Any]:
    """What a browser shows: a title, a sentence, and by which way it is read. Nothing that is secret."""
    words = catalogue(language)
    title, body = _told(table, reason, words, str, whose=False)
    return {
        "id": reason.id_at(table.name),
        "table": table.name,
        "kind": reason.kind,
        "title": title,
        "body": body,
        "language": language,
        "direction": "rtl" if words.right_to_left else "ltr",
    }


def for_chat(table: Table, reason: Reason, language: str, page: str) -> dict[str, Any]:
    """What a group's chat takes: `content` for Discord, `text` for Matrix' hookshot and others, `body` as it is.

    Names cannot call anybody, nor change how a message looks.
    """
    words, link = catalogue(language), f"{page}t/{table.name}"
    marked = "\n".join([*_told(table, reason, words, _unmarked, whose=True), link])
    plain = "\n".join([*_told(table, reason, words, str, whose=True), link])
    return {
        "id": reason.id_at(table.name),
        "table": table.name,
        "kind": reason.kind,
        "content": marked,
        "allowed_mentions": {"parse": []},
        "text": marked,
        "body": plain,
        "url": link,
    }


def as_json(told: dict[str, Any]) -> bytes:
    """A message as bytes."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _unmarked(text: str) -> str:
    """A text in which no sign has a meaning of its own."""
    return MARKUP.sub(lambda found: f"\\{found[0]}", text)


def _told(
    table: Table, reason: Reason, words: Catalogue, written: Callable[[str], str], *, whose: bool
) -> tuple[str, str]:
    """Title and sentence; `whose` if they are read by others than the one who is to act."""
    names = [f"{ISOLATE}{written(_called(table, seat, words))}{END}" for seat in range(len(table.chairs))]
    together = ", ".join(names)
    about = names[reason.seat or 0]
    where = words.tell("common.pair", name=together, value=_round(table, words))
    match reason.kind:
        case "turn":
            title = words.tell("turn.yours")
            return words.tell("common.pair", name=about, value=title) if whose else title, where
        case "over":
            result = words.tell("common.pair", name=together, value=_result(table, words, names))
            return words.tell("refusal.over"), result
        case "offer_end":
            return words.tell("event.offered.end", player=about), where
        case "offer_take_back":
            return words.tell("event.offered.take_back", player=about), where
        case "sat":
            return words.tell("event.joined", player=about, number=(reason.seat or 0) + 1), where
    raise ValueError(f"nobody is told of {reason.kind}")


def _called(table: Table, seat: int, words: Catalogue) -> str:
    return table.called(seat) or words.tell("seat.empty" if table.chairs[seat].kind == "open" else SPECIES[seat])


def _round(table: Table, words: Catalogue) -> str:
    return words.tell("table.round", round=max(1, table.game.round), rounds=table.game.rules.rounds)


def _result(table: Table, words: Catalogue, names: list[str]) -> str:
    winners = [names[seat] for seat in table.winners or []]
    if not winners:
        return words.tell("ending_offer.result.agreed")
    if len(winners) > 1:
        return words.tell("result.winners", players=", ".join(winners))
    return words.tell("result.winner", player=winners[0])
