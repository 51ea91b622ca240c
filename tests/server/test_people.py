"""People who want to be known again: an identity a browser, opened by keys, moved by codes, with its seats."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

from server.games import BOT, ME, OPEN, play_out
from server.process import Server, sqlite_in
from sunglade.client import Answer, Client, Refused, Seat
from sunglade.server import schema
from sunglade.table.tokens import new_token

Serve = Callable[..., Server]


def refused(kind: str) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=f"^{kind}:")


def person(server: Server, name: str | None = "Ada", **more: str) -> tuple[Client, Answer]:
    """Somebody new, in a browser of their own."""
    client = server.client()
    told = client.ask("POST", "/people", {"id": new_token(), "name": name, **more})
    schema.PersonOpened.model_validate(told)
    client.person = told["key"]
    return client, told


def tables(client: Client) -> list[Answer]:
    told = client.ask("GET", "/people/me/tables")
    schema.PersonTables.model_validate(told)
    found: list[Answer] = told["tables"]
    return found


def test_who_asks_again_with_the_same_id_is_the_same_person_with_the_same_key(anywhere: Server) -> None:
    with anywhere.client() as client:
        wish = {"id": new_token(), "name": "Ada", "species": "maple"}
        first, again = (client.ask("POST", "/people", wish) for _ in range(2))
        assert first == again and first["species"] == "maple"
        assert client.ask("POST", "/people", wish | {"id": new_token()})["person"] != first["person"]
        assert wish["id"] not in (first["key"], first["person"])


def test_a_person_changes_name_and_tree(anywhere: Server) -> None:
    client, told = person(anywhere)
    changed = client.ask("PUT", "/people/me", {"name": "  A\u202eda\n", "species": "acacia"})
    assert (changed["name"], changed["species"]) == ("Ada", "acacia")
    assert client.ask("GET", "/people/me") == changed and "key" not in changed
    assert client.ask("PUT", "/people/me", {"name": None, "species": None})["name"] is None
    for wrong in ({"name": "\u200b", "species": None}, {"name": "Ada", "species": "oak"}, {"name": "Ada"}):
        with refused("bad_request"):
            client.ask("PUT", "/people/me", wrong)
    assert told["name"] == "Ada"


def test_seats_that_were_taken_with_the_key_are_the_persons_and_no_others(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    ben, _ = person(anywhere, "Ben")
    made = ada.create([ME, OPEN])
    joined = ben.join(made.table, str(made.invite), "Ben")
    with anywhere.client() as stranger:
        other = stranger.create([ME, BOT])
    assert [(table["table"], table["mine"]) for table in tables(ada)] == [(made.table, [0])]
    assert [(table["table"], table["mine"]) for table in tables(ben)] == [(made.table, [1])]
    joined.command("leave")
    (left,) = tables(ben)
    assert (left["mine"], left["left"]) == ([], [1])
    assert other.table not in {table["table"] for table in (*tables(ada), *tables(ben))}


def test_a_seat_claimed_with_the_key_and_a_rematch_are_the_persons(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    with anywhere.client() as unknown:
        phone = unknown.create([ME, BOT], rules={"rounds": 1})
        laptop = ada.claim(phone.table, phone.move(0))
    assert [table["table"] for table in tables(ada)] == [laptop.table]
    laptop.command("resign")
    again = ada.ask("POST", f"/tables/{laptop.table}/rematch", token=laptop.token)
    assert {table["table"] for table in tables(ada)} == {laptop.table, again["table"]}


def test_tables_are_told_in_pages_the_newest_first(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    made = [ada.create([ME, BOT], rules={"rounds": 1}).table for _ in range(23)]
    first = ada.ask("GET", "/people/me/tables")
    rest = ada.ask("GET", "/people/me/tables", params={"before": first["next"]})
    assert [table["table"] for table in (*first["tables"], *rest["tables"])] == made[::-1]
    assert len(first["tables"]) == 20 and rest["next"] is None
    with refused("bad_request"):
        ada.ask("GET", "/people/me/tables", params={"before": "nonsense"})


def test_seats_a_browser_had_before_become_its_persons_once_and_nobody_elses(anywhere: Server) -> None:
    with anywhere.client() as before:
        seats = [before.create([ME, BOT]) for _ in range(2)]
    ada, _ = person(anywhere)
    ben, _ = person(anywhere, "Ben")
    tokens = {"tokens": [seat.token for seat in seats]}
    assert ada.ask("POST", "/people/me/seats", tokens) == {"linked": 2}
    assert ada.ask("POST", "/people/me/seats", tokens) == {"linked": 0}
    assert ben.ask("POST", "/people/me/seats", {"tokens": [*tokens["tokens"], "guessed"]}) == {"linked": 0}
    assert {table["table"] for table in tables(ada)} == {seat.table for seat in seats} and tables(ben) == []


def test_another_browser_becomes_the_same_person_by_a_code_and_both_play_on(anywhere: Server) -> None:
    phone, told = person(anywhere)
    seat = phone.create([ME, BOT])
    code = phone.ask("POST", "/people/me/move")["code"]
    with anywhere.client() as laptop:
        claim = {"code": code, "id": new_token()}
        opened = laptop.ask("POST", "/people/claim", claim)
        schema.PersonOpened.model_validate(opened)
        assert laptop.ask("POST", "/people/claim", claim) == opened  # the answer was lost, and comes again
        assert opened["person"] == told["person"] and opened["key"] != told["key"]
        laptop.person = opened["key"]
        given, again = (laptop.ask("POST", f"/tables/{seat.table}/seat") for _ in range(2))
        assert given["token"] == again["token"] != seat.token and given["seats"] == [0]
        renaming = {"id": "c1", "do": "rename", "name": "Ada here"}
        laptop.ask("POST", f"/tables/{seat.table}/commands", renaming, token=given["token"])
        assert [table["table"] for table in tables(laptop)] == [seat.table]
    seat.command("rename", name="Ada there")


def test_tabs_of_a_browser_that_ask_for_a_seat_at_the_same_time_get_the_same_token(anywhere: Server) -> None:
    """The token was kept twice: for one of them something went wrong in the server."""
    ada, _ = person(anywhere)
    for _ in range(5):
        seat = ada.create([ME, BOT])
        with ThreadPoolExecutor(6) as tabs:
            asked = [tabs.submit(ada.ask, "POST", f"/tables/{seat.table}/seat") for _ in range(6)]
        assert len({done.result()["token"] for done in asked}) == 1


@pytest.mark.parametrize("wrong", ["spent", "older", "guessed"])
def test_codes_are_good_once_and_only_the_last_one(anywhere: Server, wrong: str) -> None:
    client, _ = person(anywhere)
    code = "guessed" if wrong == "guessed" else client.ask("POST", "/people/me/move")["code"]
    with anywhere.client() as other:
        if wrong == "spent":
            other.ask("POST", "/people/claim", {"code": code, "id": new_token()})
        if wrong == "older":
            client.ask("POST", "/people/me/move")
        with refused("wrong_invite"):
            other.ask("POST", "/people/claim", {"code": code, "id": new_token()})


def test_a_code_is_good_for_a_quarter_of_an_hour(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    client, _ = person(server)
    told = client.ask("POST", "/people/me/move")
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        ((expires,),) = database.execute("SELECT expires FROM person_codes")
        assert expires == told["expires"]
        database.execute("UPDATE person_codes SET expires = expires - 901")
    with server.client() as other, refused("wrong_invite"):
        other.ask("POST", "/people/claim", {"code": told["code"], "id": new_token()})


# What others try


@pytest.mark.parametrize("key", ["", "x", "x" * 22, "x" * 5000, "'; DROP TABLE people; --"])
def test_guessed_keys_open_nobody(anywhere: Server, key: str) -> None:
    ada, _ = person(anywhere)
    seat = ada.create([ME, OPEN])
    with httpx.Client(base_url=f"{anywhere.url}/api", headers={"Sunglade-Person": key}, timeout=300) as http:
        for method, path in [
            ("GET", "/people/me"), ("POST", "/people/me/move"), ("GET", "/people/me/tables"),
            ("POST", f"/tables/{seat.table}/seat"),
        ]:  # fmt: skip
            assert http.request(method, path).json()["error"]["kind"] == "wrong_person"
        if key:
            answer = http.post(f"/tables/{seat.table}/join", json={"invite": seat.invite, "name": "Eve"})
            assert answer.json()["error"]["kind"] == "wrong_person"
    assert ada.ask("GET", f"/tables/{seat.table}")["view"]["seats"][1]["kind"] == "open"


def test_nobody_gets_a_seat_of_somebody_else(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    eve, _ = person(anywhere, "Eve")
    seat = ada.create([ME, OPEN])
    with refused("wrong_person"):
        eve.ask("POST", f"/tables/{seat.table}/seat")
    for path in ("/commands", "/invite"):
        with refused("wrong_token"):  # a person's key is no token
            eve.ask("POST", f"/tables/{seat.table}{path}", {"id": "c", "do": "leave"}, token=ada.person)


def test_guessing_keys_and_codes_is_slowed_down(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client, refused("too_fast"):
        for _ in range(60):
            try:
                client.ask("POST", "/people/claim", {"code": new_token(), "id": new_token()})
            except Refused as error:
                if error.kind != "wrong_invite":
                    raise


def test_an_address_makes_only_so_many_people(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client, refused("too_fast"):
        for _ in range(12):
            client.ask("POST", "/people", {"id": new_token()})


def test_neither_keys_nor_codes_are_kept(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    client, told = person(server)
    code = client.ask("POST", "/people/me/move")["code"]
    client.create([ME, BOT])
    server.stop()
    kept = (tmp_path / "tables.sqlite").read_bytes()
    assert b"Ada" in kept
    for secret in (told["key"], code):
        assert secret.encode() not in kept


def test_people_and_their_seats_are_in_backups(serve: Serve, tmp_path: Path) -> None:
    from server.test_keeping import sunglade

    server = serve()
    client, told = person(server)
    seat = client.create([ME, BOT])
    file, elsewhere = tmp_path / "backup.gz", f"sqlite+aiosqlite:///{tmp_path / 'other.sqlite'}"
    here = sqlite_in(tmp_path)
    assert sunglade("tables", "backup", str(file), "--database", here).returncode == 0
    server.stop()
    done = sunglade("tables", "restore", str(file), "--database", elsewhere)
    assert done.returncode == 0, done.stderr
    restored = serve(database=elsewhere)
    with restored.client() as again:
        again.person = told["key"]
        assert again.ask("GET", "/people/me")["name"] == "Ada"
        assert [table["table"] for table in tables(again)] == [seat.table]


# What games come to


def finished(client: Client, name: str = "Ada", seed: int = 5) -> Seat:
    """A game of one round against a bot, played by chance to its end."""
    seat = client.create([{"kind": "me", "name": name}, BOT], rules={"rounds": 1}, seed=seed)
    play_out(seat, rng=random.Random(seed))
    return seat


def test_finished_games_are_counted_by_opponent_and_number_of_players(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    ben, _ = person(anywhere, "Ben")
    seat = finished(ada)
    with_ben = ada.create([ME, OPEN, BOT])
    ben.join(with_ben.table, str(with_ben.invite), "Ben").command("resign")
    with_ben.command("resign")
    ada.create([ME, BOT])  # still runs
    shared = ada.create([ME, ME])
    shared.command("resign", seat=0)
    told = ada.ask("GET", "/people/me/statistics")
    schema.Statistics.model_validate(told)
    won = int(0 in seat.view["result"]["winners"])
    assert told["results"] == [
        {"players": 2, "against": "random", "games": 1, "won": won},
        {"players": 3, "against": "people", "games": 1, "won": 0},
    ]
    assert told["shared"] == 1 and told["next"] is None
    points = {game["points"] for game in told["games"]}
    assert seat.view["result"]["scores"][0]["total"] in points


def test_light_and_spaces_are_those_of_the_persons_own_actions(anywhere: Server) -> None:
    ada, _ = person(anywhere)
    seat = finished(ada, seed=11)
    told = ada.ask("GET", "/people/me/statistics")
    mine = [event for event in ada.ask("GET", f"/tables/{seat.table}/events") if event.get("seat") == 0]
    spent = [change.get("light", 0) for event in mine for change in event.get("changes") or () if change["seat"] == 0]
    assert told["light"] == -sum(light for light in spent if light < 0)
    spaces = [event["space"] for event in mine if event["kind"] in ("place", "plant", "grow")]
    assert {each["space"]: each["count"] for each in told["spaces"]} == Counter(spaces)


def test_everything_that_is_kept_of_a_person_can_be_had(anywhere: Server) -> None:
    ada, told = person(anywhere, species="maple")
    tables = [finished(ada), ada.create([ME, OPEN])]
    tables[1].say("My own words")
    with anywhere.client() as stranger:
        stranger.join(tables[1].table, str(tables[1].invite), "Ben").say("Words of somebody else")
    kept = ada.ask("GET", "/people/me/export")
    schema.PersonExport.model_validate(kept)
    assert (kept["person"], kept["name"], kept["species"]) == (told["person"], "Ada", "maple")
    said = {each["table"]["table"]: [saying["text"] for saying in each["said"]] for each in kept["tables"]}
    assert said == {tables[0].table: [], tables[1].table: ["My own words"]}
    assert str(ada.person) not in json.dumps(kept)


# Being forgotten


def until_forgotten(server: Server, seat: Seat) -> None:
    """Wait until a table tells that its seat has no name."""
    with server.client() as anybody:
        while anybody.ask("GET", f"/tables/{seat.table}")["view"]["seats"][seat.seats[0]]["name"] is not None:
            pass


def test_who_is_forgotten_has_no_name_at_any_table_and_the_games_go_on(anywhere: Server) -> None:
    ada, _ = person(anywhere, "Adalgunde")
    ben, _ = person(anywhere, "Ben")
    running = ada.create([{"kind": "me", "name": "Adalgunde"}, OPEN])
    joined = ben.join(running.table, str(running.invite), "Ben")
    running.command("rename", name="Adalgunde II")
    over = finished(ada, "Adalgunde")
    actions = over.game()["actions"]
    again = ada.ask("POST", f"/tables/{over.table}/rematch", token=over.token)["table"]
    key = ada.person
    assert ada.ask("DELETE", "/people/me")["forgotten"]
    with refused("wrong_person"):
        ada.ask("GET", "/people/me")
    ada.person = None
    for seat in (running, over):
        until_forgotten(anywhere, seat)
    while "Adalgunde" in json.dumps(ada.ask("GET", f"/tables/{again}")):
        pass
    for table in (running.table, over.table, again):
        for path in ("", "/events", "/game"):
            while "Adalgunde" in json.dumps(ada.ask("GET", f"/tables/{table}{path}")):
                pass  # the log is rewritten a moment after the table has told of it
    assert over.game()["actions"] == actions
    assert "forgotten" in {event["kind"] for event in ada.ask("GET", f"/tables/{running.table}/events")}
    assert joined.refresh() and joined.view["seats"][1]["name"] == "Ben"
    running.command("rename", name="Somebody else")  # the seat's token is as good as before
    assert joined.refresh() and joined.view["seats"][0]["name"] == "Somebody else"
    ada.person = key
    with refused("wrong_person"):
        ada.create([ME, BOT])
    ada.person = None


def test_whoever_was_to_be_forgotten_when_the_server_was_killed_is_forgotten_later(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    ada, told = person(server, "Adalgunde")
    seat = ada.create([{"kind": "me", "name": "Adalgunde"}, BOT])
    server.kill()
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:  # as far as one transaction brings it
        database.execute("DELETE FROM person_keys")
        database.execute("UPDATE people SET name = NULL, species = NULL, leaving = TRUE")
    again = serve()
    until_forgotten(again, seat)
    while people_in(tmp_path):
        pass
    again.stop()
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        kept = "\n".join(database.iterdump())
    assert "Adalgunde" not in kept and told["person"] not in kept


def test_a_table_that_cannot_be_read_keeps_nobody_from_being_forgotten(serve: Serve, tmp_path: Path) -> None:
    """Neither at other tables, nor after them in the list."""
    server = serve()
    ada, _ = person(server, "Adalgunde")
    whole, spoilt = (ada.create([{"kind": "me", "name": "Adalgunde"}, BOT]) for _ in range(2))
    server.stop()
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        damage = 'UPDATE events SET data = \'{"no": "event"}\' WHERE table_id = ? AND seq = 1'
        database.execute(damage, (spoilt.table,))
    again = serve()
    Client(again.url, person=ada.person).ask("DELETE", "/people/me")
    until_forgotten(again, whole)
    while people_in(tmp_path):
        pass
    again.stop()
    assert all(spoilt.table in error for error in again.errors())


def people_in(folder: Path) -> int:
    """How many people a database knows."""
    with sqlite3.connect(folder / "tables.sqlite") as database:
        ((count,),) = database.execute("SELECT COUNT(*) FROM people")
    return int(count)


def test_a_name_of_another_player_stays(anywhere: Server) -> None:
    """Somebody else sat down where a person had been: their name is their own."""
    ada, _ = person(anywhere, "Adalgunde")
    ben, _ = person(anywhere, "Ben")
    table = ben.create([ME, OPEN])
    ada.join(table.table, str(table.invite), "Adalgunde").command("leave")
    with anywhere.client() as eve:
        eve.join(table.table, str(table.invite), "Eve")
    ada.ask("DELETE", "/people/me")
    ada.person = None
    while "Adalgunde" in json.dumps(ada.ask("GET", f"/tables/{table.table}/events")):
        pass
    table.refresh()
    assert [seat["name"] for seat in table.view["seats"]] == ["Ada", "Eve"]
