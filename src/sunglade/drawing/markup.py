"""SVG elements as text: the few shapes that pictures are made of."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]
Attribute = str | float | None


def number(value: float) -> str:
    """A coordinate without needless digits."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *inside: str, **attributes: Attribute) -> str:
    """An element. `stroke_width=2` becomes stroke-width="2"; attributes that are None are left out."""
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{words}>{''.join(inside)}</{name}>" if inside else f"<{name}{words}/>"


def group(*inside: str, **attributes: Attribute) -> str:
    """Elements that belong together."""
    return element("g", *(inside or ("",)), **attributes)


def at(x: float, y: float, *inside: str, scale: float = 1.0, **attributes: Attribute) -> str:
    """Elements moved to a point."""
    move = f"translate({number(x)} {number(y)})" + (f" scale({number(scale)})" if scale != 1 else "")
    return group(*inside, transform=move, **attributes)


def way(*steps: str | float) -> str:
    """Drawing commands of a path: letters and coordinates as they come."""
    return " ".join(step if isinstance(step, str) else number(step) for step in steps)


def path(d: str, fill: str = "none", **attributes: Attribute) -> str:
    """A path by its drawing commands."""
    return element("path", d=d, fill=fill, **attributes)


def line(start: Point, end: Point, stroke: str, width: float, **attributes: Attribute) -> str:
    """A straight line with round ends."""
    return element(
        "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=stroke, stroke_width=width,
        stroke_linecap="round", **attributes,
    )  # fmt: skip


def circle(x: float, y: float, r: float, fill: str, **attributes: Attribute) -> str:
    """A disc."""
    return element("circle", cx=x, cy=y, r=r, fill=fill, **attributes)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, **attributes: Attribute) -> str:
    """A flattened disc."""
    return element("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **attributes)


def rect(x: float, y: float, width: float, height: float, fill: str, **attributes: Attribute) -> str:
    """A rectangle by its upper left corner."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def polygon(points: Iterable[Point], fill: str, **attributes: Attribute) -> str:
    """A filled outline."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=fill, **attributes)


def words(x: float, y: float, text: str, size: float, fill: str, **attributes: Attribute) -> str:
    """A line of text, centred on x unless `text_anchor` says otherwise."""
    attributes.setdefault("text_anchor", "middle")
    return element("text", escape(text), x=x, y=y, font_size=size, fill=fill, **attributes)


def title(text: str) -> str:
    """A name for screen readers and tooltips."""
    return element("title", escape(text))


def description(text: str) -> str:
    """More about an element for those who cannot see it."""
    return element("desc", escape(text))


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another one mixed in."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()
