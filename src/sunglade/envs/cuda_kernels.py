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
from sunglade.envs.rewards import reward
from sunglade.envs.slices import RESET_OR_STEP, STEP_AND_RESET
from sunglade.kernel import apply, legal
from sunglade.kernel.actions import MAX_LEGAL
from sunglade.kernel.arrays import STATE
from sunglade.kernel.compiler import inlined
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, Record

Kernel = Any

cuda: Any = cuda_module()

STATES: Final = aligned(STATE)
MASKS: Final = aligned(MASK)
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
    def play_random(start, records, seeds, randoms, finished, steps):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        s = cuda.shared.array(BLOCK, dtype)[cuda.threadIdx.x]
        if game < records.shape[0]:
            out = cuda.local.array(1, SHORT_LIST)[0]
            copy_position(records[game], s, rows)
            random = randoms[game]
            for _ in range(steps):
                if s.phase == OVER:
                    seeds[game] = next_seed(seeds[game])
                    _begin(start[0], s, seeds[game], rows)
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
def reset_games(start, records, seeds, which, advance):  # type: ignore[no-untyped-def]
    """Begin new games at the chosen places."""
    game = cuda.grid(1)
    if game < records.shape[0] and which[game]:
        if advance:
            seeds[game] = next_seed(seeds[game])
        _begin(start[0], records[game], seeds[game], 4)


@cuda.jit
def first_illegal(records, masks, actions, found):  # type: ignore[no-untyped-def]
    """Find the first game whose action is not legal."""
    game = cuda.grid(1)
    if game < records.shape[0] and records[game].phase != OVER:
        action = actions[game]
        if action < 0 or action >= ACTIONS or not masks[game].mask[action]:
            cuda.atomic.min(found, 0, game)


@cuda.jit
def step_games(start, records, seeds, actions, masks, rewards, done, illegal, kind, mode):  # type: ignore[no-untyped-def]
    """Carry out one action in each game; one that is not legal changes nothing and is noted."""
    game = cuda.grid(1)
    if game < records.shape[0]:
        s = records[game]
        for p in range(rewards.shape[1]):
            rewards[game, p] = 0.0
        illegal[game] = 0
        if s.phase != OVER:
            action = actions[game]
            if action < 0 or action >= ACTIONS or not masks[game].mask[action]:
                illegal[game] = 1
            else:
                apply(s, int(action))
                if s.phase == OVER:
                    for p in range(rewards.shape[1]):
                        rewards[game, p] = reward(s, p, kind)
        elif mode == RESET_OR_STEP:
            seeds[game] = next_seed(seeds[game])
            _begin(start[0], s, seeds[game], 4)
        done[game] = s.phase == OVER
        if mode == STEP_AND_RESET and s.phase == OVER:
            seeds[game] = next_seed(seeds[game])
            _begin(start[0], s, seeds[game], 4)


@cuda.jit
def choose_random(mask_words, randoms, actions):  # type: ignore[no-untyped-def]
    """Choose one of the legal actions of each game, each as likely as the other."""
    game = cuda.grid(1)
    if game < actions.shape[0]:
        random = shuffled(randoms[game])
        randoms[game] = random
        actions[game] = masked_action(mask_words, game * MASK_WORDS, (game + 1) * MASK_WORDS, random)


@cuda.jit
def clear(words):  # type: ignore[no-untyped-def]
    """Set every word to 0."""
    word = cuda.grid(1)
    if word < words.size:
        words[word] = 0


@cache
def look_kernel(modules: bool) -> Kernel:
    """Write what the player to act may do, and what it sees as sets of spaces. The masks must be all 0 before.

    What is seen is gathered close to the thread: hundreds of single bytes, which go to the GPU's memory in words.
    """
    dtype = _near(4, modules)

    @cuda.jit(**at_most(LOOK_REGISTERS))
    def look(records, masks, players, set_words):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        s = cuda.shared.array(BLOCK, dtype)[cuda.threadIdx.x]
        if game < records.shape[0]:
            copy_position(records[game], s, 4)
            players[game] = s.player
            out = cuda.local.array(1, SHORT_LIST)[0]
            n = legal(s, out)
            for index in range(n):
                masks[game].mask[int(out.action[index])] = 1
            if n == 0:  # the game is over
                masks[game].mask[0] = 1
            if (game + 1) * SETS_WORDS <= set_words.size:
                words = cuda.local.array(SETS_WORDS, np.int64)
                write_sets(s, int(s.player) & 3, 0, words.view(SETS)[0])
                for word in range(SETS_WORDS):
                    set_words[game * SETS_WORDS + word] = words[word]

    return look


@cuda.jit
def expand_sets(sets, observations):  # type: ignore[no-untyped-def]
    """Make observations of sets: one thread a word, neighbours side by side, so that memory is written in long rows."""
    word = cuda.grid(1)
    if word < observations.size:
        game = word // WORDS_EACH
        place = word - game * WORDS_EACH
        if place < PLANE_WORDS:
            plane = place // WORDS
            shift = 8 * (place - plane * WORDS)
            observations[word] = EXPAND[sets[game * SETS_WORDS + plane] >> shift & 255]
        else:
            observations[word] = sets[game * SETS_WORDS + len(PLANES) + place - PLANE_WORDS]
