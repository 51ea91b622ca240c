"""What clients get, as models: the OpenAPI schema is made from them, and from what they send (`request_models.py`).

Answers are built as plain objects, because they are made hundreds of times a second; a test holds them to these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from sunglade.drawing.flora import SPECIES_NAMES
from sunglade.options import SWITCH, OneOf, Option, Whole
from sunglade.rules import ANIMALS, BABIES, EDITIONS, MODULES, OPTIONS
from sunglade.table.saying import REACTIONS

Space = Annotated[str, StringConstraints(pattern=r"^[a-g][1-7]$")]
Size = Literal["seed", "small", "medium", "large"]
Animal = Literal["boar", "hedgehog", "squirrel", "fox", "owl", "badger", "beaver", "turtle"]
Baby = Literal["two", "small", "medium", "harvest", "light", "seed", "points", "leaf"]
Phase = Literal["draft", "animals", "elder", "stones", "placing", "turn", "over"]
Reaction = Literal["hello", "well_played", "thanks", "wow", "oops", "thinking"]
Module = Literal["moon", "elder", "stones"]
Species = Literal["spruce", "poplar", "maple", "acacia"]
Edition = Literal["us", "us1", "he", "eu", "fr", "de", "es", "it", "ru", "ro"]

assert set(Animal.__args__) == set(ANIMALS) and set(Baby.__args__) == set(BABIES)  # type: ignore[attr-defined]
assert set(Module.__args__) == set(MODULES)  # type: ignore[attr-defined]
assert Species.__args__ == SPECIES_NAMES  # type: ignore[attr-defined]
assert set(Reaction.__args__) == set(REACTIONS)  # type: ignore[attr-defined]
assert set(Edition.__args__) == set(EDITIONS)  # type: ignore[attr-defined]


class Answer(BaseModel):
    """Something the server sends. A key that is not always there is optional."""

    model_config = ConfigDict(extra="forbid")


# Errors

ErrorKind = Literal[
    "bad_json",
    "bad_request",
    "bad_rules",
    "illegal_action",
    "unknown_table",
    "unknown_seat",
    "unknown_page",
    "not_allowed",
    "wrong_token",
    "wrong_person",
    "wrong_invite",
    "wrong_origin",
    "wrong_host",
    "seat_taken",
    "table_full",
    "not_your_turn",
    "waiting_for_players",
    "game_over",
    "game_running",
    "nothing_to_undo",
    "nothing_to_redo",
    "has_resigned",
    "no_offer",
    "offer_open",
    "too_soon",
    "nothing_to_take_back",
    "no_clock",
    "no_vacation",
    "no_notices",
    "time_over",
    "no_lobby",
    "not_listed",
    "no_ratings",
    "needs_person",
    "rated_game",
    "rated_rules",
    "stale",
    "command_id_reused",
    "no_assistance",
    "not_owner",
    "not_served",
    "player_present",
    "clock_decides",
    "no_talk",
    "muted",
    "too_fast",
    "too_large",
    "too_many",
    "busy",
    "rules_changed",
    "shutting_down",
    "storage_full",
    "internal",
]


class Problem(Answer):
    """What went wrong. `kind` never changes its meaning; `message` is English, for programmers."""

    kind: ErrorKind
    message: str
    at: int | None = Field(None, description="index of the offending action of a game")
    reason: str | None = Field(None, description="illegal_action: the rule against it, a word (see Why)")
    details: dict[str, Any] | None = Field(None, description="illegal_action: the facts of that reason")
    retry_after: float | None = Field(None, description="too_fast, busy: seconds to wait")


class ErrorAnswer(Answer):
    """Every answer with a status of 400 or more."""

    error: Problem


# The state (docs/protocol.md)


class Piece(Answer):
    """A seed or tree on the board."""

    owner: int
    size: int = Field(description="0 seed … 3 large")


class PlayerState(Answer):
    """A player in docs/protocol.md's state."""

    light: int
    available: list[int]
    slots: list[list[int]]
    tokens: list[int]
    points: int
    fresh: list[int] | None = None
    animal: Animal | None = None
    at: Space | None = None
    lunar: int | None = None
    steps: int | None = None
    used: list[str] | None = None
    babies: list[Baby] | None = None


class Moon(Answer):
    """Where the moon is and what it lights."""

    at: int
    tracker: int
    full: bool
    lit: list[Space]


class State(Answer):
    """docs/protocol.md's state. Keys of modules not in play are absent."""

    phase: Phase
    round: int
    rounds: int
    sun: int
    first: int
    player: int | None
    spaces: dict[str, Piece]
    activated: list[Space]
    tokens: list[list[int]]
    players: list[PlayerState]
    winners: list[int] | None
    moon: Moon | None = None
    elder: Space | None = None
    stones: list[Space] | None = None
    dam: list[Space] | None = None
    face_down: list[Space] | None = None
    effects: list[Baby] | None = None


# What can be done


class Cost(Answer):
    """The price of an action."""

    light: int
    lunar: int


