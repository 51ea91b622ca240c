"""What a page needs of the game and of Python's library; run in Pyodide by `pack.mjs`, which made `/src` the sources.

The rooms are those that the two workers import, now or later; of the library it is what they and a rehearsal have
imported. All is compiled by the very Python that will run it.
"""

from __future__ import annotations

import ast
import io
import zipfile
from functools import cache
from importlib import import_module
from importlib._bootstrap_external import _code_to_hash_pyc  # as `compileall --invalidation-mode unchecked-hash`
from pathlib import Path
from types import CodeType

SOURCES = Path("/src")
BEGINNINGS = ("sunglade.page.door", "sunglade.page.engine_lines", "sunglade.page.image")
BY_NAME = ("sunglade.bots",)
"""Packages that import modules of their own by names which are no part of an import statement."""
TOLD = ("words/en.arb", "teaching/puzzles.json")
"""What rooms read: words for programs, which are spoken to in English (people read the client's words), and puzzles."""
LEFT_OUT = ("sunglade.bots.program",)
"""What nothing in a page asks for: programs of others."""
LIBRARY = "/lib/python314.zip"
ALWAYS = (
    "_pyodide/", "pyodide/", "encodings/ascii.py", "encodings/cp437.py", "encodings/idna.py", "encodings/latin_1.py",
)  # fmt: skip
"""What Python and Pyodide may import by themselves, at any time."""
FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)
CODE_UNIT = 2
"""Bytes of an instruction, as a table of places counts them."""


def file_of(module: str) -> Path | None:
    """Where a module of the game lies."""
    path = SOURCES.joinpath(*module.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def imports(file: Path) -> set[str]:
    """Modules that a file imports, wherever in it; names in them are as good as modules. Not what only types need."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(file.read_text())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        waiting += ast.iter_child_nodes(node)
    return found


@cache
def rooms() -> dict[str, Path]:
    """The modules of the game that a page may come to import. All are imported afterwards."""
    return {module: file for module, file in _reached().items() if _can_be_imported(module)}


def _can_be_imported(module: str) -> bool:
    """Not what needs a compiler, as the rooms that only Numba asks for do."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sunglade"):
            raise
        return False
    return True


def _reached() -> dict[str, Path]:
    found: dict[str, Path] = {}
    waiting = [*BEGINNINGS, *(f"{package}.{file.stem}" for package in BY_NAME for file in _modules(package))]
    while waiting:
        module = waiting.pop()
        file = file_of(module)
        if module in found or not module.startswith("sunglade") or module.startswith(LEFT_OUT) or file is None:
            continue
        found[module] = file
        waiting += [module.rpartition(".")[0], *imports(file)]
    return found


def _modules(package: str) -> list[Path]:
    return sorted(SOURCES.joinpath(*package.split(".")).glob("[!_]*.py"))


def compiled(name: str, source: bytes) -> CodeType:
    """A module without docstrings."""
    return compile(source, name, "exec", optimize=2, dont_inherit=True)


def without_lines(code: CodeType) -> CodeType:
    """Code that does not know its lines, so that there is less to fetch: for modules that are not ours to look into."""
    constants = (without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_consts=tuple(constants), co_linetable=_no_lines(len(code.co_code) // CODE_UNIT))


def _no_lines(units: int) -> bytes:
    """A table of places that knows none, eight units an entry. An empty one would break whoever tells a traceback."""
    whole, rest = divmod(units, 8)
    return b"\xff" * whole + (bytes([0xF8 | rest - 1]) if rest else b"")


def as_file(code: CodeType) -> bytes:
    """Never compared with its source."""
    return bytes(_code_to_hash_pyc(code, bytes(8), checked=False))


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive, the same for the same files. It is not compressed: that is done for all parts alike."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, FIRST_MOMENT), files[name])
    return out.getvalue()


def archive_of_rooms() -> bytes:
    """The rooms, and what they read."""
    sources = {file.relative_to(SOURCES).as_posix(): file.read_bytes() for file in rooms().values()}
    files = {f"{name}c": as_file(compiled(name, source)) for name, source in sources.items()}
    read = {f"sunglade/{name}": (SOURCES / "sunglade" / name).read_bytes() for name in TOLD}
    return zipped(files | read)


def archive_of_network() -> bytes:
    """The network as `sunglade.page.engine_lines` takes it."""
    from sunglade.page.engine_lines import CARD, FLOAT_BYTES, PLANES

    model, card = network_files()
    numbers = model.read_bytes()
    return zipped(
        {CARD: card.read_bytes(), PLANES: b"".join(numbers[byte::FLOAT_BYTES] for byte in range(FLOAT_BYTES))}
    )


def network_files() -> tuple[Path, Path]:
    """The network that bots think with, and its card."""
    from sunglade.neural.inference import NEWEST, card_file, model_file

    return model_file(NEWEST), card_file(NEWEST)


def sources() -> list[str]:
    """Everything of the package that a page has, as it lies there."""
    files = [*rooms().values(), *(SOURCES / "sunglade" / name for name in TOLD), *network_files()]
    return sorted(file.relative_to(SOURCES / "sunglade").as_posix() for file in files)


def archive_of_library(used: str) -> bytes:
    """Modules of Python's library that are used, by their names in it, and what it may still import."""
    with zipfile.ZipFile(LIBRARY) as whole:
        kept = [name for name in whole.namelist() if name in used.split() or name.startswith(ALWAYS)]
        code = {name: compiled(name, whole.read(name)) for name in kept if name.endswith(".py")}
        return zipped({f"{name}c": as_file(without_lines(module)) for name, module in code.items()})
