"""PocketPal's routes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import replace
from pathlib import Path

from fastapi import Depends, FastAPI, Request

from app.contracts.pocketpal import mapping
from app.contracts.pocketpal.schemas.base import RAGError
from app.contracts.pocketpal.schemas.configuration import ConfigChanged, ConfigUpdate, RAGConfig
from app.contracts.pocketpal.schemas.documents import (
    DeleteDocumentResponse,
    IngestDocumentRequest,
    IngestDocumentResponse,
    ListDocumentsResponse,
)
from app.contracts.pocketpal.schemas.figures import RAGMetrics, RAGStatus, StorageInfo
from app.contracts.pocketpal.schemas.search import (
    ContextRetrievalRequest,
    ContextRetrievalResponse,
    EmbedRequest,
    EmbedResponse,
    EnhancePromptRequest,
    EnhancePromptResponse,
    VectorSearchRequest,
    VectorSearchResponse,
)
from app.contracts.pocketpal.schemas.tasks import (
    BatchIngestRequest,
    BatchIngestResponse,
    OptimizeIndexRequest,
    OptimizeIndexResponse,
    Task,
)
from app.http.contract import (
    ContractEngine,
    ContractGrant,
    Loading,
    contract_app,
    contract_routes,
    error_responses,
    field_names,
    ingest_one,
    is_loading,
)
from app.http.leaving import RequireCaller
from app.http.routing import add_routes, has_role
from pipelines import TenantAdmin, TenantReader
from pipelines.errors import JobNotFound, PartTimeout
from pipelines.profile.schema import Profile
from pipelines.types import Caller, Job, JobKind, Query, SearchResult

_DESCRIPTION = "Documents in, context for a language model out; everything is processed on this machine."
_ERRORS = error_responses(RAGError, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 500, 503, 504, 507)
_PREFIX = "/api/rag"
_FOLDER = "POCKETPAL_DOCUMENTS"
_SEARCHES_AT_ONCE = 40
_FOREGROUND_S = 30.0
_LOOK_S = 0.05
_searching = ThreadPoolExecutor(_SEARCHES_AT_ONCE, thread_name_prefix="footnote-pocketpal")

reader = contract_routes("reader", _ERRORS, prefix=_PREFIX)
writer = contract_routes("writer", _ERRORS, prefix=_PREFIX)
admin = contract_routes("admin", _ERRORS, prefix=_PREFIX)


def loaded(request: Request, engine: ContractEngine) -> None:
    """Wait until the knowledge folder is loaded, as long as a search may take."""
    until = time.monotonic() + mapping.config_of(engine).performance.search_timeout / 1000
    while is_loading(request) and time.monotonic() < until:
        time.sleep(_LOOK_S)


LOADED = [Depends(loaded)]


def build(profile: Profile) -> FastAPI:
    """PocketPal's application for a tenant; ``POCKETPAL_DOCUMENTS`` names one more folder that files may be in."""
    app = contract_app(profile, _DESCRIPTION, mapping.error_response)
    folder = os.environ.get(_FOLDER)
    app.state.folders = (Path(folder).expanduser(),) if folder else ()
    app.state.configuring = threading.Lock()
    add_routes(app, reader, writer, admin)
    return app


@writer.post("/documents/ingest", response_model_exclude_none=True, dependencies=LOADED)
def ingest_document(request: Request, engine: ContractEngine, asked: IngestDocumentRequest) -> IngestDocumentResponse:
    """Ingest a file; a large one becomes a task."""
    config, began = mapping.config_of(engine), time.perf_counter()
    mapping.require_chunk(config, asked.chunk_size, asked.chunk_overlap)
    mapping.require_room(engine, config)
    document = mapping.document_input(engine, asked, request.app.state.folders)
    if mapping.is_large(document) and not engine.scope:
        task = engine.jobs.submit("ingest", [replace(document, words_first=True)])
        return mapping.accepted(document, task, _since(began))
    return mapping.ingested(engine, ingest_one(engine, document), _since(began))


@reader.get("/documents", response_model_exclude_none=True, dependencies=LOADED)
def list_documents(engine: ContractEngine) -> ListDocumentsResponse:
    """List the documents."""
    found = list(mapping.all_documents(engine))
    uses = engine.uses_of()
    return ListDocumentsResponse(
        documents=[mapping.document_item(document, uses.get(document.document_id)) for document in found],
        total_documents=len(found),
        total_chunks=sum(document.chunks for document in found),
        storage_used=mapping.used_bytes(engine),
    )


