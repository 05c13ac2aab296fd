"""The headings of Markdown text, found by a CommonMark parser."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pipelines.types import Heading

# Parsing costs much and most texts have no heading at all: without such a line there is none.
_CANDIDATE = re.compile(r"^ {0,3}(?:#{1,6}(?:[ \t]|$)|(?:=+|-+)[ \t]*$)", re.MULTILINE)
_KEY = re.compile(r"[ \t]*[\w\"'][^\n:]*:(?:[ \t]|$)")
_ATTRIBUTES = re.compile(r"\{[#.:][^{}]*\}$")
_LONGEST_TITLE = 1000

# The inline rules are needed for titles alone, and take most of the time.
_BLOCKS = MarkdownIt("commonmark").disable("inline")
_BLOCKS_WITHOUT_HTML = MarkdownIt("commonmark").disable(["inline", "html_block"])
_INLINE = MarkdownIt("commonmark")


def markdown_headings(text: str, *, html: bool = True) -> tuple[Heading, ...]:
    """Return the headings of a Markdown text; not those in code, quotes, lists or frontmatter.

    ``html=False`` is for text converted from elsewhere, where a line like ``<!--`` means itself.
    """
    if not _CANDIDATE.search(text):
        return ()
    skipped = frontmatter_end(text)
    body = text[skipped:]
    starts = list(accumulate((len(line) + 1 for line in body.split("\n")), initial=skipped))
    tokens = (_BLOCKS if html else _BLOCKS_WITHOUT_HTML).parse(body)
    found = (_heading(opening, content, starts) for opening, content in pairwise(tokens))
    return tuple(heading for heading in found if heading)


def frontmatter_end(text: str) -> int:
    """Return where the text goes on after leading YAML frontmatter, which may be empty; 0 without any.

    Its closing line would otherwise underline the line above it, and make it a heading.
    """
    if not text.startswith("---"):
        return 0
    lines = text.split("\n")
    closing = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() in ("---", "...")), 0)
    said = [line for line in lines[1:closing] if line.strip()]
    keys = (line for line in said if not line.lstrip().startswith("#"))
    empty = closing and not said
    if lines[0].rstrip() != "---" or not (empty or _KEY.match(next(keys, ""))):
        return 0
    return min(sum(len(line) + 1 for line in lines[: closing + 1]), len(text))


def first_title(headings: tuple[Heading, ...]) -> str | None:
    """Return the first title of level 1."""
    return next((heading.title for heading in headings if heading.level == 1), None)


def _heading(opening: Token, content: Token, starts: list[int]) -> Heading | None:
    if opening.type != "heading_open" or opening.level or not opening.map:
        return None
    title = _ATTRIBUTES.sub("", _plain(content.content[:_LONGEST_TITLE])).rstrip()
    return Heading(int(opening.tag[1]), title, starts[opening.map[0]]) if title else None


def _plain(markdown: str) -> str:
    inline = _INLINE.parseInline(markdown)[0].children or []
    shown = (
        "" if token.type == "html_inline" else token.content or "\n" * token.type.endswith("break") for token in inline
    )
    return " ".join("".join(shown).split())
