"""What a PDF page draws: straight rules, the grids of its tables, boxes, and dots."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pypdfium2 import PdfObject, PdfPage, raw

from pipelines.reading.pdf.glyphs import upright

_DEPTH = 1  # what lies in a form has places of its own
_BACKGROUND = 0.9  # of the page's width and height
_MOST_PAIRS = 40_000
_MOST_BOXES = 300
_SMALLEST_BOX = 18.0
_DOT = (1.0, 9.0)  # the sides of a dot
_ROUND = 1.3  # how much longer one of them may be
_MOST_DOTS = 400
_MOST_CORNERS = 20
_MOST = 4000
"""Parts of paths on one page; what draws more is a chart or a map."""
_STRAIGHT = 1.5
_SHORTEST = 4.0
_SNAP = 2.5
_TOUCH = 4.0


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule at ``at`` of the one axis that goes from ``start`` to ``end`` of the other."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Rules that touch each other: those that lie, by y, and those that stand, by x."""

    lying: tuple[Rule, ...]
    standing: tuple[Rule, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        xs = [*(rule.at for rule in self.standing), *(edge for rule in self.lying for edge in (rule.start, rule.end))]
        ys = [*(rule.at for rule in self.lying), *(edge for rule in self.standing for edge in (rule.start, rule.end))]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Box:
    """A box around something."""

    x0: float
    x1: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Drawings:
    """What a page draws: its rules that lie, its grids from the top down, its boxes, and dots, round or square."""

    lying: tuple[Rule, ...] = ()
    grids: tuple[Grid, ...] = ()
    boxes: tuple[Box, ...] = ()
    dots: tuple[Box, ...] = ()


def drawn_on(page: PdfPage, turn: int) -> Drawings:
    """Return what is drawn on a page that is turned so often; nothing where it is a chart or a map."""
    lying: list[Rule] = []
    standing: list[Rule] = []
    left, bottom, right, top = page.get_bbox()
    xs, ys = (sorted(pair) for pair in zip(upright(left, bottom, turn), upright(right, top, turn), strict=True))
    dots, paths = _parted(_paths(page))
    parts = list(islice((part for path in paths for part in _parts_of(path)), _MOST + 1))
    if len(parts) > _MOST:
        return Drawings()
    for start, end in parts:
        (x0, y0), (x1, y1) = upright(*start, turn), upright(*end, turn)
        if abs(y0 - y1) <= _STRAIGHT and abs(x0 - x1) >= _SHORTEST:
            lying += _within(Rule((y0 + y1) / 2, min(x0, x1), max(x0, x1)), ys, xs)
        elif abs(x0 - x1) <= _STRAIGHT and abs(y0 - y1) >= _SHORTEST:
            standing += _within(Rule((x0 + x1) / 2, min(y0, y1), max(y0, y1)), xs, ys)
    lying, standing = _merged(lying), _merged(standing)
    found = _connected(lying, standing) if len(lying) * len(standing) <= _MOST_PAIRS else []
    grids = sorted(found, key=lambda grid: (grid.box[1], grid.box[0]))
    return Drawings(
        tuple(lying),
        tuple(grids),
        tuple(_boxes(paths, turn)),
        tuple(_box(dot, turn) for dot in dots),
    )


def _parted(paths: Sequence[_Path]) -> tuple[list[_Path], list[_Path]]:
    """Return the paths that are dots, and the others. Very many are the points of a chart, and no dots."""
    dots: list[_Path] = []
    others: list[_Path] = []
    for path in paths:
        left, bottom, right, top = path.bounds
        shorter, longer = sorted((right - left, top - bottom))
        is_dot = _DOT[0] <= shorter and longer <= min(_DOT[1], _ROUND * shorter)
        (dots if is_dot else others).append(path)
    return (dots, others) if len(dots) <= _MOST_DOTS else ([], list(paths))


def _boxes(paths: Sequence[_Path], turn: int) -> Iterator[Box]:
    for path in paths[:_MOST_BOXES]:
        left, bottom, right, top = path.bounds
        if right - left >= _SMALLEST_BOX and top - bottom >= _SMALLEST_BOX and path.corners <= _MOST_CORNERS:
            yield _box(path, turn)


def _box(path: _Path, turn: int) -> Box:
    left, bottom, right, top = path.bounds
    (x0, y0), (x1, y1) = upright(left, bottom, turn), upright(right, top, turn)
    return Box(min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1))


