"""The page, the notebook and the example say what is true."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sunglade import encode
from sunglade.envs import observation
from sunglade.envs.reference_pages import with_tables

pytestmark = pytest.mark.xdist_group("envs")

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "environments.md"
NOTEBOOK = ROOT / "examples" / "sunglade.ipynb"
HEADINGS = ["Observation table", "Action table", "Rewards", "Termination", "Bad input", "Speed", "Version history"]


def test_tables_are_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_tables(page) == page, "run: python -m sunglade.envs.reference_pages docs/environments.md"


def test_headings_are_fixed() -> None:
    found = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [heading for heading in found if heading in HEADINGS] == HEADINGS


def test_every_plane_and_number_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for what in encode.PLANES:
        assert f"| {what} |" in page
    spans = re.findall(r"^\| (\d+)(?:–(\d+))? \| (?!\d+–\d+ \|)", page, re.MULTILINE)
    told = sum(int(last or first) - int(first) + 1 for first, last in spans)
    assert told == 512 + encode.ACTIONS


def test_the_page_counts_the_table_as_the_functions_do() -> None:
    """It said 504 where `table_of` gave 510."""
    told = re.search(r"Then come (\d+) numbers of the table, and two that are always 0", PAGE.read_text("utf-8"))
    assert told and int(told[1]) == len(encode.TABLE) == observation.table_of(np.zeros(observation.SIZE)).size
    assert observation.TABLE_START + int(told[1]) + 2 == observation.SIZE


def test_the_notebook_runs() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    names: dict[str, object] = {"__name__": "notebook"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 8 and not any(cell["outputs"] for cell in cells)
    for cell in cells:
        exec(compile("".join(cell["source"]), "sunglade.ipynb", "exec"), names)
    assert names["ended"]


def training_example(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the example in the environment with PyTorch that `make test` makes."""
    python = ROOT / ".train" / "bin" / "python"
    assert python.exists(), "the example needs the environment that `make test` makes"
    command = [str(python), str(ROOT / "examples" / "train_maskable_ppo.py"), *arguments]
    paths = {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **paths})


def test_the_training_example_trains() -> None:
    done = training_example("--bot", "random", "--minutes", "0.02", "--games", "2")
    assert done.returncode == 0 and "of 2 games won against random" in done.stdout, done.stderr[-3000:]


def test_the_training_example_names_bots_that_are_not_there() -> None:
    done = training_example("--bot", "nobody")
    assert done.returncode == 2 and "nobody" in done.stderr and "Traceback" not in done.stderr, done.stderr[-3000:]
