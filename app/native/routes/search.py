"""Routes that search and answer."""

from __future__ import annotations

from dataclasses import replace

from fastapi import Request, Response

from app.http.leaving import RequireCaller
from app.http.problems import problem_responses
from app.http.responses import json_response
from app.http.streaming import STREAMED, EventStream
from app.native import mapping, requests
from app.native.routes.dependencies import KeyGrant, TenantEngine, routes_for
from app.native.schemas.explain import ExplainRequest, ExplainResponse
from app.native.schemas.search import QueryRequest, QueryResponse, SearchRequest, SearchResponse

reader = routes_for("reader")
ROUTERS = (reader,)


@reader.post("/{tenant}/search", response_model=SearchResponse, responses=problem_responses(413, 415, 422, 504))
def search(engine: TenantEngine, asked: SearchRequest, grant: KeyGrant) -> Response:
    """Find the chunks that answer a query."""
    asking = replace(requests.query_of(asked.query, asked), caller=grant.caller(asked.user))
    return json_response(mapping.search_response(engine.search(asking)))


@reader.post(
    "/{tenant}/query",
    response_model=QueryResponse,
    responses={200: STREAMED, **problem_responses(409, 413, 415, 422, 504)},
)
def query(
    request: Request,
    engine: TenantEngine,
    asked: QueryRequest,
    grant: KeyGrant,
    on_wait: RequireCaller,
) -> Response:
    """Answer a question, with footnotes; whole, or as it is written."""
    user, caller = grant.name_with(asked.user), grant.caller(asked.user)
    asking = replace(requests.query_of(asked.question, asked), user=user, caller=caller)
    if not asked.stream:
        return json_response(mapping.query_response(engine.answer(asking, on_wait=on_wait)))
    return EventStream(request, mapping.answer_events(engine.stream_answer(asking)))


@reader.post("/{tenant}/explain", responses=problem_responses(413, 415, 422, 504))
def explain(engine: TenantEngine, asked: ExplainRequest) -> ExplainResponse:
    """Say why a search shows a document or a chunk, or why it does not."""
    asking = requests.query_of(asked.query, asked)
    explanation = engine.explain(asking, document_id=asked.document_id, chunk_id=asked.chunk_id)
    return mapping.explain_response(explanation)
