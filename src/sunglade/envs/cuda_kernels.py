"""The batch's work as CUDA kernels: one thread a game, the same rules and the same results as `slices`.

A kernel is made for a number of players, with or without modules. Positions stay in the GPU's memory as whole
records; random play copies each into a compact one first, close to the thread.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from sunglade.encode import ACTIONS, BASE_ACTIONS, EXPAND, MASK, OBSERVATION, PLANES, WORDS, write_sets
from sunglade.envs.choice import base_action, masked_action
from sunglade.envs.compact_record import compact_dtype, copy_position, rows_for
from sunglade.envs.cuda_driver import BLOCK, SIMULATED, aligned, at_most, cuda_module
from sunglade.envs.dealing import deal, first_random, first_seed, next_seed
from sunglade.envs.level_play import chosen_action
from sunglade.envs.rewards import reward
from sunglade.envs.slices import ANY_SEAT, LOOK, RESET_OR_STEP, STEP_AND_RESET, place_after, take_seat
from sunglade.kernel import apply, legal
from sunglade.kernel.actions import MAX_LEGAL
from sunglade.kernel.arrays import STATE, dtype_of
from sunglade.kernel.compiler import inlined
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, Record
from sunglade.search.judgement import Plans
from sunglade.search.manner import ASKED, Manner

Kernel = Any

cuda: Any = cuda_module()

STATES: Final = aligned(STATE)
MASKS: Final = aligned(MASK)
MANNERS: Final = aligned(dtype_of(Manner))
PLANS: Final = aligned(dtype_of(Plans))
SHORT_LIST: Final = np.dtype((np.record, np.dtype([("action", np.int16, MAX_LEGAL)], align=True)))
"""Room for legal actions, a quarter as wide as the kernel's own."""
SETS: Final = np.dtype(
    (
        np.record,
        np.dtype([("planes", np.int64, (len(PLANES), 1)), ("table", np.uint8, OBSERVATION["table"].shape)], align=True),
    )
)
"""An observation before `encode.expand`: every plane as a set of spaces."""

PLAY_REGISTERS: Final = 64
"""As many as let 1024 threads of a processor play at once; what does not fit is needed only before and after."""
LOOK_REGISTERS: Final = 96
"""As many as let 640 threads of a processor look at once; fewer would have to be kept in slower memory."""

RUN: Final = 64
"""Games that one thread looks through for those in which somebody else is to act."""
IN_MANNERS: Final = -1
"""Whose turn is looked for: players that compiled code knows; from 0 on, one of those who are asked."""

PLANE_WORDS: Final = len(PLANES) * WORDS
WORDS_EACH: Final = OBSERVATION.itemsize // 8
SETS_WORDS: Final = SETS.itemsize // 8
MASK_WORDS: Final = MASK.itemsize // 8


@inlined
def _act_by_list(s: Record, random: int, out: LegalList) -> None:
    """Carry out a random legal action, from a list of them."""
    n = legal(s, out)
    apply(s, int(out.action[below(random, n)]))


@inlined
def _act_by_count(s: Record, random: int, out: LegalList) -> None:
    """The same in a game without modules, without a list."""
    action = base_action(s, random)
    if action < BASE_ACTIONS:  # always: said so that the compiler leaves the modules' actions out
        apply(s, action)


@inlined
def _begin(start: Record, s: Record, seed: int, rows: int) -> None:
    """A new game."""
    copy_position(start, s, rows)
    deal(s, seed)


@inlined
def _begin_again(
    start: Any, s: Record, seeds: Any, randoms: Any, seats: Any, wanted_seat: int, game: int, rows: int
) -> None:
    """A new game in the place of one that is over, with the next seed of its stream."""
    seeds[game] = next_seed(seeds[game])
    _begin(start[0], s, seeds[game], rows)
    take_seat(s, randoms, seats, wanted_seat, game)


@inlined
def _pay(s: Record, rewards: Any, done: Any, game: int, kind: int) -> None:
    """What a game that is over pays."""
    for p in range(rewards.shape[1]):
        rewards[game, p] = reward(s, p, kind)
    done[game] = 1


def _near(players: int, modules: bool) -> np.dtype[np.void]:
    """A position as it lives in shared memory, close to its thread; the simulator needs whole records."""
    return STATES if SIMULATED else compact_dtype(players, modules)


