"""All entries of the rooms that play the game, compiled into one library."""

from __future__ import annotations

import json
import os
import pkgutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

import sunglade
from sunglade.prebuilding import numba_target
from sunglade.prebuilding.exports import export
from sunglade.prebuilding.linking import link
from sunglade.prebuilding.targets import Target
from sunglade.prebuilt.sources import PREBUILT_ROOMS, fingerprint, is_prebuilt


def build(target: Target, folder: Path, report: Callable[[str], None]) -> Path:
    """Write a library for a target and the page that goes with it. Once in a process: Numba has one target."""
    made_of = stamp()
    numba_target.compile_for(target)
    from sunglade.prebuilding.signatures import signature_of  # imports the kernel: its functions know their target

    functions = entries()
    compiled, told = {}, {}
    for name, function in functions.items():
        report(name)
        signature = signature_of(function.py_func)
        compiled[symbol(name)] = numba_target.compiled(function, signature.numba_types)
        told[name] = {"symbol": symbol(name), **signature.told()}
    report("linking")
    out = folder / f"{target.name}{target.suffix}"
    folder.mkdir(parents=True, exist_ok=True)
    fresh = out.with_suffix(".new")
    link(target, object_code(compiled), list(compiled), fresh)
    os.replace(fresh, out)
    page = {**made_of, "functions": told}
    fresh.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, out.with_suffix(".json"))
    return out


def stamp() -> dict[str, str]:
    """What a library is made of: the kernel's sources, and those of the builder."""
    return {"sources": fingerprint(PREBUILT_ROOMS), "builder": fingerprint(("prebuilding",))}


def is_current(target: Target, folder: Path) -> bool:
    """Whether there is a library made from exactly these sources by exactly this builder."""
    page = folder / f"{target.name}.json"
    return page.is_file() and stamp().items() <= json.loads(page.read_bytes()).items()


def entries() -> dict[str, Any]:
    """Every function marked `@entry` in the prebuilt rooms, by its full name."""
    for module in pkgutil.walk_packages(sunglade.__path__, "sunglade."):
        if is_prebuilt(module.name):
            import_module(module.name)
    from sunglade.kernel.compiler import ENTRIES

    homes = [(each, sys.modules[each.__module__]) for each in ENTRIES if is_prebuilt(each.__module__)]
    return {f"{home.__name__}.{each.__name__}": getattr(home, each.__name__) for each, home in homes}


def symbol(name: str) -> str:
    """What a function is called in a library."""
    return name.removeprefix("sunglade.").replace(".", "_")


def object_code(compiled: dict[str, Any]) -> bytes:
    """Machine code of these functions and of all they call."""
    context = numba_target.context()
    library = context.codegen().create_library("sunglade")
    optimise = library._optimize_final_module

    def hide_and_optimise() -> None:
        """All but the entries is the library's own business: what is inlined everywhere, or not called, goes."""
        module = library._final_module
        for each in [*module.functions, *module.global_variables]:
            if not each.is_declaration and each.name not in compiled and not each.name.startswith("llvm."):
                each.linkage = "internal"
        optimise()

    library._optimize_final_module = hide_and_optimise
    with global_compiler_lock:
        for name, result in compiled.items():
            export(context, library, name, result)
        library.finalize()
    code: bytes = library.emit_native_object()
    return code
