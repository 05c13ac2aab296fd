"""Indexes a corpus from scratch, and measures the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Literal

from pipelines.errors import Conflict, InvalidRequest, Problem
from pipelines.evaluation.datasets import CorpusDocument
from pipelines.evaluation.engines import EvaluatedEngine
from pipelines.types import DocumentInput, IngestResult, Progress
from pipelines.types.markup import count

Stage = Literal["ingest", "search", "answer"]
Report = Callable[[Stage, int, int | None], None]


def report_nothing(stage: Stage, done: int, total: int | None) -> None:
    """Report nothing."""


def index(
    engine: EvaluatedEngine, name: str, corpus: Sequence[CorpusDocument] | Path, report: Report
) -> tuple[dict[str, float], tuple[IngestResult, ...]]:
    """Ingest a corpus. Return its size, the time, and the documents that failed.

    Raises:
        Conflict: The engine holds documents already.
        InvalidRequest: No document could be taken in.
    """

    def forward(progress: Progress) -> None:
        report("ingest", progress.documents_done, progress.documents_total)

    if held := engine.stats().documents:
        raise Conflict(f"an evaluation needs a data folder of its own, and this one holds {count(held, 'document')}")
    started = perf_counter()
    if isinstance(corpus, Path):
        results = engine.ingest_path(corpus, progress=forward)
    else:
        results = engine.ingest(map(_offered, corpus), progress=forward)
    # An index that is still to be built is work not done yet, so it counts.
    engine.optimize()
    seconds = perf_counter() - started
    failed = tuple(result for result in results if result.state == "failed")
    if len(failed) == len(results):
        reason = f"; the first failed because: {failed[0].reason}" if failed else ", for it is empty"
        raise InvalidRequest(Problem(name, f"nothing of its corpus could be indexed{reason}"))
    chunks = engine.stats().chunks
    return {"chunks": chunks, "ingest_seconds": seconds, "chunks_per_second": chunks / seconds}, failed


def _offered(document: CorpusDocument) -> DocumentInput:
    """Return the document as it is ingested; some published sets have documents that are nothing but a title."""
    return DocumentInput(
        content=document.text if document.text.strip() else document.title,
        document_id=document.id,
        title=document.title,
        metadata=document.metadata,
    )
