"""Which row of a table is its header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise, takewhile, zip_longest

_LONGEST_NAME = 120
_PAIR = 2
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_FACT = re.compile(
    r"(?:(?:about|at\s+least|by|ca\.?|from|max\.?|min\.?|until|up\s+to)\s)?[\W\u00d8]{0,3}(?!(?:19|20)\d\d\b)"
    r"\d[\d.,]{0,20}(?:\s?[\u2013-]\s?\d[\d.,]{0,20})?\s?(?:[^\W\d_]|[%\u00b0])"
    rf"|(?:{_WEEKDAY},?\s)?{_MONTH}\s\d{{1,2}}\b|{_WEEKDAY},?\s\d{{1,2}}\b"
    r"|\d{4}-\d\d?-\d\d?\b|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b",
    re.IGNORECASE,
)
_MOST_REMARKS = 8
_REMARK_WORDS = 4
_MOST_GAPS = 3
"""Empty columns behind which a second table is looked for."""
_MOST_BESIDE = 16
"""Tables that stand beside each other."""
_TOTAL = re.compile(r"(?:grand\s+|sub-?)?(?:sum|total)s?\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?=.{0,40}$)[-+(]?[$€£]?\s?\d[\d.,\s-]*[%$€£)]?")
_UNIT = re.compile(
    r"[$€£%]|[$€£]?\s?['\u2019]?000s?|(?:EUR|USD|GBP|CHF|kg|km|kWh|tons?|tonnes?|hours?|days?)", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+|[%\u00b0]")
_FIGURE_FIRST = re.compile(
    r"(?:(?:above|at\s+(?:least|most)|below|from|(?:fewer|less|more)\s+than|over|under|up\s+to)\s+)?\d", re.IGNORECASE
)
"""How a figure, a range or a bound begins: "5 to 10", "more than 10"."""
_OF_VALUES = re.compile(
    r"(?:(?:unit|list|net|gross|total|hourly|daily|monthly)\s+)?(?:amounts?|charges?|costs?|deadlines?|descriptions?"
    r"|durations?|fares?|fees?|fines?|how\s+(?:long|many|much|often)|meanings?|numbers?|opening\s+hours|penalt(?:y|ies)"
    r"|prices?|quantit(?:y|ies)|rates?|remed(?:y|ies)|salar(?:y|ies)|scores?|shares?|sums?|tariffs?|values?|weights?"
    r"|you\s+(?:get|pay))(?:\s+(?:in|per)\s+\w+)?(?:\s*[(,/][^()]{0,30}\)?)?",
    re.IGNORECASE,
)
"""What a column of values is called."""
YEAR = re.compile(r"(?:FY\s?)?(?:1[5-9]|20|21)\d\d(?:\s?[/\u2013-]\s?(?:\d\d){1,2})?")


def heads_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first of a table's rows, which nothing marks as its header, names the columns.

    Names differ from each other and are no values: no number heads a column of numbers, except for years.
    """
    if len(rows) < 2:
        return False
    used = {index for row in rows for index, cell in enumerate(row) if cell.strip()}
    first = [" ".join(cell.split()) for cell in rows[0]]
    named = [name for name in first if name]
    # The corner above the names of rows may be empty, and so may narrow columns that hold nothing but a sign.
    if len(named) < 2 or len(set(named)) < len(named):
        return False
    if len(named) < len(used) - 1 and not _above_numbers(rows):
        return False
    if begins_with_value(rows) or (len(used) == _PAIR and is_fact(first[-1]) and not _above_numbers(rows)):
        return False
    if sum(":" in name for name in named) * 2 >= len(named) or max(map(len, named)) > _LONGEST_NAME:
        return False  # a form: each of its cells has a name and a value
    return not any(_NUMBER.fullmatch(name) and not YEAR.fullmatch(name) for name in named)


def is_fact(text: str) -> bool:
    """Return whether a text begins with a figure and its unit, such as "76 mm", or with a day: it names no column."""
    return _FACT.match(text) is not None


