"""What code is built for: processors of this machine's kind, or any browser."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Final

import llvmlite.binding as llvm

from sunglade.prebuilding.stamps import WASM
from sunglade.prebuilt.library import ABILITIES, SUFFIX, SUFFIXES
from sunglade.prebuilt.sources import PREBUILT_ROOMS, WIDE_ROOMS


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of machine, as LLVM and the linker know it."""

    name: str
    """What its files are called by."""
    triple: str
    processor: str
    features: str
    suffix: str
    rooms: tuple[str, ...] = PREBUILT_ROOMS
    """Those whose functions it has."""
    tuned_for: str = ""
    """The processor that its code is to be quickest on, among all that can run it."""

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


WIDE: Final = {"x86-64-v4": "+avx512f,+avx2,+fma", "x86-64-v3": "+avx2,+fma"}
"""What these kinds of processor compute with many numbers at once by, as LLVM calls it."""
TUNED: Final = "x86-64-v3"
TUNED_FOR: Final = "znver2"
"""The kind that has a library with everything, too, and the processor that it is to be quickest on: with what LLVM
knows of that one, its code is 1 to 2 % quicker on the Zen 4 it was measured on."""


def target_of(name: str) -> Target:
    """What a library of this name is built for."""
    if name == WASM:
        features = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
        return Target(name, "wasm32-unknown-emscripten", "generic", features, SUFFIXES["emscripten"])
    processor = name.removeprefix(f"{sys.platform}-")
    triple, known = llvm.get_process_triple(), processor if processor in ABILITIES else "generic"
    if processor == TUNED:
        return Target(name, triple, known, WIDE[processor], SUFFIX, PREBUILT_ROOMS, TUNED_FOR)
    if processor in WIDE:
        return Target(name, triple, known, WIDE[processor], SUFFIX, WIDE_ROOMS)
    return Target(name, triple, known, "", SUFFIX)
