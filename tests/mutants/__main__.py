"""`make mutants`: plant each mutant in a copy of the sources, run the tests that name its rule, write docs/mutants.md.

The rules run interpreted, so that nothing is compiled; one mutant per core at a time. The exit status is 0 when every
mutant was killed and every rule has one. A word on the command line chooses the mutants with that word in name, rule or
file, and writes no report.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from mutants import SOURCES, Mutant, all_mutants
from specification import ROOT, rule_ids, rule_tests

REPORT = ROOT / "docs" / "mutants.md"
PATIENCE = 300  # seconds; a mutant may well never end
FAILURES, NO_FAILURE = 1, 0  # exit statuses of pytest


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant."""

    mutant: Mutant
    fate: str
    """killed, survived, or what else happened"""
    killer: str
    """the first test that failed"""


def run_tests(sources: Path, tests: list[str]) -> tuple[str, str]:
    """The fate of what lies in a folder of sources under these tests, and the first test that failed."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # they take longer to load than the tests take
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(sources),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "killed", f"no end in {PATIENCE} seconds"
    if done.returncode == NO_FAILURE:
        return "survived", ""
    failed = re.search(r"^FAILED \S+::(\w+)", done.stdout, re.MULTILINE)
    if done.returncode == FAILURES and failed:
        return "killed", failed.group(1)
    return "broken", done.stdout[-2000:] + done.stderr[-2000:]


def judge(mutant: Mutant, tests: list[str]) -> Verdict:
    """Plant a mutant in a copy of the sources and let the tests look for it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "sunglade"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("web", "__pycache__", "*.safetensors", "*.npz"))
        file = copy / mutant.file
        file.write_text(mutant.planted(file.read_text(encoding="utf-8")), encoding="utf-8")
        verdict = Verdict(mutant, *run_tests(Path(folder), tests))
    print(f"{verdict.fate:8} {mutant.rule:20} {mutant.name}  {verdict.killer}", flush=True)
    return verdict


INTRODUCTION = """# Mutants

A mutant is a mistake of one line, planted in a copy of the sources; `tests/mutants/` has them as data. It is killed
when a test that names its rule in its docstring fails. Every rule of [rules.md](rules.md) has one. `make mutants`
writes this page; a mutant whose line is not in the sources, exactly once, fails a test of `make quick`.
"""


def report(verdicts: list[Verdict], minutes: float, cores: int) -> str:
    """docs/mutants.md."""
    killed = sum(verdict.fate == "killed" for verdict in verdicts)
    lines = [
        INTRODUCTION,
        f"{date.today().isoformat()}, {minutes:.0f} minutes on {cores} cores: {killed} of {len(verdicts)} were killed.",
        survivors(verdicts),
        "",
        "| rule | mistake | file | found by |",
        "|---|---|---|---|",
    ]
    order = rule_ids()
    for verdict in sorted(verdicts, key=lambda each: order.index(each.mutant.rule)):
        mutant = verdict.mutant
        found = f"`{verdict.killer}`" if verdict.fate == "killed" else verdict.fate
        lines.append(f"| {mutant.rule} | {mutant.name} | `{mutant.file}` | {found} |")
    return "\n".join(lines) + "\n"


def survivors(verdicts: list[Verdict]) -> str:
    """A sentence."""
    alive = [f"{each.mutant.name} ({each.mutant.rule}, {each.fate})" for each in verdicts if each.fate != "killed"]
    return f"Not killed: {'; '.join(alive)}." if alive else "No survivors."


def main(words: list[str]) -> int:
    """Judge the mutants that are asked for, or all."""
    mutants = [
        mutant
        for mutant in all_mutants()
        if all(word in f"{mutant.name} {mutant.rule} {mutant.file}" for word in words)
    ]
    tests = rule_tests()
    began = time.monotonic()
    fate, failed = run_tests(SOURCES.parent, ["tests/rules"])
    if fate != "survived":
        print(f"The tests fail without any mutant: {failed}")
        return 1
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        verdicts = list(pool.map(lambda mutant: judge(mutant, tests[mutant.rule]), mutants))
    minutes = (time.monotonic() - began) / 60
    killed = {verdict.mutant.rule for verdict in verdicts if verdict.fate == "killed"}
    without = [] if words else [rule for rule in rule_ids() if rule not in killed]
    print(f"{len(verdicts)} mutants, {minutes:.1f} minutes on {cores} cores. {survivors(verdicts)}")
    if without:
        print(f"Rules without a mutant that was killed: {' '.join(without)}")
    if not words:
        REPORT.write_text(report(verdicts, minutes, cores), encoding="utf-8")
    return 0 if not without and all(verdict.fate == "killed" for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
