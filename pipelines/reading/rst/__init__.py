"""reStructuredText as a person sees it: parsed by docutils, with Sphinx's roles and directives as their words."""

from __future__ import annotations

import re

from docutils import ApplicationError, nodes

from pipelines.reading.draft import Draft
from pipelines.reading.rst.parsing import LONGEST_LINE, parse
from pipelines.reading.rst.rendering import Renderer
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_PARAGRAPH = re.compile(r"(?:^.*\S.*$\n?)+", re.MULTILINE)


def read(source: Source) -> ParsedDocument:
    """Return the text with its blocks and headings.

    The title is that of the first section; of a PEP its number and title. A text that docutils cannot parse, such as
    one with lists nested a hundred times, is kept as it is written, in its paragraphs.
    """
    text = source.text()
    try:
        draft = _rendered(text)
    except (RecursionError, ApplicationError):
        draft = _as_written(text)
    return draft.finish(source.format, draft.first_title())


def _rendered(text: str) -> Draft:
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        return _as_written(text)
    draft = Draft()
    document = parse(text)
    title = _take_pep_title(document)
    if title is not None:
        draft.add_heading(1, title.astext(), line=title.line)
    Renderer(document, draft, depth=0 if title is None else 1).add_all(document.children)
    return draft


def _take_pep_title(document: nodes.document) -> nodes.title | None:
    """Take the number and the title out of a PEP's preamble; return the title as readers know it."""
    preamble = document.children[0] if document.children else None
    if not isinstance(preamble, nodes.field_list):
        return None
    fields = {field.children[0].astext().lower(): field for field in preamble.children}
    if not {"pep", "title"} <= fields.keys():
        return None
    number, words = (fields[name].children[1].astext() for name in ("pep", "title"))
    preamble.children = [field for field in preamble.children if field not in (fields["pep"], fields["title"])]
    title = nodes.title("", f"PEP {number} – {words}")
    first = fields["title"].next_node(nodes.paragraph)
    title.line = first.line if first is not None else 1
    return title


def _as_written(text: str) -> Draft:
    draft = Draft()
    for found in _PARAGRAPH.finditer(text):
        draft.add(found[0].strip(), line=text.count("\n", 0, found.start()) + 1)
    return draft
