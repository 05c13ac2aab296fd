"""Plots as SVG elements to stand inside a page, whose style sheet gives the classes their colours.

Why they are drawn here and not by a library: docs/decisions/0017-reports.md. The tree is built with ElementTree, which
escapes whatever a document or a question may hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from xml.etree import ElementTree

WIDTH = 500
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 16, 40
_LABELS = 132  # left of intervals, where the measures' names stand
_ROW = 26
_MOST_COLUMNS = 250  # further ones would be narrower than a pixel or two


@dataclass(frozen=True, slots=True)
class Interval95:
    """A row of `intervals`: a value between bounds, emphasised where it is certain."""

    label: str
    low: float
    value: float
    high: float
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from ``least`` to ``most`` laid over pixels from ``start`` to ``end``; these may fall."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        spread = self.most - self.least or 1.0
        return self.start + (value - self.least) / spread * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values along the axis, some ``about`` of them."""
        raw = (self.most - self.least or 1.0) / about
        magnitude = 10.0 ** math.floor(math.log10(raw))
        step = next(nice * magnitude for nice in (1, 2, 5, 10) if nice * magnitude >= raw * 0.999)
        values = (round((math.ceil(self.least / step - 1e-9) + index) * step, 10) for index in count())
        return list(takewhile(lambda value: value <= self.most + 1e-9, values))


class _Drawing:
    """An SVG element that is being filled."""

    def __init__(self, title: str, height: float) -> None:
        box = f"0 0 {WIDTH} {height:g}"
        self.root = ElementTree.Element("svg", {"viewBox": box, "role": "img", "aria-label": _plain(title)})

    def add(self, tag: str, tip: str = "", text: str = "", **attributes: object) -> None:
        """An element; ``tip`` is shown where the pointer rests on it. ``_`` in a name stands for ``-``."""
        given = {name.strip("_").replace("_", "-"): _attribute(value) for name, value in attributes.items()}
        element = ElementTree.SubElement(self.root, tag, given)
        if tip:
            ElementTree.SubElement(element, "title").text = _plain(tip)
        if text:
            element.text = _plain(text)

    def label(self, x: float, y: float, text: str, anchor: str = "middle", class_: str = "tick") -> None:
        """Text at a point."""
        self.add("text", text=text, x=x, y=y, text_anchor=anchor, class_=class_)

    def across(self, axis: Axis, y: float, name: str, top: float = _TOP) -> None:
        """A horizontal axis at ``y`` with its grid and its name."""
        for tick in axis.ticks():
            self.add("line", x1=axis(tick), x2=axis(tick), y1=top, y2=y, class_="zero" if tick == 0 else "grid")
            self.label(axis(tick), y + 14, f"{tick:g}")
        self.label((axis.start + axis.end) / 2, y + 32, name, class_="name")

    def upright(self, axis: Axis) -> None:
        """A vertical axis at the left with its grid."""
        for tick in axis.ticks(4):
            y = axis(tick)
            self.add("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="zero" if tick == 0 else "grid")
            self.label(_LEFT - 6, y + 4, f"{tick:g}", "end")

    def done(self) -> str:
        """Return the element as text."""
        return ElementTree.tostring(self.root, encoding="unicode")


def bars(title: str, counts: Mapping[str, int], name: str, height: int = 200) -> str:
    """Return a bar for each label, with its count above it; ``name`` says what the labels are."""
    drawing = _Drawing(title, height)
    floor = height - _BOTTOM
    upright = Axis(0, max([1, *counts.values()]), floor, _TOP + 10)
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(counts))
    drawing.add("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=floor, y2=floor, class_="zero")
    for index, (label, number) in enumerate(counts.items()):
        x, top = _LEFT + index * step, upright(number)
        drawing.add(
            "rect", f"{label}: {number}", x=x + step * 0.1, y=top, width=step * 0.8, height=floor - top, class_="a"
        )
        drawing.label(x + step / 2, top - 4, str(number) if number else "")
        drawing.label(x + step / 2, floor + 14, label)
    drawing.label((_LEFT + WIDTH - _RIGHT) / 2, floor + 32, name, class_="name")
    return drawing.done()


def intervals(title: str, rows: Sequence[Interval95], name: str) -> str:
    """Differences with their intervals, one under the other, about 0."""
    floor = _TOP + _ROW * len(rows)
    drawing = _Drawing(title, floor + _BOTTOM)
    reach = max([abs(end) for row in rows for end in (row.low, row.high)], default=0.0) or 0.01
    axis = Axis(-reach, reach, _LABELS, WIDTH - _RIGHT)
    drawing.across(axis, floor, name)
    for index, row in enumerate(rows):
        y = _TOP + _ROW * (index + 0.5)
        mark = "certain" if row.is_certain else "unsure"
        tip = f"{row.label}: {row.value:+.4f} [{row.low:+.4f}, {row.high:+.4f}]"
        drawing.label(_LABELS - 12, y + 4, row.label, "end", "name")
        drawing.add("line", tip, x1=axis(row.low), x2=axis(row.high), y1=y, y2=y, class_=f"whisker {mark}")
        drawing.add("circle", tip, cx=axis(row.value), cy=y, r=4.5, class_=mark)
    return drawing.done()


def columns(title: str, values: Sequence[tuple[str, float]], name: str, height: int = 220) -> str:
    """Return a column up or down from 0 for each labelled value, in the order given; every n-th, if there are too
    many.
    """
    every = math.ceil(len(values) / _MOST_COLUMNS) or 1
    shown = values[::every]
    drawing = _Drawing(title, height)
    reach = max([abs(value) for _, value in values], default=0.0) or 1.0
    upright = Axis(-reach, reach, height - _BOTTOM, _TOP)
    drawing.upright(upright)
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(shown))
    for index, (label, value) in enumerate(shown):
        top, foot = sorted((upright(value), upright(0.0)))
        side = "b" if value > 0 else "a"
        x = _LEFT + index * step
        drawing.add(
            "rect", f"{label}: {value:+.4f}", x=x, y=top, width=max(step * 0.85, 0.8), height=foot - top, class_=side
        )
    drawing.label((_LEFT + WIDTH - _RIGHT) / 2, height - 8, name, class_="name")
    return drawing.done()


