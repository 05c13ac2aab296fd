"""The files of a job in its rows: how an offered document is kept until it is done, and how it comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from pipelines.catalogue.tables import JobFileRow
from pipelines.errors import InvalidDocument, Problem, UnreadableDocument
from pipelines.reading.archive import file_size, read_file
from pipelines.types import ChunkSize, DocumentInput

_OTHERWISE_KEPT = ("content", "metadata", "accepted", "chunking")
_NAMES = [field.name for field in fields(DocumentInput) if field.name not in _OTHERWISE_KEPT]
PURGED = "(purged)"
"""Takes the place of the path of a file whose document was purged."""
_MOST_KEPT = 256 * 1024 * 1024
"""Bytes of a file that is read when it is offered; a larger one is left where it is, and fails there if it must."""


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file of a job that is still to be done: its number in the job, its path there, and the document."""

    number: int
    path: str
    document: DocumentInput


def path_of(document: DocumentInput, number: int) -> str:
    """Return what a document is called in the list of a job's files."""
    name = document.content.name if isinstance(document.content, Path) else None
    return storable(document.source or document.document_id or name or f"document {number + 1}")


def storable(text: str) -> str:
    """``text`` without what databases refuse: half characters are spelled out, and zeros dropped."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "")


def request_hash(kind: str, priority: int, documents: Sequence[DocumentInput]) -> str:
    """SHA-256 of what was asked; a file counts by its path.

    Raises:
        InvalidDocument: A document's metadata is not plain JSON, or its content neither text, bytes nor a path.
    """
    digest = hashlib.sha256(json.dumps([kind, priority]).encode())
    for number, document in enumerate(documents):
        plain, content = _plain(number, document).encode(), _content(document)
        digest.update(f"{len(plain)} {len(content)} ".encode())
        digest.update(plain)
        digest.update(content)
    return digest.hexdigest()


def job_files(documents: Sequence[DocumentInput], keep_files: bool) -> Iterator[dict[str, Any]]:
    """The rows of a job's documents, without the job's own key.

    Args:
        documents: What was offered, checked by `request_hash`.
        keep_files: Files stay where they are until they are done; otherwise they are read now.
    """
    for number, document in enumerate(documents):
        kept = document if keep_files else _read(document)
        yield {
            "number": number,
            "path": path_of(document, number),
            "state": "waiting",
            "chunks": 0,
            "bytes": 0,
            "offered": {**json.loads(_plain(number, kept)), "form": type(kept.content).__name__},
            "content": _content(kept),
        }


def pending_file(row: JobFileRow, accepted: int) -> PendingFile:
    """Return a file with its document, as it was offered at ``accepted``: of one job's, the earlier came first."""
    offered, content = dict(row.offered or {}), row.content or b""
    form, chunking = offered.pop("form"), offered.pop("chunking", None)
    offered["chunking"] = None if chunking is None else ChunkSize(**chunking)
    if form == "bytes":
        given: str | bytes | Path = content
    else:
        text = content.decode(errors="surrogatepass")
        given = text if form == "str" else Path(text)
    return PendingFile(row.number, row.path, DocumentInput(content=given, accepted=accepted + row.number, **offered))


def _read(document: DocumentInput) -> DocumentInput:
    """``document`` with its file's bytes, where the file can be read."""
    path = document.content
    if not isinstance(path, Path):
        return document
    try:
        if file_size(path) > _MOST_KEPT:
            return document
        content = read_file(path)
    except (OSError, UnreadableDocument):
        return document  # it fails alone, with its reason, when its turn comes
    return replace(document, content=content, source=document.source or path.name)


def _plain(number: int, document: DocumentInput) -> str:
    """Return everything but the content, as JSON."""
    names = {name: getattr(document, name) for name in _NAMES}
    if document.chunking is not None:
        names["chunking"] = asdict(document.chunking)
    try:
        return json.dumps({**names, "metadata": dict(document.metadata)}, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"cannot be kept until its turn comes: it must be plain JSON ({error})"
        raise InvalidDocument(Problem(f"documents -> {number} -> metadata", message)) from error


def _content(document: DocumentInput) -> bytes:
    content = document.content
    match content:
        case bytes():
            return content
        case str():
            return content.encode(errors="surrogatepass")
        case Path():
            return str(content.absolute()).encode(errors="surrogatepass")
    message = f"must be text, bytes or the path of a file, not {type(content).__name__}"
    raise InvalidDocument(Problem("documents -> content", message))
