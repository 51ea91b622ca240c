"""A second implementation of docs/rules.md in the words of docs/protocol.md: slow, plain, written from them alone.

It shares no code with the package, so that a mistake in one of the two shows as a difference. Spaces are (q, r), a
position is a few dataclasses, and each kind of action is one function that gives its legal lines together with what
they do.
"""

from referee.game import Game

__all__ = ["Game"]
