"""`python -m sunglade.prebuilding.header [--rules JSON]`: a header in C for the prebuilt library.

It is made from the same annotations as the library: what records look like, what every function takes and gives. So
C, C++, and whatever binds C (Rust, Julia, Zig) can play the whole game without Python.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any, Final

from sunglade import kernel
from sunglade.encode import Mask, Observation
from sunglade.errors import SungladeError
from sunglade.extras import naming_the_extra
from sunglade.kernel.actions import BASE_ACTIONS, MAX_LEGAL
from sunglade.kernel.fields import Memory, NumberField
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.record import PHASES, Record
from sunglade.notation import ACTION_NAMES
from sunglade.rules import MAX_PLAYERS, Rules

NUMBERS: Final = {
    "q": "int64_t", "i": "int32_t", "h": "int16_t", "H": "uint16_t", "b": "int8_t", "B": "uint8_t", "d": "double",
    "f": "float",
}  # fmt: skip
"""C's words for the numbers of a field, by their codes in `struct`."""
SIMPLE: Final = {"int": "int64_t", "bool": "uint8_t", "float": "double", "none": "void"}
STRUCTS: Final = {"record": Record, "legal_list": LegalList, "observation": Observation}
"""Records with names of their own; all others are passed as addresses."""
OPENING: Final = """\
/* Sunglade: the rules of the game as a library. Made by `python -m sunglade.prebuilding.header`; do not edit.

   A position is a sunglade_record. Copy SUNGLADE_START[players], ask kernel_legal_legal for the legal actions, carry
   one out with kernel_apply_apply, until phase is SUNGLADE_OVER. Nothing is checked: an action that is not legal leaves
   nonsense behind. Nothing is allocated, and no function keeps anything: any number of threads may call them.

   A set of spaces is a number whose bit s is space s (0 = a1 ... 36 = g4). Functions that give several numbers write
   them where their first argument points. */
"""


def header(rules: Rules) -> str:
    """The whole header; the start positions are by these rules."""
    lines = [OPENING, "#ifndef SUNGLADE_H", "#define SUNGLADE_H", "#include <stdint.h>", ""]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    lines += [f"#define SUNGLADE_{phase.upper()} {number}" for number, phase in enumerate(PHASES)]
    lines += [f"#define SUNGLADE_MAX_LEGAL {MAX_LEGAL}", f"#define SUNGLADE_ACTIONS {len(ACTION_NAMES)}"]
    lines += [f"#define SUNGLADE_BASE_ACTIONS {BASE_ACTIONS}", f"#define SUNGLADE_MASK_BYTES {Mask.size}", ""]
    for name, kind in STRUCTS.items():
        lines += [*_struct(name, kind), ""]
    lines += [*_functions(), "", *_starts(rules), "", *_names(), ""]
    lines += ["#ifdef __cplusplus", "}", "#endif", "#endif", ""]
    return "\n".join(lines)


def _struct(name: str, kind: type[Memory]) -> Iterator[str]:
    """A record as C has it: the same fields in the same places."""
    yield "typedef struct {"
    for field in kind.fields:
        if field.beside is None:
            assert isinstance(field, NumberField)
            yield f"    {NUMBERS[field.code]} {field.name}{''.join(f'[{length}]' for length in field.shape)};"
    yield f"}} sunglade_{name}; /* {kind.size} bytes */"


def _functions() -> Iterator[str]:
    """Every function that the library has."""
    from sunglade.prebuilding.building import entries, symbol
    from sunglade.prebuilding.signatures import signature_of

    for name, function in entries().items():
        signature = signature_of(getattr(function, "py_func", function)).told()
        gives = signature["gives"]
        several = isinstance(gives, list)
        takes = [f"int64_t found[{len(gives)}]"] * several + [
            part for kind in signature["takes"] for part in _taken(kind)
        ]
        yield f"{'void' if several else SIMPLE[gives]} {symbol(name)}({', '.join(takes) or 'void'});"


def _taken(kind: Any) -> Iterator[str]:
    """The arguments that one argument becomes, as `exports` passes them."""
    if isinstance(kind, list):
        for item in kind:
            yield from _taken(item)
    elif isinstance(kind, dict):
        yield from ("void *", *["int64_t"] * kind["dimensions"])
    elif kind in SIMPLE:
        yield SIMPLE[kind]
    else:
        yield next((f"sunglade_{n} *" for n, k in STRUCTS.items() if kind == f"{k.__module__}.{k.__name__}"), "void *")


def _starts(rules: Rules) -> Iterator[str]:
    """Positions before the first action, by the number of players. With module moon the deal is still to be written."""
    yield f"/* Before the first action, by {json.dumps(rules.to_dict())}. */"
    yield f"static const int64_t SUNGLADE_START[{MAX_PLAYERS + 1}][{Record.size // 8}] = {{"
    for players in range(MAX_PLAYERS + 1):
        words = kernel.new_record(rules, players).words.tolist() if players >= 2 else [0]
        yield f"    {{{', '.join(f'{word}LL' for word in words)}}},"
    yield "};"


def _names() -> Iterator[str]:
    """Lines of the actions, as games are written."""
    yield "/* The line of every action. */"
    yield "static const char *const SUNGLADE_ACTION_NAMES[SUNGLADE_ACTIONS] = {"
    for name in ACTION_NAMES:
        yield f'    "{name}",'
    yield "};"


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.prebuilding.header", description=__doc__)
    parser.add_argument("--rules", default="{}", help="of the start positions, as in a game file: JSON")
    given = parser.parse_args().rules
    try:
        with naming_the_extra("The header"):
            told = header(Rules.from_dict(json.loads(given)))
    except json.JSONDecodeError as error:
        parser.error(f"--rules must be JSON: {error}.")
    except (ModuleNotFoundError, SungladeError) as error:
        parser.error(str(error))
    print(told, end="")


if __name__ == "__main__":
    main()
