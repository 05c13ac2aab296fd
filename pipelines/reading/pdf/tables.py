"""The tables of a PDF page: those in a grid of rules, and those whose cells stand below each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipelines.reading.pdf.glyphs import Word
from pipelines.reading.pdf.lines import Line, Piece, lines_of
from pipelines.reading.pdf.rules import Grid, Rule
from pipelines.reading.pdf.tableheads import NUMERIC, Head, header_height, walls_beside
from pipelines.reading.pdf.tablerows import Row, are_entries, cell_text, joined_rows

_COLUMN_GAP = 0.5  # of the size of the letters
_CELL_GAP = 1.1
_SUPPORT = 3
_SIGNS_BEFORE, _SIGNS_BEHIND = frozenset("$€£¥"), frozenset("%)")
_STRAY = 10  # of so many rows, one may have a cell that reaches into the next column
_LARGEST_CELL = 500
_LONG_CELL = 20
_FEWEST_SHARED = 5  # of so many rows, one at least has several cells
_WHOLE = 0.95
_FEWEST_LINES = 8
_SAME_LINE = 2
_SAME_EDGE = 2.0
_MOST_TITLES = 3
_FEWEST_NOTES, _NOTE_EDGES = 2, 3
_ACROSS = 0.75
_OVER_ALL = 0.6  # of the width
_INSIDE = 1.0
_WIDEST_STEP = 2.6
_WIDEST_ROWS = 4.5  # where cells stand below cells
_WALL_ROOM = 0.05  # of the size of the letters, on each side of a rule between two cells


def is_inside(piece: Piece, grid: Grid) -> bool:
    """Return whether a piece stands in a grid."""
    left, top, right, bottom = grid.box
    across, down = (piece.x0 + piece.x1) / 2, piece.y - 0.3 * piece.size
    return left - _INSIDE <= across <= right + _INSIDE and top - _INSIDE <= down <= bottom + _INSIDE


@dataclass(frozen=True)
class Table:
    """A table: titles above its columns, the rows with the header first, and where it stands."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    has_header: bool
    bold_header: bool
    x0: float
    x1: float
    top: float
    bottom: float


def reaches_to(table: Table, piece: Piece) -> bool:
    """Return whether a table that was found goes down to a piece."""
    return piece.y - 0.3 * piece.size <= table.bottom + _INSIDE


def apart(grid: Grid, pieces: Sequence[Piece]) -> list[Grid]:
    """Return the grids that a wall from top to bottom parts, if the lines on its sides do not go on from each other."""
    left, top, right, bottom = grid.box
    pieces = [piece for piece in pieces if is_inside(piece, grid)]
    for wall in grid.standing:
        if wall.end - wall.start < _WHOLE * (bottom - top) or not left + _INSIDE < wall.at < right - _INSIDE:
            continue
        sides = (
            {round(piece.y) for piece in pieces if piece.x1 <= wall.at},
            {round(piece.y) for piece in pieces if piece.x0 >= wall.at},
        )
        fewer, more = sorted(map(sorted, sides), key=len)
        if len(fewer) > _FEWEST_LINES and sum(_is_near(y, more) for y in fewer) * 2 < len(fewer):
            return [*apart(_part(grid, left, wall.at), pieces), *apart(_part(grid, wall.at, right), pieces)]
    return [grid]


def _is_near(y: int, others: Sequence[int]) -> bool:
    place = bisect_right(others, y)
    return any(abs(other - y) < _SAME_LINE for other in others[max(place - 1, 0) : place + 1])


def _part(grid: Grid, left: float, right: float) -> Grid:
    lying = (Rule(each.at, max(each.start, left), min(each.end, right)) for each in grid.lying)
    standing = (each for each in grid.standing if left - _INSIDE <= each.at <= right + _INSIDE)
    return Grid(tuple(rule for rule in lying if rule.end > rule.start), tuple(standing))


def table_in(grid: Grid, pieces: Sequence[Piece]) -> Table | None:
    """Return the table that a grid holds; None if it is a frame around text, or a page laid out in boxes."""
    left, top, right, bottom = grid.box
    lines = lines_of(part for piece in pieces for part in _cut_at_walls(piece, grid))
    edges = _edges(lines, [rule.at for rule in grid.standing])
    titles, lines = _titles(lines, grid, edges)
    if len(edges) < 3:
        return None
    lines, notes = _without_notes(lines, edges)
    bands = _banded(lines, _bands(grid))
    rows = [row for band in bands for row in _rows_in_band(band, edges)]
    if _is_sparse(rows) or _is_layout(rows):
        return None
    bottom = notes[0].top if notes else bottom
    named = {id(piece) for cell in rows[0] for piece in cell}
    first = [line for line in bands[0] if any(id(piece) in named for piece in line.pieces)]
    head = Head(tuple(_columns(line, edges) for line in first), tuple(edges), grid)
    return _table(rows, head, (left, right, top, bottom), titles)


