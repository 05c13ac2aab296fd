"""What the catalogue says of every document, to compare with the vector store; and its corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database
from pipelines.catalogue.records import NEVER, now
from pipelines.catalogue.tables import DocumentRow, VersionRow

_DOCUMENTS_AT_ONCE = 256
_TEXTS_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """What is recorded of a version, without its text; see `VersionRow`."""

    number: int
    pipeline: str
    chunks: int
    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is recorded of a document, with its versions in the order of their numbers; see `DocumentRow`."""

    document_id: str
    state: str
    version: int
    last_version: int
    versions: tuple[VersionFacts, ...]

    @property
    def chunks(self) -> int:
        """How many chunks all its versions have."""
        return sum(version.chunks for version in self.versions)


class Census(Database):
    """Reads a tenant's documents, deleted ones too, few at a time, and corrects what is recorded of them.

    Corrections must be made while commits are paused; see `Catalogue.paused`.
    """

    def documents(self) -> Iterator[DocumentFacts]:
        """Yield every document, in the order of the ids, each as it is when it is come to."""
        after: str | None = None
        while page := self._page(after):
            yield from page
            after = page[-1].document_id

    def of(self, document_ids: Sequence[str]) -> list[DocumentFacts]:
        """Return those of these documents that exist."""
        with self._session() as session:
            return self._facts(session, self._rows().where(DocumentRow.document_id.in_(document_ids)))

    def known(self, document_ids: Iterable[str]) -> set[str]:
        """Return which of these ids are those of documents, deleted ones too."""
        query = sa.select(DocumentRow.document_id).where(
            DocumentRow.tenant == self._tenant, DocumentRow.document_id.in_(list(document_ids))
        )
        with self._session() as session:
            return set(session.scalars(query))

    def texts(self, document_ids: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        """The id, the number and the text of every version of these documents, read a few texts at a time."""
        query = sa.select(VersionRow.document_id, VersionRow.version, VersionRow.text).where(
            VersionRow.tenant == self._tenant, VersionRow.document_id.in_(document_ids)
        )
        with self._session() as session:
            for row in session.execute(query.execution_options(yield_per=_TEXTS_AT_ONCE)):
                yield row.document_id, row.version, row.text

    def correct(self, before: DocumentFacts, after: DocumentFacts, reason: str | None) -> None:
        """Record ``after`` of a document of which ``before`` was recorded, with a ``reason`` if there is a new one."""
        mine = (DocumentRow.tenant == self._tenant, DocumentRow.document_id == after.document_id)
        values = {"state": after.state, "version": after.version, "last_version": after.last_version}
        values |= {"reason": reason} if reason is not None else {}
        with self._session() as session, session.begin():
            session.execute(sa.update(DocumentRow).where(*mine).values(values))
            for old, new in zip(before.versions, after.versions, strict=True):
                if old != new:
                    self._end(session, after.document_id, new)

    def recount(self, document_id: str, version: int, chunks: int, pipeline: str) -> None:
        """Record that a version has so many chunks, and which pipeline cut them."""
        with self._session() as session, session.begin():
            query = sa.update(VersionRow).where(*self._version(document_id, version))
            session.execute(query.values(chunks=chunks, pipeline=pipeline))

    def _end(self, session: Session, document_id: str, version: VersionFacts) -> None:
        ended = None if version.valid_to == NEVER else sa.func.coalesce(VersionRow.ended_at, now())
        query = sa.update(VersionRow).where(*self._version(document_id, version.number))
        session.execute(query.values(valid_to=version.valid_to, ended_at=ended))

    def _version(self, document_id: str, version: int) -> tuple[sa.ColumnElement[bool], ...]:
        return (
            VersionRow.tenant == self._tenant,
            VersionRow.document_id == document_id,
            VersionRow.version == version,
        )

    def _page(self, after: str | None) -> list[DocumentFacts]:
        rows = self._rows().order_by(DocumentRow.document_id).limit(_DOCUMENTS_AT_ONCE)
        with self._session() as session:
            return self._facts(session, rows if after is None else rows.where(DocumentRow.document_id > after))

    def _rows(self) -> sa.Select[str, str, int, int]:
        return sa.select(
            DocumentRow.document_id, DocumentRow.state, DocumentRow.version, DocumentRow.last_version
        ).where(DocumentRow.tenant == self._tenant)

    def _facts(self, session: Session, query: sa.Select[str, str, int, int]) -> list[DocumentFacts]:
        rows = session.execute(query).all()
        versions: dict[str, list[VersionFacts]] = {row.document_id: [] for row in rows}
        recorded = sa.select(
            VersionRow.document_id,
            VersionRow.version,
            VersionRow.pipeline,
            VersionRow.chunks,
            VersionRow.valid_from,
            VersionRow.valid_to,
        ).where(VersionRow.tenant == self._tenant, VersionRow.document_id.in_(list(versions)))
        for row in session.execute(recorded.order_by(VersionRow.version)):
            versions[row.document_id].append(VersionFacts(*row[1:]))
        return [DocumentFacts(*row, versions=tuple(versions[row.document_id])) for row in rows]
