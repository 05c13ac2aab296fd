"""JATS, the XML of journals and of PubMed Central: the article in blocks, and its bibliographic data.

Lists of references are left out: they are other people's titles, and would answer in their stead.
"""

from __future__ import annotations

from itertools import groupby

from lxml import etree

from pipelines.errors import CorruptDocument, UnsupportedFormat
from pipelines.reading.draft import Draft
from pipelines.reading.jats.inline import line
from pipelines.reading.jats.meta import article_metadata, article_title
from pipelines.reading.jats.notes import drop_glued_notes
from pipelines.reading.jats.text import add_all
from pipelines.reading.source import Source
from pipelines.reading.xmltree import parse_plain, words
from pipelines.types import ParsedDocument

_SECTIONS = frozenset({"sec", "ack", "app", "app-group", "notes", "glossary", "boxed-text", "fn-group"})
_LEFT_OUT = frozenset({"title", "label", "ref-list", "sec-meta", "object-id", "graphic", "media", "bio", "kwd-group"})
_UNTITLED = {"abstract": "Abstract", "ack": "Acknowledgements"}
# What a section without a title is, by its `sec-type`; the names are those that JATS recommends.
_KINDS = {
    "cases": "Cases",
    "conclusion": "Conclusions",
    "conclusions": "Conclusions",
    "discussion": "Discussion",
    "intro": "Introduction",
    "introduction": "Introduction",
    "materials": "Materials",
    "methods": "Methods",
    "results": "Results",
    "subjects": "Subjects",
    "supplementary-material": "Supplementary material",
}
_DEEPEST = 6


def read(source: Source) -> ParsedDocument:
    """Return the abstracts, the body and what follows it, under the article's title."""
    article = _article(parse_plain(source.content, source.format.label))
    drop_glued_notes(article)
    draft = Draft()
    title = article_title(article)
    if title:
        draft.add_heading(1, title)
    for abstract in article.iterfind("front/article-meta/abstract"):
        _add_section(draft, abstract, 2)
    for body in article.iterfind("body"):
        _add_body(draft, body)
    for back in article.iterfind("back"):
        _add_content(draft, back, 2)
    return draft.finish(source.format, title or None, article_metadata(article))


def _article(root: etree._Element) -> etree._Element:
    articles = list(root.iter("article"))
    if len(articles) > 1:
        raise CorruptDocument("JATS XML", f"it holds {len(articles)} articles; save each in a file of its own")
    if not articles:
        raise UnsupportedFormat(f"XML that begins with <{root.tag}>", ("JATS articles (.xml, .nxml)",))
    return articles[0]


def _add_body(draft: Draft, body: etree._Element) -> None:
    """Append the body; a beginning without a heading gets one, or it would seem to belong to the abstract."""
    if len(body) and body[0].tag not in _SECTIONS:
        draft.add_heading(2, "Introduction" if body.find("sec") is not None else "Main text")
    _add_content(draft, body, 2)


def _add_section(draft: Draft, section: etree._Element, level: int) -> None:
    if not words(section):
        return
    title = line(section.find("title")) or _kind(section)
    if title:
        draft.add_heading(min(level, _DEEPEST), f"{line(section.find('label'))} {title}".strip())
    _add_content(draft, section, level + 1 if title else level)


def _kind(section: etree._Element) -> str:
    """Return what a section is that has no title; empty where nothing tells."""
    types = (section.get("sec-type") or "").lower().split("|")
    kinds = [_KINDS[kind] for kind in types if kind in _KINDS]
    if not kinds:
        return _UNTITLED.get(str(section.tag), "")
    return " and ".join((kinds[0], *map(str.lower, kinds[1:])))


def _add_content(draft: Draft, parent: etree._Element, level: int) -> None:
    for is_section, elements in groupby(parent, key=lambda element: element.tag in _SECTIONS):
        if is_section:
            for section in elements:
                _add_section(draft, section, level)
        else:
            add_all(draft, (element for element in elements if element.tag not in _LEFT_OUT))
