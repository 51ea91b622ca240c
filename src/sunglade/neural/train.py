"""Self-play and training on one GPU: `python -m sunglade.neural.train --folder runs/base --minutes 25`.

Starts, or resumes what the folder holds. It can be cut off at any moment: weights and optimiser are written whole or
not at all. Replay data is not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

from sunglade import kernel
from sunglade.encode import OBSERVATION
from sunglade.neural.lesson import Lesson
from sunglade.neural.network import CARD, Network, Shape, averaged, grown, read_card
from sunglade.neural.provenance import note_command
from sunglade.neural.rating import rate
from sunglade.neural.replay import Replay, batch_buffers
from sunglade.neural.selfplay import PLAYER_MIX, Array, SelfPlay, Settings, modules_only, plain_memory, start_positions
from sunglade.neural.selfplay_search import ANSWER, ASK
from sunglade.rules import Rules

WEIGHTS = "weights.pt"
OPTIMISER = "optimiser.pt"
PROGRESS = "progress.jsonl"
RATES = ("evals", "moves", "games", "positions", "steps")


class Evaluator:
    """Answers the questions of a half of the games, through a captured graph where there is a GPU.

    At the first `old_tables` of a half the older network answers for the seats that are its own.
    """

    def __init__(
        self, network: Network, older: Network, old_tables: int, halves: list[Any], device: torch.device
    ) -> None:
        self.network = network
        self.older = older
        self.old_tables = old_tables
        self.device = device
        self.cuda = device.type == "cuda"
        self.host: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []
        self.raw: list[torch.Tensor] = []
        self.asked: list[torch.Tensor] = []
        self.out: list[torch.Tensor] = []
        self.graphs: list[Any] = []
        self.events: list[Any] = []
        for half in halves:
            n = len(half.games)
            source = torch.from_numpy(half.observations.view(np.uint8).reshape(n, OBSERVATION.itemsize))
            words = torch.from_numpy(half.asks.view(np.int16).reshape(n, ASK.itemsize // 2))
            answers = torch.from_numpy(half.answers.view(np.float32).reshape(n, ANSWER.itemsize // 4))
            self.host.append((source, words, answers))
            if self.cuda:
                self.raw.append(torch.zeros_like(source, device=device))
                self.asked.append(torch.zeros_like(words, device=device))
                self.graphs.append(None)
                self.events.append(torch.cuda.Event())

    def capture(self) -> None:
        """Record the network's work once for each half."""
        for which in range(2):
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream), torch.no_grad():
                for _ in range(3):
                    self._run(which)
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph), torch.no_grad():
                out = self._run(which)
            self.graphs[which] = graph
            self.out.append(out)

    def _run(self, which: int) -> torch.Tensor:
        return self._answer(self.raw[which], self.asked[which])

    def _answer(self, raw: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        answers = self.network.answer(raw, words[:, 4:])
        n = self.old_tables
        if n:
            older = self.older.answer(raw[:n], words[:n, 4:])
            answers = torch.cat([torch.where(words[:n, 2:3] == 1, older, answers[:n]), answers[n:]])
        return answers

    def launch(self, which: int) -> None:
        """Begin to answer; `wait` tells when it is done."""
        source, words, answers = self.host[which]
        if not self.cuda:
            with torch.no_grad():
                answers.copy_(self._answer(source, words))
            return
        self.raw[which].copy_(source, non_blocking=True)
        self.asked[which].copy_(words, non_blocking=True)
        self.graphs[which].replay()
        answers.copy_(self.out[which], non_blocking=True)
        self.events[which].record()

    def wait(self, which: int) -> None:
        """Until the answers have come."""
        if self.cuda:
            self.events[which].synchronize()


class Trainer:
    """The network that learns, and the one that plays: a copy of it, or a teacher, whose word it learns, too."""

    def __init__(
        self,
        folder: Path,
        shape: Shape,
        rate_of_learning: float,
        device: torch.device,
        batch: int,
        teacher: Path | None = None,
        rival: Path | None = None,
    ) -> None:
        self.folder = folder
        self.device = device
        self.network = Network(shape).to(device)
        self.taught = teacher is not None
        kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.player = (Network(shape) if teacher is None else averaged(teacher)).to(device).to(kind)
        self.lesson = Lesson(self.network, batch, self.player if self.taught else None)
        self.optimiser = self.lesson.optimiser
        self.steps = 0
        self.positions = 0
        self.games = 0
        self.seconds = 0.0
        self.rate_of_learning = rate_of_learning
        self._resume()
        self.ages = rival is None
        self.older = (Network(shape) if rival is None else averaged(rival)).to(device).to(kind)
        self.average = Network(shape).to(device)
        self.average.load_state_dict(self.network.state_dict())
        if (folder / "average.pt").exists():
            self.average.load_grown(torch.load(folder / "average.pt", map_location=device), self._card())
        self.batch = batch
        self.copied: list[torch.cuda.Event | None] = [None, None]  # when each batch buffer may be filled again
        self.buffers = [batch_buffers(batch, pinned if device.type == "cuda" else plain_memory) for _ in range(2)]
        self.sync()
        self.grow_old()

    def _resume(self) -> None:
        if not (self.folder / WEIGHTS).exists():
            return
        saved = torch.load(self.folder / WEIGHTS, map_location=self.device)
        self.network.load_grown(saved["network"], self._card())
        self.steps, self.positions, self.games = saved["steps"], saved["positions"], saved["games"]
        self.seconds = saved["seconds"]
        if (self.folder / OPTIMISER).exists():
            self._resume_optimiser(torch.load(self.folder / OPTIMISER, map_location=self.device))

    def _card(self) -> dict[str, Any]:
        """What the network in the folder is like."""
        return read_card(self.folder)

    def _resume_optimiser(self, state: dict[str, Any]) -> None:
        """Take the optimiser's memory; what it has not got, weights of a younger part, begins at zero."""
        known: dict[Any, Any] = state["moments"]
        names = [name for name, _ in self.network.named_parameters()]
        if all(isinstance(key, int) for key in known):  # before the modules were learned it was kept by place
            before = [name for name in names if not name.startswith("module_")]
            known = {before[key]: moments for key, moments in known.items()}
        card = self._card()
        memory = self.optimiser.state_dict()
        for place, (name, weights) in enumerate(self.network.named_parameters()):
            nothing = torch.zeros_like(weights)
            one, two = (grown(name, part, card) for part in known[name]) if name in known else (nothing, nothing)
            step = torch.tensor(float(state["step"]))
            memory["state"][place] = {"step": step, "exp_avg": one.float(), "exp_avg_sq": two.float()}
        self.optimiser.load_state_dict(memory)

    def save(self) -> None:
        """Write what is needed to go on: weights in full, the optimiser's memory in half precision (under 20 MB)."""
        counts = {"steps": self.steps, "positions": self.positions, "games": self.games, "seconds": self.seconds}
        write(self.folder / WEIGHTS, {"network": self.network.state_dict(), **counts})
        write(self.folder / "average.pt", self.average.state_dict())
        write_text(self.folder / CARD, json.dumps(self.network.card(), indent=1) + "\n")
        state = self.optimiser.state
        moments = {
            name: (state[weights]["exp_avg"].bfloat16(), state[weights]["exp_avg_sq"].bfloat16())
            for name, weights in self.network.named_parameters()
            if weights in state
        }
        write(self.folder / OPTIMISER, {"step": self.steps, "moments": moments})

    def sync(self) -> None:
        """Let the playing copy have what was learned; a teacher stays as it is."""
        if not self.taught:
            _copy(self.network, self.player)

    def grow_old(self) -> None:
        """Let the opponent from the past be what the averaged network is now; a rival stays as it is."""
        if self.ages:
            _copy(self.average, self.older)

    def step(self, replay: Replay, pool: ThreadPoolExecutor, threads: int) -> dict[str, torch.Tensor]:
        """One step of gradient descent on a batch of random samples."""
        observations, targets, lists = self.buffers[self.steps % 2]
        busy = self.copied[self.steps % 2]
        if busy is not None:
            busy.synchronize()
        replay.draw(observations, targets, lists, pool, threads)
        raw = torch.from_numpy(observations.view(np.uint8).reshape(self.batch, -1))
        wanted = torch.from_numpy(targets.view(np.uint8).reshape(self.batch, -1))
        self.lesson.take(raw, wanted)
        if self.device.type == "cuda":
            event = torch.cuda.Event()
            event.record()
            self.copied[self.steps % 2] = event
        losses = self.lesson.learn(self.rate_of_learning * min(1.0, (self.steps + 1) / 500))
        with torch.no_grad():
            decay = min(0.999, (self.steps + 1) / (self.steps + 10))  # forgets its first steps soon
            torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), 1 - decay)
        self.steps += 1
        return losses