class Preview(Answer):
    """What a legal action would do. Nothing hidden is told: what hatches is not known before it does.

    The three lists have one entry for each of the six rounds of the forecast. They are absent where nothing changes,
    and at tables without assistance.
    """

    light: int = Field(description="light left to the player afterwards")
    lunar: int | None = Field(None, description="lunar points left afterwards; only with module moon")
    points: int = Field(0, description="points gained with it")
    token: int | None = Field(None, description="value of the scoring token taken")
    pile: int | None = Field(None, description="leaves of the pile it is taken from, 1–4")
    lost: list[Size] = Field(default_factory=list, description="pieces that would leave the game")
    income: list[list[int]] | None = Field(None, description="change of each seat's light income")
    shades: list[list[Space]] | None = Field(None, description="trees that would newly stand in shade")
    frees: list[list[Space]] | None = Field(None, description="trees that would no longer stand in shade")


ActionKind = Literal[
    "end", "buy", "grow", "collect", "plant", "place", "draft", "animal", "elder", "stone", "step", "ability"
]  # fmt: skip


class Action(Answer):
    """A legal action: its line, and the same in parts."""

    line: str = Field(description="docs/protocol.md's line, what a command sends")
    kind: ActionKind
    cost: Cost
    preview: Preview
    size: Size | None = Field(None, description="buy: the piece; grow: what it becomes")
    origin: Space | None = Field(None, description="where it starts: the planting tree, the animal")
    space: Space | None = Field(None, description="the space it is about: target of plant and step, place of the rest")
    spaces: list[Space] | None = Field(None, description="beaver.dam: the three spaces")
    animal: Animal | None = Field(None, description="draft: the animal; ability: whose it is")
    ability: str | None = Field(None, description="ability: its name, such as boar.dig")
    level: int | None = Field(None, description="ability: 1, 2 or 3 where it has levels")
    target: Animal | None = Field(None, description="fox: the other animal")
    baby: Baby | None = Field(None, description="turtle.steps: the baby")


class Left(Answer):
    """What a player could still do with the light at hand, and what ending now would waste."""

    buy: int
    plant: int
    grow: int
    collect: int
    abilities: int
    wasted: int | None = Field(description="light the cap would take at the next sunrise; null without assistance")


class Turn(Answer):
    """What can be done now, and by whom."""

    seat: int | None = Field(description="the seat to act; null when the game is over")
    legal: list[Action]
    can_undo: bool
    can_redo: bool
    can_restart: bool
    left: Left | None = Field(description="in the life-cycle phase only")


# What is to come, and what is


class MoonAhead(Answer):
    """The moon in a coming round."""

    at: int
    full: bool
    lit: list[Space]
    income: list[int]
    lunar: list[int]


class Sunlight(Answer):
    """Light and shade under one position of the sun."""

    sun: int
    income: list[int] = Field(description="light each seat's trees bring")
    trees: dict[str, int] = Field(description="light each tree brings, 0 in shade")
    shaded: dict[str, list[Space]] = Field(description="for each tree in shade, what shades it")
    shadows: dict[str, int] = Field(description="spaces in shadow: the largest size of tree that is dark there, 1–3")


class RoundAhead(Sunlight):
    """A coming round if nobody acts. `played` is false after the last round of the game."""

    round: int
    played: bool
    light: list[int] = Field(description="light each seat would then have")
    lost: list[int] = Field(description="light the cap takes away")
    moon: MoonAhead | None


class Slot(Answer):
    """A place on a player board."""

    price: int
    occupied: bool


class PlayerBoard(Answer):
    """A player board: its columns of seeds, small, medium and large trees."""

    columns: list[list[Slot]]
    prices: list[int | None] = Field(description="what the next seed, small, medium, large costs; null: none left")
    full: list[bool] = Field(description="a piece of this size that comes back would be lost")


class Score(Answer):
    """What a player's points are made of, as if the game ended now."""

    tokens: int
    leftover: int
    moon: int
    total: int
    pieces: int = Field(description="seeds and trees on the board: decides ties")


class HistoryRound(Answer):
    """A round that was played, for charts: light gained when it began, light and points when it ended."""

    round: int
    income: list[int]
    light: list[int]
    points: list[int]


class Result(Answer):
    """The end of a game."""

    winners: list[int] = Field(description="nobody who has resigned; empty where all agreed to end")
    scores: list[Score]
    history: list[HistoryRound]
    how: Literal["rules", "resigned", "agreed"] = Field(description="what ended it; but for rules, it is unfinished")
    seat: int | None = Field(description="resigned: whose resignation ended it")
    resigned: list[int] = Field(description="seats whose people resigned, the first one first: they come last")


# The table


def _value_of(name: str, option: Option) -> Any:
    """The type of an option's value and what it means, as a field of a model."""
    kind = option.kind
    if kind == SWITCH:
        values: Any = bool
    elif isinstance(kind, OneOf):
        values = Literal[kind.values]
    elif isinstance(kind, Whole):
        values = int | None if kind.or_none else int
    else:
        values = list[Module] if name == "modules" else list[Space]
    return values, Field(description=option.meaning)


