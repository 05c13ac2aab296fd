"""Why a tenant's search shows a chunk, or does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from pipelines.asking import Asking
from pipelines.components.payload_filters import metadata_matcher
from pipelines.components.store_collection import DOCUMENT
from pipelines.errors import ChunkNotFound, DocumentNotFound, InvalidRequest, Problem
from pipelines.filters.clauses import Clause, clauses_of, clauses_of_view
from pipelines.filters.combining import all_of
from pipelines.filters.scopes import view_from
from pipelines.ingestion.visibility import readable_at
from pipelines.query.explain import Bounds, Course, Follower
from pipelines.query.fusion import Leg
from pipelines.query.hints import version_hint
from pipelines.query.retrieve import Ask, to_hit
from pipelines.types import ClauseCount, Document, Explanation, Hit, Metadata, Mode


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


class Explaining(Asking):
    """A tenant whose searches can be explained; to whom a document is not visible it does not exist here either."""

    def explain(
        self,
        query: str,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        mode: Mode | None = None,
        as_of: int | None = None,
    ) -> Explanation:
        """Why `search`, asked the same, shows a document or a chunk, or does not.

        Args:
            query: What is looked for.
            document_id: The document; its chunk that comes furthest is followed.
            chunk_id: Or this chunk of it.
            top_k: See `search`, as for the others.
            filters: What the metadata must be.
            scope: The place in the hierarchy that is looked from.
            inherit: From ``scope`` also what it inherits.
            mode: The legs.
            as_of: A point in the tenant's history.

        Raises:
            DocumentNotFound: There is no such document, or it cannot be seen.
            ChunkNotFound: There is no such chunk, or it cannot be seen.
            InvalidRequest: As for `search`, or neither a document nor a chunk is named.
        """
        ask = self._ask("query", query, top_k, self._where(filters, scope, inherit), mode)
        section = self.profile.metadata
        view = view_from(scope, section, inherit)
        clauses = [*clauses_of_view(view), *clauses_of(filters, section.fields)]
        snapshot = self._snapshot(as_of)
        target = self._target(document_id, chunk_id, as_of)
        if isinstance(target, Document):
            course, version, metadata = _unread(target), 0, target.metadata
        else:
            course, version, metadata = self._course(ask, clauses, target, snapshot), target.version, target.metadata
        return Explanation(
            query=query,
            document_id=target.document_id,
            version=version,
            chunk_id=course.chunk_id,
            found=course.dropped_by is None,
            stages=course.stages,
            dropped_by=course.dropped_by,
            filter=self._counted(clauses, metadata, as_of),
            hint=course.hint,
            snapshot=snapshot,
        )

    def _target(self, document_id: str | None, chunk_id: str | None, as_of: int | None) -> _Target | Document:
        """What is asked about; a document that has no version, because it could not be read in, as it is listed."""
        if not isinstance(document_id, str | None) or not isinstance(chunk_id, str | None):
            raise InvalidRequest(Problem("document_id", "and chunk_id must be text"))
        if chunk_id is not None:
            try:
                return self._target_chunk(chunk_id, document_id, as_of)
            except DocumentNotFound:
                raise ChunkNotFound(chunk_id) from None
        if document_id is None:
            raise InvalidRequest(Problem("document_id", "or chunk_id must say what is asked about"))
        if as_of is None and (listed := self.document(document_id)).version == 0:
            return listed
        found = self._version(document_id, None, as_of)
        chunks = self._chunks_of(found)
        if not chunks:  # it is being purged
            raise DocumentNotFound(document_id)
        return _Target(document_id, found.version, found.metadata, chunks)

    def _target_chunk(self, chunk_id: str, document_id: str | None, as_of: int | None) -> _Target:
        payload = self._spaces.current.store.fetch([chunk_id]).get(chunk_id) if _is_id(chunk_id) else None
        if payload is None or document_id not in (None, payload[DOCUMENT]):
            raise ChunkNotFound(chunk_id)
        own = self._version(payload[DOCUMENT], payload["version"], None)
        read = self._version(payload[DOCUMENT], None, as_of)
        chunk = to_hit(payload, chunk_id, 0.0, {})
        over = None if own.version == read.version else (own.valid_from, own.valid_to)
        return _Target(own.document_id, own.version, own.metadata, [chunk], over)

    def _course(self, ask: Ask, clauses: Sequence[Clause], target: _Target, snapshot: int) -> Course:
        if target.readable_at is not None:
            hint = version_hint(target.readable_at, target.version, snapshot, self._catalogue.horizon)
            return Course(target.chunks[0].chunk_id, (), "version", hint)
        bounds = Bounds(self.profile.retrieval.candidates, self.profile.limits.top_k)
        follower = Follower(
            lambda wide: self._find(wide, snapshot), lambda asked, depth: self._deeper(asked, depth, snapshot), bounds
        )
        required = [clause for clause in clauses if clause.kind != "level"]
        excluding = [clause for clause in required if not self._fits(clause, target.metadata)]
        if not excluding:
            return follower.follow(ask, target.chunks, filtered=bool(required))
        others = all_of(self._bounds, *(clause.where for clause in required if clause not in excluding))
        return follower.excluded(replace(ask, where=others), target.chunks, excluding, target.metadata)

    def _deeper(self, ask: Ask, depth: int, snapshot: int) -> Mapping[str, Leg]:
        where = readable_at(snapshot, ask.where, self._cleaner.hidden_at(snapshot))
        return self._spaces.current.finder.deeper(replace(ask, where=where), depth)

    def _fits(self, clause: Clause, metadata: Metadata) -> bool:
        return metadata_matcher(clause.where, self.profile.metadata.fields)(metadata)

    def _counted(self, clauses: Sequence[Clause], metadata: Metadata, as_of: int | None) -> tuple[ClauseCount, ...]:
        """How many documents fit each clause, of those that can be read; nothing where none is asked for."""
        if not clauses:
            return ()
        total, matches, left = 0, [0] * len(clauses), [0] * len(clauses)
        for readable in self._catalogue.readable_metadata(as_of):
            if not self._sees(readable):
                continue
            total, still = total + 1, True
            for number, clause in enumerate(clauses):
                fits = self._fits(clause, readable)
                still = still and (fits or clause.kind == "level")
                matches[number] += fits
                left[number] += still
        rows = [ClauseCount("can be read", total, total, fits=True)]
        for clause, fitting, remaining in zip(clauses, matches, left, strict=True):
            fits = self._fits(clause, metadata)
            rows.append(ClauseCount(clause.text, fitting, None if clause.kind == "level" else remaining, fits))
        return tuple(rows)


def _unread(document: Document) -> Course:
    hint = f"the document could not be read in ({document.reason}): mend it, and ingest it again"
    return Course(None, (), "ingestion", hint)


def _is_id(chunk_id: str) -> bool:
    try:
        UUID(chunk_id)
    except ValueError:
        return False
    return True
