"""`python -m sunglade.prebuilding [native | wasm | all] [--into FOLDER]`: compile the kernel ahead of time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

os.environ["SUNGLADE_PREBUILT"] = ""  # what is built must not be run meanwhile

from sunglade.prebuilding.building import build, is_current
from sunglade.prebuilding.linking import CannotLink
from sunglade.prebuilding.targets import targets
from sunglade.prebuilt.library import FOLDER


def main() -> int:
    """Build what is asked for, one process a target: Numba can compile for one only."""
    parser = argparse.ArgumentParser(prog="python -m sunglade.prebuilding", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("native", "wasm", "all"), default="all")
    parser.add_argument("--into", type=Path, default=FOLDER, help="folder to write to; by default where it is found")
    parser.add_argument("--target", help=argparse.SUPPRESS)
    args = parser.parse_args()
    wanted = [target for kind in ("native", "wasm") if args.kind in (kind, "all") for target in targets(kind)]
    if args.target is None:
        command = [sys.executable, "-m", "sunglade.prebuilding", args.kind, "--into", str(args.into)]
        outdated = [target.name for target in wanted if not is_current(target, args.into)]
        return max((subprocess.run([*command, "--target", name]).returncode for name in outdated), default=0)
    (target,) = [target for target in wanted if target.name == args.target]
    try:
        print(build(target, args.into, lambda what: print(f"{target.name}: {what}", file=sys.stderr)))
    except CannotLink as problem:
        sys.exit(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
