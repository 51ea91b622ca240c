"""BatchEnv: many games side by side, stepped in place by compiled code on several threads.

>>> env = BatchEnv(64, players=2, seed=7)
>>> env.observations.shape, env.masks.shape
((64, 2832), (64, 1409))
>>> actions = env.masks.argmax(axis=1)  # the first legal action everywhere
>>> rewards, done = env.step(actions)
>>> rewards.shape, int(done.sum())
((64, 2), 0)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sunglade import encode, kernel, position
from sunglade.envs import slices
from sunglade.envs.level_play import Desk
from sunglade.envs.observation import with_player
from sunglade.envs.opponents import Opponents, Policy, manners_of, opponents_of
from sunglade.envs.positions import check_babies
from sunglade.envs.rewards import reward_number
from sunglade.envs.slices import (
    ANY_SEAT,
    DRAWN_SEAT,
    LEGAL_ROOM,
    LOOK,
    RESET_OR_STEP,
    STEP,
    STEP_AND_RESET,
)
from sunglade.errors import BadRequest, IllegalAction
from sunglade.game import Game
from sunglade.kernel.arrays import dtype_of
from sunglade.kernel.record import OVER
from sunglade.notation import ACTION_NAMES
from sunglade.rules import Rules, check_players

LEAST_PER_THREAD: Final = 256
"""With fewer games than this to each, threads cost more than they bring: handing a part over takes as long as stepping
a hundred games."""
AUTO_RESET: Final = {"same_step": STEP_AND_RESET, "next_step": RESET_OR_STEP, "disabled": STEP}
"""When a finished game begins anew; the words are Gymnasium's."""
_READY: Final[set[Callable[..., Any]]] = set()
"""Compiled work that has been compiled."""


class Outcome(NamedTuple):
    """What a step brought. The arrays are the batch's own and change with the next step: copy what you keep."""

    rewards: NDArray[np.float32]
    """(n, players): what each seat was paid, not 0 only for games that ended in this step."""
    done: NDArray[np.bool_]
    """(n,): which games are over."""


@dataclass(frozen=True, slots=True)
class SavedBatch:
    """A batch at a moment: what `save` keeps and `restore` takes back. It can be pickled."""

    players: int
    rules: Rules
    wanted_seat: int
    records: NDArray[np.void]
    seeds: NDArray[np.int64]
    randoms: NDArray[np.int64]
    seats: NDArray[np.int64]


class Played(NamedTuple):
    """What random play did."""

    actions: int
    games: int


def rules_of(rules: Rules | Mapping[str, Any] | None) -> Rules:
    """Rules given as such, as a game file's object, or not at all."""
    return rules if isinstance(rules, Rules) else Rules.from_dict({} if rules is None else rules)


def checked_count(n: object) -> int:
    """How many games a batch has."""
    if type(n) is not int or n < 1:
        raise BadRequest(f"a batch needs a whole number of games, at least 1, not {n!r:.60}.")
    return n


def checked_seed(seed: object) -> int:
    """A seed as the low 63 bits of a whole number."""
    if type(seed) is not int:
        raise BadRequest(f"seed must be a whole number, not {seed!r:.60}.")
    return seed & ((1 << 63) - 1)


def checked_seat(seat: object, opponents: object, players: int) -> int:
    """The seat that is stepped, if it is only one."""
    if opponents is None and seat is not None:
        raise BadRequest("a seat is for games with opponents: say which, or leave the seat out.")
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise BadRequest(f"seat must be from 0 to {players - 1}, or None to draw it, not {seat!r:.60}.")
    if opponents is None:
        return ANY_SEAT
    return DRAWN_SEAT if seat is None else seat