def begins_with_value(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has one figure, with the units of most figures below it: "2 m 40 cm" above
    "3 m 10 cm".

    Doses and sizes that head columns are several, and have other units than what stands below them.
    """
    at, *others = [index for index, cell in enumerate(rows[0]) if is_fact(cell.strip())] or [0, 0]
    if others or len(rows) <= _PAIR:
        return False
    units = _LETTERS.findall(rows[0][at].lower())
    below = [row[at].strip() for row in rows[1:] if at < len(row) and row[at].strip()]
    return sum(is_fact(cell) and _LETTERS.findall(cell.lower()) == units for cell in below) * 2 > len(below)


def remarks_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows are remarks, scattered over cells, above the one that names all columns; 0 if there is none.

    That one is full, and the next holds a number; remarks leave cells empty, and hold none.
    """
    widest = max((sum(map(bool, row)) for row in rows), default=0)
    for at, (row, below) in enumerate(pairwise(rows[: _MOST_REMARKS + 2])):
        if any(map(_NUMBER.fullmatch, row)):
            return 0
        if sum(map(bool, row)) == widest:
            return at if any(map(_NUMBER.fullmatch, below)) and heads_columns(rows[at:]) else 0
    return 0


def remarks_below(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the end of a table are remarks: several words in the first cell, and no other cell.

    Where most rows are like this, the other cells are only empty: a list of tasks that nobody has taken yet.
    """
    count = sum(1 for _ in takewhile(_is_remark, reversed(rows)))
    is_wide = max((sum(map(bool, row)) for row in rows), default=0) > _PAIR
    return count if is_wide and count <= min(_MOST_REMARKS, len(rows) // 2) else 0


def _is_remark(row: Sequence[str]) -> bool:
    return bool(row) and not any(row[1:]) and len(row[0].split()) >= _REMARK_WORDS


def _above_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether most of what stands below the names is numbers."""
    columns = [index for index, name in enumerate(rows[0]) if index and name.strip()]
    below = [row[index].strip() for row in rows[1:] for index in columns if index < len(row) and row[index].strip()]
    return sum(bool(_NUMBER.fullmatch(value)) for value in below) * 2 > len(below)


def columns_of_numbers(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of the columns in which most cells are numbers."""
    width = max(map(len, rows), default=0)
    columns = ([row[at] for row in rows if at < len(row) and row[at]] for at in range(width))
    return [
        at for at, cells in enumerate(columns) if sum(bool(_NUMBER.fullmatch(cell)) for cell in cells) * 2 > len(cells)
    ]


def is_above_figures(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has no figure, and all others begin with one: "Years | Discount" above "1 | 10%"."""
    begun = [row[0].strip() for row in rows if row]
    return len(begun) > _PAIR and not any(map(_DIGIT.search, rows[0])) and all(map(_FIGURE_FIRST.match, begun[1:]))


def names_values(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second of two cells in the first row names what stands below it: "Dish | Price".

    It is no value of the first one: nothing is called "Price".
    """
    return len(rows) > _PAIR and len(rows[0]) == _PAIR and _OF_VALUES.fullmatch(rows[0][1].strip()) is not None


def joined_header(spread: Sequence[str], cells: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return a header of two rows as one, each name behind that of its group; None if the first row groups no columns.

    Args:
        spread: The first row, what spans several columns repeated in each.
        cells: The first row, what spans several columns in the first of them alone.
        rows: The second row, and those below the header.
    """
    groups = set(filter(None, spread))
    if list(spread) == list(cells) or (len(groups) < 2 and cells[0]) or len(rows) < 2:
        return None
    width = max(len(spread), len(rows[0]))
    padded = [[*row, *[""] * (width - len(row))] for row in (spread, rows[0])]
    if any(over and not (cell or name) for over, cell, name in zip_longest(spread, cells, rows[0], fillvalue="")):
        return None  # what spans the columns is one of them, as wide as the values below it
    names = [tuple(dict.fromkeys(filter(None, pair))) for pair in zip(*padded, strict=True)]
    return (
        [": ".join(each) for each in names] if heads_columns([[" ".join(each) for each in names], *rows[1:]]) else None
    )


def header_with_units(spread: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return a header with the units of its columns, which alone stand in the row below it: "£" below each year.

    None if that row says anything else.

    Args:
        spread: The header, what spans several columns repeated in each.
        rows: The row below it, and further ones.
    """
    if len(rows) < 2 or len(set(filter(None, spread))) < 2:
        return None
    pairs = list(zip_longest(spread, rows[0], fillvalue=""))
    units = [unit for _, unit in pairs if unit]
    are_below = all(name for name, unit in pairs if unit)
    if len(units) < 2 or len(set(units)) > 1 or not are_below or not _UNIT.fullmatch(units[0]):
        return None
    return [": ".join(filter(None, pair)) for pair in pairs]


def tables_beside(rows: Sequence[Sequence[str]]) -> list[slice]:
    """Return the columns of each of the tables that stand beside each other, from the left; all columns if it is one.

    A table that has as many rows as the other may be a part of it that is set apart. Each has a header of its own, and
    begins with a column of names.
    """
    parts: list[slice] = []
    begins = 0
    while len(parts) < _MOST_BESIDE - 1 and (start := _second_table([row[begins:] for row in rows])):
        parts.append(slice(begins, begins + start - 1))
        begins += start
    return [*parts, slice(begins, None)]


def _second_table(rows: Sequence[Sequence[str]]) -> int:
    """Return the column where a table begins beside another one, behind an empty column; 0 if there is none."""
    width = max(map(len, rows), default=0)
    filled = [any(at < len(row) and row[at].strip() for row in rows) for at in range(width)]
    gaps = (
        gap
        for gap in range(_PAIR, width - _PAIR)
        if not filled[gap] and all(filled[gap - _PAIR : gap]) and all(filled[gap + 1 : gap + 1 + _PAIR])
    )
    return next((gap + 1 for gap in islice(gaps, _MOST_GAPS) if _are_tables(rows, gap)), 0)


def _filled_rows(rows: Sequence[Sequence[str]]) -> list[int]:
    return [number for number, row in enumerate(rows) if any(cell.strip() for cell in row)]


def _last_row(rows: Sequence[Sequence[str]], filled: Sequence[int]) -> int:
    """Return the number of the last filled row; that of the one before it if it is a total."""
    is_total = len(filled) > 1 and any(map(_TOTAL.match, rows[filled[-1]][:1]))
    return filled[-2] if is_total else filled[-1]


def _are_tables(rows: Sequence[Sequence[str]], gap: int) -> bool:
    """Return whether both sides of a gap are tables of their own."""
    parts = [[row[:gap] for row in rows], [row[gap + 1 :] for row in rows]]
    sides = [_filled_rows(part) for part in parts]
    if len({_last_row(part, side) for part, side in zip(parts, sides, strict=True)}) == 1:
        return False
    if any(side[-1] - side[0] >= len(side) for side in sides):
        return False
    (top, *_), (start, *_) = sides
    left, right = ([part[at] for at in side] for part, side in zip(parts, sides, strict=True))
    names = [row[0].strip() for row in right[1:] if row]
    is_named = all(names) and len(set(names)) == len(names) and not any(map(_NUMBER.fullmatch, names))
    return abs(top - start) <= 1 and len(right) > _PAIR and len(left) > _PAIR and is_named and heads_columns(right)


def below_header(header: Sequence[str], rows: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Iterator[list[str]]:
    """Yield rows below a header; what spans several of its columns stands in each, where the row has other cells.

    Args:
        header: The names of the columns.
        rows: The cells of each row, and the same with each text over all columns that its cell spans.
    """
    for cells, spread in rows:
        spanned = zip_longest(cells, spread, header, fillvalue="") if sum(map(bool, cells)) > 1 else ()
        yield [each or (over if name else "") for each, over, name in spanned] or list(cells)
