"""Tables, seats and play over HTTP, against a real server process."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager

import pytest

from server.games import BOT, GREEDY, ME, OPEN, play_out, play_turn
from sunglade import Game
from sunglade.bots.given_names import BOT_NAMES, given_name
from sunglade.client import Client, Refused, Seat
from sunglade.server import schema

SHORT = {"rounds": 3}
ALL = {"modules": ["moon", "elder", "stones"]}


def refused(kind: str) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=f"^{kind}:")


def test_a_game_against_a_bot_from_start_to_end(client: Client) -> None:
    table = client.create([ME, GREEDY], rules=SHORT)
    play_out(table, rng=random.Random(1))
    result = table.view["result"]
    assert result["winners"] == table.state["winners"]
    assert [played["round"] for played in result["history"]] == [1, 2, 3]
    assert [score["total"] for score in result["scores"]] == [p["points"] for p in table.state["players"]]
    kinds = [event["kind"] for event in table.events]
    assert kinds.count("round") == 3 and kinds[-1] == "game_over"


@pytest.mark.parametrize("rules", [{}, ALL | {"edition": "es"}, ALL | {"edition": "de", "shade_forbids": True}])
def test_views_have_the_shape_the_schema_promises(client: Client, rules: dict[str, object]) -> None:
    table = client.create([ME, ME, ME], rules=rules | {"rounds": 7}, seed=5)
    rng = random.Random(2)
    while not table.over:
        schema.TableView.model_validate(table.view)
        busy = [line for line in table.legal if line != "end"]
        answer = table.play(rng.choice(busy or table.legal) if rng.random() < 0.8 else table.legal[0])
        schema.Acknowledged.model_validate(answer)
    schema.TableView.model_validate(table.view)


def test_the_state_and_the_legal_actions_are_those_of_the_rules(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL, seed=11)
    game = Game(2, ALL, seed=11)
    rng = random.Random(3)
    for _ in range(120):
        assert table.state == game.state() and table.legal == game.legal
        line = rng.choice(game.legal)
        table.play(line)
        game.play(line)
        if game.over:
            break


def test_previews_tell_what_actions_then_do(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL, seed=4)
    rng = random.Random(8)
    checked = 0
    while not table.over and checked < 150:
        action = rng.choice(table.view["turn"]["legal"])
        before, seat = table.state, table.view["turn"]["seat"]
        table.play(action["line"])
        if table.state["round"] != before["round"] or action["kind"] == "end":
            continue
        checked += 1
        mine = table.state["players"][seat]
        assert action["preview"]["light"] == mine["light"]
        assert action["preview"].get("lunar") == mine["lunar"]
        gained = mine["tokens"][len(before["players"][seat]["tokens"]) :]
        assert action["preview"].get("token") == (gained[0] if gained else None)
    assert checked > 100


def test_the_forecast_comes_true_when_nobody_acts(client: Client) -> None:
    table = client.create([ME, ME], seed=1)
    play_out(table, rng=random.Random(4), rounds=6)
    ahead = table.view["forecast"][0]
    number = table.state["round"]
    while table.state["round"] == number:
        table.play("end")
    now = table.view["now"]
    assert {name: now[name] for name in now} == {name: ahead[name] for name in now}
    assert [p["light"] for p in table.state["players"]] == ahead["light"]
    told = next(event for event in reversed(table.events) if event["kind"] == "round")
    assert told["income"] == ahead["income"] and told["capped"] == ahead["lost"]


# Seats


def test_an_invited_person_takes_the_open_seat(client: Client) -> None:
    ada = client.create([ME, OPEN])
    assert ada.view["status"] == "waiting" and ada.invite is not None
    with refused("waiting_for_players"):
        ada.play(ada.legal[0])
    with refused("wrong_invite"):
        client.join(ada.table, "x" * 22, "Eve")
    ben = client.join(ada.table, ada.invite, "  Ben \u202e the\n2nd ")
    assert ben.seats == [1] and ben.view["seats"][1]["name"] == "Ben the 2nd"
    with refused("seat_taken"):
        client.join(ada.table, ada.invite, "Cleo")
    ada.refresh()
    assert ada.view["status"] == "playing"
    play_out(ada, ben, rng=random.Random(5), rounds=2)


def test_a_new_invitation_ends_the_old_one(client: Client) -> None:
    ada = client.create([ME, OPEN])
    new = client.ask("POST", f"/tables/{ada.table}/invite", token=ada.token)["invite"]
    with refused("wrong_invite"):
        client.join(ada.table, str(ada.invite), "Ben")
    assert client.join(ada.table, new, "Ben").seats == [1]


def test_one_client_holds_several_seats(client: Client) -> None:
    table = client.create([ME, {"kind": "me", "name": "Ben"}, BOT], rules=SHORT)
    assert table.seats == [0, 1]
    with refused("unknown_seat"):
        table.command("rename", name="Cleo")
    table.command("rename", name="Cleo", seat=1)
    assert [seat["name"] for seat in table.view["seats"]] == ["Ada", "Cleo", given_name(table.table, 2)]
    play_out(table, rng=random.Random(6))


def test_renaming_does_not_make_a_move_stale(client: Client) -> None:
    ada = client.create([ME, OPEN])
    seq = ada.seq
    client.join(ada.table, str(ada.invite), "Ben")
    ada.play(ada.legal[0], expected=seq)


def test_nobody_plays_for_another_seat(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    with refused("not_your_turn"):
        ben.play(ben.legal[0])
    with refused("wrong_token"):
        ben.play(ben.legal[0], seat=0)
    other = client.create([ME, BOT])
    stranger = Seat(client, {"table": ada.table, "token": other.token, "seats": [0], "view": ada.view})
    with refused("wrong_token"):
        stranger.play(ada.legal[0])


def test_a_bot_fills_an_open_seat(client: Client) -> None:
    ada = client.create([ME, OPEN], rules=SHORT)
    ada.command("fill", seat=1, level="random")
    assert ada.view["seats"][1]["kind"] == "bot"
    with refused("seat_taken"):
        ada.command("fill", seat=1, level="random")
    play_out(ada, rng=random.Random(7))


def test_who_leaves_is_replaced_by_a_bot_and_the_seat_can_be_taken(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    play_out(ada, ben, rng=random.Random(8), rounds=1)
    ben.command("leave")
    with refused("wrong_token"):
        ben.command("rename", name="Ben")
    ada.refresh()
    assert ada.view["seats"][1]["playing"] == "bot"
    cleo = client.join(ada.table, str(ada.invite), "Cleo")
    assert cleo.seats == [1] and cleo.view["seats"][1]["playing"] == "person"


def test_a_bot_stands_in_and_the_person_comes_back(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    ada.command("hand_over")
    while not ben.my_turn:
        ben.wait()
    assert ben.events[-1]["seat"] == 0 and ben.view["seats"][0]["playing"] == "bot"
    ben.play(ben.legal[0])
    with pytest.raises(Refused) as error:
        ada.play(ada.legal[0])
    assert error.value.kind in ("not_your_turn", "stale")
    ada.command("back")
    assert ada.view["seats"][0]["playing"] == "person"
    while not ada.my_turn:
        ben.refresh()
        ben.play(ben.legal[0])
        ada.refresh()
    ada.play(ada.legal[0])


def test_a_seat_moves_to_another_device(client: Client) -> None:
    phone = client.create([ME, BOT])
    code = phone.move(0)
    laptop = client.claim(phone.table, code)
    assert laptop.seats == [0] and laptop.token != phone.token
    with refused("wrong_token"):
        phone.play(phone.legal[0])
    laptop.play(laptop.legal[0])
    with refused("wrong_invite"):
        client.claim(phone.table, code)


def test_bots_of_one_level_are_told_apart_by_name_and_keep_their_level(client: Client) -> None:
    table = client.create([ME, GREEDY, GREEDY, GREEDY], rules={"rounds": 1})
    seats = table.view["seats"]
    names = [seat["name"] for seat in seats[1:]]
    assert len(set(names)) == 3 and set(names) <= set(BOT_NAMES)
    assert {seat["level"] for seat in seats[1:]} == {"greedy"}
    table.refresh()
    assert [seat["name"] for seat in table.view["seats"][1:]] == names
    game = client.ask("GET", f"/tables/{table.table}/game", token=table.token)
    assert game["names"] == ["Ada", *(f"{name} (greedy)" for name in names)]


def test_who_gave_no_name_has_none_after_a_rematch_either(client: Client) -> None:
    """Clients call them by the species of their seat, which a rematch changes."""
    table = client.create([{"kind": "me"}, OPEN], rules={"rounds": 1})
    other = client.join(table.table, str(table.invite), None)
    assert [seat["name"] for seat in other.view["seats"]] == [None, None]
    play_out(table, other, rng=random.Random(9))
    assert [seat["name"] for seat in table.rematch().view["seats"]] == [None, None]


def test_a_rematch_moves_everybody_one_seat_on(client: Client) -> None:
    ada = client.create([ME, OPEN, BOT], rules={"rounds": 1})
    ben = client.join(ada.table, str(ada.invite), "Ben")
    with refused("game_running"):
        ada.rematch()
    play_out(ada, ben, rng=random.Random(9))
    again, other = ada.rematch(), ben.rematch()
    assert again.table == other.table != ada.table
    assert [seat["name"] for seat in again.view["seats"]] == ["Ben", given_name(again.table, 1), "Ada"]
    assert again.seats == [2] and other.seats == [0]
    ada.refresh()
    assert ada.view["rematch"] == again.table
    other.play(other.legal[0])


def test_my_tables_are_listed(client: Client) -> None:
    mine = [client.create([ME, BOT], rules=SHORT) for _ in range(2)]
    tokens = [mine[0].token, "x" * 22, mine[1].token]
    listed = client.ask("POST", "/mine", {"tokens": tokens})["tables"]
    assert [entry["table"] and entry["table"]["table"] for entry in listed] == [mine[0].table, None, mine[1].table]
    assert listed[0]["table"]["mine"] == [0]


def test_spectators_see_everything_and_play_nothing(client: Client) -> None:
    table = client.create([ME, BOT])
    seen = client.ask("GET", f"/tables/{table.table}")
    assert seen["view"]["state"] == table.state
    with refused("wrong_token"):
        client.ask("POST", f"/tables/{table.table}/commands", {"id": "a", "do": "play", "action": "end", "expected": 1})
    private = client.create([ME, BOT], spectators=False)
    with refused("wrong_token"):
        client.ask("GET", f"/tables/{private.table}")


# Play


def test_undo_redo_and_restart_within_the_turn(client: Client) -> None:
    table = client.create([ME, ME])
    rng = random.Random(10)
    play_out(table, rng=rng, rounds=2)
    start = table.state
    lines: list[str] = []
    while len(lines) < 2:
        busy = [line for line in table.legal if line != "end"]
        if not busy:
            play_turn(table, rng)
            start, lines = table.state, []
            continue
        lines.append(busy[0])
        table.play(busy[0])
    done = table.state
    table.undo()
    table.undo()
    assert table.state == start and table.view["turn"]["can_redo"]
    with refused("nothing_to_undo"):
        table.undo()
    table.redo()
    table.redo()
    assert table.state == done
    with refused("nothing_to_redo"):
        table.redo()
    table.restart()
    assert table.state == start
    told = table.events[-1]
    assert told["kind"] == "restart" and told["lines"] == lines[::-1]
    assert table.game()["actions"][-1] != lines[-1]


def test_what_has_ended_cannot_be_taken_back(client: Client) -> None:
    table = client.create([ME, ME])
    play_out(table, rng=random.Random(1), rounds=1)
    assert not table.view["turn"]["can_undo"]
    with refused("nothing_to_undo"):
        table.undo()


def test_a_hatch_cannot_be_taken_back(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL, seed=37)
    rng = random.Random(11)
    while not table.over:
        if "turtle.hatch" in table.legal:
            table.play("turtle.hatch")
            assert not table.view["turn"]["can_undo"]
            assert table.events[-1]["baby"] in table.state["players"][table.events[-1]["seat"]]["babies"]
            return
        wanted = [line for line in table.legal if "turtle" in line]
        steps = [line for line in table.legal if line.startswith("step")]
        ends = ["end"] if "end" in table.legal else []
        table.play(rng.choice(wanted or steps or ends or table.legal))
    pytest.fail("no turtle hatched a baby; choose another seed")


def test_a_command_is_carried_out_once(client: Client) -> None:
    table = client.create([ME, ME])
    line = table.legal[0]
    first = table.play(line, identity="once", expected=1)
    again = table.command("play", action=line, identity="once", expected=1)
    assert first["acknowledged"] == again["acknowledged"]
    assert table.game()["actions"] == [line]
    with refused("command_id_reused"):
        table.play(table.legal[-1], identity="once")


def test_a_stale_command_changes_nothing(client: Client) -> None:
    table = client.create([ME, ME])
    table.play(table.legal[0])
    before = table.game()
    with refused("stale"):
        table.play(table.legal[0], expected=1)
    with refused("stale"):
        table.play(table.legal[0], expected=1000)
    assert table.game() == before


def test_where_nothing_begins_is_told_as_a_reason_of_its_own(client: Client) -> None:
    table = client.create([ME, ME], rules={"modules": ["moon"]})
    answers = table.why("place d4", "animal a1", "place nowhere")
    assert [answer["reason"] for answer in answers] == ["not_edge", "not_three_leaves", "unknown_line"]
    assert "edge" in answers[0]["message"]


def test_a_seed_no_tree_could_throw_so_far_is_refused_with_distance_and_reach(client: Client) -> None:
    table = client.create([ME, ME])
    for line in ("place a1", "place g4", "place a3", "place g2"):
        table.play(line)
    far, seedless = table.why("plant a1 g3", "plant d4 a1")
    assert far["reason"] == "out_of_reach"
    assert far["details"] == {"space": "g3", "size": "small", "distance": 6, "reach": 1}
    assert seedless["reason"] == "not_yours"


def test_the_board_after_an_action_is_what_the_action_leads_to(client: Client) -> None:
    table = client.create([ME, ME])
    play_out(table, rng=random.Random(5), rounds=4)
    shown = 0
    for line in [line for line in table.legal if line != "end"]:
        before = table.view["state"]
        told = table.after(line)
        assert told is not None
        table.play(line)
        view = table.view
        assert (told["state"], told["now"], told["forecast"]) == (view["state"], view["now"], view["forecast"]), line
        table.undo()
        assert table.view["state"] == before, "looking changes nothing, and neither does taking back"
        shown += 1
    assert shown > 0


def test_what_cannot_be_foreseen_is_not_shown(client: Client) -> None:
    table = client.create([ME, ME])
    play_out(table, rng=random.Random(5), rounds=1)
    assert "end" in table.legal and "buy large" not in table.legal
    assert [table.after(line) for line in ("end", "buy large", "dance")] == [None] * 3


def test_why_something_is_illegal_is_told_in_parts(client: Client) -> None:
    table = client.create([ME, ME])
    play_out(table, rng=random.Random(3), rounds=1)
    answers = table.why("end", "buy large", "collect d4", "dance", "place a1")
    assert answers[0] == {"action": "end", "legal": True}
    assert answers[1]["reason"] == "light" and answers[1]["details"]["cost"] > answers[1]["details"]["light"]
    assert answers[2]["reason"] == "not_yours" and answers[2]["details"] == {"space": "d4"}
    assert answers[3]["reason"] == "unknown_line"
    assert answers[4]["reason"] == "phase" and answers[4]["details"] == {"phase": "turn"}
    with pytest.raises(Refused) as error:
        table.play("buy large")
    assert error.value.error["reason"] == "light"


def test_hints_where_the_table_allows_them(client: Client) -> None:
    table = client.create([ME, BOT])
    schema.Hint.model_validate(hint := table.hint(ms=50))
    assert hint["action"] in table.legal
    plain = client.create([ME, BOT], assistance=False)
    with refused("no_assistance"):
        plain.hint()
    assert plain.view["forecast"] is None
    assert not {"income", "shades", "frees"} & {key for a in plain.view["turn"]["legal"] for key in a["preview"]}


def test_turn_of_a_teaching_game_is_judged_for_who_plays_it(client: Client) -> None:
    table = client.create([ME, ME], teaching="strict")
    assert table.view["settings"]["teaching"] == "strict"
    path = f"/tables/{table.table}/turn"
    with refused("illegal_action"):
        client.ask("POST", path, token=table.token)
    play_out(table, rng=random.Random(3), rounds=1)
    seq = table.view["seq"]
    schema.TurnSoFar.model_validate(told := client.ask("POST", path, token=table.token))
    assert told["seq"] == seq and 0 <= told["after"] <= 1
    with refused("wrong_token"):
        client.ask("POST", path)
    table.refresh()
    assert table.view["seq"] == seq, "nothing was done"


def test_lines_are_tried_on_a_copy_and_the_table_stays_as_it_is(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL)
    play_out(table, rng=random.Random(4), rounds=2)
    before, game = table.view, table.game()
    line = next(line for line in table.legal if line not in ("end", "turtle.hatch"))
    told = client.ask("POST", "/whatif", {"game": game, "actions": [line, "end"]})
    schema.Update.model_validate(told)
    assert told["view"]["state"] == Game.from_dict({**game, "actions": [*game["actions"], line, "end"]}).state()
    assert [event["line"] for event in told["events"] if event.get("line")] == [line, "end"]
    asking = {"game": game, "actions": [line]}
    schema.WhyAnswer.model_validate(why := client.ask("POST", "/whatif/why", asking | {"asked": ["collect d4"]}))
    assert not why["answers"][0]["legal"]
    after = client.ask("POST", "/whatif/after", asking | {"action": "end"})
    schema.BoardAfter.model_validate(after)
    assert after["board"] is None, "what a sunrise brings is the forecast"
    schema.Hint.model_validate(hint := client.ask("POST", "/whatif/hint", asking))
    assert len(hint["value"]) == 2
    schema.TurnSoFar.model_validate(turn := client.ask("POST", "/whatif/turn", asking))
    assert turn["verdict"] in ("good", "slip", "mistake", "turning_point") and 0 <= turn["after"] <= 1
    with refused("bad_request"):
        client.ask("POST", "/whatif/turn", {"game": game, "actions": ["end", line]})
    schema.AnimalOutlook.model_validate(animal := client.ask("POST", "/whatif/animal", asking | {"seat": 0}))
    acting = client.ask("POST", "/whatif", asking)["view"]["turn"]["seat"]
    assert animal["when"] == ("now" if acting == 0 else "next")
    table.refresh()
    assert table.view["seq"] == before["seq"] and table.view["state"] == before["state"]


def test_everybody_learns_what_an_animal_can_do(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL)
    path = f"/tables/{table.table}/seats/{{}}/animal"
    schema.AnimalOutlook.model_validate(told := client.ask("GET", path.format(0)))
    assert told["when"] == "never", "it has not been chosen yet"
    play_out(table, rng=random.Random(4), rounds=2)
    for seat in (0, 1):
        schema.AnimalOutlook.model_validate(told := client.ask("GET", path.format(seat)))
        assert told["animal"] == table.view["state"]["players"][seat]["animal"]
        assert told["abilities"] and told["when"] == ("now" if table.view["turn"]["seat"] == seat else "next")
    with refused("unknown_seat"):
        client.ask("GET", path.format(3))


# Keeping


def test_a_running_game_is_downloaded_without_its_secrets(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL)
    shown = table.game()
    assert "seed" not in shown and shown["deal"]["babies"] == [None] * 6
    short = client.create([ME, ME], rules={"rounds": 1} | ALL)
    play_out(short, rng=random.Random(2))
    whole = short.game()
    assert isinstance(whole["seed"], int) and None not in whole["deal"]["babies"]
    assert Game.from_dict(whole).state() == short.state


def test_a_downloaded_game_is_replayed_and_goes_on(client: Client) -> None:
    table = client.create([ME, ME], rules=ALL)
    play_out(table, rng=random.Random(3), rounds=3)
    shown = table.game()
    replayed = client.ask("GET", f"/tables/{client.upload(shown)}/replay", params={"count": 10})
    schema.Replay.model_validate(replayed)
    assert replayed["total"] == len(shown["actions"]) + 1 and replayed["next"] == 10
    on = client.create([ME, BOT], game=shown)
    assert on.state == table.state
    play_turn(on, random.Random(1))


def test_every_frame_of_a_replay_is_the_position_it_tells(client: Client) -> None:
    table = client.create([ME, ME], rules={"rounds": 2} | ALL)
    play_out(table, rng=random.Random(5))
    game, frames = table.game(), []
    first: int | None = 0
    while first is not None:
        part = client.ask("GET", f"/tables/{table.table}/replay", params={"first": first, "count": 25})
        frames += part["frames"]
        first = part["next"]
    states = [now.state() for now in Game.passing(game)]
    assert [frame["state"] for frame in frames] == states
    assert frames[-1]["events"][-1]["kind"] == "game_over"
    assert part["result"]["winners"] == table.state["winners"]


def test_a_finished_game_is_analysed_in_the_background(client: Client) -> None:
    table = client.create([ME, ME], rules={"rounds": 1})
    with refused("game_running"):
        client.ask("POST", f"/tables/{table.table}/analysis", {"nodes": 16})
    play_out(table, rng=random.Random(6))
    found = client.ask("POST", f"/tables/{table.table}/analysis", {"nodes": 16})
    while found["status"] == "running":
        found = client.ask("GET", f"/tables/{table.table}/analysis")
    schema.Analysis.model_validate(found)
    assert found["status"] == "done" and found["done"] == found["total"] == len(found["values"])
    assert all(len(value) == 2 for value in found["values"])


@pytest.mark.parametrize(("rounds", "wasted"), [(1, 0), (2, 2)])
def test_no_light_is_wasted_at_a_sunrise_that_never_comes(client: Client, rounds: int, wasted: int) -> None:
    table = client.create([ME, ME], rules={"rounds": rounds, "light_cap": 0})
    while table.state["phase"] != "turn":
        table.play(table.legal[0])
    assert table.view["forecast"][0]["lost"] == [2, 2]
    assert table.view["turn"]["left"]["wasted"] == wasted
