"""Headings of plain text: numbered, in capitals, outdented, centred, with stars, or short lines between paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from statistics import fmean
from string import ascii_uppercase
from typing import NamedTuple

from pipelines.reading.marks import mark_of
from pipelines.reading.plain.blocks import margin

_LONGEST_TITLE = 100
_LONGEST_BESIDE_TEXT = 8
"""Words, at most, of a numbered title with text on the next line."""
_WRAPPED = 80
"""Per cent of lines that may be shorter than the column at which lines are wrapped."""
_ROOM = 10
"""Characters that a line lacks at least if it was broken before its end."""
_LEAST_LETTERS = 3
_CENTRED = 8
"""Columns to the right of most lines at which a line counts as centred."""
_SECTION = 400
"""Average characters between titles such as "2. Scope"; between numbered items of a list there are fewer."""
_PROSE = 60
"""Characters, at least, of a paragraph under a title without a number or capitals."""
_ENDS = frozenset('.?!:)"”')
_TAB = 8
_NO_TITLE = re.compile(
    r"[.,:!\-–—_=]$|;|\S {2,}\S|\t| \| |[{}=<>\\|`]|^[$#%>*•]|https?:|\w@\w|^(?:copyright|\(c\)|©)(?!\w)", re.IGNORECASE
)
"""Signs of a sentence, a lead-in, a table row, code, an address or a copyright notice."""
_KEY = re.compile(r"[\w -]{1,30}: ")
_NUMBERED = re.compile(r"(?:§ ?)?(\d{1,2}(?:[A-Z](?=\.\s))?|[A-Z])((?:\.\d{1,2})*)[.)]?[ \t]+(?=[^\W_a-z]|[\"'“(])")
_CALLED = re.compile(
    r"(?:chapter|section|article|part|appendix|annex|schedule|clause)[ \t]+(?:\d{1,3}|[A-Z]|[IVXLC]+)\b", re.IGNORECASE
)
_NUMBER_APART = re.compile(
    r"^(?:(?:\d{1,2}|[A-Z])(?:(?:\.\d{1,2})+\.?|\.)|(?:appendix|section|annex) [A-Z\d]{1,3}[.:]?) {2,3}(?=\S)",
    re.IGNORECASE,
)
"""A number and the blanks behind it, of which RFCs have two."""
_SUBSECTION = re.compile(r"\([1aAi]\)[ \t]+\S")
"""The first of the subsections of a law, or of their paragraphs."""
_STARS = re.compile(r"(\*{1,5}) +(?=[^\W_])")
_LETTERS = ascii_uppercase
_VARIABLE = re.compile(r"[A-Z][A-Z\d_]*")
_FEWEST_SHOUTED = 2
_FEWEST_SECTIONS = 4
"""Of a text that is nothing but sections with indented text; of a list there may be fewer."""
_FEWEST_WORDS = 4
"""Of prose right below a line in capitals; an address has fewer."""
_SENTENCE_END = re.compile(r"[.,:;!?]$")

Style = tuple[Hashable, ...]


class _Line(NamedTuple):
    """A line that is not empty: its text, its column, and its number from 0."""

    shown: str
    column: int
    number: int


class _Numbered(NamedTuple):
    """A line that begins with a number such as "4.1": its first part and how many parts it has."""

    line: _Line
    first: str
    depth: int


def plain_titles(lines: Sequence[str]) -> Mapping[int, Style]:
    """Return the lines that are titles, by their numbers from 0, with their styles. One style is one level.

    Every title has an empty line above it, text below it, and no punctuation at its end. If there is an outline, it
    has all titles.
    """
    written = [_line(line, number) for number, line in enumerate(lines) if line.strip()]
    if outline := _outline(written):
        return outline
    terms = {paragraph[0].number for paragraph in _paragraphs(written) if _begins_with_term(paragraph)}
    alone = {line.number: below for line, below in _alone(written) if line.number not in terms}
    may_be = [line for line in written if line.number in alone and _may_be_title(line.shown)]
    outer = margin(line.column for line in written)
    found: dict[int, Style] = dict(_numbered(may_be, alone, len(lines), written))
    for line in may_be:
        style = found.get(line.number) or _style(line, alone[line.number], outer)
        if style is not None:
            found[line.number] = style
    found.update(dict.fromkeys(_of_whole_text(written), ("numbered", 1)))
    found = _without_terms(found, alone, may_be)
    found.update(_beside_numbers(may_be, alone, found))
    found.update(_between_paragraphs(written, {line.number for line in may_be} - found.keys()))
    if written and found:
        found.update(_title_of_text(written[0], alone, found, outer))
    return dict(sorted(found.items()))


def without_stars(line: str) -> str:
    """Return a title of an outline without its stars."""
    return _STARS.sub("", line, count=1)


def _outline(written: Sequence[_Line]) -> Mapping[int, Style]:
    """Return the titles of an outline, which begin with one star, two, and so on; nothing if the stars mark items.

    A title stands alone, does not end like a sentence, and has text or a deeper title below, which items of a list
    have not. Some titles must have two stars or more, two must have the same number, and the first the fewest.
    """
    depths = {
        line.number: _depth(line.shown)
        for line, below in _alone(written)
        if below.number > line.number + 1 and _begins_section(line, below)
    }
    counts = Counter(depths.values())
    is_nested = len(counts) > 0 and max(counts) > 1 and max(counts.values()) > 1
    if not is_nested or next(iter(depths.values())) > min(counts):
        return {}
    return {number: ("outline", depth) for number, depth in depths.items()}


def _begins_section(line: _Line, below: _Line) -> bool:
    """Return whether a line begins with stars like a title, and the next line does not begin another section."""
    is_title = line.column == 0 and len(line.shown) <= _LONGEST_TITLE and not _SENTENCE_END.search(line.shown)
    return is_title and _depth(line.shown) > 0 and _depth(below.shown) not in range(1, _depth(line.shown) + 1)


def _depth(shown: str) -> int:
    """Return with how many stars a line begins that is a title or an item; 0 for other lines."""
    stars = _STARS.match(shown)
    return len(stars[1]) if stars else 0


def _line(line: str, number: int) -> _Line:
    shown = line.strip()
    return _Line(shown, len(line[: line.index(shown)].expandtabs(_TAB)), number)


def _alone(written: Sequence[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Yield each line that stands alone after an empty line, and the next line."""
    last, next_number = -2, 0
    width, shouts = _width(written), _shouted(written)
    for line, below in pairwise(written):
        beneath = below.number == line.number + 1
        number = _single_number(line)
        follows = number == next_number and _lists_below(line, below)
        if line.number > last + 1 and (not beneath or follows or line in shouts or _heads(line, below, width)):
            yield line, below
            next_number = number + 1 if number else next_number
        last = line.number


