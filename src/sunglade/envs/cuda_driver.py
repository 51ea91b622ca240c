"""What stands between Numba's CUDA target and us: loading it, and what it needs to be fast."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import numba
import numpy as np

SIMULATED: Final = bool(numba.config.ENABLE_CUDASIM)
"""Numba's simulator runs kernels interpreted, each thread a thread of Python: for tests."""
BLOCK: Final = 4 if SIMULATED else 128
"""Threads in a block."""


class NoGpu(RuntimeError):
    """There is no GPU to use, or nothing to use it with."""


@cache
def cuda_module() -> Any:
    """`numba.cuda`. It can be imported and its kernels written down without a GPU, but not run."""
    if not hasattr(np, "row_stack"):
        vars(np)["row_stack"] = np.vstack  # gone from NumPy 2.5, and numba-cuda 0.30 asks for it
    from numba import cuda

    return cuda


def require_gpu() -> None:
    """Raise NoGpu, with one sentence, where kernels cannot run."""
    try:
        available = cuda_module().is_available()
    except Exception as error:  # a driver can be missing, too old or broken in many ways
        raise NoGpu(f"CudaBatchEnv cannot use a GPU here ({error}); BatchEnv does the same on the CPU.") from error
    if not available:
        raise NoGpu("CudaBatchEnv needs an NVIDIA GPU and the package numba-cuda; BatchEnv does the same on the CPU.")


def at_most(registers: int) -> dict[str, int]:
    """The option of `cuda.jit` for so many registers a thread; the simulator has none."""
    return {} if SIMULATED else {"max_registers": registers}


def aligned(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """The same record, declared to be aligned: a GPU then reads a field at once and not byte by byte."""
    fields = [(name, found[0]) for name, found in (dtype.fields or {}).items()]
    same = np.dtype((np.record, np.dtype(fields, align=True)))
    assert same.itemsize == dtype.itemsize
    return same


@contextmanager
def tables_in_global_memory() -> Iterator[None]:
    """While kernels are compiled: keep the rules' tables where threads may read different entries at once.

    Numba puts them into constant memory, which serves one address at a time, and has room for 64 KiB.
    """
    try:
        from numba.cuda.cudadrv import nvvm

        before = nvvm.ADDRSPACE_CONSTANT
    except (ImportError, AttributeError):  # the simulator, or another Numba: slower, and just as right
        yield
        return
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = before
