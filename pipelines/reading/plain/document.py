"""Plain text, kept as it is except for titles' rules, drawn tables, divided words, and heads and feet of pages.

A line that begins with # is no heading here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from pipelines.reading.plain.blocks import document_blocks
from pipelines.reading.plain.columns import with_cells
from pipelines.reading.plain.drawn import with_drawn_cells
from pipelines.reading.plain.hyphens import with_whole_words
from pipelines.reading.plain.pages import without_running_lines
from pipelines.reading.plain.titles import Style, plain_titles, without_stars
from pipelines.reading.source import Source
from pipelines.types import Heading, ParsedDocument

_RULE = re.compile(r"([=\-~^*#+_])\1{2,}[ \t]*")
_LONGEST_TITLE = 100
_OFF = 3
"""By how many characters a rule may be shorter or longer than its title."""


def read(source: Source) -> ParsedDocument:
    """Return the text with its blocks and headings, without the rules of titles and tables and the
    running lines of pages, with marks between table cells and with divided words joined.
    """
    lines = without_running_lines(source.text().split("\n"))
    lines, drawn = with_drawn_cells(with_whole_words(lines))
    lines, aligned = with_cells(lines)
    lines, levels = _with_titles(lines)
    text = "\n".join(lines)
    blocks = document_blocks(text, levels, [*drawn, *aligned])
    headings = tuple(
        Heading(block.level, " ".join(text[block.span.start : block.span.end].split()), block.span.start)
        for block in blocks
        if block.kind == "heading"
    )
    title = headings[0].title if headings and blocks[0].kind == "heading" else None
    return ParsedDocument(text, source.format.media_type, title, headings=headings, blocks=blocks)


def _with_titles(lines: list[str]) -> tuple[list[str], dict[int, int]]:
    """Return the lines without the rules and stars of titles, and the level of each title by its offset in the text.

    If any title is underlined, only underlined lines are titles; if that of the text alone is, those below it are not.
    Levels follow the order in which the styles appear.
    """
    lines = list(lines)
    underlined = dict(_titles(lines))
    for title, (_, overlined) in underlined.items():
        lines[title + 1] = ""
        lines[title - 1] = "" if overlined else lines[title - 1]
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    styles: Mapping[int, Style] = underlined
    if not underlined.keys() - {first}:
        styles = dict(sorted({**plain_titles(lines), **underlined}.items()))
    order = list(dict.fromkeys(styles.values()))
    lines = [without_stars(line) if number in styles else line for number, line in enumerate(lines)]
    levels, place = {}, 0
    for number, line in enumerate(lines):
        if number in styles:
            levels[place + len(line) - len(line.lstrip())] = order.index(styles[number]) + 1
        place += len(line) + 1
    return lines, levels


def _titles(lines: list[str]) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Yield the number of each line that is a title, with the sign of its rule and whether there is one above too."""
    for number, (line, below) in enumerate(pairwise(lines)):
        rule = _RULE.fullmatch(below)
        if rule is None or not _may_be_title(line, len(below.rstrip())):
            continue
        above = lines[number - 1].strip() if number else ""
        overlined = above == below.strip()
        if not above or overlined:
            yield number, (rule[1], overlined)


def _may_be_title(line: str, width: int) -> bool:
    """Return whether a line above a rule of that width is a title, and no sentence, rule or row of a table."""
    shown = line.strip()
    words = re.search(r"[^\W_]", shown) is not None and len(shown) <= _LONGEST_TITLE
    return words and abs(len(line.rstrip()) - width) <= _OFF and re.search(r" {2,}|\t| \| |[,;]$", shown) is None