def _copy(source: Network, target: Network) -> None:
    """In place: a captured graph goes on with the target's new weights."""
    with torch.no_grad():
        for mine, theirs in zip(target.parameters(), source.parameters(), strict=True):
            mine.copy_(theirs)


def write(path: Path, what: Any) -> None:
    """Write a file whole or not at all."""
    torch.save(what, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


def write_text(path: Path, text: str) -> None:
    """The same for text."""
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def falling(first: float, last: float | None, part: float) -> float:
    """The rate of learning after a part of the run: by equal factors from the first to the last."""
    return first if last is None else first * (last / first) ** min(1.0, part)


def pinned(size: int) -> Array:
    """Memory a GPU can read while the cores go on."""
    return torch.zeros(size, dtype=torch.uint8, pin_memory=True).numpy()


class Run:
    """A training run: games in, samples out, steps of learning in between, until the time is up."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.folder = Path(options.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        shape = Shape(options.width, options.layers, options.heads)
        self.trainer = Trainer(
            self.folder, shape, options.rate, self.device, options.batch, options.teacher, options.rival
        )
        self.replay = Replay(options.capacity, seed=self.trainer.steps + 1)
        self.learner = ThreadPoolExecutor(1)  # learns while the games go on
        self.lesson_pool = ThreadPoolExecutor(options.threads)
        settings = Settings(
            options.full, options.fast, options.full_share, options.considered, past=options.past, mixed=options.mixed,
            random_setup=options.random_setup,
        )  # fmt: skip
        allocate = pinned if self.device.type == "cuda" else plain_memory
        starts = start_positions(tuple(options.players), options.rounds, options.modules)
        seed = options.seed + self.trainer.steps  # what is resumed plays other games
        self.play = SelfPlay(options.games, options.threads, settings, starts, seed, allocate)
        self._rated = rated_positions(options)
        player = self.trainer.player
        if self.device.type == "cuda" and options.compile:
            from sunglade.neural.fused import FusedAnswers

            player.answer = FusedAnswers(player)  # type: ignore[method-assign]
            self.trainer.older.answer = FusedAnswers(self.trainer.older)  # type: ignore[method-assign]
            self.trainer.lesson.capture()
        old_tables = int(self.play.settings[0]["past"])
        self.evaluator = Evaluator(player, self.trainer.older, old_tables, self.play.halves, self.device)
        if self.device.type == "cuda":
            self.evaluator.capture()

    def answer_logits(self, observations: Array, asks: Array) -> Array:
        """For ratings: the averaged network's bare policy."""
        n = len(observations)
        raw = torch.from_numpy(observations.view(np.uint8).reshape(n, -1)).to(self.device)
        words = torch.from_numpy(asks.view(np.int16).reshape(n, ASK.itemsize // 2)).to(self.device)
        with torch.no_grad():
            result: Array = self.trainer.average.answer(raw, words[:, 4:])[:, 4:].cpu().numpy()
        return result

    def go(self) -> None:
        """Until the time is up."""
        o, t = self.options, self.trainer
        for which in range(2):
            self.evaluator.launch(which)
            self.evaluator.wait(which)
            self.play.advance(which)  # compiles it: the clock starts afterwards
            self.evaluator.launch(which)
        began = time.time()
        until = began + 60 * o.minutes
        before = t.seconds
        counted = (*RATES, "cpu", "wait", "learn")
        mark = {"time": time.time(), **dict.fromkeys(counted, 0.0)}
        next_report, next_save, next_older = began + o.report, began + o.save_every, began + 60 * o.older
        owed = 0.0
        synced = t.steps
        last: dict[str, torch.Tensor] = {}
        while time.time() < until and (o.steps is None or t.steps < o.steps):
            t.rate_of_learning = falling(o.rate, o.last_rate, (time.time() - began) / (60 * o.minutes))
            lessons = min(int(owed), 8) if len(self.replay) >= o.least else 0
            learning = self.learner.submit(self._learn, lessons)
            ended = []
            for which in range(2):
                a = time.perf_counter()
                self.evaluator.wait(which)
                b = time.perf_counter()
                mark["moves"] += self.play.advance(which)
                c = time.perf_counter()
                self.evaluator.launch(which)
                mark["wait"] += b - a
                mark["cpu"] += c - b
                mark["evals"] += len(self.play.halves[which].games)
                ended.append(self.play.finished(which))
            a = time.perf_counter()
            last = learning.result() or last
            mark["learn"] += time.perf_counter() - a
            mark["steps"] += lessons
            owed = min(owed - lessons, 200.0) if len(self.replay) >= o.least else 0.0
            for states, policies, outcomes, games in ended:
                if games:
                    self.replay.add(states, policies, outcomes)
                    t.games += games
                    t.positions += len(states)
                    mark["games"] += games
                    mark["positions"] += len(states)
                    owed += o.reuse * len(states) / o.batch
            if t.steps - synced >= 20:
                t.sync()
                synced = t.steps
            now = time.time()
            if now > next_save:
                t.seconds = before + now - began
                t.save()
                next_save = now + o.save_every
            if now > next_older:
                t.grow_old()
                next_older = now + 60 * o.older
            if now > next_report:
                self._report(mark, last, before + now - began)
                for key in mark:
                    mark[key] = 0
                mark["time"] = time.time()
                next_report = time.time() + o.report
        t.seconds = before + time.time() - began
        t.save()
        self._report(mark, last, t.seconds)

    def _learn(self, steps: int) -> dict[str, torch.Tensor]:
        """So many steps, beside the games that go on: only what was remembered before is drawn."""
        last: dict[str, torch.Tensor] = {}
        for _ in range(steps):
            last = self.trainer.step(self.replay, self.lesson_pool, self.options.threads)
        return last

    def _beats(self, anchor: str, starts: Array) -> float:
        return rate(self.answer_logits, anchor, starts, self.options.rate_games)

    def _report(self, mark: dict[str, float], last: dict[str, torch.Tensor], seconds: float) -> None:
        span = max(time.time() - mark["time"], 1e-6)
        t = self.trainer
        points = self.replay.outcomes["points"][: len(self.replay)].sum(1)
        line: dict[str, Any] = {
            "seconds": round(seconds), "games": t.games, "positions": t.positions, "steps": t.steps,
            "rate": float(f"{t.rate_of_learning:.3g}"),
            **{f"{name}_per_s": round(mark[name] / span, 1) for name in RATES},
            **{name: round(mark[name] / span, 2) for name in ("cpu", "wait", "learn")},
            "mean_points": round(float(points.mean()), 1) if len(points) else None,
            **{name: round(float(value.detach()), 4) for name, value in last.items()},
        }  # fmt: skip
        if self.options.rate_games and last:
            for name, starts in self._rated.items():
                line[f"beats_simple_{name}"] = round(self._beats("simple", starts), 3)
            line["beats_random"] = round(self._beats("random", next(iter(self._rated.values()))), 3)
        print(json.dumps(line), flush=True)
        with (self.folder / PROGRESS).open("a") as file:
            file.write(json.dumps(line) + "\n")


def rated_positions(options: argparse.Namespace) -> dict[str, Array]:
    """The games in which reports measure the bare policy: each number of players, and two with modules."""
    rules = Rules() if options.rounds is None else Rules(rounds=options.rounds)
    rated = {str(players): kernel.new_record(rules, players).array() for players in sorted(set(options.players))}
    if options.modules and options.rounds is None:
        rated["2_modules"] = modules_only(start_positions((2,)))
    return rated


def options_of(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.neural.train", description="Train the neural player.")
    add = parser.add_argument
    add("--folder", default="runs/base", help="where weights and progress are; resumed if there are any")
    add("--minutes", type=float, default=10.0, help="how long to go on")
    add("--steps", type=int, help="and until how many steps of learning, counted from the very beginning")
    add("--seed", type=int, default=int(time.time()) % 1000003, help="of weights and games; without it by the clock")
    add("--games", type=int, default=8192, help="games side by side")
    add("--threads", type=int, default=os.cpu_count() or 1)
    add("--full", type=int, default=16, help="simulations of a search that teaches")
    add("--fast", type=int, default=6, help="simulations of a search that only plays on")
    add("--full-share", type=float, default=0.3)
    add("--considered", type=int, default=8)
    add("--past", type=float, default=0.06, help="share of the tables where an older network has some of the seats")
    add("--older", type=float, default=5.0, help="minutes until the older network is replaced by a younger one")
    add("--mixed", type=float, default=0.06, help="share of the other tables with weaker players at some of the seats")
    add("--random-setup", type=float, default=0.2, help="share of the games whose set-up is played at random")
    add("--teacher", type=Path, help="a folder: its network plays in place of this one, which learns what it would say")
    add("--rival", type=Path, help="a folder: its network sits where else an older self would, and never changes")
    add("--modules", action=argparse.BooleanOptionalAction, default=True, help="half of the games with modules")
    add("--batch", type=int, default=4096)
    add("--rate", type=float, default=1e-3, help="of learning")
    add("--last-rate", type=float, help="of learning, at the end of this run; without it the rate stays")
    add("--reuse", type=float, default=4.0, help="how often each sample is learned from")
    add("--capacity", type=int, default=1_000_000, help="samples remembered")
    add("--least", type=int, default=100_000, help="samples before learning begins: short games end first")
    add("--width", type=int, default=128)
    add("--layers", type=int, default=4)
    add("--heads", type=int, default=4)
    add("--players", type=int, nargs="+", default=PLAYER_MIX, help="player counts of new games, drawn evenly")
    add("--rounds", type=int, help="only games of so many rounds by the reference rules; without it all base rules")
    add("--report", type=float, default=30.0, help="seconds between lines of progress")
    add("--save-every", type=float, default=60.0)
    add("--rate-games", type=int, default=512, help="games against each anchor in a report; 0 for none")
    add("--compile", action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.setswitchinterval(1e-4)  # else the threads that play wait 5 ms for the one that learns
    chosen = options_of()
    note_command(Path(chosen.folder), sys.argv[1:])
    Run(chosen).go()
