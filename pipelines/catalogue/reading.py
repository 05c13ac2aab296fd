"""What is read of a tenant's documents and versions, now and in the past."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, undefer

from pipelines.catalogue.cursors import read_id_cursor, written_id_cursor
from pipelines.catalogue.database import Database, is_storable
from pipelines.catalogue.records import (
    CURRENT_COLUMNS,
    NEVER,
    Current,
    Totals,
    Version,
    described_metadata,
    to_blocks,
    to_document,
    to_headings,
    to_info,
    to_pages,
    to_version,
)
from pipelines.catalogue.tables import DELETED, DocumentRow, OriginalRow, PictureRow, VersionRow
from pipelines.errors import DocumentNotFound
from pipelines.filters.facts import DescribedMetadata
from pipelines.types import (
    Document,
    DocumentPage,
    DocumentState,
    Metadata,
    Origin,
    Picture,
    StoredText,
    VersionInfo,
    read_pictures,
)

_NUMBERS = range(1, 2**31)
_ROWS_AT_ONCE = 1000
_WHOLE = (undefer(VersionRow.text), undefer(VersionRow.blocks))
# Built once, since every answer asks it. The documents stand by themselves, too: SQLite uses no index for pairs, and
# would look at every version.
_STORED_TEXTS = sa.select(
    VersionRow.document_id,
    VersionRow.version,
    VersionRow.text,
    VersionRow.pages,
    VersionRow.headings,
    VersionRow.blocks,
    VersionRow.pictures,
).where(
    VersionRow.tenant == sa.bindparam("tenant"),
    VersionRow.document_id.in_(sa.bindparam("documents", expanding=True)),
    sa.tuple_(VersionRow.document_id, VersionRow.version).in_(sa.bindparam("versions", expanding=True)),
)
Wanted = Callable[[Metadata], bool]


class DocumentReader(Database):
    """Reads a tenant's documents.

    ``pipeline`` names what cuts documents now, ``embedded`` whether the vectors are those of the profile's model:
    versions that were made otherwise are stale. Both are set when the tenant is opened.
    """

    pipeline = ""
    embedded = True

    def current(self, document_id: str) -> Current | None:
        """Return a document's readable version, if it has one."""
        with self._session() as session:
            query = sa.select(*CURRENT_COLUMNS).where(*self._current, VersionRow.document_id == document_id)
            row = session.execute(query).first()
            return None if row is None else Current(*row)

    def holdings(self) -> tuple[int, int]:
        """Return how many documents can be read, and the bytes of all versions that are kept."""
        with self._session() as session:
            return holdings_of(session, self._tenant)

    def original(self, document_id: str, sha256: str) -> bytes | None:
        """Return the file that versions of this hash were read from, if it is kept."""
        with self._session() as session:
            row = session.get(OriginalRow, (self._tenant, document_id, sha256))
            return None if row is None else row.content

    def picture(self, document_id: str, sha256: str, number: int) -> Picture | None:
        """Return a picture of versions of this hash."""
        with self._session() as session:
            row = session.get(PictureRow, (self._tenant, document_id, sha256, number))
            return None if row is None else Picture(row.media_type, row.content)

    def metadata_of(self, document_ids: Sequence[str]) -> dict[str, Metadata]:
        """Return the metadata of the readable version of each of these documents that has one."""
        with self._session() as session:
            return readable_metadata_of(session, self._tenant, document_ids)

    def sources_of(
        self, metadata: Mapping[str, str | None], part: str = "", origin: Origin | None = None
    ) -> dict[str, str]:
        """Return sources, by id, of the readable documents with these metadata (None: without the field).

        ``part`` must be in the source; ``origin`` is where they came from.
        """
        matching = (
            field.is_(None) if value is None else field == value
            for name, value in metadata.items()
            for field in (VersionRow.meta[name].as_string(),)
        )
        named = VersionRow.source.contains(part, autoescape=True)
        query = sa.select(VersionRow.document_id, VersionRow.source).where(*self._current, named, *matching)
        if origin is not None:
            from_there = sa.select(DocumentRow.document_id).where(*self._live, DocumentRow.origin == origin)
            query = query.where(VersionRow.document_id.in_(from_there))
        with self._session() as session:
            rows = session.execute(query)
            return {row.document_id: row.source for row in rows if part in row.source}  # SQLite ignores letter case

    def ids_from(self, origin: Origin) -> set[str]:
        """Return ids of the documents that came from ``origin``, readable or not."""
        with self._session() as session:
            query = sa.select(DocumentRow.document_id).where(*self._live, DocumentRow.origin == origin)
            return set(session.scalars(query))

    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        """Return ids of the readable documents that were first offered between these moments, both included."""
        query = sa.select(DocumentRow.document_id).where(*self._live, DocumentRow.version > 0)
        if start is not None:
            query = query.where(DocumentRow.created_at >= start.astimezone(UTC))
        if end is not None:
            query = query.where(DocumentRow.created_at <= end.astimezone(UTC))
        with self._session() as session:
            return list(session.scalars(query))

    def stale_ids(self) -> list[str]:
        """Return ids of the documents that another pipeline cut, in their order."""
        with self._session() as session:
            query = sa.select(VersionRow.document_id).where(*self._current, VersionRow.pipeline != self.pipeline)
            return list(session.scalars(query.order_by(VersionRow.document_id)))

    def readers(self) -> dict[tuple[str, int | None], int]:
        """Return how many documents are of each media type, and were read by the reader of which number."""
        what = (VersionRow.media_type, VersionRow.reader)
        query = sa.select(*what, sa.func.count()).where(*self._current).group_by(*what)
        with self._session() as session:
            return {(media_type, reader): number for media_type, reader, number in session.execute(query)}

    def document(self, document_id: str) -> Document:
        """Return one document.

        Raises:
            DocumentNotFound: No such id.
        """
        if not is_storable(document_id):
            raise DocumentNotFound(document_id.encode(errors="backslashreplace").decode())
        with self._session() as session:
            row = session.execute(self._documents().where(DocumentRow.document_id == document_id)).first()
        if row is None:
            raise DocumentNotFound(document_id)
        return self._listed(*row)

    def documents(
        self, limit: int, cursor: str | None, state: DocumentState | None = None, wanted: Wanted | None = None
    ) -> DocumentPage:
        """Return the documents behind ``cursor`` in the order of their ids: those in ``state`` whose metadata is
        ``wanted``.

        Raises:
            InvalidRequest: ``cursor`` is not a cursor issued by this API.
        """
        among = self._documents().where(*self._in_state(state))
        behind = among if cursor is None else among.where(DocumentRow.document_id > read_id_cursor(cursor))
        with self._session() as session:
            rows = session.execute(behind.order_by(DocumentRow.document_id).execution_options(yield_per=_ROWS_AT_ONCE))
            found = _first(rows, limit + 1, wanted)
            rows.close()
            total = self._count(session, among, wanted)
        more = written_id_cursor(found[limit - 1][0].document_id) if len(found) > limit else None
        return DocumentPage(tuple(self._listed(*row) for row in found[:limit]), more, total)

    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        """Return a document's versions, the newest first; those of a deleted one too, until they are purged.

        Raises:
            DocumentNotFound: There are none.
        """
        if not is_storable(document_id):
            raise DocumentNotFound(document_id.encode(errors="backslashreplace").decode())
        query = sa.select(VersionRow, DocumentRow.state).join(DocumentRow)
        mine = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)
        with self._session() as session:
            rows = session.execute(query.where(*mine).order_by(VersionRow.version.desc())).all()
        if not rows:
            raise DocumentNotFound(document_id)
        return tuple(to_info(row, self._is_stale(row), state == DELETED) for row, state in rows)

    def version(self, document_id: str, version: int | None = None, as_of: int | None = None) -> Version:
        """Return a version with its text: the readable one, the one of that number, or the one readable at
        ``as_of``.

        Raises:
            DocumentNotFound: There is no such document, or no such version of it.
        """
        if not is_storable(document_id) or (version is not None and version not in _NUMBERS):
            raise DocumentNotFound(document_id.encode(errors="backslashreplace").decode(), version)
        query = sa.select(VersionRow, DocumentRow.origin, DocumentRow.created_at).join(DocumentRow).options(*_WHOLE)
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id, *_which(version, as_of))
        with self._session() as session:
            row = session.execute(query.where(*key)).first()
        if row is None:
            raise DocumentNotFound(document_id, version)
        return to_version(*row)

    def readable_metadata(self, as_of: int | None = None) -> Iterator[DescribedMetadata]:
        """The metadata of every version that is readable, now or at ``as_of``, as long as the iterator is read."""
        readable = (VersionRow.tenant == self._tenant, *_which(None, as_of))
        facts = (VersionRow.meta, VersionRow.source, VersionRow.bytes, VersionRow.language, VersionRow.created_at)
        query = sa.select(DocumentRow.created_at.label("first"), *facts).join(DocumentRow).where(*readable)
        with self._session() as session:
            for row in session.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)):
                yield described_metadata(row, row.first)

    def tally(self, wanted: Wanted) -> tuple[Totals, int]:
        """Return how much there is of what is ``wanted``, and how many bytes its readable versions were made of."""
        query = sa.select(
            VersionRow.meta, VersionRow.chunks, VersionRow.bytes, VersionRow.pipeline, VersionRow.valid_to
        )
        query = query.where(VersionRow.tenant == self._tenant).execution_options(yield_per=_ROWS_AT_ONCE)
        kept = documents = stale = chunks = size = 0
        with self._session() as session:
            for metadata, cut_into, made_of, pipeline, valid_to in session.execute(query):
                if not wanted(metadata):
                    continue
                kept += 1
                if valid_to == NEVER:
                    documents, chunks, size = documents + 1, chunks + cut_into, size + made_of
                    stale += not (self.embedded and pipeline == self.pipeline)
        return Totals(documents, 0, stale, chunks, kept), size

    def all_texts(self) -> Iterator[tuple[str, int, str]]:
        """Yield every version's document, number and text, in their order, as long as the iterator is read."""
        columns = (VersionRow.document_id, VersionRow.version, VersionRow.text)
        query = sa.select(*columns).where(VersionRow.tenant == self._tenant).order_by(*columns[:2])
        with self._session() as session:
            rows = session.execute(query.execution_options(yield_per=_ROWS_AT_ONCE))
            yield from ((document_id, version, text) for document_id, version, text in rows)

    def stored_texts(self, versions: Collection[tuple[str, int]]) -> dict[tuple[str, int], StoredText]:
        """Return the texts of versions, by document id and number; those that are not kept any more are left out."""
        documents = sorted({document_id for document_id, _ in versions})
        wanted = {"tenant": self._tenant, "documents": documents, "versions": list(versions)}
        with self._session() as session:
            rows = session.execute(_STORED_TEXTS, wanted).all()
        return {
            (document_id, version): StoredText(
                text, to_pages(pages), to_headings(headings), to_blocks(blocks), read_pictures(pictures)
            )
            for document_id, version, text, pages, headings, blocks, pictures in rows
        }

    def counts_chunks(self) -> bool:
        """Return whether any version that is kept has chunks."""
        some = sa.select(VersionRow.version).where(VersionRow.tenant == self._tenant, VersionRow.chunks > 0).limit(1)
        with self._session() as session:
            return session.scalar(some) is not None

    def totals(self) -> Totals:
        """Return how much the tenant holds."""
        stale = sa.literal(True) if not self.embedded else VersionRow.pipeline != self.pipeline
        with self._session() as session:
            documents, chunks, others = session.execute(
                sa.select(
                    sa.func.count(),
                    sa.func.coalesce(sa.func.sum(VersionRow.chunks), 0),
                    sa.func.coalesce(sa.func.sum(sa.case((stale, 1), else_=0)), 0),
                ).where(*self._current)
            ).one()
            kept = sa.select(sa.func.count()).select_from(VersionRow).where(VersionRow.tenant == self._tenant)
            versions = session.scalar(kept)
            failed = (
                sa.select(sa.func.count()).select_from(DocumentRow).where(*self._live, DocumentRow.state == "failed")
            )
            failures = session.scalar(failed)
        return Totals(documents, failures or 0, int(others), int(chunks), versions or 0)

    def check(self) -> None:
        """Ask the database for a sign of life."""
        with self._session() as session:
            session.execute(sa.text("SELECT 1"))

    @property
    def _live(self) -> tuple[sa.ColumnElement[bool], ...]:
        return (DocumentRow.tenant == self._tenant, DocumentRow.state != DELETED)

    @property
    def _current(self) -> tuple[sa.ColumnElement[bool], ...]:
        return (VersionRow.tenant == self._tenant, VersionRow.valid_to == NEVER)

    def _documents(self) -> sa.Select[DocumentRow, VersionRow]:
        join = sa.and_(
            VersionRow.tenant == DocumentRow.tenant,
            VersionRow.document_id == DocumentRow.document_id,
            VersionRow.version == DocumentRow.version,
        )
        return sa.select(DocumentRow, VersionRow).outerjoin(VersionRow, join).where(*self._live)

    def _in_state(self, state: DocumentState | None) -> tuple[sa.ColumnElement[bool], ...]:
        if state is None:
            return ()
        if state == "failed":
            return (DocumentRow.version == 0,)
        if not self.embedded:
            return (sa.literal(state == "stale"), DocumentRow.version > 0)
        same = VersionRow.pipeline == self.pipeline
        return (same if state == "ready" else VersionRow.pipeline != self.pipeline,)

    def _count(self, session: Any, among: sa.Select[DocumentRow, VersionRow], wanted: Wanted | None) -> int:
        if wanted is None:
            return session.scalar(among.with_only_columns(sa.func.count(), maintain_column_froms=True)) or 0
        metadata = among.with_only_columns(VersionRow.meta, maintain_column_froms=True)
        metadata = metadata.execution_options(yield_per=_ROWS_AT_ONCE)
        return sum(wanted(meta or {}) for meta in session.scalars(metadata))

    def _is_stale(self, version: VersionRow | None) -> bool:
        return version is not None and not (self.embedded and version.pipeline == self.pipeline)

    def _listed(self, row: DocumentRow, version: VersionRow | None) -> Document:
        return to_document(row, version, self._is_stale(version))


