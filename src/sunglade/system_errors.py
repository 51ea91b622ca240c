"""Why the system refused a file, in words: what it says itself is English."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from sunglade.words import Tell

if TYPE_CHECKING:
    from sunglade.words.keys import Key

_REASONS: Final[dict[int, Key]] = {
    errno.ENOENT: "terminal.os.missing",
    errno.EACCES: "terminal.os.denied",
    errno.EISDIR: "terminal.os.folder",
    errno.ENOTDIR: "terminal.os.no_folder",
    errno.EEXIST: "terminal.os.exists",
    errno.ENOSPC: "terminal.os.full",
    errno.EROFS: "terminal.os.read_only",
    errno.ENAMETOOLONG: "terminal.os.long",
}
"""Those that people meet; the rare ones are told as the system tells them."""


def reason(error: OSError | ValueError, tell: Tell) -> str:
    """What was wrong, without a full stop."""
    if not isinstance(error, OSError):
        return str(error)
    return tell(_REASONS[error.errno]) if error.errno in _REASONS else error.strerror or str(error)