def _single_number(line: _Line) -> int:
    """Return the number that a line begins with, such as "5. Keys"; 0 for a letter, or a number of several parts."""
    found = _NUMBERED.match(line.shown)
    return int(found[1]) if found and found[1].isdigit() and not found[2] else 0


def _lists_below(line: _Line, below: _Line) -> bool:
    """Return whether a short line stands above a list whose marks are as far out."""
    mark = mark_of(below.shown)
    is_list = mark is not None and mark.style == "bullet" and below.column <= line.column
    return is_list and len(line.shown.split()) <= _LONGEST_BESIDE_TEXT


def _shouted(written: Sequence[_Line]) -> frozenset[_Line]:
    """Return the short lines in capitals right above prose; none unless several lines in capitals stand below gaps."""
    below_gaps = [
        (line, below)
        for above, line, below in zip([None, *written], written, written[1:], strict=False)
        if _is_shouted(line) and (above is None or line.number > above.number + 1)
    ]
    if len(below_gaps) < _FEWEST_SHOUTED:
        return frozenset()
    return frozenset(line for line, below in below_gaps if _is_text_right_below(line, below))


def _is_shouted(line: _Line) -> bool:
    shown = line.shown
    is_short = len(shown.split()) <= _LONGEST_BESIDE_TEXT
    return is_short and shown.isupper() and shown[0].isalpha() and _may_be_title(shown) and mark_of(shown) is None


def _is_text_right_below(line: _Line, below: _Line) -> bool:
    """Return whether prose that is a sentence of its own stands on the next line, as far in."""
    is_beside = below.number == line.number + 1 and below.column == line.column
    is_sentence = below.shown[0].isupper() and not below.shown.isupper()
    return is_beside and is_sentence and len(below.shown.split()) >= _FEWEST_WORDS


