"""What clients ask for: plain classes, checked once, when they are read from JSON. The API's models are made from them.

Each field has its shape, and where a name does not say it all, what it means. Nobody changes a request; it is not
frozen because that would take as long again as reading it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from sunglade.drawing.flora import SPECIES_NAMES
from sunglade.table.problems import ServerProblem
from sunglade.table.saying import MOST_SIGNS, REACTIONS
from sunglade.table.shapes import AnyObject, ListOf, ObjectOf, OneOf, OrNone, Switch, Text, Whole

MOST_COMMAND_ID: Final = 64
MOST_TRIED: Final = 400
"""Actions of a line that is tried: more than a game has left."""
OFFERS: Final = ("end", "take_back")
"""What all people at a table may agree on: to end the game as it stands, to take turns back."""
DOINGS: Final = (
    "play", "undo", "redo", "restart", "rename", "leave", "sit_again", "hand_over", "back", "fill",
    "reopen", "stand_in", "resign", "offer", "agree", "decline", "withdraw", "vacation", "unlist",
)  # fmt: skip

STRICTNESS: Final = ("off", "gentle", "strict")
"""Of a teaching game: nothing is said, mistakes are told, slips too."""

_TOKEN: Final = Text(1, 64)
_NAME: Final = OrNone(Text(1, 200))
_LINE: Final = OrNone(Text(1, 60))
_BOT: Final = Text(most=40)
_NEW_SECRET: Final = Text(pattern=re.compile("[A-Za-z0-9_-]{22,64}"))
_SECRET_ID: Final = OrNone(_NEW_SECRET)
_SPECIES: Final = OrNone(OneOf(SPECIES_NAMES))
_COMMAND_ID: Final = Text(pattern=re.compile(f"[A-Za-z0-9._:-]{{1,{MOST_COMMAND_ID}}}"))
_SEAT: Final = OrNone(Whole(0, 3))
_SEQ: Final = OrNone(Whole(0, 2**53))
_WISH_ID: Final = (
    "chosen by the client at random, new for each seat it wishes for, and as secret as a token: "
    "sent again with the same id, the answer is the same, token included"
)


@dataclass(slots=True)
class SeatRequest:
    """Who shall sit in a seat: me, whoever is invited, or a bot."""

    kind: Annotated[str, OneOf(("me", "open", "bot"))]
    name: Annotated[str | None, _NAME] = None
    level: Annotated[str | None, OrNone(_BOT)] = None
    adapts: Annotated[bool, Switch(), "bot: at a rematch its level follows from the result"] = False


@dataclass(slots=True)
class ClockRequest:
    """How long turns may take: live, in seconds and a reserve beyond them, or by correspondence, in days."""

    kind: Annotated[str, OneOf(("live", "days"))]
    turn: Annotated[int, Whole(1, 3600), "live: seconds a turn, from 10; days: days a turn, to 14"]
    reserve: Annotated[int, Whole(0, 36_000), "live: seconds beyond that, for the whole game"] = 0
    then: Annotated[str, OneOf(("turn", "seat")), "when time is over: a bot plays the turn, or takes the seat over"] = (
        "turn"
    )
    vacation: Annotated[int, Whole(0, 28), "days: how many days a game each may pause their clock"] = 0


@dataclass(slots=True)
class CreateTable:
    """A new table. With `game` (docs/protocol.md) it goes on from there; players and rules then come from it."""

    seats: Annotated[list[SeatRequest], ListOf(ObjectOf(SeatRequest), 2, 4)]
    rules: Annotated[dict[str, Any], AnyObject(), 'e.g. {"edition": "us", "modules": []}'] = field(default_factory=dict)
    assistance: Annotated[bool, Switch()] = True
    teaching: Annotated[str, OneOf(STRICTNESS), "whose turns are judged before they end, and how strictly"] = "off"
    takeover_after: Annotated[int | None, OrNone(Whole(10, 86400))] = 120
    takeover_level: Annotated[str, _BOT] = "greedy"
    spectators: Annotated[bool, Switch()] = True
    clock: Annotated[ClockRequest | None, OrNone(ObjectOf(ClockRequest)), "none: nobody is in a hurry"] = None
    talk: Annotated[bool, Switch(), "whether people can say something to each other"] = True
    listed: Annotated[bool, Switch(), "anybody may join: the table is in the lobby, where the server has one"] = False
    rated: Annotated[bool, Switch(), "the result counts for the ratings of everybody at the table"] = False
    seed: Annotated[int | None, OrNone(Whole(0, 2**53))] = None
    game: Annotated[dict[str, Any] | None, OrNone(AnyObject())] = None


@dataclass(slots=True)
class Join:
    """Take an open seat. Without `seat` the first open one. With a token already held, it is extended."""

    invite: Annotated[str | None, OrNone(_TOKEN), "not needed where anybody may join, until the game begins"] = None
    name: Annotated[str | None, _NAME] = None
    seat: Annotated[int | None, _SEAT] = None
    id: Annotated[str | None, _SECRET_ID, _WISH_ID] = None


@dataclass(slots=True)
class Invited:
    """An invitation that is looked at before anybody sits down."""

    invite: Annotated[str, _TOKEN]


@dataclass(slots=True)
class Link:
    """A link to the table, to be drawn as a QR code."""

    link: Annotated[str, Text(pattern=re.compile(r"https?://[!-~]{1,290}"))]


@dataclass(slots=True)
class Claim:
    """Take a seat over from another device, with the code made there."""

    code: Annotated[str, _TOKEN]
    id: Annotated[str | None, _SECRET_ID, _WISH_ID] = None


@dataclass(slots=True)
class Command:
    """Something a seated client wants done. The same id is carried out once, however often it is sent.

    `expected` is the sequence number of the view it was made for; if the game has moved on since, it is `stale`.
    """

    id: Annotated[str, _COMMAND_ID]
    do: Annotated[str, OneOf(DOINGS)]
    seat: Annotated[
        int | None, _SEAT, "which of my seats; may be left out when I have one; fill, reopen, stand_in: whose"
    ] = None
    expected: Annotated[int | None, _SEQ, "needed for play, undo, redo, restart, offer, agree, decline, withdraw"] = (
        None
    )
    action: Annotated[str | None, _LINE, "play: the line"] = None
    name: Annotated[str | None, _NAME, "rename: the new name"] = None
    level: Annotated[str | None, OrNone(_BOT), "fill: the bot"] = None
    offer: Annotated[str | None, OrNone(OneOf(OFFERS)), "offer: what"] = None
    days: Annotated[int | None, OrNone(Whole(0, 28)), "vacation: for how many days; 0 ends it"] = None
    back_to: Annotated[int | None, OrNone(Whole(0, 100_000)), "take_back: how many actions stay; else my last turn"] = (
        None
    )


@dataclass(slots=True)
class Say:
    """Something to be said at the table: one of the reactions, or a short text. The same id is said once."""

    id: Annotated[str, _COMMAND_ID]
    seat: Annotated[int | None, _SEAT, "which of my seats; may be left out when I have one"] = None
    reaction: Annotated[str | None, OrNone(OneOf(REACTIONS))] = None
    text: Annotated[str | None, OrNone(Text(1, 4 * MOST_SIGNS)), f"one line, at most {MOST_SIGNS} signs"] = None


@dataclass(slots=True)
class Upload:
    """A game to look at (docs/protocol.md)."""

    game: Annotated[dict[str, Any], AnyObject()]


@dataclass(slots=True)
class Mine:
    """The tokens a client has kept."""

    tokens: Annotated[list[str], ListOf(_TOKEN, most=100)]


@dataclass(slots=True)
class NewPerson:
    """Somebody who wants to be known again in this browser."""

    id: Annotated[str, _NEW_SECRET, _WISH_ID]
    name: Annotated[str | None, _NAME] = None
    species: Annotated[str | None, _SPECIES] = None


@dataclass(slots=True)
class PersonChange:
    """What somebody is called from now on, and which tree they like to be."""

    name: Annotated[str | None, _NAME]
    species: Annotated[str | None, _SPECIES]


@dataclass(slots=True)
class PersonClaim:
    """Become known in this browser, too, with the code made in another."""

    code: Annotated[str, _TOKEN]
    id: Annotated[str, _NEW_SECRET, _WISH_ID]


@dataclass(slots=True)
class QuietRequest:
    """Hours in which nobody is told: minutes of the day, in a time zone such as Europe/Bucharest."""

    begin: Annotated[int, Whole(0, 1439)]
    end: Annotated[int, Whole(0, 1439)]
    zone: Annotated[str, Text(1, 60)]


_ADDRESS: Final = Text(1, 1000)
_LANGUAGE: Final = Text(pattern=re.compile("[a-z]{2,3}"))


@dataclass(slots=True)
class NoticesAsked:
    """How one is told of a table; of a browser by what its push service calls it."""

    endpoint: Annotated[str | None, OrNone(_ADDRESS)] = None


@dataclass(slots=True)
class TellBrowser:
    """Tell this browser when something waits for me at a table: what `PushManager.subscribe` gave it."""

    endpoint: Annotated[str, _ADDRESS]
    p256dh: Annotated[str, Text(1, 200), "the browser's public key"]
    auth: Annotated[str, Text(1, 100), "its secret"]
    language: Annotated[str, _LANGUAGE, "in which notices are written"] = "en"
    quiet: Annotated[QuietRequest | None, OrNone(ObjectOf(QuietRequest))] = None


@dataclass(slots=True)
class TellBrowserNoMore:
    """Forget this browser, at this table."""

    endpoint: Annotated[str, _ADDRESS]


@dataclass(slots=True)
class TellGroup:
    """Tell a group's chat whose turn it is, by its webhook; without `url` no more."""

    url: Annotated[str | None, OrNone(_ADDRESS), "the secret address that Discord, Matrix' hookshot or another gave"]
    language: Annotated[str, _LANGUAGE, "in which notices are written"] = "en"
    quiet: Annotated[QuietRequest | None, OrNone(ObjectOf(QuietRequest))] = None