OptionValues: type[Answer] = create_model(
    "OptionValues", __base__=Answer, **{name: _value_of(name, option) for name, option in OPTIONS.items()}
)
"""Every option with its value."""


class RulesView(OptionValues):
    """What was agreed. `given` is what a game file stores, the others every option with its value."""

    given: dict[str, Any] = Field(description="edition and the options that differ from it")
    edition: Edition
    moonstones: int = Field(description="stones placed in this game")
    differs: list[str] = Field(description="options whose value differs from the edition us")


STAND_IN_AT = "when a bot stands in for the person to act, by the server's clock; null where none will"


class SeatView(Answer):
    """Who sits where."""

    seat: int
    kind: Literal["person", "bot", "open"] = Field(description="whose seat it is")
    name: str | None = Field(description="bots always have one; people without are called by their species")
    level: str | None = Field(description="the bot that plays, where one does")
    adapts: bool = Field(description="whether the bot's level follows the people's results, from game to game")
    next_level: str | None = Field(None, description="of a bot that adapts, after the game: as what it plays next")
    playing: Literal["person", "bot", "nobody"] = Field(description="bot also while it stands in for a person")
    resigned: bool = Field(description="whether the person has resigned; a bot plays on")
    this_turn: bool = Field(description="whether a bot plays only this turn, since the person's time was over")
    connected: bool
    away_since: float | None = Field(None, description="when the person was last seen, seconds since 1970")


class ClockTerms(Answer):
    """How long turns may take, as agreed."""

    kind: Literal["live", "days"]
    turn: int = Field(description="live: seconds a turn; days: days a turn")
    reserve: int = Field(description="live: seconds beyond that, for the whole game")
    then: Literal["turn", "seat"] = Field(description="when time is over: a bot plays the turn, or takes the seat over")
    vacation: int = Field(description="days: how many days a game each may pause their clock")


class Settings(Answer):
    """Options of the table that are not rules."""

    assistance: bool = Field(description="false: no forecast, no previews of shade, no hints")
    teaching: Literal["off", "gentle", "strict"] = Field(description="how strictly turns are judged before they end")
    takeover_after: int | None = Field(description="seconds of absence until a bot stands in; null: never")
    takeover_level: str
    clock: ClockTerms | None = Field(description="how long turns may take; null: as long as they like")
    seeded: bool = Field(description="the creator chose the seed, and may know what is hidden")
    spectators: bool
    talk: bool = Field(description="whether people can say something to each other, where the server lets them")
    listed: bool = Field(description="the lobby tells of the table, and anybody may join")
    rated: bool = Field(description="the result counts for the ratings of everybody at the table")


class RoundView(Answer):
    """Where the game is, and who plays when."""

    revolution: int = Field(description="counted from 1; 0 before the first round")
    revolutions: int
    order: list[int] = Field(description="the seats in the order of their turns")
    next_order: list[int] | None = Field(description="the same in the next round; null where there is none")


class OfferView(Answer):
    """What somebody offers and all people must agree to."""

    offer: Literal["end", "take_back"]
    seat: int = Field(description="who offers it")
    since: int = Field(description="the event that made it")
    agreed: list[int]
    awaited: list[int] = Field(description="who has not answered yet")
    back_to: int | None = Field(description="take_back: how many actions would stay")
    round: int | None = Field(description="take_back: the round of the turn")


class SeatClock(Answer):
    """What a seat has left. In the turn under way, the reserve is as it was when that began."""

    reserve: float = Field(description="seconds beyond a turn's own")
    vacation_left: float = Field(description="seconds of vacation that can still be taken")
    vacation_until: float | None = Field(description="on vacation until then, as `ran` counts; null: not")


class ClockView(Answer):
    """The clocks of a table, in seconds in which servers ran: `ran` in the view is now."""

    seat: int | None = Field(description="whose clock runs; null while all stand still")
    deadline: float | None = Field(description="when that seat's time is over, its reserve included")
    seats: list[SeatClock]


class TurnToTakeBack(Answer):
    """A turn that a seat may ask to take back, with all that came after it."""

    back_to: int = Field(description="how many actions would stay")
    round: int


class TableView(Answer):
    """Everything a client needs to draw and explain a table. It is the same for everybody who looks."""

    table: str
    seq: int
    status: Literal["waiting", "playing", "over"]
    created: float
    players: int
    rules: RulesView
    settings: Settings
    seats: list[SeatView]
    owner: int | None = Field(description="a seat of who looks after the table; null where nobody sits")
    watching: int = Field(description="connected spectators")
    stand_in_at: float | None = Field(None, description=STAND_IN_AT)
    rematch: str | None = Field(description="the table of the rematch, once there is one")
    continues: str | None = Field(description="the table this is a rematch of")
    state: State
    round: RoundView
    turn: Turn
    now: Sunlight = Field(description="the sun of this round on the board as it stands")
    forecast: list[RoundAhead] | None = Field(description="null without assistance")
    boards: list[PlayerBoard]
    scores: list[Score]
    result: Result | None
    offer: OfferView | None = Field(description="what is offered and not answered yet")
    clock: ClockView | None = Field(description="null where none was agreed")
    ran: float | None = Field(description="what time it is for clocks: the seconds for which servers have run")
    take_back: list[list[TurnToTakeBack]] = Field(
        description="by seat: turns it may offer to take back, the last first"
    )


