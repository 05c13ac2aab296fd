"""Whether a text evidently is reStructuredText, whatever its name says."""

from __future__ import annotations

import re

_LOOKED_AT = 100_000
_DIRECTIVE = re.compile(r"^ {0,40}\.\. [A-Za-z][\w:+-]{0,60}::(?:[ \t]|$)", re.MULTILINE)
_ROLE = re.compile(r"(?<![\w`]):[A-Za-z][\w:+.-]{0,60}:`[^`\n]")
_TARGET = re.compile(r"^\.\. (?:_[^:\n]{1,200}:|\|[^|\n]{1,100}\| |\[[#*\w.-]{1,60}\] )", re.MULTILINE)
_UNDERLINED = re.compile(r"^(?=\S)(.{1,200})\n([=\-~^\"'`#*+.:_])\2{2,}[ \t]*$", re.MULTILINE)
_LITERAL = re.compile(r"\S ?::[ \t]*\n[ \t]*\n[ \t]+\S")
_INLINE_LITERAL = re.compile(r"(?<![\w`])``(?![\s`])[^`\n]{0,98}[^`\s]``(?![\w`])")
_ENOUGH = 3
"""Roles and literals: as many are no accident, also in a text without a title."""
_PREAMBLE = re.compile(r"([A-Z]{2,6}): *\d{1,5} *\n(?:[A-Z][\w-]*:(?: .*)?\n(?:[ \t]+\S.*\n)*)*?Title: *\S")
"""A number, and fields of which one is the title, as those of a PEP; longer numbers are such as an ISBN."""
_MARKDOWN = re.compile(r"^(?:#{1,6} |```|~~~\w)", re.MULTILINE)


def looks_like_rst(content: bytes | str) -> bool:
    """Return whether a content looks like reStructuredText.

    It has underlined titles together with directives, roles or targets; or several roles and literals, as in a
    program's help text, where the program adds the title.

    Plain notes have underlined titles too, and pages about reStructuredText quote directives: when unsure, it is none.
    """
    head = content[:_LOOKED_AT]
    if isinstance(head, bytes):
        head = head.decode("utf-8", errors="replace")
    head = head.removeprefix("\ufeff").replace("\r\n", "\n")
    preamble = _PREAMBLE.match(head)
    if preamble and preamble[1] == "PEP":
        return True
    if _MARKDOWN.search(head):
        return False
    roles, literals = len(_ROLE.findall(head)), len(_LITERAL.findall(head)) + len(_INLINE_LITERAL.findall(head))
    if roles + literals >= _ENOUGH:
        return True
    if not _has_title(head):
        return False
    if preamble:
        return True
    marks = len(_DIRECTIVE.findall(head)) + len(_TARGET.findall(head))
    return marks >= 1 or roles >= 2


def has_preamble(text: str) -> bool:
    """Return whether a text begins with fields such as those of a PEP, which are not marked as fields."""
    return _PREAMBLE.match(text) is not None


def _has_title(text: str) -> bool:
    """Return whether a line is underlined as docutils asks: by at least as many signs as it has characters."""
    return any(
        len(found[0].rstrip().rpartition("\n")[2]) >= len(found[1].rstrip()) for found in _UNDERLINED.finditer(text)
    )
