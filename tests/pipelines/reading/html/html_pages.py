"""Pages of HTML for tests, as they are read."""

from __future__ import annotations

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit


def html_page(body: str, head: str = "") -> ParsedDocument:
    """Return what is read of a page with this body and head."""
    document = read(f"<html><head>{head}</head><body>{body}</body></html>".encode(), name="page.html")
    assert_blocks_fit(document)
    return document
