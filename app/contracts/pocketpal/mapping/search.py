"""Searches, contexts and prompts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.contracts.pocketpal.mapping.base import Tenant
from app.contracts.pocketpal.schemas.search import (
    Context,
    ContextChunk,
    ResultMetadata,
    SearchFilter,
    SearchHit,
    Template,
    VectorSearchResponse,
)
from pipelines.errors import InvalidRequest, Problem
from pipelines.types import (
    Hit,
    Query,
    SearchResult,
)

_TEMPLATES: Mapping[Template, str] = {
    "default": "Answer the question with the help of the context. If the context does not hold the answer, say so.",
    "technical": "Answer as a technical expert. Be exact: name settings, commands and values as the context spells "
    "them, and go step by step. If the context does not hold the answer, say what is missing.",
    "creative": "Answer in an inventive and engaging way. Take the facts from the context, and let the style be free.",
    "analytical": "Analyse the question: weigh what the context says for and against, tell facts from conclusions, "
    "and end with a judgement. If the context does not suffice, say what would decide it.",
}


def filtered(engine: Tenant, query: Query, asked: SearchFilter | None) -> Query:
    """Return a query with what a filter adds to it."""
    if asked is None:
        return query
    ids = asked.document_ids
    if asked.date_range is not None:
        created = engine.created_between(asked.date_range.start, asked.date_range.end)
        ids = created if ids is None else sorted({*created} & {*ids})
    return replace(query, documents=ids, filters={"tags": asked.tags} if asked.tags else None)


def search_response(found: SearchResult, threshold: float, took_ms: float) -> VectorSearchResponse:
    """Return the chunks that were found."""
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
    """Return the found chunks as one text of at most ``most`` characters; the last one that fits may be cut at a
    word.
    """
    parts: list[str] = []
    chunks: list[ContextChunk] = []
    left = most
    for number, hit in enumerate(found, 1):
        head = f"[{number}] {hit.title} ({_source(hit)})\n" if with_sources else ""
        gap = "\n\n" if parts else ""
        room = left - len(gap) - len(head)
        if not parts and room < most // 2:  # little room: the text comes before its source
            head, room = "", most
        content = hit.content if len(hit.content) <= room else _cut(_below_heading(hit), room)
        if not content:
            break
        parts.append(f"{gap}{head}{content}")
        chunks.append(ContextChunk(content=content, source=_source(hit), similarity=_similarity(hit, found)))
        left -= len(parts[-1])
        if len(content) < len(hit.content):
            break
    mean = sum(chunk.similarity for chunk in chunks) / len(chunks) if chunks else 0.0
    text = "".join(parts)
    return Context(text=text, chunks=chunks, total_length=len(text), relevance_score=min(mean, 1.0))


def _below_heading(hit: Hit) -> str:
    """Return a chunk's text without the heading that it begins with."""
    first, _, rest = hit.content.partition("\n")
    heading = first.lstrip("# ").strip()
    return rest.lstrip() if rest.strip() and heading in hit.headings else hit.content


def _cut(text: str, most: int) -> str:
    """Return the beginning of a text up to the end of a word; nothing where no word fits."""
    head = text[: max(most, 0)]
    return head[: max(head.rfind(" "), head.rfind("\n"), 0)].rstrip()


def _similarity(hit: Hit, found: SearchResult) -> float:
    """Return how similar a hit is, without what it was raised or lowered by for diversity."""
    scores = hit.scores
    return (
        min(scores["fused"].score, 1.0) * found.trace.strength if "mmr" in scores and "fused" in scores else hit.score
    )


def enhanced(query: str, used: str, template: Template, system: str | None) -> str:
    """Return a prompt that gives a question with its context."""
    opening = [system.strip()] if system and system.strip() else []
    middle = f"Context:\n{used}" if used.strip() else "Context:\n(nothing was found)"
    return "\n\n".join([*opening, _TEMPLATES[template], middle, f"Question: {query}", "Answer:"])


def require_question(engine: Tenant, name: str, text: str) -> None:
    """Refuse a question, in the field ``name``, that is shorter or longer than the profile allows.

    Raises:
        InvalidRequest: It is.
    """
    least, most = engine.profile.limits.question_chars
    if len(text.strip()) < least or len(text) > most:
        raise InvalidRequest(Problem(name, f"must have {least} to {most} characters"))


def relevance(engine: Tenant, query: str, used: str) -> float:
    """Return the cosine of a question and a given context, at least 0."""
    if not used.strip():
        return 0.0
    question, text = (_unit(vector) for vector in engine.embed([query, used]))
    return min(max(sum(a * b for a, b in zip(question, text, strict=True)), 0.0), 1.0)


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector) or 1.0
    return [number / length for number in vector]
