"""Writes the types of the keys anew, for mypy and for TypeScript: `python -m sunglade.words.key_types` (`make web`)."""

from __future__ import annotations

import sys
from pathlib import Path

from sunglade.words import ENGLISH, catalogue, languages
from sunglade.words.messages import placeholders

_HERE = Path(__file__).parent
PYTHON = _HERE / "keys.py"
TYPESCRIPT = _HERE.parents[2] / "web" / "src" / "words" / "keys.ts"


def for_the_client(key: str) -> bool:
    """Whether it is one of the client's messages: not of the terminal, nor about the language (web/catalogues.ts)."""
    return not key.startswith(("language.", "terminal."))


def python_source() -> str:
    """The keys as a type of Python."""
    keys = "".join(f'    "{key}",\n' for key in catalogue(ENGLISH).words)
    return (
        '"""Written by `make web` from en.arb: the keys of all messages."""\n\n'
        f"from typing import Literal\n\nKey = Literal[\n{keys}]\n"
    )


def typescript_source() -> str:
    """The client's keys as a type of TypeScript, each with the arguments it is told with."""
    catalogues = [catalogue(language).words for language in languages()]
    lines = []
    for key, message in catalogue(ENGLISH).words.items():
        if not for_the_client(key):
            continue
        counted = any(not isinstance(words.get(key, ""), str) for words in catalogues)
        named = sorted(placeholders(message) | ({"count"} if counted else set()))
        arguments = "; ".join(f"{name}: {'number' if counted and name == 'count' else 'Value'}" for name in named)
        lines.append(f'  "{key}": {f"{{ {arguments} }}" if named else "undefined"};\n')
    return (
        "/** Written by `make web` from en.arb: the keys of all messages, each with what it is told with. */\n\n"
        "export type Value = string | number;\n\n"
        f"export interface Arguments {{\n{''.join(lines)}}}\n\nexport type Key = keyof Arguments;\n"
    )


def main() -> int:
    """Write both, where they have changed; outside a checkout there is no client."""
    for file, source in ((PYTHON, python_source()), (TYPESCRIPT, typescript_source())):
        if file.parent.is_dir() and (not file.exists() or file.read_text(encoding="utf-8") != source):
            file.write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
