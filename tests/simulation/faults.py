"""What goes wrong, and how often: drawn from the seed kind by kind, so that kinds can be left out."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

KINDS: Final[dict[str, tuple[float, ...]]] = {
    # at the log, for each question
    "log_fails": (0.0, 0.01, 0.05),
    "answer_lost": (0.0, 0.01, 0.05),
    "log_slow": (0.0, 0.01, 0.03),
    "log_down": (0.0, 0.02),
    "commit_lost": (0.0, 0.0, 0.2),
    # between processes, for each notice
    "notice_lost": (0.0, 0.1, 1.0),
    "notice_doubled": (0.0, 0.2),
    "listening_breaks": (0.0, 0.02),
    # of processes, for each second
    "kill": (0.0, 0.01, 0.03),
    "stop": (0.0, 0.005),
    "restart": (0.0, 0.005),
    "clock_jumps": (0.0, 0.005),
    # of engines, for each question or start
    "engine_dies": (0.0, 0.02, 0.1),
    "engine_hangs": (0.0, 0.02, 0.1),
    "engine_nonsense": (0.0, 0.02, 0.1),
    "engine_slow": (0.0, 0.05),
    "engine_illegal": (0.0, 0.02),
    "engine_stillborn": (0.0, 0.05),
    "engine_unstartable": (0.0, 0.1),
    "engine_broods": (0.0, 0.05, 0.1),
    "engine_undead": (0.0, 0.2),
    # of connections, for each message or request
    "cut": (0.0, 0.01, 0.05),
    "half_sent": (0.0, 0.01, 0.03),
    "slow_reader": (0.0, 0.01),
    "last_word": (0.0, 0.05, 0.2),
}
"""Of each kind, the rates of which a seed draws one."""
THEMES: Final = (
    ("",), ("",), ("log", "answer", "commit"), ("engine",), ("notice", "listening"), ("cut", "half", "slow", "last"),
)  # fmt: skip
"""What a seed is about: of these kinds there is as much as can be, and of the others less than usual."""
RARE: Final = 0.2
"""How many of the other kinds there still are where a seed is about something."""


class Faults:
    """The faults of a run; none before they begin and after they have stopped."""

    def __init__(self, seed: int, without: frozenset[str]) -> None:
        chance = random.Random(f"faults {seed}")
        theme = chance.choice(THEMES)
        drawn = {kind: self._drawn(chance, theme, kind) for kind in KINDS}
        self.rates = {kind: 0.0 if kind in without else rate for kind, rate in drawn.items()}
        self.happened: Counter[str] = Counter()
        self.active = False
        self.lasting: set[str] = set()
        """Kinds that never stop."""
        self._chance = {kind: random.Random(f"{kind} {seed}") for kind in KINDS}

    def _drawn(self, chance: random.Random, theme: tuple[str, ...], kind: str) -> float:
        rate, is_rare = chance.choice(KINDS[kind]), chance.random() >= RARE
        if theme == ("",):
            return rate
        if kind.startswith(theme):
            return max(KINDS[kind])
        return 0.0 if is_rare else rate

    def strike(self, kind: str, times: float = 1.0) -> bool:
        """Whether it goes wrong this time."""
        rate = self.rates[kind]
        if not (self.active or kind in self.lasting) or not rate or self._chance[kind].random() >= rate * times:
            return False
        self.happened[kind] += 1
        return True
