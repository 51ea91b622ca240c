"""Carrying out a legal action."""

from __future__ import annotations

from sunglade.kernel.actions import BUY, COLLECT, DRAFT, END, GROW, PLACE, PLANT, STEP
from sunglade.kernel.animals import apply_animal
from sunglade.kernel.compiler import entry
from sunglade.kernel.lifecycle import buy, collect, grow, plant
from sunglade.kernel.moonlight_setup import apply_setup
from sunglade.kernel.printed import EDGE_SPACE
from sunglade.kernel.record import Record
from sunglade.kernel.rounds import end_turn, place


@entry
def apply(s: Record, action: int) -> None:
    """Change the position by one legal action. One that is not legal leaves nonsense behind: ask `legal` first."""
    p = s.player & 3
    if action == END:
        end_turn(s, p)
    elif BUY <= action < GROW:
        buy(s, p, action - BUY)
    elif GROW <= action < COLLECT:
        grow(s, p, action - GROW)
    elif COLLECT <= action < PLANT:
        collect(s, p, action - COLLECT)
    elif PLANT <= action < PLACE:
        plant(s, p, action - PLANT)
    elif PLACE <= action < DRAFT:
        place(s, p, EDGE_SPACE[action - PLACE])
    elif DRAFT <= action < STEP:
        apply_setup(s, p, action)
    elif action >= STEP:
        apply_animal(s, p, action)
