"""What goes in and is kept: documents, their versions, and what was found wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipelines.errors import Problem
from pipelines.types.frames import to_frame
from pipelines.types.hits import Metadata, PlacedPicture, Span
from pipelines.types.markup import bold, count, faint, lines, paragraph, table
from pipelines.types.pictures import Picture

if TYPE_CHECKING:
    from pandas import DataFrame

Origin = Literal["given", "knowledge"]
DocumentState = Literal["ready", "stale", "failed"]
IngestState = Literal["ready", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a document: its physical number from 1, the label printed on it, and its span in the text.

    A paragraph of a recording is a page too; its label is the time of its first words.
    """

    number: int
    span: Span
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1, its title, and the character at which its line begins."""

    level: int
    title: str
    start: int


BlockKind = Literal[
    "heading", "paragraph", "item", "term", "definition", "code", "header", "row", "note", "caption", "quote", "picture"
]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document's text, such as a paragraph, an item of a list or a row of a table.

    Attributes:
        kind: What it is. ``header`` is the row that names a table's columns; cells stand between `CELL_BREAK`.
            ``picture`` is what stands for a picture: its number, its caption, and what was read or seen in it.
        span: Its place in the text.
        level: Its depth: the blocks behind it with a greater level belong to it, as a list does to the paragraph that
            leads into it. Of a heading, its level from 1.
        line: The line of the file where it begins, from 1; None where the file has no lines.
    """

    kind: BlockKind
    span: Span
    level: int = 0
    line: int | None = None


CELL_BREAK = " | "


