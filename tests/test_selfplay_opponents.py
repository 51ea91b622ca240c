"""Self-play against others, and the light that a network in training has to foresee."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import pytest

from sunglade import kernel
from sunglade.board import rotated
from sunglade.kernel.record import OVER
from sunglade.neural import selfplay_opponents, selfplay_search
from sunglade.neural.replay import Replay, batch_buffers
from sunglade.neural.selfplay import SelfPlay, Settings, plain_memory, start_positions
from sunglade.rules import Rules
from sunglade.search.light_tally import ROW

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("selfplay")]  # one process compiles it


def played(settings: Settings, rounds: int = 150) -> SelfPlay:
    """Tables after a while, the network answering at random."""
    random = np.random.default_rng(2)
    play = SelfPlay(64, 1, settings, start_positions((2, 3, 4)), seed=11)
    for _ in range(rounds):
        for half in play.halves:
            half.answers["value"] = random.random(half.answers["value"].shape)
            half.answers["logit"] = random.normal(size=half.answers["logit"].shape)
        for which in range(2):
            play.advance(which)
    return play


def test_alone_the_network_has_every_seat() -> None:
    for half in played(Settings(full=4, fast=2), 5).halves:
        assert not half.trees["others"].any() and not half.asks["past"].any()


def test_an_older_network_is_asked_exactly_for_its_own_seats() -> None:
    asked = 0
    for half in played(Settings(full=4, fast=2, past=0.5)).halves:
        assert (half.trees["manner"] == [selfplay_opponents.PAST] * 16 + [selfplay_opponents.ITSELF] * 16).all()
        at_root = half.trees["waiting"] == 0
        others = half.trees["others"] >> half.games["player"] & 1 == 1
        assert (half.asks["past"] == (at_root & others)).all()
        asked += int(half.asks["past"].sum())
    assert asked


@pytest.mark.parametrize("settings", [Settings(4, 2, past=1.0), Settings(4, 2, mixed=1.0)])
def test_others_have_some_of_the_seats_and_nothing_is_learned_from_them(settings: Settings) -> None:
    samples = 0
    for half in played(settings).halves:
        for tree, game, staged in zip(half.trees, half.games, half.staged, strict=True):
            assert 0 < tree["others"] < (1 << game["players"]) - 1
            movers = staged["player"][: tree["samples"]]
            assert not (int(tree["others"]) >> movers & 1).any()
            samples += len(movers)
    assert samples


def test_a_simple_player_never_waits_for_the_network() -> None:
    seen = 0
    for half in played(Settings(full=4, fast=2, mixed=1.0)).halves:
        simple = half.trees["manner"] == selfplay_opponents.SIMPLE
        assert not (half.trees["others"][simple] >> half.games["player"][simple] & 1).any()
        seen += int(simple.sum())
    assert seen


@numba.njit
def play_one(tree: Any, record: Any, action: int) -> None:
    """`selfplay_opponents.play` for Python."""
    selfplay_opponents.play(tree, record, action)


def test_light_is_counted_where_and_for_whom_it_comes() -> None:
    random = np.random.default_rng(4)
    record = kernel.new_record(Rules(light_cap=None), 3).array()[0]
    tree, legal = np.zeros(1, selfplay_search.TREE)[0], np.zeros(1, kernel.LEGAL_LIST)[0]
    gained = np.zeros(4)
    while record.phase != OVER:
        tally = tree.light.reshape(4, ROW).copy()
        light, now = record.light.copy(), record.current_round
        play_one(tree, record, int(legal.action[random.integers(kernel.legal(record, legal))]))
        brought = tree.light.reshape(4, ROW) - tally
        if record.current_round == now or record.phase == OVER:
            assert not brought.any()
            continue
        assert (record.light - light == brought.sum(1)).all()
        for seat, space in zip(*np.nonzero(brought), strict=True):
            assert record.pieces[seat, brought[seat, space]] >> space & 1
        gained += brought.sum(1)
    assert gained[:3].all()


def test_the_light_to_come_is_laid_out_for_the_mover_and_for_the_others() -> None:
    replay = Replay(4, seed=0)
    states = kernel.new_record(Rules(), 3).array().repeat(4)
    states["player"] = 1
    states["sun"] = 2
    samples, outcomes = np.zeros(4, selfplay_search.SAMPLE), np.zeros(4, selfplay_search.OUTCOME)
    space = 5
    for seat, (before, after) in enumerate([(1, 4), (2, 7), (0, 11)]):
        samples["light"][:, seat * ROW + space] = before
        outcomes["light"][:, seat * ROW + space] = after
    replay.add(states, samples, outcomes)
    observations, targets, lists = batch_buffers(4, plain_memory)
    with ThreadPoolExecutor(1) as pool:
        replay.draw(observations, targets, lists, pool, 1)
    mine, others = targets["light"].reshape(4, 2, ROW).transpose(1, 0, 2)
    turned = rotated(space, 4)
    assert (mine[:, turned] == 5).all() and (others[:, turned] == 3 + 11).all()
    assert mine.sum() == 4 * 5 and others.sum() == 4 * 14
