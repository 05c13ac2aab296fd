"""What callers of a tenant can do with its documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from typing_extensions import Unpack

from pipelines.ingestion.offers import Offer
from pipelines.ingestion.pipeline import Report
from pipelines.types import (
    Block,
    Deletion,
    Document,
    DocumentInput,
    DocumentPage,
    DocumentState,
    Facets,
    Hit,
    IngestResult,
    Metadata,
    PageImage,
    Picture,
    Selection,
    Span,
    VersionInfo,
)

PATIENCE_S = 20.0
"""How long `DocumentAccess.delete` waits for a purge, by default."""


class DocumentAccess(Protocol):
    """Documents, now and in the past."""

    def documents(
        self,
        limit: int = 50,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> DocumentPage:
        """Return some of the documents, in the order of their ids; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000.
            InvalidFilter, InvalidScope: See `search`.
        """

    def facets(self, *, limit: int = 100, **selection: Unpack[Selection]) -> Facets:
        """Count the values of the readable documents, in each keyword field and down the hierarchy.

        Args:
            limit: Most values of a field, and most places under a place.
            selection: Which documents are counted.

        Raises:
            InvalidRequest, InvalidFilter, InvalidScope: As for `documents`.
        """

    def known_value(self, field: str, wording: str, beside: Collection[str] = ()) -> str:
        """Return the value of a keyword field that ``wording`` names, among those of the readable documents.

        What a person or a language model wrote becomes a filter this way, and no other; see
        `pipelines.query.value_names.match_value`.

        Raises:
            UnknownValue: It names none of them, or could be several.
        """

    def sources_of(self, metadata: Mapping[str, str | None], part: str = "") -> dict[str, str]:
        """Return sources by id: of documents with this metadata (None: no such field) and ``part`` in the source."""

    def described(self, offered: DocumentInput) -> Metadata:
        """Return the metadata that a document would have: its own, overridden by what is offered with it.

        Raises:
            UnreadableDocument, InvalidDocument: It cannot be read.
        """

    def document(self, document_id: str) -> Document:
        """Return one document.

        Raises:
            DocumentNotFound: There is no document of this id.
        """

    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        """Return a document's versions, the newest first; those of a deleted one too, until they are purged.

        Raises:
            DocumentNotFound: There are none.
        """

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """Return the stored text of a version: of that number, readable at ``as_of``, or readable now.

        Raises:
            DocumentNotFound: There is no such document or version.
            InvalidRequest: Both were given, or ``as_of`` is out of reach.
        """

    def blocks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Block, ...]:
        """Return the blocks of a version's text, in its order; see `content`."""

    def chunks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Hit, ...]:
        """Return the chunks of a version, in the order of its text, without scores; see `content`."""

    def page_image(
        self, document_id: str, page: int, version: int | None = None, span: Span | None = None
    ) -> PageImage:
        """Return a page (from 1) of a version that was read from a PDF, with what stands there of ``span`` marked.

        Raises:
            DocumentNotFound: There is no such document or version.
            PageNotFound: It has no such page, or its file is not kept.
            CorruptDocument: The page cannot be drawn.
        """

    def picture(self, document_id: str, number: int, version: int | None = None) -> Picture:
        """Return a picture of a version, by its number in it, as a PNG or a JPEG.

        Raises:
            DocumentNotFound: There is no such document or version.
            PictureNotFound: It has no such picture, or its pictures are not kept.
        """

    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        """Return the ids of readable documents that were first ingested from ``start`` to ``end``, both included."""

    def named_file(self, path: str, also: Sequence[Path] = (), *, missing: bool = False) -> tuple[Path, str]:
        """Return the file that a request names by its path, and the name that its document goes by.

        Args:
            path: Absolute, or relative to one of the folders that the profile names in ``knowledge -> roots``.
            also: More such folders, where the profile names none.
            missing: Whether the file may be missing.

        Raises:
            OutsideRoots: It is not in one of them.
            FileNotFound: There is no such file.
        """

    def ingest(self, documents: Offer | Iterable[Offer], progress: Report | None = None) -> list[IngestResult]:
        """Ingest documents, texts, paths or LlamaIndex documents, and return what became of each.

        One that cannot be taken fails alone.

        Raises:
            InvalidRequest: There is nothing at a path.
        """

    def ingest_path(
        self, path: str | Path, metadata: Metadata | None = None, progress: Report | None = None
    ) -> list[IngestResult]:
        """Ingest a file, or those of a folder that the profile includes; documents are known by their relative paths.

        Raises:
            InvalidRequest: There is nothing at ``path``.
        """

    def delete(self, document_id: str, purge: bool = False, patience_s: float | None = PATIENCE_S) -> Deletion:
        """Delete a document, and return what was removed; its history can be read with ``as_of`` until it is purged.

        Args:
            document_id: The document.
            purge: Remove its history and everything derived from it, so that no file holds it any more. A repeated call
                returns the same receipt.
            patience_s: Seconds to wait for a purge to reach every file; None: until it is done. After that the receipt
                says "erasing", and the work goes on.

        Raises:
            DocumentNotFound: There is no document of this id; with ``purge``, nor any history or receipt of one.
            OutsideScope: Within a scope: the document is inherited.
            NeedsWholeTenant: Within a scope: ``purge`` was asked for; parts of the history may be another's.
        """