@writer.delete("/documents/{documentId:path}", response_model_exclude_none=True, dependencies=LOADED)
def delete_document(request: Request, engine: ContractEngine, documentId: str) -> DeleteDocumentResponse:  # noqa: N803 - as published
    """Delete a document; with an admin's key its history too."""
    document = engine.document(documentId)
    freed = mapping.footprint(engine, document)
    receipt = engine.delete(documentId, purge=not engine.scope and has_role(request, "admin"))
    return DeleteDocumentResponse(
        success=True, chunks_removed=document.chunks, storage_freed=0 if receipt.chunks_left else freed
    )


@reader.post("/vectors/embed", response_model_exclude_none=True)
def embed(engine: ContractEngine, asked: EmbedRequest) -> EmbedResponse:
    """Embed a text."""
    mapping.require_model(engine, asked.model)
    began = time.perf_counter()
    [vector] = engine.embed([asked.text])
    name = asked.model or mapping.model_of(engine)
    return EmbedResponse(embedding=vector, dimensions=len(vector), model=name, processing_time=_since(began))


@reader.post("/vectors/search", response_model_exclude_none=True, dependencies=LOADED)
def search(engine: ContractEngine, grant: ContractGrant, asked: VectorSearchRequest) -> VectorSearchResponse:
    """Find the chunks most similar to a text or a vector."""
    config, began = mapping.config_of(engine), time.perf_counter()
    threshold = config.search.default_threshold if asked.threshold is None else asked.threshold
    if asked.query.strip():
        mapping.require_question(engine, "query", asked.query)
    with field_names(vector="queryVector"):
        query = Query(
            asked.query,
            top_k=mapping.limit(config, asked.limit),
            vector=asked.query_vector,
            min_score=threshold,
            caller=grant.caller(),
        )
        found = _search(engine, config, mapping.filtered(engine, query, asked.filter))
    return mapping.search_response(found, threshold, _since(began))


@reader.post("/context/retrieve", response_model_exclude_none=True, dependencies=LOADED)
def retrieve_context(
    engine: ContractEngine, grant: ContractGrant, asked: ContextRetrievalRequest
) -> ContextRetrievalResponse:
    """Get the context for a question."""
    began = time.perf_counter()
    found = _found_for(engine, asked.query, asked.max_chunks, asked.diversity_factor, grant.caller())
    context = mapping.context(found, asked.max_context_length, asked.include_metadata)
    return ContextRetrievalResponse(context=context, processing_time=_since(began))


@reader.post("/context/enhance-prompt", response_model_exclude_none=True, dependencies=LOADED)
def enhance_prompt(engine: ContractEngine, grant: ContractGrant, asked: EnhancePromptRequest) -> EnhancePromptResponse:
    """Write the prompt for a question, with its context."""
    mapping.require_question(engine, "userQuery", asked.user_query)
    if asked.context is not None:
        used, confidence = asked.context, mapping.relevance(engine, asked.user_query, asked.context)
    else:
        like = ContextRetrievalRequest(query=asked.user_query)
        found = _found_for(engine, like.query, like.max_chunks, None, grant.caller())
        context = mapping.context(found, like.max_context_length, like.include_metadata)
        used, confidence = context.text, context.relevance_score
    prompt = mapping.enhanced(asked.user_query, used, asked.template, asked.system_prompt)
    return EnhancePromptResponse(
        enhanced_prompt=prompt, context_used=used, prompt_length=len(prompt), confidence=confidence
    )


@reader.get("/config", response_model_exclude_none=True)
def get_config(engine: ContractEngine) -> RAGConfig:
    """How the service works."""
    return mapping.config_of(engine)


@admin.put("/config", response_model_exclude_none=True)
def put_config(request: Request, engine: ContractEngine, asked: ConfigUpdate) -> ConfigChanged:
    """Change how the service works; what is not given stays."""
    tenant = engine.whole("the configuration")
    with request.app.state.configuring:  # what stays is read and written again
        return _configured(tenant, asked)


@reader.get("/status", response_model_exclude_none=True)
def status(engine: ContractEngine, loading: Loading) -> RAGStatus:
    """How the service is."""
    return mapping.status(engine, mapping.config_of(engine), loading)


@reader.get("/metrics", response_model_exclude_none=True)
def metrics(engine: ContractEngine, grant: ContractGrant) -> RAGMetrics:
    """How the key uses the service, for admins how all keys do, and how fast it is."""
    return mapping.metrics(engine, engine.usage(caller=grant.caller()))


