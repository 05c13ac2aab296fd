"""Answers questions from papers, with numbered citations."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from app.contracts.openpharma.mapping import answer_result, known_filters, provider_of, requested_model, requested_steps
from app.contracts.openpharma.schemas import AnswerResult, Citation
from app.http.contract import field_names
from app.retrieval.library import library
from pipelines.types import AnswerFormat

__all__ = ["AnswerResult", "Citation", "answer_query"]


def answer_query(
    query: str,
    top_k: int = 10,
    llm_provider: str | None = "ollama",
    conversation_id: str | None = None,
    filters: Mapping[str, Any] | None = None,
    *,
    answer_format: AnswerFormat | None = None,
    multi_step: bool | None = None,
) -> AnswerResult:
    """Return an answer to ``query`` with its citations; without a language model it is made of quotes.

    Args:
        query: The question.
        top_k: Most chunks to answer from.
        llm_provider: "ollama" or "openai", if the profile allows it; None: the one that it names.
        conversation_id: Of an earlier answer, to go on from it; None: a new conversation.
        filters: See `app.retrieval.semantic_search`.
        answer_format: "json": the model writes JSON of a schema, which is checked; None: as the profile says.
        multi_step: Whether its sub-questions are looked up one by one; None: as the profile says.

    Raises:
        InvalidRequest: An argument is not what the profile allows.
    """
    started = time.perf_counter()
    engine = library()
    provider = provider_of(llm_provider, engine.profile)
    llm = requested_model(llm_provider, engine.profile)
    with field_names(question="query"):
        answer = engine.answer(
            query,
            top_k=top_k,
            filters=known_filters(filters),
            llm=llm,
            conversation_id=conversation_id,
            format=answer_format,
            steps=requested_steps(multi_step=multi_step),
        )
    return answer_result(answer, provider, started)
