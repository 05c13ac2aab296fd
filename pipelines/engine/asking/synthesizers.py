"""A tenant's synthesizers, and the log of what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from llama_index.core.schema import QueryBundle

from pipelines.catalogue.answers import AnswerLog
from pipelines.components.llm import Llm
from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.view import TenantView
from pipelines.query.answer_query import AnswerQuery
from pipelines.query.answerer import Answerer
from pipelines.query.plain_question import plain_question
from pipelines.query.synthesizer import CitingSynthesizer, ExtractiveSynthesizer, FootnoteSynthesizer
from pipelines.query.variants import Variants
from pipelines.types import Answer, Query


class Synthesizers:
    """Builds synthesizers, and logs answers.

    Args:
        view: What can be seen.
        answerer: Makes answers of hits.
        llm: The tenant's language model, if it has one.
        variants: The tenant's prompts.
        log: The answer log.
        usage: Counts answers.
    """

    def __init__(
        self,
        view: TenantView,
        answerer: Answerer,
        *,
        llm: Llm | None,
        variants: Variants,
        log: AnswerLog,
        usage: UsageStatistics,
    ) -> None:
        self._view = view
        self._answerer = answerer
        self._llm = llm
        self._variants = variants
        self._log = log
        self._usage = usage

    def build(self, as_of: int | None = None, *, streaming: bool = False) -> FootnoteSynthesizer:
        """Return a LlamaIndex synthesizer; its answers to plain questions are logged."""
        kind = ExtractiveSynthesizer if self._llm is None else CitingSynthesizer
        return kind(self._answerer, partial(self._complete, as_of), streaming=streaming)

    def record(self, answer: Answer, query: Query, prompt: str | None) -> None:
        """Log an answer and count it; an answer in which a part failed says nothing about the documents.

        Args:
            answer: The answer.
            query: What it answers.
            prompt: The fingerprint of the prompt; None if no model wrote it.
        """
        self._log.record(self._view.reader or "", query.user or "", answer, _logged_fields(query), prompt)
        if not answer.degraded:
            question = answer.rewritten_question or answer.question
            reason = answer.reason if answer.abstained else None
            self._usage.record_answer(question, reason, query.caller)

    def _complete(self, as_of: int | None, bundle: QueryBundle) -> AnswerQuery:
        """Return a plain question with the tenant's model and prompt."""
        query = Query(bundle.query_str, as_of=as_of)
        variant = self._variants.chosen(query.text)
        prompt = None if self._llm is None else variant.fingerprint
        return AnswerQuery(
            query_str=query.text,
            looked_for=plain_question(query.text),
            prompt=variant.prompt,
            llm=self._llm,
            snapshot=self._view.snapshot(as_of),
            on_answer=lambda answer: self.record(answer, query, prompt),
        )


def _logged_fields(query: Query) -> Mapping[str, object]:
    return {"filters": query.filters, "scope": query.scope}
