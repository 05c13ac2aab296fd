"""MyST: Markdown with Sphinx's directives, roles and labels, as what they show.

Notes become ``:::note`` and ``:::``, which `directives` knows; labels and comments go; a role leaves its words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipelines.reading.markdown.directives import NOTES
from pipelines.reading.markdown.fences import CODE_SPAN, Fences, NumberedLine
from pipelines.reading.prompts import are_typed
from pipelines.reading.rst.roles import last_part, readable, words

_OPENING = re.compile(r"([ \t>]*)(`{3,}|~{3,}|:{3,})\s*\{([A-Za-z][\w:.+-]{0,60})\}[ \t]*(.*?)[ \t]*")
_CODE_OR_ROLE = re.compile(
    rf"{CODE_SPAN}|\{{(?P<name>[a-z][\w:.+-]{{0,40}})\}}(?P<ticks>`+)(?!`)(?P<text>.{{1,400}}?)(?<!`)(?P=ticks)(?!`)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[ \t]*\(([\w:.+/ -]{1,100})\)=[ \t]*")
_HEADING = re.compile(r"#{1,6} +(.*?)[ #]*")
_NO_WORDS = re.compile(r"(?<!!)\[\]\(([^()\s]{1,200})\)")
_OPTION = re.compile(r"[ \t]*:([\w-]+):(?: +(.*))?")
_COMMENT = re.compile(r"[ \t]*(?:%(?: .*)?|\+\+\+.*)")
_EMPHASIS = re.compile(r"(\*\*|__|[*_`])(.+?)\1")
_LIST_ROW = re.compile(r"[ \t]*[*-][ \t]+[*-](?:[ \t]+(.*))?")
_LIST_CELL = re.compile(r"[ \t]+[*-](?:[ \t]+(.*))?")
_CODE_NAMES = (
    "code code-block code-cell sourcecode parsed-literal prompt doctest testcode ipython math mermaid graphviz console"
    " highlight"
)
_CODE = frozenset(_CODE_NAMES.split())
_ELSEWHERE_NAMES = (
    "toctree contents include literalinclude eval-rst image bibliography index raw currentmodule module"
    " tableofcontents autosummary only iframe video comment meta testsetup testcleanup"
)
_ELSEWHERE = frozenset(_ELSEWHERE_NAMES.split())
_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
_TITLED_NAMES = "admonition tab-item tab dropdown card grid-item-card table list-table details"
_TITLED = frozenset(_TITLED_NAMES.split())
_KNOWN = NOTES | _VERSIONS.keys() | _TITLED
"""Directives that hold prose. One of another name holds code if that is typed at a prompt."""


@dataclass(frozen=True, slots=True)
class _Directive:
    """A directive that is open: the fence around it, its name and title, and where it stands."""

    fence: str
    name: str
    title: str
    indent: str


def is_myst(lines: Iterable[NumberedLine]) -> bool:
    """Return whether Markdown has a directive, a label or a role as MyST writes them."""
    fences = Fences()
    for _, line in lines:
        if _OPENING.fullmatch(line) or (not fences.inside(line) and (_LABEL.fullmatch(line) or _has_role(line))):
            return True
    return False


def _has_role(line: str) -> bool:
    return any(found["name"] for found in _CODE_OR_ROLE.finditer(line))


def without_myst(lines: Sequence[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines in which directives, roles and labels are what they show."""
    titles = _titles(lines)
    at = 0
    fences = Fences()
    while at < len(lines):
        number, line = lines[at]
        opening = None if fences.inside(line) and not _OPENING.fullmatch(line) else _OPENING.fullmatch(line)
        end = _end(lines, at, opening[2]) if opening else at
        if opening and end > at:
            fences = Fences()
            directive = _Directive(opening[2], last_part(opening[3]), opening[4], opening[1])
            yield from _shown(directive, number, lines[at + 1 : end], titles)
            at = end
        elif not fences.inside("") and (_LABEL.fullmatch(line) or _COMMENT.fullmatch(line)):
            yield number, ""
        elif fences.inside(""):
            yield number, line
        else:
            yield number, _inline(line, titles)
        at += 1


def _end(lines: Sequence[NumberedLine], at: int, fence: str) -> int:
    """Return the index of the line that closes a fence; that of the opening one where none does."""
    depth = 0
    for index in range(at + 1, len(lines)):
        bare = lines[index][1].strip(" \t>")
        if bare.startswith(fence) and not bare.strip(fence[0]):
            if not depth:
                return index
            depth -= 1
        elif fence[0] == ":" and bare.startswith(fence + "{"):  # colons may nest without being longer
            depth += 1
    return at


