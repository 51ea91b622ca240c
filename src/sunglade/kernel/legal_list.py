"""Room for the legal actions of a position.

A record with an array in it rather than an array: compiled code counts references to arrays at every call, and that
alone cost a fifth of the speed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sunglade.kernel.actions import MAX_LEGAL

LEGAL_LIST: Final = np.dtype((np.record, [("action", np.int64, MAX_LEGAL)]))

ROOM: Final = MAX_LEGAL - 1
"""`out.action[n & ROOM]`: never out of bounds, and the compiler need not ask whether n is negative."""
