"""How the kernel's functions become fast: they were prebuilt, or Numba compiles them; else Python interprets them.

Where they were prebuilt for exactly these sources, Numba is not even imported. Compiled functions that were not (those
of environments and training) may call any that were: as soon as one of them is met, Numba takes over in this process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from ctypes import ArgumentError
from functools import update_wrapper
from operator import index
from typing import Any, Final, TypeVar, cast

from sunglade.prebuilt.library import Library, find
from sunglade.prebuilt.sources import is_prebuilt
from sunglade.prebuilt.way import Way, chosen

F = TypeVar("F", bound=Callable[..., Any])

ENTRIES: Final[list[Callable[..., Any]]] = []
"""All functions marked `@entry`, as they were before."""


class Current:
    """The way of this process, and what is to be done should Numba take over."""

    way: Way = chosen()
    lessons: Final[list[Callable[[], None]]] = []


def way() -> Way:
    """How the kernel runs in this process now."""
    return Current.way


def is_interpreted() -> bool:
    """Whether functions run as plain Python."""
    return Current.way is Way.INTERPRETED


def entry(function: F) -> F:
    """A compiled function that Python calls: kept in the file cache. Few, because callees are compiled into each."""
    ENTRIES.append(function)
    return _made(function, cache=True, forceinline=True)


def compiled(function: F) -> F:
    """A function that compiled functions call; plain Python under NUMBA_DISABLE_JIT=1."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: F) -> F:
    """Compiled into each of its callers: for what every action of every game runs through."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def shared(function: F) -> F:
    """A long function that is called from many places, and not copied to each: it is compiled once for all of them."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=False)


def teaches_numba(lesson: Callable[[], None]) -> Callable[[], None]:
    """Run a function that tells Numba how something is compiled, as soon as Numba compiles anything."""
    if Current.way is Way.NUMBA:
        lesson()
    else:
        Current.lessons.append(lesson)
    return lesson


def is_cold(*names: str) -> bool:
    """Whether Numba has still to compile these entries, or the first of the rules."""
    if Current.way is not Way.NUMBA:
        return False
    from sunglade.kernel.code_cache import cache_folder

    return not cache_folder().exists() or not all(any(cache_folder().rglob(f"{name}-*.nbi")) for name in names)


def _made(function: F, **options: bool) -> F:
    if Current.way is Way.PREBUILT and is_prebuilt(function.__module__):
        prebuilt: Any = Prebuilt(function, options, find())
        return cast("F", prebuilt)
    _let_numba_compile()
    return function if Current.way is Way.INTERPRETED else _dispatcher(function, options)


def _is_number(argument: Any) -> bool:
    """Whether this is a whole number, also NumPy's; arrays are none."""
    return hasattr(argument, "__index__") and getattr(argument, "shape", ()) == ()


class Prebuilt:
    """A function of the kernel: for Python it is the prebuilt one, for other compiled functions it is Numba's."""

    def __init__(self, function: Callable[..., Any], options: dict[str, bool], library: Library | None) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options, self._library = options, library
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self._bound(*arguments)
        except ArgumentError:  # NumPy's numbers are no numbers to ctypes
            return self._bound(*(index(each) if _is_number(each) else each for each in arguments))

    def __getattr__(self, name: str) -> Any:
        """The prebuilt function, looked up when it is first called."""
        if name != "_bound":
            raise AttributeError(f"{self.__module__}.{self.__name__} has no {name}")
        told = f"{self.__module__}.{self.__name__}"
        if self._library is None or not self._library.holds(told):
            raise TypeError(f"{told} is for compiled functions only; Python can call what is marked @entry.")
        self._bound = self._library.function(told)
        return self._bound

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for, where somebody's own compiled function calls it."""
        return self.dispatcher()._numba_type_

    def dispatcher(self) -> Any:
        """The function as Numba compiles it."""
        _let_numba_compile()
        if self._dispatcher is None:
            self._dispatcher = _dispatcher(self.py_func, self._options)
        return self._dispatcher


def _let_numba_compile() -> None:
    """From now on Numba compiles what is called in this process, the kernel included."""
    if Current.way is not Way.PREBUILT:
        return
    from sunglade.kernel.tables import as_array

    for lesson in Current.lessons:
        lesson()
    Current.way = Way.NUMBA

    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "sunglade"]:
        for name, value in list(vars(module).items()):
            if isinstance(value, Prebuilt):
                setattr(module, name, value.dispatcher())
            elif isinstance(value, memoryview):
                setattr(module, name, as_array(value))


def _dispatcher(function: F, options: dict[str, bool]) -> F:
    import numba

    from sunglade.kernel.code_cache import cache_folder

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())  # read while decorating: other people's functions keep their own
    try:
        result: F = numba.njit(nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    _share_over_constants(result)
    return result


def _share_over_constants(dispatcher: Any) -> None:
    """Let `f(s, 1)` and `f(s, 2)` share one compilation.

    Numba would compile the function again for each constant it is called with: 168 compilations instead of 93, 33 s
    instead of 21 s. Inlined functions still profit from their constants.
    """
    from numba import types

    template_for = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(argument) for name, argument in kws.items()}
        return template_for([types.unliteral(argument) for argument in args], plain)

    dispatcher.get_call_template = get_call_template
