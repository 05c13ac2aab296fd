"""Numbers of sources and notes that a JATS article writes right behind a word, without saying that they are raised.

In print their size sets them apart. As text they change it: ``12.5 mg/dL<xref>1</xref>`` would read 12.5 mg/dL1.
"""

from __future__ import annotations

import re

from lxml import etree

from pipelines.reading.xmltree import raw_text

_KINDS = frozenset({"bibr", "fn", "table-fn"})
_MARKS = re.compile(r"\s*(?:\d{1,3}|[*\u2020\u2021])(?:\s*[,;\u2013-]\s*\d{1,3})*\s*")
_BETWEEN = re.compile(r"[\s,;\u2013-]*")
_BEHIND = re.compile(r"[\w.,;:%)\]\"'\u201d\u2019]$")


def drop_glued_notes(article: etree._Element) -> None:
    """Take them out of ``article``. Numbers behind a blank or a bracket, ``[1]``, are words of their sentence."""
    kept: etree._Element | None = None
    dropped: etree._Element | None = None
    for note in [each for each in article.iter("xref") if each.get("ref-type") in _KINDS]:
        before = note.getprevious()
        follows_dropped = dropped is not None and _is_next(note, dropped)
        if kept is not None and before is kept and _BETWEEN.fullmatch(kept.tail or ""):
            kept = note
        elif _MARKS.fullmatch(raw_text(note)) and (follows_dropped or _BEHIND.search(_text_before(note))):
            dropped = note
            tail = note.tail
            note.clear()
            note.tail = tail
        else:
            kept = note


def _is_next(note: etree._Element, dropped: etree._Element) -> bool:
    """Return whether nothing but a comma or a dash stands between; it then goes too."""
    if note.getprevious() is not dropped or not _BETWEEN.fullmatch(dropped.tail or ""):
        return False
    dropped.tail = ""
    return True


def _text_before(note: etree._Element) -> str:
    before = note.getprevious()
    if before is None:
        parent = note.getparent()
        return "" if parent is None else parent.text or ""
    return before.tail or raw_text(before)
