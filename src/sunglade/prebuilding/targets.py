"""What code is built for: processors of this machine's kind, or any browser."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import llvmlite.binding as llvm

from sunglade.prebuilding.stamps import WASM
from sunglade.prebuilt.library import ABILITIES, SUFFIX


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
        return self.name == WASM


def target_named(name: str) -> Target:
    """A target by its name in `stamps.targets`."""
    if name == WASM:
        features = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
        return Target(name, "wasm32-unknown-unknown", "generic", features, ".wasm")
    processor = name.removeprefix(f"{sys.platform}-")
    return Target(name, llvm.get_process_triple(), processor if processor in ABILITIES else "generic", "", SUFFIX)
