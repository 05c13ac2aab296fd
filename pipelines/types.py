"""What the core passes around: frozen values, in the field's words, knowing nothing of any vendor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pipelines.errors import Problem
from pipelines.explanations import ClauseCount as ClauseCount
from pipelines.explanations import Explanation as Explanation
from pipelines.explanations import StageRank as StageRank
from pipelines.hits import Hit as Hit
from pipelines.hits import LegScore as LegScore
from pipelines.hits import Metadata as Metadata
from pipelines.hits import Note as Note
from pipelines.hits import SearchResult as SearchResult
from pipelines.hits import Span as Span
from pipelines.hits import StageRun as StageRun
from pipelines.hits import Trace as Trace

Mode = Literal["hybrid", "dense", "sparse"]
Verdict = Literal["supported", "partial", "unsupported"]
Origin = Literal["given", "knowledge"]
AbstainReason = Literal["no_hits", "filtered_out", "low_confidence"]
DocumentState = Literal["ready", "stale", "failed"]
IngestState = Literal["ready", "unchanged", "failed"]
JobKind = Literal["ingest", "sync", "reembed", "optimize", "purge", "rebuild", "compact"]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
FileState = Literal["waiting", "ready", "unchanged", "failed", "renamed", "removed", "busy"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a document: its physical number from 1, the label printed on it, and its span in the text."""

    number: int
    span: Span
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1, its title, and the character at which its line begins."""

    level: int
    title: str
    start: int


@dataclass(frozen=True, slots=True)
class StoredText:
    """The text of a version with its structure: pages and headings in the order of the text."""

    text: str
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a reader makes of a file: plain or Markdown text with its structure.

    ``pages`` and ``headings`` are in the order of the text; ``metadata`` holds what the file says of itself.
    """

    text: str
    media_type: str
    title: str | None = None
    metadata: Metadata = field(default_factory=dict)
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """How large the chunks of one document are, instead of what the profile says: see its section ``chunking``."""

    size: int
    overlap: int
    unit: Literal["token", "character"] = "character"


@dataclass(frozen=True, slots=True)
class DocumentInput:
    """A document offered for ingestion: its content, and what the giver says of it.

    ``content`` is text, the bytes of a file, or the path of one; ``media_type`` or the ending of ``source`` names its
    format. A ``title`` of "" means that it has none; None means that its title is looked for. Documents of the origin
    ``knowledge`` follow the tenant's folder: what is no longer there is removed. ``accepted`` (nanoseconds since 1970)
    is when it was offered, by default when the load of it began: of two offers of one document the later one stays.
    ``replaces`` names a document that goes in the same commit, as when a file was renamed. ``scope`` is the place in
    the hierarchy that its giver is held to: a document that is not written from there fails. ``chunking`` cuts it
    otherwise than the profile says, now and whenever it is cut anew.
    """

    content: str | bytes | Path
    document_id: str | None = None
    title: str | None = None
    source: str | None = None
    media_type: str | None = None
    metadata: Metadata = field(default_factory=dict)
    origin: Origin = "given"
    accepted: int | None = None
    replaces: str | None = None
    scope: Mapping[str, str] | None = None
    chunking: ChunkSize | None = None


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of one offered document; ``reason`` says why it failed or what is amiss, in words for its owner."""

    document_id: str
    state: IngestState
    version: int = 0
    chunks_created: int = 0
    embeddings_generated: int = 0
    snapshot: int = 0
    reason: str | None = None
    source: str | None = None
    code: str | None = None  # of the error that kept it, where the state is "failed"
    problems: tuple[Problem, ...] = ()
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the catalogue lists it: its state and what its current version holds.

    ``stale``: it is readable, and was cut or embedded otherwise than the profile says by now.
    """

    document_id: str
    title: str
    source: str
    media_type: str
    state: DocumentState
    reason: str | None
    version: int
    chunks: int
    bytes: int
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some of a tenant's documents, how many there are in all, and where the next page begins."""

    documents: tuple[Document, ...]
    next_cursor: str | None
    total: int


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """A version as it is listed: readable at snapshots from ``snapshot`` until before ``ended``.

    ``current``: it is what readers see now. ``ended`` is None while it is; a version that a later offer overtook before
    it could be read has ``ended == snapshot``.
    """

    version: int
    snapshot: int
    ended: int | None
    sha256: str
    pipeline: str
    title: str
    source: str
    metadata: Metadata
    chunks: int
    bytes: int
    state: Literal["ready", "stale", "superseded", "deleted"]
    created_at: datetime
    ended_at: datetime | None

    @property
    def current(self) -> bool:
        """Whether readers see it now."""
        return self.ended is None