def _width(written: Sequence[_Line]) -> int:
    """Return the column at which most long lines end."""
    ends = sorted(line.column + len(line.shown) for line in written)
    return ends[len(ends) * _WRAPPED // 100] if ends else 0


def _heads(line: _Line, below: _Line, width: int) -> bool:
    """Return whether a line is followed directly by text of its own, not by its continuation.

    Below a single number it has to be text whose first word would have had room on the line.
    """
    is_short = len(line.shown.split()) <= _LONGEST_BESIDE_TEXT
    is_called = _CALLED.match(line.shown) is not None
    if is_short and (is_called or _NUMBERED.match(line.shown)) and _SUBSECTION.match(below.shown):
        return True
    if _NUMBERED.match(line.shown) is None and not (is_called and is_short):
        return below.column > line.column + 1
    is_dotted = re.match(r"\S*\w\.\d", line.shown) is not None
    is_text = below.shown[0].isupper() and mark_of(below.shown) is None
    return (is_dotted or _had_room(line, below, width)) and is_short and is_text


def _had_room(line: _Line, below: _Line, width: int) -> bool:
    """Return whether the first word of the next line would have had room on a line."""
    return line.column + len(line.shown) + _ROOM + len(below.shown.split()[0]) <= width


def _may_be_title(shown: str) -> bool:
    letters = sum(map(str.isalpha, shown[:_LONGEST_TITLE]))
    is_long = len(shown) > _LONGEST_TITLE
    return letters >= _LEAST_LETTERS and not is_long and _NO_TITLE.search(_NUMBER_APART.sub("", shown, 1)) is None


def _begins_with_term(paragraph: Sequence[_Line]) -> bool:
    """Return whether the first line is one of several in its column, each with text indented directly below it."""
    column = paragraph[0].column
    are_above = [below.column > column + 1 for line, below in pairwise(paragraph) if line.column == column]
    is_outermost = all(line.column >= column for line in paragraph) and paragraph[-1].column > column
    return is_outermost and len(are_above) > 1 and all(are_above) and _NUMBERED.match(paragraph[0].shown) is None


def _numbered(
    may_be: Sequence[_Line], alone: Mapping[int, _Line], end: int, written: Sequence[_Line]
) -> Iterator[tuple[int, Style]]:
    """Yield titles that begin with a number or with words such as "Chapter 2"."""
    numbered = []
    for line in may_be:
        if _CALLED.match(line.shown):
            yield line.number, ("called",)
        elif number := _NUMBERED.match(line.shown):
            numbered.append(_Numbered(line, number[1], 1 + number[2].count(".")))
    dotted = [one for one in numbered if one.depth > 1 and not _is_followed(one, alone)]
    yield from ((one.line.number, ("numbered", one.depth)) for one in dotted)
    single = _single(numbered)
    parents = {one.first for one in dotted} & {one.first for one in single}
    are_of_law = sum(_SUBSECTION.match(alone[one.line.number].shown) is not None for one in single) * 2 >= len(single)
    are_shouted = all(one.line.shown.isupper() for one in single)
    is_plain = parents or are_of_law or are_shouted
    are_titles = is_plain or _are_flush(single, alone, written) or _are_sections(single, end, written)
    if len(single) > 1 and are_titles:
        yield from ((one.line.number, ("numbered", 1)) for one in single)


def _is_followed(one: _Numbered, alone: Mapping[int, _Line]) -> bool:
    """Return whether the next line has a number of the same depth: both are items of a list."""
    below = _NUMBERED.match(alone[one.line.number].shown)
    return below is not None and 1 + below[2].count(".") == one.depth


def _single(numbered: Sequence[_Numbered]) -> list[_Numbered]:
    """Return the outermost lines with a single number; none if their numbers do not rise."""
    single = [one for one in numbered if one.depth == 1]
    furthest = min((one.line.column for one in single), default=0)
    single = [one for one in single if one.line.column == furthest]
    orders = [(one.first.isalpha(), int(one.first.rstrip(_LETTERS) or 0), one.first[-1]) for one in single]
    return single if all(before < behind for before, behind in pairwise(orders)) else []


def _are_flush(single: Sequence[_Numbered], alone: Mapping[int, _Line], written: Sequence[_Line]) -> bool:
    """Return whether no text is indented under its line, as it is under a list item, and no lead-in precedes."""
    first = single[0].line.number
    before = next((line.shown for line in reversed(written) if line.number < first), "")
    return not before.endswith(":") and all(alone[one.line.number].column <= one.line.column for one in single)


def _are_sections(single: Sequence[_Numbered], end: int, written: Sequence[_Line]) -> bool:
    """Return whether the lines are far enough apart to be titles of sections."""
    bounds = [*(one.line.number for one in single), end]
    lengths = [sum(len(line.shown) for line in written if a < line.number < b) for a, b in pairwise(bounds)]
    return fmean(lengths) >= _SECTION


def _of_whole_text(written: Sequence[_Line]) -> Sequence[int]:
    """Return short numbered lines that have most of a text indented below them, as minutes and warranties are written.

    Their numbers rise from 1, and no lead-in precedes.
    """
    width = _width(written)
    numbered = [
        (at, line)
        for at, (line, below) in enumerate(pairwise(written))
        if _single_number(line) and _may_be_title(line.shown) and _is_above_indented(line, below, width)
    ]
    if [_single_number(line) for _, line in numbered] != list(range(1, len(numbered) + 1)):
        return ()
    if len(numbered) < _FEWEST_SECTIONS or (numbered[0][0] and written[numbered[0][0] - 1].shown.endswith(":")):
        return ()
    titles, outer = [line.number for _, line in numbered], numbered[0][1].column
    within = takewhile(lambda line: line.column > outer or line.number in titles, written[numbered[0][0] :])
    lines = list(within)
    is_most = len(lines) * 2 > len(written) and titles[-1] <= lines[-1].number
    return titles if is_most else ()


def _is_above_indented(line: _Line, below: _Line, width: int) -> bool:
    is_short = len(line.shown.split()) <= _LONGEST_BESIDE_TEXT
    is_above = below.number == line.number + 1 and below.column > line.column + 1
    return is_short and is_above and _had_room(line, below, width)


def _style(line: _Line, below: _Line, outer: int) -> Style | None:
    """Return the style of a title in capitals or outdented; None for other lines."""
    if mark_of(line.shown) or _KEY.match(line.shown):
        return None
    is_above_name = below.column > line.column + 1 and _VARIABLE.fullmatch(below.shown) is not None
    if line.shown.isupper() and line.shown[0].isalpha() and (is_above_name or not below.shown.isupper()):
        return ("capitals",)
    is_outside = line.column < outer and below.column >= line.column and line.shown[0].isupper()
    return ("outside", line.column) if is_outside else None


def _without_terms(found: Mapping[int, Style], alone: Mapping[int, _Line], may_be: Sequence[_Line]) -> dict[int, Style]:
    """Return titles without the names in capitals that are further in than others and stand right above their text."""
    columns = {line.number: line.column for line in may_be if found.get(line.number) == ("capitals",)}
    outermost = min(columns.values(), default=0)
    terms = {at for at, column in columns.items() if column > outermost + 1 and alone[at].number == at + 1}
    return {at: style for at, style in found.items() if at not in terms}


def _beside_numbers(
    may_be: Sequence[_Line], alone: Mapping[int, _Line], found: Mapping[int, Style]
) -> Mapping[int, Style]:
    """Return outdented titles in the column of numbered ones, such as "Abstract", as titles of the same level.

    If one stands right above a numbered title, they are parts of the text, and the numbered titles are in them.
    """
    numbered = {line.column: ("numbered", 1) for line in may_be if found.get(line.number) == ("numbered", 1)}
    beside = [
        line.number for line in may_be if found.get(line.number) == ("outside", line.column) and line.column in numbered
    ]
    return {} if any(alone[at].number in found for at in beside) else dict.fromkeys(beside, ("numbered", 1))


def _between_paragraphs(written: Sequence[_Line], may_be: Collection[int]) -> Mapping[int, Style]:
    """Return short lines between paragraphs, each above a long one. A single one is ignored: it may be a greeting."""
    paragraphs = list(_paragraphs(written))
    found = {}
    for before, (line, *more), below in zip([[], *paragraphs], paragraphs, paragraphs[1:], strict=False):
        is_short = not more and line.number in may_be and len(line.shown.split()) <= _LONGEST_BESIDE_TEXT
        is_free = not (mark_of(line.shown) or _KEY.match(line.shown) or ". " in line.shown) and line.shown[0].isupper()
        is_between = not before or before[-1].shown[-1] in _ENDS or before[-1].number in found
        if is_short and is_free and is_between and below[0].column == line.column and _is_prose(below):
            found[line.number] = ("between",)
    return found if len(found) > 1 else {}


def _paragraphs(written: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Yield the lines between empty lines."""
    paragraph: list[_Line] = []
    for line in written:
        if paragraph and line.number > paragraph[-1].number + 1:
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _is_prose(paragraph: Sequence[_Line]) -> bool:
    """Return whether a paragraph is long and ends like a sentence, or leads into a list."""
    first, last = paragraph[0].shown, paragraph[-1].shown
    length = sum(len(line.shown) for line in paragraph)
    return first[0].isupper() and (last[-1] == ":" or (last[-1] in _ENDS and length >= _PROSE))


def _title_of_text(
    first: _Line, alone: Mapping[int, _Line], found: Mapping[int, Style], outer: int
) -> Mapping[int, Style]:
    """Return the title of the text, if its first line stands alone or is centred; else nothing."""
    is_title = first.number in alone and _may_be_title(first.shown) and not _KEY.match(first.shown)
    if not is_title or mark_of(first.shown) or first.number in found:
        return {}
    below = alone[first.number]
    centred = first.column >= outer + _CENTRED
    return {first.number: ("whole",)} if centred or below.number > first.number + 1 else {}
