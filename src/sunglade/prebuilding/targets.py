"""What code is built for: processors of this machine's kind, or any browser."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Final

import llvmlite.binding as llvm

from sunglade.prebuilt.library import ABILITIES, SUFFIX, machine


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of machine, as LLVM and the linker know it."""

    name: str
    """What its files are called by."""
    triple: str
    processor: str
    features: str
    suffix: str

    @property
    def is_wasm(self) -> bool:
        """Whether it is WebAssembly."""
        return self.triple.startswith("wasm32")


WASM: Final = Target(
    name="wasm32",
    triple="wasm32-unknown-unknown",
    processor="generic",
    features="+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128",
    suffix=".wasm",
)


def targets(kind: str) -> list[Target]:
    """What there is to build: `native`, for the kinds of processor that this system's machines have, or `wasm`."""
    if kind == "wasm":
        return [WASM]
    triple = llvm.get_process_triple()
    if platform.machine() in ("x86_64", "AMD64"):
        return [Target(machine(processor), triple, processor, "", SUFFIX) for processor in ABILITIES]
    return [Target(machine(platform.machine()), triple, "generic", "", SUFFIX)]
