"""AsciiDoc as a person sees it: without markup, with its directives applied within one file.

The libraries for it are in Ruby and JavaScript; those in Python are young, or know a small part. Files that a document
includes are not read: each is a document of its own.
"""

from __future__ import annotations

from pipelines.reading.asciidoc.blocks import Blocks
from pipelines.reading.asciidoc.lines import prepared
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the text; the title is the document's, the author the header's."""
    text = prepared(source.text())
    draft = Draft()
    Blocks(draft, text.attributes).add(text.lines)
    metadata = {name: text.attributes.get(name, "") for name in ("author", "description")}
    return draft.finish(source.format, draft.first_title(), metadata)