@dataclass(frozen=True, slots=True)
class FileProgress:
    """What became of one file of a piece of work, with the chunks and bytes that it brought."""

    path: str
    state: FileState
    reason: str | None = None
    chunks: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a load has come; the total is None while the documents are still being counted.

    ``latest`` are the files that were done since the last report.
    """

    documents_done: int
    documents_total: int | None
    chunks: int
    latest: tuple[FileProgress, ...] = ()


@dataclass(frozen=True, slots=True)
class Deletion:
    """The receipt of a deletion: what went, what is left of its history, and the snapshot that no longer shows it.

    Versions and chunks that are left are read with ``as_of`` only, until they are purged. ``turns_erased`` counts turns
    of conversations whose answers were made of the document, and went with its history.
    """

    document_id: str
    versions_removed: int
    chunks_removed: int
    cache_entries_removed: int
    versions_left: int
    chunks_left: int
    snapshot: int
    turns_erased: int = 0


@dataclass(frozen=True, slots=True)
class Readiness:
    """Which of a tenant's parts give a sign of life."""

    catalogue: bool
    store: bool
    embedding: bool


@dataclass(frozen=True, slots=True)
class Rename:
    """A document whose file has another name now; both changes were one commit."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What a synchronisation did.

    Attributes:
        results: What became of each file of the folder; those that were not read again are ``unchanged``.
        removed: The documents that went because their file did.
        renamed: Files that were found again under another name.
        busy: Files that were being written, and are left for the next time.
    """

    results: tuple[IngestResult, ...]
    removed: tuple[Deletion, ...]
    renamed: tuple[Rename, ...] = ()
    busy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purge:
    """What a purge took away: versions that retention no longer keeps, and the snapshot up to which history is gone."""

    versions_removed: int
    chunks_removed: int
    horizon: int


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is. Rates and the estimate are None before there is anything to reckon with."""

    files_total: int | None
    files_done: int
    files_failed: int
    chunks: int
    bytes: int
    files_per_second: float | None = None
    estimated_completion: datetime | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of durable work. ``reason`` says why it failed; ``attempt`` counts how often it was begun."""

    job_id: str
    kind: JobKind
    state: JobState
    progress: JobProgress
    priority: int
    attempt: int
    reason: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    files: tuple[FileProgress, ...] = ()


