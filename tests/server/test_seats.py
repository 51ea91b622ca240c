"""Seats that last: who left comes back while nobody else sits there; the owner opens seats of those who stay away."""

from __future__ import annotations

import json
import random
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from server.games import BOT, ME, OPEN, play_out
from server.process import Server
from sunglade.client import Answer, Client, Live, Refused, Seat
from sunglade.server import schema

Serve = Callable[..., Server]
ID = "0123456789abcdef0123456789abcdef"
HANG_S = 300.0
OTHER = "fedcba9876543210fedcba9876543210"


def refused(kind: str) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=f"^{kind}:")


def two(client: Client, **options: Any) -> tuple[Seat, Seat]:
    """Ada, whose table it is, and Ben."""
    ada = client.create([ME, OPEN], **options)
    return ada, client.join(ada.table, str(ada.invite), "Ben")


def heard(live: Live, kind: str) -> Answer:
    """The next message of a kind."""
    while (message := live.receive())["type"] != kind:
        pass
    return message


def summary(client: Client, seat: Seat) -> dict[str, object]:
    (entry,) = client.ask("POST", "/mine", {"tokens": [seat.token]})["tables"]
    schema.MineEntry.model_validate(entry)
    found: dict[str, object] = entry["table"]
    return found


# Coming back to a seat one has left


def test_who_left_a_running_game_comes_back_to_the_seat_and_the_name(client: Client) -> None:
    ada, ben = two(client)
    play_out(ada, ben, rng=random.Random(8), rounds=1)
    ben.command("leave")
    assert ben.view["seats"][1]["kind"] == "open" and ben.view["seats"][1]["playing"] == "bot"
    assert summary(client, ben)["mine"] == [] and summary(client, ben)["left"] == [1]
    ben.command("sit_again")
    assert ben.view["seats"][1]["name"] == "Ben" and ben.view["seats"][1]["playing"] == "person"
    assert [event["kind"] for event in ben.events][-1] == "sat_again"
    assert summary(client, ben)["mine"] == [1] and summary(client, ben)["left"] == []
    ben.command("rename", name="Benjamin")


def test_who_left_before_the_game_began_comes_back(client: Client) -> None:
    _, ben = two(client)
    ben.command("leave")
    assert ben.view["status"] == "waiting"
    ben.command("sit_again", seat=1)
    assert ben.view["status"] == "playing"


def test_coming_back_twice_with_the_same_id_is_one_event(client: Client) -> None:
    _, ben = two(client)
    ben.command("leave")
    first = ben.command("sit_again", identity="again")["acknowledged"]
    assert ben.command("sit_again", identity="again")["acknowledged"] == first
    ben.command("leave", identity="later")
    assert ben.command("sit_again", identity="again")["acknowledged"] == first  # it was then, and is not done anew
    assert ben.view["seats"][1]["kind"] == "open"
    with refused("command_id_reused"):
        ben.command("sit_again", identity="later")


def test_a_seat_that_somebody_else_took_is_gone(client: Client) -> None:
    ada, ben = two(client)
    ben.command("leave")
    cleo = client.join(ada.table, str(ada.invite), "Cleo")
    with refused("seat_taken"):
        ben.command("sit_again")
    with refused("seat_taken"):
        ben.command("sit_again", seat=1)
    cleo.command("leave")  # the seat remembers who sat there last
    with refused("seat_taken"):
        ben.command("sit_again")
    cleo.command("sit_again")


def test_a_seat_that_a_bot_was_given_is_gone(client: Client) -> None:
    ada, ben = two(client)
    ben.command("leave")
    ada.command("fill", seat=1, level="random")
    with refused("seat_taken"):
        ben.command("sit_again")


def test_nobody_takes_a_seat_that_another_left(client: Client) -> None:
    ada, ben = two(client)
    ben.command("leave")
    with refused("seat_taken"):
        ada.command("sit_again")
    with refused("seat_taken"):
        ada.command("sit_again", seat=1)
    stranger = client.create([ME, BOT])
    body = {"id": "x", "do": "sit_again"}
    for token in (stranger.token, "x" * 22, None):
        with refused("wrong_token"):
            client.ask("POST", f"/tables/{ada.table}/commands", body, token=token)
    with refused("seat_taken"):
        stranger.command("sit_again", seat=0)  # where one sits already


