"""What bytes look like, whatever their name says."""

from __future__ import annotations

import re
from itertools import islice

from pipelines.errors import CorruptDocument, EncryptedDocument, UnsupportedFormat
from pipelines.reading.formats import (
    FORMATS,
    HTML,
    IMAGES,
    JATS,
    JPEG,
    MARKDOWN,
    OLD_OFFICE,
    PACKAGES,
    PDF,
    PHP,
    PNG,
    RTF,
    TIFF,
    TOLD_SUFFIXES,
    ZIP,
    Format,
)
from pipelines.reading.office.compounds import COMPOUND, kind_of_compound
from pipelines.reading.office.packages import kind_of_package

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_RTF = b"{\\rtf"
_LOCKED_OFFICE = "EncryptedPackage".encode("utf-16-le")

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (_ZIP[0], "a ZIP archive"),
    (_ZIP[1], "an empty ZIP archive"),
    (COMPOUND, "an Office file of before 2007"),
    (_RTF, "an RTF document"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)

_BEGINNINGS = (((*PACKAGES, ZIP), _ZIP), (OLD_OFFICE, COMPOUND), ((RTF,), _RTF))
_PAGES = (HTML, PHP)
"""What may begin as an HTML page does."""
_PICTURES = {"a PNG picture": PNG, "a JPEG picture": JPEG, "a TIFF picture": TIFF}
_TOLD_BY_BEGINNING = {**_PICTURES, "an HTML page": HTML, "an RTF document": RTF}
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_ARTICLE = re.compile(rb"<(?:\w+:)?(?:article|pmc-articleset)[\s>]")
_MARKDOWN = re.compile(
    r"\A#[ \t]+\S|^#{2,6}[ \t]+\S|^ {0,3}(?:```|~~~)|\]\([^\s)]|^\[[^\]\n]{1,100}\]:|(?<![\w*])\*\*\S"
    r"|(?<![\w`])`{1,2}[^`\s'][^`\n']{0,100}`|^\|.{1,500}\|[ \t]*$|^>|<(?:a|br|img|p|div|h[1-6])\b",
    re.MULTILINE | re.IGNORECASE,
)
"""What Markdown has and plain text has not: titles, code, links, emphasis, tables, quotes and HTML."""
_TITLE = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+[^\W\d].{1,100}\n\n", re.MULTILINE)
"""A title on a line of its own with a number of parts: "2.1. Tides"."""
_FEWEST_TITLES = 3
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HEAD = 4096
_TEXT_HEAD = 100_000


def looks_like(content: bytes) -> str | None:
    """Name what the first bytes give away, None where they look like text or like nothing known."""
    found = next((words for magic, words in _SIGNATURES if content.startswith(magic)), None)
    return found or ("an HTML page" if _PAGE.match(content[:_HEAD]) else None)


def verify(content: bytes, expected: Format) -> None:
    """Refuse bytes that are evidently not of the expected format."""
    if content.startswith(COMPOUND) and _LOCKED_OFFICE in content:
        raise EncryptedDocument
    if not _fits(content, expected):
        raise CorruptDocument(
            expected.label, f"it looks like {_description(content)}; give it its true name or media type"
        )


def _fits(content: bytes, expected: Format) -> bool:
    if expected is PDF:
        # Printers and mail gateways put lines of their own before the first one.
        return b"%PDF-" in content[:1024]
    for formats, beginnings in _BEGINNINGS:
        if expected in formats:
            return content.startswith(beginnings)
    found = looks_like(content)
    if expected in IMAGES:
        return _PICTURES.get(found or "") is expected
    return found is None or (found == "an HTML page" and expected in _PAGES)


def guess(content: bytes) -> Format:
    """Return the format that nameless bytes look like: Markdown for any text without other marks."""
    if b"%PDF-" in content[:1024]:
        return PDF
    found = looks_like(content)
    known = _inside(content) or _TOLD_BY_BEGINNING.get(found or "")
    if known:
        return known
    if found:
        raise UnsupportedFormat(found, TOLD_SUFFIXES)
    return JATS if content.lstrip()[:5] == b"<?xml" and _ARTICLE.search(content[:_HEAD]) else MARKDOWN


def lacks_markdown(content: bytes | str) -> bool:
    """Return whether a text evidently is plain: it has numbered titles, and no marks of Markdown."""
    head = content[:_TEXT_HEAD]
    if isinstance(head, bytes):
        head = head.decode("utf-8", errors="replace")
    head = head.replace("\r\n", "\n")
    titles = islice(_TITLE.finditer(head), _FEWEST_TITLES)
    return _MARKDOWN.search(head) is None and sum(1 for _ in titles) == _FEWEST_TITLES


def _inside(content: bytes) -> Format | None:
    """Return the format that a container's content tells."""
    if content.startswith(_ZIP):
        return _labelled(kind_of_package(content)) or ZIP
    return _labelled(kind_of_compound(content)) if content.startswith(COMPOUND) else None


def _labelled(kind: str | None) -> Format | None:
    return next((known for known in FORMATS if known.label == kind), None)


def _description(content: bytes) -> str:
    return looks_like(content) or ("binary data" if _CONTROL.search(content[:_HEAD]) else "text")
