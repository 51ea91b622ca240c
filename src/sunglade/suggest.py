"""Words that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from sunglade.words.speech import tell


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A question to put behind an error, with a blank before it; nothing where no word comes near.

    >>> did_you_mean("palnt", ["plant", "place", "end"])
    ' Did you mean plant?'
    """
    near = get_close_matches(word.lower(), list(dict.fromkeys(words)), n=2, cutoff=0.6)
    return f" {tell('terminal.did_you_mean', words=' / '.join(near))}" if near else ""
