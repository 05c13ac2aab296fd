"""Where Markdown's front matter ends, and which heading is a text's title."""

from __future__ import annotations

import re

from pipelines.types import Heading

_KEY = re.compile(r"[ \t]*[\w\"'][^\n:]*:(?:[ \t]|$)")
_PREFACE = 300  # characters
_VERSION = re.compile(r"(?<![\d.])\d+(?:\.\d+)+")


def frontmatter_end(text: str) -> int:
    """Return where the text goes on after leading YAML frontmatter, which may be empty; 0 without any.

    Its closing line would otherwise underline the line above it, and make it a heading.
    """
    if not text.startswith("---"):
        return 0
    lines = text.split("\n")
    closing = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() in ("---", "...")), 0)
    content = [line for line in lines[1:closing] if line.strip()]
    keys = (line for line in content if not line.lstrip().startswith("#"))
    empty = closing and not content
    if lines[0].rstrip() != "---" or not (empty or _KEY.match(next(keys, ""))):
        return 0
    return min(sum(len(line) + 1 for line in lines[: closing + 1]), len(text))


def first_title(headings: tuple[Heading, ...]) -> str | None:
    """Return the first title of level 1; None if it is that of a section.

    It is if others of that level follow, and much text stands above it or the first two name versions, as in a text
    that lists changes.
    """
    titles = [heading for heading in headings if heading.level == 1]
    names_versions = all(_VERSION.search(heading.title) for heading in titles[:2])
    is_of_section = len(titles) > 1 and (titles[0].start > _PREFACE or names_versions)
    return titles[0].title if titles and not is_of_section else None
