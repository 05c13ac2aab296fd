"""CORTX's routes."""

from __future__ import annotations

import time

from fastapi import FastAPI, Request

from app.contracts.cortx import mapping
from app.contracts.cortx.schemas import (
    ErrorResponse,
    IngestRequest,
    IngestResponse,
    QueryRequest,
    QueryResponse,
    SearchRequest,
    SearchResponse,
)
from app.http.contract import (
    ContractEngine,
    ContractGrant,
    contract_app,
    contract_routes,
    error_responses,
    find_ingested,
    ingest_one,
)
from app.http.leaving import RequireCaller
from app.http.routing import add_routes
from app.http.streaming import STREAMED, EventStream
from pipelines.profile.schema import Profile

_DESCRIPTION = "Retrieval and cited answers over platform, suite, module and entity knowledge."
_ERRORS = error_responses(ErrorResponse, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 500, 503, 504)

reader = contract_routes("reader", _ERRORS)
writer = contract_routes("writer", _ERRORS | error_responses(ErrorResponse, 507))  # the disk may be full


def build(profile: Profile) -> FastAPI:
    """CORTX's application for a tenant."""
    app = contract_app(profile, _DESCRIPTION, mapping.error_response)
    add_routes(app, reader, writer)
    return app


@writer.post("/v1/ingest", status_code=201)
def ingest(engine: ContractEngine, asked: IngestRequest) -> IngestResponse:
    """Ingest a document at its place in the hierarchy."""
    result = ingest_one(engine, mapping.document_input(engine, asked))
    return mapping.ingested(result, find_ingested(engine, result))


@reader.post("/v1/query", response_model=QueryResponse, responses={200: STREAMED})
def query(
    request: Request, engine: ContractEngine, grant: ContractGrant, asked: QueryRequest, on_wait: RequireCaller
) -> QueryResponse | EventStream:
    """Answer a question; whole, or as it is written."""
    started = time.perf_counter()
    question = mapping.turn_of(asked, grant.caller())
    if asked.stream:
        return EventStream(request, mapping.events(engine.stream_answer(question), started))
    answer = engine.answer(question, on_wait=on_wait)
    return mapping.query_response(answer, started)


@reader.post("/v1/search")
def search(engine: ContractEngine, grant: ContractGrant, asked: SearchRequest) -> SearchResponse:
    """Search."""
    return mapping.search_response(engine.search(mapping.query_of(asked.query, asked), caller=grant.caller()))
