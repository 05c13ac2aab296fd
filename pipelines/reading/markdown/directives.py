"""Notes and tabs as programs for documentation write them, turned into plain Markdown.

MkDocs writes ``!!! note`` and indents, Docusaurus and others ``:::note``; both become quotes that begin with
``[!NOTE]``, as GitHub writes them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.reading.markdown.fences import Fences, NumberedLine

_INDENTED = re.compile(r"(\s*)(?:!!!|\?\?\?\+?)\s+([\w-]+)(?:[^\w\"-][^\"]*)?(?:\"([^\"]*)\")?")
_TAB = re.compile(r"(\s*)===[!+]?\s+\"([^\"]+)\"\s*")
_COLONS = re.compile(r"(\s*):{3,}\s*(?:\{([^{}]*)\}|([\w-]+))\s*(?:\{[^{}]*\})?(?:\[([^\[\]]*)\]|(.*))")
_END = re.compile(r"\s*:{3,}\s*")
_CLASS = re.compile(r"[.]?(?:callout-)?([A-Za-z]\w*)")
_SNIPPET = re.compile(r"\s*-{1,3}8<-{1,3}\s.*")
"""Stands for a part of another file, also in code."""
_OF_SOURCE = re.compile(r"\s*:{3}\s+(?:[A-Za-z_]\w*(?:\.\w+)+|mkdocs-[\w-]+)\s*")
"""Stands for what the source code says of a module."""
_ICON = re.compile(r":(?:fontawesome|material|octicons|simple)-[\w-]{1,60}:(?:\{[^{}\n]{0,80}\})?[ \t]*")
_INSET = 4
_DEEPEST = 8
_NOTE_NAMES = (
    "note tip info important warning caution danger attention hint error bug example abstract summary success"
    " question failure seealso notice"
)
NOTES = frozenset(_NOTE_NAMES.split())
"""The names of notes."""


@dataclass(frozen=True, slots=True)
class _Container:
    """A note or a tab that is open: where it stands, and how its lines are recognised.

    ``inset``: they are indented, and the first that is not ends it; otherwise a line of colons does.
    """

    column: int
    inset: bool
    quoted: bool


def without_directives(lines: Sequence[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines in which notes are quotes and tabs are titled."""
    fences = Fences()
    ends = max((index for index, (_, line) in enumerate(lines) if _END.fullmatch(line)), default=-1)
    opened: list[_Container] = []
    for index, (number, written) in enumerate(lines):
        line = "" if _SNIPPET.fullmatch(written) else written
        while _is_left(line, opened):
            opened.pop()
            yield number, _quoted("", opened)
        bare = _dedented(line, opened)
        if fences.inside(bare):
            yield number, _quoted(bare, opened)
        elif _END.fullmatch(bare) and any(not each.inset for each in opened):
            while opened.pop().inset:
                pass
            yield number, _quoted("", opened)
        else:
            said = "" if _OF_SOURCE.fullmatch(bare) else _ICON.sub("", bare)
            yield from ((number, each) for each in _opening(said, opened, has_end=index < ends))


def _opening(line: str, opened: list[_Container], *, has_end: bool) -> list[str]:
    """Return what a line shows; it may open a note or a tab."""
    ended = line.rstrip()
    tab, indented = _TAB.fullmatch(line), _INDENTED.fullmatch(ended)
    colons = _COLONS.fullmatch(ended) if has_end else None
    if tab and len(opened) < _DEEPEST:
        shown = [_quoted("", opened), _quoted(f"{tab[1]}<figcaption>{html.escape(tab[2])}</figcaption>", opened)]
        opened.append(_Container(len(tab[1]), inset=True, quoted=False))
        return [*shown, _quoted("", opened)]
    if len(opened) >= _DEEPEST:
        return [_quoted(line, opened)]
    if indented:
        return _note(indented[2], indented[3] or "", _Container(len(indented[1]), inset=True, quoted=True), opened)
    if colons:
        name = _CLASS.search(colons[2] or colons[3])
        kind, title = name[1].lower() if name else "", (colons[4] or colons[5] or "").strip(' "')
        return _note(kind, title, _Container(len(colons[1]), inset=False, quoted=kind in NOTES), opened)
    return [_quoted(line, opened)]


def _note(kind: str, title: str, container: _Container, opened: list[_Container]) -> list[str]:
    indent = " " * container.column
    before = _quoted("", opened)
    opened.append(container)
    head = f"{indent}[!{kind.replace('-', '_')[:20]}] {title}" if container.quoted else f"{indent}{title}"
    return [before, _quoted(head, opened), _quoted("", opened)]


def _is_left(line: str, opened: Sequence[_Container]) -> bool:
    """Return whether a line stands further left than what is indented must."""
    if not opened or not opened[-1].inset or not line.strip():
        return False
    return _column(line) < opened[-1].column + _INSET * sum(each.inset for each in opened)


def _column(line: str) -> int:
    expanded = line.expandtabs(_INSET)
    return len(expanded) - len(expanded.lstrip(" "))


def _dedented(line: str, opened: Sequence[_Container]) -> str:
    """Return a line without the indentation that only tells what it belongs to."""
    inset = _INSET * sum(each.inset for each in opened)
    expanded = line.expandtabs(_INSET) if inset and line[:1].isspace() else line
    return expanded[min(inset, _column(expanded)) :]


def _quoted(line: str, opened: Sequence[_Container]) -> str:
    """Return a line with the signs of the notes around it, each where its note stands."""
    for container in reversed(opened):
        if container.quoted:
            column = min(container.column, _column(line)) if line.strip() else container.column
            line = f"{line[:column] if line.strip() else ' ' * column}> {line[column:]}".rstrip()
    return line
