"""Seven levels, from a child's first game to the strongest there is. What each overlooks is told in docs/bots.md.

The lower three follow impulses, the fourth judges one step ahead, the others search: so few lines that they can be
beaten, and always as many, so that a level is as strong on a slow machine as on a fast one. Only `elder` takes time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import Event
from typing import Final

from sunglade.bots.bot import Analyst, Bot, Foreteller, Foretold, Thought
from sunglade.bots.greedy import Greedy, Habits
from sunglade.bots.impulsive import CHILD, FAVOURITES, Impulsive
from sunglade.bots.limits import LimitedAnalyst
from sunglade.bots.search import SearchBot
from sunglade.bots.temper import Temper
from sunglade.errors import SungladeError
from sunglade.game import Game
from sunglade.search.helpers import MAX_THREADS
from sunglade.words.speech import tell

OAK_NODES: Final = {2: 100, 3: 300, 4: 800}
SEQUOIA_NODES: Final = {2: 1000, 3: 3000, 4: 8000}
"""Simulations for an action, by the number of players: with more of them a search has more to look at."""
WITH_ANIMALS: Final = 5
"""And so many times as many where animals are in play."""
AS_BIRCH: Final = Temper(looks_at_soil=True, collects_before_end=6, seeds=3)
"""How `birch` plays, but for what it forgets, and how `maple` thinks that the game goes on when it looks far ahead."""
ELDER_MS: Final = 2000
"""The longest that `elder` takes for a whole turn."""
ELDER_THREADS: Final = min(2, MAX_THREADS)


def seedling(seed: int = 0, *, abilities: bool = True) -> Bot:
    """A first game: collects at once, plants beside its trees, sees neither soil nor shade, forgets half of it all."""
    return Impulsive(seed, temper=Temper(forgets=0.5, hoards=2), habits=replace(CHILD, abilities=abilities))


def sapling(seed: int = 0, *, abilities: bool = True) -> Bot:
    """Has noticed the soil: plants and grows where it is rich, but still collects whatever is large at once."""
    return Impulsive(seed, temper=Temper(forgets=0.2, looks_at_soil=True), habits=replace(CHILD, abilities=abilities))


def birch(seed: int = 0, *, abilities: bool = True) -> Bot:
    """Lets its trees bring light and collects in the last third; does not see that they stand in each other's shade."""
    return Impulsive(seed, temper=replace(AS_BIRCH, forgets=0.15), habits=replace(CHILD, abilities=abilities))


def maple(seed: int = 0, *, abilities: bool = True) -> Bot:
    """Reckons with six suns, shade and the price of every piece, but only one action ahead and never with a reply."""
    return Greedy(seed, habits=Habits(abilities=abilities, imagines=AS_BIRCH, favourites=FAVOURITES))


def oak(seed: int = 0) -> Bot:
    """Plays on in its mind, but only a few lines: misses what pays off after several turns."""
    return Counted(seed, OAK_NODES)


def sequoia(seed: int = 0) -> Bot:
    """Reads thousands of lines; what it overlooks lies deep."""
    return Counted(seed, SEQUOIA_NODES)


def elder(seed: int = 0, *, threads: int = ELDER_THREADS) -> Bot:
    """The strongest there is, at most two seconds for a turn."""
    return LimitedAnalyst(Elder(seed, threads), ms=ELDER_MS)


class Counted:
    """A search of so many simulations, tuned as it was when the levels were measured: `search` may get better."""

    def __init__(self, seed: int, nodes: Mapping[int, int]) -> None:
        self._bot = SearchBot(seed, explore=0.25, width=4.0, widen=2.0, widen_root=2.0, margin=1.0)
        self._nodes = nodes

    def act(self, game: Game, ms: int) -> str:
        """What it finds in so many simulations, fewer only where the time does not suffice."""
        return self.think(game, ms=ms).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """The same, and how good it is."""
        own = self._nodes[game.players] * (WITH_ANIMALS if "moon" in game.rules.modules else 1)
        return self._bot.think(game, ms=ms, nodes=min(nodes or own, own), stop=stop)


class Elder:
    """`neural`, or `search` where the network cannot be had; `note` says why."""

    def __init__(self, seed: int, threads: int) -> None:
        self.note: str | None = None
        self._player = self._strongest(seed, threads)

    def _strongest(self, seed: int, threads: int) -> Analyst:
        from sunglade.bots.neural import NeuralBot  # only here: the other levels need not load it

        try:
            return NeuralBot(seed, threads=threads)
        except SungladeError as error:
            self.note = tell("terminal.bots.elder", reason=error.told_by(tell))
            return SearchBot(seed, threads=threads)

    def act(self, game: Game, ms: int) -> str:
        """What the strongest plays."""
        return self._player.act(game, ms)

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """What the strongest finds."""
        return self._player.think(game, ms=ms, nodes=nodes, stop=stop)

    def foretell(self, game: Game) -> Foretold | None:
        """What the network expects; a search alone foretells nothing."""
        return self._player.foretell(game) if isinstance(self._player, Foreteller) else None
