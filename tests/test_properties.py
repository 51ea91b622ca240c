"""What must hold in every position of every game: random games over all modules, editions and options."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from positions import OWNED, SLOTS, TOKEN_PILES, each_module_set, play, turn
from random_games import MODULE_SETS, long_game, new_random_game, random_game, random_line, random_steps
from sunglade import BadRequest, Game, IllegalAction, Rules, board, kernel
from sunglade.kernel.actions import ACTIONS, MAX_LEGAL
from sunglade.kernel.animals import baby_on
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.rules import BABIES

SEEDS = st.integers(0, 2**32 - 1)
GAMES = st.builds(random_game, SEEDS, st.integers(0, 300))
"""A random game after so many actions, or at its end."""
MOON_GAMES = st.builds(
    random_game, SEEDS, st.integers(0, 300), modules=st.sampled_from([m for m in MODULE_SETS if "moon" in m])
)


# Nothing is lost, nothing appears


def totals(game: Game) -> np.ndarray:
    """Pieces of each player and size: on the board, available, on the player board."""
    s = game.record
    return np.array(
        [
            [
                int(s.pieces[p, z]).bit_count() + int(s.available[p, z]) + int(s.slots[p, z]).bit_count()
                for z in range(4)
            ]
            for p in range(game.players)
        ]
    )


def check_pieces(game: Game) -> None:
    """Every space has one piece at most, and none shares it with the Elder Tree or a stone."""
    s = game.record
    taken = [int(bits) for bits in np.ravel(s.pieces)] + [int(s.elder), int(s.stones)]
    union = int(np.bitwise_or.reduce(taken))
    assert sum(bits.bit_count() for bits in taken) == union.bit_count()
    assert int(s.empty) == board.ALL_SPACES & ~union
    assert (totals(game) <= OWNED).all()
    assert (s.available >= 0).all() and (s.fresh >= 0).all() and (s.slots <= [(1 << n) - 1 for n in SLOTS]).all()
    assert (s.fresh <= s.available[s.player]).all()


def check_tokens(game: Game) -> None:
    """Every token lies on its pile or with a player."""
    state = game.state()
    piles = TOKEN_PILES[:3] if game.players == 2 else TOKEN_PILES
    left = [token for pile in state["tokens"] for token in pile]
    taken = [token for each in state["players"] for token in each["tokens"]]
    assert sorted(left + taken) == sorted(token for pile in piles for token in pile)
    assert [sum(each["tokens"]) for each in state["players"]] == game.record.score[: game.players].tolist()


def check_points(game: Game) -> None:
    """Light, lunar points and babies stay in their bounds."""
    s = game.record
    cap = game.rules.light_cap
    assert (s.light >= 0).all() and (cap is None or (s.light <= cap).all())
    assert (s.lunar >= 0).all() and (s.lunar <= 14).all()
    if "moon" in game.rules.modules and game.phase in ("placing", "turn", "over"):
        state = game.state()
        at = [each["at"] for each in state["players"]]
        assert len(set(at)) == game.players
        assert not set(at) & {state.get("elder"), *state.get("stones", [])}
        turtle = any(each["animal"] == "turtle" for each in state["players"])
        used = sum(line.startswith("turtle.steps") for line in game.actions)
        kept = sum(len(each["babies"]) for each in state["players"])
        assert len(state["face_down"]) + kept + used == (6 if turtle else 0)


def full_columns(game: Game) -> np.ndarray:
    slots = game.record.slots
    return np.array([[int(slots[p, z]).bit_count() == SLOTS[z] for z in range(4)] for p in range(game.players)])


def check_conservation(game: Game, seed: int) -> None:
    """Play to the end and check every step."""
    before, full = totals(game), full_columns(game)
    for step in random_steps(game, seed):
        check_pieces(step)
        check_tokens(step)
        check_points(step)
        after = totals(step)
        assert (after <= before).all()
        assert full[after < before].all()  # a piece leaves the game only for want of a slot in its column
        before, full = after, full_columns(step)
    assert game.over


@each_module_set
@pytest.mark.parametrize("seed", range(10))
def test_pieces_and_tokens_are_conserved(modules: list[str], seed: int) -> None:
    check_conservation(new_random_game(seed, modules), seed)


@pytest.mark.parametrize("seed", range(2))
def test_pieces_and_tokens_are_conserved_in_long_games(seed: int) -> None:
    check_conservation(long_game(seed), seed)


def kind(line: str) -> str:
    """An action without its spaces, and without the fox's victims."""
    verb, *words = line.split()
    return verb if verb.startswith("fox") else " ".join([verb, *(w for w in words if w not in board.SPACE_NAMED)])


