"""One commit: the changes that become readable together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.erasure import Erasure
from pipelines.catalogue.purges import purge_key, purged_rows
from pipelines.catalogue.reading import holdings_of, readable_metadata_of
from pipelines.catalogue.records import (
    CURRENT_COLUMNS,
    NEVER,
    CleanupKind,
    Current,
    NewVersion,
    new_document,
    now,
    version_row,
)
from pipelines.catalogue.tables import DELETED, CleanupRow, DocumentRow, OriginalRow, PictureRow, PurgeRow, VersionRow
from pipelines.errors import DocumentNotFound
from pipelines.types import Metadata, Origin, Picture


@dataclass(frozen=True, slots=True)
class RemovalCount:
    """How many versions went, and how many chunks they had."""

    versions: int
    chunks: int


class Commit:
    """Changes that become readable together, at ``snapshot``, in the vector store of ``generation``."""

    def __init__(self, session: Session, tenant: str, snapshot: int, generation: int) -> None:
        self._session = session
        self._tenant = tenant
        self._rows: dict[str, DocumentRow] = {}
        self.snapshot = snapshot
        self.generation = generation

    def look_up(self, document_ids: Sequence[str]) -> dict[str, Current]:
        """Return the readable version of each of these documents that has one.

        It also loads what `put` needs to know of them, in one query for all.
        """
        mine = (DocumentRow.tenant == self._tenant, DocumentRow.document_id.in_(document_ids))
        self._rows |= purged_rows(self._session, self._tenant, document_ids)
        self._rows |= {row.document_id: row for row in self._session.scalars(sa.select(DocumentRow).where(*mine))}
        query = sa.select(VersionRow.document_id, *CURRENT_COLUMNS).where(
            VersionRow.tenant == self._tenant,
            VersionRow.document_id.in_(document_ids),
            VersionRow.valid_to == NEVER,
        )
        return {row.document_id: Current(*row[1:]) for row in self._session.execute(query)}

    def metadata_of(self, document_ids: Sequence[str]) -> dict[str, Metadata]:
        """Return the metadata of the readable version of each of these documents that has one."""
        return readable_metadata_of(self._session, self._tenant, document_ids) if document_ids else {}

    def holdings(self) -> tuple[int, int]:
        """Return how many documents can be read, and the bytes of all versions that are kept."""
        return holdings_of(self._session, self._tenant)

    def overtaken(self, new: NewVersion) -> bool:
        """Return whether something later than ``new`` was done to its document, which was looked up before."""
        row = self._rows.get(new.document_id)
        return row is not None and row.accepted > new.accepted

    def put(self, new: NewVersion) -> int:
        """Make ``new`` its document's readable version, and return its number; the document was looked up before."""
        row = self._rows.get(new.document_id)
        if row is None:
            row = new_document(self._tenant, new.document_id, new.source, new.media_type, new.origin)
            self._session.add(row)
            self._rows[new.document_id] = row
        elif row.version:
            self._end(new.document_id)
        elif row.state == DELETED:
            row.created_at = now()
            self._session.add(row)  # a purged document had none
        row.title, row.source, row.media_type, row.origin = new.title, new.source, new.media_type, new.origin
        row.state, row.reason, row.updated_at = "ready", None, now()
        row.accepted = max(row.accepted, new.accepted)
        row.version = row.last_version = row.last_version + 1
        self._session.add(version_row(self._tenant, row.version, self.snapshot, NEVER, new))
        return row.version

    def moments(self, document_id: str) -> tuple[datetime, datetime]:
        """Return when a document came and when it changed last, after `put`."""
        row = self._rows[document_id]
        return row.created_at, row.updated_at

    def keep_original(self, new: NewVersion, content: bytes) -> None:
        """Keep the file that ``new`` was read from, after `put`."""
        self._session.flush()
        self._session.merge(
            OriginalRow(tenant=self._tenant, document_id=new.document_id, sha256=new.sha256, content=content)
        )

    def keep_pictures(self, new: NewVersion, pictures: Sequence[Picture]) -> None:
        """Keep the pictures of ``new``, in the order of their numbers, after `put`."""
        self._session.flush()
        for number, picture in enumerate(pictures, start=1):
            self._session.merge(
                PictureRow(
                    tenant=self._tenant,
                    document_id=new.document_id,
                    sha256=new.sha256,
                    number=number,
                    media_type=picture.media_type,
                    content=picture.content,
                )
            )

    def confirm(self, new: NewVersion) -> None:
        """Note that ``new`` is readable already; see `Catalogue.confirm`."""
        row = self._rows[new.document_id]
        row.reason, row.accepted = None, max(row.accepted, new.accepted)
        if new.origin == "knowledge":
            row.origin = new.origin

    def origin(self, document_id: str) -> str | None:
        """Return where a readable document came from; None if there is none of this id. It is looked up."""
        readable = self.look_up([document_id])
        return self._rows[document_id].origin if readable else None

    def put_overtaken(self, new: NewVersion) -> int:
        """Keep ``new`` as a version that no reader sees, and return the number of the readable one (0: none).

        Of a document that was deleted since, nothing is kept.
        """
        row = self._rows[new.document_id]
        if row.state != DELETED:
            row.last_version += 1
            never_seen = version_row(
                self._tenant, row.last_version, self.snapshot, self.snapshot, replace(new, chunks=0)
            )
            self._session.add(never_seen)
        return row.version

    def drop(self, document_id: str, accepted: int, origin: Origin | None = None) -> RemovalCount:
        """Take a document out; its history stays readable at earlier snapshots.

        What is to be done to its chunks is noted as a cleanup, so that a crash before that does not leave them.

        Raises:
            DocumentNotFound: No such id, or none that came from ``origin``.
        """
        row = self._session.get(DocumentRow, (self._tenant, document_id))
        if row is None or row.state == DELETED or (origin is not None and row.origin != origin):
            raise DocumentNotFound(document_id)
        dropped = self._count(*self._versions_of(document_id), VersionRow.valid_to == NEVER)
        self._end(document_id)
        row.state, row.reason, row.version, row.updated_at = DELETED, None, 0, now()
        row.accepted = max(row.accepted, accepted)
        self.note("retire", document_id)
        return dropped

    def purge(self, document_id: str, accepted: int, cached_answers: int = 0) -> RemovalCount:
        """Take a document out with its history and with all that other tables say of it, and write the receipt.

        Its chunks are noted as a cleanup. ``cached_answers`` is counted in the receipt.

        Raises:
            DocumentNotFound: No such id, nor any history of one.
        """
        row = self._session.get(DocumentRow, (self._tenant, document_id))
        if row is None:
            raise DocumentNotFound(document_id)
        dropped = self._count(*self._versions_of(document_id))
        if row.state == DELETED and not dropped.versions:
            raise DocumentNotFound(document_id)
        erasure = Erasure(self._session, self._tenant, document_id)
        self._session.execute(sa.delete(VersionRow).where(*self._versions_of(document_id)))
        files = self._drop_files(document_id)
        self._session.delete(row)
        self._session.flush()
        removed = {"versions": dropped.versions, "chunks": dropped.chunks, "cached_answers": cached_answers} | files
        self._session.merge(self._receipt(row, max(row.accepted, accepted), removed | erasure.run()))
        self.note("erase", document_id)
        return dropped

    def _drop_files(self, document_id: str) -> dict[str, int]:
        """Drop the kept files of a document; return how many pictures there were, if there were any."""
        dropped = [
            self._session.execute(
                sa.delete(table).where(table.tenant == self._tenant, table.document_id == document_id)
            )
            for table in (OriginalRow, PictureRow)
        ]
        pictures = int(cast("Any", dropped[1]).rowcount)
        return {"pictures": pictures} if pictures else {}

    def _receipt(self, row: DocumentRow, accepted: int, removed: dict[str, int]) -> PurgeRow:
        return PurgeRow(
            tenant=self._tenant,
            key=purge_key(row.document_id),
            state="erasing",
            last_version=row.last_version,
            accepted=accepted,
            snapshot=self.snapshot,
            removed=removed,
            requested_at=now(),
            erased_at=None,
        )

    def _count(self, *which: sa.ColumnElement[bool]) -> RemovalCount:
        count = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(VersionRow.chunks), 0)).where(*which)
        versions, chunks = self._session.execute(count).one()
        return RemovalCount(versions, int(chunks))

    def _versions_of(self, document_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)

    def note(self, kind: CleanupKind, document_id: str) -> None:
        """Note what is to be done to a document's chunks; whatever was to be done before has been done."""
        self._session.merge(CleanupRow(tenant=self._tenant, document_id=document_id, kind=kind, snapshot=self.snapshot))

    def _end(self, document_id: str) -> None:
        ended = {"valid_to": self.snapshot, "ended_at": now()}
        current = (*self._versions_of(document_id), VersionRow.valid_to == NEVER)
        self._session.execute(sa.update(VersionRow).where(*current).values(ended))