def _within(rule: Rule, across: Sequence[float], along: Sequence[float]) -> list[Rule]:
    """Return the part of a rule that is on the page."""
    if not across[0] <= rule.at <= across[1] or rule.start >= along[1] or rule.end <= along[0]:
        return []
    return [Rule(rule.at, max(rule.start, along[0]), min(rule.end, along[1]))]


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Path:
    """A path: where it is, and of how many parts it is made."""

    drawn: PdfObject
    bounds: tuple[float, float, float, float]
    corners: int


def _paths(page: PdfPage) -> list[_Path]:
    """Return what is drawn, without backgrounds of the whole page."""
    width, height = page.get_width(), page.get_height()
    largest = _BACKGROUND * min(width, height), _BACKGROUND * max(width, height)
    found = []
    for path in islice(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=_DEPTH), _MOST):
        left, bottom, right, top = path.get_bounds()
        sides = sorted((right - left, top - bottom))
        if sides[0] < largest[0] or sides[1] < largest[1]:
            found.append(_Path(path, (left, bottom, right, top), raw.FPDFPath_CountSegments(path.raw)))
    return found


def _parts_of(path: _Path) -> Iterator[tuple[Point, Point]]:
    """Yield the straight parts of a path, by their ends."""
    left, bottom, right, top = path.bounds
    if right - left <= _STRAIGHT or top - bottom <= _STRAIGHT:  # also a box that is as thin as a rule
        yield (left, bottom), (right, top)
        return
    matrix = path.drawn.get_matrix()
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    for index in range(min(path.corners, _MOST + 1)):
        segment = raw.FPDFPath_GetPathSegment(path.drawn.raw, index)
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        point = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_LINETO:
            yield last, point
        elif kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        if raw.FPDFPathSegment_GetClose(segment):
            yield point, first
        last = point


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Return rules of which those that go on from each other on about the same line are one."""
    merged: list[Rule] = []
    lines: dict[int, list[Rule]] = defaultdict(list)
    at = level = float("-inf")
    row = 0
    for rule in sorted(rules, key=lambda rule: rule.at):
        if rule.at - at > _SNAP:
            at, row = rule.at, row + 1
        lines[row].append(rule)
    for line in lines.values():
        level = line[0].at
        line.sort(key=lambda rule: rule.start)
        start, end = line[0].start, line[0].end
        for rule in line[1:]:
            if rule.start > end + _TOUCH:
                merged.append(Rule(level, start, end))
                start, end = rule.start, rule.end
            end = max(end, rule.end)
        merged.append(Rule(level, start, end))
    return merged


def _connected(lying: list[Rule], standing: list[Rule]) -> list[Grid]:
    """Return the groups of rules that meet."""
    count = len(lying)
    group = list(range(count + len(standing)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    for down, upstanding in enumerate(standing, start=count):
        for across, level in enumerate(lying):
            if _meet(level, upstanding):
                group[root(down)] = root(across)
    members: dict[int, list[int]] = defaultdict(list)
    for index in range(len(group)):
        members[root(index)].append(index)
    grids = []
    for each in members.values():
        grid = Grid(
            tuple(lying[index] for index in each if index < count),
            tuple(standing[index - count] for index in each if index >= count),
        )
        if len(grid.lying) > 1 and len(grid.standing) > 1:
            grids.append(grid)
    return grids


def _meet(lying: Rule, standing: Rule) -> bool:
    return (
        lying.start - _TOUCH <= standing.at <= lying.end + _TOUCH
        and standing.start - _TOUCH <= lying.at <= standing.end + _TOUCH
    )