def _titles(lines: list[Line], grid: Grid, edges: Sequence[float]) -> tuple[list[str], list[Line]]:
    """Return the lines at the top that stand over all columns, and the others; one wide column is not all of them."""
    left, _, right, _ = grid.box
    count = 0
    while count < min(len(lines) - 2, _MOST_TITLES) and len(lines[count].pieces) == 1:
        walls = walls_beside(grid, lines[count])
        place = bisect_right(walls, (lines[count].x0 + lines[count].x1) / 2)
        if (
            NUMERIC.fullmatch(lines[count].text)
            or not 0 < place < len(walls)
            or walls[place] - walls[place - 1] < _OVER_ALL * (right - left)
            or not any(walls[place - 1] + _INSIDE < edge < walls[place] - _INSIDE for edge in edges)
        ):
            break
        count += 1
    return [line.text for line in lines[:count]], lines[count:]


def _without_notes(lines: list[Line], edges: Sequence[float]) -> tuple[list[Line], list[Line]]:
    """Return the lines down to the last that is in columns, and those below it, if they are notes of several lines.

    Notes go over several columns, and words alone stand beside them. The rest of a cell nowhere begins at the left.
    """
    count = len(lines)
    while count and (_is_across(lines[count - 1], edges) or len(lines[count - 1].pieces) == 1):
        count -= 1
    notes = lines[count:]
    across = sum(_is_across(line, edges) for line in notes)
    is_below = count >= _SUPPORT and across >= _FEWEST_NOTES and across * 2 >= len(notes)
    return (lines[:count], notes) if is_below and min(line.x0 for line in notes) < edges[1] else (lines, [])


def _is_across(line: Line, edges: Sequence[float]) -> bool:
    """Return whether a line has words that go over several edges of columns without a gap."""
    return any(bisect_left(edges, piece.x1) - bisect_right(edges, piece.x0) >= _NOTE_EDGES for piece in line.pieces)


def _cut_at_walls(piece: Piece, grid: Grid) -> list[Piece]:
    """Return the parts of a piece between rules: in narrow columns, cells are hardly farther apart than words."""
    walls = walls_beside(grid, piece)
    room = _WALL_ROOM * piece.size
    parts = [piece.words[:1]]
    for before, word in pairwise(piece.words):
        place = bisect_left(walls, before.x1 + room)
        if place < len(walls) and walls[place] <= word.x0 - room:
            parts.append((word,))
        else:
            parts[-1] += (word,)
    return [Piece(part, piece.led) for part in parts] if len(parts) > 1 else [piece]


def _bands(grid: Grid) -> list[float]:
    """Return where rules part rows: those on one line, together, go over most of the width."""
    left, _, right, _ = grid.box
    widths: dict[float, float] = {}
    for rule in grid.lying:
        widths[rule.at] = widths.get(rule.at, 0.0) + rule.end - rule.start
    return sorted(at for at, width in widths.items() if width > _ACROSS * (right - left))


def aligned_table(lines: Sequence[Line]) -> tuple[int, Table] | None:
    """Return how many of the first lines are a table without a grid, and the table; None if they begin none."""
    count = _aligned(lines)
    chosen = list(lines[:count])
    several = [line for line in chosen if len(cells_of(line)) > 1]
    if len(several) < _SUPPORT and not (len(several) == 2 and all(len(cells_of(line)) > 2 for line in several)):
        return None
    edges = _edges(chosen, [])
    if len(edges) < 3:
        return None
    rows = joined_rows([_head_columns(chosen[0], chosen[1:], edges), *(_columns(line, edges) for line in chosen[1:])])
    if _is_prose(rows):
        return None
    if _is_sparse(rows) or _is_layout(rows):
        return None
    box = min(each.x0 for each in chosen), max(each.x1 for each in chosen), chosen[0].top, chosen[-1].bottom
    return count, _table(rows, Head((rows[0],), tuple(edges), None), box, [])


def _is_prose(rows: Sequence[Row]) -> bool:
    """Return whether cells go on from those above them, as the lines of columns of text do."""
    cells = [cell_text(cell) for row in rows[1:] for cell in row if cell]
    return sum(cell[0].islower() for cell in cells) * 2 > len(cells) and median(map(len, cells)) > _LONG_CELL


