"""Numba made to compile for another machine: whatever is compiled in this process can be written down, and not run.

Integers are those of a 64-bit machine on every target, lengths and indices of arrays included; only pointers are as
wide as the target has them. So the code computes what the kernel computes here. Nothing of Python is left in it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import _dynfunc
from numba.core import codegen, cpu, registry, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import nrtdynmod, rtsys

from sunglade.prebuilding.targets import Target


class Codegen(codegen.AOTCPUCodegen):  # type: ignore[misc]
    """Numba's ahead-of-time code generator with a target machine of choice, and no engine to run code in."""

    target: Target

    def _init(self, llvm_module: Any) -> None:
        self._tm_features = self.target.features
        self._tm = self.target.machine()
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = self.target.triple
        return module

    def set_env(self, env_name: str, env: Any) -> None:
        """There is no Python to have an environment in."""

    def magic_tuple(self) -> tuple[str, ...]:
        """What Numba tells targets apart by."""
        return (self.target.triple, self.target.processor, self.target.features)


class Context(cpu.CPUContext):  # type: ignore[misc]
    """The lowering of Numba's own target, every table frozen into the code."""

    allow_dynamic_globals = False

    @global_compiler_lock  # type: ignore[untyped-decorator]
    def init(self) -> None:
        """Numba calls this first."""
        self.is32bit = False  # there are 64-bit integers everywhere, divisions too
        self._internal_codegen = Codegen("sunglade")

    def add_dynamic_addr(self, builder: Any, intaddr: int, info: str) -> Any:
        """The address of a dispatcher, which a call has among its operands and never looks at."""
        return ir.Constant(self.get_value_type(types.voidptr), None)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """An object that stands for the function, and cannot be called."""
        return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", 0, env, (library,))


def _count_no_references(runtime: Any, context: Any) -> None:
    """Numba's runtime without its allocator: of the counting of references nothing is left after optimising."""
    if not runtime._init:
        library = context.codegen().create_library("nrt")
        library.add_ir_module(nrtdynmod.create_nrt_module(context)[0])
        library.finalize()
        runtime._library, runtime._init = library, True


def compile_for(target: Target) -> None:
    """From now on Numba compiles for this target; to be called before anything is compiled."""
    Codegen.target = target
    type(rtsys).initialize = _count_no_references
    dispatcher: Any = Dispatcher
    dispatcher.enable_caching = _keep_nothing
    cpu_target = registry.cpu_target
    vars(cpu_target)["_toplevel_target_context"] = Context(cpu_target.typing_context, "cpu")


def _keep_nothing(dispatcher: Any) -> None:
    """Keep no compiled code in files: what cannot be run has no place among what can."""


def context() -> Any:
    """What Numba compiles with now."""
    return registry.cpu_target.target_context


def compiled(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """A function compiled for such arguments, without what Python would need to call it."""
    dispatcher.targetoptions |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher.compile(arguments)
    return dispatcher.overloads[arguments]
