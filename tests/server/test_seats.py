"""Seats that last: who left comes back while nobody else sits there; the owner opens seats of those who stay away."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from server.games import BOT, ME, OPEN, play_out
from server.process import Server
from sunglade.client import Answer, Client, Live, Refused, Seat
from sunglade.server import schema

Serve = Callable[..., Server]
ID = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


def refused(kind: str) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=f"^{kind}:")


def two(client: Client, **options: object) -> tuple[Seat, Seat]:
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
