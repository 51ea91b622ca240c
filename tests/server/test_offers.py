"""Resigning, ending by agreement, taking back: over HTTP against a real server, and what the log makes of it."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager
from typing import Any

import pytest

from server.games import BOT, ME, OPEN, play_out, play_turn
from sunglade import Game
from sunglade.client import Client, Refused, Seat
from sunglade.server import schema
from sunglade.table.table import Event, Table

SHORT = {"rounds": 3}


def refused(kind: str) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=f"^{kind}:")


def people(client: Client, *others: str, **options: Any) -> list[Seat]:
    """A table with Ada and others, all of them people."""
    ada = client.create([ME, *[OPEN] * len(others)], **options)
    seats = [ada, *(client.join(ada.table, str(ada.invite), name) for name in others)]
    refresh(*seats)
    return seats


def refresh(*seats: Seat) -> None:
    for seat in seats:
        seat.refresh()


def offer_while_others_play(seat: Seat) -> None:
    """Offer to end, again for the newest position while a bot moves on meanwhile."""
    while True:
        try:
            seat.command("offer", offer="end")
            return
        except Refused as problem:
            if problem.kind != "stale":
                raise
            seat.refresh()


def events(seat: Seat, kind: str) -> list[dict[str, Any]]:
    return [event for event in seat.events if event["kind"] == kind]


# Resigning


def test_who_resigns_against_one_other_loses_at_once_and_the_game_is_as_it_was(client: Client) -> None:
    ada, ben = people(client, "Ben", rules=SHORT)
    play_out(ada, ben, rng=random.Random(1), rounds=1)
    before = client.ask("GET", f"/tables/{ada.table}/game")["actions"]
    ben.command("resign")
    refresh(ada)
    view = schema.TableView.model_validate(ada.view)
    assert view.status == "over" and view.result is not None and view.turn.legal == []
    assert (view.result.how, view.result.seat, view.result.winners, view.result.resigned) == ("resigned", 1, [0], [1])
    assert events(ada, "ended")[0]["winners"] == [0]
    game = client.ask("GET", f"/tables/{ada.table}/game")
    assert game["ended"] == {"how": "resigned", "seat": 1} and game["actions"] == before
    assert not Game.from_dict(game).over, "the game itself is unfinished, and can be gone on with"
    with refused("game_over"):
        ada.command("resign")
    with refused("game_over"):
        ada.command("play", action="end", expected=ada.seq)
    again = client.ask("POST", f"/tables/{ada.table}/rematch", token=ada.token)
    assert again["view"]["status"] == "playing" and again["view"]["result"] is None


def test_resigning_among_three_leaves_the_seat_to_a_bot_and_comes_last(client: Client) -> None:
    ada, ben, cleo = people(client, "Ben", "Cleo", rules=SHORT, seed=3)
    play_out(ada, ben, cleo, rng=random.Random(2), rounds=0)
    leader = ben
    leader.command("resign")
    refresh(ada, cleo)
    assert ada.view["status"] == "playing" and ada.view["seats"][1]["playing"] == "bot"
    assert ada.view["seats"][1]["resigned"] and ada.view["seats"][1]["name"] == "Ben"
    with refused("has_resigned"):
        ben.command("back")
    with refused("has_resigned"):
        ben.command("resign")
    play_out(ada, cleo, rng=random.Random(3))
    result = ada.view["result"]
    assert result["how"] == "rules" and result["resigned"] == [1] and 1 not in result["winners"] and result["winners"]


def test_the_second_of_three_who_resigns_ends_the_game(client: Client) -> None:
    ada, ben, cleo = people(client, "Ben", "Cleo")
    ada.command("resign")
    refresh(ben, cleo)
    cleo.command("resign")
    refresh(ben)
    assert ben.view["result"]["winners"] == [1] and ben.view["result"]["resigned"] == [0, 2]


def test_the_last_person_who_resigns_ends_a_game_with_bots(client: Client) -> None:
    ada = client.create([ME, BOT, BOT])
    ada.command("resign")
    assert ada.view["status"] == "over" and 0 not in ada.view["result"]["winners"]


def test_nobody_resigns_before_the_game_or_for_another(client: Client) -> None:
    ada = client.create([ME, OPEN])
    with refused("waiting_for_players"):
        ada.command("resign")
    client.join(ada.table, str(ada.invite), "Ben")
    with refused("wrong_token"):
        ada.command("resign", seat=1)


def test_who_has_resigned_and_leaves_makes_no_open_seat(client: Client) -> None:
    ada, ben, _ = people(client, "Ben", "Cleo")
    ben.command("resign")
    ben.command("leave")
    refresh(ada)
    assert ada.view["seats"][1]["kind"] == "bot"
    assert ada.view["status"] == "playing", "a bot plays on, also where nobody has acted yet"
    with refused("seat_taken"):
        client.join(ada.table, str(ada.invite), "Dan")


# Ending by agreement


def test_a_game_ends_as_it_stands_when_all_people_agree(client: Client) -> None:
    ada, ben, cleo = people(client, "Ben", "Cleo", rules=SHORT)
    play_out(ada, ben, cleo, rng=random.Random(4), rounds=1)
    points = [score["total"] for score in ada.view["scores"]]
    ada.command("offer", offer="end", expected=ada.seq)
    refresh(ben, cleo)
    assert ben.view["offer"]["awaited"] == [1, 2] and ben.view["offer"]["seat"] == 0
    schema.TableView.model_validate(ben.view)
    ben.command("agree", expected=ben.seq)
    refresh(cleo)
    assert cleo.view["status"] == "playing" and cleo.view["offer"]["awaited"] == [2]
    cleo.command("agree", expected=cleo.seq)
    refresh(ada)
    result = ada.view["result"]
    assert (result["how"], result["winners"]) == ("agreed", [])
    assert [score["total"] for score in result["scores"]] == points
    assert client.ask("GET", f"/tables/{ada.table}/game")["ended"] == {"how": "agreed"}
    mine = client.ask("POST", "/mine", body={"tokens": [ada.token]})["tables"][0]["table"]
    assert mine["status"] == "over" and mine["how"] == "agreed" and mine["winners"] == []
    replay = client.ask("GET", f"/tables/{ada.table}/replay")
    assert replay["result"]["how"] == "agreed"


def test_one_who_declines_ends_the_offer_and_it_is_not_repeated_in_the_same_turn(client: Client) -> None:
    ada, ben, cleo = people(client, "Ben", "Cleo")
    ada.command("offer", offer="end", expected=ada.seq)
    refresh(ben, cleo)
    with refused("offer_open"):
        cleo.command("offer", offer="end", expected=cleo.seq)
    ben.command("agree", expected=ben.seq)
    cleo.command("decline", expected=cleo.seq)
    refresh(ada, ben)
    assert ada.view["offer"] is None and ada.view["status"] == "playing"
    with refused("no_offer"):
        ben.command("agree", expected=ben.seq)
    with refused("too_soon"):
        ada.command("offer", offer="end", expected=ada.seq)
    play_turn(ada, random.Random(1))
    ada.command("offer", offer="end", expected=ada.seq)
    ada.command("withdraw", expected=ada.seq)
    assert ada.view["offer"] is None


def test_an_answer_is_for_the_offer_that_was_seen(client: Client) -> None:
    ada, ben = people(client, "Ben")
    seen = ben.seq
    ada.command("offer", offer="end", expected=ada.seq)
    with refused("stale"):
        ben.command("agree", expected=seen)
    with refused("no_offer"):
        ada.command("agree", expected=ada.seq)
    refresh(ben)
    with refused("no_offer"):
        ben.command("withdraw", expected=ben.seq)


def test_an_offer_ends_when_a_person_plays_on_but_not_when_a_bot_does(client: Client) -> None:
    ada = client.create([ME, BOT, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    refresh(ada)
    play_turn(ada, random.Random(1))
    offer_while_others_play(ada)
    while ada.view["turn"]["seat"] != 2:
        ada.wait()
    assert ada.view["offer"] is not None
    refresh(ben)
    play_turn(ben, random.Random(1))
    refresh(ada)
    assert ada.view["offer"] is None


# Taking back


def test_a_turn_is_taken_back_when_the_others_agree(client: Client) -> None:
    ada, ben = people(client, "Ben", rules={"rounds": 6}, seed=9)
    play_out(ada, ben, rng=random.Random(5), rounds=1)
    while not (ada.my_turn and ada.view["round"]["order"] == [0, 1]):  # else the same player's turn is next
        acting = ada if ada.my_turn else ben
        acting.play("end")
        refresh(ada, ben)
    before = client.ask("GET", f"/tables/{ada.table}/game")["actions"]
    play_turn(ada, random.Random(7))
    refresh(ben)
    assert ada.view["take_back"][0][0]["back_to"] == len(before)
    ben.play(next(line for line in ben.legal if line != "end"))
    refresh(ada)
    ada.command("offer", offer="take_back", expected=ada.seq)
    refresh(ben)
    assert ben.view["offer"]["back_to"] == len(before)
    ben.command("agree", expected=ben.seq)
    refresh(ada)
    assert client.ask("GET", f"/tables/{ada.table}/game")["actions"] == before
    assert ada.my_turn and not ada.view["turn"]["can_redo"] and not ada.view["turn"]["can_undo"]
    assert ada.events[-1]["kind"] == "taken_back" and ada.events[-1]["count"] > 0
    play_out(ada, ben, rng=random.Random(8))
    assert [played["round"] for played in ada.view["result"]["history"]] == [1, 2, 3, 4, 5, 6]


def test_with_bots_only_a_turn_is_taken_back_at_once(client: Client) -> None:
    ada = client.create([ME, BOT], rules=SHORT)
    while ada.state["round"] == 0 or not ada.my_turn:
        play_out(ada, rng=random.Random(1), rounds=0)
        if not ada.my_turn:
            ada.wait()
    before = len(client.ask("GET", f"/tables/{ada.table}/game")["actions"])
    play_turn(ada, random.Random(2))
    while ada.view["turn"]["seat"] == 1:
        ada.wait()
    ada.command("offer", offer="take_back", back_to=before, expected=ada.seq)
    assert len(client.ask("GET", f"/tables/{ada.table}/game")["actions"]) == before and ada.my_turn
    play_out(ada, rng=random.Random(3))


def test_nothing_is_taken_back_past_the_beginning_or_another_turn(client: Client) -> None:
    ada, ben = people(client, "Ben")
    with refused("nothing_to_take_back"):
        ada.command("offer", offer="take_back", expected=ada.seq)
    play_turn(ada, random.Random(1))
    with refused("nothing_to_take_back"):
        ada.command("offer", offer="take_back", back_to=1, expected=ada.seq)
    refresh(ben)
    with refused("nothing_to_take_back"):
        ben.command("offer", offer="take_back", expected=ben.seq)
    with refused("stale"):
        ben.command("offer", offer="end", expected=1)


def test_nothing_is_taken_back_past_a_hatch() -> None:
    """What was seen cannot be unseen."""
    game = Game(2, {"modules": ["moon"]}, seed=1)
    rng, found = random.Random(1), 0
    for seed in range(400):
        game = Game(2, {"modules": ["moon"], "rounds": 8}, seed=seed)
        table = _table(game)
        while not table.over:
            legal = table.game.legal
            hatch = [line for line in legal if line == "turtle.hatch"]
            seat, hatches = table.game.player or 0, bool(hatch)
            table.apply(_event(table, "play", seat, {"action": hatch[0] if hatch else rng.choice(legal)}))
            if hatches:
                first = len(table.game.actions)
                found += 1
                for _ in range(12):
                    if legal := table.game.legal:
                        table.apply(_event(table, "play", table.game.player, {"action": rng.choice(legal)}))
                    assert all(turn.first >= first for each in (0, 1) for turn in table.to_take_back(each))
                break
        if found >= 2:
            return
    raise AssertionError("no turtle hatched: this test proves nothing")


def _table(game: Game) -> Table:
    seats = [{"kind": "person", "holder": "a", "name": None, "level": None}, {"kind": "person", "holder": "b"}]
    data = game.data
    agreed = {"players": 2, "rules": data.rules.to_dict(), "seed": data.seed, "deal": data.deal.to_dict()}
    return Table("t", Event(1, 0.0, "created", None, {**agreed, "seats": seats}))


def _event(table: Table, kind: str, seat: int | None, data: dict[str, Any]) -> Event:
    return Event(table.seq + 1, 1.0, kind, seat, data, "a", f"c{table.seq}")


def test_a_command_of_these_sent_again_is_carried_out_once(client: Client) -> None:
    ada, ben = people(client, "Ben")
    body = {"id": "again", "do": "offer", "offer": "end", "expected": ada.seq}
    path = f"/tables/{ada.table}/commands"
    first = client.ask("POST", path, body=body, token=ada.token)["acknowledged"]
    assert client.ask("POST", path, body=body, token=ada.token)["acknowledged"] == first
    with refused("command_id_reused"):
        client.ask("POST", path, body=body | {"offer": "take_back"}, token=ada.token)
    refresh(ben)
    answer = {"id": "yes", "do": "agree", "expected": ben.seq}
    second = client.ask("POST", path, body=answer, token=ben.token)["acknowledged"]
    assert client.ask("POST", path, body=answer, token=ben.token)["acknowledged"] == second
