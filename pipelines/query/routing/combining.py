"""The combined context: hits of the documents and results of tools, as one list of sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pipelines.components.tools import Tool, ToolResult
from pipelines.types import KEPT_NOWHERE, Hit, LegScore, Note, SearchResult, Span, ToolRun

Vectors = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Unit vectors of texts, shape (n, dimensions)."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """A call that was made: the tool and its result; ``result`` is None if it failed, as ``run`` says."""

    tool: Tool
    run: ToolRun
    result: ToolResult | None


def named(called: Sequence[CallResult]) -> list[CallResult]:
    """Return the calls, each that has a result with the id of its sources; several of one tool are
    numbered.
    """
    made: Counter[str] = Counter()
    given = []
    for call in called:
        if call.result is not None and call.result.text:
            made[call.run.name] += 1
            number = made[call.run.name]
            source = f"tool:{call.run.name}" + (f"#{number}" if number > 1 else "")
            run = replace(call.run, source=source, output=call.result.text, cut=call.result.cut)
            call = replace(call, run=run)  # noqa: PLW2901 - the same call, with its source
        given.append(call)
    return given


def combined(
    question: str, found: SearchResult, called: Sequence[CallResult], runs: Sequence[ToolRun], vectors: Vectors
) -> SearchResult:
    """Return what was found, with the parts of the tools' results among the hits, by score.

    A part's score is the cosine of the question to it, which is what the strength of a hit is measured by too.

    Args:
        question: What is asked.
        found: What was found in the documents.
        called: The calls, as `named` gives them.
        runs: The calls of tools; the trace notes failed ones.
        vectors: The embedding model.
    """
    hits = [hit for call in called for hit in _hits(question, call, vectors)]
    failed = [Note(run.name, run.error) for run in runs if run.error is not None]
    trace = replace(found.trace, missing=[*found.trace.missing, *failed])
    return replace(found, hits=tuple(sorted([*found.hits, *hits], key=lambda hit: -hit.score)), trace=trace)


def _hits(question: str, call: CallResult, vectors: Vectors) -> list[Hit]:
    if call.result is None or call.run.source is None:
        return []
    parts = [call.result.text[part.start : part.end] for part in call.result.parts]
    asked, *part_vectors = vectors([question, *(f"{call.tool.title}\n{part}" for part in parts)])
    cosines = [float(np.clip(vector @ asked, 0, 1)) for vector in part_vectors]
    return [
        _hit(call, call.run.source, rank, span, cosine)
        for rank, (span, cosine) in enumerate(zip(call.result.parts, cosines, strict=True), 1)
    ]


def _hit(call: CallResult, source: str, rank: int, span: Span, score: float) -> Hit:
    assert call.result is not None
    return Hit(
        chunk_id=f"{source}:{rank}",
        document_id=source,
        version=KEPT_NOWHERE,
        title=call.tool.title,
        source=source,
        content=call.result.text[span.start : span.end],
        metadata={"tool": call.tool.name},
        score=score,
        scores={"tool": LegScore(rank, score)},
        span=span,
        index=rank - 1,
    )
