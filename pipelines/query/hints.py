"""The smallest change that would have let a chunk in, in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pipelines.filters.clauses import Clause
from pipelines.types import Metadata, StageRank


def filter_hint(excluding: Sequence[Clause], metadata: Metadata, then: int | None, top_k: int) -> str:
    """For what a filter or a scope excluded; ``then`` is its place in the search without these clauses."""
    clauses = " and ".join(clause.text for clause in excluding)
    fields = dict.fromkeys(name for clause in excluding for name in clause.fields)
    values = ", ".join(_value(name, metadata.get(name)) for name in fields)
    kinds = {clause.kind for clause in excluding}
    change = "search from a scope that sees it" if kinds == {"scope"} else f"leave out {clauses}"
    return f"{change} ({values}); {_afterwards(then, top_k)}"


def version_hint(readable: tuple[int, int], version: int, snapshot: int, horizon: int) -> str:
    """For a version that is not read; it was at snapshots from the first of ``readable`` until before the second."""
    first, end = readable
    if snapshot < first:
        return f"version {version} came with snapshot {first}: ask with as_of {first} or later"
    if end - 1 < horizon:
        return f"version {version} is no longer current, and its part of the history was purged; ingest it again"
    return f"version {version} was current until snapshot {end - 1}: ask with as_of {end - 1}"


def depth_hint(legs: Sequence[StageRank], depth: int, deepest: int, mode: str) -> str:
    """For what lies within the ``depth`` of no leg."""
    ranks = [(leg.rank, leg.name) for leg in legs if leg.rank is not None]
    if ranks:
        rank, name = min(ranks)
        more = f"set retrieval -> candidates to {max(rank, depth + 1)} or more (now {depth})"
        return f"it is number {rank} in the {name} leg: {more}"
    if mode == "sparse":
        return "it shares no word with the query: search in mode hybrid or dense, which go by meaning"
    return f"it is not among the first {deepest:,} of any leg: ask in words that are nearer to its text"


def left_out_hint(name: str) -> str:
    """For what a reranker stage left out."""
    return f"the stage {name} left it out: take the stage out of rerank"


def moved_hint(name: str, before: int, after: int, top_k: int) -> str:
    """For what a reranker stage, or the levels' weights, moved out of the first ``top_k``."""
    return f"{name} moved it from place {before} to {after}: ask for top_k {after} or more (now {top_k})"


def top_k_hint(rank: int, top_k: int, most: int) -> str:
    """For what comes after the last hit."""
    if rank <= most:
        return f"ask for top_k {rank} or more (now {top_k})"
    return f"it is number {rank}, and limits -> top_k allows {most}: narrow the search with a filter that it fits"


def _afterwards(rank: int | None, top_k: int) -> str:
    if rank is None:
        return "even then it would not be among the candidates"
    return f"it would then be number {rank}" + ("" if rank <= top_k else f", so ask for top_k {rank} too")


def _value(name: str, value: Any) -> str:
    return (
        f"it has no {name}"
        if value is None or value == []
        else f"its {name} is {json.dumps(value, ensure_ascii=False)}"
    )
