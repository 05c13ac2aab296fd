"""reStructuredText as a person sees it: parsed by docutils, with Sphinx's roles and directives as their words."""

from __future__ import annotations

import re

from docutils import ApplicationError, nodes

from pipelines.reading.draft import Draft
from pipelines.reading.rst.parsing import LONGEST_LINE, parse
from pipelines.reading.rst.rendering import Renderer
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_SERIES = re.compile("[A-Z]{2,6}")
"""The name of a series of numbered documents, such as "PEP"."""
_PARAGRAPH = re.compile(r"(?:^.*\S.*$\n?)+", re.MULTILINE)


def read(source: Source) -> ParsedDocument:
    """Return the text with its blocks and headings.

    The title is that of the first section or of a preamble, such as that of a PEP. A text that docutils cannot parse,
    such as one with lists nested a hundred times, is kept as it is written, in its paragraphs.
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
    title = _take_title(document)
    if title is not None:
        draft.add_heading(1, title.astext(), line=title.line)
    Renderer(document, draft, depth=0 if title is None else 1).add_all(document.children)
    return draft


def _take_title(document: nodes.document) -> nodes.title | None:
    """Take the title out of a preamble, with the number before it; return it as readers know it.

    The title of a section stays where it is, also if the preamble repeats it.
    """
    preamble = next((child for child in document.children if not isinstance(child, nodes.Invisible)), None)
    if not isinstance(preamble, nodes.field_list):
        return None
    said = [(field, field.children[0].astext(), _words_of(field.children[1])) for field in preamble.children]
    titled = next(((field, words) for field, name, words in said if name.lower() == "title" and words), None)
    if titled is None:
        return None
    field, words = titled
    numbered = next((one for one in said if _SERIES.fullmatch(one[1]) and one[2].isdecimal()), None)
    if numbered is None and words.casefold() in _section_titles(document):
        return None
    title = nodes.title("", words if numbered is None else f"{numbered[1]} {numbered[2]} – {words}")
    first = field.next_node(nodes.paragraph)
    title.line = first.line if first is not None else 1
    taken = [field] if numbered is None else [field, numbered[0]]
    preamble.children = [one for one in preamble.children if one not in taken]
    return title


def _words_of(node: nodes.Node) -> str:
    return " ".join(node.astext().split())


def _section_titles(document: nodes.document) -> frozenset[str]:
    sections = (child.next_node(nodes.title) for child in document.children if isinstance(child, nodes.section))
    return frozenset(_words_of(title).casefold() for title in sections if title is not None)


def _as_written(text: str) -> Draft:
    draft = Draft()
    for found in _PARAGRAPH.finditer(text):
        draft.add(found[0].strip(), line=text.count("\n", 0, found.start()) + 1)
    return draft
