"""Runs the reranker stages over the first of the fused candidates.

Scores here are shares of the best candidate's. A stage moves hits and says how much each is worth beside its first; the
first place keeps its score, so that the stages change what stands there, and not how strong the evidence is.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace

from pipelines.components.rerankers import Question, Stage
from pipelines.errors import FootnoteError
from pipelines.types import Hit, LegScore, StageRun, Trace

_log = logging.getLogger(__name__)


def rerank(stages: Sequence[Stage], question: Question, pool: Sequence[Hit], trace: Trace) -> list[Hit]:
    """``pool``, best first, as the stages put it, one after the other.

    Stage by stage the first ``depth`` hits are read, and the others follow them. A stage that fails is left out; the
    trace and the log say so.
    """
    hits = list(pool)
    for stage in stages:
        before, failure = hits, None
        try:
            ranked = _checked(stage.rank(question, hits[: stage.depth])) if hits else []
        except Exception as error:  # noqa: BLE001 - whatever befalls one stage, the search has hits without it
            _log.warning("the reranker stage %s was left out of a search", stage.name, exc_info=True)
            failure = _reason(error)
        else:
            hits = _placed(stage.name, ranked, hits, stage.depth)
        trace.stages.append(StageRun(stage.name, before, hits, failure))
    return hits


def following(above: Sequence[Hit], floor: float, below: Sequence[Hit]) -> list[Hit]:
    """``below`` as it follows ``above``, whose last hit had the score ``floor`` when both were one list."""
    if not above or not below:
        return list(below)
    here = {hit.chunk_id for hit in above}
    factor = min(above[-1].score / floor, 1.0) if floor else 0.0
    rest = [hit for hit in below if hit.chunk_id not in here]
    return rest if factor == 1.0 else [replace(hit, score=hit.score * factor) for hit in rest]


def _placed(name: str, ranked: Sequence[tuple[Hit, float]], hits: Sequence[Hit], depth: int) -> list[Hit]:
    """The hits that a stage ranked, with their scores, and below them those that it did not read."""
    if not hits:
        return []
    highest, best = hits[0].score, ranked[0][1] if ranked else 0.0
    placed: list[Hit] = []
    for rank, (hit, score) in enumerate(ranked, 1):
        share = max(score / best, 0.0) if best > 0 else 1.0
        value = min(highest * share, placed[-1].score if placed else highest)
        placed.append(replace(hit, score=value, scores={**hit.scores, name: LegScore(rank, score)}))
    return placed + following(placed, hits[:depth][-1].score, hits[depth:])


def _checked(ranked: Sequence[tuple[Hit, float]]) -> Sequence[tuple[Hit, float]]:
    if not all(math.isfinite(score) for _, score in ranked):
        raise ValueError("a score is not a finite number")
    return ranked


def _reason(error: Exception) -> str:
    """What may be told: our own words, and of a bug only its kind."""
    return str(error) if isinstance(error, FootnoteError) else f"it failed ({type(error).__name__}), see the log"
