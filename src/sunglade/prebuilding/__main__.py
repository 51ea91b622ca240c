"""`python -m sunglade.prebuilding [native | wasm | all] [--into FOLDER]`: compile the kernel ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from sunglade.prebuilding.stamps import KINDS, missing
from sunglade.prebuilt.library import FOLDER


def main() -> int:
    """Build what is asked for and not up to date, each in a process of its own: Numba compiles for one target only."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.prebuilding", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=(*KINDS, "all"), default="all")
    parser.add_argument("--into", type=Path, default=FOLDER, help="folder to write to; by default where it is found")
    parser.add_argument("--library", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.library:
        return _build(args.library, args.into)
    command = [sys.executable, "-m", "sunglade.prebuilding", "--into", str(args.into), "--library"]
    without = os.environ | {"SUNGLADE_PREBUILT": ""}  # what is built is not to be run meanwhile
    names = [name for kind in KINDS if args.kind in (kind, "all") for name in missing(kind, args.into)]
    ends = [subprocess.run([*command, name], env=without).returncode for name in names]
    return int(any(ends))  # one that was killed ends below 0


def _build(name: str, folder: Path) -> int:
    from sunglade.prebuilding.building import build
    from sunglade.prebuilding.linking import CannotLink
    from sunglade.prebuilding.targets import target_of

    try:
        build(target_of(name), folder, lambda what: print(f"{name}: {what}", file=sys.stderr))
    except CannotLink as problem:
        sys.exit(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
