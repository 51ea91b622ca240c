"""Rated games: agreed on by people who are known, reckoned with once, told to those whom it concerns."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.games import ME, OPEN
from server.postgres import Postgres
from server.process import Server
from server.test_keeping import sunglade
from server.test_people import person, refused
from sunglade.client import Answer, Client, Refused, Seat
from sunglade.server import schema
from sunglade.server.ratings.reckoning import UNKNOWN, anchor, reckon

Serve = Callable[..., Server]
RATED = {"rated": True, "assistance": False}
MAPLE = {"kind": "bot", "level": "maple"}
SAPLING = {"kind": "bot", "level": "sapling"}
SERVER_OPTIONS = ("--lobby", "--ranking")  # everybody is told who is how strong


def at_table(seat: Seat) -> Answer:
    told: Answer = seat.client.ask("GET", f"/tables/{seat.table}/ratings", token=seat.token)
    schema.TableRatings.model_validate(told)
    return told


def counted(seat: Seat) -> Answer:
    """What a game that is over was worth, once it has been reckoned with."""
    while (told := at_table(seat))["state"] == "pending":
        time.sleep(0.1)
    return told


def mine(client: Client) -> Answer:
    told: Answer = client.ask("GET", "/people/me/ratings")
    schema.MyRatings.model_validate(told)
    return told


def two(server: Server, **options: Any) -> tuple[Seat, Seat]:
    """A rated game of two people that has begun."""
    ada, ben = person(server)[0], person(server, "Ben")[0]
    made = ada.create([ME, OPEN], **(RATED | options))
    joined = ben.join(made.table, str(made.invite), "Ben")
    made.refresh()
    return made, joined


def play_to_the_end(*seats: Seat) -> None:
    """Everybody ends their turns at once."""
    while not seats[0].over:
        for seat in seats:
            seat.refresh()
            while seat.my_turn and not seat.over:
                seat.play("end" if "end" in seat.legal else seat.legal[0])
        if not any(seat.my_turn for seat in seats) and not seats[0].over:
            seats[0].wait()


# What it is worth


def test_a_result_counts_once_for_both_and_is_told_to_both(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    assert (
        at_table(ada)["state"] == "open" and [each["before"] for each in at_table(ada)["seats"]] == [UNKNOWN.told()] * 2
    )
    ben.command("resign")
    winner, loser = reckon([UNKNOWN, UNKNOWN], [1, 2])
    told = counted(ada)
    assert told["state"] == "counted" and told == counted(ben)
    assert [each["place"] for each in told["seats"]] == [1, 2]
    assert [each["after"] for each in told["seats"]] == [winner.told(), loser.told()]
    for seat, rating in ((ada, winner), (ben, loser)):
        assert mine(seat.client)["ratings"] == [{"players": 2, "games": 1, **rating.told()}]
        (result,) = mine(seat.client)["results"]
        assert (result["table"], result["before"], result["after"]) == (seat.table, UNKNOWN.told(), rating.told())
    ada.command("rename", name="Ada B")  # an event after the end counts nothing anew
    time.sleep(2.5)
    assert mine(ada.client)["ratings"][0]["games"] == 1 and counted(ada) == told


def test_a_bot_is_an_anchor_that_no_result_moves(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    seat = ada.create([ME, SAPLING], **RATED)
    assert at_table(seat)["seats"][1]["before"] == anchor("sapling", 2).told()
    seat.command("resign")
    bot = counted(seat)["seats"][1]
    assert (bot["place"], bot["before"], bot["after"]) == (1, anchor("sapling", 2).told(), None)
    expected = reckon([UNKNOWN, anchor("sapling", 2)], [2, 1])[0]
    assert mine(ada)["ratings"] == [{"players": 2, "games": 1, **expected.told()}]


def test_a_game_that_is_played_out_counts_by_points_and_each_number_of_players_apart(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    three = ada.create([ME, SAPLING, SAPLING], **RATED)
    play_to_the_end(three)
    points = three.view["result"]["scores"]
    order = [(score["total"], score["pieces"]) for score in points]
    places = [1 + sum(other > each for other in order) for each in order]
    assert [each["place"] for each in counted(three)["seats"]] == places
    again = ada.create([ME, SAPLING], **RATED)
    again.command("resign")
    counted(again)
    assert [(each["players"], each["games"]) for each in mine(ada)["ratings"]] == [(2, 1), (3, 1)]
    assert [result["table"] for result in mine(ada)["results"]] == [again.table, three.table]


def test_who_left_comes_last_whatever_the_bot_made_of_it(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    ben.command("leave")
    play_to_the_end(ada)
    assert [each["place"] for each in counted(ada)["seats"]] == [1, 2]
    assert mine(ben.client)["ratings"][0]["rating"] < UNKNOWN.mu


def test_a_game_that_all_agree_to_end_counts_for_nobody(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    ada.command("offer", offer="end", expected=ada.seq)
    ben.refresh()
    ben.command("agree", expected=ben.seq)
    ada.refresh()
    assert counted(ada)["state"] == "not_counted"
    assert mine(ada.client) == {"ratings": [], "results": []}


def test_a_rematch_is_rated_too_for_whoever_is_known(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    ben.command("resign")
    counted(ada)
    with anywhere.client() as unknown, refused("needs_person"):
        unknown.ask("POST", f"/tables/{ada.table}/rematch", token=ada.token)
    again = Seat(ada.client, ada.client.ask("POST", f"/tables/{ada.table}/rematch", token=ada.token))
    Seat(ben.client, ben.client.ask("POST", f"/tables/{ben.table}/rematch", token=ben.token))
    assert again.view["settings"]["rated"] is True
    again.command("resign")
    assert counted(again)["state"] == "counted"
    assert [each["games"] for each in (*mine(ada.client)["ratings"], *mine(ben.client)["ratings"])] == [2, 2]


# Who and how


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        ([ME, OPEN], {"assistance": True}),
        ([ME, OPEN], {"teaching": "gentle"}),
        ([ME, OPEN], {"seed": 7}),
        ([ME, OPEN], {"takeover_after": None}),
        ([ME, ME], {}),
        ([ME, {"kind": "bot", "level": "random"}], {}),
        ([ME, {"kind": "bot", "level": "elder"}], {}),
        ([ME, MAPLE | {"adapts": True}], {}),
    ],
)
def test_what_a_rated_game_cannot_have_is_refused(anywhere: Server, seats: list[Any], options: dict[str, Any]) -> None:
    ada, _ = person(anywhere)
    with refused("bad_request"):
        ada.create(seats, **(RATED | options))


def test_bots_play_rated_games_only_by_the_rules_by_which_they_were_measured(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    for rules in ({"rounds": 1}, {"modules": ["moon"]}, {"edition": "us", "shade_forbids": True}):
        with refused("rated_rules"):
            ada.create([ME, SAPLING], **RATED, rules=rules)
        made = ada.create([ME, OPEN], **RATED, takeover_after=60, rules=rules)
        with refused("rated_rules"):
            made.command("fill", seat=1, level="maple")
    ada.create([ME, SAPLING], **RATED, rules={"edition": "de"})


def test_only_people_who_are_known_sit_down_and_each_once(anywhere: Server) -> None:
    with anywhere.client() as unknown:
        with refused("needs_person"):
            unknown.create([ME, OPEN], **RATED)
        ada, _ = person(anywhere)
        made = ada.create([ME, OPEN, OPEN], **RATED)
        with refused("needs_person"):
            unknown.join(made.table, str(made.invite), "Eve")
    phone = anywhere.client()
    code = ada.ask("POST", "/people/me/move", {})["code"]
    phone.person = phone.ask("POST", "/people/claim", {"code": code, "id": "x" * 24})["key"]
    for browser in (ada, phone):
        with refused("seat_taken"):
            browser.join(made.table, str(made.invite), "Ada again")
    with refused("seat_taken"):
        ada.ask("POST", f"/tables/{made.table}/join", {"invite": made.invite}, token=made.token)


def test_nobody_else_plays_in_ones_place(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    eve, _ = person(anywhere, "Eve")
    with refused("rated_game"):
        ada.command("hand_over")
    ben.command("leave")
    with refused("rated_game"):
        ada.command("fill", seat=1, level="maple")
    with refused("rated_game"):
        eve.join(ada.table, str(ada.invite), "Eve")
    ada.refresh()
    assert ada.view["seats"][1]["level"] == "seedling"
    ben.command("sit_again")
    ada.command("resign")
    assert [each["place"] for each in counted(ada)["seats"]] == [2, 1]


def test_the_owner_of_a_rated_table_lets_nobody_play_for_an_opponent_who_is_away(anywhere: Server) -> None:
    """They would have come last for it, whatever their points."""
    ada, _ = two(anywhere)
    for doing in ("reopen", "stand_in"):
        while True:  # Ben counts as present for a moment
            with pytest.raises(Refused) as problem:
                ada.command(doing, seat=1)
            if problem.value.kind != "player_present":
                break
            time.sleep(0.5)
        assert problem.value.kind == "rated_game"


def test_an_open_seat_is_filled_by_bots_of_known_strength_before_the_game_begins(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    made = ada.create([ME, OPEN], **RATED)
    with refused("bad_request"):
        made.command("fill", seat=1, level="random")
    made.command("fill", seat=1, level="maple")
    made.command("resign")
    assert counted(made)["seats"][1]["before"] == anchor("maple", 2).told()


def test_the_lobby_tells_what_is_rated_and_takes_only_people_who_are_known(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    made = ada.create([ME, OPEN], **(RATED | {"listed": True}))
    (listed,) = [table for table in ada.ask("GET", "/lobby")["waiting"] if table["table"] == made.table]
    assert listed["rated"] is True
    with anywhere.client() as unknown, refused("needs_person"):
        unknown.ask("POST", f"/tables/{made.table}/join", {"name": "Eve"})
    ben, _ = person(anywhere, "Ben")
    ben.ask("POST", f"/tables/{made.table}/join", {"name": "Ben"})
    made.refresh()
    assert made.view["status"] == "playing"


# Who is told


def test_ratings_go_with_whoever_is_forgotten_and_others_keep_theirs(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    ben.command("resign")
    counted(ada)
    before = mine(ada.client)
    export = ben.client.ask("GET", "/people/me/export")
    schema.PersonExport.model_validate(export)
    assert export["ratings"] == mine(ben.client)
    ben.client.ask("DELETE", "/people/me")
    with refused("wrong_person"):
        mine(ben.client)
    assert mine(ada.client) == before and counted(ada)["state"] == "counted"


def test_a_game_with_somebody_who_was_forgotten_meanwhile_counts_for_nobody(anywhere: Server) -> None:
    ada, ben = two(anywhere)
    ben.client.ask("DELETE", "/people/me")
    ada.refresh()
    ada.command("resign")
    assert counted(ada)["state"] == "not_counted" and mine(ada.client)["ratings"] == []


def test_the_ranking_has_those_who_are_known_well_and_the_bots(anywhere: Server) -> None:
    ada, _ = person(anywhere, "Ada Ranked", species="maple")
    for game in range(12):
        if game == 9:
            assert not any(each["me"] for each in ada.ask("GET", "/ranking", params={"players": 2})["people"])
        seat = ada.create([ME, SAPLING], **RATED)
        seat.command("resign")
        counted(seat)
    told = ada.ask("GET", "/ranking", params={"players": 2})
    schema.Ranking.model_validate(told)
    (me,) = [each for each in told["people"] if each["me"]]
    (now,) = mine(ada)["ratings"]
    assert (me["name"], me["species"], me["games"]) == ("Ada Ranked", "maple", 12)
    assert {key: me[key] for key in ("rating", "low", "high")} == {key: now[key] for key in ("rating", "low", "high")}
    assert [bot["level"] for bot in told["bots"]] == ["sequoia", "oak", "maple", "birch", "sapling", "seedling"]
    assert [each["place"] for each in told["people"]] == list(range(1, len(told["people"]) + 1))
    with anywhere.client() as anybody:
        assert not any(each["me"] for each in anybody.ask("GET", "/ranking")["people"])
        with refused("bad_request"):
            anybody.ask("GET", "/ranking", params={"players": 5})


def test_nobody_is_told_who_is_how_strong_unless_the_operator_wants_it(serve: Serve) -> None:
    server = serve()
    ada, _ = person(server)
    assert (ada.meta()["ratings"], ada.meta()["ranking"]) == (True, False)
    with refused("no_ratings"):
        ada.ask("GET", "/ranking")


def test_an_operator_may_have_no_rated_games_at_all(serve: Serve) -> None:
    server = serve("--no-ratings", "--ranking")
    ada, _ = person(server)
    assert (ada.meta()["ratings"], ada.meta()["ranking"]) == (False, False)
    with refused("no_ratings"):
        ada.create([ME, OPEN], **RATED)
    for path in ("/ranking", "/people/me/ratings"):
        with refused("no_ratings"):
            ada.ask("GET", path)
    assert "ratings" not in ada.ask("GET", "/people/me/export")


def test_a_table_that_is_not_rated_has_no_ratings_and_private_ones_tell_strangers_nothing(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    plain = ada.create([ME, OPEN])
    with refused("no_ratings"):
        at_table(plain)
    closed = ada.create([ME, OPEN], **(RATED | {"spectators": False}))
    with anywhere.client() as stranger, refused("wrong_token"):
        stranger.ask("GET", f"/tables/{closed.table}/ratings")


# Kept


def test_ratings_and_what_they_came_of_are_in_backups(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    ada, _ = person(server)
    seat = ada.create([ME, SAPLING], **RATED)
    seat.command("resign")
    before = counted(seat), mine(ada)
    file, elsewhere = tmp_path / "backup.gz", f"sqlite+aiosqlite:///{tmp_path / 'other.sqlite'}"
    done = sunglade("tables", "backup", str(file), "--database", server.database)
    assert done.returncode == 0, done.stderr
    done = sunglade("tables", "restore", str(file), "--database", elsewhere)
    assert done.returncode == 0, done.stderr
    restored = Client(serve(database=elsewhere).url, person=ada.person)
    assert (counted(restored.sit(seat.table, seat.token)), mine(restored)) == before


# Killed in between


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_killed_between_the_end_and_the_reckoning_counts_it_once(
    serve: Serve, kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """With PostgreSQL another process is there all the time, and both look for results."""
    postgres: Postgres | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    url = f"sqlite+aiosqlite:///{tmp_path / 'kept.sqlite'}" if postgres is None else postgres.new_database()
    servers = [serve(database=url) for _ in range(1 if postgres is None else 2)]
    ada, _ = person(servers[0])
    for _ in range(5):
        seats = [ada.create([ME, SAPLING], **RATED) for _ in range(4)]
        for seat in seats:
            seat.command("resign")
        servers[0].kill()
        servers[0].start()
    seats[0].client.url = servers[0].url
    again = Client(servers[0].url, person=ada.person)
    while mine(again)["ratings"][0]["games"] < 20:
        time.sleep(0.1)
    time.sleep(2.5)
    told = mine(again)
    rating = UNKNOWN
    for _ in range(20):
        rating = reckon([rating, anchor("sapling", 2)], [2, 1])[0]
    assert told["ratings"] == [{"players": 2, "games": 20, **rating.told()}]
    assert len({result["table"] for result in told["results"]}) == len(told["results"]) == 20


def test_a_table_that_cannot_be_read_holds_up_nobody_elses_result(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    ada, _ = person(server)
    tables = []
    for _ in range(2):
        seat = ada.create([ME, SAPLING], **RATED)
        seat.command("resign")
        counted(seat)
        tables.append(seat.table)
    assert server.stop() == 0
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
        for kept in ("rated_seats", "rated_games", "standings"):
            database.execute(f"DELETE FROM {kept}")
        database.execute("UPDATE tables SET rating_due = 1")
        database.execute('UPDATE events SET data = \'{"no": "event"}\' WHERE table_id = ? AND seq = 1', tables[:1])
    server.start()
    again = Client(server.url, person=ada.person)
    while not mine(again)["results"]:
        time.sleep(0.1)
    assert [result["table"] for result in mine(again)["results"]] == tables[1:]
    (told,) = server.errors()
    assert "cannot be replayed" in told and tables[0] in told
