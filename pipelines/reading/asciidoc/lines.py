"""The lines of AsciiDoc that are text: conditions decided, attributes read, comments and inclusions left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipelines.reading.asciidoc.titles import with_titles_in_one_line

_CONDITION = re.compile(r"(ifdef|ifndef|ifeval)::([^\[\]]{0,200})\[(.{0,500})\]\s*$")
_END = re.compile(r"endif::")
_ATTRIBUTE = re.compile(r":(!?[\w][\w-]{0,80}!?):(?:\s+(.*))?$")
_DROPPED = re.compile(r"(?:include|toc|asciimath|docinfo)::\S{0,500}\[.{0,500}\]\s*$")
_VERBATIM = re.compile(r"(?:-{4,}|\.{4,}|`{3}\S{0,30}|\+{4,})$")
_COMMENT_BLOCK = re.compile(r"/{4,}$")
_TITLE = re.compile(r"[=#]\s+\S")
_AUTHOR = re.compile(r"[^\W\d]\S{0,80}(?: \S{1,80}){0,3}(?: <[^<>]{1,200}>)?(?:;.{0,500})?$")
_REVISION = re.compile(r"v?\d[\d.]{0,20}\b.{0,200}$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its number in the file, from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """The lines that are text, and the attributes that the file sets."""

    lines: list[Line]
    attributes: dict[str, str] = field(default_factory=dict)


def prepared(text: str) -> Prepared:
    """Return the lines of a file and its attributes; one that is set twice has its first value throughout."""
    attributes: dict[str, str] = {}
    lines = list(with_titles_in_one_line(text.split("\n")))
    body = list(_without_header(list(_kept(lines, attributes)), attributes))
    return Prepared(body, attributes)


def _kept(lines: list[str], attributes: dict[str, str]) -> Iterator[Line]:
    conditions: list[bool] = []
    fence = comment = ""
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip()
        if comment:
            comment = "" if line == comment else comment
        elif fence:
            if not line.startswith(("include::", "ifdef::", "ifndef::", "endif::")):
                yield Line(number, line)
            fence = "" if line == fence else fence
        elif _COMMENT_BLOCK.match(line):
            comment = line
        elif not _is_directive(line, conditions, attributes) and all(conditions):
            yield Line(number, line)
            fence = ("```" if line.startswith("```") else line) if _VERBATIM.match(line) else ""


def _is_directive(line: str, conditions: list[bool], attributes: dict[str, str]) -> bool:
    """Return whether a line is no text; conditions and attributes are kept."""
    condition = _CONDITION.match(line)
    if condition:
        kind, names, words = condition.groups()
        if kind == "ifeval" or not words:  # with words it holds these alone
            known = any(name in attributes for name in re.split("[,+]", names))
            conditions.append(kind == "ifeval" or known == (kind == "ifdef"))
        return True
    if _END.match(line):
        if conditions:
            conditions.pop()
        return True
    attribute = _ATTRIBUTE.match(line)
    if attribute and "!" not in attribute[1] and all(conditions):
        attributes.setdefault(attribute[1].lower(), (attribute[2] or "").removesuffix("\\").strip())
    is_comment = line.startswith("//") and not line.startswith("///")
    return attribute is not None or is_comment or _DROPPED.match(line) is not None


def _without_header(lines: list[Line], attributes: dict[str, str]) -> Iterator[Line]:
    """Yield the lines without the author and the revision, which stand right below the title."""
    first = next((index for index, line in enumerate(lines) if line.text), len(lines))
    yield from lines[: first + 1]
    rest = lines[first + 1 :]
    if first < len(lines) and _TITLE.match(lines[first].text) and rest and _AUTHOR.match(rest[0].text):
        attributes.setdefault("author", re.split("[<;]", rest[0].text)[0].strip())
        rest = rest[2:] if len(rest) > 1 and _REVISION.match(rest[1].text) else rest[1:]
    yield from rest
