"""Readers: from the content of a file to plain or Markdown text with its headings, pages and title.

Importing this loads no parser; each format's module, and the libraries it needs, load when the first such file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import cast

from pipelines.errors import CorruptDocument, EmptyDocument, FootnoteError, UnsupportedFormat
from pipelines.reading.asciidoc_signs import looks_like_asciidoc
from pipelines.reading.encoding import normalised
from pipelines.reading.formats import (
    ADOC,
    GENERIC,
    HTML,
    MARKDOWN,
    PDF,
    PHP,
    RST,
    SUPPORTED_SUFFIXES,
    TEXT,
    TOLD_SUFFIXES,
    Format,
    by_media_type,
    by_name,
    label_of,
    may_hold_pictures,
    may_hold_scans,
    media_type_of,
    reader_of,
    suffix_of,
)
from pipelines.reading.page_help import PageHelper
from pipelines.reading.page_text import PageReader
from pipelines.reading.pictures import Gallery, PictureBounds
from pipelines.reading.questions.asked_terms import with_asked_terms
from pipelines.reading.questions.labelled import with_questions
from pipelines.reading.questions.transcripts import with_turns
from pipelines.reading.rst_signs import looks_like_rst
from pipelines.reading.sniffing import guess, lacks_markdown, verify
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

__all__ = [
    "SUPPORTED_SUFFIXES",
    "label_of",
    "may_hold_pictures",
    "may_hold_scans",
    "media_type_of",
    "pages_from",
    "parse",
    "read",
    "reader_of",
    "source_of",
]

_GAVE_UP = "its parser failed"
_ADVICE = "save it again in its own program and ingest that; if it opens there, please report this as a bug"
_TAG = re.compile(r"</?[a-z!]", re.IGNORECASE)


def read(
    content: bytes | str,
    *,
    name: str | None = None,
    media_type: str | None = None,
    ocr: PageReader | None = None,
    pictures: PictureBounds | None = None,
    helper: PageHelper | None = None,
) -> ParsedDocument:
    """Turn a file's bytes, or a text, into a document; ``ocr`` reads pages that have no text, ``pictures`` says which
    of its pictures are kept, ``helper`` reads later pages of a long file at the same time.

    Nothing bounds what a hostile file may cost: `workers.ReaderPool` reads with limits.

    Raises:
        UnreadableDocument: The content is empty, locked, damaged, not what it is called, or of no known format.
        OcrUnavailable: It has no text of its own, and what would read its pages cannot be had.
    """
    return parse(source_of(content, name=name, media_type=media_type, ocr=ocr, pictures=pictures, helper=helper))


def pages_from(content: bytes, first: int) -> bytes:
    """Return the pages of a PDF from ``first`` (counted from 0) on, packed for the reader that asked for help."""
    return cast("bytes", _module(PDF).pages_from(content, first))


def source_of(
    content: bytes | str,
    *,
    name: str | None = None,
    media_type: str | None = None,
    ocr: PageReader | None = None,
    pictures: PictureBounds | None = None,
    helper: PageHelper | None = None,
) -> Source:
    """Return a content with its format.

    The format is that of ``media_type``, else of the ending of ``name``, else what the bytes look like; a text without
    either is Markdown, also where its name is that of a binary file, from which it was then taken. A file such as "FAQ"
    is plain text if it has numbered titles and no marks of Markdown. What is called text, or nothing at all, is
    reStructuredText or AsciiDoc where it evidently is.

    Raises:
        UnreadableDocument: The content is empty, not what it is called, or of no known format.
    """
    if not content.strip():
        raise EmptyDocument
    declared, _, parameters = (media_type or "").partition(";")
    chosen = _choose(content, name, declared.strip().lower())
    if _may_be_marked(chosen, name, declared.strip().lower()):
        chosen = _marked(content) or (TEXT if name and lacks_markdown(content) else chosen)
    if isinstance(content, bytes):
        verify(content, chosen)
    guessed = chosen not in (by_media_type(declared.strip().lower()), by_name(name or ""))
    gallery = None if pictures is None else Gallery(pictures)
    return Source(content, chosen, _charset(parameters), ocr, guessed, gallery, helper)


def parse(source: Source) -> ParsedDocument:
    """Read a source by the reader of its format; errors as of `read`."""
    label = source.format.label
    reader = _reader(source.format)
    try:
        document = with_turns(with_questions(with_asked_terms(reader(source))))
        if source.gallery is not None:
            document = source.gallery.finished(document)
        normalised(document.text, label)
    except (FootnoteError, MemoryError):
        raise
    except Exception as error:
        # Parsers raise whatever they stumble over in a damaged file; the cause is kept for the log.
        raise CorruptDocument(label, f"{_GAVE_UP} ({type(error).__name__}); {_ADVICE}") from error
    if not document.text.strip():
        raise EmptyDocument(f"the {label} file holds no text")
    return document


def _choose(content: bytes | str, name: str | None, media_type: str) -> Format:
    declared = by_media_type(media_type)
    if declared:
        return declared
    if media_type and media_type not in GENERIC:
        raise UnsupportedFormat(media_type, TOLD_SUFFIXES)
    named = by_name(name or "")
    if isinstance(content, str):
        return named if named and _can_be(content, named) else MARKDOWN
    if named:
        return named
    if name and suffix_of(name):
        raise UnsupportedFormat(suffix_of(name), TOLD_SUFFIXES)
    return guess(content)


def _may_be_marked(chosen: Format, name: str | None, media_type: str) -> bool:
    """Return whether nothing says more of the content than that it is text."""
    if chosen is TEXT:
        return media_type in ("", TEXT.media_type) or media_type in GENERIC
    return chosen is MARKDOWN and not media_type and by_name(name or "") is not MARKDOWN


def _marked(content: bytes | str) -> Format | None:
    """Return the format that the marks of a text tell; AsciiDoc has literals as reStructuredText has, and more."""
    if looks_like_asciidoc(content):
        return ADOC
    return RST if looks_like_rst(content) else None


def _can_be(text: str, named: Format) -> bool:
    """Return whether a text is what its source is, and not what somebody took out of it."""
    if named is PHP:
        return "<?" in text  # the address of a page, more often than not
    return not named.binary and (named is not HTML or _TAG.search(text) is not None)


def _charset(parameters: str) -> str | None:
    names = (parameter.partition("=") for parameter in parameters.split(";"))
    return next((value.strip().strip('"') for key, _, value in names if key.strip().lower() == "charset"), None)


def _reader(format_: Format) -> Callable[[Source], ParsedDocument]:
    return cast("Callable[[Source], ParsedDocument]", _module(format_).read)


def _module(format_: Format) -> ModuleType:
    return import_module(f"{__name__}.{format_.module}")