# The log


class Change(Answer):
    """What an action changed for a seat."""

    seat: int
    light: int = 0
    lunar: int = 0
    points: int = 0
    lost: list[Size] = Field(default_factory=list)


ToldKind = Literal[
    # people
    "created", "sat", "renamed", "left", "sat_again", "reopened", "moved",
    "bot_sat", "bot_took_over", "back", "rematch", "forgotten",
    # what players do: the kinds of actions
    "end", "buy", "grow", "collect", "plant", "place", "draft", "animal", "elder", "stone", "step", "ability",
    # going back
    "undo", "redo", "restart",
    # what follows by itself
    "round", "game_over",
    # what players agree on, or end by themselves
    "resigned", "offered", "agreed", "declined", "withdrawn", "taken_back", "ended", "time_over", "vacation",
    "unlisted",
]  # fmt: skip


class Told(Answer):
    """Something that happened, in parts, to be told in any language. Several may share a sequence number."""

    seq: int
    at: float = Field(description="seconds since 1970")
    kind: ToldKind
    seat: int | None = None
    name: str | None = Field(None, description="sat, sat_again, bot_sat, renamed, left, reopened: the name")
    before: str | None = Field(None, description="renamed: the old name")
    level: str | None = Field(None, description="bot_sat, bot_took_over, resigned, time_over: the bot")
    bot: str | None = Field(None, description="left, reopened: what the bot is called that plays on")
    table: str | None = Field(None, description="rematch: the new table")
    line: str | None = Field(None, description="actions, redo: the line")
    size: Size | None = None
    origin: Space | None = None
    space: Space | None = None
    spaces: list[Space] | None = None
    animal: Animal | None = None
    ability: str | None = None
    ability_level: int | None = None
    target: Animal | None = None
    baby: Baby | None = Field(None, description="turtle.hatch: what hatched; turtle.steps: what was used")
    token: int | None = None
    pile: int | None = None
    changes: list[Change] | None = Field(None, description="actions: what changed for each seat")
    touched: list[Space] | None = Field(None, description="actions: spaces whose piece changed")
    count: int | None = Field(None, description="undo, restart, taken_back: actions taken back")
    lines: list[str] | None = Field(None, description="undo, restart, taken_back: those actions, last first")
    offer: Literal["end", "take_back"] | None = Field(None, description="offered: what")
    then: Literal["turn", "seat"] | None = Field(None, description="time_over: what the bot plays")
    days: int | None = Field(None, description="vacation: for how long; 0: it ends")
    how: Literal["resigned", "agreed"] | None = Field(None, description="ended: what ended the game")
    round: int | None = Field(None, description="round: its number")
    sun: int | None = None
    income: list[int] | None = Field(None, description="round: light each seat gained")
    capped: list[int] | None = Field(None, description="round: light the cap took")
    lunar: list[int] | None = Field(None, description="round: lunar points each seat gained")
    winners: list[int] | None = None
    points: list[int] | None = None


# Answers


class Seated(Answer):
    """A place at a table. The token is kept nowhere else: keep it, and never put it in a URL."""

    table: str
    token: str
    seats: list[int]
    view: TableView


class Created(Seated):
    """A new table. `invite` is for those who shall take the open seats: send them /t/TABLE#INVITE."""

    invite: str


class Nudged(Answer):
    """Who was nudged."""

    seat: int


class SeatInvite(Answer):
    """Lets somebody sit down in this very seat, once: open /t/TABLE#for.SEAT.INVITE there."""

    invite: str
    expires: float


class Invite(Answer):
    """A new invitation; older ones no longer work."""

    invite: str


class Invitation(Answer):
    """What somebody who is invited sees."""

    by: int | None = Field(description="the seat of whoever invites; None where nobody sits")
    view: TableView


class Reach(Answer):
    """Where others find this server."""

    reachable: bool
    reason: Literal["only_here", "opened_here", "no_network"] | None = Field(
        description="why not: it is bound to this machine; the page was opened at an address that says nothing to "
        "others; this machine is in no network"
    )
    addresses: list[str] = Field(description="of the page, the best first")
    command: str | None = Field(description="what would start it so that others can come")


class LinkCode(Answer):
    """A link as a QR code."""

    rows: list[str] = Field(description="`1` is dark; around it come four light ones")


class MoveCode(Answer):
    """Lets another device take the seat: open /t/TABLE#CODE there."""

    code: str
    expires: float


class Update(Answer):
    """What happened since a sequence number, and how the table stands now."""

    seq: int
    events: list[Told]
    view: TableView


