"""A question as it travels to the synthesizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llama_index.core.schema import QueryBundle

from pipelines.components.llm import Llm, Message
from pipelines.query.prompts import AnswerPrompt
from pipelines.query.steps.parts import Part
from pipelines.types import AbstainReason, Answer


@dataclass(kw_only=True)
class AnswerQuery(QueryBundle):
    """A question with what decides how it is answered.

    Attributes:
        query_str: The question.
        prompt: Makes the messages for the model.
        llm: The model that writes; None: the answer is made of extracts.
        snapshot: The snapshot that the nodes were read at.
        search_ms: How long the search took, in milliseconds.
        history: The messages of earlier turns.
        looked_for: What was searched for, where the question was put plainly or completed; extracts answer it.
        text_is_final: Whether text that was streamed cannot be taken back. Otherwise a model that fails after its
            first words is replaced by extracts, as one that fails before.
        no_hits: The reason to abstain if there are no nodes.
        parts: The parts of a question that was looked up in steps; extracts come from them.
        on_answer: Receives the answer before the stream ends.
    """

    query_str: str
    prompt: AnswerPrompt
    llm: Llm | None
    snapshot: int
    search_ms: float = 0.0
    history: Sequence[Message] = ()
    looked_for: str | None = None
    text_is_final: bool = True
    no_hits: AbstainReason = "no_hits"
    parts: Sequence[Part] = ()
    on_answer: Callable[[Answer], None] | None = None
