"""Pandoc's title block, up to three lines behind ``%``, as front matter: manual pages in Markdown begin with one."""

from __future__ import annotations

import re

from pipelines.reading.markdown.fences import NumberedLine

_FIELDS = ("title", "author", "date")
_MANUAL = re.compile(r"(\S{1,80})(?:\s+|\s?\()(\d[a-z]{0,4})\)?(?:\s.*)?$")
"""A manual page and its section, and what its head and foot say: "lamp-trim 1", "LAMP(5) Lamp Manual"."""
_NAME = re.compile(r"#{1,3}\s+(?:NAME|Name)\s*$")
_WITHIN = 12
"""Lines within which a manual page has the heading of its name."""


def split_title_block(lines: list[NumberedLine]) -> tuple[dict[str, str], list[NumberedLine]]:
    """Return the title, author and date of the title block, if there is one, and the lines behind it.

    A blank line or a heading ends it. The title of a manual page is its name with its section, as in "lamp-trim(1)".
    """
    fields: list[str] = []
    end = 0
    for _, line in lines[: _WITHIN + 1]:
        if line.startswith("%") and (line[1:2].isspace() or line == "%") and len(fields) < len(_FIELDS):
            fields.append(line[1:].strip())
        elif fields and line[:1] == " " and line.strip():
            fields[-1] = f"{fields[-1]} {line.strip()}"
        else:
            break
        end += 1
    behind = lines[end][1] if end < len(lines) else ""
    if not fields or not fields[0] or (behind.strip() and not behind.startswith("#")):
        return {}, lines
    page = _MANUAL.match(fields[0])
    if page and any(_NAME.match(line) for _, line in lines[end : end + _WITHIN]):
        fields[0] = f"{page[1]}({page[2]})"
    return {name: value for name, value in zip(_FIELDS, fields, strict=False) if value}, lines[end:]