@dataclass(slots=True)
class AnalysisRequest:
    """How thoroughly a finished game shall be looked at."""

    nodes: Annotated[int, Whole(16, 2000)] = 64
    bot: Annotated[str | None, OrNone(_BOT)] = None


@dataclass(slots=True)
class HintRequest:
    """How long a bot shall think."""

    ms: Annotated[int, Whole(50, 5000)] = 1000


@dataclass(slots=True)
class BetterRequest:
    """Which turn shall be played better."""

    first: Annotated[int, Whole(0, 100_000), "how many actions came before the turn"]


@dataclass(slots=True)
class PuzzleAnswer:
    """A turn that may be the best of a puzzle."""

    actions: Annotated[list[str], ListOf(Text(1, 60), most=60), "the actions of the turn, in their order"]


@dataclass(slots=True)
class WhatIf:
    """A line tried on a copy of a game (docs/protocol.md), as far as whoever tries it knows the game."""

    game: Annotated[dict[str, Any], AnyObject()]
    actions: Annotated[list[str], ListOf(Text(1, 60), most=MOST_TRIED), "what is played from there, for whoever acts"]


@dataclass(slots=True)
class WhatIfWhy(WhatIf):
    """Actions that are asked about at the end of a line."""

    asked: Annotated[list[str], ListOf(Text(1, 60), 1, 80)]