def cells_of(line: Line) -> list[Piece]:
    """Return the parts of a line that stand so far apart that they may be cells."""
    cells = [line.pieces[0]]
    for piece in line.pieces[1:]:
        if cells[-1].led or abs(piece.x0 - cells[-1].x1) > _CELL_GAP * piece.size:
            cells.append(piece)
        else:
            cells[-1] = Piece(cells[-1].words + piece.words, piece.led)
    return cells


def _aligned(lines: Sequence[Line]) -> int:
    """Return how many lines from the first on may be rows: those between have one cell, and others go on below."""
    if not lines or len(cells_of(lines[0])) < 2:
        return 0
    last, inner = 0, cells_of(lines[0])[1].x0
    for index, (above, line) in enumerate(pairwise(lines), start=1):
        cells = cells_of(line)
        widest = _WIDEST_ROWS if line.size == above.size and _stand_below(cells, above) else _WIDEST_STEP
        if line.y - above.y > widest * max(line.size, above.size):
            break
        if len(cells) > 1:
            inner, last = min(inner, cells[1].x0), index
        elif line.x0 < inner - line.size and (line.x1 > inner or index - last > 1):
            break
        elif line.x0 >= inner - line.size and index - last == 1:
            last = index if _goes_on(line, lines[index - 1]) else last
    return last + 1


def _stand_below(cells: Sequence[Piece], above: Line) -> bool:
    """Return whether at least two cells begin or end where two of the line above do, as those of an airy table."""
    others = cells_of(above)
    return sum(any(_share_edge(cell, other) for other in others) for cell in cells) > 1


def _share_edge(cell: Piece, other: Piece) -> bool:
    return abs(cell.x0 - other.x0) < _SAME_EDGE or abs(cell.x1 - other.x1) < _SAME_EDGE


def _goes_on(line: Line, above: Line) -> bool:
    """Return whether a line is below a cell of the one above."""
    return any(abs(piece.x0 - line.x0) < piece.size for piece in above.pieces)


def _edges(lines: Sequence[Line], ruled: Sequence[float]) -> list[float]:
    """Return where columns begin and end: at rules, and where a gap goes down between the pieces of most lines."""
    usual = median([len(line.pieces) for line in lines if len(line.pieces) > 1] or [1])
    rows = [line for line in lines if len(line.pieces) >= max(2, usual * 0.6)]
    pieces = [piece for line in rows for piece in line.pieces]
    if not pieces:
        return sorted(ruled)
    solid = _solid(pieces, len(rows) // _STRAY)
    edges = [*ruled, solid[0][0] - _INSIDE, solid[-1][1] + _INSIDE]
    for before, behind in pairwise(solid):
        if sum(_meets(row, before) and _meets(row, behind) for row in rows) >= min(_SUPPORT, len(rows)):
            edges.append((before[1] + behind[0]) / 2)
    return _beside_signs(_apart(sorted(edges), pieces), pieces)


def _beside_signs(edges: list[float], pieces: Sequence[Piece]) -> list[float]:
    """Return the edges without those between a column that has nothing but signs, such as "$", and its figures."""
    texts: dict[int, set[str]] = {}
    for piece in pieces:
        texts.setdefault(bisect_right(edges, (piece.x0 + piece.x1) / 2) - 1, set()).add(piece.text)
    figures = {at for at, held in texts.items() if any(map(NUMERIC.fullmatch, held))}
    before = {at + 1 for at, held in texts.items() if held <= _SIGNS_BEFORE and at + 1 in figures}
    behind = {at for at, held in texts.items() if held <= _SIGNS_BEHIND and at - 1 in figures}
    within = (before | behind) - {0, len(edges) - 1}
    return [edge for at, edge in enumerate(edges) if at not in within]


def _solid(pieces: Sequence[Piece], stray: int) -> list[tuple[float, float]]:
    """Return the spans of x that pieces cover, where gaps that only so many ``stray`` pieces cross part them."""
    turns = sorted([(piece.x0, 1) for piece in pieces] + [(piece.x1, -1) for piece in pieces])
    gap = _COLUMN_GAP * median(piece.size for piece in pieces)
    spans: list[tuple[float, float]] = []
    depth, start = 0, None
    for x, step in turns:
        depth += step
        if depth > stray and start is None:
            start = x
        elif depth <= stray and start is not None:
            if spans and start - spans[-1][1] <= gap:
                spans[-1] = (spans[-1][0], x)
            else:
                spans.append((start, x))
            start = None
    return spans or [(min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces))]


