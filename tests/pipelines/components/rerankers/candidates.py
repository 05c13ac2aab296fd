"""Candidates for stages to order."""

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.schema import QueryBundle

from pipelines.types import Hit, LegScore, Span

QUESTION = QueryBundle("How much exercise does a beagle need?")


def candidate(name: str, score: float, metadata: Mapping[str, Any] | None = None, **more: Any) -> Hit:
    content = more.pop("content", f"About {name}.")
    return Hit(
        chunk_id=name,
        document_id=name,
        version=1,
        title=more.pop("title", ""),
        source=name,
        content=content,
        metadata=metadata or {},
        score=score,
        scores={"fused": LegScore(1, score)},
        span=Span(0, len(content)),
        **more,
    )


def order(ranked: Sequence[tuple[Hit, float]]) -> list[str]:
    return [hit.chunk_id for hit, _ in ranked]


def scores(ranked: Sequence[tuple[Hit, float]]) -> list[float]:
    return [score for _, score in ranked]
