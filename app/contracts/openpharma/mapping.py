"""Between OpenPharma's shapes and the core's values."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any, get_args

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.contracts.openpharma.schemas import (
    AnswerResult,
    AnswerStep,
    AskRequest,
    Citation,
    ErrorProblem,
    ErrorResponse,
    SearchResponse,
    SearchResult,
    SourcesEvent,
    TokenEvent,
)
from app.http.claims import claim_checks
from app.http.errors import MalformedRequest
from app.http.failures import Failure
from app.http.telemetry import request_id
from pipelines import types
from pipelines.errors import Problem, nearest
from pipelines.profile.schema import Profile
from pipelines.profile.sections.llm import Provider

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_INITIALS = re.compile(r"[A-Z]{1,3}|(?:[A-Z]\.-?)+")
_PMC = re.compile(r"^PMC(?=\d+$)", re.IGNORECASE)
_OF_ONE = {"eq": "in", "ne": "nin"}
_PMC_ID = re.compile(r"(?:PMC)?\d+$", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:the|group|collaboration|consortium|investigators|study|trial|team|committee|association|society|network)\b",
    re.IGNORECASE,
)


def provider_of(wish: str | None, profile: Profile) -> str:
    """Return the provider of language models that a request asks for, by default the profile's.

    Raises:
        MalformedRequest: There is no such provider, or the profile allows none of its models.
    """
    llm = profile.llm
    known = list(get_args(Provider) if llm is None else dict.fromkeys(one.provider for one in (llm, *llm.allowed)))
    if wish is not None and not isinstance(wish, str):
        raise MalformedRequest(Problem("llm_provider", "must be text"))  # from Python, where nothing has looked at it
    if wish is not None and wish not in known:
        message = f'"{wish}" is not one of {", ".join(known)}'
        raise MalformedRequest(Problem("llm_provider", message, nearest(wish, known)))
    return wish or str(known[0])


def requested_model(provider: str | None, profile: Profile) -> dict[str, str] | None:
    """Return the model that a request asks for, as the core takes it; None where the profile's own, or none, is to
    answer.
    """
    return None if profile.llm is None or provider is None else {"provider": provider}


def known_filters(filters: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Filters in which a paper's `source_id` may be written with and without ``PMC``, as documents write both."""
    if filters is None:
        return None
    known = {key: _known_filter(key, value) for key, value in filters.items()}
    operators, others = filters.get("source_id"), known.get("and", [])
    if not isinstance(operators, dict) or not isinstance(others, list):
        return known
    parts = [_of_operator(operator, operand) for operator, operand in operators.items()]
    if len(parts) == 1 and "source_id" in parts[0]:
        return {**known, **parts[0]}
    if parts == [{"source_id": {operator: operand}} for operator, operand in operators.items()]:
        return known
    return {**{key: value for key, value in known.items() if key != "source_id"}, "and": [*others, *parts]}


def _known_filter(key: str, value: Any) -> Any:
    if key in ("and", "or") and isinstance(value, list):
        return [known_filters(part) if isinstance(part, dict) else part for part in value]
    if key == "not" and isinstance(value, dict):
        return known_filters(value)
    if key == "source_id" and isinstance(value, str | list):
        return [spelling for one in ([value] if isinstance(value, str) else value) for spelling in _spelt(one)]
    return value


def _of_operator(operator: str, operand: Any) -> dict[str, Any]:
    """Return a filter on `source_id` with one operator, each id in every spelling."""
    if operator in _OF_ONE and isinstance(operand, str):
        return {"source_id": {_OF_ONE[operator]: _spelt(operand)}}
    if operator in _OF_ONE.values() and isinstance(operand, list):
        return {"source_id": {operator: [spelling for one in operand for spelling in _spelt(one)]}}
    if operator == "prefix" and len(spellings := _spelt(operand)) > 1:
        return {"or": [{"source_id": {"prefix": spelling}} for spelling in spellings]}
    return {"source_id": {operator: operand}}


def _spelt(source_id: Any) -> list[Any]:
    if not isinstance(source_id, str) or not _PMC_ID.match(source_id.strip()):
        return [source_id]
    digits = _PMC.sub("", source_id.strip())
    return [digits, f"PMC{digits}"]


def query_of(asked: AskRequest, profile: Profile, caller: types.Caller) -> types.Query:
    """Return what a request asks for ``caller``."""
    return types.Query(
        asked.query,
        top_k=asked.top_k,
        filters=known_filters(asked.filters),
        conversation_id=asked.conversation_id,
        llm=requested_model(asked.llm_provider, profile),
        caller=caller,
        format=asked.format,
        steps=requested_steps(multi_step=asked.multi_step),
    )


def search_results(hits: Sequence[types.Hit]) -> list[SearchResult]:
    """Return the chunks that were found."""
    return [_result(hit) for hit in hits]


def search_response(query: str, found: types.SearchResult) -> SearchResponse:
    """Return the answer to a search."""
    return SearchResponse(query=query, results=search_results(found.hits))


