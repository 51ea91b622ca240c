"""Masked PPO in one file: a player that teaches itself, on a CPU or wholly on an NVIDIA GPU.

    pip install "sunglade[envs]" torch
    python examples/ppo.py --seconds 600 --save ppo.pt                  a laptop's cores
    python examples/ppo.py --device cuda --seconds 120 --save ppo.pt    games, answers and learning stay on the GPU
    python examples/ppo.py --match ppo.pt --against maple --rounds 100  how good it is: two games a round

One network plays all seats of the base game (self-play). Whoever acts sees the board turned so that the sun stands at
position 0, and everything counted from its own seat, so one network serves all suns and seats. The network says what
the position is worth to *every* seat; each seat has advantages of its own, and an action is judged by its player's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as f

from sunglade import Game, bots, encode
from sunglade.envs import BASE_ACTIONS, BatchEnv, CudaBatchEnv
from sunglade.envs.observation import NAMES, SCALE, SOURCE, SOURCE_ACTION, TURNED_ACTION
from sunglade.notation import ACTION_NAMES

ROOM = 64
"""Inputs and actions are filled up to a multiple of this: matrix units like whole tiles."""
NEVER = -1e9
"""The logit of what is not legal; not minus infinity, so that sums stay numbers."""
SUN_AT = NAMES.index("sun at 0, as the board is turned")
TURN_AT = NAMES.index("phase turn")
NOTHING_AT = NAMES.index("always 0")
TELL_S = 5
STAGGER = 16
"""Into so many groups of different age games are put at the beginning: a batch then shows all rounds at once."""


@dataclass(frozen=True)
class Settings:
    """What can be chosen. The defaults are for a GPU; `ON_CPU` changes some."""

    players: int = 2
    games: int = 65_536
    """Games side by side."""
    steps: int = 32
    """Actions in each between two rounds of learning."""
    minibatches: int = 32
    epochs: int = 1
    width: int = 512
    blocks: int = 2
    rate: float = 7e-4
    """Adam's step at the beginning; it falls in a line to a twentieth."""
    clip: float = 0.2
    trace: float = 0.95
    """The lambda of generalised advantages, for each action of anybody."""
    entropy: float = 0.01
    """How much trying things out is worth; falls in a line to a tenth."""
    value_share: float = 1.0
    reward: str = "margin"
    """What the games pay: points of margin, or with `win` nothing but the win; then leave `margin` at 0."""
    win: float = 0.5
    margin: float = 1.5
    """What a win pays, and a hundred points of margin."""
    whims: float = 0.5
    """The share of the games whose set-up is random, so that the learner knows more openings than its own."""
    seed: int = 0


ON_CPU = {"games": 256, "steps": 64, "minibatches": 8, "epochs": 2, "width": 128, "blocks": 1}


# What the network sees


def columns(players: int) -> list[int]:
    """The numbers of an observation that a base game of so many players uses, and zeros that fill up the room."""
    absent = ("next", "third", "fourth")[players - 1 :]
    base = [*encode.PLANES[: encode.BASE_PLANES], *encode.TABLE_BASE]
    used = {
        name for name in base if not any(name.endswith(f"of {seat}") or name.startswith(f"{seat}:") for seat in absent)
    }
    found = [index for index, name in enumerate(NAMES) if name in used or name.rpartition(": ")[0] in used]
    return found + [NOTHING_AT] * (-len(found) % ROOM)


