"""The textbook's routes."""

from __future__ import annotations

from fastapi import FastAPI

from app.contracts.textbook import mapping
from app.contracts.textbook.schemas import (
    ErrorResponse,
    HealthResponse,
    IngestRequest,
    IngestResponse,
    QueryRequest,
    QueryResponse,
)
from app.http.contract import (
    ContractEngine,
    ContractGrant,
    contract_app,
    contract_routes,
    error_responses,
    field_names,
    find_ingested,
    ingest_one,
)
from app.http.routing import add_routes
from pipelines.profile.schema import Profile

_DESCRIPTION = "Find the passages of a robotics textbook that answer a question."
_ERRORS = error_responses(ErrorResponse, 400, 401, 403, 404, 405, 421, 429, 500, 503, 504)

reader = contract_routes("reader", _ERRORS)
writer = contract_routes("writer", _ERRORS)


def build(profile: Profile) -> FastAPI:
    """The textbook's application for a tenant."""
    app = contract_app(profile, _DESCRIPTION, mapping.error_response)
    add_routes(app, reader, writer)
    return app


@writer.post("/ingest")
def ingest(engine: ContractEngine, asked: IngestRequest) -> IngestResponse:
    """Ingest a piece of the book."""
    result = ingest_one(engine, mapping.document_input(engine, asked))
    return mapping.ingested(result, find_ingested(engine, result))


@reader.post("/query")
def query(engine: ContractEngine, grant: ContractGrant, asked: QueryRequest) -> QueryResponse:
    """Find the passages nearest to a question."""
    with field_names(query="question"):
        filters = mapping.filters(asked)
        found = engine.search(asked.question, top_k=asked.top_k, filters=filters, caller=grant.caller())
    return mapping.query_response(found, engine.dimensions)


@reader.get("/health")
def health(engine: ContractEngine) -> HealthResponse:
    """How the parts of the service are."""
    return mapping.health(engine.readiness())
