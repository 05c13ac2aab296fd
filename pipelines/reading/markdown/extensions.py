"""What MkDocs' extensions add to Markdown: lists of attributes, keys, marked words, abbreviations, notes on code.

The rules for markdown-it touch no code, and no text that is no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from pipelines.reading.markdown.fences import Fences, NumberedLine

LITERAL = "literal"
"""The name in a parser's environment that says that nothing of this is known."""
_ITEM = (
    r"(?:[.#][\w:-]{1,80}|[\w:-]{1,40}=(?:\"[^\"{}\n]{0,200}\"|'[^'{}\n]{0,200}'|[^\s\"'{}=]{1,100})|data-[\w-]{1,60})"
)
ATTRIBUTES = rf"\{{:?[ \t]{{0,4}}{_ITEM}(?:[ \t]{{1,4}}{_ITEM}){{0,10}}[ \t]{{0,4}}\}}"
"""The pattern of a list of attributes, such as ``{ .wide #pier width="3" }``; a template's braces are none."""
_ATTRIBUTES = re.compile(ATTRIBUTES)
_HAVE_ATTRIBUTES = frozenset({"link_close", "image", "code_inline"})
_KEYS = re.compile(r"\+\+([A-Za-z\d-]{1,20}(?:\+[A-Za-z\d-]{1,20}){0,5})\+\+(?![\w+])")
_MARKED = re.compile(r"==(?![\s=])([^\n]{1,300}?)(?<![\s=])==(?![\w=])")
_ABBREVIATION = re.compile(r"[ \t]{0,3}\*\[(\w[^\[\]]{0,80})\]:[ \t]*(\S.*)")
_CODE_NOTE = re.compile(
    r"((?:#|//|--|;|/\*|<!--)[ \t]{0,4}\(\d{1,3}\))!(?=[ \t]{0,4}(?:-->|\*/)?[ \t]{0,40}$)", re.MULTILINE
)


def add_extensions(parser: MarkdownIt) -> None:
    """Teach a parser lists of attributes, keys and marked words."""
    for rule in (_attributes, _keys, _marked):
        parser.inline.ruler.before("escape", rule.__name__, rule)


def with_abbreviations(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines with what abbreviations stand for, ``*[LOA]: Length over all``, as terms and their definitions."""
    fences = Fences()
    for number, line in lines:
        found = None if fences.inside(line) else _ABBREVIATION.fullmatch(line)
        shown = ["", found[1], f":   {found[2]}", ""] if found else [line]
        yield from ((number, each) for each in shown)


def with_plain_notes(code: str) -> str:
    """Return code in which the mark of a note, ``# (1)!``, is the number that it has in the list of notes."""
    return _CODE_NOTE.sub(r"\1", code)


def _attributes(state: StateInline, silent: bool) -> bool:
    """Leave out the attributes right behind a link, a picture or code. A rule for markdown-it."""
    if silent or state.env.get(LITERAL) or state.pending or not state.tokens:
        return False
    if state.tokens[-1].type not in _HAVE_ATTRIBUTES:
        return False
    found = _ATTRIBUTES.match(state.src, state.pos, state.posMax)
    state.pos = found.end() if found else state.pos
    return found is not None


def _keys(state: StateInline, silent: bool) -> bool:
    """Show ``++ctrl+k++`` as "Ctrl+K"; a lone word stays as it is. A rule for markdown-it."""
    found = _found(_KEYS, state)
    if found is None:
        return False
    if not silent:
        keys = found[1].split("+")
        state.pending += "+".join(key.replace("-", " ").title() for key in keys) if len(keys) > 1 else found[1]
    state.pos = found.end()
    return True


def _marked(state: StateInline, silent: bool) -> bool:
    """Show the words between the signs of ``==marked==``. A rule for markdown-it."""
    found = _found(_MARKED, state)
    if found is None:
        return False
    if not silent:
        last, state.pos, state.posMax = state.posMax, found.start(1), found.end(1)
        state.md.inline.tokenize(state)
        state.posMax = last
    state.pos = found.end()
    return True


def _found(pattern: re.Pattern[str], state: StateInline) -> re.Match[str] | None:
    """Return what a pattern finds at a parser's place, unless a word or another sign goes on there."""
    before = state.src[state.pos - 1 : state.pos] if state.pos else ""
    if state.env.get(LITERAL) or before.isalnum() or before in ("_", "{", state.src[state.pos]):
        return None
    return pattern.match(state.src, state.pos, state.posMax)
