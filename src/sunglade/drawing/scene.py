"""What a drawing shows of a position: every space with all that stands, lies and falls on it, in the words of the
language that is spoken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.forecast import sunlight
from sunglade.kernel import Record
from sunglade.kernel.printed import SEED, SIZES
from sunglade.kernel.record import NOWHERE, PHASES
from sunglade.kernel.rounds import revolution, revolutions
from sunglade.names import of_seat
from sunglade.notation import State, state_dict
from sunglade.words import key
from sunglade.words.speech import isolated, tell

if TYPE_CHECKING:
    import numpy as np

    from sunglade.words.keys import Key


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
        self.names = [names[p] if p < len(names) else of_seat(p) for p in range(s.players)]
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
            return f"{tell('table.beforeStart')} · {tell('option.rounds.value', count=last)}"
        turning = tell("table.revolution", revolution=revolution(self._record), revolutions=revolutions(self._record))
        return f"{turning} · {tell('table.round', round=now, rounds=last)}"

    def who(self) -> str:
        """Who acts, or who won."""
        if self.phase == "over":
            return victory([self.names[p] for p in self.state["winners"]])
        doing = tell("player.onTurn" if self.phase == "turn" else key(f"phase.{self.phase}"))
        return tell("common.pair", name=self.names[self.state["player"]], value=doing)

    def describe(self, space: Space) -> str:
        """All about a space in one sentence, as a screen reader would say it."""
        return ", ".join(self._phrases(space))

    def _phrases(self, space: Space) -> list[str]:
        said = [isolated(space.name), tell("count.leaves", count=space.leaves), self._standing(space)]
        if space.shaded:
            said.append(tell("common.pair", name=tell("a11y.shaded"), value=" ".join(space.shaded_by)))
        elif space.is_tree:
            said.append(tell("a11y.lit", count=space.light))
        elif space.darkness:
            said.append(tell(key(f"ground.{SIZES[space.darkness]}")))
        if space.animal is not None:
            animal = tell(key(f"animal.{self.boards()[space.animal]['animal']}"))
            said.append(tell("a11y.animal", animal=animal, player=self.names[space.animal]))
        marks: dict[Key, bool] = {
            "a11y.dam": space.dam,
            "a11y.baby": space.baby,
            "a11y.moonlit": space.lit,
            "a11y.activated": space.activated,
        }
        return said + [tell(mark) for mark, true in marks.items() if true]

    def _standing(self, space: Space) -> str:
        if space.elder:
            return tell("term.elder")
        if space.stone:
            return tell("a11y.stone")
        if space.owner is None:
            return tell("a11y.empty")
        return tell("a11y.theirs", piece=tell(key(f"piece.{SIZES[space.size]}")), player=self.names[space.owner])


def victory(winners: Sequence[str]) -> str:
    """Who won (R-END-2)."""
    if len(winners) == 1:
        return tell("result.winner", player=winners[0])
    return tell("result.winners", players=", ".join(winners))


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
