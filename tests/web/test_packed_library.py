"""Modules of Python's library that a site carries do without their lines; what goes wrong in them is still told."""

from __future__ import annotations

import subprocess
import sys

from web.stage import ROOT

PROGRAM = """
import logging
import rooms

SOURCE = '''
def called(work):
    {padding}
    return work()

def counted():
    yield 1
    raise KeyError("two")
'''

def fails():
    raise ValueError("one")

for padding in range(20):  # tables of places have entries of eight units, and what is left
    told = {}
    exec(rooms.without_lines(rooms.compiled("a.py", SOURCE.format(padding="work;" * padding + "pass").encode())), told)
    for work in (lambda: told["called"](fails), lambda: list(told["counted"]())):
        try:
            work()
        except Exception:
            logging.exception("told")
    assert list(told["called"].__code__.co_lines())[-1][2] is None
print("done")
"""


def test_a_traceback_through_code_without_lines_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT / "web" / "site", capture_output=True, text=True, timeout=100
    )
    assert done.stdout == "done\n", done.stderr
    assert done.stderr.count("ValueError: one") == done.stderr.count("KeyError: 'two'") == 20
    assert "Logging error" not in done.stderr
