"""Documents: what requests bring, and how they are listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.contracts.pocketpal.mapping.base import MB, Tenant
from app.contracts.pocketpal.schemas.documents import (
    DocumentItem,
    DocumentMetadata,
    IngestDocumentRequest,
    IngestDocumentResponse,
)
from app.contracts.pocketpal.schemas.tasks import BatchDocument
from pipelines.errors import DocumentNotFound, FileNotFound, FootnoteError, OutsideRoots
from pipelines.types import (
    ChunkSize,
    Document,
    DocumentInput,
    DocumentUse,
    IngestResult,
    Job,
)

_MEDIA_TYPES = {"pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "web": "text/html"}
_LARGE = MB
_TYPES = {media_type: name for name, media_type in _MEDIA_TYPES.items()}


def document_input(engine: Tenant, asked: IngestDocumentRequest, folders: Sequence[Path]) -> DocumentInput:
    """Return the file that a request names, as a document; chunks of another size than the default are its own."""
    file, name = engine.named_file(asked.document_path, folders)
    return _input(file, name, asked.document_type, asked.metadata, _chunking(engine, asked))


def batch_inputs(engine: Tenant, documents: Sequence[BatchDocument], folders: Sequence[Path]) -> list[DocumentInput]:
    """Return the files of a batch, as documents; one that is missing, or may not be read, fails alone when its turn
    comes.

    Raises:
        OutsideRoots, FileNotFound: None of them may be read.
    """
    located = [_located(engine, one.path, folders) for one in documents]
    faults = [one for one in located if isinstance(one, FootnoteError)]
    if len(faults) == len(documents):
        raise faults[0]
    return [_batch_input(place, one) for place, one in zip(located, documents, strict=True)]


def _located(engine: Tenant, path: str, folders: Sequence[Path]) -> tuple[Path, str] | FootnoteError:
    try:
        return engine.named_file(path, folders, missing=True)
    except (OutsideRoots, FileNotFound) as error:
        return error


def _batch_input(place: tuple[Path, str] | FootnoteError, one: BatchDocument) -> DocumentInput:
    if isinstance(place, FootnoteError):
        return DocumentInput(content="", source=one.path, fault=place.message)
    return _input(*place, one.type, one.metadata, None)


def _input(
    file: Path, name: str, kind: str, metadata: DocumentMetadata | None, chunking: ChunkSize | None
) -> DocumentInput:
    given = metadata.model_dump(exclude_none=True) if metadata is not None else {}
    return DocumentInput(
        content=file,
        title=given.get("title"),
        source=name,
        media_type=_MEDIA_TYPES[kind],
        metadata=given,
        chunking=chunking,
    )


def _chunking(engine: Tenant, asked: IngestDocumentRequest) -> ChunkSize | None:
    if asked.chunk_size is None and asked.chunk_overlap is None:
        return None
    default = engine.profile.chunking
    size = default.size if asked.chunk_size is None else asked.chunk_size
    overlap = min(default.overlap, size // 2) if asked.chunk_overlap is None else asked.chunk_overlap
    if (size, overlap, "character") == (default.size, default.overlap, default.unit):
        return None
    return ChunkSize(size, overlap)


def is_large(document: DocumentInput) -> bool:
    """Return whether a file is ingested as a task."""
    return isinstance(document.content, Path) and document.content.stat().st_size > _LARGE


def accepted(document: DocumentInput, job: Job, took_ms: float) -> IngestDocumentResponse:
    """Return what is known of a large document, which a task ingests."""
    return IngestDocumentResponse(
        document_id=document.source or "",
        status="processing",
        chunks_created=0,
        processing_time=took_ms,
        vectors_generated=0,
        storage_used=0,
        task_id=job.job_id,
    )


def footprint(engine: Tenant, document: Document) -> int:
    """Return bytes that a document takes, about: its content, and the vectors of its chunks."""
    return document.bytes + 4 * engine.dimensions * document.chunks


def ingested(engine: Tenant, result: IngestResult, took_ms: float) -> IngestDocumentResponse:
    """Return what became of a document; one that is unchanged still has its chunks."""
    try:
        document = engine.document(result.document_id)
        chunks, used = document.chunks, footprint(engine, document)
    except DocumentNotFound:  # another caller has deleted it
        chunks, used = result.chunks_created, 0
    return IngestDocumentResponse(
        document_id=result.document_id,
        status="success",
        chunks_created=chunks,
        processing_time=took_ms,
        vectors_generated=chunks,
        storage_used=used,
    )


def all_documents(engine: Tenant) -> Iterator[Document]:
    """Yield every readable document, in the order of the ids."""
    cursor: str | None = None
    while True:
        page = engine.documents(1000, cursor)
        yield from (document for document in page.documents if document.version)
        cursor = page.next_cursor
        if cursor is None:
            return


def document_item(document: Document, use: DocumentUse | None) -> DocumentItem:
    """Return a document as it is listed."""
    suffix = Path(document.source).suffix.lstrip(".")
    return DocumentItem(
        id=document.document_id,
        title=document.title,
        type=_TYPES.get(document.media_type, suffix or document.media_type),
        chunks_count=document.chunks,
        created_at=document.created_at,
        last_accessed=document.created_at if use is None else max(use.last, document.created_at),
        metadata=dict(document.metadata),
    )