def _shown(
    directive: _Directive, number: int, lines: Sequence[NumberedLine], titles: Mapping[str, str]
) -> Iterator[NumberedLine]:
    """Yield the lines that a directive shows; ``lines`` are those inside it."""
    name, indent = directive.name, directive.indent
    options, inside = _without_options(lines)
    if name in _ELSEWHERE or name.startswith("auto"):
        yield number, ""
    elif name in _CODE or (name not in _KNOWN and are_typed(line for _, line in inside)):
        yield number, f"{indent}{'`' * 8}{'' if name == 'math' else directive.title}"
        yield from inside
        yield (inside[-1][0] if inside else number), f"{indent}{'`' * 8}"
    elif name in NOTES or name in _VERSIONS:
        yield from _note(directive, number, list(without_myst(inside)))
    elif name == "list-table":
        yield from _caption(directive.title, indent, number)
        yield from _table(inside, options, indent, titles)
    else:
        title = directive.title if name in _TITLED else ""
        yield from _caption(title, indent, number)
        yield from without_myst(inside)
        yield (inside[-1][0] if inside else number), ""


def _note(directive: _Directive, number: int, inside: list[NumberedLine]) -> Iterator[NumberedLine]:
    indent = directive.indent
    if directive.name in _VERSIONS:
        head = f"{_VERSIONS[directive.name]} {directive.title}".rstrip()
        yield number, ""
        yield number, f"{indent}{head}{':' if inside else '.'}"
        yield from inside
        yield number, ""
        return
    yield number, ""
    yield number, f"{indent}:::{directive.name} {directive.title}".rstrip()
    yield from inside
    last = inside[-1][0] if inside else number
    yield from ((last, each) for each in ("", f"{indent}:::", ""))


def _without_options(lines: Sequence[NumberedLine]) -> tuple[dict[str, str], list[NumberedLine]]:
    """Return the options at the head of a directive, and the lines behind them."""
    options: dict[str, str] = {}
    rest = list(lines)
    if rest and rest[0][1].strip() == "---":
        closing = next((index for index, (_, line) in enumerate(rest[1:], 1) if line.strip() == "---"), 0)
        pairs = (line.partition(":") for _, line in rest[1:closing])
        return {key.strip(): value.strip() for key, _, value in pairs}, rest[closing + 1 :] if closing else rest
    while rest and (found := _OPTION.fullmatch(rest[0][1])):
        options[found[1]] = found[2] or ""
        rest = rest[1:]
    return options, rest


def _caption(title: str, indent: str, number: int) -> Iterator[NumberedLine]:
    if title:
        shown = html.escape(_EMPHASIS.sub(lambda found: found[2], title))
        yield from ((number, each) for each in ("", f"{indent}<figcaption>{shown}</figcaption>", ""))


def _table(
    lines: Sequence[NumberedLine], options: Mapping[str, str], indent: str, titles: Mapping[str, str]
) -> Iterator[NumberedLine]:
    """Yield the rows of a table that is written as a list of lists."""
    rows: list[tuple[int, list[str]]] = []
    for number, line in lines:
        if row := _LIST_ROW.fullmatch(line):
            rows.append((number, [row[1] or ""]))
        elif rows and (cell := _LIST_CELL.fullmatch(line)):
            rows[-1][1].append(cell[1] or "")
        elif rows and line.strip():
            rows[-1][1][-1] += f" {line.strip()}"
    if not rows:
        return
    width = max(len(cells) for _, cells in rows)
    if options.get("header-rows", "0") == "0":
        rows.insert(0, (rows[0][0], [""] * width))
    for index, (number, cells) in enumerate(rows):
        shown = (_inline(cell, titles).replace("|", r"\|") for cell in [*cells, *[""] * (width - len(cells))])
        yield number, f"{indent}| {' | '.join(shown)} |"
        if index == 0:
            yield number, f"{indent}|{' --- |' * width}"
    yield rows[-1][0], ""


def _titles(lines: Sequence[NumberedLine]) -> dict[str, str]:
    """Return the titles of the headings that labels stand above."""
    found: dict[str, str] = {}
    labels: list[str] = []
    for _, line in lines:
        if label := _LABEL.fullmatch(line):
            labels.append(label[1])
        elif heading := _HEADING.fullmatch(line):
            found |= dict.fromkeys(labels, heading[1])
            labels = []
        elif line.strip():
            labels = []
    return found


def _inline(line: str, titles: Mapping[str, str]) -> str:
    """Return a line with its roles and its links without words as what they show."""
    if "{" not in line and "[](" not in line:
        return line
    line = _CODE_OR_ROLE.sub(lambda found: _of_role(found, titles) if found["name"] else found[0], line)
    return _NO_WORDS.sub(lambda link: _of_target(link[1], titles), line)


def _of_role(role: re.Match[str], titles: Mapping[str, str]) -> str:
    name, text = last_part(role["name"]), role["text"].strip()
    if name in ("ref", "numref") and text in titles:
        return titles[text]
    if name in ("ref", "numref", "doc", "term", "any", "abbr", "pep", "rfc", "sub", "sup", "download"):
        return words(name, text)
    return f"`{words(name, text)}`"


def _of_target(target: str, titles: Mapping[str, str]) -> str:
    place, _, label = target.partition("#")
    if label in titles and not place:
        return titles[label]
    last = label or re.sub(r"\.(?:md|rst|ipynb)$", "", place.rstrip("/").rpartition("/")[2])
    return readable(last)
