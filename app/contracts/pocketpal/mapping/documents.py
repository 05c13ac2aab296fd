"""Documents: what requests bring, and how they are listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from app.contracts.pocketpal.mapping.base import MB, Tenant
from app.contracts.pocketpal.schemas.documents import (
    DocumentItem,
    DocumentMetadata,
    IngestDocumentRequest,
    IngestDocumentResponse,
)
from app.contracts.pocketpal.schemas.tasks import BatchDocument, BatchFile
from app.http.errors import MalformedRequest
from app.http.validation import malformed
from pipelines.errors import DocumentNotFound, FileNotFound, FootnoteError, OutsideRoots, Problem
from pipelines.reading import media_type_of
from pipelines.types import (
    ChunkSize,
    Document,
    DocumentInput,
    DocumentUse,
    IngestResult,
    Job,
)

_MEDIA_TYPES = {"pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "web": "text/html"}
_ALSO = {"text": "text/plain", "plain": "text/plain", "markdown": "text/markdown"}
_NAMELESS = "(no path)"
_LARGE = MB
_TYPES = {media_type: name for name, media_type in _MEDIA_TYPES.items()}


def document_input(engine: Tenant, asked: IngestDocumentRequest, folders: Sequence[Path]) -> DocumentInput:
    """Return the file that a request names, as a document; chunks of another size than the default are its own."""
    file, name = engine.named_file(asked.document_path, folders)
    return _input(file, name, _MEDIA_TYPES[asked.document_type], asked.metadata, _chunking(engine, asked))


def batch_inputs(engine: Tenant, documents: Sequence[BatchDocument], folders: Sequence[Path]) -> list[DocumentInput]:
    """Return the files of a batch, as documents; one that is wrong or missing, or may not be read, fails alone when its
    turn comes.

    Raises:
        MalformedRequest, OutsideRoots, FileNotFound: None of them may be read.
    """
    inputs = [_batch_input(engine, number, one, folders) for number, one in enumerate(documents)]
    faults = [one for one in inputs if isinstance(one, FootnoteError)]
    if len(faults) == len(documents):
        raise faults[0]
    return [
        DocumentInput(content="", source=sent.path or _NAMELESS, fault=one.message)
        if isinstance(one, FootnoteError)
        else one
        for one, sent in zip(inputs, documents, strict=True)
    ]


def _batch_input(
    engine: Tenant, number: int, sent: BatchDocument, folders: Sequence[Path]
) -> DocumentInput | MalformedRequest | OutsideRoots | FileNotFound:
    where = ("documents", number)
    try:
        one = BatchFile.model_validate(sent.model_dump())
        kind = _media_type(one.type)
        if kind is None:
            known = ", ".join(_MEDIA_TYPES)
            problem = f"must be one of {known}, or the ending of another format's files, such as docx"
            return MalformedRequest(Problem(f"documents -> {number} -> type", problem))
        file, name = engine.named_file(one.path, folders, missing=True)
    except ValidationError as error:
        return malformed([{**detail, "loc": (*where, *detail["loc"])} for detail in error.errors()])
    except (OutsideRoots, FileNotFound) as error:
        return error
    return _input(file, name, kind, one.metadata, None)


def _media_type(kind: str) -> str | None:
    """Return the media type of a file's type as clients write it: ``markdown``, ``.docx``."""
    ending = kind.strip().lower().removeprefix(".")
    return _MEDIA_TYPES.get(ending) or _ALSO.get(ending) or media_type_of(f"file.{ending}")


def _input(
    file: Path, name: str, media_type: str, metadata: DocumentMetadata | None, chunking: ChunkSize | None
) -> DocumentInput:
    given = metadata.model_dump(exclude_none=True) if metadata is not None else {}
    return DocumentInput(
        content=file,
        title=given.get("title"),
        source=name,
        media_type=media_type,
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
    return document.bytes + engine.storage.vector_bytes() * document.chunks


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