def test_random_games_use_every_kind_of_action() -> None:
    """Otherwise the properties here would prove little."""
    games = [random_game(seed, modules=MODULE_SETS[seed % 8]) for seed in range(100)]
    games += [turtle_game(seed, 2000) for seed in range(6)]
    for seed in range(8):
        games.append(long_game(seed))
        for _ in random_steps(games[-1], seed):
            pass
    assert {kind(line) for game in games for line in game.actions} == {kind(line) for line in ACTION_NAMES}


# Legal actions


@each_module_set
@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_applies_and_every_other_is_refused(modules: list[str], seed: int) -> None:
    choose = random.Random(seed)
    for game in random_steps(new_random_game(seed, modules), seed):
        if choose.random() > 0.01 and not game.over:
            continue
        before = game.record.tobytes()
        legal = game.legal
        for line in legal:
            played = play(game.fork(), line)
            assert played.record.tobytes() != before and played.actions[-1] == line
            check_pieces(played)
            check_tokens(played)
        for line in set(ACTION_NAMES) - set(legal):
            with pytest.raises(IllegalAction):
                game.play(line)
        assert game.record.tobytes() == before


@given(GAMES)
def test_legal_list_has_every_action_once_and_fits_its_room(game: Game) -> None:
    legal = game.legal
    assert len(legal) == len(set(legal)) < MAX_LEGAL
    assert (legal == []) == game.over
    assert [ACTION_NUMBERS[line] for line in legal] == game.legal_numbers
    assert ("end" in legal) == (game.phase == "turn")


@pytest.mark.parametrize("seed", range(20))
def test_the_busiest_positions_fit_too(seed: int) -> None:
    """All fourteen trees and a seed at hand, and a baby that may go anywhere."""
    on = random.Random(seed).sample(board.NAMES, 14)
    pieces = " ".join(f"{space}:A{size}" for space, size in zip(on, [3, 3, 2, 2, 2, 2, *[1] * 8], strict=True))
    busy = turn(pieces, light=20, animals="turtle@d4 owl@a1", hatched="seed light two", lunar=14)
    assert len(busy.legal) == len(set(busy.legal)) < MAX_LEGAL
    assert len(play(busy, "turtle.steps two").legal) < MAX_LEGAL


def test_every_action_has_its_own_line() -> None:
    assert len(ACTION_NAMES) == len(set(ACTION_NAMES)) == ACTIONS == 1409


# There and back


@settings(max_examples=40)
@given(SEEDS)
def test_undo_restores_the_record_byte_for_byte_and_redo_too(seed: int) -> None:
    game = new_random_game(seed)
    records = [step.record.tobytes() for step in random_steps(game, seed)]
    actions = game.actions
    for index in reversed(range(len(actions))):
        assert game.undo() == actions[index]
        assert game.record.tobytes() == records[index]
        assert game.undone == actions[index:]
    with pytest.raises(BadRequest):
        game.undo()
    for index in range(len(actions)):
        assert game.redo() == actions[index]
        assert game.record.tobytes() == records[index + 1]
    with pytest.raises(BadRequest):
        game.redo()
    assert game.actions == actions


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 200))
def test_a_new_action_after_undo_forgets_what_was_undone(seed: int, count: int) -> None:
    game = random_game(seed, count)
    game.undo()
    game.play(game.legal[-1])
    assert game.undone == []


@given(GAMES)
def test_json_round_trip(game: Game) -> None:
    again = Game.from_json(game.to_json())
    assert again == game
    assert again.to_json() == game.to_json()
    assert again.state() == game.state() and again.legal == game.legal and again.actions == game.actions


@given(GAMES)
def test_position_string_round_trip(game: Game) -> None:
    text = game.position()
    again = Game.from_position(text)
    assert again == game
    assert again.position() == text
    assert "\n" not in text and again.legal == game.legal and again.state() == game.state()


@given(GAMES)
def test_a_game_from_a_position_goes_on_like_the_game_itself(game: Game) -> None:
    again = Game.from_position(game.position())
    for line in (random_line(random.Random(place), game.legal) for place in range(30) if not game.over):
        assert play(again, line) == play(game, line)