@dataclass(frozen=True, slots=True)
class StoredText:
    """The text of a version with its structure: pages, headings, blocks and pictures in the order of the text."""

    text: str
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    pictures: tuple[PlacedPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """What became of the pages (from 1) of a document that have no text of their own, or hardly any.

    Attributes:
        reader: What was to read them; None where the profile has nothing that does.
        read: The pages whose text was recognised.
        unread: Those that have no text or should have more, and could not be read, with why.
        notes: What is amiss with the text of pages that were read.
        confidence: How sure the reader is of the words of those pages on average, in 0..1; None where it does not tell.
        passing: Whether another attempt may read more.
    """

    reader: str | None = None
    read: tuple[int, ...] = ()
    unread: Mapping[int, str] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    confidence: float | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a reader makes of a file: its text as a person sees it, without markup, and its structure.

    ``pages``, ``headings`` and ``blocks`` are in the order of the text; ``metadata`` holds what the file says of
    itself; ``frontmatter`` is its YAML front matter as it was written, without the lines around it; ``scan`` is None
    where every page has text. ``pictures`` are in the order of their numbers, from 1; ``placed`` says where the text
    speaks of them, in its order.
    """

    text: str
    media_type: str
    title: str | None = None
    metadata: Metadata = field(default_factory=dict)
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    frontmatter: str = ""
    scan: Scan | None = None
    pictures: tuple[Picture, ...] = ()
    placed: tuple[PlacedPicture, ...] = ()


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
    the hierarchy that its giver may write: a document that is not written from there fails. ``chunking`` cuts it
    otherwise than the profile says, now and whenever it is cut again. ``fault`` says why its giver may not offer it: it
    fails alone, unread and without a trace in the catalogue. ``words_first``: its chunks can be found by their words
    before their vectors are made, which a job does.
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
    fault: str | None = None
    words_first: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class IngestResult:
    """What became of one offered document; ``reason`` says why it failed or what is amiss, in words for its owner.

    ``passing`` tells that another attempt at the same content may do better.
    """

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
    passing: bool = False

    def __repr__(self) -> str:
        made = f"version {self.version}, {count(self.chunks_created, 'chunk')}" if self.version else None
        facts = ", ".join(fact for fact in (self.state, made, self.reason) if fact)
        return f"IngestResult({self.document_id}: {facts})"


_DOCUMENT_COLUMNS = (
    "document_id", "title", "state", "chunks", "bytes", "version", "media_type", "source", "reason", "created_at",
    "updated_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A document as the catalogue lists it: its state and what its current version holds.

    ``stale``: it is readable, but was cut or embedded with another profile than the present one.
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

    def __repr__(self) -> str:
        return f"Document({self.document_id}: {self.state}, version {self.version}, {count(self.chunks, 'chunk')})"

    def row(self) -> dict[str, Any]:
        """Return the document as a row of a table, its metadata behind what every document has."""
        return {**self.metadata, **{name: getattr(self, name) for name in _DOCUMENT_COLUMNS}}


@dataclass(frozen=True, slots=True, repr=False)
class DocumentPage:
    """Some of a tenant's documents, how many there are in all, and where the next page begins."""

    documents: tuple[Document, ...]
    next_cursor: str | None
    total: int

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __repr__(self) -> str:
        return f"DocumentPage({len(self.documents)} of {count(self.total, 'document')})"

    def _repr_html_(self) -> str:
        """Return the documents as Jupyter shows them."""
        rows = (
            (
                lines(bold(one.title or one.document_id), faint(one.document_id)),
                lines(one.state, one.reason),
                str(one.version),
                str(one.chunks),
                f"{one.updated_at:%Y-%m-%d %H:%M}",
            )
            for one in self.documents
        )
        summary = paragraph(faint(f"{len(self.documents)} of {count(self.total, 'document')}"))
        return summary + table(("document", "state", "version", "chunks", "changed"), rows)

    def to_pandas(self) -> DataFrame:
        """Return the documents as a data frame, one row each; see `Document.row`.

        Raises:
            MissingPackage: pandas is not installed.
        """
        return to_frame((document.row() for document in self.documents), _DOCUMENT_COLUMNS)


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as a PNG; ``marked_at`` is how far down the passage begins, in 0..1, None where it was not found there."""

    png: bytes
    marked_at: float | None


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


PurgeState = Literal["erasing", "erased"]
"""Whether a purged document's bytes may still stand in a file of the store or the catalogue."""


@dataclass(frozen=True, slots=True)
class PurgeReceipt:
    """What a purge took away: ``removed`` counts rows by what they were, such as "versions", "turns" or "answers".

    In the state "erasing" the document cannot be read any more, but its bytes may still stand in files; a purge that
    was interrupted goes on at the next start. ``erased_at`` is when no file held them any more.
    """

    state: PurgeState
    requested_at: datetime
    erased_at: datetime | None
    removed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Deletion:
    """The receipt of a deletion: what went, what is left of its history, and the snapshot that no longer shows it.

    Versions and chunks that are left are read with ``as_of`` only, until they are purged. ``turns_erased`` counts turns
    of conversations whose answers were made of the document, and went with its history; ``comments_erased`` counts
    feedback on such answers, of which the words went. ``purge`` is there where the history went too.
    """

    document_id: str
    versions_removed: int
    chunks_removed: int
    cache_entries_removed: int
    versions_left: int
    chunks_left: int
    snapshot: int
    turns_erased: int = 0
    comments_erased: int = 0
    purge: PurgeReceipt | None = None


@dataclass(frozen=True, slots=True)
class Readiness:
    """Which of a tenant's parts give a sign of life."""

    catalogue: bool
    store: bool
    embedding: bool


FindingKind = Literal[
    "damaged_catalogue",
    "orphan_chunks",
    "missing_chunks",
    "wrong_validity",
    "wrong_span",
    "missing_index",
    "broken_document",
    "stale",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that `Engine.doctor` found wrong, and whether it was repaired."""

    kind: FindingKind
    detail: str
    document_id: str | None = None
    version: int | None = None
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Examination:
    """Report of a consistency check. Stale documents are listed but are not errors."""

    documents: int
    versions: int
    chunks: int
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing is left that needs repair."""
        return all(finding.repaired or finding.kind == "stale" for finding in self.findings)
