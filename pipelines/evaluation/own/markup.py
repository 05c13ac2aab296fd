"""Source markup in a text that should show none."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TAGS = (
    *("a", "abbr", "b", "blockquote", "br", "code", "div", "em", "figure", "font", "h[1-6]", "hr", "i", "img", "li"),
    *("ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul"),
)
_ROLES = (
    *("attr", "abbr", "class", "code", "const", "data", "djadmin", "doc", "envvar", "exc", "file", "func", "keyword"),
    *("meth", "mod", "numref", "obj", "option", "pep", "program", "ref", "rfc", "samp", "setting", "source", "term"),
    *("tfilter", "ticket", "ttag", "type"),
)
_MARKUP = {
    # Underlines may have been joined with the lines around them; a table's rule has several parts in a row.
    "heading underline": re.compile(r"(?<!\S)(?:={4,}|-{4,}|~{4,}|\^{4,}|\"{4,})(?!\S)"),
    "table rule": re.compile(r"(?<!\S)=+(?: +=+)+(?!\S)|\|\s*:?-{3,}:?\s*\||\+[-=]{3,}\+"),
    # Some lose their backticks on the way.
    "role": re.compile(
        rf"(?<![\w:]):(?:[a-z][\w.+:-]{{0,40}}:`|(?:[a-z][\w.+]{{0,30}}:)?(?:{'|'.join(_ROLES)}):[\w~!])"
    ),
    "directive": re.compile(r"(?<!\S)\.\. [\w.:+-]{1,60}::"),
    "shortcode": re.compile(r"\{\{[<%]|[>%]\}\}"),
    "link definition": re.compile(
        r"(?<!\S)\.\. _[^:\n]{1,200}:(?!:)|^\s*\[[^\]\n]{1,200}\]: +\S|(?<!\S)__ https?:", re.MULTILINE
    ),
    "bare link": re.compile(r"`_{1,2}(?!\w)|(?<![\w.`])[A-Z][A-Za-z0-9-]{0,60}[a-z0-9]_(?!\w)"),
    "Markdown link": re.compile(r"\]\((?:https?:|[\w./#-]{1,200}\))"),
    "literal": re.compile(r"``"),
    "emphasis": re.compile(r"(?<![\w*])\*{1,2}[A-Za-z][^*\n]{0,80}\w\*{1,2}(?![\w*])"),
    "front matter": re.compile(r"\A---\s*$|(?:\A|\n)(?:reviewers|content_type): ", re.MULTILINE),
    "HTML": re.compile(rf"</?(?:{'|'.join(_TAGS)})(?:\s[^<>]{{0,200}})?/?>|<!--", re.IGNORECASE),
    "HTML entity": re.compile(r"&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,6});", re.IGNORECASE),
}


def markup_shown(text: str, code: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the kinds of source markup that a text shows outside of ``code``, texts that stand in it as they are."""
    prose = _without(text, code)
    return tuple(name for name, pattern in _MARKUP.items() if pattern.search(prose))


def _without(text: str, code: Iterable[str]) -> str:
    """Return the text without the lines of code; indentation may have been lost."""
    lines = {line.strip() for one in code for line in one.splitlines()} - {""}
    kept = [line for line in text.splitlines() if line.strip() not in lines]
    return "\n".join(kept)
