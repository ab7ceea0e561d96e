"""Lines in a plane, as an SVG that stands alone: it brings its own colours, for light and dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from xml.etree import ElementTree as ET

from foundation.axes import decade_ticks, number_ticks

__all__ = ["Axis", "Series", "draw_lines"]

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 52
_KEY_HEIGHT = 22
_TICKS = 6
_MOST_MARKS = 20

# Each line differs in colour, dashes and mark, so that it is told apart without colours too.
_COLOURS = ("accent", "second", "third", "fourth", "fifth", "sixth")
_DASHES = ("", "7 4", "2 4", "9 3 2 3", "12 5", "4 2")
_STYLE = """
svg { color-scheme: light dark; font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums;
  --text: #56605c; --line: #dddacf; --accent: #0b6b5e; --second: #b8740c; --third: #6a4fb0; --fourth: #a83a15;
  --fifth: #2b6cb0; --sixth: #6f6f1c; }
@media (prefers-color-scheme: dark) { svg { --text: #9fada8; --line: #2a3633; --accent: #4fc9b2; --second: #e9b44c;
  --third: #b39ddb; --fourth: #f39a75; --fifth: #7db4e8; --sixth: #c9c96a; } }
text { fill: var(--text); }
.grid { stroke: var(--line); stroke-width: 1; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows. `is_logarithmic` leaves out figures that are not above 0."""

    label: str
    is_logarithmic: bool = False
    begins_at_zero: bool = True


@dataclass(frozen=True, slots=True)
class Series:
    """A line through points, with a mark at each of them while they are few; `labels`: texts beside them."""

    name: str
    points: Sequence[tuple[float, float]]
    labels: Sequence[str] = ()

    @property
    def is_marked(self) -> bool:
        return len(self.points) <= _MOST_MARKS

    def shown(self, x: Axis, y: Axis) -> "Series":
        """Without the points that the axes leave out."""
        labels = self.labels or [""] * len(self.points)
        both = [
            (point, label)
            for point, label in zip(self.points, labels, strict=True)
            if (point[0] > 0 or not x.is_logarithmic) and (point[1] > 0 or not y.is_logarithmic)
        ]
        return Series(self.name, [point for point, _ in both], [label for _, label in both])


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    is_logarithmic: bool
    start: float
    end: float

    def at(self, value: float) -> float:
        low, high, here = self.low, self.high, value
        if self.is_logarithmic:
            low, high, here = log10(low), log10(high), log10(value)
        return self.start + (self.end - self.start) * (here - low) / (high - low)

    def ticks(self) -> list[float]:
        if self.is_logarithmic:
            return decade_ticks(self.low, self.high)
        return number_ticks(self.low, self.high, _TICKS, multiples=(1, 2, 5))


def draw_lines(title: str, description: str, x: Axis, y: Axis, lines: Sequence[Series]) -> str:
    """The SVG; title and description are for those who do not see it, and should say what it shows."""
    shown = [line.shown(x, y) for line in lines]
    points = [one for line in shown for one in line.points] or [(1.0, 1.0)]
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    height = _HEIGHT + _KEY_HEIGHT * len(shown)
    box = f"0 0 {_WIDTH} {height}"
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "role": "img"})
    for tag, text in (("title", title), ("desc", description), ("style", _STYLE)):
        ET.SubElement(root, tag).text = text
    across = _scale([one for one, _ in points], x, _LEFT, right)
    upwards = _scale([one for _, one in points], y, bottom, _TOP)
    for value in upwards.ticks():
        level = _number(upwards.at(value))
        ends = {"x1": str(_LEFT), "x2": str(right), "y1": level, "y2": level}
        ET.SubElement(root, "line", {"class": "grid", **ends})
        _add_text(root, f"{value:g}", _LEFT - 8, upwards.at(value) + 4, "end")
    for value in across.ticks():
        left = _number(across.at(value))
        ends = {"x1": left, "x2": left, "y1": str(bottom), "y2": str(bottom + 5)}
        ET.SubElement(root, "line", {"class": "grid", **ends})
        _add_text(root, f"{value:g}", across.at(value), bottom + 20, "middle")
    _add_text(root, x.label, right, bottom + 42, "end")
    turned = _add_text(root, y.label, -_TOP, 14, "end")
    turned.set("transform", "rotate(-90)")
    for number, line in enumerate(shown):
        corners = [(across.at(a), upwards.at(b)) for a, b in line.points]
        path = " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)
        ET.SubElement(root, "polyline", {"points": path, **_look(number)})
        if line.is_marked:
            for a, b in corners:
                _add_mark(root, a, b, number)
        for (a, b), label in zip(corners, line.labels, strict=True):
            if label:
                _add_text(root, label, a + 8, b - 6, "start")
        # Its entry in the key below the chart.
        middle = _HEIGHT + _KEY_HEIGHT * number + 6
        path = f"{_LEFT},{middle} {_LEFT + 36},{middle}"
        ET.SubElement(root, "polyline", {"points": path, **_look(number)})
        if line.is_marked:
            _add_mark(root, _LEFT + 18, middle, number)
        _add_text(root, line.name, _LEFT + 46, middle + 4, "start")
    return ET.tostring(root, encoding="unicode") + "\n"


def _add_mark(root: ET.Element, x: float, y: float, number: int) -> None:
    """A circle, a square or a diamond by turns."""
    colour = f"fill: var(--{_COLOURS[number % len(_COLOURS)]})"
    if number % 3 == 0:
        position = {"cx": _number(x), "cy": _number(y), "r": "4"}
        ET.SubElement(root, "circle", {**position, "style": colour})
        return
    position = {"x": _number(x - 4), "y": _number(y - 4), "width": "8", "height": "8"}
    mark = ET.SubElement(root, "rect", {**position, "style": colour})
    if number % 3 == 2:
        mark.set("transform", f"rotate(45 {_number(x)} {_number(y)})")


def _add_text(root: ET.Element, text: str, x: float, y: float, anchor: str) -> ET.Element:
    position = {"x": _number(x), "y": _number(y), "text-anchor": anchor}
    element = ET.SubElement(root, "text", position)
    element.text = text
    return element


def _look(number: int) -> dict[str, str]:
    look = {"style": f"stroke: var(--{_COLOURS[number % len(_COLOURS)]})"}
    dashes = _DASHES[number % len(_DASHES)]
    return {**look, "stroke-dasharray": dashes} if dashes else look


def _scale(values: Sequence[float], axis: Axis, start: float, end: float) -> _Scale:
    """From 0, or a little below the lowest, to a little above the highest."""
    low, high = min(values), max(values)
    if axis.is_logarithmic:
        return _Scale(low / 1.25, high * 1.25, is_logarithmic=True, start=start, end=end)
    low = min(low, 0.0) if axis.begins_at_zero else low
    margin = 0.05 * (high - low) or 1.0
    low = low - margin if low else 0.0
    return _Scale(low, high + margin, is_logarithmic=False, start=start, end=end)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
