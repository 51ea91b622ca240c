"""A small AlphaZero that learns on a CPU in half an hour: search in many games at once, a network that learns from it.

    pip install "sunglade[envs]" torch
    python examples/alphazero.py --seconds 1800 --save alphazero.pt
    python examples/ppo.py --match alphazero.pt --against maple --rounds 100

The network, what it sees and its file are those of `ppo.py`. What is different is the teacher. PPO learns which of its
actions turned out well; here every action is looked for by a search of some simulations, and the network learns to
guess what the search finds. The search is the one of Gumbel AlphaZero (Danihelka and others, 2022), which needs few
simulations: it draws some actions by the network's own chances, and halves them until one is left.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from ppo import ACTION_ROOM, NEVER, Eyes, Network, Settings, columns
from torch import Tensor
from torch.nn import functional as f

from sunglade.envs import BASE_ACTIONS, BatchEnv
from sunglade.kernel.record import TURN

Numbers = NDArray[np.int64]
Reals = NDArray[np.float32]


@dataclass(frozen=True)
class Habits:
    """What can be chosen."""

    games: int = 128
    """Games side by side."""
    considered: int = 16
    """Actions that are looked at in a position, a power of two."""
    simulations: int = 32
    """For each action that is played: the considered ones share them, half of them drop out after each round."""
    explore: float = 1.5
    """How much the tree tries what it knows little of."""
    trust: float = 20.0
    """How many units of logit a unit of value counts."""
    moves: int = 16
    """Actions in every game between two rounds of learning."""
    memory: int = 60_000
    """Positions that are learned from: the last ones."""
    batch: int = 512
    reuse: int = 4
    """How often a position is learned from, about."""
    rate: float = 1e-3
    patience: float = 0.5
    """What a position is worth: so much by the game's end, the rest by what the search thought."""
    whims: float = 0.5
    """The share of the games whose set-up is random."""


