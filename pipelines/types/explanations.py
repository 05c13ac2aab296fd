"""Why a search shows a chunk, or does not: what `Engine.explain` gives."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.types.markup import bold, join, lines, paragraph, table


@dataclass(frozen=True, slots=True)
class StageRank:
    """Where a chunk stood at one step of a search.

    Attributes:
        name: The filter, a leg, ``fused``, ``level``, a reranker stage, or ``result``.
        rank: Its place from 1; None where it has none.
        score: The step's own score; None where it gives none.
        kept: Whether it went on from here (a leg keeps what is within its depth).
        note: What else is to be known, such as that a stage read only the candidates above it.
    """

    name: str
    rank: int | None
    score: float | None
    kept: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """One clause of what was asked for, and what fits it.

    Attributes:
        clause: The clause, in words. What is seen from a scope has a row for each level, which are alternatives.
        matches: How many documents fit it, of those that can be read.
        left: How many fit it and every clause above it; None for an alternative.
        fits: Whether the document that is asked about does.
    """

    clause: str
    matches: int
    left: int | None
    fits: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a search shows a chunk, or does not. In a notebook it is a table.

    Attributes:
        query: The query.
        document_id: The document that is asked about.
        version: Its version; 0 where it has none that was read in.
        chunk_id: The chunk that is followed: the one asked about, or of a document the one that comes furthest.
        found: Whether the search shows it.
        stages: Where it stood, step by step.
        dropped_by: What kept it out: ``filter: CLAUSE``, ``scope: CLAUSE``, ``candidates`` (it is within the depth of
            no leg), the name of a reranker stage, ``top_k``, ``version`` (it is not the one that is read), or
            ``ingestion`` (the document could not be read in); None if it was found.
        filter: The clauses from the first to the last, after a row for all that can be read.
        hint: The smallest change that would have let it in; None if it was found.
        snapshot: What was searched is what readers of this snapshot see.
    """

    query: str
    document_id: str
    version: int
    chunk_id: str | None
    found: bool
    stages: tuple[StageRank, ...]
    dropped_by: str | None
    filter: tuple[ClauseCount, ...]
    hint: str | None
    snapshot: int

    def __str__(self) -> str:
        verdict = "found" if self.found else f"not found, dropped by {self.dropped_by}"
        return f"{self.document_id}: {verdict}" + (f"; {self.hint}" if self.hint else "")

    def _repr_html_(self) -> str:
        """Return the explanation as Jupyter shows it."""
        stages = [
            (stage.name, _number(stage.rank), _score(stage), _yes(stage.kept), stage.note) for stage in self.stages
        ]
        clauses = [(row.clause, str(row.matches), _number(row.left), _yes(row.fits)) for row in self.filter]
        return join(
            [
                paragraph(lines(bold(self.query), str(self))),
                table(("step", "rank", "score", "kept", ""), stages),
                table(("clause", "documents", "left", "fits"), clauses),
            ]
        )


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _score(stage: StageRank) -> str:
    return "" if stage.score is None else f"{stage.score:.4f}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
