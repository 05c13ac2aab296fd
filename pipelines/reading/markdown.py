"""Markdown: the text that it shows, its front matter kept apart."""

from __future__ import annotations

from pipelines.reading.draft import Draft
from pipelines.reading.headings import frontmatter_end
from pipelines.reading.rendering import render
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the text that the Markdown shows; the title is the first heading of level 1."""
    text = source.text()
    start = frontmatter_end(text)
    lines = range(text.count("\n", 0, start) + 1, text.count("\n") + 2)
    draft = Draft()
    draft.add_stored(render(text[start:], converted=False, lines=lines))
    frontmatter = "\n".join(text[:start].split("\n")[1:-2])
    return draft.finish(source.format, draft.first_title(), frontmatter=frontmatter)
