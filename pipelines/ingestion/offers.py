"""What callers may offer for ingestion, as documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from pathlib import Path

from llama_index.core.schema import Document as LlamaDocument

from pipelines.ingestion.sources import documents_at
from pipelines.types import DocumentInput

Offer = DocumentInput | LlamaDocument | Path | str
"""A document, LlamaIndex's document, the path of a file or folder, or a text."""


def offered_documents(offers: Offer | Iterable[Offer]) -> Iterable[DocumentInput]:
    """The documents in one or several offers; a list, unless the offers are a stream.

    A text is known by its content, a file by its name or its path in the folder, LlamaIndex's document by its id:
    without an id of its own, each load adds another document.

    Raises:
        InvalidRequest: There is nothing at a path.
    """
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
        case _:
            yield offer


def _from_llama_index(document: LlamaDocument) -> DocumentInput:
    """Its text is stored as it is, for a reader has made it already."""
    said = document.metadata
    source = said.get("file_name") or said.get("file_path") or said.get("url")
    return DocumentInput(
        document.text,
        document_id=document.doc_id,
        title=str(said["title"]) if said.get("title") else None,
        source=str(source) if source else None,
        media_type="text/plain",
        metadata={name: value for name, value in said.items() if name != "title"},
    )