class Judge:
    """The network as the search asks it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.network = Network(settings)
        self.eyes = Eyes(settings.players)

    def look(self, env: BatchEnv) -> Answers:
        """What it thinks of a batch of positions."""
        with torch.no_grad():
            seen = torch.from_numpy(env.observations), torch.from_numpy(env.masks)
            inputs, legal, turns = self.eyes(*seen)
            log_chances, values = self.network(inputs, legal)
        seats = (np.arange(self.settings.players) - env.player[:, None]) % self.settings.players
        by_seat = np.take_along_axis(values.numpy(), seats, axis=1)
        return Answers(inputs, legal, turns.numpy(), log_chances.numpy(), by_seat)


@dataclass
class Answers:
    """What the network sees of a batch of positions, and thinks of them."""

    inputs: Tensor
    legal: Tensor
    turns: Numbers
    log_chances: Reals
    """Of actions on the turned board."""
    values: Reals
    """To each seat, counted from seat 0."""


def paid(margins: Reals, settings: Settings) -> Reals:
    """What a finished game is worth to each seat; 0 for one that goes on."""
    worth: Reals = settings.win * np.sign(margins) + settings.margin * margins
    return worth


class Search:
    """One tree for each game of a batch, all of the same size, grown together: a simulation adds a position to each."""

    def __init__(self, judge: Judge, habits: Habits, seed: int) -> None:
        self.judge, self.habits = judge, habits
        self.random = np.random.default_rng(seed)
        n, nodes, width = habits.games, habits.simulations + 1, habits.considered
        self.world = BatchEnv(n, players=judge.settings.players, auto_reset="disabled", reward="margin")
        self.all = np.arange(n)
        self.records = np.zeros((n, nodes), self.world.records.dtype)
        self.player = np.zeros((n, nodes), np.int64)
        self.over = np.zeros((n, nodes), np.bool_)
        self.values = np.zeros((n, nodes, judge.settings.players), np.float32)
        self.actions = np.zeros((n, nodes, width), np.int64)
        self.turned = np.zeros((n, nodes, width), np.int64)
        self.logits = np.zeros((n, nodes, width), np.float32)
        self.children = np.zeros((n, nodes, width), np.int64)
        self.visits = np.zeros((n, nodes, width), np.int64)
        self.sums = np.zeros((n, nodes, width), np.float32)

    def run(self, games: BatchEnv, answers: Answers) -> tuple[Numbers, Reals, Reals]:
        """The actions to play, what the network should have said (chances), and what the positions are worth."""
        for table in (self.visits, self.sums):
            table[:] = 0
        self.children[:] = -1
        self.over[:] = False
        noise = self.random.gumbel(size=answers.log_chances.shape).astype(np.float32)
        self._enter(0, games, answers, answers.log_chances + noise)
        drawn = np.take_along_axis(answers.log_chances + noise, self.turned[:, 0], axis=1)
        left = drawn > NEVER / 2
        rounds = self.habits.considered.bit_length() - 1
        for halving in range(rounds):
            staying = self.habits.considered >> halving
            for _ in range(max(self.habits.simulations // (rounds * staying), 1)):
                for place in range(staying):
                    if self._size < self.habits.simulations:
                        self._simulate(_nth_of(left, place))
            left = self._best_half(drawn, left, staying // 2)
        best = left.argmax(axis=1)
        return self.actions[self.all, 0, best], self._improved(answers), self._root_values(best)

    # Growing

    def _enter(self, node: int, env: BatchEnv, answers: Answers, liking: Reals) -> None:
        """Write down a position of each game, with the actions liked most."""
        self._size = node
        width = self.habits.considered
        chosen = np.argpartition(-liking, width, axis=1)[:, :width]
        order = np.argsort(-np.take_along_axis(liking, chosen, axis=1), axis=1)
        self.turned[:, node] = np.take_along_axis(chosen, order, axis=1)
        self.logits[:, node] = np.take_along_axis(answers.log_chances, self.turned[:, node], axis=1)
        self.actions[:, node] = self.judge.eyes.back.numpy()[
            answers.turns[:, None], self.turned[:, node] % BASE_ACTIONS
        ]
        self.records[:, node] = env.records
        self.player[:, node] = env.player
        self.values[:, node] = answers.values

    def _simulate(self, first: Numbers) -> None:
        """Follow the tree from an action of the root to a position that is new, judge it, and remember that."""
        path = [(np.zeros_like(first), first)]
        node, going = self._step(*path[0], np.ones(len(first), np.bool_))
        while going.any():
            choice = self._most_promising(node)
            path.append((np.where(going, node, -1), choice))
            node, going = self._step(node, choice, going)
        values = self._expand(*self._last(path))
        self._remember(path, values)

    def _step(self, node: Numbers, choice: Numbers, going: NDArray[np.bool_]) -> tuple[Numbers, NDArray[np.bool_]]:
        """The next position where there is one, and which games have not reached the edge of their tree."""
        child = self.children[self.all, node, choice]
        onward = going & (child >= 0)
        node = np.where(onward, child, node)
        return node, onward & ~self.over[self.all, node]

    def _most_promising(self, node: Numbers) -> Numbers:
        """The action that is good, likely, or little tried."""
        visits, sums = self.visits[self.all, node], self.sums[self.all, node]
        own = self.values[self.all, node, self.player[self.all, node]][:, None]
        mean = np.where(visits > 0, sums / np.maximum(visits, 1), own)
        chances = np.exp(self.logits[self.all, node])
        tried = np.sqrt(visits.sum(axis=1, keepdims=True) + 1)
        promise = mean + self.habits.explore * chances * tried / (1 + visits)
        return np.where(self.logits[self.all, node] > NEVER / 2, promise, -np.inf).argmax(axis=1)

    @staticmethod
    def _last(path: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
        """Where each game's path ends: its last position, and the action chosen there."""
        node, choice = path[0]
        for later, chosen in path[1:]:
            node, choice = np.where(later >= 0, later, node), np.where(later >= 0, chosen, choice)
        return node, choice

    def _expand(self, node: Numbers, choice: Numbers) -> Reals:
        """Carry out the last action of each path; what the position it leads to is worth to every seat."""
        known = self.children[self.all, node, choice]  # the game is over there: it has been judged before
        self.world.restore(replace(self.world.save(), records=self.records[self.all, node]))
        margins, over = self.world.step(self.actions[self.all, node, choice])
        answers = self.judge.look(self.world)
        new = self._size + 1
        self._enter(new, self.world, answers, answers.log_chances)
        self.values[:, new] = np.where(over[:, None], paid(margins, self.judge.settings), answers.values)
        self.over[:, new] = over
        self.children[self.all, node, choice] = np.where(known >= 0, known, new)
        return self.values[:, new]

    def _remember(self, path: list[tuple[Numbers, Numbers]], values: Reals) -> None:
        """Count a simulation on every action of its path, for the player who chose it."""
        for node, choice in path:
            row = np.flatnonzero(node >= 0)
            at = row, node[row], choice[row]
            self.visits[at] += 1
            self.sums[at] += values[row, self.player[row, node[row]]]

    # What was found

    def _means(self) -> Reals:
        """What the root's actions are worth to who acts; those never tried as much as the position."""
        own = self.values[self.all, 0, self.player[:, 0]][:, None]
        means: Reals = np.where(self.visits[:, 0] > 0, self.sums[:, 0] / np.maximum(self.visits[:, 0], 1), own)
        return means

    def _best_half(self, drawn: Reals, left: NDArray[np.bool_], staying: int) -> NDArray[np.bool_]:
        """Of the actions still considered the better half."""
        score = np.where(left, drawn + self.habits.trust * self._means(), -np.inf)
        kept = np.zeros_like(left)
        np.put_along_axis(kept, np.argsort(-score, axis=1)[:, : max(staying, 1)], True, axis=1)
        return kept & left

    def _improved(self, answers: Answers) -> Reals:
        """The network's chances, moved towards what turned out better than the position was thought worth."""
        own = self.values[self.all, 0, self.player[:, 0]][:, None]
        better = self.habits.trust * (self._means() - own)
        logits = answers.log_chances.copy()
        np.put_along_axis(logits, self.turned[:, 0], self.logits[:, 0] + better, axis=1)
        logits = np.where(answers.legal.numpy(), logits, -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        found: Reals = chances / chances.sum(axis=1, keepdims=True)
        return found

    def _root_values(self, best: Numbers) -> Reals:
        """What the position is worth to every seat if the best action is played."""
        own = np.take_along_axis(self._means(), best[:, None], axis=1)
        thought: Reals = self.values[:, 0].copy()
        others = (own - thought[self.all, self.player[:, 0]][:, None]) / max(thought.shape[1] - 1, 1)
        thought -= others
        thought[self.all, self.player[:, 0]] = own[:, 0]
        return thought


def _nth_of(left: NDArray[np.bool_], place: int) -> Numbers:
    """In each row the place of the n-th that is left, counting round and round."""
    wanted = place % left.sum(axis=1)
    return np.take_along_axis(np.argsort(~left, axis=1, kind="stable"), wanted[:, None], axis=1)[:, 0]


@dataclass
class Lesson:
    """A position to learn from. What it is worth is known when the game is over."""

    inputs: Tensor
    legal: Tensor
    chances: Tensor
    player: int
    thought: Reals


class Memory:
    """The last positions, ready to be learned from."""

    def __init__(self, room: int, settings: Settings) -> None:
        self.inputs = torch.zeros(room, len(columns(settings.players)), dtype=torch.uint8)
        self.legal = torch.zeros(room, ACTION_ROOM, dtype=torch.bool)
        self.chances = torch.zeros(room, ACTION_ROOM, dtype=torch.float16)
        self.values = torch.zeros(room, settings.players)
        self.room, self.seen, self.players = room, 0, settings.players

    def keep(self, lesson: Lesson, worth: Reals) -> None:
        """One position, and what it turned out to be worth to each seat."""
        at = self.seen % self.room
        self.inputs[at], self.legal[at], self.chances[at] = lesson.inputs, lesson.legal, lesson.chances
        self.values[at] = torch.from_numpy(np.roll(worth, -lesson.player))
        self.seen += 1

    def some(self, count: int) -> tuple[Tensor, ...]:
        """Positions at random."""
        rows = torch.randint(min(self.seen, self.room), (count,))
        return self.inputs[rows], self.legal[rows], self.chances[rows].float(), self.values[rows]


class AlphaZero:
    """Plays against itself and learns. `iterate` is one round of both."""

    def __init__(self, settings: Settings, habits: Habits) -> None:
        self.settings, self.habits = settings, habits
        torch.manual_seed(settings.seed)
        self.judge = Judge(settings)
        self.search = Search(self.judge, habits, settings.seed)
        self.games = BatchEnv(habits.games, players=settings.players, seed=settings.seed, reward="margin")
        self.memory = Memory(habits.memory, settings)
        self.open: list[list[Lesson]] = [[] for _ in range(habits.games)]
        self.optimiser = torch.optim.AdamW(self.judge.network.parameters(), habits.rate, weight_decay=1e-4)
        self.whim = np.arange(habits.games) < habits.games * habits.whims

    def iterate(self, left: float) -> tuple[int, float, float]:
        """Play some moves, learn from what is over; positions known so far, losses of policy and value."""
        before = self.memory.seen
        for _ in range(self.habits.moves):
            self._move()
        fresh = self.memory.seen - before
        losses = [self._learn(left) for _ in range(fresh * self.habits.reuse // self.habits.batch)]
        policy, value = np.mean(losses, axis=0) if losses else (0.0, 0.0)
        return self.memory.seen, float(policy), float(value)

    def _move(self) -> None:
        """One action in every game, looked for by search; set-ups of some games are random and not learned."""
        answers = self.judge.look(self.games)
        actions, chances, thought = self.search.run(self.games, answers)
        setting_up = self.games.records["phase"] != TURN
        free = self.whim & setting_up
        actions = np.where(free, self.games.random_actions(), actions)
        for game in np.flatnonzero(~free):
            lesson = Lesson(
                answers.inputs[game], answers.legal[game], torch.from_numpy(chances[game]).half(),
                int(self.games.player[game]), thought[game],
            )  # fmt: skip
            self.open[game].append(lesson)
        margins, done = self.games.step(actions)
        worth = paid(margins, self.settings)
        for game in np.flatnonzero(done):
            for lesson in self.open[game]:
                patience = self.habits.patience
                self.memory.keep(lesson, patience * worth[game] + (1 - patience) * lesson.thought)
            self.open[game] = []

    def _learn(self, left: float) -> tuple[float, float]:
        """One step of learning."""
        inputs, legal, chances, values = self.memory.some(self.habits.batch)
        log_chances, thought = self.judge.network(inputs, legal)
        policy = -(chances * log_chances.clamp(min=-50)).sum(1).mean()
        value = f.mse_loss(thought, values)
        for group in self.optimiser.param_groups:
            group["lr"] = self.habits.rate * max(left, 0.05)
        self.optimiser.zero_grad()
        (policy + value).backward()
        torch.nn.utils.clip_grad_norm_(self.judge.network.parameters(), 1.0)
        self.optimiser.step()
        return policy.item(), value.item()


def main() -> None:
    """Learn for some time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--blocks", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    for field in fields(Habits):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    chosen = parser.parse_args()
    settings = Settings(width=chosen.width, blocks=chosen.blocks, seed=chosen.seed)
    learner = AlphaZero(settings, Habits(**{field.name: getattr(chosen, field.name) for field in fields(Habits)}))
    began = told = time.monotonic()
    while (now := time.monotonic()) - began < chosen.seconds:
        positions, policy, value = learner.iterate(1 - (now - began) / chosen.seconds)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(
                f"{told - began:5.0f} s {positions:>9,} positions  policy {policy:.3f}  value {value:.4f}", flush=True
            )
    if chosen.save:
        torch.save({"settings": asdict(settings), "weights": learner.judge.network.state_dict()}, chosen.save)


if __name__ == "__main__":
    main()
