"""Between PocketPal's shapes and the core's values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from app.contracts.pocketpal.schemas import (
    BatchDocument,
    BatchError,
    BatchIngestResponse,
    BatchProgress,
    ChunkingConfig,
    ConfigChanged,
    ConfigUpdate,
    Context,
    ContextChunk,
    DocumentItem,
    DocumentMetadata,
    EmbeddingConfig,
    EmbeddingUpdate,
    ErrorBody,
    HnswParams,
    IndexingMetrics,
    IngestDocumentRequest,
    IngestDocumentResponse,
    PerformanceConfig,
    PerformanceMetrics,
    RAGConfig,
    RAGError,
    RAGMetrics,
    RAGStatus,
    ResultMetadata,
    SearchConfig,
    SearchFilter,
    SearchHit,
    SearchMetrics,
    State,
    StatusHealth,
    StatusPerformance,
    StorageConfig,
    StorageInfo,
    Task,
    Template,
    TopDocument,
    TopQuery,
    UsageMetrics,
    VectorSearchResponse,
    VectorStoreConfig,
    VectorStoreUpdate,
)
from app.http.failures import Failure
from app.http.telemetry import request_id
from pipelines import Engine, ScopedEngine
from pipelines.errors import BatchTooLarge, InvalidRequest, MemoryFull, Problem, StorageFull, UnknownModel
from pipelines.profile.schema import HuggingFaceEmbedding
from pipelines.types import (
    ChunkSize,
    Document,
    DocumentInput,
    DocumentUse,
    Hit,
    IngestResult,
    Job,
    JobKind,
    SearchResult,
    Usage,
)

Tenant = Engine | ScopedEngine
MB = 1024 * 1024
_MEDIA_TYPES = {"pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "web": "text/html"}
_TYPES = {media_type: name for name, media_type in _MEDIA_TYPES.items()}
_PRIORITIES = {"high": -100, "normal": 0, "low": 100}
_STATES: Mapping[str, State] = {
    "queued": "queued",
    "running": "processing",
    "done": "completed",
    "failed": "error",
    "cancelled": "error",
}
ACTIONS: Mapping[str, JobKind] = {"rebuild": "rebuild", "compact": "compact", "rebalance": "optimize"}
_ACTION_OF = {kind: action for action, kind in ACTIONS.items()}
_CHUNKS_PER_MINUTE: Mapping[str, int] = {"rebuild": 200_000, "compact": 300_000, "rebalance": 300_000}
"""Roughly, on two processors."""
_RAG_CODES: Mapping[str, str] = {
    **dict.fromkeys(("path_outside_roots", "file_not_found", "document_invalid"), "RAG_001"),
    **dict.fromkeys(("embedding_unavailable", "model_missing", "package_missing", "model_unknown"), "RAG_002"),
    "storage_full": "RAG_003",
    "timeout": "RAG_004",
    **dict.fromkeys(("store_unavailable", "catalogue_missing", "embedding_changed"), "RAG_005"),
    **dict.fromkeys(("memory_full", "request_too_large", "batch_too_large"), "RAG_006"),
}
SETTINGS = "pocketpal"
"""The name under which the settings are kept that are not the profile's."""
_DEFAULTS: Mapping[str, Any] = {
    "max_chunk_size": 4000,
    "default_limit": 5,
    "max_limit": 20,
    "default_threshold": 0.0,
    "max_memory_usage": 4096,
    "search_timeout": 10_000,
    "indexing_batch_size": 1000,
    "auto_cleanup": False,
    "max_storage": 0,
}
_MODELS: Mapping[str, str] = {
    "all-MiniLM-L6-v2": "int8",
    "all-MiniLM-L6-v2-fp32": "none",
    "sentence-transformers-mobile": "int8",
    "mobile-sentence-transformer": "int8",
}
"""The bundled model's precision by the names it goes by, the first of each being the one that is told."""
_LOW, _FULL = 1024 * MB, 64 * MB
_TEMPLATES: Mapping[Template, str] = {
    "default": "Answer the question with the help of the context. If the context does not hold the answer, say so.",
    "technical": "Answer as a technical expert. Be exact: name settings, commands and values as the context spells "
    "them, and go step by step. If the context does not hold the answer, say what is missing.",
    "creative": "Answer in an inventive and engaging way. Take the facts from the context, and let the style be free.",
    "analytical": "Analyse the question: weigh what the context says for and against, tell facts from conclusions, "
    "and end with a judgement. If the context does not suffice, say what would decide it.",
}


