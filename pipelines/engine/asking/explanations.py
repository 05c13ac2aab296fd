"""Why a search shows a chunk, or does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from uuid import UUID

from pipelines.components.hit_nodes import payload_to_hit
from pipelines.components.search_query import SearchQuery
from pipelines.components.store.payload_indexes import DOCUMENT
from pipelines.engine.asking.clause_fits import ClauseFits, TargetFits
from pipelines.engine.asking.documents import Documents
from pipelines.engine.asking.search import Search
from pipelines.engine.parts.view import TenantView
from pipelines.errors import ChunkNotFound, DocumentNotFound, InvalidRequest, Problem, nearest
from pipelines.filters.clauses import Clause, clauses_of, clauses_of_view
from pipelines.filters.combining import all_of
from pipelines.filters.scopes import view_from
from pipelines.query.explain import Bounds, Course, Follower
from pipelines.query.fusion import Leg
from pipelines.query.hints import version_hint
from pipelines.types import Document, Explanation, Hit, Metadata, Query

_BEGIN = 4
"""Characters with which a misspelt id most likely begins as it should."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What is asked about: a version, and its chunks or one of them.

    ``readable_at`` is set where it is not the version that is read: it was so from the first snapshot until before the
    second.
    """

    document_id: str
    version: int
    metadata: Metadata
    chunks: Sequence[Hit]
    readable_at: tuple[int, int] | None = None


class Explanations:
    """Follows documents and chunks through searches.

    Args:
        view: What can be seen.
        documents: The documents that can be seen.
        search: The search that is explained.
    """

    def __init__(self, view: TenantView, documents: Documents, search: Search) -> None:
        self._view = view
        self._documents = documents
        self._search = search

    def explain(self, query: Query, *, document_id: str | None = None, chunk_id: str | None = None) -> Explanation:
        """Return why a search shows a document or a chunk, or does not.

        Args:
            query: The search.
            document_id: The document; its chunk that comes furthest is followed.
            chunk_id: Or this chunk of it.

        Raises:
            DocumentNotFound: There is no such document, or it cannot be seen.
            ChunkNotFound: There is no such chunk, or it cannot be seen.
            InvalidRequest: As for `Search.search`, or neither a document nor a chunk is named.
        """
        search = self._search.prepare(query, "query")
        search = replace(search, query_str=self._search.understood(query)[0])
        section = self._view.profile.metadata
        view = view_from(query.scope, section, query.inherit)
        clauses = [*clauses_of_view(view), *clauses_of(query.filters, section.filterable)]
        snapshot = self._view.snapshot(query.as_of)
        target = self._target(document_id, chunk_id, query.as_of)
        chunks = () if isinstance(target, Document) else target.chunks
        clause_fits = ClauseFits(self._view, clauses)
        fits = clause_fits.of(target.metadata, [chunk.chunk_id for chunk in chunks])
        if isinstance(target, Document):
            course, version = _unread(target), 0
        else:
            course, version = self._course(search, clauses, target, fits, snapshot), target.version
        return Explanation(
            query=query.text,
            document_id=target.document_id,
            version=version,
            chunk_id=course.chunk_id,
            found=course.dropped_by is None,
            stages=course.stages,
            dropped_by=course.dropped_by,
            filter=clause_fits.counted(fits, snapshot, query.as_of),
            hint=course.hint,
            snapshot=snapshot,
        )

    def _target(self, document_id: str | None, chunk_id: str | None, as_of: int | None) -> _Target | Document:
        """Return what is asked about; a document that has no version, because it could not be read in, as it is
        listed.
        """
        if not isinstance(document_id, str | None) or not isinstance(chunk_id, str | None):
            raise InvalidRequest(Problem("document_id", "and chunk_id must be text"))
        if chunk_id is not None:
            try:
                return self._target_chunk(chunk_id, document_id, as_of)
            except DocumentNotFound:
                raise ChunkNotFound(chunk_id) from None
        if document_id is None:
            raise InvalidRequest(Problem("document_id", "is required, or chunk_id"))
        try:
            return self._target_document(document_id, as_of)
        except DocumentNotFound:
            begin = PurePosixPath(document_id).stem[:_BEGIN]
            raise DocumentNotFound(
                document_id, near=nearest(document_id, self._documents.sources_of({}, begin))
            ) from None

    def _target_document(self, document_id: str, as_of: int | None) -> _Target | Document:
        if as_of is None and (listed := self._documents.document(document_id)).version == 0:
            return listed
        found = self._documents.version(document_id, None, as_of)
        chunks = self._documents.hits_of(found)
        if not chunks:  # it is being purged
            raise DocumentNotFound(document_id)
        return _Target(document_id, found.version, found.metadata, chunks)

    def _target_chunk(self, chunk_id: str, document_id: str | None, as_of: int | None) -> _Target:
        payload = self._view.indexes.current.store.fetch([chunk_id]).get(chunk_id) if _is_id(chunk_id) else None
        if payload is None or document_id not in (None, payload[DOCUMENT]):
            raise ChunkNotFound(chunk_id)
        own = self._documents.version(payload[DOCUMENT], payload["version"], None)
        read = self._documents.version(payload[DOCUMENT], None, as_of)
        chunk = payload_to_hit(payload, chunk_id, 0.0, {})
        over = None if own.version == read.version else (own.valid_from, own.valid_to)
        return _Target(own.document_id, own.version, own.metadata, [chunk], over)

    def _course(
        self, search: SearchQuery, clauses: Sequence[Clause], target: _Target, fits: TargetFits, snapshot: int
    ) -> Course:
        if target.readable_at is not None:
            hint = version_hint(target.readable_at, target.version, snapshot, self._view.catalogue.horizon)
            return Course(target.chunks[0].chunk_id, (), "version", hint)
        bounds = Bounds(self._view.profile.retrieval.candidates, self._view.profile.limits.top_k)
        follower = Follower(
            lambda wide: self._search.find(wide, snapshot),
            lambda asked, depth: self._deeper(asked, depth, snapshot),
            bounds,
        )
        required = [number for number, clause in enumerate(clauses) if clause.kind != "level"]
        missed = {key: [number for number in required if not found[number]] for key, found in fits.chunks.items()}
        chunks = [chunk for chunk in target.chunks if not missed[chunk.chunk_id]]
        if chunks:
            return follower.follow(search, chunks, filtered=bool(required))
        excluding = min(missed.values(), key=len)  # of the chunk that comes nearest to fitting
        others = (clauses[number].where for number in required if number not in excluding)
        without = replace(search, where=all_of(self._view.bounds, *others))
        return follower.excluded(without, target.chunks, [clauses[number] for number in excluding], fits.metadata)

    def _deeper(self, search: SearchQuery, depth: int, snapshot: int) -> Mapping[str, Leg]:
        where = self._view.readable(snapshot, search.where)
        return self._view.indexes.current.finder.deeper(replace(search, where=where), depth)


def _unread(document: Document) -> Course:
    hint = f"the document could not be read in ({document.reason}): repair it, and ingest it again"
    return Course(None, (), "ingestion", hint)


def _is_id(chunk_id: str) -> bool:
    try:
        UUID(chunk_id)
    except ValueError:
        return False
    return True
