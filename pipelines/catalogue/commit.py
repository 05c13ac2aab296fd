"""A commit under way: the changes that become readable together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.reading import readable_metadata_of
from pipelines.catalogue.records import NEVER, CleanupKind, Current, NewVersion, new_document, now, version_row
from pipelines.catalogue.tables import DELETED, CleanupRow, DocumentRow, VersionRow
from pipelines.errors import DocumentNotFound
from pipelines.types import Metadata


class Commit:
    """Changes that become readable together, at ``snapshot``, in the vector store of ``generation``."""

    def __init__(self, session: Session, tenant: str, snapshot: int, generation: int) -> None:
        self._session = session
        self._tenant = tenant
        self._rows: dict[str, DocumentRow] = {}
        self.snapshot = snapshot
        self.generation = generation

    def look_up(self, document_ids: Sequence[str]) -> dict[str, Current]:
        """The readable version of each of these documents that has one.

        It also loads what `put` needs to know of them, in one query for all.
        """
        mine = (DocumentRow.tenant == self._tenant, DocumentRow.document_id.in_(document_ids))
        self._rows |= {row.document_id: row for row in self._session.scalars(sa.select(DocumentRow).where(*mine))}
        query = sa.select(VersionRow.document_id, VersionRow.version, VersionRow.sha256, VersionRow.pipeline).where(
            VersionRow.tenant == self._tenant,
            VersionRow.document_id.in_(document_ids),
            VersionRow.valid_to == NEVER,
        )
        return {row.document_id: Current(*row[1:]) for row in self._session.execute(query)}

    def metadata_of(self, document_ids: Sequence[str]) -> dict[str, Metadata]:
        """The metadata of the readable version of each of these documents that has one."""
        return readable_metadata_of(self._session, self._tenant, document_ids) if document_ids else {}

    def overtaken(self, new: NewVersion) -> bool:
        """Whether something later than ``new`` was done to its document, which was looked up before."""
        row = self._rows.get(new.document_id)
        return row is not None and row.accepted > new.accepted

    def put(self, new: NewVersion) -> int:
        """Makes ``new`` its document's readable version, and gives its number; the document was looked up before."""
        row = self._rows.get(new.document_id)
        if row is None:
            row = new_document(self._tenant, new.document_id, new.source, new.media_type, new.origin)
            self._session.add(row)
            self._rows[new.document_id] = row
        elif row.version:
            self._end(new.document_id)
        row.title, row.source, row.media_type, row.origin = new.title, new.source, new.media_type, new.origin
        row.state, row.reason, row.updated_at = "ready", None, now()
        row.accepted = max(row.accepted, new.accepted)
        row.version = row.last_version = row.last_version + 1
        self._session.add(version_row(self._tenant, row.version, self.snapshot, NEVER, new))
        return row.version

    def confirm(self, new: NewVersion) -> None:
        """Notes that ``new`` is readable already; see `Catalogue.confirm`."""
        row = self._rows[new.document_id]
        row.reason, row.accepted = None, max(row.accepted, new.accepted)
        if new.origin == "knowledge":
            row.origin = new.origin

    def origin(self, document_id: str) -> str | None:
        """Where a readable document came from; None if there is none of this id. It is looked up."""
        readable = self.look_up([document_id])
        return self._rows[document_id].origin if readable else None

    def put_overtaken(self, new: NewVersion) -> int:
        """Keeps ``new`` as a version that nobody ever sees, and gives the number of the readable one (0: none).

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

    def drop(self, document_id: str, accepted: int, purge: bool) -> tuple[int, int]:
        """Takes a document out; gives how many versions and chunks went.

        Its readable version goes, and with ``purge`` its history too. What is to be done to its chunks is noted as a
        cleanup, so that a crash before that does not leave them.

        Raises:
            DocumentNotFound: There is none of this id, nor with ``purge`` any history of one.
        """
        row = self._session.get(DocumentRow, (self._tenant, document_id))
        if row is None or (row.state == DELETED and not purge):
            raise DocumentNotFound(document_id)
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)
        going = key if purge else (*key, VersionRow.valid_to == NEVER)
        count = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(VersionRow.chunks), 0)).where(*going)
        versions, chunks = self._session.execute(count).one()
        if row.state == DELETED and not versions:
            raise DocumentNotFound(document_id)
        if purge:
            self._session.execute(sa.delete(VersionRow).where(*key))
        else:
            self._end(document_id)
        row.state, row.reason, row.version, row.updated_at = DELETED, None, 0, now()
        row.accepted = max(row.accepted, accepted)
        self.note("erase" if purge else "retire", document_id)
        return versions, int(chunks)

    def note(self, kind: CleanupKind, document_id: str) -> None:
        """Notes what is to be done to a document's chunks; whatever was to be done before has been done."""
        self._session.merge(CleanupRow(tenant=self._tenant, document_id=document_id, kind=kind, snapshot=self.snapshot))

    def _end(self, document_id: str) -> None:
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)
        ended = {"valid_to": self.snapshot, "ended_at": now()}
        self._session.execute(sa.update(VersionRow).where(*key, VersionRow.valid_to == NEVER).values(ended))
