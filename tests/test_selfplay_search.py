"""The batched search: it plays legal games to their end, whatever the network says, and finds what pays at once."""

import numpy as np
import pytest

from sunglade import Game, kernel
from sunglade.kernel.record import OVER
from sunglade.neural import selfplay_search
from sunglade.neural.selfplay import SelfPlay, Settings, start_positions

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("selfplay")]  # one process compiles it


def answer_at_random(half: object, random: np.random.Generator) -> None:
    answers = half.answers  # type: ignore[attr-defined]
    answers["value"] = random.random(answers["value"].shape)
    answers["logit"] = random.normal(size=answers["logit"].shape)


@pytest.mark.parametrize("threads", [1, 2])
def test_games_end_and_every_sample_is_a_position_to_decide(threads: int) -> None:
    random = np.random.default_rng(1)
    settings = Settings(full=4, fast=2, full_share=0.5, considered=4)
    play = SelfPlay(16, threads, settings, start_positions((2, 3)), seed=3)
    games = samples = 0
    while games < 8:
        for which in range(2):
            answer_at_random(play.halves[which], random)
            play.advance(which)
            states, policies, outcomes, finished = play.finished(which)
            games += finished
            samples += len(states)
            lists = np.zeros(1, kernel.LEGAL_LIST)
            for state, policy, outcome in zip(states, policies, outcomes, strict=True):
                choices = kernel.legal(state, lists[0])
                assert choices > 1
                assert abs(int(policy["policy"][:choices].sum()) - 65535) <= choices
                assert policy["policy"][choices:].sum() == 0
                assert outcome["win"].sum() == pytest.approx(1.0)
    assert samples


def test_the_number_of_threads_changes_nothing() -> None:
    positions = []
    for threads in (1, 2):
        play = SelfPlay(8, threads, Settings(full=4, fast=2), start_positions((2,)), seed=7)
        random = np.random.default_rng(5)
        for _ in range(120):
            for which in range(2):
                answer_at_random(play.halves[which], random)
                play.advance(which)
        positions.append(b"".join(half.games.tobytes() for half in play.halves))
    assert positions[0] == positions[1]


def test_halving_gives_every_simulation_to_some_action() -> None:
    for considered in range(1, selfplay_search.MAX_CONSIDERED + 1):
        for simulations in (1, 2, 7, 16, 33, 64):
            sequence = selfplay_search.SCHEDULE[considered, simulations, :simulations].tolist()
            assert sequence[0] == 0
            assert sequence.count(0) <= considered


def test_the_search_collects_when_the_last_turn_offers_points() -> None:
    """With an ignorant network a search of the last turn finds the tokens by itself: the end of the game is exact."""
    game = Game(2)
    s = game.now
    s.phase, s.current_round, s.sun, s.turn, s.player, s.first = 5, 18, 5, 1, 1, 0
    s.light[1] = 4
    s.score[0] = 10  # ending now loses, collecting wins
    s.pieces[1, 3] = 1 << 18
    s.empty &= ~(1 << 18)
    s.slots[1, 3] = 0
    best = game.legal.index("collect d4")
    starts = s.copy().array()
    play = SelfPlay(2, 1, Settings(full=32, fast=32, full_share=1.0, considered=8, noise=0.0), starts, seed=1)
    for _ in range(40):
        for which in range(2):
            play.halves[which].answers["value"] = 0.5
            play.halves[which].answers["logit"] = 0.0
            play.advance(which)
            _, policies, _, finished = play.finished(which)
            if finished:
                assert int(policies[0]["policy"].argmax()) == best
                return
    raise AssertionError("no game ended")


def test_a_game_can_be_played_again_from_what_was_remembered_of_it() -> None:
    random = np.random.default_rng(4)
    starts = start_positions((2, 4))
    for set_up in (0.0, 1.0):
        play = SelfPlay(4, 1, Settings(full=2, fast=2, considered=2, random_setup=set_up, once=True), starts[-1:], 5)
        for _ in range(300):
            for which in range(2):
                answer_at_random(play.halves[which], random)
                play.advance(which)
        for half in play.halves:
            for game, tree in zip(half.games, half.trees, strict=True):
                again = kernel.Record(starts[-1:].tobytes())
                for action in tree["history"][: tree["played"]].tolist():
                    kernel.apply(again, action)
                assert bytes(again) == game.tobytes() and tree["played"] > 20


def test_noise_ends_with_the_round_that_was_named() -> None:
    random = np.random.default_rng(4)
    settings = Settings(full=2, fast=2, considered=2, noisy_rounds=1, once=True)
    play = SelfPlay(8, 1, settings, start_positions((2,)), seed=5)
    seen = set()
    for _ in range(150):
        for which in range(2):
            answer_at_random(play.halves[which], random)
            play.advance(which)
            for game, tree in zip(play.halves[which].games, play.halves[which].trees, strict=True):
                if game["phase"] != OVER:
                    noisy = bool(tree["gumbel"][: tree["count"][0]].any())
                    assert noisy == (game["current_round"] <= 1)
                    seen.add(noisy)
    assert seen == {True, False}
