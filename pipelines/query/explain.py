"""Follows a chunk through a search: its place in each leg, after the fusion, and after each stage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.components.search_query import SearchQuery
from pipelines.filters.clauses import Clause
from pipelines.query import hints
from pipelines.query.fusion import Leg, leg_scores
from pipelines.types import Hit, LegScore, Metadata, SearchResult, StageRank, StageRun, Trace

_DEEPEST = 100_000
"""How deep a leg is searched for a chunk's place."""
_DEEPER = 10

Search = Callable[[SearchQuery], SearchResult]
Deeper = Callable[[SearchQuery, int], Mapping[str, Leg]]


@dataclass(frozen=True, slots=True)
class Course:
    """A chunk's way through a search, and where that ended; the fields are those of `Explanation`."""

    chunk_id: str | None
    stages: tuple[StageRank, ...]
    dropped_by: str | None
    hint: str | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the profile sets: the depth of a leg, and the most hits that may be asked for."""

    candidates: int
    top_k: int


class Follower:
    """Follows chunks through a search.

    Args:
        search: Runs a search, and tells how it went.
        deeper: Each leg of a search down to a depth, every chunk weighed.
        bounds: The profile's.
    """

    def __init__(self, search: Search, deeper: Deeper, bounds: Bounds) -> None:
        self._search = search
        self._deeper = deeper
        self._bounds = bounds

    def excluded(
        self, query: SearchQuery, chunks: Sequence[Hit], excluding: Sequence[Clause], metadata: Metadata
    ) -> Course:
        """Return the way of chunks that ``excluding`` keeps out; ``ask`` is the search without these clauses."""
        then = next((rank for rank, hit in enumerate(self._wide(query).hits, 1) if _of(hit, chunks)), None)
        return Course(
            chunk_id=chunks[0].chunk_id if len(chunks) == 1 else None,
            stages=(StageRank("filter", None, None, kept=False),),
            dropped_by=f"{excluding[0].kind}: {excluding[0].text}",
            hint=hints.filter_hint(excluding, metadata, then, query.top_k),
        )

    def follow(self, query: SearchQuery, chunks: Sequence[Hit], *, filtered: bool) -> Course:
        """Return the way of the chunk that comes furthest, of ``chunks``, which no clause keeps out."""
        wide = self._wide(query)
        chunk = self._furthest(query, chunks, wide)
        legs = self._legs(query, chunk.chunk_id, wide.trace)
        before = [StageRank("filter", None, None, kept=True)] if filtered else []
        if not any(leg.kept for leg in legs):
            deeper = hints.depth_hint(legs, self._depth(query), _DEEPEST, query.mode)
            return Course(chunk.chunk_id, (*before, *legs), "candidates", deeper)
        fused, stages = list(_fused(chunk.chunk_id, wide.trace)), list(_reranked(chunk, wide.trace.stages))
        result = _result(chunk, wide.hits, [*fused, *stages][-1], query.top_k)
        dropped_by, hint = self._verdict(query, [*fused, *stages], result)
        return Course(chunk.chunk_id, (*before, *legs, *fused, *stages, result), dropped_by, hint)

    def _wide(self, query: SearchQuery) -> SearchResult:
        """Return the search with every candidate among its hits, and the same ones first.

        One that asks for more hits than there are candidates is deeper already, and goes as it is.
        """
        if query.top_k > self._bounds.candidates:
            return self._search(query)
        return self._search(replace(query, top_k=self._bounds.candidates * (2 if query.mode == "hybrid" else 1)))

    def _depth(self, query: SearchQuery) -> int:
        return max(self._bounds.candidates, query.top_k)

    def _furthest(self, query: SearchQuery, chunks: Sequence[Hit], wide: SearchResult) -> Hit:
        """Return the chunk that comes first in the end; if none gets there, first in a leg."""
        for hit in wide.hits:
            if found := _of(hit, chunks):
                return found
        by_id = {chunk.chunk_id: chunk for chunk in chunks}
        legs = self._deepened(query, by_id, wide.trace.legs)
        ranks = [(score.rank, key) for key, scores in leg_scores(legs, by_id).items() for score in scores.values()]
        return by_id[min(ranks)[1]] if ranks else chunks[0]

    def _legs(self, query: SearchQuery, chunk_id: str, trace: Trace) -> list[StageRank]:
        near = leg_scores(trace.legs, [chunk_id])[chunk_id]
        far = leg_scores(self._deepened(query, [chunk_id], trace.legs), [chunk_id])[chunk_id]
        return [_leg(name, near.get(name), far.get(name), self._depth(query)) for name in trace.legs]

    def _deepened(self, query: SearchQuery, chunk_ids: Collection[str], legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        """``legs`` deep enough for each to name one of the chunks, if it ever does."""
        depth = max(1, *map(len, legs.values()))
        while depth < _DEEPEST and any(_goes_on(leg, depth, chunk_ids) for leg in legs.values()):
            depth = min(depth * _DEEPER, _DEEPEST)
            legs = self._deeper(query, depth)
        return legs

    def _verdict(
        self, query: SearchQuery, steps: Sequence[StageRank], result: StageRank
    ) -> tuple[str | None, str | None]:
        """Return what kept it out, and what would have let it in; nothing if it was found."""
        if result.kept:
            return None, None
        place: int | None = None
        for step in steps:
            if not step.kept:
                return step.name, hints.left_out_hint(step.name)
            if place is not None and step.rank is not None and place <= query.top_k < step.rank:
                return step.name, hints.moved_hint(step.name, place, result.rank or step.rank, query.top_k)
            place = step.rank or place
        return "top_k", hints.top_k_hint(result.rank or query.top_k + 1, query.top_k, self._bounds.top_k)


def _of(hit: Hit, chunks: Sequence[Hit]) -> Hit | None:
    """Return the one of ``chunks`` that ``hit`` is or holds: a stage may put a larger chunk in a smaller one's
    place.
    """
    return next((chunk for chunk in chunks if hit.chunk_id == chunk.chunk_id or _holds(hit, chunk)), None)


def _holds(hit: Hit, chunk: Hit) -> bool:
    same = (hit.document_id, hit.version) == (chunk.document_id, chunk.version)
    return same and hit.span.start <= chunk.span.start and chunk.span.end <= hit.span.end


def _goes_on(leg: Leg, depth: int, chunk_ids: Collection[str]) -> bool:
    return len(leg) >= depth and not any(chunk_id in chunk_ids for chunk_id, _ in leg)


def _leg(name: str, near: LegScore | None, far: LegScore | None, depth: int) -> StageRank:
    """Return a leg's score of a chunk, from the search or from a deeper one."""
    score = near or far
    if score is None:
        note = "it shares no word with the query" if name == "sparse" else f"not among the first {_DEEPEST:,}"
        return StageRank(name, None, None, kept=False, note=note)
    if near is None and score.rank <= depth:
        note = "passed over: others are as good, or the walk through the graph missed it"
        return StageRank(name, score.rank, score.score, kept=False, note=note)
    return StageRank(name, score.rank, score.score, kept=score.rank <= depth)


