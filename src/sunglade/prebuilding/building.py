"""All entries of the rooms that play the game, compiled into one library."""

from __future__ import annotations

import json
import os
import pkgutil
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.compiler_lock import global_compiler_lock

from sunglade.prebuilding import numba_target
from sunglade.prebuilding.exports import export
from sunglade.prebuilding.linking import link
from sunglade.prebuilding.stamps import stamp
from sunglade.prebuilding.targets import Target
from sunglade.prebuilt.sources import PREBUILT_ROOMS, content_hash, is_prebuilt


def build(target: Target, folder: Path, report: Callable[[str], None]) -> None:
    """Write a library for a target and the page that goes with it. Once in a process: Numba has one target."""
    made_of = stamp()
    numba_target.compile_for(target)
    from sunglade.prebuilding.signatures import signature_of  # imports the kernel: its functions know their target

    code, told = {}, {}
    for name, function in entries(target.rooms).items():
        report(name)
        signature = signature_of(function.py_func)
        module = optimised(symbol(name), numba_target.compiled(function, signature.numba_types), target.tuned_for)
        code[symbol(name)] = target.machine().emit_object(module)
        told[name] = {"symbol": symbol(name), **signature.told()}
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"{target.name}{target.suffix}"
    report(f"linking {out.name}")
    fresh = out.with_suffix(".new")
    link(target, code, fresh)
    os.replace(fresh, out)
    page = {**made_of, "library": content_hash(out), "functions": told}
    fresh.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, out.with_suffix(".json"))


def entries(rooms: tuple[str, ...] = PREBUILT_ROOMS) -> dict[str, Any]:
    """Every function marked `@entry` in some of the prebuilt rooms, by its full name."""
    for room in rooms:
        home = import_module(f"sunglade.{room.removesuffix('.py').replace('/', '.')}")
        for module in pkgutil.iter_modules(getattr(home, "__path__", []), f"{home.__name__}."):
            import_module(module.name)
    from sunglade.kernel.compiler import ENTRIES

    homes = [(each, sys.modules[each.__module__]) for each in ENTRIES if is_prebuilt(each.__module__, rooms)]
    return {f"{home.__name__}.{each.__name__}": getattr(home, each.__name__) for each, home in homes}


def symbol(name: str) -> str:
    """What a function is called in a library."""
    return name.removeprefix("sunglade.").replace(".", "_")


def optimised(name: str, compiled: Any, tuned_for: str) -> Any:
    """LLVM's module of an entry and of all that it calls: callees are inlined as they are where Numba runs them."""
    context = numba_target.context()
    library = context.codegen().create_library(name)
    optimise = library._optimize_final_module

    def hide_and_optimise() -> None:
        """All but the entry is its own business: what is inlined everywhere, or not called, goes."""
        module = library._final_module = tuned(library._final_module, tuned_for)
        for each in [*module.functions, *module.global_variables]:
            if not each.is_declaration and each.name != name and not each.name.startswith("llvm."):
                each.linkage = "internal"
        optimise()

    library._optimize_final_module = hide_and_optimise
    with global_compiler_lock:
        export(context, library, name, compiled)
        library.finalize()
    return library._final_module


def tuned(module: Any, processor: str) -> Any:
    """A module whose functions are to be quickest on a processor: llvmlite has no other way to say so than the text."""
    if not processor:
        return module
    return llvm.parse_assembly(
        re.sub(r"^(define .*)( \{)$", rf'\1 "tune-cpu"="{processor}"\2', str(module), flags=re.M)
    )
