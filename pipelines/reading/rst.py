"""reStructuredText, kept as it is written, its headings found by docutils.

The source reads well and quotes verbatim; rendered, it would lose what Sphinx's own directives hold, which docutils
does not know. No directive reads a file here, no raw markup passes, and nothing is reported or printed.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states
from docutils.utils import new_document

from pipelines.reading.headings import first_title
from pipelines.reading.source import Source
from pipelines.types import Heading, ParsedDocument

_SILENT = 5
_SETTINGS = {
    "report_level": _SILENT,
    "halt_level": _SILENT,
    "warning_stream": False,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "syntax_highlight": "none",
}


class _Verbatim(states.Inliner):
    """Leaves roles, references and emphasis as they are: nothing to look up, and nothing to complain of."""

    def init_customizations(self, settings: Any) -> None:
        """Prepare nothing: the patterns would be for inline markup."""

    def parse(self, text: str, lineno: int, memo: Any, parent: Any) -> tuple[list[Any], list[Any]]:
        return [nodes.Text(text)], []


def read(source: Source) -> ParsedDocument:
    """Return the text with its headings; the title is the first of level 1."""
    text = source.text()
    headings = _headings(text)
    return ParsedDocument(text, source.format.media_type, title=first_title(headings), headings=headings)


def _headings(text: str) -> tuple[Heading, ...]:
    settings = get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    document = new_document("", settings)
    Parser(inliner=_Verbatim()).parse(text, document)
    found: list[Heading] = []
    cursor = 0
    for section in document.findall(nodes.section):
        title = section.next_node(nodes.title)
        start = _title_line(text, title.rawsource, cursor) if title is not None else None
        if title is not None and start is not None:
            found.append(Heading(_level(section), " ".join(title.astext().split()), start))
            cursor = start + 1
    return tuple(found)


def _level(section: nodes.section) -> int:
    level, above = 1, section.parent
    while above is not None:
        level += isinstance(above, nodes.section)
        above = above.parent
    return level


def _title_line(text: str, title: str, cursor: int) -> int | None:
    """Return where, at or after the cursor, the underlined line of this title begins."""
    line = rf"^[ \t]*{re.escape(title)}[ \t]*\n([^\w\s])\1*[ \t]*$"
    found = re.compile(line, re.MULTILINE).search(text, cursor)
    return found.start() if found else None