@settings(max_examples=50)
@given(GAMES)
def test_repr_round_trip(game: Game) -> None:
    assert eval(repr(game), {"Game": Game}) == game
    placed = Game.from_position(game.position())
    assert eval(repr(placed), {"Game": Game}) == placed
    assert eval(repr(game.rules), {"Rules": Rules}) == game.rules


@settings(max_examples=50)
@given(GAMES, SEEDS)
def test_forks_are_independent(game: Game, seed: int) -> None:
    before, actions = game.record.tobytes(), game.actions
    fork = game.fork()
    assert fork == game and fork.actions == actions
    for _ in random_steps(fork, seed, 20):
        pass
    while fork.actions:
        fork.undo()
    assert (game.record.tobytes(), game.actions, game.undone) == (before, actions, [])


@settings(max_examples=30)
@given(SEEDS, st.integers(0, 80))
def test_replay_shows_every_position(seed: int, count: int) -> None:
    game = new_random_game(seed)
    records = [step.record.tobytes() for step in random_steps(game, seed, count)]
    replayed = list(game.replay())
    assert [step.record.tobytes() for step in replayed] == records
    assert [step.actions for step in replayed] == [game.actions[:index] for index in range(len(records))]


# Forecast


@settings(max_examples=60)
@given(GAMES)
def test_forecast_is_what_happens_if_everybody_only_ends_turns(game: Game) -> None:
    if game.phase != "turn":
        return
    game = Game.from_position(game.position())
    for ahead in game.forecast():
        now = game.round
        before = game.state()
        while game.round == now and not game.over:
            game.play("end")
        assert ahead.played == (not game.over)
        if game.over:
            return
        state = game.state()
        light = [each["light"] for each in state["players"]]
        gained = [after - each["light"] for after, each in zip(light, before["players"], strict=True)]
        assert (ahead.round, ahead.sun, ahead.light) == (state["round"], state["sun"], light)
        assert [income - lost for income, lost in zip(ahead.income, ahead.lost, strict=True)] == gained
        trees = {name: piece["size"] for name, piece in state["spaces"].items() if piece["size"] > 0}
        shining = {name: size for name, size in trees.items() if name not in ahead.shaded}
        for seat, income in enumerate(ahead.income):
            assert income == sum(size for name, size in shining.items() if state["spaces"][name]["owner"] == seat)
        if ahead.moon:
            moon = state["moon"]
            assert (ahead.moon.at, ahead.moon.full, ahead.moon.lit) == (moon["at"], moon["full"], moon["lit"])
            assert ahead.moon.lunar == [each["lunar"] for each in state["players"]]


# The board is symmetric

SETS = ("empty", "activated", "elder", "stones", "dam", "face_down", "shore", "river")


def rotated_set(bits: int, turns: int) -> int:
    return board.set_of(board.rotated(space, turns) for space in board.spaces_in(bits))


def rotated_line(line: str, turns: int) -> str:
    """The same action on the turned board."""
    verb, *words = line.split()
    turned = [board.NAMES[board.rotated(board.SPACE_NAMED[w], turns)] if w in board.SPACE_NAMED else w for w in words]
    return " ".join([verb, *(sorted(turned) if verb == "beaver.dam" else turned)])


def rotated_record(s: kernel.Record, turns: int) -> kernel.Record:
    """The same position with the board turned clockwise by 60° times `turns`.

    The sun then begins that many corners later, so the twin is that many rounds later in its game. The moon's places
    are numbered counter-clockwise, three a side: it stands 3 places back, and as it will have gone 5 places in each
    of those rounds, it began 8 places back for each turn.
    """
    t = s.copy()
    t.current_round, t.rounds = s.current_round + turns, s.rounds + turns
    t.sun = (s.sun + turns - (0 if s.current_round else 1)) % 6
    t.moon_start = (s.moon_start - 8 * turns) % 18
    for name in SETS:
        setattr(t, name, rotated_set(getattr(s, name), turns))
    for p in range(4):
        for size in range(4):
            t.pieces[p, size] = rotated_set(s.pieces[p, size], turns)
        t.at[p] = board.rotated(s.at[p], turns) if s.at[p] >= 0 else s.at[p]
    babies = {board.rotated(space, turns): baby_on(s, space) for space in board.spaces_in(s.shore)}
    t.babies = sum(babies[space] << 4 * place for place, space in enumerate(sorted(babies)))
    return t


