"""A position: who has what and where, and the few things everybody does with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from referee.board import CENTRE, LEAVES, SPACES, Space
from referee.options import Options

SEED, SMALL, MEDIUM, LARGE = range(4)
PRICES = [[1, 1, 2, 2], [2, 2, 3, 3], [3, 3, 4], [4, 5]]
"""Of the slots of each column, cheapest first (R-SETUP-2)."""
TOKENS = [
    [14, 14, 13, 13, 13, 12, 12, 12, 12],
    [17, 16, 16, 14, 14, 13, 13],
    [19, 18, 18, 17, 17],
    [22, 21, 20],
]
"""The piles of 1 to 4 leaves, top first (R-SETUP-4)."""
MOST_LUNAR = 14


@dataclass
class Piece:
    """A seed or tree on the board."""

    owner: int
    size: int


@dataclass
class Player:
    """What one player has (R-SETUP-2, R-SETUP-3, M-SETUP-2)."""

    seat: int
    light: int = 0
    available: list[int] = field(default_factory=lambda: [2, 4, 1, 0])
    fresh: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    """Of these, the ones bought this turn."""
    slots: list[list[bool]] = field(default_factory=lambda: [[True] * len(column) for column in PRICES])
    """Which slots of each column are occupied."""
    tokens: list[int] = field(default_factory=list)
    dealt: list[str] = field(default_factory=list)
    animal: str | None = None
    at: Space | None = None
    lunar: int = 2
    steps: int = 0
    used: list[str] = field(default_factory=list)
    babies: list[str] = field(default_factory=list)
    baby_points: int = 0


@dataclass
class Position:
    """All that matters for what may happen next."""

    options: Options
    rounds: int
    players: list[Player]
    turns: list[tuple[str, int]]
    """Phase and seat of every decision still to come in the set-up, next first."""
    tokens: list[list[int]]
    round: int = 0
    sun: int = 0
    first: int = 0
    player: int | None = 0
    phase: str = "placing"
    board: dict[Space, Piece] = field(default_factory=dict)
    activated: set[Space] = field(default_factory=set)
    effects: list[str] = field(default_factory=list)
    moon: int = 0
    tracker: int = 0
    """Its place; counted on beyond 17, so that the angles of M-MOON-4 can be told from it."""
    moon_full: bool = False
    tracker_full: bool = False
    elder: Space | None = None
    stones: set[Space] = field(default_factory=set)
    dam: set[Space] = field(default_factory=set)
    babies: dict[Space, str] = field(default_factory=dict)
    """Face down on the shore."""
    hidden: list[str] = field(default_factory=list)
    """The babies that will be laid out, in the order of the shore spaces."""

    @property
    def mover(self) -> Player:
        """The player to act."""
        assert self.player is not None
        return self.players[self.player]

    def opponents(self) -> list[Player]:
        """Everybody but the player to act."""
        return [player for player in self.players if player is not self.mover]

    def blocked(self, space: Space) -> bool:
        """Whether the Elder Tree or a stone stands there (M-ELDER-1, M-STONE-1)."""
        return space == self.elder or space in self.stones

    def empty(self, space: Space) -> bool:
        """Whether a seed or tree may come there; animals and babies do not hinder it (M-ANIMAL-1, M-SETUP-5)."""
        return space not in self.board and not self.blocked(space)

    def animal_at(self, space: Space) -> bool:
        """Whether an animal is there."""
        return any(player.at == space for player in self.players)

    def own(self, *sizes: int) -> list[Space]:
        """Where the player to act has pieces of these sizes."""
        return [
            space
            for space in SPACES
            if (piece := self.board.get(space)) and piece.owner == self.player and piece.size in sizes
        ]

    def usable(self, player: Player, size: int) -> bool:
        """Whether an available piece may be used now: with `use_bought` off, not one bought this turn (R-ACT-2)."""
        waiting = 0 if self.options.use_bought else player.fresh[size]
        return player.available[size] > waiting

    def gain_light(self, player: Player, points: int) -> None:
        """Light, up to the cap (R-LIGHT-4)."""
        player.light += points
        if self.options.light_cap is not None:
            player.light = min(player.light, self.options.light_cap)

    def give_back(self, piece: Piece) -> None:
        """A piece returns to its owner's board, or leaves the game where no slot is free (R-ACT-4)."""
        column = self.players[piece.owner].slots[piece.size]
        free = [slot for slot, occupied in enumerate(column) if not occupied]
        if free:
            column[free[-1] if self.options.return_slot == "highest" else free[0]] = True

    def grow(self, space: Space) -> None:
        """The piece there is replaced by the next size, an available one (R-ACT-4)."""
        piece = self.board[space]
        self.players[piece.owner].available[piece.size + 1] -= 1
        self.board[space] = Piece(piece.owner, piece.size + 1)
        self.give_back(piece)

    def can_grow(self, space: Space) -> bool:
        """Whether there is a piece whose owner has the next size to put there."""
        piece = self.board.get(space)
        return piece is not None and piece.size < LARGE and self.usable(self.players[piece.owner], piece.size + 1)

    def collect(self, space: Space) -> None:
        """The large tree there returns to its owner, and the player to act takes a token if there is one (R-ACT-5)."""
        self.give_back(self.board.pop(space))
        leaves = LEAVES[space]
        if "leaf" in self.effects:  # M-ANIMAL-4-LEAF
            self.effects.remove("leaf")
            leaves = min(leaves + 1, LEAVES[CENTRE])
        for pile in reversed(self.tokens[:leaves]):
            if pile:
                self.mover.tokens.append(pile.pop(0))
                return

    def plant(self, space: Space) -> None:
        """An available seed of the player to act goes there (R-ACT-3)."""
        self.mover.available[SEED] -= 1
        self.board[space] = Piece(self.mover.seat, SEED)


def cheapest(player: Player, size: int) -> int | None:
    """The cheapest occupied slot of a column (R-ACT-2)."""
    return next((slot for slot, occupied in enumerate(player.slots[size]) if occupied), None)


def take_from_board(player: Player, size: int) -> None:
    """A piece leaves the player board, from the cheapest slot (R-ACT-2)."""
    slot = cheapest(player, size)
    assert slot is not None
    player.slots[size][slot] = False


Effect = Callable[[], None]
Actions = Iterator[tuple[str, Effect]]
"""Legal lines, each with what it does."""