@dataclass(frozen=True, slots=True)
class JobPage:
    """Some of a tenant's jobs, newest first and without their files, and where the next page begins."""

    jobs: tuple[Job, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that `Engine.doctor` found wrong, and whether it was repaired."""

    kind: Literal[
        "orphan_chunks", "missing_chunks", "wrong_validity", "wrong_span", "missing_index", "broken_document", "stale"
    ]
    detail: str
    document_id: str | None = None
    version: int | None = None
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Examination:
    """What a doctor looked at, and what is wrong; staleness is told and is no fault."""

    documents: int
    versions: int
    chunks: int
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing is left that needs repair."""
        return all(finding.repaired or finding.kind == "stale" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Citation:
    """A footnote: ``quote`` is verbatim the text of ``span`` in the stored text of that version."""

    number: int
    document_id: str
    version: int
    chunk_id: str
    title: str
    source: str
    quote: str
    span: Span
    page: int | None = None
    page_label: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that a claim was held against: ``quote`` is verbatim the text of ``span`` in that version."""

    document_id: str
    version: int
    chunk_id: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer, the numbers of its citations, and what the named checks say of it.

    ``evidence`` holds the best passage of each source that it cites; of one that cites none, the best there is.
    """

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    checks: Mapping[str, Any] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of what a language model reads; ``images`` are files (PNG, JPEG), for models that see."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its footnotes. ``timings_ms`` names each stage; ``reason`` is set where it abstained.

    ``truncated``: the model was cut off, at its budget or because it went round in circles. ``removed_citations`` are
    numbers that it cited and that no source has. ``exchange`` is what was sent to the model in this turn and what it
    said, word for word, for the turns that follow; None where none was asked. ``signals`` are what ``confidence`` was
    reckoned from; none where nothing was found. ``conversation_id`` names the conversation that it is a turn of, and
    ``rewritten_question`` is what was looked for instead of the question.
    """

    answer_id: str
    question: str
    text: str
    abstained: bool
    reason: AbstainReason | None
    confidence: float
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    sources: tuple[Hit, ...]
    model: str
    llm_generated: bool
    degraded: bool
    snapshot: int
    timings_ms: Mapping[str, float]
    truncated: bool = False
    removed_citations: tuple[int, ...] = ()
    exchange: tuple[str, str] | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    conversation_id: str | None = None
    rewritten_question: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer in a conversation, numbered from 1.

    ``erased``: what was said went with a document that it was made of, and ``text`` says so.
    """

    number: int
    question: str
    text: str
    created_at: datetime
    answer_id: str = ""
    rewritten_question: str | None = None
    citations: tuple[Citation, ...] = ()
    abstained: bool = False
    confidence: float = 0.0
    model: str = ""
    llm_generated: bool = False
    degraded: bool = False
    snapshot: int = 0
    erased: bool = False
    exchange: tuple[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Several questions in a row: the first of them as its title, and until when it is kept unless it goes on.

    ``turns`` is empty where conversations are listed; ``length`` counts them.
    """

    conversation_id: str
    title: str
    length: int
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Some of the conversations, the newest first and without their turns, and where the next page begins."""

    conversations: tuple[Conversation, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """The first event of an answer that is streamed: what it will be made of."""

    sources: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class TextWritten:
    """The next part of an answer's text; empty where only time went by, so that the stream can be closed then."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationMade:
    """A footnote of what was written; it stands in its final form."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The last event: the whole answer. Its text is what was written, but for blanks at its ends."""

    answer: Answer


AnswerEvent = SourcesFound | TextWritten | CitationMade | AnswerDone


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a tenant holds; ``bytes`` is what its data folder takes on disk."""

    tenant: str
    documents: int
    failed: int
    chunks: int
    versions: int
    snapshot: int
    bytes: int
    embedding: str
    stale: int
    horizon: int


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """How often a document was among the hits, and when last."""

    document_id: str
    count: int
    last: datetime


@dataclass(frozen=True, slots=True)
class QueryUse:
    """How often something was asked, and the mean score of its best hit."""

    query: str
    count: int
    relevance: float


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a kind of work took: how often it was done, on how many items, and in how much time altogether.

    Percentiles are of the time of one piece of work, to within 5 %.
    """

    count: int
    items: int
    total_ms: float
    p95_ms: float
    p99_ms: float

    @property
    def average_ms(self) -> float:
        """The mean time of one piece of work."""
        return self.total_ms / self.count if self.count else 0.0

    def per_second(self, number: int) -> float:
        """How many of ``number`` things were done in a second."""
        return number / self.total_ms * 1000 if self.total_ms else 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """How a tenant is used: searches, documents brought in (an item is a chunk), and what is found and asked most."""

    searches: Timing
    ingestion: Timing
    documents: tuple[DocumentUse, ...]
    queries: tuple[QueryUse, ...]


@dataclass(frozen=True, slots=True)
class Resources:
    """What a tenant takes, in bytes: memory of the whole process, its data on disk, and what is free there."""

    memory: int
    disk: int
    free: int
    total: int


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a field, and how many documents have it."""

    value: str
    documents: int


@dataclass(frozen=True, slots=True)
class FacetField:
    """The values of a field that most documents have, the most frequent first; ``more`` others are left out."""

    values: tuple[FacetValue, ...]
    more: int


@dataclass(frozen=True, slots=True)
class FacetPlace:
    """A place in the hierarchy: ``value`` of ``field``, both None at the top.

    Attributes:
        documents: How many are there and below.
        own: How many are of the place's own level.
        below: The places under it that hold most documents, the fullest first.
        more: How many places under it are left out.
    """

    field: str | None
    value: str | None
    documents: int
    own: int
    below: tuple[FacetPlace, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Which values there are, and how many documents have them.

    Attributes:
        documents: How many are counted.
        fields: The declared keyword fields.
        hierarchy: The places, nested; None where the profile declares no hierarchy.
        snapshot: What was counted is what readers of this snapshot see.
    """

    documents: int
    fields: Mapping[str, FacetField]
    hierarchy: FacetPlace | None
    snapshot: int
