"""What a request can be refused for: a stable kind, a status, a sentence (schema.Problem)."""

from __future__ import annotations

from typing import Any, Final

from sunglade.errors import SungladeError

STATUS: Final[dict[str, int]] = {
    "bad_json": 400,
    "bad_request": 422,
    "bad_rules": 422,
    "illegal_action": 409,
    "unknown_table": 404,
    "unknown_seat": 404,
    "unknown_page": 404,
    "not_allowed": 405,
    "wrong_token": 401,
    "wrong_person": 401,
    "wrong_invite": 403,
    "wrong_origin": 403,
    "wrong_host": 421,
    "seat_taken": 409,
    "table_full": 409,
    "not_your_turn": 409,
    "waiting_for_players": 409,
    "game_over": 409,
    "game_running": 409,
    "nothing_to_undo": 409,
    "nothing_to_redo": 409,
    "has_resigned": 409,
    "no_offer": 409,
    "offer_open": 409,
    "too_soon": 409,
    "nothing_to_take_back": 409,
    "no_clock": 409,
    "no_vacation": 409,
    "no_notices": 409,
    "time_over": 409,
    "no_lobby": 409,
    "not_listed": 409,
    "no_ratings": 409,
    "needs_person": 401,
    "rated_game": 409,
    "rated_rules": 409,
    "stale": 409,
    "command_id_reused": 409,
    "no_assistance": 403,
    "not_owner": 403,
    "not_served": 403,
    "player_present": 409,
    "clock_decides": 409,
    "no_talk": 403,
    "muted": 403,
    "too_fast": 429,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
    "rules_changed": 409,
    "shutting_down": 503,
    "storage_full": 507,
    "internal": 500,
}


class ServerProblem(Exception):
    """A request that is refused; nothing has changed."""

    def __init__(self, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.more = more

    @property
    def status(self) -> int:
        """The HTTP status for it."""
        return STATUS[self.kind]

    def as_dict(self) -> dict[str, Any]:
        """What `schema.Problem` tells."""
        return {"kind": self.kind, "message": self.message, **self.more}


def no_such_table() -> ServerProblem:
    """Nobody knows of such a table, or no longer does."""
    return ServerProblem("unknown_table", "there is no such table.")


def table_deleted() -> ServerProblem:
    """It was there when whoever asks last looked."""
    return ServerProblem("unknown_table", "this table has been deleted.")


def unreadable_table() -> ServerProblem:
    """It is there, but this version cannot read it."""
    return ServerProblem("rules_changed", "this table was played under rules that this version does not know.")


def problem_of(error: SungladeError) -> ServerProblem:
    """What the game says about bad input, as the server tells it."""
    more = {} if error.at is None else {"at": error.at}
    return ServerProblem(error.kind, error.message, **more)
