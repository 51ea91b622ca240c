"""When dead objects that hold each other are looked for: in quiet moments.

Python by itself looks whenever there are many new objects, and now and then through all there are: with a thousand
tables in memory that stops a server for a third of a second, in the middle of everybody's moves, and finds nothing.
Objects that nobody holds are freed at once all the same.
"""

from __future__ import annotations

import gc
from typing import Final

WORTHWHILE: Final = 20_000
"""New objects for which a look is worthwhile when nobody is playing."""
MOST: Final = 1_000_000
"""New objects that must not wait for a quiet moment: about 200 MB if all of them were dead."""


class Garbage:
    """Asked to `look` from time to time, it does when nothing happened since it was asked before, or when it must."""

    def __init__(self) -> None:
        self._happened = 0

    def start(self) -> None:
        """From now on. What is there now stays, and need never be looked through again."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def stop(self) -> None:
        """Leave it to Python again."""
        gc.enable()

    def look(self, happened: int) -> bool:
        """Look for garbage if this is the moment; `happened` is a count of what happened until now."""
        quiet, self._happened = happened == self._happened, happened
        new = gc.get_count()[0]
        due = new > MOST or (quiet and new > WORTHWHILE)
        if due:
            gc.collect()
        return due
