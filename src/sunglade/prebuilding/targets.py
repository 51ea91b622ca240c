"""What code is built for: processors of this machine's kind, or any browser."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm

from sunglade.prebuilding.stamps import WASM, libraries
from sunglade.prebuilt.library import ABILITIES, SUFFIX, SUFFIXES


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

    def machine(self) -> Any:
        """What LLVM writes machine code with."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.processor,
            features=self.features,
            opt=3,
            reloc="pic",
            codemodel="default",
        )


def targets(kind: str) -> list[Target]:
    """What `native` or `wasm` is built for, the most able first."""
    return [_target(name) for name in libraries(kind)]


def _target(name: str) -> Target:
    if name == WASM:
        features = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
        return Target(name, "wasm32-unknown-emscripten", "generic", features, SUFFIXES["emscripten"])
    processor = name.removeprefix(f"{sys.platform}-")
    return Target(name, llvm.get_process_triple(), processor if processor in ABILITIES else "generic", "", SUFFIX)
