"""Mines puzzles from games that the network plays against itself: src/sunglade/teaching/puzzles.json.

    PYTHONPATH=src python -m training.puzzles mine --seconds 600          on all cores; adds to what is there
    PYTHONPATH=src python -m training.puzzles check --seconds 600         whether answers stay best at 20 times the time

Of every last turn the best end is found by trying everything; other turns are judged by searches, short ones first. A
position becomes a puzzle when one turn, or a few that are as good, stand out by a clear margin; then every level of the
bots tries it, and which find it is its difficulty.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from sunglade import Game, bots, kernel
from sunglade.bots import LEVELS, Analyst
from sunglade.kernel.actions import TABLE
from sunglade.kernel.record import TURTLE, Record
from sunglade.kernel.score import points
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.rules import Rules
from sunglade.search.last_turn import Solver, is_last_turn
from sunglade.teaching.light_facts import coming, light_of
from sunglade.teaching.puzzles import AS_GOOD, KINDS, Puzzle, after_turn
from sunglade.teaching.reasons import reasons

FILE: Final = Path(__file__).parents[1] / "src" / "sunglade" / "teaching" / "puzzles.json"
PLAYED: Final = 96
"""Simulations for an action of the games."""
LONG: Final = 1000
"""Simulations for the end of a turn that is judged for good."""
STAGES: Final = ((40, 0.4), (160, 0.7), (LONG, 1.0))
"""Simulations for the end of a turn, and the share of the margin that the best must have for the next stage."""
PROOF: Final = 20
"""So many times the long ones whether an answer stays the best."""
MARGIN: Final = 0.045
"""How much worse the next best turn must be, as a chance of winning."""
MOST_AS_GOOD: Final = 5
"""Turns that may be as good as the best, such as with another purchase."""
LOOKED_AT: Final = 0.5
"""Share of the turns that are looked at."""
MOST_OF_A_KIND: Final = 90
SHADE: Final = 5
"""Light that rivals lose over the coming suns by a turn that is about shade."""
MOST_ACTIONS: Final = 20
QUICK: Final = ("sapling", "birch", "maple", "oak")
"""Levels whose turns are compared with the best."""
STRONG: Final = {"sequoia", "elder"}
"""What none of these finds is no puzzle: the search that judged may have been wrong."""
MODULES: Final = ((), (), ("moon",), ("moon", "elder", "stones"))


@dataclass
class Found:
    """A puzzle in the making, as it is written."""

    kind: str
    position: str
    best: list[str]
    others: list[list[str]]
    levels: list[str]
    points: int | None = None
    margin: float | None = None


@dataclass
class Turn:
    """A turn that was looked at: the actions before its end, where it leads, and what that is worth to the mover."""

    actions: list[str]
    after: Game
    worth: float = field(default=0.0)


class Miner:
    """One process: plays games and looks at their turns."""

    def __init__(self, rank: int, until: float, *, played: int = PLAYED, share: float = LOOKED_AT) -> None:
        self.played, self.share = played, share
        self.chance = random.Random(rank)
        self.until = until
        self.player, self.judge = bots.make("neural:small"), bots.make("neural")
        self.solver = Solver()
        self.found: list[Found] = []

    def out_of_time(self) -> bool:
        return time.monotonic() > self.until

    def run(self) -> list[Found]:
        """Games until the time is over."""
        while not self.out_of_time():
            self._game()
        return self.found

    def _game(self) -> None:
        seed = self.chance.randrange(1 << 40)
        modules = list(self.chance.choice(MODULES))
        game = Game(self.chance.choice((2, 2, 3, 4)), Rules(modules=modules), seed=seed)
        while game.phase != "turn":
            game.play(self.chance.choice(game.legal))
        if TURTLE in game.now.animal:
            return  # what lies face down cannot be judged
        while not game.over and not self.out_of_time():
            turn = self._turn_of(self.player, game, self.played)
            if is_last_turn(game.now):
                self._last_turn(game)
            elif game.round > 3 and self.chance.random() < self.share:
                self._judged_turn(game, turn)
            for line in turn:
                game.play(line)

    def _turn_of(self, bot: bots.Bot, game: Game, nodes: int) -> list[str]:
        """A bot's whole turn."""
        copy, mover, now = game.redacted(), game.player, game.round
        lines: list[str] = []
        while copy.player == mover and copy.round == now and not copy.over:
            if len(lines) == MOST_ACTIONS:
                lines.append("end")
            elif isinstance(bot, Analyst) and nodes:
                lines.append(bot.think(copy, nodes=nodes).action)
            else:
                lines.append(bot.act(copy, 2000))
            copy.play(lines[-1])
        return lines

    # Last turns

    def _last_turn(self, game: Game) -> None:
        best = self.solver.solve(game.now)
        seat = game.now.player
        if len(best.line) < 2 or best.points == points(game.now, seat):
            return
        reached = {name: self._points_of(game, self._turn_of(bots.make(name), game, 0)) for name in QUICK}
        if all(had == best.points for had in reached.values()):
            return
        turns = {name: self._turn_of(bots.make(name), game, 0) for name in LEVELS}
        found = [name for name, turn in turns.items() if self._points_of(game, turn) == best.points]
        lines = [ACTION_NAMES[number] for number in best.line]
        self.found.append(Found("last_turn", game.position(), lines, [], found, points=best.points))

    def _points_of(self, game: Game, lines: list[str]) -> int:
        return points(after_turn(game, lines).now, game.now.player)

    # Other turns

    def _judged_turn(self, game: Game, lines: list[str]) -> None:
        best = self._ending(game, lines)
        turns = [best, *self._alternatives(game, best)]
        if len(turns) < 3:
            return
        gap = 0.0
        for nodes, share in STAGES:
            for turn in _worth_a_look(turns):
                turn.worth = self.worth(turn.after, game.now.player, nodes)
            gap = _stands_out(turns, share * MARGIN)
            if gap == 0:
                return
        turns.sort(key=lambda turn: -turn.worth)
        kind = kind_of(game, turns)
        if kind is not None:
            self._keep(kind, game, turns, gap)

    def _keep(self, kind: str, game: Game, turns: list[Turn], gap: float) -> None:
        good = {bytes(turn.after.now) for turn in turns if turn.worth >= turns[0].worth - AS_GOOD}
        worse = [turn.actions for turn in turns if turn.worth < turns[0].worth - AS_GOOD][:3]
        levels = []
        for name in LEVELS:
            own = self._ending(game, self._turn_of(bots.make(name), game, 0))
            if bytes(own.after.now) in good or self.worth(own.after, game.now.player, LONG) >= turns[0].worth - AS_GOOD:
                levels.append(name)
        if STRONG & set(levels):
            self.found.append(Found(kind, game.position(), turns[0].actions, worse, levels, margin=round(gap, 3)))

    def worth(self, after: Game, seat: int, nodes: int) -> float:
        """What the end of a turn is worth to the mover."""
        if after.over:
            return kernel.win_share(after.now, seat)
        assert isinstance(self.judge, Analyst)
        return self.judge.think(after.redacted(), nodes=nodes).value[seat]

    def _ending(self, game: Game, lines: list[str]) -> Turn:
        actions = [line for line in lines if line != "end"]
        return Turn(actions, after_turn(game, actions))

    def _alternatives(self, game: Game, best: Turn) -> Iterator[Turn]:
        """Other turns, each end once: what weaker bots do, nothing at all, the best turn without one of its actions."""
        seen = {bytes(best.after.now)}
        lines = [[], *(self._turn_of(bots.make(name), game, 0) for name in QUICK), *_without_one(game, best.actions)]
        for each in lines:
            turn = self._ending(game, each)
            if bytes(turn.after.now) not in seen:
                seen.add(bytes(turn.after.now))
                yield turn