class Acknowledged(Update):
    """A command was carried out, once, as event `acknowledged`."""

    acknowledged: int


class Saying(Answer):
    """Something that somebody said at a table: a reaction, or a text. It is no part of the game."""

    number: int = Field(description="counted from 1 at each table")
    at: float = Field(description="seconds since 1970")
    seat: int
    name: str | None = Field(description="what the seat was called then; null: by its species")
    reaction: Reaction | None
    text: str | None


class TalkAnswer(Answer):
    """What was said after a number, in order; the newest 500 of a table are kept."""

    said: list[Saying]


class Said(Answer):
    """What I said is kept, as this number."""

    number: int


class TableSummary(Answer):
    """A table in a list."""

    table: str
    seq: int
    status: Literal["waiting", "playing", "over"]
    created: float
    changed: float
    players: int
    edition: Edition
    modules: list[Module]
    seats: list[SeatView]
    mine: list[int] = Field(description="the seats held with the token")
    left: list[int] = Field(description="the seats that were left with it and may be taken again")
    time_left: float | None = Field(description="seconds that whoever is to act has left; null where no clock runs")
    turn: int | None
    round: int
    rounds: int
    turn_since: float = Field(description="since when that seat is to act; of a finished game, when it ended")
    winners: list[int] | None
    points: list[int] | None = Field(description="of a finished game")
    how: Literal["rules", "resigned", "agreed"] | None = Field(description="what ended it; null while it runs")


class ListedSeat(Answer):
    """A seat of a listed table."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str | None = Field(description="people may have one, bots always do")
    level: str | None = Field(description="the bot that plays there")


class Listing(Answer):
    """What the lobby tells of a table."""

    table: str
    created: float
    status: Literal["waiting", "playing"]
    players: int
    edition: Edition
    modules: list[Module]
    differing: list[str] = Field(description="the options that are not as the edition has them")
    assistance: bool
    rated: bool
    clock: ClockTerms | None = Field(description="how long turns may take; null: as long as they like")
    spectators: bool = Field(description="whether it may be watched")
    seats: list[ListedSeat]
    round: int
    rounds: int
    points: list[int]


class LobbyView(Answer):
    """The lobby."""

    type: Literal["lobby"]
    now: float = Field(description="seconds since 1970, as `created` of the tables")
    waiting: list[Listing] = Field(description="tables that anybody may join, the oldest first")
    running: list[Listing] = Field(description="listed games that may be watched, the newest first")


class MineEntry(Answer):
    """A table of mine, in the order the tokens were sent; null where a token is no longer good."""

    table: TableSummary | None


class MineAnswer(Answer):
    """Tables of a client."""

    tables: list[MineEntry]


class PersonView(Answer):
    """What is known of a person. `person` is no secret."""

    person: str
    name: str | None
    species: Species | None
    created: float


class PersonOpened(PersonView):
    """A person, and a key that is kept nowhere else: send it as `Sunglade-Person: KEY`, never in a URL."""

    key: str


class PersonCode(Answer):
    """Lets another browser be the same person: open /you#CODE there."""

    code: str
    expires: float


class Linked(Answer):
    """At how many tables seats have become this person's."""

    linked: int


class PersonTables(Answer):
    """Tables of a person, the newest first."""

    tables: list[TableSummary]
    next: str | None = Field(description="ask with it as `before` for those that follow")


class Rating(Answer):
    """How strong somebody is, in points, and between which numbers it is with a certainty of 95 %."""

    rating: int = Field(description="`maple` has 1500; 400 points more win ten times as often as they lose")
    low: int
    high: int


class Standing(Rating):
    """How strong somebody is in games of so many players."""

    players: int
    games: int = Field(description="rated ones")


class RatedResult(Answer):
    """What a rated game was worth to somebody."""

    table: str
    at: float
    players: int
    place: int = Field(description="1 is the first; who is as good shares it")
    before: Rating
    after: Rating


class MyRatings(Answer):
    """What is known of somebody's strength."""

    ratings: list[Standing]
    results: list[RatedResult] = Field(description="the newest first, at most a hundred")


class RatedSeat(Answer):
    """A seat of a rated game."""

    seat: int
    place: int | None = Field(description="null: the game has not been counted")
    before: Rating | None = Field(description="now, while the game runs; null: nobody known sits there")
    after: Rating | None = Field(description="null: not counted; a bot's stays as it is")


class TableRatings(Answer):
    """What a table does to ratings."""

    state: Literal["open", "pending", "counted", "not_counted"] = Field(
        description="open: not over; pending: over, to be counted at once; not_counted: all agreed to end it, "
        "or somebody is known no more"
    )
    seats: list[RatedSeat]


class RankedPerson(Rating):
    """Somebody in the ranking."""

    place: int
    name: str | None
    species: Species | None
    games: int
    me: bool


class RankedBot(Rating):
    """A bot among them."""

    level: str


