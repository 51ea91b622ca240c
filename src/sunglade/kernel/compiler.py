"""How kernel functions are compiled and where the result is kept.

Numba's file cache looks only at the file of the cached function, so a change in a callee's file would leave the *old
rules* running. Every compiled function of the package therefore goes through `compiled`, which keeps its result in
a folder named by a hash of all the sources that compiled code is made of.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba import types

F = TypeVar("F", bound=Callable[..., Any])

KEEP_OLD_CACHES_S = 14 * 24 * 3600

COMPILED_ROOMS = ("board.py", "options.py", "rules.py", "deal.py", "kernel", "encode.py", "search", "neural", "envs")
"""The rooms with compiled functions, and what those take their tables from."""


@cache
def cache_folder() -> Path:
    """The folder of compiled code for exactly these sources, this Numba and this Python."""
    digest = hashlib.sha256()
    package = Path(__file__).parent.parent
    rooms = [package / room for room in COMPILED_ROOMS]
    for source in sorted({file for room in rooms for file in (room, *room.rglob("*.py")) if file.is_file()}):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {sys.version} {numba.config.BOUNDSCHECK}".encode())
    folder = _writable_home() / f"kernel-{digest.hexdigest()[:20]}"
    if folder.exists():
        os.utime(folder)  # in use: not to be forgotten
    return folder


def _writable_home() -> Path:
    """The user's cache folder, or a temporary one where that cannot be written."""
    home = Path(os.environ.get("SUNGLADE_CACHE") or platformdirs.user_cache_dir("sunglade", appauthor=False))
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return _temporary_home()


def _temporary_home() -> Path:
    """A folder of this user's own among the temporary files, the same one every time where that is safe."""
    home = Path(tempfile.gettempdir()) / f"sunglade-{getattr(os, 'getuid', lambda: 'user')()}"
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        owner = home.lstat()
        if home.is_dir() and not home.is_symlink() and owner.st_uid == getattr(os, "getuid", lambda: owner.st_uid)():
            return home
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="sunglade-"))


def is_cold() -> bool:
    """Whether the rules have still to be compiled on this machine."""
    return not numba.config.DISABLE_JIT and not cache_folder().exists()


def forget_old_caches() -> None:
    """Remove the compiled code of sources that have not been used for two weeks."""
    current = cache_folder()
    for folder in current.parent.glob("kernel-*"):
        if folder != current and time.time() - folder.stat().st_mtime > KEEP_OLD_CACHES_S:
            shutil.rmtree(folder, ignore_errors=True)


def entry(function: F) -> F:
    """A compiled function that Python calls: kept in the file cache. Few, because callees are compiled into each."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())  # read while decorating: other people's functions keep their own
    try:
        return _dispatcher(function, cache=True, forceinline=True)
    finally:
        numba.config.CACHE_DIR = before


def compiled(function: F) -> F:
    """A function that compiled functions call; plain Python under NUMBA_DISABLE_JIT=1."""
    return _dispatcher(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: F) -> F:
    """Compiled into each of its callers: for what every action of every game runs through."""
    return _dispatcher(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def _dispatcher(function: F, **options: bool) -> F:
    result: F = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not numba.config.DISABLE_JIT:
        _share_over_constants(result)
    return result


def _share_over_constants(dispatcher: Any) -> None:
    """Let `f(s, 1)` and `f(s, 2)` share one compilation.

    Numba would compile the function again for each constant it is called with: 168 compilations instead of 93, 33 s
    instead of 21 s. Inlined functions still profit from their constants.
    """
    template_for = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(argument) for name, argument in kws.items()}
        return template_for([types.unliteral(argument) for argument in args], plain)

    dispatcher.get_call_template = get_call_template
