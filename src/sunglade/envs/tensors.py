"""Memory as PyTorch, JAX, CuPy and NumPy take it over without a copy: `__cuda_array_interface__` and DLPack."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CPU: Final = 1
CUDA: Final = 2
"""DLPack's numbers for where memory is."""
_KINDS: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's numbers for NumPy's kinds of numbers."""
_CAPSULE: Final = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("number", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    """DLPack's `DLManagedTensor`."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_alive: Final[dict[int, tuple[Any, ...]]] = {}
"""What others are using, by the address of its description, until they say they are done."""


def _forget(address: int) -> None:
    _alive.pop(address, None)


@_Deleter
def _delete(managed: Any) -> None:
    _forget(ctypes.addressof(managed.contents))


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete_unused(capsule: Any) -> None:
    """A capsule that nobody took over is thrown away: a taken one has been renamed by its taker."""
    if _is_valid(ctypes.c_void_p(capsule), _CAPSULE):
        _forget(_pointer_in(ctypes.c_void_p(capsule), _CAPSULE))


def _python(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new_capsule: Final = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid: Final = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_in: Final = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


class DeviceArray:
    """Numbers in a GPU's memory (or, for tests, the computer's), owned by a batch; a view of them, never a copy.

    `torch.as_tensor(array)`, `torch.from_dlpack(array)`, `jax.dlpack.from_dlpack(array)` and `cupy.asarray(array)`
    take it.
    """

    def __init__(
        self,
        owner: Any,
        shape: tuple[int, ...],
        dtype: np.dtype[Any] | type,
        *,
        strides: tuple[int, ...] | None = None,
        device: tuple[int, int] = (CUDA, 0),
        address: int | None = None,
        to_host: Callable[[], NDArray[Any]] | None = None,
        synchronize: Callable[[], None] | None = None,
    ) -> None:
        self.shape = shape
        self.dtype = np.dtype(dtype)
        steps = np.cumprod([self.dtype.itemsize, *shape[:0:-1]])[::-1].tolist()
        self.strides = tuple(steps) if strides is None else strides
        self._owner, self._address, self._device = owner, address, device
        self._to_host, self._synchronize = to_host, synchronize

    @property
    def address(self) -> int:
        """Where the memory begins."""
        if self._address is None:
            self._address = int(self._owner.__cuda_array_interface__["data"][0])
        return self._address

    def numpy(self) -> NDArray[Any]:
        """A copy in the computer's own memory."""
        assert self._to_host is not None
        return self._to_host()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "version": 3,
            "stream": 1,  # the default stream, where the batch's kernels run
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, **_: Any) -> Any:
        if self._synchronize is not None:
            self._synchronize()
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        strides = (ctypes.c_int64 * len(self.shape))(*(step // self.dtype.itemsize for step in self.strides))
        managed = _Managed()
        managed.tensor = _Tensor(
            self.address,
            _Device(*self._device),
            len(self.shape),
            _DataType(_KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1),
            ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
            ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)),
            0,
        )
        managed.deleter = _delete
        address = ctypes.addressof(managed)
        _alive[address] = (managed, shape, strides, self._owner)
        return _new_capsule(address, _CAPSULE, ctypes.cast(_delete_unused, ctypes.c_void_p))

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype.name})"
