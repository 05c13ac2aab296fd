"""Files that cannot be turned into text."""

from __future__ import annotations

from typing import Self

from pipelines.errors.base import FootnoteError
from pipelines.errors.sizes import readable_sizes

_FEW = 5
_BEST_KNOWN = (".pdf", ".docx", ".pptx", ".xlsx", ".md", ".txt", ".html", ".csv", ".json")


class UnreadableDocument(FootnoteError):
    """A file cannot be turned into text."""

    code = "document_unreadable"


class EmptyDocument(UnreadableDocument):
    """A file holds no text at all."""

    code = "document_empty"

    def __init__(self, detail: str = "it holds no text") -> None:
        super().__init__(f"nothing to index: {detail}")


class EncryptedDocument(UnreadableDocument):
    """A file is locked with a password."""

    code = "document_encrypted"

    def __init__(self) -> None:
        super().__init__("the file is locked with a password; remove the password and ingest it again")


class CorruptDocument(UnreadableDocument):
    """A file is damaged, or not what its name says."""

    code = "document_corrupt"

    def __init__(self, expected: str, detail: str) -> None:
        what = f"{expected} file" if expected else "file"
        super().__init__(f"not a readable {what}: {detail}")


class NoTextLayer(UnreadableDocument):
    """A PDF holds pictures of pages and no text."""

    code = "document_no_text_layer"

    def __init__(self, pages: int) -> None:
        super().__init__(
            f"the PDF has no text layer on any of its {pages} page(s), it is probably a scan; switch text recognition "
            "on in the profile (ocr: {engine: tesseract}), or run it through OCR yourself (for example ocrmypdf) and "
            "ingest the result"
        )


class IllegibleDocument(UnreadableDocument):
    """Text recognition found nothing to read on any page of a document."""

    code = "document_illegible"

    def __init__(self, pages: int, why: str) -> None:
        detail = f": {why}" if why else ""
        super().__init__(f"text recognition found no text on any of its {pages} page(s){detail}")


def _some(names: tuple[str, ...]) -> str:
    """Return the names, or the best known of many: a list of 60 hides the rest of a message."""
    if len(names) <= _FEW:
        return ", ".join(names)
    known = ", ".join(name for name in _BEST_KNOWN if name in names)
    return f"{known} or another that docs/formats.md lists"


class UnsupportedFormat(UnreadableDocument):
    """No reader knows this kind of file."""

    code = "document_unsupported"

    def __init__(self, kind: str, supported: tuple[str, ...]) -> None:
        super().__init__(f"{kind} is not a format that can be read; use one of {_some(supported)}")


class ArchiveAsDocument(UnsupportedFormat):
    """An archive was offered as one document, or lies in another archive."""

    code = "document_archive"

    def __init__(self, kind: str) -> None:
        UnreadableDocument.__init__(
            self,
            f"it is not one document but an archive ({kind}); unpack it, or bring it in with `footnote ingest` or a "
            "knowledge folder, where each file in it becomes a document",
        )


class ImageWithoutOcr(UnsupportedFormat):
    """A document is an image, and the profile has no text recognition."""

    code = "document_needs_ocr"

    def __init__(self, kind: str) -> None:
        UnreadableDocument.__init__(
            self,
            f"{kind} is an image, and images are not read here: switch text recognition on in the profile "
            "(ocr: {engine: tesseract}), or send its text",
        )


class DocumentTooLarge(UnreadableDocument):
    """A document is larger than the profile allows."""

    code = "document_too_large"

    def __init__(self, size: int, limit: int, unit: str, key: str) -> None:
        given, most = readable_sizes(size, limit) if unit == "bytes" else (f"{size:,} {unit}", f"{limit:,}")
        super().__init__(f"{given} is over the limit of {most}; split it, or raise {key} in the profile")


class ReadingTooCostly(UnreadableDocument):
    """Reading a file takes more time or memory than the profile allows."""

    code = "document_too_costly"

    def __init__(self, cost: str, key: str) -> None:
        super().__init__(
            f"reading the file takes more than {cost}; split it, save it in another format, or raise {key} in the "
            "profile"
        )

    @classmethod
    def of_time(cls, seconds: int) -> Self:
        """Return the error of a file that takes too much time."""
        return cls(f"{seconds} s of processor time", "limits -> reading -> seconds")

    @classmethod
    def of_memory(cls, megabytes: int) -> Self:
        """Return the error of a file that takes too much memory."""
        return cls(f"{megabytes} MB of memory", "limits -> reading -> memory_mb")


class ReadingTooSlow(ReadingTooCostly):
    """Reading a file was given up by the clock, before it used up its processor time; another attempt may do better."""

    code = "document_too_slow"

    def __init__(self, seconds: int) -> None:
        UnreadableDocument.__init__(
            self, f"reading the file was given up after {seconds} s on a busy machine; ingest it again"
        )
