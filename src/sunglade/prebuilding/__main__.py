"""`python -m sunglade.prebuilding [native | wasm | all] [--into FOLDER]`: compile the kernel ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from sunglade.prebuilding.stamps import KINDS, is_current
from sunglade.prebuilt.library import FOLDER


def main() -> int:
    """Build what is asked for and not up to date, each in a process of its own: Numba compiles for one target only."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.prebuilding", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=(*KINDS, "all"), default="all")
    parser.add_argument("--into", type=Path, default=FOLDER, help="folder to write to; by default where it is found")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        return _build(args.kind, args.into)
    command = [sys.executable, "-m", "sunglade.prebuilding", "--here", "--into", str(args.into)]
    without = os.environ | {"SUNGLADE_PREBUILT": ""}  # what is built is not to be run meanwhile
    missing = [kind for kind in KINDS if args.kind in (kind, "all") and not is_current(kind, args.into)]
    ends = [subprocess.run([*command, kind], env=without).returncode for kind in missing]
    return int(any(ends))  # one that was killed ends below 0


def _build(kind: str, folder: Path) -> int:
    from sunglade.prebuilding.building import build
    from sunglade.prebuilding.linking import CannotLink
    from sunglade.prebuilding.targets import targets

    try:
        build(targets(kind), folder, lambda what: print(f"{kind}: {what}", file=sys.stderr))
    except CannotLink as problem:
        sys.exit(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