ACTION_ROOM = -(-BASE_ACTIONS // ROOM) * ROOM


class Eyes(nn.Module):
    """Turns the board so that the sun stands at position 0, and leaves out what a base game does not use."""

    source: Tensor
    source_action: Tensor
    back: Tensor

    def __init__(self, players: int) -> None:
        super().__init__()
        never_legal = np.full((6, ACTION_ROOM - BASE_ACTIONS), encode.ACTIONS - 1)  # an animal's: not in the base game
        actions = np.concatenate([SOURCE_ACTION[:, :BASE_ACTIONS], never_legal], axis=1)
        backwards = TURNED_ACTION[[0, 5, 4, 3, 2, 1], :BASE_ACTIONS]
        self.register_buffer("source", torch.from_numpy(SOURCE[:, columns(players)]), persistent=False)
        self.register_buffer("source_action", torch.from_numpy(actions), persistent=False)
        self.register_buffer("back", torch.from_numpy(backwards.astype(np.int64)), persistent=False)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs of the network, its legal actions, and how often the board was turned."""
        turns = (6 - observations[:, SUN_AT : SUN_AT + 6].int().argmax(1)) % 6
        legal = masks.gather(1, self.source_action[turns]).to(torch.bool)
        return observations.gather(1, self.source[turns]), legal, turns


class Network(nn.Module):
    """A logit for every action, and what the position is worth to each seat, counted from who acts."""

    scale: Tensor

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        seen = columns(settings.players)
        self.register_buffer("scale", torch.from_numpy(SCALE[seen]), persistent=False)
        self.first = nn.Linear(len(seen), settings.width)
        self.blocks = nn.ModuleList(nn.Linear(settings.width, settings.width) for _ in range(settings.blocks))
        self.norms = nn.ModuleList(nn.LayerNorm(settings.width) for _ in range(settings.blocks + 1))
        self.policy = nn.Linear(settings.width, ACTION_ROOM)
        self.values = nn.Linear(settings.width, settings.players)
        for layer in (self.first, *self.blocks):
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        for head in (self.policy, self.values):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(self, inputs: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of the actions' probabilities, and values."""
        x = f.relu(self.first(inputs * self.scale))
        for block, norm in zip(self.blocks, self.norms, strict=False):
            x = x + f.relu(block(norm(x)))
        x = self.norms[-1](x)
        logits = self.policy(x).float().masked_fill(~legal, NEVER)
        with torch.autocast(
            x.device.type, enabled=False
        ):  # differences of values are small: they need all their digits
            values = self.values(x.float())
        return logits.log_softmax(1), values


# The games


class Games:
    """Games as tensors, on the CPU or on the GPU: views of the batch's own memory, never copies."""

    def __init__(self, settings: Settings, device: torch.device) -> None:
        make: Any = CudaBatchEnv if device.type == "cuda" else BatchEnv
        self.env = make(settings.games, players=settings.players, seed=settings.seed, reward=settings.reward)
        self._on_gpu = device.type == "cuda"
        view: Callable[[Any], Tensor] = (
            (lambda array: torch.as_tensor(array, device=device)) if self._on_gpu else torch.from_numpy
        )
        self.observations, self.masks, self.player = map(view, (self.env.observations, self.env.masks, self.env.player))
        self.margins, self.done = map(view, self.env.outcome)
        self.illegal = view(self.env.illegal) if self._on_gpu else torch.zeros(1)
        self.mix_ages()

    def step(self, actions: Any) -> None:
        """One action in every game; `margins` and `done` tell what came of it, the views what is to be seen now."""
        if self._on_gpu:
            self.env.step(actions, check=False)
        else:
            self.env.step(np.asarray(actions))

    def mix_ages(self) -> None:
        """Let groups of games begin one after the other, with random actions in between."""
        group = np.arange(self.env.n) % STAGGER
        for late in range(STAGGER):
            self.env.reset(games=group >= late)
            for _ in range(6):
                self.step(self.env.random_actions())


# Learning


def advantages(rewards: Tensor, done: Tensor, values: Tensor, trace: float) -> Tensor:
    """(steps, n, seats): generalised advantages of every seat, for each action of anybody.

    `rewards` (steps, n, seats) and `done` (steps, n) are what the steps brought, `values` (steps + 1, n, seats) what
    the positions before each and after the last were thought worth. A new game owes nothing to the one before.
    """
    found = torch.empty_like(rewards)
    following = torch.zeros_like(rewards[0])
    for step in range(len(rewards) - 1, -1, -1):
        goes_on = (~done[step]).float()[:, None]
        error = rewards[step] + goes_on * values[step + 1] - values[step]
        following = error + trace * goes_on * following
        found[step] = following
    return found


class Learner:
    """Plays and learns. `iterate` is one round of both."""

    def __init__(self, settings: Settings, device: torch.device, *, compiled: bool = True) -> None:
        self.settings, self.device = settings, device
        torch.manual_seed(settings.seed)
        self.games = Games(settings, device)
        self.eyes = Eyes(settings.players).to(device)
        self.network = Network(settings).to(device)
        self.bfloat = device.type == "cuda"
        self.optimiser = torch.optim.Adam(self.network.parameters(), settings.rate, eps=1e-5, fused=self.bfloat)
        n, steps, parts = settings.games, settings.steps, settings.minibatches
        room: Callable[..., Tensor] = lambda *shape, dtype: torch.empty(  # noqa: E731
            parts, steps, n // parts, *shape, dtype=dtype, device=device
        )
        self.inputs = room(len(columns(settings.players)), dtype=torch.uint8)
        self.legal = room(ACTION_ROOM, dtype=torch.bool)
        self.chosen = room(dtype=torch.int64)
        self.log_probs = room(dtype=torch.float32)
        self.free = room(dtype=torch.float32)
        flat = (steps, n)
        self.player = torch.empty(flat, dtype=torch.int64, device=device)
        self.done = torch.empty(flat, dtype=torch.bool, device=device)
        self.rewards = torch.empty(*flat, settings.players, device=device)
        self.values = torch.empty(steps + 1, n, settings.players, device=device)
        self.whim = torch.arange(n, device=device) % 100 < 100 * settings.whims
        self.illegal = torch.zeros((), dtype=torch.int64, device=device)
        self._choose: Any = self._choose_plainly
        self._loss: Any = self._loss_plainly
        if compiled:
            self._choose = torch.compile(self._choose_plainly, dynamic=False, fullgraph=True)
            self._loss = torch.compile(self._loss_plainly, dynamic=False, fullgraph=True)

    def iterate(self, left: float) -> Tensor:
        """Play some steps, then learn from them; `left` is the share of the time that is left. Returns what to tell."""
        self.play()
        found = self.learn(left)
        if self.device.type == "cuda":
            torch.cuda.synchronize()  # the clock is looked at between rounds
        return found

    # Playing

    def play(self) -> None:
        """So many actions in every game, remembered."""
        for step in range(self.settings.steps):
            self.player[step] = self.games.player
            answer = self._choose(self.games.observations, self.games.masks, self.whim)
            inputs, legal, chosen, log_probs, values, free, actions = answer
            for memory, now in (
                (self.inputs, inputs), (self.legal, legal), (self.chosen, chosen),
                (self.log_probs, log_probs), (self.free, free),
            ):  # fmt: skip
                memory[:, step] = now.view(memory.shape[0], memory.shape[2], *now.shape[1:])
            self.values[step] = self._by_seat(values, self.player[step])
            self.games.step(actions)
            self.done[step] = self.games.done
            margins = self.games.margins
            self.rewards[step] = self.settings.win * margins.sign() + self.settings.margin * margins
            self.illegal += self.games.illegal.sum().long()
        values = self._choose(self.games.observations, self.games.masks, self.whim)[4]
        self.values[-1] = self._by_seat(values, self.games.player)

    def _choose_plainly(self, observations: Tensor, masks: Tensor, whim: Tensor) -> tuple[Tensor, ...]:
        """What the network sees, what it chooses (any legal action at a whim), and the action on the real board."""
        inputs, legal, turns = self.eyes(observations, masks)
        with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat):
            log_all, values = self.network(inputs, legal)
        noise = -torch.log(-torch.log(torch.rand_like(log_all).clamp(1e-9, 1 - 1e-7)))
        free = whim & (observations[:, TURN_AT] == 0)
        chosen = (torch.where(free[:, None] & legal, 0.0, log_all) + noise).argmax(1)
        log_probs = log_all.gather(1, chosen[:, None])[:, 0]
        return inputs, legal, chosen, log_probs, values, (~free).float(), self.eyes.back[turns, chosen]

    def _by_seat(self, values: Tensor, player: Tensor) -> Tensor:
        """Values counted from who acts as values counted from seat 0, or back with minus the player."""
        seats = torch.arange(self.settings.players, device=self.device)
        return values.gather(1, (seats - player[:, None]) % self.settings.players)

    # Learning

    def learn(self, left: float) -> Tensor:
        """Some passes over what was played."""
        gained = advantages(self.rewards, self.done, self.values, self.settings.trace)
        targets = gained + self.values[:-1]
        own = gained.gather(2, self.player[:, :, None])[:, :, 0]
        own = (own - own.mean()) / (own.std() + 1e-8)
        seats, player = self.settings.players, -self.player.view(-1)
        targets = self._by_seat(targets.view(-1, seats), player).view(*own.shape, seats)
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate * max(left, 0.05)
        entropy = torch.tensor(self.settings.entropy * max(left, 0.1), device=self.device)
        told = torch.zeros(4, device=self.device)
        for part in self._parts():
            batch = [memory[part].flatten(0, 1) for memory in (self.inputs, self.legal, self.chosen)]
            batch += [memory[part].flatten(0, 1) for memory in (self.log_probs, self.free)]
            batch += [self._of_part(own, part), self._of_part(targets, part)]
            loss, found = self._loss(*batch, entropy)
            self.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimiser.step()
            told += found
        return told / (self.settings.epochs * self.settings.minibatches)

    def _parts(self) -> Iterator[int]:
        """Minibatches: each is all steps of some of the games, and games have all ages, so nothing needs shuffling."""
        for _ in range(self.settings.epochs):
            yield from np.random.permutation(self.settings.minibatches).tolist()

    def _of_part(self, tensor: Tensor, part: int) -> Tensor:
        size = self.settings.games // self.settings.minibatches
        return tensor[:, part * size : (part + 1) * size].flatten(0, 1)

    def _loss_plainly(
        self,
        inputs: Tensor,
        legal: Tensor,
        chosen: Tensor,
        old: Tensor,
        free: Tensor,
        gained: Tensor,
        target: Tensor,
        entropy_share: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """PPO's loss, and what to tell: policy, value, entropy, how far the policy moved. Whims teach values only."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat):
            log_all, values = self.network(inputs, legal)
        log_probs = log_all.gather(1, chosen[:, None])[:, 0]
        moved = (log_probs - old) * free
        ratio = moved.exp()
        clipped = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
        policy = -(torch.minimum(ratio * gained, clipped * gained) * free).mean()
        entropy = -((log_all.exp() * log_all).sum(1) * free).mean()
        value = (values - target).square().mean()
        loss = policy + self.settings.value_share * value - entropy_share * entropy
        return loss, torch.stack(
            [policy.detach(), value.detach(), entropy.detach(), (ratio - 1 - moved).mean().detach()]
        )


# Playing others


class Bot:
    """A trained network as a bot: the likeliest action. Its file is what `--save` wrote."""

    def __init__(self, file: str | Path, *, seed: int = 0) -> None:
        saved = torch.load(file, map_location="cpu", weights_only=True)
        self._settings = Settings(**saved["settings"])
        self._network = Network(self._settings)
        self._network.load_state_dict(saved["weights"])
        self._columns = columns(self._settings.players)

    def act(self, game: Game, ms: int) -> str:
        """The likeliest action."""
        turns = (6 - game.now.sun) % 6
        seen = encode.Observation()
        encode.observe(game.now, turns, seen)
        inputs = seen.array().view(np.uint8)[self._columns][None]
        numbers = TURNED_ACTION[turns][game.legal_numbers]
        legal = torch.zeros(1, ACTION_ROOM, dtype=torch.bool)
        legal[0, numbers] = True
        with torch.no_grad():
            chosen = int(self._network(torch.from_numpy(inputs), legal)[0].argmax())
        return ACTION_NAMES[TURNED_ACTION[(6 - turns) % 6][chosen]]


def save(learner: Learner, file: str | Path) -> None:
    """Keep the network and what it is like."""
    weights = {name: tensor.detach().cpu() for name, tensor in learner.network.state_dict().items()}
    torch.save({"settings": asdict(learner.settings), "weights": weights}, file)


def match(file: str | Path, against: str, first: int, last: int) -> list[float]:
    """What share of each game was won, from random set-ups, each played from all seats: rounds first to last."""
    torch.set_num_threads(1)
    learner, shares = Bot(file), []
    players = learner._settings.players
    for number in range(first, last):
        for seat in range(players):
            others = [bots.make(against, seed=players * number + place) for place in range(players)]
            game, chance = Game(players), np.random.default_rng(number)
            while not game.over:
                if game.phase != "turn":
                    game.play(str(chance.choice(game.legal)))
                elif game.player == seat:
                    game.play(learner.act(game, 1000))
                else:
                    game.play(others[game.player or 0].act(game, 1000))
            winners = game.winners or []
            shares.append(1 / len(winners) if seat in winners else 0.0)
    return shares


# The program


Report = Callable[["Learner", float, int, Tensor], None]


def train(learner: Learner, seconds: float, report: Report) -> int:
    """Learn for some time, and report every few seconds: time, steps, what `learn` tells. Returns the steps played."""
    began = reported = time.monotonic()
    steps = 0
    while (now := time.monotonic()) - began < seconds:
        found = learner.iterate(1 - (now - began) / seconds)
        steps += learner.settings.games * learner.settings.steps
        if time.monotonic() - reported > TELL_S:
            reported = time.monotonic()
            report(learner, reported - began, steps, found)
    return steps


def tell(learner: Learner, seconds: float, steps: int, found: Tensor) -> None:
    """Say how it goes."""
    _, value, entropy, moved = found.tolist()
    print(
        f"{seconds:5.0f} s {steps:>13,} steps {steps / seconds:>12,.0f} steps/s  value loss {value:.4f}  "
        f"entropy {entropy:.3f}  moved {moved:.4f}",
        flush=True,
    )


def main() -> None:
    """Train, or play a trained one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--plain", action="store_true", help="without torch.compile")
    parser.add_argument("--match", type=Path, metavar="FILE", help="train nothing: play this network")
    parser.add_argument("--against", default="maple")
    parser.add_argument("--rounds", type=int, default=100)
    for field in fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default))
    chosen = parser.parse_args()
    if chosen.match:
        shares = match(chosen.match, chosen.against, 0, chosen.rounds)
        print(f"{sum(shares):g} of {len(shares)} games won against {chosen.against}")
        return
    given = {field.name: getattr(chosen, field.name) for field in fields(Settings)}
    given = {name: value for name, value in given.items() if value is not None}
    settings = Settings(**{**(ON_CPU if chosen.device == "cpu" else {}), **given})
    learner = Learner(settings, torch.device(chosen.device), compiled=chosen.device == "cuda" and not chosen.plain)
    train(learner, chosen.seconds, tell)
    if chosen.save:
        save(learner, chosen.save)


if __name__ == "__main__":
    main()
