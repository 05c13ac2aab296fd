"""MDX: Markdown with components such as ``<Tabs>``, which are taken out and leave the words inside them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from pipelines.reading.markdown.fences import CODE_SPAN, Fences, NumberedLine, content_indent
from pipelines.reading.markdown.holders import Holders, captioned

_SCRIPT = re.compile(
    r"import\s+(?:[\w{*][^\"']*\sfrom\s*)?[\"'][^\"']+[\"'];?\s*|export\s+(?:"
    r"(?:const|let)\s+(?:[\w$]+\s*[=:]|[{\[]).*"
    r"|(?:default\s+)?function\s{0,3}\*?\s{0,3}[\w$]{0,60}\s{0,3}\(.*"
    r"|default\s+(?:[({\[].*|class\b[^{]*\{.*|async\b.*[({].*|[\w$.]+\s*(?:[;(].*|=>.*)?))"
)
_PARAGRAPH_ENDED = re.compile(r"\s*(?:$|[#<{}])")
"""A line that no paragraph goes on behind."""
_LONG_IMPORT = re.compile(r"import\s*\{[^}]*")
_CODE = re.compile(CODE_SPAN)
_TAG_OR_CODE = re.compile(rf"{CODE_SPAN}|<(?P<ends>/?)(?P<name>[A-Z][\w.]{{0,60}})(?=[\s/>]|$)")
_OWN_LINE = re.compile(r"\s*<(/?)([A-Z](?=\w*[a-z])[\w.]{0,60})(?:\s[^>]{0,200})?>\s*")
_SELF_CLOSED = re.compile(r"<[A-Z](?=\w*[a-z])[\w.]{0,60}(?:\s[^<>]{0,200})?/>")
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*\{?(?:\"([^\"]*)\"|'([^']*)')")
_COMMENT_OR_CODE = re.compile(rf"{CODE_SPAN}|\{{/\*.*?\*/\}}")
_LONGEST_TAG = 1500
_MOST_LINES = 40
_NOTES = {
    "note": "note", "tip": "tip", "info": "info", "warning": "warning", "caution": "caution", "danger": "danger",
    "important": "important", "callout": "note", "admonition": "note", "aside": "note",
}  # fmt: skip
_FIELDS = frozenset({"ParamField", "ResponseField", "Property"})
"""Components that describe a parameter, and the attributes that name it."""
_FIELD_NAMES = ("path", "query", "body", "header", "name")

_MARKS = {"check": "Yes", "checkicon": "Yes", "checkmark": "Yes", "cross": "No", "crossicon": "No", "xicon": "No"}
"""Pictures that answer in the cells of tables."""


def is_mdx(lines: Iterable[NumberedLine]) -> bool:
    """Return whether Markdown has lines that import or export, or components that end, as only MDX has.

    A name between angle brackets alone may be a placeholder.
    """
    fences = Fences()
    prose = ["" if fences.inside(line) else line for _, line in lines]
    tags = [found for line in prose if (found := _OWN_LINE.fullmatch(line))]
    begun = {found[2] for found in tags if not found[1]}
    ended = any(found[1] and found[2] in begun for found in tags)
    scripts = (_is_script(line, before) for before, line in pairwise(["", *prose]))
    return ended or any(scripts) or any(_SELF_CLOSED.search(_CODE.sub("", line)) for line in prose)


def without_components(lines: Sequence[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines without components, imports and exports; notes are marked as `directives` expects."""
    fences, expander = Fences(), _Expander(max((number for number, line in lines if "</Step>" in line), default=0))
    for number, line in _whole_tags(_without_scripts(lines)):
        begins_code = not fences.inside("")
        if fences.inside(line):
            yield from ((number, each) for each in expander.code(line, begins=begins_code))
        else:
            yield from ((number, each) for each in expander.shown(_without_comments(line), number))