def _without_one(game: Game, actions: list[str]) -> Iterator[list[str]]:
    """The turn without one of its actions, as far as the others are still legal."""
    for left_out in range(len(actions)):
        copy, played = game.redacted(), []
        for place, line in enumerate(actions):
            if place != left_out and line in copy.legal:
                copy.play(line)
                played.append(line)
        yield played


def _worth_a_look(turns: list[Turn]) -> list[Turn]:
    """Those that may still be among the best; at first all."""
    best = max(turn.worth for turn in turns)
    return [turn for turn in turns if turn.worth > best - 4 * MARGIN]


def _stands_out(turns: list[Turn], margin: float) -> float:
    """The gap between the best turns, a few that are as good, and the next; 0 where it is not clear."""
    worths = sorted((turn.worth for turn in turns), reverse=True)
    as_good = [worth for worth in worths if worth >= worths[0] - AS_GOOD]
    rest = worths[len(as_good) :]
    gap = as_good[-1] - rest[0] if rest else 0.0
    return gap if len(as_good) <= MOST_AS_GOOD and gap >= margin else 0.0


def kind_of(game: Game, turns: list[Turn]) -> str | None:
    """What the best turn is about; None where it is nothing of these."""
    best = turns[0]
    actions = [TABLE[ACTION_NUMBERS[line]] for line in best.actions]
    if any(action.kind == "ability" for action in actions):
        return "animals"
    copy = game.fork()
    for line in best.actions:
        if any(reason.kind == "race" for reason in reasons(copy, line)):
            return "race"
        copy.play(line)
    if any(action.kind == "collect" for action in actions):
        return "collect"
    mover, suns = game.now.player, min(6, game.now.rounds - game.round)
    rivals = [reason for reason in light_of(game.now, copy.now, mover, suns) if reason.kind.startswith("rival")]
    if sum(reason.numbers["old"] - reason.numbers["new"] for reason in rivals) >= SHADE:
        return "shade"
    if _own_in_shade(game.now, mover) & ~_own_in_shade(copy.now, mover):
        return "escape"
    waits = any(line.startswith("collect") for turn in turns[1:] for line in turn.actions)
    return "collect" if waits else None


