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
from sunglade.envs.level_play import Desk, chosen_action
from sunglade.envs.rewards import reward
from sunglade.kernel import apply
from sunglade.kernel.actions import MAX_LEGAL
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, Record
from sunglade.search.manner import Manner
from sunglade.search.rollout import legal_actions

Records = NDArray[np.void]
Integers = NDArray[np.int64]
Shorts = NDArray[np.int16]
Flags = NDArray[np.bool_]

LOOK, STEP, STEP_AND_RESET, RESET_OR_STEP = range(4)
"""What `step_games` does: nothing but look; act, and leave finished games alone; act, and begin a finished game anew in
the same step; or in the step after."""

ANY_SEAT: Final = -1
"""In `seats`: who steps the batch acts for all players of a game; otherwise for one, and the others act each in their
manner, or wait until somebody has been asked what they do (`asked`)."""
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
            take_seat(records[game], randoms, seats, wanted_seat, game)


@inlined
def take_seat(s: Record, randoms: Integers, seats: Integers, wanted: int, game: int) -> None:
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
    take_seat(records[game], randoms, seats, wanted_seat, game)


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
def _act(s: Record, action: int) -> None:
    """`kernel.apply`, compiled once for all the places below that need it."""
    apply(s, action)


@compiled
def _show(
    s: Record,
    seer: int,
    observations: Records,
    masks: Records,
    legal_lists: Shorts,
    players: Integers,
    out: LegalList,
    game: int,
) -> None:
    """Write who is to act and what it may do, and what a seat sees, where there is room for that."""
    players[game] = s.player
    _show_legal(out, legal_actions(s, out), masks[game], legal_lists, game)
    if game < observations.size:
        observe_as(s, seer & 3, 0, observations[game])


@compiled
def _pay(s: Record, rewards: NDArray[np.float32], game: int, kind: int) -> None:
    """What a game that is over pays."""
    for p in range(rewards.shape[1]):
        rewards[game, p] = reward(s, p, kind)


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

    A game that ends pays its rewards. Observations are written only where there is room for them. Where others are to
    act that nobody is asked about, `others_act` writes it.
    """
    out: LegalList = legal_list[0]
    for game in range(first, last):
        if not which[game]:
            continue
        s: Record = records[game]
        if mode != LOOK:
            for p in range(rewards.shape[1]):
                rewards[game, p] = 0.0
            if s.phase != OVER:
                _act(s, actions[game])
                if s.phase == OVER:
                    _pay(s, rewards, game, kind)
            elif mode == RESET_OR_STEP:
                _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
            done[game] = s.phase == OVER
            if mode == STEP_AND_RESET and done[game]:
                _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
        seat = seats[game]
        if asked or not _waits(s, seat):
            acts = seat == ANY_SEAT or s.phase != OVER
            _show(s, s.player if acts else seat, observations, masks, legal_lists, players, out, game)


# Opponents


@inlined
def place_after(player: int, seat: int, players: int) -> int:
    """How many seats lie between a seat and a player after it, in turn order."""
    return (player + players - seat - 1) % players


@inlined
def _waits(s: Record, seat: int) -> bool:
    """Whether a game waits for somebody else than who steps the batch."""
    return s.phase != OVER and seat != ANY_SEAT and s.player != seat


@entry
def others_act(
    start: Records,
    records: Records,
    seeds: Integers,
    randoms: Integers,
    seats: Integers,
    which: Flags,
    rewards: NDArray[np.float32],
    done: Flags,
    observations: Records,
    masks: Records,
    legal_lists: Shorts,
    players: Integers,
    wanted_seat: int,
    manners: Records,
    kind: int,
    mode: int,
    desks: Records,
    first: int,
    last: int,
) -> None:
    """Let the others act, each in their manner, until it is the learner's turn; write what it then sees and may do.

    A game that ends pays, and begins anew if it is to do so in the same step; while only looking, it stays as it is.
    """
    desk: Desk = desks[0]
    for game in range(first, last):
        s: Record = records[game]
        if not which[game] or not _waits(s, seats[game]):
            continue
        while _waits(s, seats[game]):
            m: Manner = manners[place_after(s.player, seats[game], s.players)]
            action, randoms[game] = chosen_action(
                s, m, seeds[game], randoms[game], desk.legal_list, desk.after, desk.plans, 4
            )
            _act(s, action)
            if s.phase == OVER and mode != LOOK:
                _pay(s, rewards, game, kind)
                done[game] = True
                if mode == STEP_AND_RESET:
                    _begin_again(start, records, seeds, randoms, seats, wanted_seat, game)
        _show(s, seats[game], observations, masks, legal_lists, players, desk.legal_list, game)


@entry
def choose_in_manner(
    records: Records,
    seeds: Integers,
    randoms: Integers,
    manners: Records,
    which: Flags,
    actions: Integers,
    desks: Records,
    first: int,
    last: int,
) -> None:
    """Choose an action in each chosen game as somebody of the first manner does."""
    desk: Desk = desks[0]
    for game in range(first, last):
        if which[game] and records[game].phase != OVER:
            actions[game], randoms[game] = chosen_action(
                records[game],
                manners[0],
                seeds[game],
                randoms[game],
                desk.legal_list,
                desk.after,
                desk.plans,
                4,
            )


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
                _act(s, out.action[below(random, legal_actions(s, out))])
            else:
                apply(s, base_action(s, random))
            if s.phase == OVER:
                finished[game] += 1
        randoms[game] = random