def shares(title: str, series: Mapping[str, Sequence[float]], name: str, height: int = 220) -> str:
    """Return the share of the values that lie below each value, a line for each of at most two series."""
    drawing = _Drawing(title, height)
    everything = [value for values in series.values() for value in values]
    across = Axis(0, max(everything, default=1.0), _LEFT, WIDTH - _RIGHT)
    upright = Axis(0, 1, height - _BOTTOM, _TOP)
    drawing.upright(upright)
    drawing.across(across, height - _BOTTOM, name)
    for (label, values), side in zip(series.items(), "ab", strict=False):
        corners = _steps(sorted(values), across, upright)
        drawing.add("polyline", label, points=corners, class_=f"curve {side}")
    return drawing.done()


def _steps(ordered: Sequence[float], across: Axis, upright: Axis) -> str:
    points = [(across(0), upright(0))]
    for rank, value in enumerate(ordered, 1):
        points += [(across(value), points[-1][1]), (across(value), upright(rank / len(ordered)))]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def calibration(title: str, points: Iterable[tuple[float, float, int]], height: int = 300) -> str:
    """Return the share that was right against the confidence: a circle for each (confidence, share, answers)."""
    drawing = _Drawing(title, height)
    across, upright = Axis(0, 1, _LEFT, WIDTH - _RIGHT), Axis(0, 1, height - _BOTTOM, _TOP)
    drawing.upright(upright)
    drawing.across(across, height - _BOTTOM, "confidence")
    drawing.add("line", x1=across(0), y1=upright(0), x2=across(1), y2=upright(1), class_="ideal")
    for confidence, share, answers in points:
        tip = f"confidence {confidence:.2f}: {share:.2f} right of {answers} answers"
        drawing.add("circle", tip, cx=across(confidence), cy=upright(share), r=3 + min(9.0, answers**0.5), class_="a")
    return drawing.done()


def risk(title: str, curve: Sequence[tuple[float, float]], height: int = 220) -> str:
    """Return the share that is wrong against the share of answers that is kept: points of (coverage, risk)."""
    drawing = _Drawing(title, height)
    across, upright = Axis(0, 1, _LEFT, WIDTH - _RIGHT), Axis(0, 1, height - _BOTTOM, _TOP)
    drawing.upright(upright)
    drawing.across(across, height - _BOTTOM, "share of the answers that are kept")
    points = " ".join(f"{across(coverage):.1f},{upright(wrong):.1f}" for coverage, wrong in curve)
    drawing.add("polyline", "share that is wrong", points=points, class_="curve a")
    return drawing.done()


def _attribute(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else _plain(str(value))


def _plain(text: str) -> str:
    """Return the text without control characters, which XML does not take, not even escaped."""
    return "".join(character if character >= " " else " " for character in text)