def _own_in_shade(s: Record, seat: int) -> int:
    """Own trees that the next sun leaves in shade."""
    own = s.pieces[seat, 1] | s.pieces[seat, 2] | s.pieces[seat, 3]
    return coming(s, 1).shaded[0] & own


# The command


def mine(arguments: tuple[int, float, int, float]) -> list[dict[str, Any]]:
    """The puzzles that one process finds."""
    rank, until, played, share = arguments
    return [asdict(found) for found in Miner(rank, until, played=played, share=share).run()]


def check(arguments: tuple[int, float, list[dict[str, Any]]]) -> list[bool]:
    """Whether the best turns of puzzles stay the best of those that are known, at many times the time."""
    rank, until, told = arguments
    miner = Miner(rank, until)
    stays = []
    for fields in told:
        if miner.out_of_time():
            break
        task = Puzzle(0, **fields)
        game = task.game()
        ends = [after_turn(game, actions) for actions in (task.best, *task.others)]
        best, *others = (miner.worth(end, game.now.player, PROOF * LONG) for end in ends)
        stays.append(best >= max(others))
    return stays


def _on_all_cores(work: Any, arguments: list[Any], cores: int) -> list[Any]:
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        return [each for part in pool.imap_unordered(work, arguments) for each in part]


def _compile() -> None:
    """Everything once, before there are many processes."""
    game = Game(2, actions=["place a1", "place g4", "place a3", "place g2"])
    for name in (*LEVELS, "neural:small"):
        bots.make(name).act(game.redacted(), 50)
    Solver().solve(game.now)


def chosen(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The puzzles that are shipped: no position twice, not too many of a kind, easy ones first."""
    once = list({fields["position"]: fields for fields in found}.values())
    once.sort(key=lambda fields: -(fields["margin"] or 1.0))
    kept: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    for fields in once:
        counts[fields["kind"]] += 1
        if counts[fields["kind"]] <= MOST_OF_A_KIND:
            kept.append(fields)
    return sorted(kept, key=lambda fields: (-len(fields["levels"]), KINDS.index(fields["kind"])))


def main() -> None:
    """Mine, or check."""
    parser = argparse.ArgumentParser(prog="python -m training.puzzles", description="Mine puzzles.")
    parser.add_argument("what", choices=("mine", "check"))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first", type=int, default=int(time.time()), help="seed of the first process")
    parser.add_argument("--simulations", type=int, default=PLAYED, help="for an action of the games")
    parser.add_argument("--looked-at", type=float, default=LOOKED_AT, help="share of turns before the last; 0: none")
    parser.add_argument("--drawn", type=int, default=100, help="how many are checked")
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    _compile()
    known = json.loads(options.file.read_text(encoding="utf-8")) if options.file.exists() else []
    if options.what == "check":
        judged = [fields for fields in known if fields["others"]]
        drawn = random.Random(1).sample(judged, min(options.drawn, len(judged)))
        parts = [(rank, until, drawn[rank :: options.cores]) for rank in range(options.cores)]
        stays = _on_all_cores(check, parts, options.cores)
        print(json.dumps({"drawn": len(stays), "stay best": sum(stays), "simulations": PROOF * LONG}))
        return
    how = (until, options.simulations, options.looked_at)
    found = _on_all_cores(mine, [(options.first + rank, *how) for rank in range(options.cores)], options.cores)
    kept = chosen(known + found)
    lines = ",\n".join(json.dumps(fields, separators=(",", ":")) for fields in kept)
    options.file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    kinds = Counter(fields["kind"] for fields in kept)
    levels = {level: sum(level in fields["levels"] for fields in kept) for level in LEVELS}
    print(json.dumps({"found": len(found), "kept": len(kept), "kinds": kinds, "levels": levels}))


if __name__ == "__main__":
    main()