def _meets(row: Line, span: tuple[float, float]) -> bool:
    return any(piece.x0 < span[1] and piece.x1 > span[0] for piece in row.pieces)


def _apart(edges: list[float], pieces: Sequence[Piece]) -> list[float]:
    """Return the edges between which something stands."""
    middles = sorted((piece.x0 + piece.x1) / 2 for piece in pieces)
    kept = edges[:1]
    for edge in edges[1:]:
        if bisect_right(middles, edge) > bisect_right(middles, kept[-1]):
            kept.append(edge)
    return kept


def _banded(lines: Sequence[Line], bands: Sequence[float]) -> list[list[Line]]:
    """Return the lines between each two rules that lie."""
    groups: dict[int, list[Line]] = {}
    for line in lines:
        groups.setdefault(bisect_right(bands, line.y - 0.3 * line.size), []).append(line)
    return list(groups.values())


def _rows_in_band(lines: Sequence[Line], edges: Sequence[float]) -> list[Row]:
    """Return one row, or several where no rule parts them: their lines have cells in most columns, or are no wrapped
    text.
    """
    rows = [_columns(line, edges) for line in lines]
    counts = [sum(map(bool, row)) for row in rows]
    first = min((at for row in rows for at, cell in enumerate(row) if cell), default=0)
    begun = sum(
        bool(row[first]) and count >= max(2, 0.6 * max(counts)) for row, count in zip(rows, counts, strict=True)
    )
    even = len(rows) > 1 and min(counts) == max(counts) > 3
    if even or are_entries(rows, edges) or (begun > 1 and _figure_columns(rows) > (0 if begun >= _SUPPORT else 1)):
        return joined_rows(rows)
    return [[[piece for row in rows for piece in row[column]] for column in range(len(edges) - 1)]]


def _figure_columns(rows: Sequence[Row]) -> int:
    """Return how many columns hold figures; without one, lines beside each other may be two columns of text."""
    columns = ([cell_text(row[at]) for row in rows if row[at]] for at in range(len(rows[0])))
    return sum(sum(bool(NUMERIC.fullmatch(cell)) for cell in cells) * 2 > len(cells) for cells in columns)


def _columns(line: Line, edges: Sequence[float]) -> Row:
    row: Row = [[] for _ in edges[1:]]
    for piece in line.pieces:
        at = bisect_right(edges, min(piece.x0 + piece.size, (piece.x0 + piece.x1) / 2)) - 1
        row[min(max(at, 0), len(row) - 1)].append(piece)
    return row


def _head_columns(line: Line, below: Sequence[Line], edges: Sequence[float]) -> Row:
    """Return the cells of the first line; names that nearly touch are cut at the edges of the cells below."""
    begins = Counter(round(piece.x0) for other in below for piece in other.pieces)
    parts: list[list[Word]] = []
    for piece in line.pieces:
        parts.append([piece.words[0]])
        for word in piece.words[1:]:
            if max(begins[round(word.x0) + step] for step in (-1, 0, 1)) < _SUPPORT:
                parts[-1].append(word)
            else:
                parts.append([word])
    parted = _columns(Line(line.words, pieces=tuple(Piece(tuple(part)) for part in parts)), edges)
    whole = _columns(line, edges)
    return parted if sum(map(bool, parted)) > sum(map(bool, whole)) else whole


def _is_sparse(rows: Sequence[Row]) -> bool:
    """Return whether hardly a row has several cells, as in code with remarks beside it."""
    several = sum(sum(map(bool, row)) > 1 for row in rows)
    return several < 2 or several * _FEWEST_SHARED < len(rows)


def _is_layout(rows: Sequence[Row]) -> bool:
    """Return whether cells hold so much that the grid lays out a page."""
    lengths = [sum(len(piece.text) for piece in cell) for row in rows for cell in row if cell]
    return not lengths or sum(length > _LARGEST_CELL for length in lengths) * 4 > len(lengths)


def _table(rows: Sequence[Row], head: Head, box: tuple[float, float, float, float], titles: Sequence[str]) -> Table:
    height = header_height(rows, head.grid)
    named = [*head.lines, *rows[1:height]] if height else []
    header = [head.names(row) if row is not named[-1] else list(map(cell_text, row)) for row in named]
    texts = [tuple(" ".join(filter(None, parts)) for parts in zip(*header, strict=True))] if height else []
    texts += [tuple(map(cell_text, row)) for row in rows[height:]]
    left, right, top, bottom = box
    bold = height > 0 and all(piece.bold for cell in rows[0] for piece in cell)
    return Table(tuple(titles), tuple(texts), height > 0, bold, left, right, top, bottom)