class Ranking(Answer):
    """Who is how strong in games of so many players, of those with ten rated ones: the strongest first."""

    players: int
    people: list[RankedPerson]
    bots: list[RankedBot]


class QuietHours(Answer):
    """Hours in which nobody is told: minutes of the day, in a time zone."""

    begin: int
    end: int
    zone: str


class GroupTold(Answer):
    """The webhook of a table, without what is secret of its address."""

    host: str
    quiet: QuietHours | None


class Notices(Answer):
    """How one is told of a table while one is away."""

    push_key: str | None = Field(description="the server's key, as `PushManager.subscribe` takes it; null: no Web Push")
    push: bool = Field(description="whether the browser that was asked about is told")
    devices: int = Field(description="how many browsers of the one who asks are told")
    quiet: QuietHours | None = Field(description="of that browser")
    webhooks: bool = Field(description="whether this server tells groups")
    owner: bool = Field(description="whether the one who asks may connect the table with a group")
    webhook: GroupTold | None


class Forgotten(Answer):
    """Somebody who is forgotten from now on: no key opens them, and tables lose their name within seconds."""

    forgotten: str


class GamesWon(Answer):
    """Finished games of one kind."""

    players: int
    against: str = Field(description="the strongest bot's level, or `people` where others played")
    games: int
    won: int


class FinishedGame(Answer):
    """The end of a game for somebody."""

    at: float
    points: int
    won: bool
    players: int


class SpaceCount(Answer):
    """How often somebody planted or grew on a space."""

    space: Space
    count: int


class Statistics(Answer):
    """What some finished games come to; the next page has others, and pages are added up."""

    results: list[GamesWon]
    games: list[FinishedGame] = Field(description="the newest first")
    light: int = Field(description="that actions cost")
    spaces: list[SpaceCount] = Field(description="the most used first")
    shared: int = Field(description="games on one screen, where nobody knows who played which seat: not counted")
    agreed: int = Field(description="games that ended without a result: not counted")
    next: str | None = Field(description="ask with it as `before` for the games that follow")


class ExportedTable(Answer):
    """A table as somebody's export has it."""

    table: TableSummary
    game: dict[str, Any]
    said: list[Saying] = Field(description="by this person, as far as it is kept")


class PersonExport(PersonView):
    """Everything that is kept of a person."""

    used: float = Field(description="about when a key was last shown")
    ratings: MyRatings | None = Field(None, description="where games can be rated")
    tables: list[ExportedTable]


class Why(Answer):
    """Why an action is not legal: a word and its facts to be told in any language, and an English sentence."""

    action: str
    legal: bool
    reason: str | None = Field(None, description="a word of docs/api.md's list; unknown_line for what is no action")
    details: dict[str, Any] | None = None
    message: str | None = None
    buy_first: Size | None = Field(None, description="only an available piece lacks, and it could be bought first")


class WhyAnswer(Answer):
    """One answer for each action asked about."""

    seq: int
    answers: list[Why]


class BoardView(Answer):
    """A board with its light and shade. `forecast` is null without assistance."""

    state: State
    now: Sunlight
    forecast: list[RoundAhead] | None


class BoardAfter(Answer):
    """The board after an action; null where it is not legal (any more) or its outcome is not known before."""

    seq: int
    action: str
    board: BoardView | None


class ThoughtLine(Answer):
    """An action a bot looked at."""

    action: str
    visits: int
    value: list[float]


class Reason(Answer):
    """A fact that speaks for an action or against it, measured by playing on copies (docs/teaching.md).

    Its sentence is the message `reason.` and `kind` of the catalogue, told with the numbers, the spaces, the name of
    the seat, and terms, which are keys themselves.
    """

    kind: str
    numbers: dict[str, int]
    spaces: list[str]
    seat: int | None
    terms: dict[str, str]


class Hint(Answer):
    """What a bot would do, and why."""

    seq: int
    action: str
    value: list[float] | None
    lines: list[ThoughtLine]
    bot: str
    reasons: list[Reason] = Field(description="the weightiest first")


class AbilityOutlook(Why):
    """Whether something that an animal can do is possible in a turn, and if not, after which steps, or why not."""

    ability: str
    level: int | None
    steps: list[str] = Field(description="spaces from which it is possible in that turn, where it is not at once")


class AnimalOutlook(Answer):
    """What the animal of a seat can do now or in its coming turn, if nobody does anything before."""

    seq: int
    seat: int
    animal: Animal | None
    when: Literal["now", "next", "never"] = Field(description="never: it has no further turn, or none has begun yet")
    abilities: list[AbilityOutlook]


class PuzzleLine(Answer):
    """A puzzle in the list."""

    number: int
    kind: Literal["last_turn", "collect", "shade", "escape", "race", "animals"]
    difficulty: int = Field(description="how many of the levels do not find it")
    levels: list[str] = Field(description="the levels that find it")


class Puzzles(Answer):
    """All puzzles, easy ones first, and the number of the one of the day."""

    daily: int
    puzzles: list[PuzzleLine]