# ---------------------------------------------------------------------------------------------------------------------
# Documents


def document_input(engine: Tenant, asked: IngestDocumentRequest, folders: Sequence[Path]) -> DocumentInput:
    """The file that a request names, as a document; chunks of another size than the default are its own."""
    file, name = engine.named_file(asked.document_path, folders)
    return _input(file, name, asked.document_type, asked.metadata, _chunking(engine, asked))


def batch_inputs(engine: Tenant, documents: Sequence[BatchDocument], folders: Sequence[Path]) -> list[DocumentInput]:
    """The files of a batch, as documents."""
    named = ((engine.named_file(one.path, folders), one) for one in documents)
    return [_input(file, name, one.type, one.metadata, None) for (file, name), one in named]


def _input(
    file: Path, name: str, kind: str, metadata: DocumentMetadata | None, chunking: ChunkSize | None
) -> DocumentInput:
    given = metadata.model_dump(exclude_none=True) if metadata is not None else {}
    return DocumentInput(
        content=file,
        title=given.pop("title", None),
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


def footprint(engine: Tenant, document: Document) -> int:
    """Bytes that a document takes, about: its content, and the vectors of its chunks."""
    return document.bytes + 4 * engine.dimensions * document.chunks


def ingested(engine: Tenant, result: IngestResult, took_ms: float) -> IngestDocumentResponse:
    """What became of a document; one that is unchanged still has its chunks."""
    document = engine.document(result.document_id)
    return IngestDocumentResponse(
        document_id=result.document_id,
        status="success",
        chunks_created=document.chunks,
        processing_time=took_ms,
        vectors_generated=document.chunks,
        storage_used=footprint(engine, document),
    )


def all_documents(engine: Tenant) -> Iterator[Document]:
    """Every readable document, in the order of the ids."""
    cursor: str | None = None
    while True:
        page = engine.documents(1000, cursor)
        yield from (document for document in page.documents if document.version)
        cursor = page.next_cursor
        if cursor is None:
            return


def document_item(document: Document, use: DocumentUse | None) -> DocumentItem:
    """A document as it is listed."""
    suffix = Path(document.source).suffix.lstrip(".")
    return DocumentItem(
        id=document.document_id,
        title=document.title,
        type=_TYPES.get(document.media_type, suffix or document.media_type),
        chunks_count=document.chunks,
        created_at=document.created_at,
        last_accessed=document.created_at if use is None else use.last,
        metadata=dict(document.metadata),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Searching


def among(engine: Tenant, asked: SearchFilter | None) -> dict[str, Any]:
    """What a filter means, as the core's arguments."""
    if asked is None:
        return {}
    ids = asked.document_ids
    if asked.date_range is not None:
        created = engine.created_between(asked.date_range.start, asked.date_range.end)
        ids = created if ids is None else sorted({*created} & {*ids})
    return {"documents": ids, "filters": {"tags": asked.tags} if asked.tags else None}


def search_response(found: SearchResult, threshold: float, took_ms: float) -> VectorSearchResponse:
    """The chunks that were found."""
    strength = found.trace.strength
    matches = sum(min(score, 1.0) * strength >= threshold for _, score in found.trace.candidates)
    return VectorSearchResponse(
        results=[_search_hit(hit) for hit in found],
        search_time=took_ms,
        total_matches=max(matches, len(found.hits)),
    )


def _search_hit(hit: Hit) -> SearchHit:
    return SearchHit(
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        content=hit.content,
        similarity=hit.score,
        metadata=ResultMetadata(title=hit.title, source=_source(hit), position=hit.index),
    )


def _source(hit: Hit) -> str:
    source = hit.metadata.get("source")
    return source if isinstance(source, str) and source else hit.source


def context(found: SearchResult, most: int, with_sources: bool) -> Context:
    """The found chunks as one text of at most ``most`` characters; the last one that fits may be cut at a word."""
    parts: list[str] = []
    chunks: list[ContextChunk] = []
    left = most
    for number, hit in enumerate(found, 1):
        head = f"[{number}] {hit.title} ({_source(hit)})\n" if with_sources else ""
        gap = "\n\n" if parts else ""
        room = left - len(gap) - len(head)
        content = hit.content if len(hit.content) <= room else _cut(hit.content, room)
        if not content:
            break
        parts.append(f"{gap}{head}{content}")
        chunks.append(ContextChunk(content=content, source=_source(hit), similarity=_similarity(hit, found)))
        left -= len(parts[-1])
    mean = sum(chunk.similarity for chunk in chunks) / len(chunks) if chunks else 0.0
    text = "".join(parts)
    return Context(text=text, chunks=chunks, total_length=len(text), relevance_score=min(mean, 1.0))


def _cut(text: str, most: int) -> str:
    """The beginning of a text up to the end of a word; nothing where no word fits."""
    head = text[: max(most, 0)]
    return head[: max(head.rfind(" "), head.rfind("\n"), 0)].rstrip()


def _similarity(hit: Hit, found: SearchResult) -> float:
    """How similar a hit is, without what it was raised or lowered by for diversity."""
    scores = hit.scores
    return (
        min(scores["fused"].score, 1.0) * found.trace.strength if "mmr" in scores and "fused" in scores else hit.score
    )


def enhanced(query: str, used: str, template: Template, system: str | None) -> str:
    """A prompt that gives a question with its context."""
    opening = [system.strip()] if system and system.strip() else []
    middle = f"Context:\n{used}" if used.strip() else "Context:\n(nothing was found)"
    return "\n\n".join([*opening, _TEMPLATES[template], middle, f"Question: {query}", "Answer:"])


def relevance(engine: Tenant, query: str, used: str) -> float:
    """The cosine of a question and a given context, at least 0."""
    if not used.strip():
        return 0.0
    question, text = (_unit(vector) for vector in engine.embed([query, used]))
    return min(max(sum(a * b for a, b in zip(question, text, strict=True)), 0.0), 1.0)


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector) or 1.0
    return [number / length for number in vector]


# ---------------------------------------------------------------------------------------------------------------------
# Configuration


def config_of(engine: Tenant) -> RAGConfig:
    """How the service works: what the profile says, and what was set at work."""
    profile, own = engine.profile, _DEFAULTS | engine.setting(SETTINGS)
    return RAGConfig(
        embedding=EmbeddingConfig(
            model=model_of(engine), dimensions=engine.dimensions, batch_size=profile.embedding.batch_size
        ),
        vector_store=VectorStoreConfig(
            algorithm="hnsw",
            hnsw_params=HnswParams(
                ef_construction=profile.store.hnsw.ef_construct, max_connections=profile.store.hnsw.m
            ),
        ),
        chunking=ChunkingConfig(
            default_size=profile.chunking.size,
            default_overlap=profile.chunking.overlap,
            max_chunk_size=own["max_chunk_size"],
        ),
        search=SearchConfig.model_validate(own),
        performance=PerformanceConfig.model_validate(own),
        storage=StorageConfig.model_validate(own),
    )


def own_settings(engine: Tenant, asked: ConfigUpdate) -> dict[str, Any]:
    """What a request sets beside the profile, with what was set before.

    Raises:
        InvalidRequest: The values do not go together.
    """
    own = _DEFAULTS | engine.setting(SETTINGS)
    for section in (asked.search, asked.performance, asked.storage):
        own |= section.model_dump(exclude_none=True) if section is not None else {}
    if asked.chunking is not None and asked.chunking.max_chunk_size is not None:
        own["max_chunk_size"] = asked.chunking.max_chunk_size
    size = (asked.chunking and asked.chunking.default_size) or engine.profile.chunking.size
    problems = []
    if own["default_limit"] > own["max_limit"]:
        problems.append(Problem("search -> defaultLimit", f"is over maxLimit, which is {own['max_limit']}"))
    if size > own["max_chunk_size"]:
        problems.append(Problem("chunking -> defaultSize", f"is over maxChunkSize, which is {own['max_chunk_size']}"))
    if own["auto_cleanup"] and not own["max_storage"]:
        problems.append(Problem("storage -> maxStorage", "must be given for autoCleanup: how many MB are enough"))
    if problems:
        raise InvalidRequest(*problems)
    return own


def profile_changes(engine: Tenant, asked: ConfigUpdate) -> dict[str, dict[str, Any]]:
    """What a request changes of the profile.

    Raises:
        InvalidRequest: It asks for what there is not.
    """
    changes: dict[str, dict[str, Any]] = {}
    if asked.chunking is not None:
        sizes = {"size": asked.chunking.default_size, "overlap": asked.chunking.default_overlap}
        given = {name: value for name, value in sizes.items() if value is not None}
        changes["chunking"] = {**given, "unit": "character"} if given else {}
    if asked.embedding is not None:
        changes["embedding"] = _embedding_changes(engine, asked.embedding)
    if asked.vector_store is not None:
        changes["store"] = _store_changes(engine, asked.vector_store)
    return {section: values for section, values in changes.items() if values}


def _embedding_changes(engine: Tenant, asked: EmbeddingUpdate) -> dict[str, Any]:
    section = engine.profile.embedding
    changes: dict[str, Any] = {} if asked.batch_size is None else {"batch_size": asked.batch_size}
    if asked.model is not None and asked.model != model_of(engine):
        if section.provider != "huggingface":
            changes["model"] = asked.model
        elif asked.model in _MODELS:
            changes |= {"model": "bundled", "quantize": _MODELS[asked.model]}
        else:
            raise UnknownModel("embedding -> model", asked.model, tuple(_MODELS))
    if asked.dimensions not in (None, engine.dimensions):
        if section.provider == "huggingface":
            text = f"are the model's, which are {engine.dimensions}"
            raise InvalidRequest(Problem("embedding -> dimensions", text))
        changes["dimensions"] = asked.dimensions
    return changes


def _store_changes(engine: Tenant, asked: VectorStoreUpdate) -> dict[str, Any]:
    if asked.algorithm == "faiss":
        raise InvalidRequest(Problem("vectorStore -> algorithm", "the index is an HNSW graph, there is no faiss here"))
    if asked.hnsw_params is None:
        return {}
    hnsw = engine.profile.store.hnsw
    return {
        "hnsw": {
            "m": asked.hnsw_params.max_connections or hnsw.m,
            "ef_construct": asked.hnsw_params.ef_construction or hnsw.ef_construct,
        }
    }


def model_of(engine: Tenant) -> str:
    """What the embedding model is called."""
    section = engine.profile.embedding
    if isinstance(section, HuggingFaceEmbedding) and section.model == "bundled":
        return next(name for name, quantize in _MODELS.items() if quantize == section.quantize)
    return section.model


def require_model(engine: Tenant, name: str | None) -> None:
    """Refuses a name that is not that of the model in use.

    Raises:
        UnknownModel: It is not.
    """
    known = model_of(engine)
    if name not in (None, known) and not (name in _MODELS and _MODELS.get(known) == _MODELS[name]):
        raise UnknownModel("model", str(name), (known,))


def require_room(engine: Tenant, config: RAGConfig) -> None:
    """Refuses to take more in where memory or disk is used up.

    Raises:
        MemoryFull, StorageFull: It is.
    """
    taken = engine.resources()
    memory, disk = config.performance.max_memory_usage * MB, config.storage.max_storage * MB
    if taken.memory > memory:
        raise MemoryFull(taken.memory, memory)
    if taken.free < _FULL or (disk and taken.disk > disk and not config.storage.auto_cleanup):
        raise StorageFull(taken.disk, disk or taken.disk)


def require_batch(config: RAGConfig, documents: int) -> None:
    """Refuses a batch that is larger than may be.

    Raises:
        BatchTooLarge: It is.
    """
    if documents > config.performance.indexing_batch_size:
        raise BatchTooLarge(documents, config.performance.indexing_batch_size)


def require_chunk(config: RAGConfig, size: int | None) -> None:
    """Refuses chunks that are larger than may be.

    Raises:
        InvalidRequest: They are.
    """
    most = config.chunking.max_chunk_size
    if size is not None and size > most:
        raise InvalidRequest(Problem("chunkSize", f"{size} is over chunking.maxChunkSize, which is {most}"))


def limit(config: RAGConfig, asked: int | None) -> int:
    """How many results are wanted.

    Raises:
        InvalidRequest: More than there may be.
    """
    most = config.search.max_limit
    if asked is not None and asked > most:
        raise InvalidRequest(Problem("limit", f"{asked} is not between 1 and {most}"))
    return config.search.default_limit if asked is None else asked


def changed(config: RAGConfig, task_id: str | None) -> ConfigChanged:
    """How the service works now, and what is still to come."""
    message = "in effect" if task_id is None else "in effect for new documents; those there are made anew by the task"
    return ConfigChanged(
        **{name: getattr(config, name) for name in RAGConfig.model_fields}, task_id=task_id, message=message
    )


# ---------------------------------------------------------------------------------------------------------------------
# Figures


def status(engine: Tenant) -> RAGStatus:
    """How the service is."""
    ready, stats, taken = engine.readiness(), engine.stats(), engine.resources()
    kinds = {job.kind for job in engine.jobs.list(20, state="running").jobs} - {"purge"}
    well = ready.catalogue and ready.store and ready.embedding
    return RAGStatus(
        status="error" if not well else "indexing" if kinds else "ready",
        performance=StatusPerformance(
            documents_indexed=stats.documents,
            total_chunks=stats.chunks,
            vectors_stored=engine.vectors_stored() if ready.store else 0,
            memory_usage=round(taken.memory / MB, 1),
            disk_usage=round(taken.disk / MB, 3),
            average_search_time=round(engine.usage(1).searches.average_ms, 3),
        ),
        health=StatusHealth(
            embedding_model="loaded" if ready.embedding else "error",
            vector_index="error" if not ready.store else "building" if kinds & {"rebuild", "reembed"} else "ready",
            storage="full" if taken.free < _FULL else "low" if taken.free < _LOW else "available",
        ),
        last_updated=datetime.now(UTC),
    )


def metrics(engine: Tenant, used: Usage) -> RAGMetrics:
    """How the service is used; documents that are gone are left out."""
    searches, ingestion = used.searches, used.ingestion
    titles = {document.document_id: document.title for document in all_documents(engine)}
    return RAGMetrics(
        performance=PerformanceMetrics(
            search_metrics=SearchMetrics(
                average_time=searches.average_ms,
                p95_time=searches.p95_ms,
                p99_time=searches.p99_ms,
                total_searches=searches.count,
            ),
            indexing_metrics=IndexingMetrics(
                documents_per_second=ingestion.per_second(ingestion.count),
                vectors_per_second=ingestion.per_second(ingestion.items),
                average_index_time=ingestion.average_ms,
            ),
        ),
        usage=UsageMetrics(
            top_documents=[
                TopDocument(
                    document_id=use.document_id,
                    title=titles[use.document_id],
                    access_count=use.count,
                    last_accessed=use.last,
                )
                for use in used.documents
                if use.document_id in titles
            ],
            top_queries=[
                TopQuery(query=use.query, count=use.count, average_relevance=use.relevance) for use in used.queries
            ],
        ),
    )


def storage_info(engine: Tenant, config: RAGConfig) -> StorageInfo:
    """Room on disk."""
    taken = engine.resources()
    content = sum(document.bytes for document in all_documents(engine))
    most = config.storage.max_storage * MB
    return StorageInfo(
        used=taken.disk,
        available=min(taken.free, max(most - taken.disk, 0)) if most else taken.free,
        efficiency=round(content / taken.disk, 4) if taken.disk else 0.0,
        auto_cleanup=config.storage.auto_cleanup,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Batches and tasks


def priority(name: str) -> int:
    """A priority by its name: the smallest comes first."""
    return _PRIORITIES[name]


def batch(job: Job, documents_per_second: float) -> BatchIngestResponse:
    """A batch; where nothing of it is done yet, its end is reckoned with the speed of earlier ones."""
    progress = job.progress
    total, done = progress.files_total or 0, progress.files_done
    guess = datetime.now(UTC) + timedelta(seconds=(total - done) / (documents_per_second or 1.0))
    failed = progress.files_failed
    lost = job.state == "done" and total > 0 and failed == total
    return BatchIngestResponse(
        batch_id=job.job_id,
        status="error" if lost else _STATES[job.state],
        progress=BatchProgress(
            total=total,
            completed=done - failed,
            failed=failed,
            estimated_completion=job.finished_at or progress.estimated_completion or guess,
        ),
        errors=[
            BatchError(path=file.path, message=file.reason or "it could not be ingested")
            for file in job.files
            if file.state == "failed"
        ],
    )


def task(job: Job) -> Task:
    """A piece of work."""
    return Task(
        task_id=job.job_id,
        action=_ACTION_OF.get(job.kind, job.kind),
        status=_STATES[job.state],
        created_at=job.created_at,
        finished_at=job.finished_at,
        error=job.reason if _STATES[job.state] == "error" else None,
    )


def minutes(action: str, chunks: int) -> float:
    """About how long a task takes."""
    return round(chunks / _CHUNKS_PER_MINUTE[action], 3)


# ---------------------------------------------------------------------------------------------------------------------


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """A failure in PocketPal's envelope."""
    body = ErrorBody(
        code=_code(failure),
        message=failure.detail,
        details={"problems": [asdict(problem) for problem in failure.problems]} if failure.problems else None,
        timestamp=datetime.now(UTC),
        request_id=request_id(request),
    )
    content = RAGError(error=body).model_dump(mode="json", exclude_none=True)
    return JSONResponse(content, failure.status, dict(failure.headers))


def _code(failure: Failure) -> str:
    unreadable = failure.code.startswith("document_") and failure.code != "document_not_found"
    return _RAG_CODES.get(failure.code) or ("RAG_001" if unreadable else failure.code.upper())