def answer_result(answer: types.Answer, provider: str, started: float) -> AnswerResult:
    """Return an answer.

    Args:
        answer: The core's.
        provider: The provider of language models that was asked for.
        started: When the question came, on `time.perf_counter`.
    """
    return AnswerResult(
        query=answer.question,
        answer=answer.text,
        citations=[_citation(citation, answer.sources) for citation in answer.citations],
        chunks_used=search_results(answer.sources),
        llm_provider=provider,
        generation_time_ms=round((time.perf_counter() - started) * 1000),
        conversation_id=answer.conversation_id or str(uuid.uuid4()),  # where the profile keeps none, each is new
        rewritten_question=answer.rewritten_question,
        model=answer.model,
        llm_generated=answer.llm_generated,
        degraded=answer.degraded,
        confidence=answer.confidence,
        abstained=answer.abstained,
        reason=answer.reason,
        claims=claim_checks(answer.claims),
        steps=[_step(step) for step in answer.steps],
        answer_id=answer.answer_id,
        snapshot=answer.snapshot,
    )


def events(
    answering: Generator[types.AnswerEvent, None, None], provider: str, started: float
) -> Generator[tuple[str, BaseModel] | None, None, None]:
    """The events of a stream; closing it closes ``answering``."""
    sources: Sequence[types.Hit] = ()
    with closing(answering):
        for event in answering:
            match event:
                case types.StepDone():
                    yield "step", _step(event.step)
                case types.SourcesFound():
                    sources = event.sources
                    yield "sources", SourcesEvent(chunks_used=search_results(sources))
                case types.TextWritten():
                    yield "token", TokenEvent(text=event.text)
                case types.CitationMade():
                    yield "citation", _citation(event.citation, sources)
                case types.AnswerDone():
                    yield "done", answer_result(event.answer, provider, started)
                case _:
                    yield None


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure as OpenPharma tells it."""
    body = ErrorResponse(
        detail=failure.detail,
        code=failure.code,
        errors=[ErrorProblem(**asdict(problem)) for problem in failure.problems],
        request_id=request_id(request),
    )
    return JSONResponse(body.model_dump(), failure.status, dict(failure.headers))


def requested_steps(*, multi_step: bool | None) -> types.StepsUse | None:
    """Return which questions are split into sub-questions; None: as the profile says."""
    return None if multi_step is None else "always" if multi_step else "never"


def _step(step: types.Step) -> AnswerStep:
    return AnswerStep(
        question=step.question,
        round=step.round,
        answer=step.text,
        confidence=step.confidence,
        citations=list(step.citations),
        chunks_used=search_results(step.sources),
    )


def _result(hit: types.Hit) -> SearchResult:
    return SearchResult(
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        section=hit.headings[-1] if hit.headings else _named_section(hit.metadata),
        content=hit.content,
        similarity_score=hit.score,
        title=hit.title,
        **_bibliography(hit.metadata, hit.document_id),
        journal=_text(hit.metadata.get("journal")),
        doi=_text(hit.metadata.get("doi")),
    )


def _named_section(metadata: types.Metadata) -> str:
    """Return the section that a document without headings says it is."""
    named = metadata.get("section") or ""
    return str(named[0] if isinstance(named, list | tuple) else named)


def _citation(citation: types.Citation, sources: Sequence[types.Hit]) -> Citation:
    of_document = (hit.metadata for hit in sources if hit.document_id == citation.document_id)
    paper = _bibliography(next(of_document, {}), citation.document_id)
    return Citation(
        number=citation.number,
        title=reference(citation.title, paper["authors"] or [], paper["publication_date"]),
        **paper,
        chunk_id=citation.chunk_id,
        document_id=citation.document_id,
        quote=citation.quote,
    )


def _bibliography(metadata: types.Metadata, document_id: str) -> dict[str, Any]:
    """Return what both shapes say of a paper; one without a PMC id is known by its document's."""
    authors = metadata.get("authors")
    named = authors if isinstance(authors, list | tuple) else [authors] if authors else []
    return {
        "source_id": _PMC.sub("", _text(metadata.get("source_id")) or document_id),
        "authors": [str(author) for author in named] or None,
        "publication_date": _text(metadata.get("publication_date")),
    }


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def reference(title: str, authors: Sequence[str], date: str | None) -> str:
    """Return a title as papers cite it: ``Smith et al. 2023, "GLP-1 Mechanisms"``, with as much of it as is known."""
    names = [_surname(author) for author in authors]
    authors_cited = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    year = date[:4] if date else ""
    cited = " ".join(filter(None, (authors_cited, year)))
    return f'{cited}, "{title}"' if cited else title


def _surname(author: str) -> str:
    """Return the name that a person is cited by; a group is cited by all of its name.

    "Ann B. Smith", "Smith, Ann", "Smith AB" and "Ann Smith Jr" are Smith, "Ludwig van Dam" is van Dam.
    """
    if "," in author:
        return author.partition(",")[0].strip()
    words = author.split()
    if _GROUP.search(author) or len(words) < 2:
        return author.strip()
    if _INITIALS.fullmatch(words[-1]):
        return " ".join(word for word in words if not _INITIALS.fullmatch(word)) or author.strip()
    if words[-1].rstrip(".").lower() in _SUFFIXES and len(words) > 2:
        words.pop()
    first = len(words) - 1
    while first > 1 and words[first - 1].islower():
        first -= 1
    return " ".join(words[first:])
