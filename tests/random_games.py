"""Random games over all options and modules, for the tests. They need nothing but the game: they run in a page, too."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterator
from typing import Any

from sunglade import Game, Rules, board, kernel
from sunglade.rules import EDITIONS, OPTIONS

MODULES = ("moon", "elder", "stones")
MODULE_SETS = [list(some) for count in range(4) for some in itertools.combinations(MODULES, count)]


def random_rules(choose: random.Random, modules: list[str]) -> Rules:
    """Any edition with some options of its own."""
    names = list(board.NAMES)
    own: dict[str, Any] = {
        "light_cap": choose.choice([None, 0, 3, 12, 20, 30]),
        "rounds": choose.randint(1, 30),
        "use_bought": choose.random() < 0.5,
        "leftover": choose.choice(["down", "up"]),
        "return_slot": choose.choice(["highest", "lowest"]),
        "shade_plant": choose.choice(["target", "origin", "both"]),
        "revolutions": choose.choice([3, 4]),
        "moon_start": choose.randrange(18),
        "shore": choose.sample(names, 6),
        "river": choose.sample(names, choose.randint(1, 20)),
        "moonstones": choose.randint(0, 9),
        "moon_turns": choose.choice(["at_once", "on_arrival"]),
        "boar_digs": choose.choice(["own", "any"]),
        "fox_scares": choose.choice(["any", "adjacent"]),
        "fox_steals": choose.choice(["lunar", "light"]),
    }
    assert {*own, "modules", "shade_forbids"} == set(OPTIONS), "an option is missing in random games"
    some = {name: value for name, value in own.items() if choose.random() < 0.25}
    return Rules(choose.choice(list(EDITIONS)), modules=modules, shade_forbids=choose.random() < 0.4, **some)


CHEAP_ABILITIES = ("fox.scare", "hedgehog.run", "owl.hunt", "turtle.steps")


def random_line(choose: random.Random, legal: list[str]) -> str:
    """A kind of action first, then one of it. Turns end late and lunar points are saved, so that rare ones come up."""
    kinds = sorted({line.split()[0] for line in legal})
    dear = [kind for kind in kinds if "." in kind and kind not in CHEAP_ABILITIES]
    grown = [kind for kind in kinds if kind in ("collect", "grow")]
    if dear and choose.random() < 0.6:
        kinds = dear
    elif grown and choose.random() < 0.3:
        kinds = grown
    elif choose.random() < 0.97:
        kinds = [kind for kind in kinds if kind not in CHEAP_ABILITIES]
    if len(kinds) > 1 and choose.random() < 0.85:
        kinds = [kind for kind in kinds if kind != "end"]
    kind = choose.choice(kinds)
    return choose.choice([line for line in legal if line.split()[0] == kind])


def new_random_game(seed: int, modules: list[str] | None = None, players: int | None = None) -> Game:
    """A game that has not begun, everything about it drawn from the seed."""
    choose = random.Random(seed)
    chosen = choose.choice(MODULE_SETS) if modules is None else modules
    rules = random_rules(choose, chosen)
    return Game(players or choose.choice([2, 3, 4]), rules, seed=choose.getrandbits(40))


def random_steps(game: Game, seed: int, count: int | None = None) -> Iterator[Game]:
    """The same game again and again, before the first and after each of `count` random actions, or to its end."""
    choose = random.Random(seed)
    yield game
    for _ in itertools.count() if count is None else range(count):
        if game.over:
            return
        game.play(random_line(choose, game.legal))
        yield game


def random_game(seed: int, count: int | None = None, **given: Any) -> Game:
    """A random game after `count` actions, or at its end."""
    game = new_random_game(seed, **given)
    for _ in random_steps(game, seed, count):
        pass
    return game


HANDS = [["boar", "hedgehog"], ["squirrel", "fox"], ["owl", "badger"], ["beaver", "turtle"]]


def long_game(seed: int) -> Game:
    """A game of 150 rounds, not begun, in which the animals collect points enough for everything they can."""
    draft = [f"draft {hand[seed % 2]}" for hand in HANDS]
    readings = {"boar_digs": "any", "fox_steals": "light", "moon_turns": "on_arrival"} if seed % 4 > 1 else {}
    rules = {"modules": ["moon"], "rounds": 150, **readings}
    return Game(4, rules, seed=seed, deal={"animals": HANDS}, actions=draft)


def fingerprints(games: int) -> Iterator[str]:
    """Of so many games over all module sets, player counts and random options."""
    for seed in range(games):
        yield fingerprint(new_random_game(seed, MODULE_SETS[seed % len(MODULE_SETS)], 2 + seed % 3), seed)


def fingerprint(game: Game, seed: int) -> str:
    """All records and legal lists of a game played to its end, and what the kernel says about each position."""
    digest = hashlib.sha256()
    for step in random_steps(game, seed):
        s = step.now
        shadows = [[int(bits) for bits in kernel.shadows(s, sun)] for sun in range(6)]
        facts = [
            step.legal_numbers,
            shadows,
            [[int(kernel.income(s, p, kernel.shadows(s, s.sun))), int(kernel.points(s, p))] for p in range(s.players)],
            [int(kernel.lit_spaces(s, s.current_round)), bool(kernel.moon_is_full(s, s.current_round))],
            int(kernel.winners(s)),
        ]
        digest.update(s.data)
        digest.update(repr(facts).encode())
    return f"{len(game.actions)} {digest.hexdigest()[:20]}"