@cache
def random_kernel(players: int, modules: bool) -> Kernel:
    """Play so many random actions in each game; a game that ends begins anew."""
    rows = 4 if SIMULATED else rows_for(players)
    dtype = _near(players, modules)
    act = _act_by_list if modules else _act_by_count

    @cuda.jit(**at_most(PLAY_REGISTERS))
    def play_random(start, records, seeds, randoms, seats, wanted_seat, finished, steps):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        s = cuda.shared.array(BLOCK, dtype)[cuda.threadIdx.x]
        if game < records.shape[0]:
            out = cuda.local.array(1, SHORT_LIST)[0]
            copy_position(records[game], s, rows)
            random = randoms[game]
            for _ in range(steps):
                if s.phase == OVER:
                    randoms[game] = random
                    _begin_again(start, s, seeds, randoms, seats, wanted_seat, game, rows)
                    random = randoms[game]
                random = shuffled(random)
                act(s, random, out)
                if s.phase == OVER:
                    finished[game] += 1
            randoms[game] = random
            copy_position(s, records[game], rows)

    return play_random


@cuda.jit
def seed_games(seeds, randoms, batch_seed):  # type: ignore[no-untyped-def]
    """Begin the streams of the games again."""
    game = cuda.grid(1)
    if game < seeds.shape[0]:
        seeds[game] = first_seed(batch_seed, game)
        randoms[game] = first_random(seeds[game])


@cuda.jit
def reset_games(start, records, seeds, randoms, seats, wanted_seat, which, advance):  # type: ignore[no-untyped-def]
    """Begin new games at the chosen places."""
    game = cuda.grid(1)
    if game < records.shape[0] and which[game]:
        if advance:
            seeds[game] = next_seed(seeds[game])
        _begin(start[0], records[game], seeds[game], 4)
        take_seat(records[game], randoms, seats, wanted_seat, game)


@cuda.jit
def first_illegal(records, listed, masks, actions, found):  # type: ignore[no-untyped-def]
    """Find the first of the listed games whose action is not legal, by its place in the list."""
    place = cuda.grid(1)
    if place < actions.shape[0] and records[listed[place]].phase != OVER:
        action = actions[place]
        if action < 0 or action >= ACTIONS or not masks[place].mask[action]:
            cuda.atomic.min(found, 0, place)


@cuda.jit
def step_games(  # type: ignore[no-untyped-def]
    start, records, seeds, randoms, seats, wanted_seat, actions, masks, rewards, done, illegal, kind, mode
):
    """Carry out one action in each game; one that is not legal changes nothing and is noted."""
    game = cuda.grid(1)
    if game < records.shape[0]:
        s = records[game]
        for p in range(rewards.shape[1]):
            rewards[game, p] = 0.0
        illegal[game] = 0
        begun = False
        if s.phase != OVER:
            action = actions[game]
            if action < 0 or action >= ACTIONS or not masks[game].mask[action]:
                illegal[game] = 1
            else:
                apply(s, int(action))
                if s.phase == OVER:
                    _pay(s, rewards, done, game, kind)
        elif mode == RESET_OR_STEP:
            begun = True
        done[game] = s.phase == OVER and not begun
        if begun or (mode == STEP_AND_RESET and s.phase == OVER):
            _begin_again(start, s, seeds, randoms, seats, wanted_seat, game, 4)


# Opponents


@inlined
def _waits_for(s: Record, seat: int, manners: Any, whom: int) -> bool:
    """Whether it is somebody else's turn, and theirs."""
    if s.phase == OVER or seat == ANY_SEAT or s.player == seat:
        return False
    kind = int(manners[place_after(int(s.player), seat, int(s.players))].kind)
    return kind < ASKED if whom == IN_MANNERS else kind == ASKED + whom


@cuda.jit
def count_waiting(records, seats, manners, whom, counts):  # type: ignore[no-untyped-def]
    """Count the games that wait for somebody, in each run of games."""
    run = cuda.grid(1)
    if run < counts.shape[0] - 1:
        n = 0
        for game in range(run * RUN, min((run + 1) * RUN, records.shape[0])):
            if _waits_for(records[game], seats[game], manners, whom):
                n += 1
        counts[run] = n


@cuda.jit
def add_up(counts):  # type: ignore[no-untyped-def]
    """Make of counts how many there were before each, and at the end of all how many there are. One thread."""
    if cuda.grid(1) == 0:
        before = 0
        for run in range(counts.shape[0] - 1):
            here = counts[run]
            counts[run] = before
            before += here
        counts[counts.shape[0] - 1] = before


@cuda.jit
def list_waiting(records, seats, manners, whom, counts, listed):  # type: ignore[no-untyped-def]
    """Write down the games that wait for somebody, in order."""
    run = cuda.grid(1)
    if run < counts.shape[0] - 1:
        place = counts[run]
        for game in range(run * RUN, min((run + 1) * RUN, records.shape[0])):
            if _waits_for(records[game], seats[game], manners, whom):
                listed[place] = game
                place += 1


@cache
def others_kernel(players: int, modules: bool) -> Kernel:
    """Let those that compiled code knows act in the listed games, until somebody else is to act.

    A game that ends pays, and begins anew if it is to do so in the same step; only looking, it stays as it is.
    """
    rows = 4 if SIMULATED else rows_for(players)
    dtype = _near(players, modules)

    @cuda.jit
    def others_act(  # type: ignore[no-untyped-def]
        start, records, seeds, randoms, seats, wanted_seat, manners, counts, listed, rewards, done, kind, mode
    ):
        place = cuda.grid(1)
        s = cuda.shared.array(BLOCK, dtype)[cuda.threadIdx.x]
        if place < counts[counts.shape[0] - 1]:
            game = listed[place]
            out = cuda.local.array(1, SHORT_LIST)[0]
            after = cuda.local.array(1, dtype)[0]
            plans = cuda.local.array(1, PLANS)[0]
            copy_position(records[game], s, rows)
            while _waits_for(s, seats[game], manners, IN_MANNERS):
                m = manners[place_after(int(s.player), seats[game], int(s.players))]
                action, random = chosen_action(s, m, seeds[game], randoms[game], out, after, plans, rows)
                randoms[game] = random
                if modules or action < BASE_ACTIONS:  # always: without modules the compiler leaves their actions out
                    apply(s, action)
                if s.phase == OVER and mode != LOOK:
                    _pay(s, rewards, done, game, kind)
                    if mode == STEP_AND_RESET:
                        _begin_again(start, s, seeds, randoms, seats, wanted_seat, game, rows)
            copy_position(s, records[game], rows)

    return others_act


@cuda.jit
def act_in_listed(  # type: ignore[no-untyped-def]
    start, records, seeds, randoms, seats, wanted_seat, listed, actions, rewards, done, kind, mode
):
    """Carry out a legal action in each listed game, for somebody who was asked."""
    place = cuda.grid(1)
    if place < actions.shape[0]:
        game = listed[place]
        s = records[game]
        apply(s, int(actions[place]))
        if s.phase == OVER:
            _pay(s, rewards, done, game, kind)
            if mode == STEP_AND_RESET:
                _begin_again(start, s, seeds, randoms, seats, wanted_seat, game, 4)


@cuda.jit
def choose_random(mask_words, randoms, actions):  # type: ignore[no-untyped-def]
    """Choose one of the legal actions of each game, each as likely as the other."""
    game = cuda.grid(1)
    if game < actions.shape[0]:
        random = shuffled(randoms[game])
        randoms[game] = random
        actions[game] = masked_action(mask_words, game * MASK_WORDS, (game + 1) * MASK_WORDS, random)


@cuda.jit
def clear(words, n):  # type: ignore[no-untyped-def]
    """Set so many words to 0."""
    word = cuda.grid(1)
    if word < n:
        words[word] = 0


@cache
def look_kernel(modules: bool) -> Kernel:
    """Write what the player to act in each listed game may do, and what it sees as sets of spaces.

    The masks must be all 0 before. A finished game is seen from the seat of who steps the batch. What is seen is
    gathered close to the thread: hundreds of single bytes, which go to the GPU's memory in words.
    """
    dtype = _near(4, modules)

    @cuda.jit(**at_most(LOOK_REGISTERS))
    def look(records, seats, listed, n_listed, masks, players, set_words):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        s = cuda.shared.array(BLOCK, dtype)[cuda.threadIdx.x]
        if place < n_listed:
            game = listed[place]
            copy_position(records[game], s, 4)
            players[game] = s.player
            out = cuda.local.array(1, SHORT_LIST)[0]
            n = legal(s, out)
            for index in range(n):
                masks[place].mask[int(out.action[index])] = 1
            if n == 0:  # the game is over
                masks[place].mask[0] = 1
            if (place + 1) * SETS_WORDS <= set_words.size:
                seer = int(s.player)
                if n == 0 and seats[game] != ANY_SEAT:
                    seer = int(seats[game])
                words = cuda.local.array(SETS_WORDS, np.int64)
                write_sets(s, seer & 3, 0, words.view(SETS)[0])
                for word in range(SETS_WORDS):
                    set_words[place * SETS_WORDS + word] = words[word]

    return look


@cuda.jit
def expand_sets(sets, observations, n):  # type: ignore[no-untyped-def]
    """Make observations of sets, so many words of them.

    One thread a word, neighbours side by side, so that memory is written in long rows.
    """
    word = cuda.grid(1)
    if word < n:
        game = word // WORDS_EACH
        place = word - game * WORDS_EACH
        if place < PLANE_WORDS:
            plane = place // WORDS
            shift = 8 * (place - plane * WORDS)
            observations[word] = EXPAND[sets[game * SETS_WORDS + plane] >> shift & 255]
        else:
            observations[word] = sets[game * SETS_WORDS + len(PLANES) + place - PLANE_WORDS]
