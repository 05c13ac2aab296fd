"""Writing into a Word file, as text, the numbers that Word only paints and its formulas, and naming each heading by
its level.

A file holds no more than the rules: which paragraphs are numbered, and how each level looks ("%1.%2", "(%3)"). With
the numbers in the text, "4.2 Termination" can be found and quoted. Bullets are left as they are.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from pipelines.errors import CorruptDocument
from pipelines.reading.office.packages import part, required_part
from pipelines.reading.office.relations import related
from pipelines.reading.office.smartart import smartart_items
from pipelines.reading.office.wordlists import Numbering, attribute, child, children, number_or, value
from pipelines.reading.office.wordmath import write_formulas
from pipelines.reading.office.wordwrappers import unwrap
from pipelines.reading.xmltree import local_name, parse_xml

_HEADING_NAME = re.compile(r"heading ([1-9])", re.IGNORECASE)
_DEEPEST = 6
_BODY_LEVEL = 9
_NO_MEDIA: Mapping[str, bytes] = {}
_NOTES = ("footnotes", "endnotes")
_OFF = ("0", "false", "off")
_MOST_COLUMNS = 63  # of a table, in Word
_MOST_ELEMENTS = 500_000  # about three a paragraph


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    parent: str | None
    properties: etree._Element | None


def with_numbers(package: zipfile.ZipFile, media: Mapping[str, bytes] = _NO_MEDIA) -> bytes:
    """Return the package with these of its media alone, its paragraphs numbered in their text."""
    document = _named(package, "document")
    notes = (name for kind in _NOTES if (name := _named(package, kind)))
    rewritten = {name: _unwrapped(package, name) for name in notes}
    if document:
        rewritten[document] = _numbered(package, document)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
        for name in package.NameToInfo:
            if name.endswith((".xml", ".rels")):
                copy.writestr(name, rewritten.get(name) or required_part(package, name, "DOCX"))
        for name, data in media.items():
            copy.writestr(name, data)
    return target.getvalue()


def _named(package: zipfile.ZipFile, kind: str) -> str | None:
    return next((name for name in package.NameToInfo if re.fullmatch(rf"word/{kind}\d*\.xml", name)), None)


def _root(package: zipfile.ZipFile, kind: str) -> etree._Element | None:
    name = _named(package, kind)
    data = part(package, name, "DOCX") if name else None
    return parse_xml(data, "DOCX") if data else None


def _unwrapped(package: zipfile.ZipFile, name: str) -> bytes:
    root = parse_xml(required_part(package, name, "DOCX"), "DOCX")
    unwrap(root)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _numbered(package: zipfile.ZipFile, document: str) -> bytes:
    root = parse_xml(required_part(package, document, "DOCX"), "DOCX")
    _refuse_crowds(root)
    unwrap(root)
    _bound_spans(root)
    _drop_hidden(root)
    _write_smartart(root, package, document)
    write_formulas(root)
    styles, numbering = _styles(_root(package, "styles")), Numbering(_root(package, "numbering"))
    for paragraph in root.iter("{*}p"):
        if _is_text(paragraph):
            _rewrite(paragraph, styles, numbering)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _refuse_crowds(root: etree._Element) -> None:
    elements = sum(1 for _ in root.iter())
    if elements > _MOST_ELEMENTS:
        raise CorruptDocument(
            "DOCX", f"it has {elements:,} elements, more than the {_MOST_ELEMENTS:,} that are read; split it"
        )


def _bound_spans(root: etree._Element) -> None:
    """Let no cell span more columns than Word knows: each of them would be written out."""
    for span in root.iter("{*}gridSpan"):
        written = attribute(span, "val") or ""
        if not (written.isdecimal() and len(written) < 3 and int(written) <= _MOST_COLUMNS):
            span.set(f"{_namespace(span)}val", str(_MOST_COLUMNS if written.isdecimal() else 1))


def _drop_hidden(root: etree._Element) -> None:
    """Take out the runs that Word hides."""
    for run in list(root.iter("{*}r")):
        mark = child(child(run, "rPr"), "vanish")
        above = run.getparent()
        if mark is not None and above is not None and (attribute(mark, "val") or "true") not in _OFF:
            above.remove(run)


def _write_smartart(root: etree._Element, package: zipfile.ZipFile, document: str) -> None:
    """Put the words of each SmartArt in the place of its drawing."""
    parts = related(package, document, "diagramData")
    for shown in list(root.iter("{*}relIds")):
        drawing = next((above for above in shown.iterancestors() if local_name(above) == "drawing"), None)
        run = drawing.getparent() if drawing is not None else None
        data = part(package, parts.get(attribute(shown, "dm") or "", ""), "DOCX")
        if drawing is not None and run is not None and data:
            words = etree.Element(f"{_namespace(run)}t")
            words.text = "; ".join(text for _, text in smartart_items(data))
            run.replace(drawing, words)


def _is_text(paragraph: etree._Element) -> bool:
    """Return whether it is a paragraph of Word's own, and not the second copy of a text box that is kept for old
    readers.
    """
    return "wordprocessingml" in str(paragraph.tag) and not any(
        local_name(above) == "Fallback" for above in paragraph.iterancestors()
    )


def _styles(root: etree._Element | None) -> dict[str, _Style]:
    found = children(root, "style") if root is not None else iter(())
    return {attribute(style, "styleId") or "": _style(style) for style in found}


def _style(style: etree._Element) -> _Style:
    return _Style(value(style, "name") or "", value(style, "basedOn"), child(style, "pPr"))


def _rewrite(paragraph: etree._Element, styles: dict[str, _Style], numbering: Numbering) -> None:
    properties = child(paragraph, "pPr")
    style = value(properties, "pStyle") or ""
    chain = list(_chain(style, styles))
    level = _outline_level(properties, chain)
    label = _label(properties, style, chain, numbering)
    if level is not None:
        _name_heading(paragraph, level)
    if level is not None or label is not None:
        _unlist(paragraph)
    if label and any(text.strip() for text in paragraph.itertext(f"{_namespace(paragraph)}t")):
        _prepend(paragraph, label)


def _chain(style: str | None, styles: dict[str, _Style]) -> Iterator[_Style]:
    """Yield a style and those it is based on, once each."""
    seen: set[str] = set()
    while style in styles and style not in seen:
        seen.add(style)
        yield styles[style]
        style = styles[style].parent


def _outline_level(properties: etree._Element | None, chain: list[_Style]) -> int | None:
    """Return the level, from 1, of a paragraph that is a heading by itself or by its style."""
    own = value(properties, "outlineLvl")
    inherited = (value(style.properties, "outlineLvl") for style in chain)
    outline = own or next((found for found in inherited if found), None)
    if outline and outline.isdecimal():
        return int(outline) + 1 if len(outline) == 1 and int(outline) < _BODY_LEVEL else None
    named = (_HEADING_NAME.fullmatch(style.name) for style in chain)
    return next((int(found[1]) for found in named if found), None)


def _label(properties: etree._Element | None, style: str, chain: list[_Style], numbering: Numbering) -> str | None:
    """Count the paragraph and return what is painted before it; None for a bullet or nothing."""
    own = child(properties, "numPr")
    rules = [rule for rule in (own, *(child(each.properties, "numPr") for each in chain)) if rule is not None]
    list_id = next((found for found in (value(rule, "numId") for rule in rules) if found), "")
    depths = [value(own, "ilvl"), numbering.depth_of_style(list_id, style), *(value(rule, "ilvl") for rule in rules)]
    depth = number_or(next((str(found) for found in depths if found is not None), None), 0)
    level = numbering.level(list_id, depth)
    return None if level is None or level.is_bullet else numbering.count(list_id, depth)


def _namespace(element: etree._Element) -> str:
    return str(element.tag).removesuffix(local_name(element))


def _property(paragraph: etree._Element, name: str) -> etree._Element:
    """Return one of a paragraph's properties, emptied, and made where there is none."""
    space = _namespace(paragraph)
    properties = child(paragraph, "pPr")
    if properties is None:
        properties = etree.Element(f"{space}pPr")
        paragraph.insert(0, properties)
    found = child(properties, name)
    if found is not None:
        properties.remove(found)
    return etree.SubElement(properties, f"{space}{name}")


def _name_heading(paragraph: etree._Element, level: int) -> None:
    style = _property(paragraph, "pStyle")
    style.set(f"{_namespace(paragraph)}val", f"Heading{min(level, _DEEPEST)}")


def _unlist(paragraph: etree._Element) -> None:
    """Take a paragraph out of its list, also out of that of its style: list 0 is none."""
    space, rule = _namespace(paragraph), _property(paragraph, "numPr")
    for name in ("ilvl", "numId"):
        etree.SubElement(rule, f"{space}{name}").set(f"{space}val", "0")


def _prepend(paragraph: etree._Element, label: str) -> None:
    space = _namespace(paragraph)
    run = etree.Element(f"{space}r")
    etree.SubElement(run, f"{space}t").text = label
    paragraph.insert(1 if child(paragraph, "pPr") is not None else 0, run)
