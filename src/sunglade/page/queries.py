"""What stands after the question mark of an address."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TypeVar

from sunglade.table.problems import ServerProblem
from sunglade.table.shapes import ListOf, Shape, Text, Unfit, Whole

T = TypeVar("T")


class Query:
    """Values by name, as texts; the last of a name counts, where one is wanted."""

    def __init__(self, given: Sequence[tuple[str, str]]) -> None:
        self._given = given

    def whole(self, name: str, least: int, most: int, default: int) -> int:
        """A whole number."""
        text = self._last(name)
        if text is None:
            return default
        if re.fullmatch("-?[0-9]{1,20}", text) is None:
            raise _refused(name, "Input should be a valid integer, unable to parse string as an integer")
        return _fit(name, Whole(least, most), int(text))

    def seconds(self, name: str, most: float) -> float:
        """A time, none unless it is given."""
        text = self._last(name)
        if text is None:
            return 0.0
        try:
            value = float(text)
        except ValueError:
            raise _refused(name, "Input should be a valid number, unable to parse string as a number") from None
        if not (math.isfinite(value) and 0.0 <= value <= most):
            raise _refused(name, f"Input should be a number from 0 to {most:g}")
        return value

    def line(self, name: str, most: int) -> str:
        """A text that must be there."""
        text = self._last(name)
        if text is None:
            raise _refused(name, "Field required")
        return _fit(name, Text(most=most), text)

    def lines(self, name: str, most: int) -> list[str]:
        """All texts of a name, at least one."""
        texts = [value for key, value in self._given if key == name]
        if not texts:
            raise _refused(name, "Field required")
        return _fit(name, ListOf(Text(), 1, most), texts)

    def _last(self, name: str) -> str | None:
        return next((value for key, value in reversed(self._given) if key == name), None)


def _fit(name: str, shape: Shape, value: T) -> T:
    """The value, where it has the shape."""
    try:
        shape.take(value)
    except Unfit as unfit:
        raise _refused(name, unfit.message) from None
    return value


def _refused(name: str, message: str) -> ServerProblem:
    return ServerProblem("bad_request", f"query.{name}: {message}")
