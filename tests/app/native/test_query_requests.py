"""Queries in the bodies of requests, there and back."""

from __future__ import annotations

from app.native.requests import explain_request, query_of, query_request, search_request
from app.native.schemas.explain import ExplainRequest
from app.native.schemas.search import QueryRequest, SearchRequest
from pipelines.types import Query

WHERE = {"filters": {"species": "dog"}, "scope": {"suite": "fed"}, "inherit": False, "as_of": 4}


def test_a_search_comes_back_from_its_body() -> None:
    query = Query("beagles", top_k=3, mode="sparse", min_score=0.2, conversation_id="c-1", **WHERE)
    body = SearchRequest.model_validate(search_request(query))
    assert query_of(body.query, body) == query


def test_a_question_comes_back_from_its_body() -> None:
    of_a_talk = {"conversation_id": "c-1", "user": "u-1"}
    for kept in (of_a_talk, {"history": ()}):
        query = Query("Why?", llm={"model": "small"}, tools=False, **kept, **WHERE)
        body = QueryRequest.model_validate(query_request(query))
        assert query_of(body.question, body) == query


def test_an_explanation_comes_back_from_its_body() -> None:
    query = Query("beagles", top_k=3, mode="dense", **WHERE)
    body = ExplainRequest.model_validate(explain_request(query, "beagle.md", None))
    assert (query_of(body.query, body), body.document_id, body.chunk_id) == (query, "beagle.md", None)


def test_omitted_fields_are_left_to_the_server() -> None:
    assert {"top_k", "filters", "scope", "as_of", "mode", "llm", "conversation_id"}.isdisjoint(
        search_request(Query("beagles"))
    )
