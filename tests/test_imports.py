"""A lower room of the house never imports a higher one, and compiled code is cached by all its sources."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import sunglade
from sunglade.prebuilt.sources import COMPILED_ROOMS, is_prebuilt

PACKAGE = Path(sunglade.__file__).parent

FLOORS = [
    [
        "board",
        "content_policy",
        "errors",
        "exclusive",
        "extras",
        "offline",
        "options",
        "prebuilt",
        "progress",
        "site",
        "suggest",
        "system_errors",
        "words",
        "yardstick",
    ],
    ["rules"],
    ["kernel"],
    [
        "game",
        "changes",
        "notation",
        "names",
        "deal",
        "gamefile",
        "explain",
        "forecast",
        "position",
        "possible",
        "drawing",
    ],
    ["encode"],
    ["search"],
    ["neural"],
    ["bots"],
    ["teaching"],
    ["engine", "arena", "analysis", "data", "envs", "table"],
    ["server", "page"],
]
"""The rooms from the ground up. Every other room belongs to the command line, on top of all."""
TOP = len(FLOORS)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

FILES = sorted(file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py")


def name_of(file: Path) -> str:
    """The file's module, from the package's root: `kernel.light`."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file) for file in FILES}


def imports(file: Path, tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each imported module of this package, and the name taken from it, wherever in the file."""
    here = ["sunglade", *name_of(file).split(".")]
    if file.name != "__init__.py":
        here.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module.split(".") if node.module else [])])
            found = [(module, alias.name) for alias in node.names]
        else:
            continue
        for module, name in found:
            if module == "sunglade" and name in MODULES:
                yield name, ""
            elif module.startswith("sunglade."):
                inner = module.removeprefix("sunglade.")
                yield (f"{inner}.{name}", "") if f"{inner}.{name}" in MODULES else (inner, name)


def room(module: str) -> str:
    return module.split(".")[0]


def floor(module: str) -> int:
    return FLOOR.get(room(module), TOP)


def parsed(file: Path) -> list[tuple[str, str]]:
    return list(imports(file, ast.parse(file.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_lower_room_never_imports_a_higher_one(file: Path) -> None:
    here = name_of(file)
    assert [module for module, _ in parsed(file) if floor(module) > floor(here)] == []


def test_every_named_room_is_there() -> None:
    assert set(FLOOR) <= {room(module) for module in MODULES}


def test_no_two_modules_import_each_other() -> None:
    after = {name_of(file): {module for module, _ in top_level_imports(file)} - {name_of(file)} for file in FILES}
    while free := {module for module, needs in after.items() if not needs & set(after)}:
        after = {module: needs for module, needs in after.items() if module not in free}
    assert after == {}


def top_level_imports(file: Path) -> Iterator[tuple[str, str]]:
    """What is imported when the module is: not inside functions."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    plain = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return imports(file, ast.Module(body=plain, type_ignores=[]))  # type: ignore[arg-type]


def test_the_kernel_knows_no_files_no_clock_and_no_chance() -> None:
    own = {"__future__", "array", "collections", "contextlib", "math", "mmap", "typing"}  # mmap: memory without a file
    allowed = own | {"numpy", "numba", "llvmlite", "sunglade"}
    for file in (PACKAGE / "kernel").rglob("*.py"):
        if file.name not in ("compiler.py", "code_cache.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    assert {alias.name.split(".")[0] for alias in node.names} <= allowed, file.name
                elif isinstance(node, ast.ImportFrom):
                    assert (node.module or "").split(".")[0] in allowed, file.name


OWN_TO_MACHINES = {"arena", "data", "envs", "exclusive", "neural", "progress", "server", "yardstick"}
"""Named rooms that a page in a browser has no use for."""
NETWORK_AT_PLAY = tuple(
    f"neural.{name}" for name in ("forward", "heads", "inference", "network_thinker", "weights_file")
)
"""But a network plays there, too."""
PAGE_FILES = [
    file
    for file in FILES
    if room(name_of(file)) in set(FLOOR) - OWN_TO_MACHINES or name_of(file).startswith(NETWORK_AT_PLAY)
]
OF_NUMBA = {"kernel.arrays", "kernel.code_cache"}
"""For arrays of many records, and where Numba compiles; imported by whoever needs one or the other."""
NUMERIC = {"numpy", "numba", "llvmlite"}
"""Whoever asks for arrays, or has no prebuilt library, has these; they are imported then, and not before."""


def packages(nodes: Iterable[ast.AST]) -> set[str]:
    """The packages that are imported."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("file", PAGE_FILES, ids=name_of)
def test_rooms_of_a_page_need_nothing_but_python_and_the_game(file: Path) -> None:
    """No NumPy, no pydantic, no FastAPI, no SQL."""
    if name_of(file) not in OF_NUMBA:
        tree, own = ast.parse(file.read_text(encoding="utf-8")), {*sys.stdlib_module_names, "sunglade"}
        assert packages(ast.walk(tree)) - own - NUMERIC == set()
        assert packages(tree.body) & NUMERIC == set()


# Compiled code

DECORATORS = {"entry", "compiled", "inlined"}
COMPILED = [
    file for file in FILES if any(m == "kernel.compiler" and (n in DECORATORS or n == "") for m, n in parsed(file))
]


def in_compiled_rooms(module: str) -> bool:
    return room(module) in COMPILED_ROOMS or f"{room(module)}.py" in COMPILED_ROOMS


def test_there_is_compiled_code() -> None:
    assert {"kernel.light", "kernel.legal", "kernel.apply"} <= {name_of(file) for file in COMPILED}


@pytest.mark.parametrize("file", COMPILED, ids=name_of)
def test_compiled_functions_lie_in_rooms_that_name_the_cache(file: Path) -> None:
    """Otherwise an edit there would leave the old compiled code running."""
    assert in_compiled_rooms(name_of(file))


@pytest.mark.parametrize("file", COMPILED, ids=name_of)
def test_compiled_functions_take_their_constants_from_such_rooms(file: Path) -> None:
    """A constant is compiled in, so its file must name the cache too; errors are no constants."""
    modules = {module for module, _ in top_level_imports(file)} - {"errors"}
    assert [module for module in modules if not in_compiled_rooms(module)] == []


@pytest.mark.parametrize("file", [file for file in COMPILED if is_prebuilt(f"sunglade.{name_of(file)}")], ids=name_of)
def test_prebuilt_functions_are_made_of_prebuilt_rooms_alone(file: Path) -> None:
    """Otherwise an edit elsewhere would leave the old library running."""
    modules = {module for module, _ in top_level_imports(file)} - {"errors"}
    assert [module for module in modules if not is_prebuilt(f"sunglade.{module}")] == []
