"""OpenPharma's routes."""

from __future__ import annotations

import time

from fastapi import FastAPI, Request

from app.contracts.openpharma import mapping
from app.contracts.openpharma.schemas import AnswerResult, AskRequest, ErrorResponse, SearchRequest, SearchResponse
from app.http.contract import ContractEngine, ContractGrant, contract_app, contract_routes, error_responses, field_names
from app.http.leaving import RequireCaller
from app.http.routing import add_routes
from app.http.streaming import STREAMED, EventStream
from pipelines.profile.schema import Profile

_DESCRIPTION = "Questions about diabetes research, answered from papers with numbered citations."
_ERRORS = error_responses(ErrorResponse, 400, 401, 403, 404, 405, 413, 415, 421, 422, 429, 500, 503, 504)

_BUSY = error_responses(ErrorResponse, 409)  # another question of the conversation is being answered

reader = contract_routes("reader", _ERRORS)


def build(profile: Profile) -> FastAPI:
    """OpenPharma's application for a tenant."""
    app = contract_app(profile, _DESCRIPTION, mapping.error_response)
    add_routes(app, reader)
    return app


@reader.post("/ask", response_model=AnswerResult, responses={200: STREAMED, **_BUSY})
def ask(
    request: Request, engine: ContractEngine, grant: ContractGrant, asked: AskRequest, on_wait: RequireCaller
) -> AnswerResult | EventStream:
    """Answer a question with citations; whole, or as it is written."""
    started = time.perf_counter()
    provider = mapping.provider_of(asked.llm_provider, engine.profile)
    question = mapping.query_of(asked, engine.profile, grant.caller())
    with field_names(question="query"):
        if asked.stream:
            return EventStream(request, mapping.events(engine.stream_answer(question), provider, started))
        answer = engine.answer(question, on_wait=on_wait)
        return mapping.answer_result(answer, provider, started)


@reader.post("/search")
def search(engine: ContractEngine, grant: ContractGrant, asked: SearchRequest) -> SearchResponse:
    """Find chunks of papers."""
    filters = mapping.known_filters(asked.filters)
    found = engine.search(asked.query, top_k=asked.top_k, filters=filters, caller=grant.caller())
    return mapping.search_response(asked.query, found)
