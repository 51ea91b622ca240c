"""Compiling the kernel ahead of time, behind a progress bar, so that no player's first move waits for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from sunglade.deal import Deal
from sunglade.prebuilt.way import Way
from sunglade.rules import MODULES, Rules


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """What has to be compiled: a name for people, and a call that compiles it."""
    from sunglade import kernel
    from sunglade.forecast import forecast, scores
    from sunglade.kernel.animals import baby_on, steps_allowed
    from sunglade.kernel.moon import moves_before
    from sunglade.kernel.record import OVER
    from sunglade.kernel.tokens import owned_token
    from sunglade.search.imagined_games import Desk, imagined_margin

    deal = Deal.from_seed(0, 2)
    s = kernel.new_record(Rules(modules=MODULES), 2, deal.animals, deal.babies)
    found = kernel.LegalList()
    desk = Desk()
    desk.start = s
    desk.start.phase = OVER
    yield "set-up", lambda: (kernel.new_record(Rules(), 2), kernel.begin_round(s.copy()))
    yield "legal actions", lambda: kernel.legal(s, found)
    yield "playing an action", lambda: kernel.apply(s.copy(), found.action[0])
    yield "light and shadow", lambda: kernel.income(s, 0, kernel.shadows(s, 0)) + kernel.shaded_by(s, 0, 0, 0)
    yield "forecast", lambda: (forecast(s), kernel.look_at_suns(s, kernel.ComingSuns()))
    yield "moon", lambda: (kernel.lunar_income(s, 0, moves_before(1)), kernel.moon_place(s, 0))
    yield "animals", lambda: (baby_on(s, 0), steps_allowed(s, 0))
    yield "points", lambda: (kernel.winners(s), scores(s), kernel.points(s, 0), kernel.win_share(s, 0))
    yield "their parts", lambda: (kernel.moon_points(s, 0), kernel.baby_points(s, 0), owned_token(0, 1))
    yield "imagined games", lambda: imagined_margin(desk, 1, 0)
    yield "random games", lambda: kernel.playouts(s.array(), s.copy().array(), found.array(), 1, 1)


def compile_kernel(report: Callable[[str, int, int], None]) -> float:
    """Compile everything that is not in the cache yet, where Numba compiles; return the seconds it took."""
    from sunglade.kernel.compiler import way

    began = time.perf_counter()
    work = list(steps()) if way() is Way.NUMBA else []
    for done, (name, run) in enumerate(work):
        report(name, done, len(work))
        run()
    report("ready", len(work), len(work))
    if way() is Way.NUMBA:
        from sunglade.kernel.code_cache import forget_old_caches

        forget_old_caches()
    return time.perf_counter() - began


def compile_search() -> float:
    """Compile both searches if they are not in the cache yet; return the seconds it took."""
    from sunglade.neural.inference import NoNetwork
    from sunglade.neural.network_thinker import warm_up as warm_up_neural
    from sunglade.search.rollout_thinker import warm_up

    began = time.perf_counter()
    warm_up()
    with suppress(NoNetwork):  # told when somebody asks for it
        warm_up_neural()
    return time.perf_counter() - began


def main(*, search: bool = False) -> int:
    """`sunglade warm`: compile with a progress bar, the tree search too if asked; quick when all is compiled."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(file=sys.stderr)
    columns = (TextColumn("Compiling the rules"), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        seconds = compile_kernel(
            lambda name, done, total: progress.update(task, description=name, completed=done, total=total)
        )
        if search:
            progress.update(task, description="tree search", total=None)
            seconds += compile_search()
    what = "The rules and the tree search are" if search else "The rules are"
    console.print(f"{what} compiled ({seconds:.1f} s).")
    return 0
