"""The OpenSpiel game: OpenSpiel's own simulation test, its search, chance, and bad input."""

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import sunglade.envs.openspiel  # registers the game
from sunglade import BadRules, Game, Rules
from sunglade.envs.openspiel import HANDS
from sunglade.notation import ACTION_NAMES
from sunglade.rules import ANIMALS, BABIES

pytestmark = pytest.mark.xdist_group("envs")


@pytest.mark.parametrize(
    "name",
    [
        "python_sunglade",
        "python_sunglade(players=3)",
        "python_sunglade(players=4,modules=moon+elder+stones,reward=rank)",
        "python_sunglade(players=2,modules=moon,edition=es,shade_forbids=True)",
        "python_sunglade(modules=moon,moon_turns=on_arrival,boar_digs=any,fox_scares=adjacent,fox_steals=light)",
    ],
)
def test_openspiel_s_own_simulation(name: str) -> None:
    game = pyspiel.load_game(name)
    assert pyspiel.load_game(str(game)).num_players() == game.num_players()
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def play(state: Any, seed: int, until: int = 10**6) -> Any:
    choices = random.Random(seed)
    while not state.is_terminal() and len(state.history()) < until:
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            assert sum(probabilities) == pytest.approx(1)
            state.apply_action(choices.choice(outcomes))
        else:
            state.apply_action(choices.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_that_of_the_rules(players: int) -> None:
    state = play(pyspiel.load_game(f"python_sunglade(players={players})").new_initial_state(), 1)
    game = Game(players, actions=[ACTION_NAMES[action] for action in state.history()])
    assert game.over and sum(state.returns()) == pytest.approx(0, abs=1e-6)
    assert [value > 0 for value in state.returns()] == [seat in (game.winners or []) for seat in range(players)]


def test_options_that_every_edition_has_alike_can_be_set() -> None:
    game = pyspiel.load_game("python_sunglade(modules=moon,revolutions=4,boar_digs=any,fox_steals=light)")
    assert game.rules == Rules(modules=["moon"], revolutions=4, boar_digs="any", fox_steals="light")
    with pytest.raises((BadRules, RuntimeError), match="fox_steals must be"):
        pyspiel.load_game("python_sunglade(modules=moon,fox_steals=everything)")


def test_chance_deals_and_hatches() -> None:
    hatched = 0
    for seed in range(60):
        state = pyspiel.load_game("python_sunglade(modules=moon)").new_initial_state()
        hands = []
        while state.is_chance_node():
            hands.append(HANDS[random.Random(seed).choice(state.chance_outcomes())[0]])
            state.apply_action(HANDS.index(hands[-1]))
        assert len({card for hand in hands for card in hand}) == 4
        drafted = {ACTION_NAMES[action] for action in state.legal_actions()}
        assert drafted == {f"draft {ANIMALS[card]}" for card in hands[0]}
        play(state, seed)
        history = state.full_history()
        for before, after in pairwise(history):
            if before.player >= 0 and ACTION_NAMES[before.action] == "turtle.hatch":
                assert after.player == pyspiel.PlayerId.CHANCE and 0 <= after.action < len(BABIES)
                hatched += 1
    assert hatched > 0


def test_copies_are_independent() -> None:
    state = play(pyspiel.load_game("python_sunglade(modules=moon)").new_initial_state(), 3, until=30)
    copy, before = state.clone(), str(state)
    assert copy.legal_actions() == state.legal_actions() and str(copy) == before
    play(copy, 4)
    assert str(state) == before and copy.is_terminal() and not state.is_terminal()


def test_observations_are_the_documented_ones() -> None:
    from sunglade.envs.one_game import OneGame

    state = play(pyspiel.load_game("python_sunglade(players=3)").new_initial_state(), 5, until=60)
    one = OneGame(3, Rules(), 0, observe=False)
    for action in state.history():
        one.act(action)
    for seat in range(3):
        assert (np.array(state.observation_tensor(seat)) == one.observation(seat)).all()
    assert state.legal_actions_mask() == one.mask().tolist()


def test_its_mcts_plays() -> None:
    game = pyspiel.load_game("python_sunglade(modules=moon)")
    choices = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, choices), random_state=choices)
    state = game.new_initial_state()
    moves = 0
    while moves < 6:
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1


def test_bad_input() -> None:
    state = pyspiel.load_game("python_sunglade").new_initial_state()
    for action in (78, -5, 1409, 10**6):
        with pytest.raises((ValueError, pyspiel.SpielError)):
            state.apply_action(action)
    with pytest.raises(TypeError):
        state.apply_action("end")
    assert len(state.legal_actions()) == 18
    finished = play(state, 1)
    with pytest.raises((ValueError, pyspiel.SpielError)):
        finished.apply_action(0)
    for name in ("players=7", "edition=xx", "modules=sun", "reward=margin", "moves=3"):
        with pytest.raises((ValueError, pyspiel.SpielError)):
            pyspiel.load_game(f"python_sunglade({name})")


assert sunglade.envs.openspiel.NAME == "python_sunglade"
