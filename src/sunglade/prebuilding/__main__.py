"""`python -m sunglade.prebuilding [native | wasm | all] [--into FOLDER]`: compile the kernel ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from sunglade.prebuilding.stamps import outdated
from sunglade.prebuilt.library import FOLDER


def main() -> int:
    """Build what is asked for and not up to date, each in a process of its own: Numba compiles for one target only."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.prebuilding", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("native", "wasm", "all"), default="all")
    parser.add_argument("--into", type=Path, default=FOLDER, help="folder to write to; by default where it is found")
    parser.add_argument("--target", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.target is not None:
        return _build(args.target, args.into)
    command = [sys.executable, "-m", "sunglade.prebuilding", "--into", str(args.into), "--target"]
    without = os.environ | {"SUNGLADE_PREBUILT": ""}  # what is built is not to be run meanwhile
    missing = outdated(args.kind, args.into)
    return max((subprocess.run([*command, target], env=without).returncode for target in missing), default=0)


def _build(name: str, folder: Path) -> int:
    from sunglade.prebuilding.building import build
    from sunglade.prebuilding.linking import CannotLink
    from sunglade.prebuilding.targets import target_named

    try:
        print(build(target_named(name), folder, lambda what: print(f"{name}: {what}", file=sys.stderr)))
    except CannotLink as problem:
        sys.exit(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