@reader.get("/storage", response_model_exclude_none=True)
def storage(engine: ContractEngine) -> StorageInfo:
    """Room on disk."""
    return mapping.storage_info(engine, mapping.config_of(engine))


@writer.post("/batch/ingest", response_model_exclude_none=True)
def ingest_batch(request: Request, engine: ContractEngine, asked: BatchIngestRequest) -> BatchIngestResponse:
    """Ingest files in the background."""
    config = mapping.config_of(engine)
    mapping.require_batch(config, len(asked.documents))
    mapping.require_room(engine, config)
    documents = mapping.batch_inputs(engine, asked.documents, request.app.state.folders)
    job = engine.jobs.submit("ingest", documents, priority=mapping.priority(asked.priority), at_once=asked.concurrency)
    return mapping.batch(job, _pace(engine))


@writer.get("/batch/{batchId}", response_model_exclude_none=True)
def get_batch(engine: ContractEngine, batchId: str) -> BatchIngestResponse:  # noqa: N803 - as published
    """How far a batch is."""
    job = engine.jobs.job(batchId)
    if job.kind != "ingest":
        raise JobNotFound(batchId)
    return mapping.batch(job, _pace(engine))


@admin.post("/index/optimize", response_model_exclude_none=True)
def optimize_index(
    engine: ContractEngine, asked: OptimizeIndexRequest, on_wait: RequireCaller
) -> OptimizeIndexResponse:
    """Rebuild, compact or rebalance the index."""
    tenant = engine.whole("optimising the index")
    job = tenant.jobs.submit(mapping.ACTIONS[asked.action])
    if not asked.background_mode:
        job = _ended(tenant, job, on_wait)
    return OptimizeIndexResponse(
        task_id=job.job_id,
        estimated_time=mapping.minutes(asked.action, tenant.stats().chunks),
        status="queued" if job.state == "queued" else "started",
    )


@writer.get("/tasks/{taskId}", response_model_exclude_none=True)
def get_task(engine: ContractEngine, taskId: str) -> Task:  # noqa: N803 - as published
    """How far a task is."""
    return mapping.task(engine.jobs.job(taskId))


def _configured(tenant: TenantAdmin, asked: ConfigUpdate) -> ConfigChanged:
    own, changes = mapping.own_settings(tenant, asked), mapping.profile_changes(tenant, asked)
    before = tenant.profile
    stale = tenant.settings.change(changes) if changes else False
    tenant.settings.put(mapping.SETTINGS, own)
    tenant.storage.keep_below(own["max_storage"] * mapping.MB if own["auto_cleanup"] else None)
    config = mapping.config_of(tenant)
    work: list[JobKind] = []
    if tenant.profile.store != before.store:
        work.append("rebuild")  # it reprocesses stale documents too
    elif stale and tenant.profile != before:
        work.append("reembed")
    if config.storage.auto_cleanup and mapping.is_over(tenant.storage.resources(), config.storage):
        work.append("compact")
    tasks = [tenant.jobs.submit(kind) for kind in work]
    return mapping.changed(config, next(iter(tasks), None), stale=stale)


def _found_for(engine: TenantReader, query: str, chunks: int, diversity: float | None, caller: Caller) -> SearchResult:
    config = mapping.config_of(engine)
    mapping.require_chunks(config, chunks)
    least = config.search.default_threshold
    return _search(engine, config, Query(query, top_k=chunks, diversity=diversity, min_score=least, caller=caller))


def _search(engine: TenantReader, config: RAGConfig, query: Query) -> SearchResult:
    """A search that is given up after the configured time; it still ends by itself."""
    seconds = config.performance.search_timeout / 1000
    running = _searching.submit(engine.search, query)
    try:
        return running.result(seconds)
    except TooLate:
        running.cancel()
        raise PartTimeout("the search", seconds) from None


def _ended(engine: TenantReader, job: Job, on_wait: Callable[[], None]) -> Job:
    """Return a job at its end, or as it stands after `_FOREGROUND_S`."""
    until = time.monotonic() + _FOREGROUND_S
    while job.finished_at is None and time.monotonic() < until:
        time.sleep(_LOOK_S)
        on_wait()
        job = engine.jobs.job(job.job_id)
    return job


def _pace(engine: TenantReader) -> float:
    """Return documents per second, if known."""
    ingestion = engine.usage(1).ingestion
    return ingestion.per_second(ingestion.count)


def _since(began: float) -> float:
    """Milliseconds."""
    return round((time.perf_counter() - began) * 1000, 3)
