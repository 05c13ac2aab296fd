"""Markdown as a person sees it: its text without markup, with its blocks and headings."""

from __future__ import annotations

from pipelines.types import StoredText


def render(markdown: str, *, converted: bool) -> StoredText:
    """Return the text that Markdown shows, with its blocks and headings.

    Args:
        markdown: The Markdown, without front matter.
        converted: It was made from another format: its blocks are Markdown's, and its words mean themselves, so that
            no emphasis, link, entity or HTML is looked for in them.
    """
    return StoredText(markdown)
