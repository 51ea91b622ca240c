"""How simple players choose in games that compiled code plays on its own: the base game, on a CPU and on a GPU.

What an action is worth to them is told in `search.judgement` and `search.impulses`, where the bots have it from, too.
Here is what they draw: which of equal actions they take comes from the game's random generator, and what they do not
think of on a turn from the game's seed.
"""

from __future__ import annotations

from typing import Final

from sunglade.encode import BASE_ACTIONS
from sunglade.envs.compact_record import copy_position
from sunglade.envs.dealing import scrambled
from sunglade.envs.wrapping import wrapping_sum
from sunglade.kernel import apply
from sunglade.kernel.actions import END, GROW, PLACE, PLANT
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.fields import Memory, Part
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.printed import EDGE_SPACE
from sunglade.kernel.record import TURN, Record
from sunglade.search.impulses import impulse
from sunglade.search.judgement import WORTHWHILE, Plans, coming_light, placing_worth, worth, worth_in_light
from sunglade.search.manner import AT_RANDOM, BY_JUDGEMENT, CHANCES, Manner
from sunglade.search.rollout import legal_actions

NOTHING: Final = -1e9
"""Worse than any placement."""


class Desk(Memory):
    """What a thread needs to choose actions."""

    legal_list = Part(LegalList)
    after = Part(Record)  # a position that is tried
    plans = Part(Plans)


@compiled
def chosen_action(
    s: Record, m: Manner, seed: int, random: int, out: LegalList, after: Record, plans: Plans, rows: int
) -> tuple[int, int]:
    """What somebody of this manner does in a game that is not over; and the generator's next state.

    A player that is not random plays the base game only.
    """
    n = legal_actions(s, out)
    if m.kind == AT_RANDOM:
        random = shuffled(random)
        return int(out.action[below(random, n)]), random
    return _best_action(s, m, seed, random, out, n, after, plans, rows)


@compiled
def _best_action(
    s: Record, m: Manner, seed: int, random: int, out: LegalList, n: int, after: Record, plans: Plans, rows: int
) -> tuple[int, int]:
    """Of the actions it thinks of the best, each of equal ones as likely as the other; `END` if none is worthwhile."""
    p = s.player & 3
    light = coming_light(s, p, m) if m.kind == BY_JUDGEMENT else (0, 0, 0)
    best = NOTHING
    if s.phase == TURN:
        best = worth_in_light(s, p, m, plans, *light) + WORTHWHILE if m.kind == BY_JUDGEMENT else 0.0
    chosen = END
    equals = 0
    forgets = m.forgets if _thinks_of_any(s, m, seed, out, n) else 0
    for index in range(n):
        action = int(out.action[index])
        if action == END or _is_forgotten(s, seed, action, forgets):
            continue
        value = _value(s, p, m, action, light, after, plans, rows)
        if value > best:
            best = value
            chosen = action
            equals = 1
        elif value == best and equals:
            equals += 1
            random = shuffled(random)
            if below(random, equals) == 0:
                chosen = action
    return chosen, random


@inlined
def _thinks_of_any(s: Record, m: Manner, seed: int, out: LegalList, n: int) -> bool:
    """Whether there is anything that it does not forget; who forgets everything looks again."""
    for index in range(n):  # noqa: SIM110  # compiled: no generators
        if not _is_forgotten(s, seed, int(out.action[index]), m.forgets):
            return True
    return False


@inlined
def _is_forgotten(s: Record, seed: int, action: int, forgets: int) -> bool:
    """Whether a player does not think of an action; what is forgotten stays so for the whole turn."""
    if forgets == 0:
        return False
    turn = (int(s.current_round) << 2 | int(s.player)) << 11 | action
    return scrambled(wrapping_sum(seed, turn)) & (CHANCES - 1) < forgets


@inlined
def _value(
    s: Record, p: int, m: Manner, action: int, light: tuple[int, int, int], after: Record, plans: Plans, rows: int
) -> float:
    """What an action is worth to it."""
    if s.phase == TURN and m.kind != BY_JUDGEMENT:
        return float(impulse(s, action, m))
    copy_position(s, after, rows)
    if action < BASE_ACTIONS:  # always: said so that a GPU's compiler leaves the modules' actions out
        apply(after, action)
    if s.phase != TURN:
        return placing_worth(after, p, EDGE_SPACE[action - PLACE], m)
    if GROW <= action < PLANT:  # only there do trees change, and with them the light to come
        return worth(after, p, m, plans)
    return worth_in_light(after, p, m, plans, *light)
