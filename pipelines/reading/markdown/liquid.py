"""What templates leave in Markdown: the tags of Liquid and Jinja, and attributes on a line of their own."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from pipelines.reading.markdown.extensions import ATTRIBUTES
from pipelines.reading.markdown.fences import Fences, NumberedLine

_TAG = re.compile(r"(?<!\{)\{%-?\s*(\w+)([^%]{0,500})%\}")
_VARIABLE = re.compile(r"\{\{\s*((?:page|site|config|product|book)\.[\w.-]{1,100})\s*(?:\|[^{}]{0,200})?\}\}")
_LONE_ATTRIBUTES = re.compile(rf"[ \t]*(?:\{{:[^{{}}]*\}}|{ATTRIBUTES})[ \t]*")
_TITLE = re.compile(r"title\s*=\s*\"([^\"]*)\"")
_STYLE = re.compile(r"style\s*=\s*\"([\w-]*)\"")
_TAG_NAMES = (
    "if elsif elif else endif unless endunless case when endcase for endfor include include_relative raw endraw"
    " assign capture endcapture set block endblock extends import macro endmacro highlight endhighlight tabs endtabs"
    " tab endtab data ifversion rowheaders endrowheaders link post_url content content_ref endcontent_ref swagger"
    " embed endembed code endcode file"
)
_TAGS = frozenset(_TAG_NAMES.split())
_NOTES = frozenset({"note", "tip", "warning", "danger", "hint", "caution", "info", "important"})


def without_liquid(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines without the tags of templates; variables leave their names."""
    fences = Fences()
    for number, line in lines:
        if fences.inside(line) or "{" not in line:
            yield number, line
        elif not _LONE_ATTRIBUTES.fullmatch(line):
            shown = _VARIABLE.sub(lambda found: found[1], _TAG.sub(_of_tag, line))
            yield from ((number, each) for each in shown.split("\n") if each.strip() or shown == line)


def _of_tag(tag: re.Match[str]) -> str:
    """Return what a tag shows: a note's begin or end on lines of its own, a title, or nothing."""
    name = tag[1]
    title = _TITLE.search(tag[2])
    if name in _NOTES:
        style = _STYLE.search(tag[2])
        return f"\n:::{style[1] if style else name.replace('hint', 'note')}\n"
    if name.removeprefix("end") in _NOTES:
        return "\n:::\n"
    if name not in _TAGS:
        return tag[0]
    return f"\n<figcaption>{html.escape(title[1])}</figcaption>\n" if title else ""