def _fused(chunk_id: str, trace: Trace) -> Iterator[StageRank]:
    scores = leg_scores(trace.rankings, [chunk_id])[chunk_id]
    for name in ("fused", "level"):
        if name in scores:
            yield StageRank(name, scores[name].rank, scores[name].score, kept=True)


def _reranked(chunk: Hit, runs: Sequence[StageRun]) -> Iterator[StageRank]:
    for run in runs:
        rank, hit = _place(chunk, run.after)
        if run.failure is not None:
            yield StageRank(run.name, rank, None, kept=True, note=f"left out: {run.failure}")
        elif hit is not None:
            score = hit.scores.get(run.name)
            note = None if score is not None else "it reads only what is above"
            yield StageRank(run.name, rank, score.score if score is not None else None, kept=True, note=note)
        else:
            read = _place(chunk, run.before)[1] is not None
            note = None if read else f"it reads only the first {len(run.before)}"
            yield StageRank(run.name, None, None, kept=not read, note=note)
            if read:
                return


def _result(chunk: Hit, hits: Sequence[Hit], last: StageRank, top_k: int) -> StageRank:
    rank, hit = _place(chunk, hits)
    if hit is None:
        return StageRank("result", last.rank, None, kept=False)
    return StageRank("result", rank, hit.score, kept=rank is not None and rank <= top_k)


def _place(chunk: Hit, hits: Sequence[Hit]) -> tuple[int | None, Hit | None]:
    return next(((rank, hit) for rank, hit in enumerate(hits, 1) if _of(hit, [chunk])), (None, None))
