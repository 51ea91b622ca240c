"""Where Numba keeps what it has compiled.

Numba's file cache looks only at the file of the cached function, so a change in a callee's file would leave the *old
rules* running. Compiled code is therefore kept in a folder named by a hash of all the sources that it is made of.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Final

import numba

from sunglade.prebuilt.sources import COMPILED_ROOMS, fingerprint

KEEP_OLD_CACHES_S: Final = 14 * 24 * 3600


@cache
def cache_folder() -> Path:
    """The folder of compiled code for exactly these sources, this Numba and this Python."""
    made_by = f"{fingerprint(COMPILED_ROOMS)} {numba.__version__} {sys.version} {numba.config.BOUNDSCHECK}"
    folder = _writable_home() / f"kernel-{hashlib.sha256(made_by.encode()).hexdigest()[:20]}"
    if folder.exists():
        os.utime(folder)  # in use: not to be forgotten
    return folder


def _writable_home() -> Path:
    """The user's cache folder, or a temporary one where that cannot be written."""
    home = Path(os.environ.get("SUNGLADE_CACHE") or _home_of_the_user())
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return _temporary_home()


def _home_of_the_user() -> str:
    """The user's cache folder."""
    import platformdirs  # only here: a machine that trains names a folder, and has NumPy and Numba alone

    return platformdirs.user_cache_dir("sunglade", appauthor=False)


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


def forget_old_caches() -> None:
    """Remove the compiled code of sources that have not been used for two weeks."""
    current = cache_folder()
    for folder in current.parent.glob("kernel-*"):
        if folder != current and time.time() - folder.stat().st_mtime > KEEP_OLD_CACHES_S:
            shutil.rmtree(folder, ignore_errors=True)
