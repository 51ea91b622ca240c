"""Where the terminal keeps games. Light enough for every `--help` to tell it."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def games_folder() -> Path:
    """Where kept games lie; the variable SUNGLADE_DATA chooses another place."""
    home = os.environ.get("SUNGLADE_DATA") or platformdirs.user_data_dir("sunglade", appauthor=False)
    return Path(home) / "games"
