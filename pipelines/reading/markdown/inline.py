"""The words of a line of Markdown, as a person sees them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from pipelines.reading.badges import is_badge
from pipelines.reading.formulas import formula_text
from pipelines.reading.markdown.emojis import with_emojis
from pipelines.reading.tidying import raised

# HTML's elements. Whatever else stands in angle brackets is a text's own, such as a placeholder or a type.
_VOID_NAMES = "area base br col embed hr img input link meta source track wbr"
_BLOCK_NAMES = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 head header hgroup html iframe legend li main menu nav noscript ol optgroup option p pre"
    " script section style summary svg table tbody td template tfoot th thead tr ul"
)
_WORD_NAMES = (
    "a abbr acronym audio b bdi bdo big blink button canvas caption cite code colgroup data datalist del dfn em font i"
    " ins kbd label map mark marquee meter nobr object output param path picture progress q rp rt ruby s samp select"
    " slot small span strike strong sub sup textarea time title tt u var video"
)
_MEANT_ALONE = frozenset(f"{_VOID_NAMES} {_BLOCK_NAMES}".split())
_HTML = _MEANT_ALONE | frozenset(_WORD_NAMES.split())
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})([^<>]*)>")
_ATTRIBUTES = re.compile(r"(?:\s+[\w:@.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|\{[^{}]*\}|[^\s\"'=<>`]+))+\s*/?")
_ANY_ATTRIBUTES = re.compile(r"(?:\s+[\w:@.-]+(?:=(?:\"[^\"]*\"|'[^']*'|\{[^{}]*\}|[^\s\"'=<>`]+))?)+\s*/?")
"""Also those without a value, as in ``<span icon>menu</span>``; without its end that could be "a<b and c>d"."""
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DRIVE_PATH = re.compile(r":(?:\\[\w.$~-]*)+")
_WIKI_LINK = re.compile(r"(?<![\w\[])(!?)\[\[([@#]?[^\W\d_][^\[\]|]{0,200})(?:\|([^\[\]|]{1,200}))?\]\](?!\])")
_PAGE = re.compile(r"[@#A-Z]|\S+ \S")
"""The name of a wiki's page, or behind "#" that of a heading; a lone small word is as likely a section of TOML."""
_STARTED = frozenset({"li", "p", "div", "dt", "dd", "tr"})
_ENDED = frozenset({"ul", "ol", "dl", "p", "div", "table"})
_OPENING = frozenset({"em_open", "strong_open", "s_open"})
_CLOSING = frozenset({"em_close", "strong_close", "s_close"})
_BEFORE_INDEX = frozenset("_])!")
"""What stands before the brackets of an index, besides letters and digits, and of an image."""
NEW_LINE = "\n"


def windows_path(state: StateInline, silent: bool) -> bool:
    r"""Keep the rest of a path such as ``C:\_new`` as it is: its backslashes escape nothing. A rule for markdown-it."""
    before = state.src[max(state.pos - 2, 0) : state.pos]
    found = _DRIVE_PATH.match(state.src, state.pos, state.posMax)
    if not found or not before[-1:].isalpha() or before[:-1].isalnum():
        return False
    if not silent:
        state.pending += found[0]
    state.pos = found.end()
    return True


def bare_reference(state: StateInline, silent: bool) -> bool:
    """Show the words of a reference that the file does not define, as in ``[pot][]``. A rule for markdown-it.

    Programs that build manuals look such words up in other files.
    """
    before = state.src[state.pos - 1 : state.pos]
    if state.src[state.pos] != "[" or before.isalnum() or before in _BEFORE_INDEX:
        return False
    end = state.md.helpers.parseLinkLabel(state, state.pos)
    if end <= state.pos + 1 or state.src[end + 1 : end + 3] != "[]":
        return False
    if not silent:
        last, state.pos, state.posMax = state.posMax, state.pos + 1, end
        state.md.inline.tokenize(state)
        state.posMax = last
    state.pos = end + 3
    return True


