"""Markdown of any dialect: the text that it shows, its front matter kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from pipelines.reading.draft import Draft
from pipelines.reading.markdown.directives import without_directives
from pipelines.reading.markdown.extensions import with_abbreviations
from pipelines.reading.markdown.fences import Fences, NumberedLine
from pipelines.reading.markdown.frontmatter import split_frontmatter
from pipelines.reading.markdown.liquid import without_liquid
from pipelines.reading.markdown.mdx import is_mdx, without_components
from pipelines.reading.markdown.myst import is_myst, without_myst
from pipelines.reading.markdown.rendering import render
from pipelines.reading.markdown.shortcodes import without_shortcodes
from pipelines.reading.markdown.substitutions import substitutions_in
from pipelines.reading.markdown.titleblock import split_title_block
from pipelines.reading.markeditems import with_marked_items
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_TABLE = re.compile(r"\s*<table[\s>]", re.IGNORECASE)


def read(source: Source) -> ParsedDocument:
    """Return the text that the Markdown shows; the title is the first heading of level 1."""
    frontmatter, lines = split_frontmatter(source.text())
    block: dict[str, str] = {}
    of_file = not source.guessed
    jsx = of_file and is_mdx(lines)
    if jsx:
        lines = list(without_components(lines))
    if of_file and is_myst(lines):
        lines = list(without_myst(lines))
    elif of_file and not frontmatter:
        block, lines = split_title_block(lines)
    lines = list(without_shortcodes(lines))
    if of_file:
        lines = list(with_abbreviations(without_liquid(lines)))
    shown = list(_with_whole_tables(list(without_directives(lines))))
    draft = Draft()
    markdown = "\n".join(line for _, line in shown)
    numbers = [number for number, _ in shown]
    values = substitutions_in(frontmatter) if of_file else {}
    rendered = render(markdown, lines=numbers, keep_breaks=not of_file, jsx=jsx, values=values)
    draft.add_stored(with_marked_items(rendered))
    if block:
        frontmatter = yaml.safe_dump(block, allow_unicode=True, sort_keys=False)
    return draft.finish(source.format, block.get("title") or draft.first_title(), frontmatter=frontmatter)


def _with_whole_tables(lines: list[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines without the blank ones in HTML's tables: for CommonMark they would end the table."""
    end = max((index for index, (_, line) in enumerate(lines) if "</table" in line.lower()), default=-1)
    fences, inside = Fences(), False
    for index, (number, line) in enumerate(lines):
        code = fences.inside(line)
        if not code and _TABLE.match(line):
            inside = index < end
        if line.strip() or not inside:
            yield number, line
        if "</table" in line.lower():
            inside = False
