"""A tenant's documents, now and in the past."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime

from typing_extensions import Unpack

from pipelines.catalogue import Version
from pipelines.components.hit_nodes import payload_to_hit
from pipelines.engine.parts.view import TenantView, everything
from pipelines.errors import DocumentNotFound, InvalidRequest, PageNotFound, PictureNotFound, Problem, UnknownValue
from pipelines.ingestion.visibility import chunks_of, of_version
from pipelines.query.facets import count_facets, values_of
from pipelines.query.kinds import checked_page, checked_text, is_whole
from pipelines.query.requests import checked_choice
from pipelines.query.value_names import match_value
from pipelines.types import (
    Block,
    Document,
    DocumentInput,
    DocumentPage,
    DocumentState,
    Facets,
    Hit,
    Metadata,
    PageImage,
    Picture,
    Selection,
    Span,
    VersionInfo,
)


class Documents:
    """The documents that can be seen, with their versions, texts and chunks.

    Args:
        view: What can be seen.
        describe: Reads the metadata that an offered document would have.
        draw: Draws a page of a PDF, with a passage marked.
    """

    def __init__(
        self,
        view: TenantView,
        describe: Callable[[DocumentInput], Metadata],
        draw: Callable[[bytes, int, str], PageImage],
    ) -> None:
        self._view = view
        self._catalogue = view.catalogue
        self._describe = describe
        self._draw = draw

    def page(
        self,
        limit: int = 50,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> DocumentPage:
        """See `DocumentAccess.documents`."""
        checked_page(limit, cursor)
        checked_choice("state", state, DocumentState)
        wanted = self._view.matches(**selection)
        return self._catalogue.documents(limit, cursor, state, wanted)

    def facets(self, *, limit: int = 100, **selection: Unpack[Selection]) -> Facets:
        """See `DocumentAccess.facets`."""
        checked_page(limit)
        wanted = self._view.matches(**selection) or everything
        snapshot = self._catalogue.snapshot
        documents = (metadata for metadata in self._catalogue.readable_metadata() if wanted(metadata))
        return count_facets(documents, self._view.profile.metadata, limit, snapshot)

    def known_value(self, field: str, wording: str, beside: Collection[str] = ()) -> str:
        """See `DocumentAccess.known_value`."""
        known = values_of(filter(self._view.sees, self._catalogue.readable_metadata()), field)
        value = match_value(wording, known, beside)
        if value is None:
            raise UnknownValue(field, wording, known)
        return value

    def sources_of(self, metadata: Mapping[str, str | None], part: str = "") -> dict[str, str]:
        """Return sources by id: of documents with this metadata (None: no such field) and ``part`` in the source."""
        found = self._catalogue.sources_of(metadata, part)
        known = self._catalogue.metadata_of(list(found))
        return {name: source for name, source in found.items() if self._view.sees(known.get(name, {}))}

    def described(self, offered: DocumentInput) -> Metadata:
        """See `DocumentAccess.described`."""
        return self._describe(offered)

    def document(self, document_id: str) -> Document:
        """Return one document; see `DocumentAccess.document`."""
        checked_text("document_id", document_id)
        found = self._catalogue.document(document_id)
        if not self._view.sees(found.metadata):
            raise DocumentNotFound(document_id)
        return found

    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        """See `DocumentAccess.versions`."""
        checked_text("document_id", document_id)
        seen = tuple(version for version in self._catalogue.versions(document_id) if self._view.sees(version.metadata))
        if not seen:
            raise DocumentNotFound(document_id)
        if self._view.bounds is None or any(version.current for version in seen):
            return seen
        return tuple(replace(version, state="deleted") for version in seen)  # gone from here, wherever it may be now

    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        """Return the ids of readable documents that were first ingested from ``start`` to ``end``, both included."""
        found = self._catalogue.created_between(start, end)
        if self._view.bounds is None:
            return found
        metadata = self._catalogue.metadata_of(found)
        return [document_id for document_id in found if self._view.sees(metadata.get(document_id, {}))]

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """See `DocumentAccess.content`."""
        return self.version(document_id, version, as_of).text

    def blocks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Block, ...]:
        """Return the blocks of a version's text, in its order; see `content` for which version and for errors."""
        return self.version(document_id, version, as_of).blocks

    def page_image(
        self, document_id: str, page: int, version: int | None = None, span: Span | None = None
    ) -> PageImage:
        """Return a page of a version that was read from a PDF, with what stands there of ``span`` marked.

        Raises:
            DocumentNotFound: There is no such document or version.
            PageNotFound: It has no such page, or its file is not kept.
            CorruptDocument: The page cannot be drawn.
        """
        found = self.version(document_id, version, None)
        place = next((one.span for one in found.pages if one.number == page), None)
        original = None if place is None else self._catalogue.original(document_id, found.sha256)
        if place is None or original is None:
            raise PageNotFound(document_id, page)
        marked = span or Span(0, 0)
        quote = found.text[max(marked.start, place.start) : max(min(marked.end, place.end), 0)]
        return self._draw(original, page, quote)

    def picture(self, document_id: str, number: int, version: int | None = None) -> Picture:
        """See `DocumentAccess.picture`."""
        found = self.version(document_id, version, None)
        picture = self._catalogue.picture(document_id, found.sha256, number)
        if picture is None:
            raise PictureNotFound(document_id, number)
        return picture

    def chunks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Hit, ...]:
        """Return the chunks of a version, in the order of its text, without scores; see `content`."""
        found = self.version(document_id, version, as_of)
        hits = self.hits_of(found)
        if len(hits) < found.chunks:  # it was replaced and purged while it was read
            hits = self.hits_of(self.version(document_id, version, as_of))
        return tuple(sorted(hits, key=lambda hit: hit.span.start))

    def hits_of(self, version: Version) -> list[Hit]:
        """Return the chunks of a version, in no order."""
        where = chunks_of([version.document_id], of_version(version.version))
        return [
            payload_to_hit(payload, chunk_id, 0.0, {})
            for chunk_id, payload in self._view.indexes.current.store.scan(where)
        ]

    def version(self, document_id: str, version: int | None, as_of: int | None) -> Version:
        """Return a version with its text; see `content` for which one and for errors."""
        checked_text("document_id", document_id)
        if version is not None and as_of is not None:
            raise InvalidRequest(Problem("version", "and as_of cannot both be given: each of them names a version"))
        if version is not None and not is_whole(version):
            raise InvalidRequest(Problem("version", "must be a whole number"))
        if as_of is not None:
            self._catalogue.check_as_of(as_of)
        try:
            found = self._catalogue.version(document_id, version, as_of)
        except DocumentNotFound:
            if version is None and as_of is None:
                self._require_readable(document_id)
            raise
        if not self._view.sees(found.metadata):
            raise DocumentNotFound(document_id, version)
        return found

    def _require_readable(self, document_id: str) -> None:
        document = self.document(document_id)
        if document.state == "failed":
            raise DocumentNotFound(document_id, failed=document.reason or "the reason is not known")