@dataclass(slots=True)
class WhatIfAfter(WhatIf):
    """An action that is looked at before it is tried."""

    action: Annotated[str, Text(1, 60)]


@dataclass(slots=True)
class WhatIfAnimal(WhatIf):
    """Whose animal is asked about at the end of a line."""

    seat: Annotated[int, Whole(0, 3)]


MOST_PUZZLES: Final = 9999
"""No puzzle has a higher number."""


# On a live connection


@dataclass(slots=True)
class Hello:
    """First message on the WebSocket, within ten seconds. Without a token as a spectator.

    With `since`, the events after it come first: nothing is lost over a reconnect.
    """

    type: Annotated[str, OneOf(("hello",))]
    table: Annotated[str, Text(most=40)]
    token: Annotated[str | None, OrNone(_TOKEN)] = None
    since: Annotated[int | None, _SEQ] = None
    heard: Annotated[int | None, _SEQ, "the last thing said that is known, 0 for none; without it nothing is told"] = (
        None
    )


@dataclass(slots=True)
class LiveSay(Say):
    """Something to be said, on the WebSocket."""

    type: Annotated[str, OneOf(("say",))] = field(kw_only=True)


@dataclass(slots=True)
class MyTables:
    """Instead of hello: how all tables of these tokens stand, and again each at which something happens."""

    type: Annotated[str, OneOf(("mine",))]
    tokens: Annotated[list[str], ListOf(_TOKEN, most=100)]


@dataclass(slots=True)
class LookIn:
    """First message on the WebSocket in place of hello: the lobby is told, now and whenever it changes."""

    type: Annotated[str, OneOf(("lobby",))]


@dataclass(slots=True)
class LiveCommand(Command):
    """A command on the WebSocket."""

    type: Annotated[str, OneOf(("command",))] = field(kw_only=True)


@dataclass(slots=True)
class Ping:
    """Answered by pong."""

    type: Annotated[str, OneOf(("ping",))]


_HELLO: Final = ObjectOf(Hello)
_MINE: Final = ObjectOf(MyTables)
_LOOK_IN: Final = ObjectOf(LookIn)
_MESSAGES: Final[dict[str, ObjectOf[LiveCommand] | ObjectOf[LiveSay] | ObjectOf[Ping]]] = {
    "command": ObjectOf(LiveCommand),
    "say": ObjectOf(LiveSay),
    "ping": ObjectOf(Ping),
}


def read_hello(message: Any) -> Hello | MyTables | LookIn:
    """The first message of a connection."""
    if type(message) is dict and message.get("type") == "mine":
        return _MINE.read(message, "mine")
    try:
        if type(message) is dict and message.get("type") == "lobby":
            return _LOOK_IN.read(message)
        return _HELLO.read(message)
    except ServerProblem as problem:
        raise ServerProblem(problem.kind, f"hello: {problem.message}") from None


def read_message(message: Any) -> LiveCommand | LiveSay | Ping:
    """Any other message."""
    kind = message.get("type") if type(message) is dict else None
    if type(kind) is not str or kind not in _MESSAGES:
        raise ServerProblem("bad_request", "type: Input should be 'command', 'say' or 'ping'")
    return _MESSAGES[kind].read(message)
