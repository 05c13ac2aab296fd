"""Figures of the service and of its use."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from app.contracts.pocketpal.mapping.base import LOW, MB, Tenant
from app.contracts.pocketpal.mapping.configuration import is_full
from app.contracts.pocketpal.mapping.documents import all_documents
from app.contracts.pocketpal.schemas.configuration import RAGConfig
from app.contracts.pocketpal.schemas.figures import (
    IndexingMetrics,
    PerformanceMetrics,
    RAGMetrics,
    RAGStatus,
    SearchMetrics,
    StatusHealth,
    StatusPerformance,
    StorageInfo,
    TopDocument,
    TopQuery,
    UsageMetrics,
)
from pipelines.types import (
    Readiness,
    Resources,
    Usage,
)

_LOW_SHARE = 0.9
"""Of the room that the documents may take: beyond it, room is low."""


def status(engine: Tenant, config: RAGConfig, loading: bool) -> RAGStatus:
    """Return how the service is; ``loading``: the knowledge folder is being loaded for the first time since the
    start.
    """
    ready, stats, taken = engine.readiness(), engine.stats(), engine.storage.resources()
    kinds = {job.kind for job in engine.jobs.list(20, state="running").jobs} - {"purge"}
    building = loading or bool(kinds & {"rebuild", "reembed"})
    return RAGStatus(
        status=_state(ready, loading, bool(kinds)),
        performance=StatusPerformance(
            documents_indexed=stats.documents,
            total_chunks=stats.chunks,
            vectors_stored=engine.storage.vectors_stored() if ready.store else 0,
            memory_usage=round(taken.memory / MB, 1),
            disk_usage=round(stats.bytes / MB, 3),
            average_search_time=round(engine.usage(1).searches.average_ms, 3),
        ),
        health=StatusHealth(
            embedding_model="loaded" if ready.embedding else "loading" if loading else "error",
            vector_index="error" if not ready.store else "building" if building else "ready",
            storage=_room(taken, config),
        ),
        last_updated=datetime.now(UTC),
    )


def _state(ready: Readiness, loading: bool, working: bool) -> Literal["ready", "indexing", "error", "initializing"]:
    if not (ready.catalogue and ready.store):
        return "error"
    if loading:
        return "initializing"
    if not ready.embedding:
        return "error"
    return "indexing" if working else "ready"


def _room(taken: Resources, config: RAGConfig) -> Literal["available", "low", "full"]:
    if is_full(taken, config):
        return "full"
    low = taken.free < LOW or 0 < config.storage.max_storage * MB * _LOW_SHARE < taken.documents
    return "low" if low else "available"


def metrics(engine: Tenant, used: Usage) -> RAGMetrics:
    """Return how the service is used; documents that are gone are left out."""
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


def used_bytes(engine: Tenant) -> int:
    """Return bytes on disk that the documents take, without the store's log, which holds none for good.

    For a key with a scope they are those of its documents' content.
    """
    return engine.stats().bytes if engine.scope else engine.storage.resources().documents


def storage_info(engine: Tenant, config: RAGConfig) -> StorageInfo:
    """Room on disk."""
    taken, used = engine.storage.resources(), used_bytes(engine)
    content = sum(document.bytes for document in all_documents(engine))
    most = config.storage.max_storage * MB
    return StorageInfo(
        used=used,
        available=min(taken.free, max(most - taken.documents, 0)) if most else taken.free,
        efficiency=round(content / used, 4) if used else 0.0,
        auto_cleanup=config.storage.auto_cleanup,
    )
