"""What XLA hands to a function of ours (its “FFI”): records in memory, as XLA's header c_api.h lays them out.

The header only ever adds fields at the end of a record, and says by its version which are there; what is used here is
there since version 0.1. So compiled Python can be such a function, and nobody needs a C++ compiler.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from sunglade.kernel.compiler import inlined

METADATA: Final = 1
"""The kind of extension by which XLA asks for which version a function was made."""
VERSION: Final = (0, 1)

_HEAD: Final = [("struct_size", np.int64), ("extension_start", np.int64)]
EXTENSION: Final = np.dtype([("struct_size", np.int64), ("type", np.int64), ("next", np.int64), ("metadata", np.int64)])
"""Enumerations are 4 bytes with 4 unused ones behind them: read as 8, and cut."""
API_VERSION: Final = np.dtype([("size", np.int64), *_HEAD, ("major", np.int32), ("minor", np.int32)])
"""What is told about a function: only the version is written."""
BUFFERS: Final = [*_HEAD, ("size", np.int64), ("types", np.int64), ("buffers", np.int64)]
FRAME: Final = np.dtype(
    [*_HEAD, ("api", np.int64), ("ctx", np.int64), ("stage", np.int64), ("args", BUFFERS), ("rets", BUFFERS)]
)
BUFFER: Final = np.dtype([*_HEAD, ("dtype", np.int64), ("data", np.int64), ("rank", np.int64), ("dims", np.int64)])
LOW_32: Final = (1 << 32) - 1


@intrinsic
def pointer(context: Any, address: Any) -> Any:
    """An address as what `carray` takes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@inlined
def asks_for_version(frame: Any) -> bool:
    """Answer XLA's question for the version, if this is one."""
    if frame.extension_start == 0:
        return False
    extension = carray(pointer(frame.extension_start), 1, EXTENSION)[0]
    if extension.type & LOW_32 != METADATA:
        return False
    told = carray(pointer(extension.metadata), 1, API_VERSION)[0]
    told.major = VERSION[0]
    told.minor = VERSION[1]
    return True


@inlined
def buffer(buffers: Any, place: int) -> Any:
    """An argument or a result."""
    return carray(pointer(carray(pointer(buffers.buffers), place + 1, np.int64)[place]), 1, BUFFER)[0]


@inlined
def rows(found: Any, own: int) -> int:
    """How many there are: the product of all its lengths but the last `own`."""
    lengths = carray(pointer(found.dims), found.rank, np.int64)
    count = 1
    for place in range(found.rank - own):
        count *= lengths[place]
    return count
