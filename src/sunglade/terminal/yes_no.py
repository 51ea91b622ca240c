"""Yes and no, as questions ask for them and people type them: in the language that is spoken, and in English."""

from __future__ import annotations

from sunglade.words.speech import tell


def is_yes(text: str) -> bool:
    """Whether somebody agrees, in the language that is spoken or in English."""
    return text.lower() in ("y", "yes", *tell("terminal.yes").split())


def is_no(text: str) -> bool:
    """Whether somebody does not."""
    return text.lower() in ("n", "no", *tell("terminal.no").split())


def answers_to_a_question() -> list[str]:
    """What Tab completes then."""
    return [*tell("terminal.yes").split(), *tell("terminal.no").split()]


def yes_and_no() -> dict[str, str]:
    """The letters that a question asks for."""
    return {"yes": tell("terminal.yes").split()[0], "no": tell("terminal.no").split()[0]}
