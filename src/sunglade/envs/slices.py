"""What a batch of games does, compiled. Each function works on the games of one slice: threads can share a batch.

No game knows of another. Whatever is random comes from the game's own stream (`dealing`), so results do not depend
on how the batch is cut into slices.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sunglade.encode import MODULES_MASK, Mask, mark, observe_as
from sunglade.envs.choice import base_action, masked_action
from sunglade.envs.dealing import deal, first_random, first_seed, next_seed
from sunglade.envs.rewards import reward
from sunglade.kernel import apply, legal
from sunglade.kernel.actions import MAX_LEGAL
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, Record

Records = NDArray[np.void]
Integers = NDArray[np.int64]
Shorts = NDArray[np.int16]
Flags = NDArray[np.bool_]

LOOK, STEP, STEP_AND_RESET, RESET_OR_STEP = range(4)
"""What `step_games` does: nothing but look; act, and leave finished games alone; act, and begin a finished game anew in
the same step; or in the step after."""

ANY_SEAT: Final = -1
"""In `seats`: who steps the batch acts for all players of a game; otherwise for one, and the others act at random, or
wait until somebody has been asked what they do (`asked`)."""
DRAWN_SEAT: Final = -2
"""As the wanted seat: one of them is drawn for each game."""
LEGAL_ROOM: Final = 1 + MAX_LEGAL
"""For a game's legal actions, how many there are first. Actions are checked by these: masks are given out, and may be
written to."""


@entry
def seed_games(seeds: Integers, randoms: Integers, batch_seed: int, first: int, last: int) -> None:
    """Begin the streams of the games again."""
    for game in range(first, last):
        seeds[game] = first_seed(batch_seed, game)
        randoms[game] = first_random(seeds[game])


@entry
def reset_games(
    start: Records,
    records: Records,
    seeds: Integers,
    randoms: Integers,
    seats: Integers,
    wanted_seat: int,
    which: Flags,
    advance: bool,
    first: int,
    last: int,
) -> None:
    """Begin new games at the chosen places, each with the deal of its seed, or of the next one of its stream."""
    for game in range(first, last):
        if which[game]:
            if advance:
                seeds[game] = next_seed(seeds[game])
            records[game] = start[0]
            deal(records[game], seeds[game])
            _take_seat(records[game], randoms, seats, wanted_seat, game)


@inlined
def _take_seat(s: Record, randoms: Integers, seats: Integers, wanted: int, game: int) -> None:
    """The seat of who steps the batch: always the same, or drawn for each game."""
    if wanted == DRAWN_SEAT:
        randoms[game] = shuffled(randoms[game])
        seats[game] = below(randoms[game], s.players)
    else:
        seats[game] = wanted


@entry
def first_illegal(records: Records, legal_lists: Shorts, actions: Integers, which: Flags, first: int, last: int) -> int:
    """The first chosen game of the slice whose action is not legal, or −1. A finished game ignores its action."""
    for game in range(first, last):
        if which[game] and records[game].phase != OVER and not _is_listed(legal_lists, game, actions[game]):
            return game
    return -1


@inlined
def _is_listed(legal_lists: Shorts, game: int, action: int) -> bool:
    """Whether an action is among the legal ones of a game."""
    for index in range(1, legal_lists[game, 0] + 1):  # noqa: SIM110  # compiled: no generators
        if legal_lists[game, index] == action:
            return True
    return False


@inlined
def _begin_again(
    start: Records, records: Records, seeds: Integers, randoms: Integers, seats: Integers, wanted_seat: int, game: int
) -> None:
    """A new game in the place of one that is over, with the next seed of its stream."""
    seeds[game] = next_seed(seeds[game])
    records[game] = start[0]
    deal(records[game], seeds[game])
    _take_seat(records[game], randoms, seats, wanted_seat, game)


@compiled
def _show_legal(out: LegalList, n: int, mask: Mask, legal_lists: Shorts, game: int) -> None:
    """What may be done. A finished game, in which nothing may, has a mask that allows 0: softmax needs an action."""
    mark(out, n, mask)
    legal_lists[game, 0] = n
    for index in range(n):
        legal_lists[game, index + 1] = out.action[index]
    if n == 0:
        mask.mask[0] = 1


@compiled
def _legal(s: Record, out: LegalList) -> int:
    """`kernel.legal`, compiled once for all the places below that need it."""
    return legal(s, out)


@compiled
def _act(s: Record, action: int) -> None:
    """`kernel.apply`, likewise."""
    apply(s, action)


@compiled
def act_at_random(s: Record, random: int, out: LegalList) -> int:
    """Carry out one of the legal actions, each as likely as the other; return the generator's next state."""
    n = _legal(s, out)
    random = shuffled(random)
    _act(s, out.action[below(random, n)])
    return random


