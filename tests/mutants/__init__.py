"""Mutants: one-line mistakes in the sources, each of which a test that names the rule must find.

They are data, in the `*.toml` files beside this one; `make mutants` plants each in a copy of the sources and reports.
"""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE.parent.parent / "src" / "sunglade"


class NotPlanted(Exception):
    """The line is not in the source, or not once."""


@dataclass(frozen=True)
class Mutant:
    """A line of a file, told without its indentation, and the mistake it becomes."""

    name: str
    rule: str
    file: str
    line: str
    becomes: str
    function: str | None = None
    """Where the line is: needed if the file has it more than once."""

    def planted(self, source: str) -> str:
        """The source with the mistake in it."""
        lines = source.splitlines()
        places = [number for number in self._numbers(source) if lines[number].strip() == self.line]
        if len(places) != 1:
            where = f"{self.file}, {self.function}" if self.function else self.file
            raise NotPlanted(f"{self.name!r}: {where} has the line {self.line!r} {len(places)} times, not once.")
        original = lines[places[0]]
        lines[places[0]] = original[: len(original) - len(original.lstrip())] + self.becomes
        return "\n".join(lines) + "\n"

    def _numbers(self, source: str) -> range:
        """The lines to look at."""
        if self.function is None:
            return range(len(source.splitlines()))
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and node.name == self.function
                and node.end_lineno is not None
            ):
                return range(node.lineno - 1, node.end_lineno)
        raise NotPlanted(f"{self.name!r}: {self.file} has no function {self.function}.")


def all_mutants() -> list[Mutant]:
    """Those of the rules, in the order of the files and of their lines."""
    return [mutant for file in sorted(HERE.glob("*.toml")) for mutant in mutants_in(file)]


def mutants_in(file: Path) -> list[Mutant]:
    """In the order of the lines."""
    return [Mutant(**entry) for entry in tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]]