def same_phases(moon_start: int, turns: int, moon_turns: str) -> bool:
    """Whether the twin's moon, begun earlier, is crescent when the game begins: it turned over an even number of times.

    The rules only know moons that are crescent at the start, so the other twins cannot be made. The moon that turns on
    arrival has the face that tracker and sun gave it one move before.
    """
    before = 2 * ((moon_start - 8 * turns) % 18 + 5) + 1  # tracker ahead of the sun, in half places
    even = [((before + 16 * moves) // 36 - before // 36) % 2 == 0 for moves in (turns - 1, turns)]
    return even[1] and (even[0] or moon_turns == "at_once")


@each_module_set
@pytest.mark.parametrize("turns", range(1, 6))
def test_turning_the_board_commutes_with_everything(modules: list[str], turns: int) -> None:
    for seed in range(3):
        drawn = new_random_game(seed + 100 * turns, modules)
        late = seed % 2 and any(same_phases(place, turns, "on_arrival") for place in range(18))
        moon_turns = "on_arrival" if late else "at_once"
        start = next(place % 18 for place in range(seed * 7, 99) if same_phases(place % 18, turns, moon_turns))
        moon = {"moon_start": start, "moon_turns": moon_turns} if "moon" in modules else {}
        game = Game(drawn.players, drawn.rules.to_dict() | moon, seed=seed)
        twin = rotated_record(game.now, turns)
        room = kernel.LegalList()
        for step in random_steps(game, seed):
            if step.actions:
                kernel.apply(twin, ACTION_NUMBERS[rotated_line(step.actions[-1], turns)])
            assert twin == rotated_record(step.now, turns)
            count = kernel.legal(twin, room)
            legal = {ACTION_NAMES[number] for number in room.action[:count]}
            assert legal == {rotated_line(line, turns) for line in step.legal}
        assert kernel.winners(twin) == kernel.winners(game.now)


@pytest.mark.parametrize("place", range(18))
def test_turning_the_board_turns_the_moons_lines(place: int) -> None:
    lines = {tuple(board.rotated(space) for space in line) for line in board.MOON_LINES[place]}
    assert lines == set(board.MOON_LINES[(place - 3) % 18])


# Hidden information


def lying(game: Game, seen: bool = False) -> dict[str, str | None]:
    """The babies that lie face down, by space; or those that have been seen, by the space where they lay."""
    babies = [(None, *BABIES)[int(game.record.babies) >> 4 * place & 15] for place in range(6)]
    hidden = game.state()["face_down"]
    return {space: baby for space, baby in zip(game.rules.shore, babies, strict=True) if (space in hidden) != seen}


def turtle_game(seed: int, count: int) -> Game:
    """A long game in which A's turtle goes to the babies and hatches them whenever it can."""
    hands = [["turtle", "owl"], ["boar", "badger"]]
    rules = {"modules": ["moon"], "rounds": 90}
    game = Game(2, rules, seed=seed, deal={"animals": hands}, actions=["draft turtle", "draft boar"])
    choose = random.Random(seed)
    for _ in range(count):
        if not game.over:
            game.play(turtle_line(choose, game))
    return game


def turtle_line(choose: random.Random, game: Game) -> str:
    babies = [board.COORDINATES[board.SPACE_NAMED[name]] for name in game.state()["face_down"]]
    steps = [line for line in game.legal if line.startswith("step ")]
    walks = [line for line in game.legal if line.startswith("turtle.steps ")]
    if "turtle.hatch" in game.legal:
        return "turtle.hatch"
    if walks and choose.random() < 0.1:
        return choose.choice(walks)
    if game.player == 0 and steps and babies and choose.random() < 0.5:
        at = {line: board.COORDINATES[board.SPACE_NAMED[line.split()[1]]] for line in steps}
        return min(steps, key=lambda line: min(board.distance(at[line], baby) for baby in babies))
    return random_line(choose, game.legal)


TURTLE_GAMES = st.builds(turtle_game, SEEDS, st.integers(0, 300))


@settings(max_examples=50)
@given(TURTLE_GAMES, SEEDS)
def test_no_state_tells_a_face_down_baby(game: Game, seed: int) -> None:
    """Another deal that agrees with what was seen gives the same states and legal actions, from start to now."""
    other = game.determinised(seed)
    for one, two in zip(game.replay(), other.replay(), strict=True):
        assert one.state() == two.state() and one.legal == two.legal


@given(TURTLE_GAMES)
def test_a_redacted_game_tells_no_seed_and_no_unseen_baby(game: Game) -> None:
    redacted = game.redacted()
    told = redacted.to_dict()
    assert "seed" not in told and told["actions"] == game.actions
    assert set(lying(redacted).values()) <= {None}
    hatched = game.actions.count("turtle.hatch")
    babies = zip(told["deal"]["babies"], game.to_dict()["deal"]["babies"], strict=True)
    assert [known == baby for known, baby in babies].count(True) == hatched
    assert redacted.state() == game.state() and redacted.legal == game.legal
    assert redacted.undone == [] and Game.from_json(redacted.to_json()) == redacted
    assert game.redacted_data == redacted.data
    assert Game.from_position(redacted.position()) == redacted


@settings(max_examples=50)
@given(TURTLE_GAMES, SEEDS)
def test_redacted_games_play_on(game: Game, seed: int) -> None:
    redacted = game.redacted()
    choose = random.Random(seed)
    for _ in range(40):
        if game.over:
            return
        line = random_line(choose, game.legal)
        game.play(line)
        if line == "turtle.hatch":
            with pytest.raises(BadRequest, match="redacted"):
                redacted.play(line)
            redacted = game.redacted()  # as the server sends it after the hatch
        else:
            redacted.play(line)
        assert redacted.state() == game.state() and redacted.legal == game.legal


@given(TURTLE_GAMES, SEEDS)
def test_determinised_copies_agree_on_everything_seen(game: Game, seed: int) -> None:
    copy = game.determinised(seed)
    assert copy.state() == game.state() and copy.legal == game.legal and copy.actions == game.actions
    babies = copy.to_dict()["deal"]["babies"]
    assert len(set(babies)) == 6 and None not in babies
    assert "seed" not in copy.to_dict()
    assert copy == game.redacted().determinised(seed)  # nothing hidden was used


@settings(max_examples=30)
@given(TURTLE_GAMES)
def test_determinised_copies_differ_in_what_nobody_has_seen(game: Game) -> None:
    copies = [lying(game.determinised(seed)) for seed in range(40)]
    if copies[0]:
        assert len({tuple(copy.values()) for copy in copies}) > 1
        seen = set(game.state()["players"][0]["babies"])
        assert all(not seen & set(copy.values()) for copy in copies)


@settings(max_examples=50)
@given(TURTLE_GAMES, SEEDS)
def test_determinised_from_a_position_string_agrees_with_what_was_seen(game: Game, seed: int) -> None:
    """A position tells which babies have hatched, in the turtle's hand or used: they cannot lie face down as well."""
    copy = Game.from_position(game.position()).determinised(seed)
    assert copy.state() == game.state()
    if game.phase == "turn":
        assert lying(copy, seen=True) == lying(game, seen=True)
        assert len({*lying(copy, seen=True).values(), *lying(copy).values()}) == 6


def test_hidden_babies_do_not_come_back_by_undo() -> None:
    """From a position string too, a redacted or determinised copy holds nothing of the real deal in its past."""
    game = turn(animals="turtle@b2 fox@e6", babies="light seed two leaf small points", lunar=14)
    play(game, "step a1")
    redacted = game.redacted()
    redacted.undo()
    assert set(lying(redacted).values()) == {None}


def test_undo_at_a_table_stops_at_a_hatch() -> None:
    game = turn("d4:A1", animals="turtle@b2 fox@e6", light=9, lunar=14)
    assert game.undoable() == 0
    play(game, "buy seed", "step a1")
    assert game.undoable() == 2
    play(game, "turtle.hatch")
    assert game.undoable() == 0
    play(game, "buy seed", "plant d4 d5")
    assert game.undoable() == 2
    assert game.restart_turn() == 2
    assert game.actions == ["buy seed", "step a1", "turtle.hatch"]
    assert game.undo() == "turtle.hatch"  # the game itself can always go back


def test_undo_at_a_table_stops_at_the_start_of_the_turn() -> None:
    game = Game(2)
    play(game, "place a1", "place g4", "place a3")
    assert game.undoable() == 0
    play(game, "place g2")
    assert game.undoable() == 0
    play(game, "buy seed", "plant a1 a2")
    assert game.undoable() == 2
    play(game, "end")
    assert game.undoable() == 0


@given(MOON_GAMES)
def test_undoable_actions_belong_to_the_player_on_turn_and_reveal_nothing(game: Game) -> None:
    back: list[Any] = game.actions[len(game.actions) - game.undoable() :]
    assert "end" not in back and "turtle.hatch" not in back
    assert all(not line.startswith(("draft", "animal", "elder", "stone", "place")) for line in back)
    before = game.player
    game.restart_turn()
    assert game.player == before and game.undoable() == 0
