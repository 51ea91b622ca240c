"""The board for people: `text` for terminals and logs, `svg` for notebooks.

Both show one `Scene`, which is read off a record; neither decides a rule.
"""

from sunglade.drawing.as_svg import svg
from sunglade.drawing.as_text import text
from sunglade.drawing.scene import Scene

__all__ = ["Scene", "svg", "text"]
