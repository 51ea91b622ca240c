"""The kernel as WebAssembly plays, in Node, the games that it plays here, byte for byte."""

from __future__ import annotations

import hashlib
import json
import subprocess
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from prebuilding import build, one_build
from random_games import MODULE_SETS, new_random_game, random_steps
from sunglade import kernel
from sunglade.kernel import start
from sunglade.kernel.moonlight_setup import begin_setup
from sunglade.kernel.record import Record
from sunglade.notation import ACTION_NUMBERS
from web.stage import hatch_build

pytestmark = [pytest.mark.slow, one_build]

GAMES = 300
HERE = Path(__file__).parent


def game_and_hash(seed: int, before_setup: list[bytes]) -> tuple[dict[str, object], str]:
    """A random game as `wasm/games.mjs` takes it, and what that must print about it."""
    game = new_random_game(seed, MODULE_SETS[seed % len(MODULE_SETS)], 2 + seed % 3)
    begun, digest = before_setup[-1], hashlib.sha256()
    for step in random_steps(game, seed):
        tell(step.now, digest)
    told = {
        "start": begun.hex(),
        "list": kernel.LegalList.size,
        "players": game.players,
        "actions": [ACTION_NUMBERS[line] for line in game.actions],
    }
    return told, f"{len(game.actions)} {digest.hexdigest()}"


def tell(s: Record, digest: hashlib._Hash) -> None:
    """The record, the legal list, the shadows of some sun, the winners, and everybody's points."""
    digest.update(s.data)
    out = kernel.LegalList()
    digest.update(out.data[: 8 * kernel.legal(s, out)])
    digest.update(array("q", kernel.shadows(s, digest.copy().digest()[0] % 6)))
    digest.update(array("q", [kernel.winners(s), *(kernel.points(s, p) for p in range(s.players))]))


@pytest.fixture
def before_setup(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Records of new games before the set-up began, which compiled code does."""
    seen: list[bytes] = []

    def noting(s: Record) -> None:
        seen.append(bytes(s))
        begin_setup(s)

    monkeypatch.setattr(start, "begin_setup", noting)
    yield seen


def test_wasm_plays_the_same_games_in_node(before_setup: list[bytes]) -> None:
    folder = build("wasm")
    games, hashes = zip(*(game_and_hash(seed, before_setup) for seed in range(GAMES)))
    node = hatch_build.node()
    assert node is not None, "the client is built with Node, so there is one"
    done = subprocess.run(
        [str(node), str(HERE / "wasm" / "games.mjs"), str(folder)],
        input="\n".join(map(json.dumps, games)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == list(hashes)
