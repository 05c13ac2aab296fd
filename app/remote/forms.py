"""Documents as forms with files, which a server takes up to a number and a size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from app.http.errors import RequestTooLarge
from app.native import wire
from app.native.requests import MOST_FILES
from pipelines.errors import DocumentTooLarge, InvalidDocument, Problem, UnreadableDocument
from pipelines.reading.archive import file_size, in_archive, read_file
from pipelines.types import DocumentInput

Form = list[tuple[str, BinaryIO]]
"""Sources and files."""
OF_THE_DOCUMENT = (UnreadableDocument, InvalidDocument, RequestTooLarge)
_RECORDED_BYTES = 500_000
"""How far over the limit a file may be sent: a body may have a megabyte beside it."""


def first_batch(documents: Sequence[DocumentInput], most_bytes: int) -> Sequence[DocumentInput]:
    """Return the first documents that can go in one request: those of the same metadata, up to `MOST_FILES` and
    ``most_bytes``, or a larger one alone.
    """
    room, batch = most_bytes, 0
    for document in documents[:MOST_FILES]:
        room -= _size(document)
        if batch and (room < 0 or document.metadata != documents[0].metadata):
            break
        batch += 1
    return documents[:batch]


def _size(document: DocumentInput) -> int:
    assert isinstance(document.content, Path)
    try:
        return file_size(document.content)
    except (OSError, UnreadableDocument):
        return 0  # it fails when it is opened


def open_form(
    documents: Sequence[DocumentInput], opened: ExitStack, limit: int
) -> tuple[Form, list[wire.FailedSchema]]:
    """Return the documents' sources and files, open until ``opened`` is closed, and those that cannot be sent."""
    form: Form = []
    failed = []
    for document in documents:
        source = document.source or ""
        try:
            if not _is_text(source):
                raise InvalidDocument(Problem("source", "the name of the file is not UTF-8; rename the file"))
            form.append((source, opened.enter_context(_opened(document, limit))))
        except OF_THE_DOCUMENT as error:
            failed.append(failed_upload(document, error.message))
        except OSError as error:
            failed.append(failed_upload(document, f"the file cannot be read: {error.strerror}"))
    return form, failed


@contextmanager
def _opened(document: DocumentInput, limit: int) -> Iterator[BinaryIO]:
    """The file that a document is read from.

    Raises:
        DocumentTooLarge: It is so far over ``limit`` bytes that the server would hang up instead of recording why.
    """
    assert isinstance(document.content, Path)
    size = file_size(document.content)
    if size > limit + _RECORDED_BYTES:
        raise DocumentTooLarge(size, limit, "bytes", "limits -> file_bytes")
    inside = in_archive(document.content) is not None
    with BytesIO(read_file(document.content)) if inside else document.content.open("rb") as file:
        yield file


def failed_upload(document: DocumentInput, reason: str) -> wire.FailedSchema:
    """Return what became of a document that was not taken."""
    return wire.FailedSchema(
        document_id=_printable(document.source or ""),
        version=0,
        chunks_created=0,
        embeddings_generated=0,
        state="failed",
        snapshot=0,
        reason=reason,
    )


def _is_text(name: str) -> bool:
    return name == name.encode(errors="replace").decode()


def _printable(name: str) -> str:
    """Return the name of a failed file as the catalogue records it: with question marks for undecodable bytes."""
    kept = name.encode(errors="replace").decode()
    return "".join(character if ord(character) >= 32 else "?" for character in kept)