@compiled
def _others_act(s: Record, seat: int, random: int, out: LegalList) -> int:
    """Let the others act until it is the seat's turn or the game is over."""
    if seat != ANY_SEAT:
        while s.phase != OVER and s.player != seat:
            random = act_at_random(s, random, out)
    return random


@entry
def step_games(
    start: Records,
    records: Records,
    seeds: Integers,
    randoms: Integers,
    seats: Integers,
    actions: Integers,
    which: Flags,
    rewards: NDArray[np.float32],
    done: Flags,
    observations: Records,
    masks: Records,
    legal_lists: Shorts,
    players: Integers,
    wanted_seat: int,
    asked: bool,
    kind: int,
    mode: int,
    legal_list: Records,
    first: int,
    last: int,
) -> None:
    """Carry out one legal action in each chosen game, and write what the player to act then sees and may do.

    A game that ends pays its rewards. Observations are written only where there is room for them. Where somebody is
    asked for the others' actions, they wait for it.
    """
    out: LegalList = legal_list[0]
    for game in range(first, last):
        if not which[game]:
            continue
        s: Record = records[game]
        alone = ANY_SEAT if asked else seats[game]
        if mode != LOOK:
            for p in range(rewards.shape[1]):
                rewards[game, p] = 0.0
            if s.phase != OVER:
                _act(s, actions[game])
                randoms[game] = _others_act(s, alone, randoms[game], out)
                if s.phase == OVER:
                    for p in range(rewards.shape[1]):
                        rewards[game, p] = reward(s, p, kind)
            elif mode == RESET_OR_STEP:
                _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
            done[game] = s.phase == OVER
            if mode == STEP_AND_RESET and done[game]:
                _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
        seat = seats[game]
        randoms[game] = _others_act(s, ANY_SEAT if asked else seat, randoms[game], out)
        players[game] = s.player
        _show_legal(out, _legal(s, out), masks[game], legal_lists, game)
        if game < observations.size:
            acts = seat == ANY_SEAT or (asked and s.phase != OVER)
            observe_as(s, (s.player if acts else seat) & 3, 0, observations[game])


@entry
def choose_random(mask_words: NDArray[np.int64], randoms: Integers, actions: Integers, first: int, last: int) -> None:
    """Choose one of the legal actions of each game, each as likely as the other."""
    each = mask_words.size // actions.size
    for game in range(first, last):
        randoms[game] = shuffled(randoms[game])
        actions[game] = masked_action(mask_words, game * each, (game + 1) * each, randoms[game])


@entry
def observe_games(records: Records, observations: Records, seat: int, first: int, last: int) -> None:
    """Write what a seat sees, whoever is to act."""
    for game in range(first, last):
        observe_as(records[game], seat & 3, 0, observations[game])


@entry
def play_random(
    start: Records,
    records: Records,
    seeds: Integers,
    randoms: Integers,
    seats: Integers,
    wanted_seat: int,
    finished: Integers,
    steps: int,
    legal_list: Records,
    first: int,
    last: int,
) -> None:
    """Play so many uniformly random actions in each game, one game after the other; a game that ends begins anew.

    The action is picked as from the list of `kernel.legal`; without modules it is found by counting, which is quicker.
    """
    out: LegalList = legal_list[0]
    for game in range(first, last):
        s: Record = records[game]
        random = randoms[game]
        for _ in range(steps):
            if s.phase == OVER:
                randoms[game] = random
                _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
                random = randoms[game]
            random = shuffled(random)
            if s.options & MODULES_MASK:
                _act(s, out.action[below(random, _legal(s, out))])
            else:
                apply(s, base_action(s, random))
            if s.phase == OVER:
                finished[game] += 1
        randoms[game] = random
