"""Whether a text evidently is AsciiDoc, whatever its name says."""

from __future__ import annotations

import re
from itertools import islice

_LOOKED_AT = 100_000
_MACRO = re.compile(
    r"(?<![\w`:])(?:(?:link|man)[a-z]{0,20}|anchor|btn|footnote|icon|image|kbd|menu|pass|stem|xref):[\w./#@-]{1,200}"
    r"\[[^\[\]\n]{0,200}\]"
)
"""Only macros that are known or link: "start:end[0]" and "kernel:tick[4]" look alike."""
_MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^\+$",
        r"^(?:include|image|ifdef|ifndef|ifeval|video)::[^\s\[\]]{0,200}\[[^\[\]\n]{0,200}\]$",
        r"<<[\w-](?:[\w .#-]{0,100}[\w-])?(?:,[^<>]{1,200})?>>",
        r"^\[\[[\w.:-]{1,100}\]\]",
        r"^\[(?:source|verse|quote|listing|literal|horizontal|qanda|abstract|discrete|NOTE|TIP|IMPORTANT|WARNING|CAUTION"
        r"|(?:width|cols|options|role|subs|grid|frame)=)[^\[\]\n]{0,200}\]$",
        r"^\|={3,}$",
        r"^[^\s.][^\n]{1,200}::\n[ \t]{0,40}\S",
    )
)
"""What attaches blocks, macros of blocks, references, anchors, attributes of blocks, tables, and terms
right above what they mean.
"""
_ENOUGH = 2
"""Kinds of marks: so many are no accident."""
_MACROS = 3
"""Macros of words: as many need no other mark."""
_SECTION = re.compile(r"^={1,5} (?=\S)[^\n]{0,200}[^=\s]$", re.MULTILINE)
_UNDERLINED = re.compile(r"^(?=[^\W_])(.{1,200})\n([=\-~^+])\2{2,}$", re.MULTILINE)
_TERM = re.compile(r"^(?=[^\s.])[^\n]{1,200}::\n(?=\s*\S)", re.MULTILINE)
_OTHER_MARKUP = re.compile(r"^(?:\.\. [A-Za-z][\w:+-]{0,60}::(?:[ \t]|$)|#{2,6} |```)|\w\]\([\w./#]", re.MULTILINE)
"""A directive of reStructuredText, or a heading, code or a link of Markdown."""


def looks_like_asciidoc(content: bytes | str) -> bool:
    """Return whether a content looks like AsciiDoc.

    It has titles or terms, and marks of two kinds that other texts have not. When unsure, it is none.
    """
    head = content[:_LOOKED_AT]
    if isinstance(head, bytes):
        head = head.decode("utf-8", errors="replace")
    head = head.removeprefix("\ufeff").replace("\r\n", "\n")
    macros = sum(1 for _ in islice(_MACRO.finditer(head), _MACROS))
    kinds = (macros > 0) + sum(mark.search(head) is not None for mark in _MARKS)
    if (kinds < _ENOUGH and macros < _MACROS) or _OTHER_MARKUP.search(head):
        return False
    return any(one.search(head) for one in (_SECTION, _UNDERLINED, _TERM))
