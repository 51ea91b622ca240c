"""When dead objects that hold each other are looked for: young ones often, all of them in quiet moments.

Every request and every connection leaves some. Among new objects they are found in a millisecond or two. Python by
itself also looks, now and then, through all objects there are: with a thousand tables in memory that stops a server
for a third of a second, in the middle of everybody's moves, and finds next to nothing. Objects that nobody holds are
freed at once all the same.
"""

from __future__ import annotations

import gc
import sys
from typing import Final

YOUNG: Final = (2_000, 5)
"""New objects after which Python looks through the new ones; and how often, until it looks at survivors too."""
NEVER: Final = 1_000_000_000
WORTHWHILE: Final = 0.02
"""How far memory must have grown for a look at everything when nobody is playing."""
MUST: Final = 2.0
"""How far it may grow until it is looked at in any case: whoever plays at that moment waits."""


class Garbage:
    """Asked to `look` from time to time, it does when nothing happened since it was asked before, or when it must."""

    def __init__(self) -> None:
        self._happened = 0
        self._blocks = sys.getallocatedblocks()
        self._before = gc.get_threshold()

    def start(self) -> None:
        """From now on. What is there now stays, and need never be looked through again."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*YOUNG, NEVER)
        self._blocks = sys.getallocatedblocks()

    def stop(self) -> None:
        """Leave it to Python again."""
        gc.unfreeze()
        gc.set_threshold(*self._before)

    def look(self, happened: int) -> bool:
        """Look through everything if this is the moment; `happened` is a count of what happened until now."""
        quiet, self._happened = happened == self._happened, happened
        grown = sys.getallocatedblocks() / max(1, self._blocks) - 1  # not every Python counts its blocks
        due = grown > MUST or (quiet and grown > WORTHWHILE)
        if due:
            gc.collect()
            self._blocks = sys.getallocatedblocks()
        return due