class Puzzle(PuzzleLine):
    """A puzzle. A table can go on with its `game`."""

    game: dict[str, Any]
    points: int | None = Field(description="last_turn: the most points that can be had")
    next: int | None = Field(description="the number of the following one, which is as hard or harder")


class PuzzleVerdict(Answer):
    """Whether a turn is as good as the best; the best one, and what speaks for it."""

    number: int
    solved: bool
    points: int | None
    best_points: int | None
    best: list[str]
    events: list[Told]
    reasons: list[Reason]


class Frame(Answer):
    """A position of a replay. `events` led to it."""

    index: int = Field(description="how many actions were played")
    events: list[Told]
    state: State
    round: RoundView
    now: Sunlight
    boards: list[PlayerBoard]
    scores: list[Score]


class Replay(Answer):
    """Part of a replay; ask again with `first` = `next` until that is null."""

    table: str
    players: int
    rules: RulesView
    seats: list[SeatView]
    total: int = Field(description="frames in all")
    first: int
    next: int | None
    frames: list[Frame]
    result: Result | None


class Analysis(Answer):
    """The value of each position to each seat, as far as it is computed."""

    table: str
    status: Literal["none", "running", "done", "failed"]
    bot: str | None
    done: int
    total: int
    values: list[list[float] | None] = Field(description="by frame; null where not computed yet")
    best: list[str | None] = Field(description="by frame: what the bot would have played")


class ReviewedTurn(Answer):
    """A turn: its actions are those from `first` to before `last`. Chances are shares of 1."""

    first: int
    last: int
    seat: int
    round: int
    before: float
    after: float
    loss: float
    verdict: Literal["good", "slip", "mistake", "turning_point"]
    gifts: list[float] = Field(description="what each other seat gained by it, where the mover lost")


class Balance(Answer):
    """What a seat lost by its own turns, and what others' losing turns gave it."""

    lost: float
    given: float


class Outlook(Answer):
    """How a game may end, as the network sees a position; of a game that is over, how it did."""

    points: list[float] = Field(description="by seat")
    standing: dict[str, list[float]] = Field(
        description="by space: each seat's chance to have a piece there at the end; unlikely spaces are left out"
    )


class Review(Answer):
    """A game looked back at by turns, as far as its analysis has come (docs/teaching.md)."""

    turns: list[ReviewedTurn]
    balance: list[Balance]
    shade: list[list[int]] = Field(description="[by][whom]: light that trees of one seat kept from those of another")
    outlook: list[Outlook | None] = Field(
        description="what was expected before each action, then the end; null where nobody has looked or can say"
    )


class TurnSoFar(Answer):
    """A turn judged before it ends: what it costs its mover, and where that is too much here, what would be better."""

    seq: int
    verdict: Literal["good", "slip", "mistake", "turning_point"] = Field(
        description="good also where a gentle teacher lets a slip pass"
    )
    before: float = Field(description="the mover's share of all chances at the beginning of the turn")
    after: float = Field(description="and after its end")
    best: list[str]
    events: list[Told] = Field(description="the better turn, without its end")
    reasons: list[Reason]


class Better(Answer):
    """The turn that a bot would have played, as events, and why it is better than what was played."""

    first: int
    best: list[str]
    events: list[Told]
    reasons: list[Reason]


class Stored(Answer):
    """An uploaded game, to be looked at under this table's name."""

    table: str
    frames: int


class OptionValue(Answer):
    """An edition: its options with their values, and which differ from us."""

    edition: Edition
    book: str = Field(description="whose rulebook it is, in English")
    options: dict[str, Any]
    differs: list[str]


class BotInfo(Answer):
    """A bot that can be seated."""

    level: str
    searches: bool = Field(description="can say what a position is worth")


class AbilityInfo(Answer):
    """Something an animal can do for lunar points."""

    ability: str
    levels: int = Field(description="0 where it has none")
    prices: list[int] = Field(description="in lunar points: by level, or by the leaves of the space where those decide")
    asks: list[str] = Field(description="what `why` can be asked about it: a line for each level, or its bare name")


class AnimalInfo(Answer):
    """An animal of the expansion."""

    animal: Animal
    abilities: list[AbilityInfo]


class OptionInfo(Answer):
    """What an option of the rules may be."""

    option: str
    module: Module | None = Field(description="without this module it means nothing")
    kind: Literal["choice", "number", "spaces", "modules"]
    values: list[bool | int | str] | None = Field(None, description="choice: one of these")
    least: int | None = Field(None, description="number: from this; spaces, modules: at least so many")
    most: int | None = Field(None, description="number: up to this; spaces, modules: at most so many; null: no limit")
    or_none: bool | None = Field(None, description="number: null is a value, too")


class PlayerLimits(Answer):
    """How many can play."""

    least: int
    most: int


class BoardSpace(Answer):
    """A space of the board. `q`, `r`: axial coordinates, q to the right, r down and to the right."""

    name: Space
    leaves: int
    q: int
    r: int
    neighbours: list[Space]