def _without_scripts(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    fences = Fences()
    until = before = ""
    for number, line in lines:
        if until:
            until = "" if (until == "}" and "}" in line) or (until == " " and not line.strip()) else until
        elif fences.inside(line):
            before = ""
            yield number, line
        elif _is_script(line, before):
            until = " " if line.startswith("export") and not line.rstrip().endswith(";") else ""
        elif _LONG_IMPORT.fullmatch(line):
            until = "}"
        else:
            before = line
            yield number, line


def _is_script(line: str, before: str) -> bool:
    """Return whether a line imports or exports, and does not go on with the paragraph of the line before."""
    return _SCRIPT.fullmatch(line) is not None and _PARAGRAPH_ENDED.match(before) is not None


def _whole_tags(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines, those of a tag that goes over several as one."""
    fences = Fences()
    waiting: list[NumberedLine] = []
    for number, line in lines:
        if not waiting and (fences.inside(line) or not _has_open_tag(line)):
            yield number, line
            continue
        waiting.append((number, line))
        joined = " ".join([waiting[0][1], *(text.strip() for _, text in waiting[1:])])
        if not _has_open_tag(joined):
            yield waiting[0][0], joined
            waiting = []
        elif len(waiting) > _MOST_LINES or len(joined) > _LONGEST_TAG:
            yield from waiting
            waiting = []
    yield from waiting


def _without_comments(line: str) -> str:
    return _COMMENT_OR_CODE.sub(lambda found: found[0] if found[1] else "", line)


def _has_open_tag(line: str) -> bool:
    ends = [end for _, end in _tags(line)]
    return bool(ends) and ends[-1] < 0


def _tags(line: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the tags of a line that stand in no code, each with its end; -1 where it does not end."""
    place = 0
    while found := _TAG_OR_CODE.search(line, place):
        place = found.end()
        if found["name"]:
            end = _tag_end(line, place)
            yield found, end
            place = max(place, end)


def _tag_end(text: str, place: int) -> int:
    """Return where a tag ends whose name ends at the place, -1 where it does not; ``>`` in a value ends nothing."""
    if text.find(">", place, place + _LONGEST_TAG) < 0:
        return -1
    quote, depth = "", 0
    for index in range(place, min(len(text), place + _LONGEST_TAG)):
        sign = text[index]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'`":
            quote = sign
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
        elif sign == ">" and depth <= 0:
            return index + 1
    return -1


class _Expander:
    """Shows one line after the other; ``last_end`` is the number of the last line that ends a step."""

    def __init__(self, last_end: int) -> None:
        self._holders = Holders()
        self._last_end = last_end

    def code(self, line: str, *, begins: bool) -> Iterator[str]:
        """Yield a line of code with its margin; above one that begins it, its title in a group."""
        for each in [*(self._holders.code_title(line) if begins else []), line]:
            yield _inset(each, self._holders.margin)

    def shown(self, line: str, number: int) -> Iterator[str]:
        """Yield the lines that a line with tags shows."""
        column = content_indent(line)
        text, place = "", 0
        for tag, end in _tags(line):
            if end < 0:
                continue
            text += line[place : tag.start()]
            margin = self._holders.margin
            own = self._own_lines(tag, line[tag.end() : end], column, number)
            if line.endswith("/>", 0, end):
                text += _MARKS.get(tag["name"].lower(), "")
            if own:
                yield from ([_inset(text, margin)] if text.strip() else [])
                yield from (_inset(each, margin) for each in own)
                text = " " * column
            place = end
        text += line[place:]
        yield _inset(text, self._holders.margin) if text.strip() or not line.strip() else ""

    def _own_lines(self, tag: re.Match[str], attributes: str, column: int, number: int) -> list[str]:
        """Return the lines that a component is; none where it only holds others, or is part of a line."""
        name, closed = tag["name"], attributes.endswith("/>")
        if tag["ends"]:
            is_holder = self._holders.close(name)
            return [""] if is_holder else _indented(_note(name, {}, "", ends=True), column)
        found = {name: double or single for name, double, single in _ATTRIBUTE.findall(attributes)}
        title = _title(name, found) or self._holders.label(name)
        if name == "Step":
            step = self._holders.step(html.unescape(title), has_end=not closed and number <= self._last_end)
            if step is not None:
                return step
        if not closed:
            self._holders.open(name, attributes, column)
        note = [] if closed else _note(name, found, title, ends=False)
        return _indented(note or (captioned(title) if title else []), column)


def _title(name: str, found: Mapping[str, str]) -> str:
    """Return the title that a component's attributes give it, or the name of the parameter that it describes."""
    title = found.get("title") or found.get("label") or found.get("summary") or ""
    if title or name not in _FIELDS:
        return title
    parameter = next(filter(None, map(found.get, _FIELD_NAMES)), "")
    return f"{parameter} ({found['type']})" if parameter and found.get("type") else parameter


def _note(name: str, found: Mapping[str, str], title: str, *, ends: bool) -> list[str]:
    kind = _NOTES.get(name.lower())
    if kind is None:
        return []
    return ["", ":::", ""] if ends else ["", f":::{found.get('type') or kind} {title}", ""]


def _indented(lines: Sequence[str], column: int) -> list[str]:
    return [f"{' ' * column}{line}" if line else "" for line in lines]


def _inset(line: str, margin: int) -> str:
    return f"{' ' * margin}{line}" if line.strip() else line