def holdings_of(session: Session, tenant: str) -> tuple[int, int]:
    """Return how many documents of a tenant can be read, and the bytes of all versions that are kept."""
    readable = sa.func.coalesce(sa.func.sum(sa.case((VersionRow.valid_to == NEVER, 1), else_=0)), 0)
    size = sa.func.coalesce(sa.func.sum(VersionRow.bytes), 0)
    documents, kept = session.execute(sa.select(readable, size).where(VersionRow.tenant == tenant)).one()
    return int(documents), int(kept)


def readable_metadata_of(session: Session, tenant: str, document_ids: Sequence[str]) -> dict[str, Metadata]:
    """See `DocumentReader.metadata_of`."""
    query = sa.select(VersionRow.document_id, VersionRow.meta).where(
        VersionRow.tenant == tenant, VersionRow.document_id.in_(document_ids), VersionRow.valid_to == NEVER
    )
    return {row.document_id: row.meta for row in session.execute(query)}


def _first(rows: Any, most: int, wanted: Wanted | None) -> list[Any]:
    found = []
    for row in _wanted(rows, wanted):
        found.append(row)
        if len(found) == most:
            break
    return found


def _wanted(rows: Any, wanted: Wanted | None) -> Iterator[Any]:
    return (row for row in rows if wanted is None or wanted(_described(*row)))


def _described(document: DocumentRow, version: VersionRow | None) -> Metadata:
    return {} if version is None else described_metadata(version, document.created_at)


def _which(version: int | None, as_of: int | None) -> tuple[sa.ColumnElement[bool], ...]:
    if version is not None:
        return (VersionRow.version == version,)
    if as_of is not None:
        return (VersionRow.valid_from <= as_of, VersionRow.valid_to > as_of)
    return (VersionRow.valid_to == NEVER,)
