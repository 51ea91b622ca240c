"""What chance decides before the first action: who is dealt which animals, which baby lies where (M-SETUP-1, -4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sunglade.errors import BadRequest, BadRules
from sunglade.options import must_be, shown
from sunglade.rules import ANIMALS, BABIES, SHORE_SPACES
from sunglade.words import saying

CARDS_EACH: Final = 2
_64_BITS: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Deal:
    """Two animals for each player, and the babies of the shore spaces in index order (None: not known)."""

    animals: tuple[tuple[str, str], ...]
    babies: tuple[str | None, ...]

    @classmethod
    def from_seed(cls, seed: int, players: int) -> Deal:
        """The deal that follows from a seed. This algorithm never changes (docs/game-files.md)."""
        cards = _shuffled(ANIMALS, seed, stream=1)
        babies = _shuffled(BABIES, seed, stream=2)
        hands = tuple((cards[CARDS_EACH * p], cards[CARDS_EACH * p + 1]) for p in range(players))
        return cls(hands, tuple(babies[:SHORE_SPACES]))

    @classmethod
    def from_dict(cls, deal: object, seed: int, players: int) -> Deal:
        """The deal of a game file; a part that is missing follows from the seed."""
        if not isinstance(deal, Mapping):
            raise BadRequest(saying("terminal.rules.object", name="deal", value=shown(deal)))
        by_seed = cls.from_seed(seed, players)
        animals = _checked_animals(deal["animals"], players) if "animals" in deal else by_seed.animals
        babies = _checked_babies(deal["babies"]) if "babies" in deal else by_seed.babies
        return cls(animals, babies)

    def with_unknown_shuffled(self, seen: set[str], seed: int) -> Deal:
        """Another deal that agrees with the babies that were seen: the others are drawn anew from the rest."""
        rest = iter(_shuffled(tuple(baby for baby in BABIES if baby not in seen), seed, stream=3))
        return Deal(self.animals, tuple(baby if baby in seen else next(rest) for baby in self.babies))

    def to_dict(self) -> dict[str, Any]:
        """The deal as a game file stores it."""
        return {"animals": [list(hand) for hand in self.animals], "babies": list(self.babies)}


def _checked_animals(animals: object, players: int) -> tuple[tuple[str, str], ...]:
    """Two different animals a player, none twice (M-SETUP-1)."""
    if not isinstance(animals, (list, tuple)) or len(animals) != players:
        raise BadRules(saying("terminal.deal.animals", players=players))
    seen: set[str] = set()
    for seat, hand in enumerate(animals):
        name = f"deal.animals[{seat}]"
        if not isinstance(hand, (list, tuple)) or len(hand) != CARDS_EACH:
            raise BadRules(saying("terminal.deal.hand", name=name, value=shown(hand)))
        for card in hand:
            if not isinstance(card, str) or card not in ANIMALS:
                wrong = {"value": shown(card), "animals": ", ".join(ANIMALS)}
                raise BadRules(saying("terminal.deal.animal", name=name, **wrong))
            if card in seen:
                raise BadRules(saying("terminal.deal.again", name=name, value=shown(card)))
            seen.add(card)
    return tuple((hand[0], hand[1]) for hand in animals)


def _checked_babies(babies: object) -> tuple[str | None, ...]:
    """Six different babies, or null where a player may not know (M-SETUP-4)."""
    if not isinstance(babies, (list, tuple)) or len(babies) != SHORE_SPACES:
        raise BadRules(saying("terminal.deal.babies", number=SHORE_SPACES))
    for place, baby in enumerate(babies):
        if baby is not None and (not isinstance(baby, str) or baby not in BABIES):
            known = saying("terminal.rules.one_of", words=", ".join(("null", *BABIES)))
            raise BadRules(must_be(f"deal.babies[{place}]", known, baby))
        if baby is not None and baby in babies[:place]:
            raise BadRules(saying("terminal.deal.again", name=f"deal.babies[{place}]", value=shown(baby)))
    return tuple(babies)


def _numbers(seed: int, stream: int) -> Iterator[int]:
    """SplitMix64 from the seed's low 64 bits, a different sequence for each stream."""
    state = (seed ^ stream * 0xD1B54A32D192ED03) & _64_BITS
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _64_BITS
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _64_BITS
        yield mixed ^ mixed >> 31


def _shuffled(words: tuple[str, ...], seed: int, stream: int) -> list[str]:
    """Fisher–Yates from the last card down, each place drawn as the next number modulo the cards left."""
    cards = list(words)
    numbers = _numbers(seed, stream)
    for last in range(len(cards) - 1, 0, -1):
        other = next(numbers) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards
