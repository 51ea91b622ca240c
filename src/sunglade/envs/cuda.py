"""CudaBatchEnv: `BatchEnv` on an NVIDIA GPU. Positions, observations and masks stay there; results equal the CPU's.

env = CudaBatchEnv(131_072, players=2, seed=7)
masks = torch.as_tensor(env.masks, device="cuda")          # no copy: changes with every step
observations = torch.as_tensor(env.observations, device="cuda")
while True:
    rewards, done = env.step(policy(observations, masks))  # actions as a CUDA tensor of int64
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sunglade import encode, kernel
from sunglade.board import SPACES
from sunglade.envs import cuda_kernels as kernels
from sunglade.envs.batch import (
    AUTO_RESET,
    Played,
    checked_count,
    checked_seat,
    checked_seed,
    illegal_sentence,
    rules_of,
)
from sunglade.envs.cuda_driver import BLOCK, NoGpu, cuda_module, require_gpu, tables_in_global_memory
from sunglade.envs.cuda_opponents import DevicePolicy, device_opponents
from sunglade.envs.rewards import reward_number
from sunglade.envs.slices import ANY_SEAT, LOOK
from sunglade.envs.tensors import DeviceArray
from sunglade.errors import BadRequest, IllegalAction
from sunglade.rules import Rules, check_players
from sunglade.search.manner import ASKED

__all__ = ["CudaBatchEnv", "CudaOutcome", "NoGpu"]


class CudaOutcome(NamedTuple):
    """What a step brought, on the GPU; the same memory in every step."""

    rewards: DeviceArray
    """(n, players) of float32."""
    done: DeviceArray
    """(n,) of uint8."""


class CudaBatchEnv:
    """`n` games on the GPU; options and results as in `BatchEnv`.

    `step` takes actions from the GPU (anything with `__cuda_array_interface__`, int64 or int32) or from NumPy.
    Calls return at once and the GPU works in order on its default stream; `synchronize` waits for it.

    `opponents` are `"random"` and, in the base game, the levels below `oak`, all compiled for the GPU; `"network"`, by
    PyTorch; a function of observations (k, 2832) and masks (k, actions), both on the GPU, that gives k actions there;
    or one of these for each other seat. Who must be asked is waited for, until it is the learner's turn again.
    """

    def __init__(
        self,
        n: int,
        *,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        seed: int = 0,
        reward: str = "win",
        auto_reset: str = "same_step",
        opponents: str | DevicePolicy | Sequence[str | DevicePolicy] | None = None,
        seat: int | None = None,
        observe: bool = True,
    ) -> None:
        self.n = checked_count(n)
        self.players = check_players(players)
        self.rules = rules_of(rules)
        if auto_reset not in AUTO_RESET:
            raise BadRequest(f"auto_reset must be one of {', '.join(AUTO_RESET)}, not {auto_reset!r:.60}.")
        self.auto_reset = auto_reset
        self._reward = reward_number(reward)
        self._wanted_seat = checked_seat(seat, opponents, self.players)
        require_gpu()
        self._cuda = cuda_module()
        manners, self._asked = device_opponents(opponents, self.players, self.rules)
        if self._asked and not observe:
            raise BadRequest("opponents that are asked must see something: leave observe=False out.")
        self._manners = self._cuda.to_device(manners.view(kernels.MANNERS))
        self._knows_others = len(self._asked) == 0 or bool((manners["kind"] < ASKED).any())
        self._make_room(n if observe else 0)
        self.reset(seed=seed)

    def _make_room(self, observed: int) -> None:
        """Everything the games need, on the GPU."""
        n, room = self.n, self._cuda.device_array
        self._start = self._cuda.to_device(kernel.new_record(self.rules, self.players).array().view(kernels.STATES))
        self._records = room(n, kernels.STATES)
        self._seeds = room(n, np.int64)
        self._randoms = room(n, np.int64)
        self._finished = self._cuda.to_device(np.zeros(n, np.int64))
        self._player = room(n, np.int64)
        self._chosen = room(n, np.int64)
        self._rewards = self._cuda.to_device(np.zeros((n, self.players), np.float32))
        self._done = self._cuda.to_device(np.zeros(n, np.uint8))
        self._illegal = self._cuda.to_device(np.zeros(n, np.uint8))
        self._mask_words = room(n * kernels.MASK_WORDS, np.int64)
        self._masks = self._mask_words.view(kernels.MASKS)
        self._set_words = room(max(observed, 1) * kernels.SETS_WORDS, np.int64)
        self._seen_words = room(max(observed, 1) * kernels.WORDS_EACH, np.int64)
        self._observed = observed
        self._seats = room(n, np.int64)
        self._everyone = self._cuda.to_device(np.arange(n))
        if self._wanted_seat != ANY_SEAT:
            self._waiting = room(n, np.int64)
            self._counts = room(-(-n // kernels.RUN) + 1, np.int64)
        if self._asked:
            self._asked_mask_words = room(n * kernels.MASK_WORDS, np.int64)
            self._asked_set_words = room(n * kernels.SETS_WORDS, np.int64)
            self._asked_seen_words = room(n * kernels.WORDS_EACH, np.int64)

    # What there is to see

    @property
    def observations(self) -> DeviceArray:
        """(n, 2832) of uint8: what the player to act sees."""
        return self._shown(self._seen_words, (self._observed, encode.OBSERVATION.itemsize), np.uint8)

    @property
    def planes(self) -> DeviceArray:
        """(n, planes, 37) of uint8: the part of the observations that lies on the board."""
        shape, strides = (
            (self._observed, len(encode.PLANES), len(SPACES)),
            (encode.OBSERVATION.itemsize, 8 * encode.WORDS, 1),
        )
        return self._shown(self._seen_words, shape, np.uint8, strides)

    @property
    def masks(self) -> DeviceArray:
        """(n, actions) of int8: 1 for every legal action."""
        return self._shown(self._mask_words, (self.n, encode.ACTIONS), np.int8, (encode.MASK.itemsize, 1))

    @property
    def wide_masks(self) -> DeviceArray:
        """(n, 1416) of int8: the masks with the 0s that fill their rows, for libraries that want whole rows (JAX)."""
        return self._shown(self._mask_words, (self.n, encode.MASK.itemsize), np.int8)

    @property
    def player(self) -> DeviceArray:
        """(n,) of int64: the seat to act."""
        return self._shown(self._player, (self.n,), np.int64)

    @property
    def seats(self) -> DeviceArray:
        """(n,) of int64: the seat whose part who steps the batch plays; in self-play that of the player to act."""
        return self.player if self._wanted_seat == ANY_SEAT else self._shown(self._seats, (self.n,), np.int64)

    @property
    def illegal(self) -> DeviceArray:
        """(n,) of uint8: where the last step's action was illegal and so nothing happened (`check=False`)."""
        return self._shown(self._illegal, (self.n,), np.uint8)

    @property
    def records(self) -> NDArray[np.void]:
        """(n,): a copy of the positions in the computer's own memory."""
        found: NDArray[np.void] = self._records.copy_to_host().view(kernel.STATE)
        return found

    def _shown(
        self, memory: Any, shape: tuple[int, ...], dtype: type, strides: tuple[int, ...] | None = None
    ) -> DeviceArray:
        """A view of device memory for other libraries."""
        array = DeviceArray(
            memory,
            shape,
            dtype,
            strides=strides,
            synchronize=self.synchronize,
            to_host=lambda: _viewed(memory.copy_to_host(), shape, dtype, array.strides),
        )
        return array

    # What can be done

    def reset(self, *, seed: int | None = None, games: NDArray[np.bool_] | None = None) -> None:
        """Begin new games: all of them, or those where `games` (NumPy) is true. A seed begins all streams again."""
        if seed is not None and games is not None:
            raise BadRequest("a seed is for the whole batch: reset with a seed or some of the games, not both.")
        which = np.ones(self.n, np.uint8) if games is None else np.asarray(games)
        if which.shape != (self.n,) or (games is not None and which.dtype != np.bool_):
            raise BadRequest(f"games must be {self.n} booleans, not {which.dtype} of shape {which.shape}.")
        if seed is not None:
            self._launch(kernels.seed_games, self._seeds, self._randoms, checked_seed(seed))
        chosen = self._cuda.to_device(which.astype(np.uint8))
        self._launch(kernels.reset_games, *self._games, chosen, seed is None)
        self._let_others_act(LOOK)
        self._look()

    def step(self, actions: Any, *, check: bool = True) -> CudaOutcome:
        """Carry out one action in every game. If any is illegal, none is carried out and IllegalAction says which.

        Without the check nothing waits for the GPU: an illegal action changes nothing in its own game, and
        `illegal` tells.
        """
        chosen = self._checked(actions, self.n, "actions must be")
        if check:
            self._raise_if_illegal(chosen, self._everyone, self._masks)
        outcome = self._rewards, self._done, self._illegal
        mode = AUTO_RESET[self.auto_reset]
        self._launch(kernels.step_games, *self._games, chosen, self._masks, *outcome, self._reward, mode)
        self._let_others_act(mode)
        self._look()
        return self.outcome

    @property
    def outcome(self) -> CudaOutcome:
        """What the last step brought."""
        rewards = self._shown(self._rewards, (self.n, self.players), np.float32)
        return CudaOutcome(rewards, self._shown(self._done, (self.n,), np.uint8))

    def random_actions(self) -> Any:
        """A legal action for every game, exactly that of `BatchEnv.random_actions`, as an array on the GPU."""
        self._launch(kernels.choose_random, self._mask_words, self._randoms, self._chosen)
        return self._chosen

    def play_random(self, steps: int, *, look: bool = True) -> Played:
        """Play uniformly random actions, so many in each game, exactly those that `BatchEnv.play_random` plays.

        Without `look`, observations and masks are not brought up to date: for benchmarks.
        """
        if type(steps) is not int or steps < 0:
            raise BadRequest(f"steps must be a whole number from 0, not {steps!r:.60}.")
        self._finished.copy_to_device(np.zeros(self.n, np.int64))
        play = kernels.random_kernel(self.players, bool(self.rules.modules))
        self._launch(play, *self._games, self._finished, steps)
        if look:
            self._let_others_act(LOOK)
            self._look()
        return Played(self.n * steps, int(self._finished.copy_to_host().sum()))

    def synchronize(self) -> None:
        """Wait until the GPU has done all that was asked."""
        self._cuda.synchronize()

    # How

    @property
    def _games(self) -> tuple[Any, ...]:
        """What all kernels that change games begin with."""
        return self._start, self._records, self._seeds, self._randoms, self._seats, self._wanted_seat

    def _launch(self, work: Any, *arguments: Any, threads: int | None = None) -> None:
        """Run a kernel with a thread for each game, or so many."""
        with tables_in_global_memory():
            work[-(-(threads or self.n) // BLOCK), BLOCK](*arguments)

    def _look(self) -> None:
        """Bring observations, masks and players up to date."""
        self._show(self._everyone, self.n, self._mask_words, self._set_words, self._seen_words)

    def _show(self, listed: Any, n: int, mask_words: Any, set_words: Any, seen_words: Any) -> None:
        """Write what may be done and what is seen in so many listed games, one behind the other."""
        self._launch(kernels.clear, mask_words, n * kernels.MASK_WORDS, threads=n * kernels.MASK_WORDS)
        look = kernels.look_kernel(bool(self.rules.modules))
        games = self._records, self._seats, listed, n
        self._launch(look, *games, mask_words.view(kernels.MASKS), self._player, set_words, threads=n)
        if self._observed:
            words = n * kernels.WORDS_EACH
            self._launch(kernels.expand_sets, set_words, seen_words, words, threads=words)

    def _let_others_act(self, mode: int) -> None:
        """Let the opponents act until it is the learner's turn in every game. Only who is asked is waited for."""
        if self._wanted_seat == ANY_SEAT:
            return
        if mode == LOOK and self._asked:
            mode = AUTO_RESET[self.auto_reset]
        asked = True
        while asked:
            if self._knows_others:
                self._list_waiting(kernels.IN_MANNERS)
                others = kernels.others_kernel(self.players, bool(self.rules.modules))
                lists = self._manners, self._counts, self._waiting
                self._launch(others, *self._games, *lists, self._rewards, self._done, self._reward, mode)
            asked = False
            for number, policy in enumerate(self._asked):
                self._list_waiting(number)
                n = int(self._counts[-1:].copy_to_host()[0])
                if n:
                    self._ask(policy, n, mode)
                    asked = True

    def _list_waiting(self, whom: int) -> None:
        """Write down the games that wait for somebody."""
        waiting = self._records, self._seats, self._manners, whom, self._counts
        self._launch(kernels.count_waiting, *waiting, threads=self._counts.size)
        self._launch(kernels.add_up, self._counts, threads=1)
        self._launch(kernels.list_waiting, *waiting, self._waiting, threads=self._counts.size)

    def _ask(self, policy: DevicePolicy, n: int, mode: int) -> None:
        """Show a policy the first listed games, and carry out what it answers."""
        words = self._asked_mask_words, self._asked_set_words, self._asked_seen_words
        self._show(self._waiting, n, *words)
        seen = self._shown(words[2], (n, encode.OBSERVATION.itemsize), np.uint8)
        masks = self._shown(words[0], (n, encode.ACTIONS), np.int8, (encode.MASK.itemsize, 1))
        actions = self._checked(policy(seen, masks), n, "the opponents' policy must give")
        self._raise_if_illegal(actions, self._waiting, words[0].view(kernels.MASKS), "opponents, ")
        outcome = self._rewards, self._done, self._reward, mode
        self._launch(kernels.act_in_listed, *self._games, self._waiting, actions, *outcome, threads=n)

    def _checked(self, actions: Any, n: int, told: str) -> Any:
        """The actions as a device array."""
        if hasattr(actions, "__cuda_array_interface__"):
            found = self._cuda.as_cuda_array(actions)
        else:
            found = np.asarray(actions)
        if found.shape != (n,) or found.dtype.kind not in "iu":
            raise BadRequest(f"{told} {n} whole numbers, not {found.dtype} of shape {found.shape}.")
        return self._cuda.to_device(found.astype(np.int64)) if isinstance(found, np.ndarray) else found

    def _raise_if_illegal(self, actions: Any, listed: Any, masks: Any, whose: str = "") -> None:
        found = self._cuda.to_device(np.array([self.n], np.int64))
        self._launch(kernels.first_illegal, self._records, listed, masks, actions, found, threads=actions.shape[0])
        first = int(found.copy_to_host()[0])
        if first < self.n:
            game = int(listed[first : first + 1].copy_to_host()[0])
            action = int(actions[first : first + 1].copy_to_host()[0])
            raise IllegalAction(whose + illegal_sentence(game, action), at=game)


def _viewed(words: NDArray[Any], shape: tuple[int, ...], dtype: type, strides: tuple[int, ...]) -> NDArray[Any]:
    """Memory that was copied to the host, in the shape it is shown in."""
    flat: NDArray[Any] = np.ascontiguousarray(words).reshape(-1).view(dtype)
    return np.lib.stride_tricks.as_strided(flat, shape, strides)
