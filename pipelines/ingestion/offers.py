"""What callers may offer for ingestion: as documents, with names, and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from pathlib import Path

from llama_index.core.schema import Document as LlamaDocument

from pipelines.errors import InvalidDocument, InvalidRequest, Problem
from pipelines.ingestion.sources import documents_at
from pipelines.types import DocumentInput

Offer = DocumentInput | LlamaDocument | Path | str
"""A document, LlamaIndex's document, the path of a file or folder, or a text."""
MAX_NAME_CHARS = 512
_NO_OFFER = "must be DocumentInput, LlamaIndex's Document, a Path or a text, or a list of these, not {}"
_STEPS = (".", "..")


def offered_documents(offers: Offer | Iterable[Offer]) -> Iterable[DocumentInput]:
    """Return the documents in one or several offers; a list, unless the offers are a stream.

    A text is known by its content, a file by its name or its path in the folder, LlamaIndex's document by its id:
    without an id of its own, each load adds another document.

    Raises:
        InvalidRequest: There is nothing at a path, or an offer is of another kind.
    """
    if isinstance(offers, Mapping) or not isinstance(offers, Iterable | Offer):
        raise InvalidRequest(Problem("documents", _NO_OFFER.format(type(offers).__name__)))
    if isinstance(offers, Offer):
        return list(_documents(offers))
    found = (document for offer in offers for document in _documents(offer))
    return list(found) if isinstance(offers, Sized) else found


def _documents(offer: Offer) -> Iterator[DocumentInput]:
    match offer:
        case str():
            yield DocumentInput(offer)
        case Path():
            yield from documents_at(offer, {})
        case LlamaDocument():
            yield _from_llama_index(offer)
        case DocumentInput():
            yield offer
        case _:
            raise InvalidRequest(Problem("documents", _NO_OFFER.format(type(offer).__name__)))


def _from_llama_index(document: LlamaDocument) -> DocumentInput:
    """Return a document of LlamaIndex as an offer; its text is stored as it is, since a reader has made it."""
    metadata = document.metadata
    source = metadata.get("file_name") or metadata.get("file_path") or metadata.get("url")
    return DocumentInput(
        document.text,
        document_id=document.doc_id,
        title=str(metadata["title"]) if metadata.get("title") else None,
        source=str(source) if source else None,
        media_type="text/plain",
        metadata={name: value for name, value in metadata.items() if name != "title"},
    )


def named_offer(offered: DocumentInput) -> DocumentInput:
    """Return an offer with a source and an id: a file is named after itself, a text without a name by its content."""
    content = offered.content
    source = offered.source or (content.name if isinstance(content, Path) else None)
    return replace(offered, source=source, document_id=offered.document_id or source or _id_of(content))


def _id_of(content: object) -> str:
    raw = content if isinstance(content, bytes) else str(content).encode(errors="surrogatepass")
    return f"content-{hashlib.sha256(raw).hexdigest()[:16]}"


def check_offer(offered: DocumentInput) -> None:
    """Check the types and the names of an offer.

    Raises:
        InvalidDocument: One of them cannot be taken.
    """
    _check_types(offered)
    _check_names(offered)


def _check_types(offered: DocumentInput) -> None:
    """Refuse what type hints would have: loads are also written without a type checker."""
    content, metadata = offered.content, offered.metadata
    problems = [
        Problem(path, f"must be text, not {type(value).__name__}")
        for path, value in (*_names(offered), ("media_type", offered.media_type))
        if not isinstance(value, str | None)
    ]
    if not isinstance(content, str | bytes | Path):
        problems.append(Problem("content", f"must be text, bytes or the path of a file, not {type(content).__name__}"))
    if not isinstance(metadata, Mapping):
        problems.append(Problem("metadata", f"must be a mapping of names to values, not {type(metadata).__name__}"))
    if problems:
        raise InvalidDocument(*problems)


def _names(offered: DocumentInput) -> tuple[tuple[str, str | None], ...]:
    return (("source", offered.source), ("document_id", offered.document_id), ("title", offered.title))


def _check_names(offered: DocumentInput) -> None:
    source = offered.source or ""
    if isinstance(offered.content, Path) and source != without_surrogates(source):
        raise InvalidDocument(Problem("source", "the name of the file is not UTF-8; rename the file"))
    for path, value in _names(offered):
        if value is None:
            continue
        encoded(path, value)
        if len(value) > MAX_NAME_CHARS:
            raise InvalidDocument(Problem(path, f"{len(value)} characters are more than {MAX_NAME_CHARS}"))
        if any(ord(character) < 32 for character in value):
            advice = ", such as a line break; if a file is called so, rename it" if path == "source" else ""
            raise InvalidDocument(Problem(path, f"must not hold control characters{advice}"))

    if not is_addressable(offered.document_id):
        message = f'"{offered.document_id}" is a step in an address, so that no client could ask for it; use another id'
        raise InvalidDocument(Problem("document_id", message))


def is_addressable(document_id: str | None) -> bool:
    """Return whether a document of this id could be asked for over HTTP, where clients resolve ``.`` and ``..``."""
    return document_id not in _STEPS


def encoded(path: str, value: str) -> bytes:
    """Return ``value`` as UTF-8; ``path`` names it in the error.

    Raises:
        InvalidDocument: It holds a lone surrogate.
    """
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise InvalidDocument(
            Problem(path, f"holds half a character (a lone surrogate) at position {error.start}; send valid Unicode")
        ) from None


def printable(name: object) -> str:
    """Return what was sent as a name in a form that can be recorded."""
    kept = without_surrogates(str(name))[:MAX_NAME_CHARS]
    return "".join(character if ord(character) >= 32 else "?" for character in kept)


def without_surrogates(text: str) -> str:
    """Return ``text`` with a question mark for each lone surrogate."""
    return text.encode(errors="replace").decode()
