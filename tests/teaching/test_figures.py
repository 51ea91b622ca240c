"""What docs/teaching.md says was measured follows from the results that are kept."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from test_training import ROOT

sys.path.insert(0, str(ROOT))

from training.figures import table
from training.side_by_side import MEASURED


def test_the_page_tells_what_the_results_say() -> None:
    page = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert table() in page, "put what `python -m training.figures` prints into docs/teaching.md"


def test_results_are_small_enough_to_be_kept() -> None:
    assert sum(file.stat().st_size for file in MEASURED.glob("*.jsonl")) < 300_000


def test_another_result_changes_the_table(tmp_path: Path) -> None:
    empty = table(tmp_path)
    (tmp_path / "checked_puzzles.jsonl").write_text(
        json.dumps({"puzzle": "a", "best": 0.5, "others": [0.4], "sought": 0.5}) + "\n", encoding="utf-8"
    )
    assert "not measured" in empty and "1 of 1 (100.0 %" in table(tmp_path)
