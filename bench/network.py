"""How many positions a second the network answers for: by Numba, by each native library and in WebAssembly, in turn.

`make prebuilt`, then `python bench/network.py [--rounds N] [--width W --layers L --heads H]`: best of the rounds, by
processor time, one thread, in batches of 1 and 8. Another size than the shipped network's has random weights.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "build" / "prebuilt"
os.environ["SUNGLADE_PREBUILT"] = ""  # Numba in this process
sys.path.insert(0, str(HERE.parent / "tests"))

from network_questions import questions  # noqa: E402
from sunglade.neural.forward.aligned import FLOAT_BYTES, AlignedFloats  # noqa: E402
from sunglade.neural.forward.answer import answer, room_for  # noqa: E402
from sunglade.neural.forward.layout import Size, layout_of, parts  # noqa: E402
from sunglade.neural.inference import FOLDER as WEIGHTS  # noqa: E402
from sunglade.neural.inference import NEWEST  # noqa: E402
from sunglade.neural.weights_file import SUFFIX, read_weights, write_weights  # noqa: E402
from sunglade.prebuilding.stamps import WASM  # noqa: E402
from sunglade.prebuilt.library import SUFFIX as LIBRARY  # noqa: E402
from sunglade.prebuilt.library import Library, machine, processors  # noqa: E402
from sunglade.search.graph import Answers  # noqa: E402

BATCHES = (1, 8)
AT_A_TIME = 16
ANSWER = f"{answer.__module__}.{answer.__name__}"
Ask = Callable[[int], float]
"""Answers for `AT_A_TIME` positions in batches of this size; gives the processor seconds it took."""


def with_random_weights(size: Size) -> bytes:
    """A file of a network that has learned nothing."""
    chance = random.Random(1)
    scale = size.width**-0.5
    numbers = {
        name: array("f", [chance.gauss(0, scale) for _ in range(prod(shape))]).tobytes()
        for name, shape in parts(size).items()
    }
    return write_weights(size, numbers)


def called(function: Callable[..., None], model: bytes) -> Ask:
    """By a function of this process."""
    size, content = read_weights(model)
    layout = layout_of(size)
    weights, room = AlignedFloats(len(content) // FLOAT_BYTES, content), AlignedFloats(room_for(layout))
    asked, told = questions(max(BATCHES)), Answers()

    def ask(batch: int) -> float:
        began = time.process_time()
        for _ in range(AT_A_TIME // batch):
            function(asked, 0, batch, weights.floats(), layout, room.floats(), told)
        return time.process_time() - began

    return ask


def in_node(model: bytes, folder: Path) -> Ask:
    """In WebAssembly, for long enough that the engine has optimised it."""
    file = folder / f"network{SUFFIX}"
    file.write_bytes(model)
    size, _ = read_weights(model)
    command = [shutil.which("node") or "node", str(HERE / "network.mjs"), str(FOLDER)]
    request = {
        "file": str(file),
        "layout": base64.b64encode(bytes(layout_of(size))).decode(),
        "questions": base64.b64encode(bytes(questions(max(BATCHES)))).decode(),
        "answersSize": Answers.size,
    }

    def ask(batch: int) -> float:
        asked = json.dumps(request | {"count": batch, "times": 40 * AT_A_TIME // batch})
        told = json.loads(subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout)
        return AT_A_TIME / float(told["pace"])

    return ask


def main() -> None:
    """Print a line a way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    for name in ("width", "layers", "heads"):
        parser.add_argument(f"--{name}", type=int)
    args = parser.parse_args()
    model = (WEIGHTS / f"{NEWEST}{SUFFIX}").read_bytes()
    asked = {name: number for name in ("width", "layers", "heads") if (number := getattr(args, name)) is not None}
    if asked:
        model = with_random_weights(replace(read_weights(model)[0], **asked))
    ways: dict[str, Ask] = {"Numba": called(answer, model)}
    for name in map(machine, processors()):
        page = FOLDER / f"{name}.json"
        if page.is_file():
            library = Library(name, json.loads(page.read_bytes())["functions"], page.with_suffix(LIBRARY))
            ways[name] = called(library.function(ANSWER), model)
    with tempfile.TemporaryDirectory() as folder:
        best = {(way, batch): min(ask(batch) for _ in range(2)) for way, ask in ways.items() for batch in BATCHES}
        for _ in range(args.rounds):
            for way, batch in best:
                best[way, batch] = min(best[way, batch], ways[way](batch))
        if (FOLDER / f"{WASM}.wasm").is_file():
            ask = in_node(model, Path(folder))
            best |= {(WASM, batch): min(ask(batch) for _ in range(3)) for batch in BATCHES}
    for way, batch in best:
        print(f"{way}, batches of {batch}: {AT_A_TIME / best[way, batch]:,.0f} positions/s")


if __name__ == "__main__":
    main()