def shown(tokens: Sequence[Token], *, keep_breaks: bool = False, jsx: bool = False) -> str:
    """Return what a line's tokens show; a line break in the file is a blank unless ``keep_breaks``.

    ``jsx``: every tag is markup, also one that HTML does not know.
    """
    tags = _dropped_tags(tokens, jsx=jsx)
    literal = _marks_within_words(tokens) if keep_breaks else frozenset()
    parts: list[str] = []
    raising: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "html_inline" and token.content[:4].lower() == "<sup":
            raising.append(len(parts))
        elif token.type == "html_inline" and token.content[:5].lower() == "</sup" and raising:
            start = raising.pop()
            parts[start:] = [raised("".join(parts[start:]))]
        elif index in literal:
            parts.append(token.markup)
        elif token.type == "html_inline":
            parts.append(_of_tag(token.content, "".join(parts[-1:])) if index in tags else token.content)
        else:
            parts.append(_part(token, keep_breaks=keep_breaks))
    return "".join(parts).strip()


def without_unknown_tags(html: str) -> str:
    """Return HTML in which what only looks like a tag is text, such as ``List<String>``."""
    return _TAG.sub(lambda tag: tag[0] if _is_html(tag[2]) else f"&lt;{tag[0][1:]}", html)


def _is_html(name: str) -> bool:
    return name.lower() in _HTML


def _part(token: Token, *, keep_breaks: bool) -> str:
    match token.type:
        case "hardbreak":
            return NEW_LINE
        case "softbreak":
            return NEW_LINE if keep_breaks else " "
        case "image" | "substitution":
            is_shown = not is_badge(str(token.attrs.get("src", "")))
            return shown(token.children or [], keep_breaks=keep_breaks) if is_shown else ""
        case "math_inline" | "math_inline_double":
            return formula_text(unescape(token.content))
        case "text":
            return with_emojis(_WIKI_LINK.sub(_of_wiki_link, token.content))
        case _:
            return token.content


def _of_wiki_link(link: re.Match[str]) -> str:
    """Return the words of a link; what is embedded is in another file."""
    embedded, page, words = link.groups()
    if embedded:
        return ""
    return words or (page.lstrip("@#") if _PAGE.match(page) else link[0])


def _of_tag(tag: str, before: str) -> str:
    """Return what a tag shows behind these words."""
    name = _TAG.match(tag)
    if name and name[2].lower() == "br":
        return NEW_LINE
    if name and name[2].lower() in (_ENDED if name[1] else _STARTED):
        return "" if before.endswith(NEW_LINE) else NEW_LINE
    if name and name[2].lower() == "img":
        alt = _ALT.search(tag)
        return (alt[1] or alt[2] or "") if alt and not is_badge(tag) else ""
    return ""


def _dropped_tags(tokens: Sequence[Token], *, jsx: bool) -> frozenset[int]:
    """Return the places of the tags that are markup: comments, and tags of HTML that are meant as such.

    A lone ``<title>`` is a placeholder, and ``a<b and c>d`` a comparison.
    """
    tags = {index: _TAG.fullmatch(token.content) for index, token in enumerate(tokens) if token.type == "html_inline"}
    balance = Counter((tag[2].lower(), bool(tag[1])) for tag in tags.values() if tag)
    return frozenset(index for index, tag in tags.items() if not tag or _is_meant(tag, balance, jsx=jsx))


def _is_meant(tag: re.Match[str], balance: Counter[tuple[str, bool]], *, jsx: bool) -> bool:
    name, attributes = tag[2].lower(), tag[3]
    has_partner = bool(balance[name, True] and balance[name, False])
    well_formed = not attributes.strip(" \t\n/") or _ATTRIBUTES.fullmatch(attributes)
    if jsx and not _is_html(name):
        return True
    if not _is_html(name):
        return has_partner and tag[2][0].isupper()  # a component such as <Note>...</Note>
    if not well_formed:
        return name in _MEANT_ALONE or (has_partner and _ANY_ATTRIBUTES.fullmatch(attributes) is not None)
    return bool(attributes.strip(" \t\n/")) or name in _MEANT_ALONE or has_partner


def _marks_within_words(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the places of marks of emphasis beside a letter or digit outside them, as in 2*3*4."""
    found: set[int] = set()
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.type in _OPENING:
            opened.append(index)
        elif token.type in _CLOSING and opened:
            start = opened.pop()
            before = tokens[start - 1].content[-1:] if start else ""
            behind = tokens[index + 1].content[:1] if index + 1 < len(tokens) else ""
            if before.isalnum() or behind.isalnum():
                found |= {start, index}
    return frozenset(found)
