"""What a search finds, and the trace of how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup

from pipelines.types.frames import to_frame
from pipelines.types.markup import bold, count, faint, lines, paragraph, shorten, table
from pipelines.types.page_names import page_name

if TYPE_CHECKING:
    from pandas import DataFrame

Metadata = Mapping[str, Any]
Mode = Literal["hybrid", "dense", "sparse"]


_COLUMNS = ("score", "document_id", "title", "content", "headings", "page", "start", "end", "version", "chunk_id")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a version's stored text, in Unicode characters; ``end`` is exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    """A picture of a version: its number there, from 1, and the span of the block that stands for it in the text.

    ``described_by`` names the model that wrote a description into the block; None where none did.
    """

    number: int
    media_type: str
    span: Span
    described_by: str | None = None


@dataclass(frozen=True, slots=True)
class LegScore:
    """What one leg or stage thought of a chunk: its rank from 1, and its score in the leg's own unit."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """A chunk that answers a search, or with the stage ``parent`` a larger piece of text around one.

    ``score`` lies in 0..1, is absolute, and falls down the list; ``scores`` keeps what each leg, the fusion
    (``fused``) and each reranker stage gave. ``index`` is its place among the chunks of its version, from 0, and
    ``parents`` are the spans of the pieces that a hierarchical splitter cut it from, the innermost first. ``pictures``
    are those whose blocks it holds, or parts of them.
    ``updated_at`` is when this version of the document came in; None where the store does not say.

    Among an answer's sources a part of a tool's result is one too: see `pipelines.types.toolruns`.
    """

    chunk_id: str
    document_id: str
    version: int
    title: str
    source: str
    content: str
    metadata: Metadata
    score: float
    scores: Mapping[str, LegScore]
    span: Span
    page: int | None = None
    page_label: str | None = None
    headings: tuple[str, ...] = ()
    parents: tuple[Span, ...] = ()
    index: int = 0
    pictures: tuple[PlacedPicture, ...] = ()
    updated_at: datetime | None = None

    def __repr__(self) -> str:
        place = f"{self.document_id}:{self.span.start}-{self.span.end}"
        return f"Hit({self.score:.3f}, {place}, {shorten(self.content, 80)!r})"

    def _repr_html_(self) -> str:
        """Return the hit as Jupyter shows it."""
        return paragraph(_place(self), "\n", self.content)

    def row(self) -> dict[str, Any]:
        """Return the hit as a row of a table: scores and ranks of every leg and stage, and its metadata, have
        columns.
        """
        scores = {name: leg.score for name, leg in self.scores.items()}
        ranks = {f"{name}_rank": leg.rank for name, leg in self.scores.items()}
        own = {name: getattr(self, name) for name in _COLUMNS if name not in ("start", "end")}
        return {**self.metadata, **own, "start": self.span.start, "end": self.span.end, **scores, **ranks}


@dataclass(frozen=True, slots=True)
class Note:
    """A part of a search (a leg, a reranker stage) that contributed nothing, and why."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class StageRun:
    """What one reranker stage did: the candidates it got, and all candidates after it, each best first.

    ``failure`` says why a stage was left out; then ``after`` is ``before``. Otherwise the stage's own rank and score of
    a hit are ``hit.scores[name]``, which hits below the stage's depth lack.
    """

    name: str
    before: Sequence[Hit]
    after: Sequence[Hit]
    failure: str | None = None


@dataclass(slots=True)
class Trace:
    """How a search came to its hits: it is given to the search, which fills it.

    Attributes:
        legs: What each leg that was asked found: chunk ids and raw scores, falling.
        fused: Chunk ids and fused scores in 0..1, best first.
        weighed: The same after the weights of the levels of the hierarchy; None where the profile gives none.
        strength: How good the best evidence is on its own, in 0..1; it scales the scores of all hits.
        stages: What each reranker stage did, in their order.
        missing: Parts that could not be asked at all.
        seconds: What `embed` (of the question), `retrieve` (legs, fusion and chunks) and `rerank` took.
    """

    legs: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)
    fused: Sequence[tuple[str, float]] = ()
    weighed: Sequence[tuple[str, float]] | None = None
    strength: float = 0.0
    stages: list[StageRun] = field(default_factory=list)
    missing: list[Note] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def candidates(self) -> Sequence[tuple[str, float]]:
        """What the stages are given, and the hits are where there is none."""
        return self.fused if self.weighed is None else self.weighed

    @property
    def rankings(self) -> dict[str, Sequence[tuple[str, float]]]:
        """Every list up to the candidates, by its name in `Hit.scores`."""
        level = {} if self.weighed is None else {"level": self.weighed}
        return {**self.legs, "fused": self.fused, **level}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Each part that contributed nothing: missing or empty legs, and stages that failed."""
        empty = [Note(name, "found nothing") for name, leg in self.legs.items() if not leg]
        failed = [Note(run.name, run.failure) for run in self.stages if run.failure is not None]
        return (*self.missing, *empty, *failed)


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult:
    """The hits of one search, the snapshot they were read at, how long it took (milliseconds), and how it went.

    ``rewritten_question`` is what was looked for instead of the query, where that was a follow-up. ``further`` are the
    hits behind those that were asked for, among which an extract may be found.
    """

    hits: tuple[Hit, ...]
    snapshot: int
    took_ms: float
    trace: Trace = field(default_factory=Trace, compare=False, repr=False)
    rewritten_question: str | None = None
    further: tuple[Hit, ...] = field(default=(), compare=False, repr=False)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Each leg or stage that contributed nothing, and why."""
        return self.trace.notes

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

    def __repr__(self) -> str:
        return f"SearchResult({count(len(self.hits), 'hit')}, snapshot {self.snapshot}, {self.took_ms:.1f} ms)"

    def _repr_html_(self) -> str:
        """Return the hits as Jupyter shows them."""
        head = f"{count(len(self.hits), 'hit')} in {self.took_ms:.1f} ms, snapshot {self.snapshot}"
        notes = [f"{note.part}: {note.reason}" for note in self.notes]
        rewritten = f"searched for: {self.rewritten_question}" if self.rewritten_question else None
        rows = (_cells(number, hit) for number, hit in enumerate(self.hits, 1))
        summary = paragraph(lines(rewritten, faint("; ".join([head, *notes]))))
        return summary + table(("", "score", "found by", "passage"), rows)

    def to_pandas(self) -> DataFrame:
        """Return the hits as a data frame, one row each; see `Hit.row`.

        Raises:
            MissingPackage: pandas is not installed.
        """
        return to_frame((hit.row() for hit in self.hits), _COLUMNS)


def _cells(number: int, hit: Hit) -> tuple[str | Markup, ...]:
    found = lines(*(f"{name} {leg.rank}" for name, leg in hit.scores.items()))
    return str(number), f"{hit.score:.3f}", found, lines(_place(hit), shorten(hit.content))


def _place(hit: Hit) -> Markup:
    """Return where the hit stands, for a reader."""
    page = page_name(hit.page, hit.page_label)
    path = [heading for heading in hit.headings if heading != hit.title]
    return bold(hit.title or hit.document_id) + faint("".join(f" > {part}" for part in (*path, page) if part))
