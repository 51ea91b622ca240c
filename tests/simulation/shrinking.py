"""A failure with less in it: fewer kinds of faults, fewer clients, fewer processes, a shorter time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from simulation.faults import KINDS
from simulation.world import Scale, simulate

STEPS: Final[dict[str, tuple[Any, ...]]] = {
    "others": (0, 1),
    "people": (1, 2, 3),
    "processes": (1, 2),
    "ordered": (True,),
    "seconds": (10.0, 20.0, 40.0, 90.0),
}
"""Smaller values, the smallest first: the first with which a seed still fails is taken."""


def shrunk(seed: int, fails: Callable[[Scale], str | None] | None = None) -> tuple[Scale, str]:
    """A small scale at which the seed still fails, in whatever way, and how."""
    fails = fails or (lambda scale: simulate(seed, scale).violation)
    scale = Scale()
    found = fails(scale)
    if found is None:
        raise ValueError(f"seed {seed} does not fail")
    for field, values in STEPS.items():
        for value in values:
            smaller = replace(scale, **{field: value})
            if (violation := fails(smaller)) is not None:
                scale, found = smaller, violation
                break
    for kind in (*KINDS, "night", "rest"):
        smaller = replace(scale, without=scale.without | {kind})
        if (violation := fails(smaller)) is not None:
            scale, found = smaller, violation
    return scale, found


def command(seed: int, scale: Scale) -> str:
    """What to type to see it again."""
    words = [f"PYTHONPATH=tests python -m simulation --seed {seed}"]
    plain = Scale()
    words += [
        f"--{field}" if value is True else f"--{field} {value:g}"
        for field in STEPS
        if (value := getattr(scale, field)) != getattr(plain, field)
    ]
    if scale.without:
        words.append(f"--without {','.join(sorted(scale.without))}")
    return " ".join(words)