def _threads(wanted: object, n: int) -> int:
    """As many threads as there are cores for this process, unless told; never more than there is work for."""
    if wanted is None:
        wanted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        wanted = min(wanted, max(n // LEAST_PER_THREAD, 1))
    if type(wanted) is not int or wanted < 1:
        raise BadRequest(f"threads must be a whole number, at least 1, not {wanted!r:.60}.")
    return min(wanted, n)


class BatchEnv:
    """`n` games of the same rules and number of players.

    After every call `observations`, `masks` and `player` tell of the positions as they are now. `reward` is win,
    margin or rank. A game that ends in a step pays its rewards; by `auto_reset` it is at the start of a new game
    when that step returns (`same_step`), begins anew in the next step instead of acting (`next_step`), or stays
    over (`disabled`).

    Who steps the batch acts for all players (self-play). With `opponents` for one of them, `seat`, or one that is drawn
    for each game if it is None; the opponents act for the others: `"random"` and, in the base game, the levels below
    `oak`, compiled; `"network"`, the shipped network's likeliest actions in batches; another bot's name; a function of
    observations (k, 2832) and masks (k, actions) that gives k actions; or one of these for each other seat, in turn
    order after the learner's. Opponents that remember something (bots in Python) are no part of what `save` keeps.
    """

    def __init__(
        self,
        n: int,
        *,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        seed: int = 0,
        threads: int | None = None,
        reward: str = "win",
        auto_reset: str = "same_step",
        opponents: str | Policy | Sequence[str | Policy] | None = None,
        seat: int | None = None,
        observe: bool = True,
    ) -> None:
        self.n = checked_count(n)
        self.players = check_players(players)
        self.rules = rules_of(rules)
        self.threads = _threads(threads, n)
        if auto_reset not in AUTO_RESET:
            raise BadRequest(f"auto_reset must be one of {', '.join(AUTO_RESET)}, not {auto_reset!r:.60}.")
        self.auto_reset = auto_reset
        self._reward = reward_number(reward)
        self._start = kernel.new_record(self.rules, players).array()
        self._records = np.zeros(n, kernel.STATE)
        self._seeds = np.zeros(n, np.int64)
        self._randoms = np.zeros(n, np.int64)
        self._wanted_seat = checked_seat(seat, opponents, self.players)
        self._opponents: Opponents | None = None
        self._manners: NDArray[np.void] | None = None
        if opponents is not None:
            found = opponents_of(opponents, players=self.players, rules=self.rules, seed=checked_seed(seed))
            self._manners = manners_of(found, self.players)
            self._opponents = found if self._manners is None else None
            if self._opponents is not None and not observe:
                raise BadRequest("opponents that are asked must see something: leave observe=False out.")
        self._every_game = np.ones(n, np.bool_)
        self._seats = np.zeros(n, np.int64)
        self._legal_lists = np.zeros((n, LEGAL_ROOM), np.int16)
        self._player = np.zeros(n, np.int64)
        self._finished = np.zeros(n, np.int64)
        self._outcome = Outcome(np.zeros((n, players), np.float32), np.zeros(n, np.bool_))
        self._masks = np.zeros(n, encode.MASK)
        self._observations = np.zeros(n if observe else 0, encode.OBSERVATION)
        self._lists = [np.zeros(1, kernel.LEGAL_LIST) for _ in range(self.threads)]
        self._desks = [np.zeros(1, dtype_of(Desk)) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads - 1, "sunglade-batch") if self.threads > 1 else None
        self.reset(seed=seed)

    # What there is to see

    @property
    def observations(self) -> NDArray[np.uint8]:
        """(n, 2832): what the player to act sees, as docs/environments.md tells it index by index.

        A view: copy to keep.
        """
        return self._observations.view(np.uint8).reshape(-1, encode.OBSERVATION.itemsize)

    @property
    def planes(self) -> NDArray[np.uint8]:
        """(n, planes, 37): the part of the observations that lies on the board. A view."""
        return encode.planes_of(self._observations)

    @property
    def table(self) -> NDArray[np.uint8]:
        """(n, table): the rest of the observations. A view."""
        return encode.table_of(self._observations)

    @property
    def masks(self) -> NDArray[np.int8]:
        """(n, actions): 1 for every legal action, and for action 0 where a game is over. A view."""
        return encode.mask_of(self._masks)

    @property
    def player(self) -> NDArray[np.int64]:
        """(n,): the seat to act. A view."""
        return self._player

    @property
    def seats(self) -> NDArray[np.int64]:
        """(n,): the seat whose part who steps the batch plays; in self-play that of the player to act. A copy."""
        return (self._player if self._wanted_seat == ANY_SEAT else self._seats).copy()

    @property
    def seeds(self) -> NDArray[np.int64]:
        """(n,): the seed of each game in progress; `Game(…, seed=…)` with it has the same deal. A copy."""
        return self._seeds.copy()

    @property
    def records(self) -> NDArray[np.void]:
        """(n,): the positions themselves, as the kernel has them. A view that cannot be written to."""
        return _locked(self._records)

    @property
    def outcome(self) -> Outcome:
        """What the last step brought. Views."""
        return self._outcome

    def states(self) -> NDArray[np.uint8]:
        """(n, 2836): each whole position as seat 0 sees it, and which seat is to act: for centralised critics."""
        states = np.zeros(self.n, encode.OBSERVATION)
        self._each(slices.observe_games, self._records, states, 0)
        return with_player(states.view(np.uint8).reshape(self.n, -1), self._player)

    def game(self, index: int) -> Game:
        """One game of the batch as a `Game` that begins at its position."""
        return Game.from_position(position.to_text(kernel.Record.of(self._records[index]), self.rules))

    def set_game(self, index: int, game: Game) -> None:
        """Put a game's position in a place of the batch."""
        if not isinstance(game, Game) or game.players != self.players or game.rules != self.rules:
            raise BadRequest("a batch takes games of its own rules and number of players only.")
        check_babies(game)
        self._records[index] = game.record
        self._outcome.done[index] = game.over
        self._look()

    # What can be done

    def reset(self, *, seed: int | None = None, games: ArrayLike | None = None) -> None:
        """Begin new games: all of them, or those where `games` is true. A seed begins all streams again."""
        if seed is not None:
            if games is not None:
                raise BadRequest("a seed is for the whole batch: reset with a seed or some of the games, not both.")
            self._each(slices.seed_games, self._seeds, self._randoms, checked_seed(seed))
        which = self._which(games)
        places = self._start, self._records, self._seeds, self._randoms, self._seats
        self._each(slices.reset_games, *places, self._wanted_seat, which, seed is None)
        self._outcome.rewards[which] = 0
        self._outcome.done[which] = False
        self._look()

    def step(self, actions: ArrayLike) -> Outcome:
        """Carry out one action in every game. If any is illegal, none is carried out and IllegalAction says which.

        The action of a game that is over before the step is ignored, and pays 0.
        """
        chosen = self._checked(actions)
        self._raise_if_illegal(chosen, self._every_game, np.asarray(actions))
        self._run(chosen, AUTO_RESET[self.auto_reset])
        if self._opponents is not None:
            self._ask_opponents(self._opponents)
        return self._outcome

    def actions_in_manner(self, manners: NDArray[np.void], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What somebody of this manner does in each of these games, drawn from the game's own generator."""
        actions, which = np.zeros(self.n, np.int64), np.zeros(self.n, np.bool_)
        which[games] = True
        places = self._records, self._seeds, self._randoms
        self._each(slices.choose_in_manner, *places, manners, which, actions, rooms=self._desks)
        return actions[games]

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each as likely as the other, from its own generator; 0 for finished games."""
        actions = np.zeros(self.n, np.int64)
        self._each(slices.choose_random, self._masks.view(np.int64), self._randoms, actions)
        return actions

    def play_random(self, steps: int) -> Played:
        """Play uniformly random actions, so many in each game, from each game's own generator.

        For benchmarks and random positions. Games that end begin anew.
        """
        if type(steps) is not int or steps < 0:
            raise BadRequest(f"steps must be a whole number from 0, not {steps!r:.60}.")
        self._finished[:] = 0
        self._each(
            slices.play_random,
            self._start,
            self._records,
            self._seeds,
            self._randoms,
            self._seats,
            self._wanted_seat,
            self._finished,
            steps,
            rooms=self._lists,
        )
        self._outcome.rewards[:] = 0
        np.equal(self._records["phase"], OVER, out=self._outcome.done)
        self._look()
        return Played(self.n * steps, int(self._finished.sum()))

    def save(self) -> SavedBatch:
        """All that the rest of the play depends on; `restore` takes it back, here or in another batch like it."""
        kept = (_locked(array.copy()) for array in self._kept)
        return SavedBatch(self.players, self.rules, self._wanted_seat, *kept)

    def restore(self, saved: SavedBatch) -> None:
        """Go back to what `save` kept."""
        if not isinstance(saved, SavedBatch):
            raise BadRequest(f"a batch can be restored from what `save` gave, not from {type(saved).__name__}.")
        if (saved.players, saved.rules, len(saved.records)) != (self.players, self.rules, self.n):
            raise BadRequest("a batch takes back only what one of as many games, players and the same rules saved.")
        if saved.wanted_seat != self._wanted_seat:
            raise BadRequest("a batch takes back only what one with the same opponents and seat saved.")
        for array, kept in zip(self._kept, (saved.records, saved.seeds, saved.randoms, saved.seats), strict=True):
            array[:] = kept
        self._outcome.rewards[:] = 0
        np.equal(self._records["phase"], OVER, out=self._outcome.done)
        self._look()

    @property
    def _kept(self) -> tuple[NDArray[Any], ...]:
        """What the rest of the play depends on."""
        return self._records, self._seeds, self._randoms, self._seats

    def close(self) -> None:
        """End the threads. The batch can still be looked at, but not stepped by several threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> BatchEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # How

    def _each(self, work: Callable[..., Any], *arguments: Any, rooms: Sequence[Any] = ()) -> list[Any]:
        """Run compiled work over the slices of the batch, the first of them in this thread; each may have a room."""
        if work not in _READY:
            work(*arguments, *rooms[:1], 0, 0)  # compiles, once, in one thread
            _READY.add(work)
        edges = [self.n * part // self.threads for part in range(self.threads + 1)]
        calls = [(*arguments, *rooms[part : part + 1], edges[part], edges[part + 1]) for part in range(self.threads)]
        if self._pool is None:
            return [work(*call) for call in calls]
        others = [self._pool.submit(work, *call) for call in calls[1:]]
        first = work(*calls[0])
        return [first, *(other.result() for other in others)]

    def _look(self) -> None:
        """Bring observations, masks and players up to date; opponents whose turn it is act first."""
        self._run(self._player, LOOK)
        if self._opponents is not None:
            self._ask_opponents(self._opponents)

    def _ask_opponents(self, opponents: Opponents) -> None:
        """Let the opponents act, all that are to act at once, until it is the learner's turn in every game."""
        paid, ended = self._outcome.rewards.copy(), self._outcome.done.copy()
        mode = STEP_AND_RESET if self.auto_reset == "same_step" else STEP
        while len(games := np.flatnonzero((self._player != self._seats) & (self._records["phase"] != OVER))):
            actions = np.zeros(self.n, np.int64)
            actions[games] = opponents.choose(self, games)
            which = np.zeros(self.n, np.bool_)
            which[games] = True
            self._raise_if_illegal(actions, which, actions, "opponents, ")
            self._run(actions, mode, which)
            paid[games] += self._outcome.rewards[games]
            ended[games] |= self._outcome.done[games]
        self._outcome.rewards[:], self._outcome.done[:] = paid, ended

    def _raise_if_illegal(
        self, actions: NDArray[np.int64], which: NDArray[np.bool_], given: NDArray[Any], whose: str = ""
    ) -> None:
        """Refuse them all if one of them is not legal; it is named as it was given."""
        found = int(slices.first_illegal(self._records, self._legal_lists, actions, which, 0, self.n))
        if found >= 0:
            raise IllegalAction(whose + illegal_sentence(found, int(given[found])), at=found)

    def _run(self, actions: NDArray[np.int64], mode: int, which: NDArray[np.bool_] | None = None) -> None:
        """Step all games or some, or only look at them."""
        games = self._start, self._records, self._seeds, self._randoms, self._seats
        views = self._observations, self._masks, self._legal_lists, self._player
        chosen = self._every_game if which is None else which
        how = self._wanted_seat, self._opponents is not None, self._reward, mode
        self._each(slices.step_games, *games, actions, chosen, *self._outcome, *views, *how, rooms=self._lists)
        if self._manners is not None:
            others = *self._outcome, *views, self._wanted_seat, self._manners, self._reward, mode
            self._each(slices.others_act, *games, chosen, *others, rooms=self._desks)

    def _which(self, games: ArrayLike | None) -> NDArray[np.bool_]:
        """Which games are meant, as a mask."""
        if games is None:
            return np.ones(self.n, np.bool_)
        which = np.asarray(games)
        if which.shape != (self.n,) or which.dtype != np.bool_:
            raise BadRequest(f"games must be {self.n} booleans, not {which.dtype} of shape {which.shape}.")
        return which

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The actions as compiled code wants them."""
        found = np.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise BadRequest(f"actions must be {self.n} whole numbers, not {found.dtype} of shape {found.shape}.")
        return np.ascontiguousarray(found, np.int64)


def illegal_sentence(game: int, action: int) -> str:
    """Why a batch refuses an action."""
    if 0 <= action < len(ACTION_NAMES):
        return f"game {game}: {ACTION_NAMES[action]!r} ({action}) is not legal there."
    return f"game {game}: {action} is no action; they are numbered from 0 to {len(ACTION_NAMES) - 1}."


def _locked(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written through: compiled code relies on what is behind it."""
    view = array[...]
    view.flags.writeable = False
    return view