class Privacy(Answer):
    """What this server keeps of people, and for how long, as its operator has set it."""

    keep_days: float | None = Field(
        description="tables at which nothing happened for so many days are deleted, and people without tables "
        "who did not show their key for as long; null: never"
    )
    keep_uploads_days: float | None = Field(description="the same for games that were brought along")
    logs_addresses: bool = Field(description="whether every request is logged, with its address")
    contact: str | None = Field(description="whom to ask, where the operator tells")


class Meta(Answer):
    """What this server offers."""

    version: str
    api: int
    protocol: int
    rules_version: int
    players: PlayerLimits
    species: list[str] = Field(description="what grows for each seat")
    sizes: list[Size] = Field(description="what the columns of a player board hold, and sizes 0–3 on the board")
    modules: list[Module]
    animals: list[AnimalInfo]
    babies: list[Baby]
    editions: list[OptionValue]
    options: list[OptionInfo]
    levels: list[str] = Field(description="opponents for people, weakest first")
    bots: list[BotInfo] = Field(description="who can be seated at this server")
    board: list[BoardSpace]
    sun_corners: list[Space] = Field(description="the corner the sun stands at, for sun 0–5")
    sun_directions: list[list[int]] = Field(description="where its light travels (q, r), for sun 0–5")
    moon_places: list[list[int]] = Field(description="where the moon stands (q, r), outside the board, for at 0–17")
    limits: dict[str, int]
    talk: bool = Field(description="whether people can say something to each other here")
    lobby: bool = Field(description="whether there are tables that anybody may join, and a list of them")
    ratings: bool = Field(description="whether games can be rated here")
    rated_levels: dict[str, list[str]] = Field(
        description="the bots of rated games, weakest first, by the number of players: 2, 3, 4"
    )
    ranking: bool = Field(description="whether everybody is told who is how strong")


class Health(Answer):
    """Whether the server works."""

    status: Literal["ok", "starting", "failing"]
    version: str
    database: Literal["sqlite", "postgresql"]
    bots: Literal["warming", "ready", "down"]
    reason: str | None = Field(None, description="failing: why")


# Live

NOW = "the server's clock, seconds since 1970"
MORE = "there are more events up to the view's: they follow at once, in updates"


class Welcome(Update):
    """First message from the server."""

    type: Literal["welcome"]
    seats: list[int] = Field(description="mine; empty for spectators")
    left: list[int] = Field(description="those I have left and may take again")
    now: float = Field(description=NOW)
    talk: bool | None = Field(None, description="whether people talk here; told to those who say what they have heard")
    more: bool | None = Field(None, description=MORE)


class LiveUpdate(Update):
    """Something happened."""

    type: Literal["update"]
    seats: list[int] | None = Field(None, description="mine, where that has changed")
    left: list[int] | None = Field(None, description="those I may take again, where that has changed")
    more: bool | None = Field(None, description=MORE)


class Ack(Answer):
    """A command was carried out; the update has come or will come."""

    type: Literal["ack"]
    id: str
    acknowledged: int


class LiveTalk(Answer):
    """Something was said, in order; what comes first is what was missed."""

    type: Literal["talk"]
    said: list[Saying]


class LiveSaid(Answer):
    """What I said is kept, as this number."""

    type: Literal["said"]
    id: str
    number: int


class Refused(Answer):
    """A command or message was refused and changed nothing. What was missed comes as an update.

    Without an id it is about no command: a message could not be read, or a bot cannot act until somebody does
    something.
    """

    type: Literal["refused"]
    id: str | None
    error: Problem


class MineAt(MineEntry):
    """A table of mine; `at` is the place of its token among those that were sent."""

    at: int


class MineNews(Answer):
    """How tables of mine stand: all of them first, then those at which something happened."""

    type: Literal["mine"]
    tables: list[MineAt]


class Presence(Answer):
    """Who is connected has changed."""

    type: Literal["presence"]
    connected: list[bool]
    away_since: list[float | None] | None = Field(
        None, description="when each person was last seen; null for who is here"
    )
    watching: int
    stand_in_at: float | None = Field(None, description=STAND_IN_AT)


class Nudge(Answer):
    """Another person waits for this one to act."""

    type: Literal["nudge"]
    by: int = Field(description="the seat of who waits")
    seat: int = Field(description="the seat to act")


class AnalysisProgress(Answer):
    """An analysis went on; ask for it."""

    type: Literal["analysis"]
    done: int
    total: int


class Pong(Answer):
    """The answer to ping."""

    type: Literal["pong"]
    now: float = Field(description=NOW)


class Goodbye(Answer):
    """The server ends the connection; come again after `retry_after` seconds with `since`."""

    type: Literal["goodbye"]
    error: Problem
    retry_after: float | None = None


ServerMessage = (
    Welcome
    | LiveUpdate
    | Ack
    | LiveTalk
    | LiveSaid
    | Refused
    | Presence
    | MineNews
    | Nudge
    | AnalysisProgress
    | LobbyView
    | Pong
    | Goodbye
)
