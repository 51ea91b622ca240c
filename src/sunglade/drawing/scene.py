"""What a drawing shows of a position: every space with all that stands, lies and falls on it, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.forecast import sunlight
from sunglade.kernel import Record
from sunglade.kernel.printed import PIECES, SEED, SIZES
from sunglade.kernel.record import NOWHERE, PHASES
from sunglade.kernel.rounds import revolution, revolutions
from sunglade.notation import State, seat_names, state_dict

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Space:
    """One space of the board as it looks now."""

    name: str
    leaves: int
    owner: int | None
    size: int
    light: int
    """What the tree here gets from this sun: its size, or 0 in shade (R-LIGHT-3)."""
    shaded_by: list[str]
    darkness: int
    """The size up to which a tree here would be shaded; 0 in the open (R-LIGHT-2)."""
    activated: bool
    lit: bool
    animal: int | None
    """The seat whose animal is here."""
    baby: bool
    dam: bool
    elder: bool
    stone: bool

    @property
    def is_tree(self) -> bool:
        """Whether a player's tree stands here, not a seed."""
        return self.owner is not None and self.size > SEED

    @property
    def shaded(self) -> bool:
        """Whether what stands here is in shade; seeds too (R-ADV-2)."""
        return self.owner is not None and bool(self.shaded_by)


class Scene:
    """A position as drawings need it."""

    def __init__(self, record: Record | np.record, names: Sequence[str] = ()) -> None:
        self._record = s = Record.of(record)
        self.state: State = state_dict(s)
        self.players = s.players
        self.names = seat_names(names, s.players)
        self.sun = s.sun
        self.spaces = _spaces(s, self.state)
        self.has_moon = "moon" in self.state
        self.phase: str = PHASES[s.phase]

    def boards(self) -> list[dict[str, Any]]:
        """Each player's part of the state."""
        boards: list[dict[str, Any]] = self.state["players"]
        return boards

    def clock(self) -> str:
        """Where the game stands: revolution and round (R-ROUND-1)."""
        now, last = self.state["round"], self.state["rounds"]
        if now == 0:
            return f"set-up · {last} rounds to play"
        turning = f"revolution {revolution(self._record)} of {revolutions(self._record)}"
        return f"{turning} · round {now} of {last}"

    def who(self) -> str:
        """Who acts, or who won."""
        if self.phase == "over":
            return "won by " + " and ".join(self.names[p] for p in self.state["winners"])
        return f"{self.names[self.state['player']]} {_TO_DO[self.phase]}"

    def describe(self, space: Space) -> str:
        """All about a space in one sentence, as a screen reader would say it."""
        return ", ".join(self._phrases(space))

    def _phrases(self, space: Space) -> list[str]:
        leaves = "1 leaf" if space.leaves == 1 else f"{space.leaves} leaves"
        said = [space.name, leaves, self._standing(space)]
        if space.shaded:
            said.append(f"shaded from {' and '.join(space.shaded_by)}")
        elif space.is_tree:
            said.append(f"lit, {space.light} light")
        elif space.darkness:
            said.append(f"in the shade for trees up to {SIZES[space.darkness]}")
        if space.animal is not None:
            said.append(f"the {self.boards()[space.animal]['animal']} of {self.names[space.animal]}")
        marks = {
            "under the dam": space.dam,
            "a baby face down": space.baby,
            "in moonlight": space.lit,
            "used this turn": space.activated,
        }
        return said + [phrase for phrase, true in marks.items() if true]

    def _standing(self, space: Space) -> str:
        if space.elder:
            return "the Elder Tree"
        if space.stone:
            return "a moonstone"
        if space.owner is None:
            return "empty"
        return f"{PIECES[space.size]} of {self.names[space.owner]}"


_TO_DO: Final = {
    "draft": "chooses an animal",
    "animals": "places the animal",
    "elder": "places the Elder Tree",
    "stones": "places a moonstone",
    "placing": "places a small tree",
    "turn": "is on turn",
}


def _spaces(s: Record, state: State) -> list[Space]:
    """Every space in index order."""
    light = sunlight(s)
    animals = {at: p for p, at in enumerate(s.at[: s.players]) if at != NOWHERE}
    lit = state["moon"]["lit"] if "moon" in state else []
    found = []
    for space, name in enumerate(NAMES):
        piece = state["spaces"].get(name)
        owner, size = (piece["owner"], piece["size"]) if piece else (None, 0)
        casters = kernel.shaded_by(s, s.sun, space, size) if piece else 0
        found.append(
            Space(
                name=name,
                leaves=board.LEAVES[space],
                owner=owner,
                size=size,
                light=light.trees.get(name, 0),
                shaded_by=board.names_of(casters),
                darkness=light.shadows.get(name, 0),
                activated=name in state["activated"],
                lit=name in lit,
                animal=animals.get(space),
                baby=name in state.get("face_down", ()),
                dam=name in state.get("dam", ()),
                elder=name == state.get("elder"),
                stone=name in state.get("stones", ()),
            )
        )
    return found
