"""Parsing XML that may be hostile: no entities of its own, no files, no network."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from lxml import etree

from pipelines.errors import CorruptDocument

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_OWN_ENTITIES = re.compile(rb"<!ENTITY", re.IGNORECASE)


def parse_xml(content: bytes | str, label: str) -> etree._Element:
    """Return the root of an XML document as it is written."""
    data = _DECLARATION.sub("", content).encode() if isinstance(content, str) else content.lstrip()
    if _OWN_ENTITIES.search(data):
        raise CorruptDocument(label, "it declares entities of its own, which are not expanded; save it without them")
    try:
        return etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        found = f"it is not well-formed XML ({error.msg})"
        raise CorruptDocument(label, f"{found}; get a fresh copy and ingest that") from error


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True
    )


def parse_plain(content: bytes | str, label: str) -> etree._Element:
    """Return the root of an XML document, its tags without namespaces, its named characters as characters."""
    root = parse_xml(content, label)
    for element in list(root.iter()):
        if isinstance(element, etree._Entity):
            _inline(element)
        elif isinstance(element.tag, str):
            element.tag = local_name(element)
    return root


def local_name(element: etree._Element) -> str:
    """Return an element's tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def words(element: etree._Element | None) -> str:
    """Return an element's text with single spaces between words; empty for no element."""
    return " ".join(raw_text(element).split()) if element is not None else ""


def raw_text(element: etree._Element) -> str:
    """Return an element's text as it is written."""
    return "".join(map(str, element.itertext()))


def replace_by(element: etree._Element, others: Sequence[etree._Element]) -> None:
    """Put other elements in the place of one; the text behind it, which XML for offices does not use, goes with it."""
    parent = element.getparent()
    if parent is not None:
        for other in others:
            element.addprevious(other)
        parent.remove(element)


def _inline(entity: etree._Entity) -> None:
    """Put the character that a name stands for in its place: ``&nbsp;`` comes without its definition."""
    text = html.unescape(str(entity.text or "")) + (entity.tail or "")
    parent, before = entity.getparent(), entity.getprevious()
    if parent is None:
        return
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text
    parent.remove(entity)