def test_each_of_several_seats_comes_back(client: Client) -> None:
    table = client.create([ME, {"kind": "me", "name": "Ben"}, BOT])
    for seat in (0, 1):
        table.command("leave", seat=seat)
    table.command("sit_again", seat=1)
    table.command("sit_again")
    assert [seat["name"] for seat in table.view["seats"][:2]] == ["Ada", "Ben"]


def test_a_seat_comes_back_after_the_server_was_killed(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        ada, ben = two(client)
        play_out(ada, ben, rng=random.Random(3), rounds=1)
        left = ben.command("leave", identity="left")["acknowledged"]
    server.kill()
    server = serve()
    with server.client() as client:
        back = client.sit(ben.table, ben.token)
        assert back.seats == []
        first = back.command("sit_again", identity="again")["acknowledged"]
        assert first > left
    server.kill()
    server = serve()
    with server.client() as client:
        back = client.sit(ben.table, ben.token)
        assert back.seats == [1] and back.view["seats"][1]["name"] == "Ben"
        assert back.command("sit_again", identity="again")["acknowledged"] == first


def test_who_left_comes_back_by_a_code_on_another_device(client: Client) -> None:
    _, phone = two(client)
    phone.command("leave")
    code = phone.move(1)
    laptop = client.claim(phone.table, code, identity=ID)
    again = client.claim(phone.table, code, identity=ID)
    assert (again.token, again.seats) == (laptop.token, [1]) and laptop.view["seats"][1]["name"] == "Ben"
    with refused("seat_taken"):
        phone.command("sit_again")
    with refused("wrong_invite"):
        client.claim(phone.table, code, identity=OTHER)


def test_a_code_made_before_one_left_is_good_while_the_seat_is_free(client: Client) -> None:
    _, phone = two(client)
    code = phone.move(1)
    phone.command("leave")
    assert client.claim(phone.table, code).seats == [1]


def test_a_code_for_a_left_seat_that_was_taken_is_refused(client: Client) -> None:
    ada, phone = two(client)
    phone.command("leave")
    code = phone.move(1)
    client.join(ada.table, str(ada.invite), "Cleo")
    with refused("wrong_invite"):
        client.claim(phone.table, code)
    with refused("wrong_token"):
        phone.move(1)


def test_an_invitation_leads_back_to_the_own_seat(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben", 2)
    ben.command("leave")
    wish = {"invite": ada.invite, "id": ID}
    answer = client.ask("POST", f"/tables/{ada.table}/join", wish, token=ben.token)
    assert answer["seats"] == [2] and answer["view"]["seats"][2]["name"] == "Ben"
    assert client.ask("POST", f"/tables/{ada.table}/join", wish, token=ben.token)["seats"] == [2]


def test_who_leaves_a_finished_game_keeps_their_name_in_it_and_may_sit_down_again(client: Client) -> None:
    ada, ben = two(client, rules={"rounds": 1})
    play_out(ada, ben, rng=random.Random(9))
    ben.command("leave")
    assert ben.view["seats"][1]["name"] == "Ben" and ben.view["seats"][1]["playing"] == "nobody"
    ben.command("sit_again")
    assert [seat["name"] for seat in ada.rematch().view["seats"]] == ["Ben", "Ada"]


def test_a_connection_is_told_which_seats_it_has_and_may_take_again(client: Client) -> None:
    ada, ben = two(client)
    with ben.live() as live:
        welcome = live.welcome
        schema.Welcome.model_validate(welcome)
        assert (welcome["seats"], welcome["left"]) == ([1], [])
        live.command("leave")
        update = heard(live, "update")
        schema.LiveUpdate.model_validate(update)
        assert (update["seats"], update["left"]) == ([], [1])
        ada.command("rename", name="Ada L.")
        assert "seats" not in heard(live, "update")  # nothing has changed for this one
        live.command("sit_again")
        update = heard(live, "update")
        assert (update["seats"], update["left"]) == ([1], [])


# The owner


def away(client: Client, **options: Any) -> tuple[Seat, Seat]:
    """Ada, and Ben, who was here over a connection and has gone."""
    ada, ben = two(client, **options)
    with ben.live():
        pass
    wait_until_away(ada, 1)
    return ada, ben


def wait_until_away(seat: Seat, other: int) -> None:
    until = time.monotonic() + HANG_S
    seat.refresh()
    while seat.view["seats"][other]["connected"]:
        assert time.monotonic() < until, "nobody was told that somebody went"
        seat.refresh()
        time.sleep(0.05)


def test_the_owner_opens_the_seat_of_somebody_who_is_away_and_they_may_come_back(client: Client) -> None:
    ada, ben = away(client)
    first = ada.command("reopen", seat=1, identity="open")["acknowledged"]
    assert ada.command("reopen", seat=1, identity="open")["acknowledged"] == first
    assert ada.view["seats"][1]["kind"] == "open" and ada.events[-1]["kind"] == "reopened"
    assert ada.events[-1]["name"] == "Ben"
    assert summary(client, ben)["left"] == [1]
    ben.command("sit_again")
    with refused("command_id_reused"):
        ada.command("reopen", seat=0, identity="open")


def test_a_running_game_goes_on_with_a_bot_in_a_seat_that_was_opened(client: Client) -> None:
    ada, ben = two(client)
    play_out(ada, ben, rng=random.Random(4), rounds=1)
    with ben.live():
        pass
    wait_until_away(ada, 1)
    ada.command("reopen", seat=1)
    assert ada.view["seats"][1]["playing"] == "bot"
    cleo = client.join(ada.table, ada.invite_to(1), "Cleo")
    assert cleo.seats == [1]
    with refused("seat_taken"):
        ben.command("sit_again")


def test_the_owner_lets_a_bot_stand_in_at_once_until_the_person_is_back(client: Client) -> None:
    ada, ben = away(client)
    ada.command("stand_in", seat=1)
    assert (ada.view["seats"][1]["kind"], ada.view["seats"][1]["playing"]) == ("person", "bot")
    with refused("seat_taken"):
        ada.command("stand_in", seat=1)
    ben.command("back")
    assert ben.view["seats"][1]["playing"] == "person"


@pytest.mark.parametrize("do", ["reopen", "stand_in"])
def test_nothing_is_done_to_the_seat_of_somebody_who_is_here(client: Client, do: str) -> None:
    ada, ben = two(client)
    with ben.live(), refused("player_present"):
        ada.command(do, seat=1)
    wait_until_away(ada, 1)
    ben.refresh()  # a sign of life without a connection
    with refused("player_present"):
        ada.command(do, seat=1)
    with refused("player_present"):
        ada.command(do, seat=0)
    assert all(event["kind"] in ("sat",) for event in client.ask("GET", f"/tables/{ada.table}/events"))


@pytest.mark.parametrize("do", ["reopen", "stand_in"])
def test_only_the_owner_looks_after_seats(client: Client, do: str) -> None:
    ada = client.create([ME, OPEN, OPEN, BOT])
    ben, cleo = (client.join(ada.table, str(ada.invite), name) for name in ("Ben", "Cleo"))
    assert ada.view["owner"] == 0
    with cleo.live():
        pass
    wait_until_away(ada, 2)
    with refused("not_owner"):
        ben.command(do, seat=2)
    for seat in (3, None):
        with refused("unknown_seat"):
            client.ask(
                "POST", f"/tables/{ada.table}/commands", {"id": f"{seat}", "do": do, "seat": seat}, token=ada.token
            )
    other = client.create([ME, BOT])
    for token in (other.token, None):
        with refused("wrong_token"):
            client.ask("POST", f"/tables/{ada.table}/commands", {"id": "x", "do": do, "seat": 2}, token=token)
    ada.command(do, seat=2)


def test_who_made_the_table_owns_it_and_the_next_person_while_they_have_no_seat(client: Client) -> None:
    ada = client.create([OPEN, ME, OPEN])
    ben, cleo = (client.join(ada.table, str(ada.invite), name, seat) for name, seat in (("Ben", 0), ("Cleo", 2)))
    assert cleo.view["owner"] == 1
    laptop = client.claim(ada.table, ada.move(1))
    assert laptop.view["owner"] == 1
    laptop.command("leave")
    assert laptop.view["owner"] == 2  # the next in the order of seats
    assert cleo.invite_to(1)
    laptop.command("sit_again")
    assert laptop.view["owner"] == 1
    with refused("not_owner"):
        ben.invite_to(2)


def test_a_rematch_belongs_to_the_same_person(client: Client) -> None:
    ada = client.create([OPEN, ME], rules={"rounds": 1})
    ben = client.join(ada.table, str(ada.invite), "Ben")
    play_out(ada, ben, rng=random.Random(9))
    assert ben.rematch().view["owner"] == 0  # Ada, one seat on


def test_an_invitation_to_a_seat_is_good_for_it_alone_and_once(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    code = ada.invite_to(2)
    with refused("wrong_invite"):
        client.join(ada.table, code, "Ben", 1)
    ben = client.join(ada.table, code, "Ben", identity=ID)
    assert ben.seats == [2] and client.join(ada.table, code, "Ben", identity=ID).token == ben.token
    ben.command("leave")
    with refused("wrong_invite"):
        client.join(ada.table, code, "Cleo")
    with refused("seat_taken"):
        ada.invite_to(0)
    with refused("unknown_seat"):
        ada.invite_to(3)
    with refused("wrong_invite"):
        client.claim(ada.table, ada.invite_to(1))
    older = ada.invite_to(1)
    ada.invite_to(1)
    with refused("wrong_invite"):
        client.join(ada.table, older, "Cleo")
    other = client.create([ME, OPEN])
    with refused("wrong_invite"):
        client.join(other.table, ada.invite_to(1), "Cleo")


def test_an_invitation_to_a_seat_leaves_the_code_of_who_left_it(client: Client) -> None:
    ada, phone = two(client)
    phone.command("leave")
    code = phone.move(1)
    ada.invite_to(1)
    assert client.claim(phone.table, code).seats == [1]


def test_with_clocks_the_owner_replaces_nobody_who_has_time_left(client: Client) -> None:
    """But opens the seat of somebody for whom a bot plays on already."""
    ada, ben = away(client, clock={"kind": "days", "turn": 1})
    for do in ("reopen", "stand_in"):
        with refused("clock_decides"):
            ada.command(do, seat=1)
    assert client.sit(ada.table, ada.token).view["stand_in_at"] is None
    ben.command("hand_over")
    with ben.live():
        pass
    wait_until_away(ada, 1)
    ada.command("reopen", seat=1)
    assert ada.view["seats"][1]["kind"] == "open"


def test_the_seat_of_somebody_who_resigned_is_not_given_away(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    client.join(ada.table, str(ada.invite), "Cleo")
    ben.command("resign")
    with ben.live():
        pass
    wait_until_away(ada, 1)
    for do in ("reopen", "stand_in"):
        with refused("has_resigned"):
            ada.command(do, seat=1)


def test_what_was_offered_ends_when_the_owner_opens_a_seat(client: Client) -> None:
    ada, _ = away(client)
    ada.command("offer", offer="end", expected=ada.view["seq"])
    assert ada.view["offer"] is not None
    ada.command("reopen", seat=1)
    assert ada.view["offer"] is None


def test_what_the_owner_did_outlives_a_killed_server(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        ada, ben = away(client)
        first = ada.command("reopen", seat=1, identity="open")["acknowledged"]
        code = ada.invite_to(1)
    server.kill()
    server = serve()
    with server.client() as client:
        again = client.sit(ada.table, ada.token)
        assert again.command("reopen", seat=1, identity="open")["acknowledged"] == first
        assert again.view["owner"] == 0 and client.sit(ben.table, ben.token).seats == []
        assert client.join(ada.table, code, "Cleo").seats == [1]


# Who is here


def test_whoever_vanishes_without_a_word_is_told_to_be_away_though_the_connection_stands(client: Client) -> None:
    """As when a phone loses its network: nothing is closed, and no ping is answered."""
    ada, ben = two(client)
    with ada.live() as live:
        with ben.live():
            pass
        presence(live, lambda said: not said["connected"][1])
        with silent_connection(ben) as silent:
            told = presence(live, lambda said: said["connected"][1])
            assert told["away_since"] == [None, None]
            told = presence(live, lambda said: not said["connected"][1])
            schema.Presence.model_validate(told)
            assert told["away_since"][1] is not None
            while silent.recv(4096):  # nothing was closed from here
                pass


def test_everybody_sees_when_a_bot_will_stand_in_and_then_it_does(client: Client) -> None:
    ada, ben = two(client, takeover_after=10)
    with ben.live() as live:
        with ada.live():
            pass
        told = presence(live, lambda said: said["stand_in_at"] is not None)
        ben.refresh()
        schema.TableView.model_validate(ben.view)
        assert ben.view["stand_in_at"] == told["stand_in_at"]
        live.send({"type": "ping"})
        pong = heard(live, "pong")
        schema.Pong.model_validate(pong)
        assert 0 < told["stand_in_at"] - pong["now"] <= 10 and pong["now"] >= live.welcome["now"]
        while not any(event["kind"] == "bot_took_over" for event in heard(live, "update")["events"]):
            pass


def test_nobody_counts_down_for_who_comes_back_or_where_nobody_waits(client: Client) -> None:
    ada, ben = two(client, takeover_after=600)
    with ben.live() as live:
        with ada.live():
            assert live.welcome["view"]["stand_in_at"] is None
        presence(live, lambda said: said["stand_in_at"] is not None)
        with ada.live():
            presence(live, lambda said: said["stand_in_at"] is None and said["connected"][0])
    assert client.ask("GET", f"/tables/{ada.table}")["view"]["stand_in_at"] is None


def test_after_a_restart_people_get_their_time_to_come_back(serve: Serve) -> None:
    """Nobody knows who was connected before: a bot must not stand in for who is about to come back."""
    server = serve()
    with server.client() as client:
        _, ben = two(client, takeover_after=600)
    server.kill()
    with sqlite3.connect(server.database.removeprefix("sqlite+aiosqlite:///")) as database:
        database.execute("UPDATE holders SET present_until = present_until - 86400")
        database.execute("UPDATE events SET at = at - 86400")
    server = serve()
    with server.client() as client, client.sit(ben.table, ben.token).live() as live:
        view = live.welcome["view"]
        assert view["stand_in_at"] > live.welcome["now"] and view["seats"][0]["playing"] == "person"
        assert view["seats"][0]["away_since"] < live.welcome["now"] - 80_000


def test_who_waits_nudges_the_one_to_act_once_a_minute_and_the_log_knows_nothing_of_it(client: Client) -> None:
    ada, ben = two(client)
    with ada.live() as live:
        before = ben.seq
        assert ben.nudge() == 0
        told = heard(live, "nudge")
        schema.Nudge.model_validate(told)
        assert (told["by"], told["seat"]) == (1, 0)
        with refused("too_fast"):
            ben.nudge()
        ben.refresh()
        assert ben.seq == before
    with refused("not_your_turn"):
        ada.nudge()
    alone = client.create([ME, OPEN])
    with refused("not_your_turn"):
        alone.nudge()
    for token in (alone.token, None):
        with refused("wrong_token"):
            client.ask("POST", f"/tables/{ada.table}/nudge", token=token)


def presence(live: Live, wanted: Callable[[Answer], bool]) -> Answer:
    """The next word of who is here that is wanted."""
    while not wanted(said := heard(live, "presence")):
        pass
    return said


def silent_connection(seat: Seat) -> socket.socket:
    """A WebSocket that says hello, and then nothing any more, not even that it is there."""
    address = urlsplit(seat.client.url)
    line = socket.create_connection((str(address.hostname), int(address.port or 0)))
    protocol = ClientProtocol(parse_uri(f"ws://{address.netloc}/api/live"))
    protocol.send_request(protocol.connect())
    line.sendall(b"".join(protocol.data_to_send()))
    while protocol.state is not State.OPEN:
        protocol.receive_data(line.recv(4096))
    hello = {"type": "hello", "table": seat.table, "token": seat.token}
    protocol.send_text(json.dumps(hello).encode())
    line.sendall(b"".join(protocol.data_to_send()))
    return line
