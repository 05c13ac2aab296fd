"""A commit under way: the changes that become readable together."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.records import NEVER, NewVersion, new_document, now, version_row
from pipelines.catalogue.tables import DELETED, DocumentRow, ErasureRow, VersionRow
from pipelines.errors import DocumentNotFound


class Commit:
    """Changes that become readable together, at ``snapshot``."""

    def __init__(self, session: Session, tenant: str, snapshot: int) -> None:
        self._session = session
        self._tenant = tenant
        self._rows: dict[str, DocumentRow] = {}
        self.snapshot = snapshot

    def look_up(self, document_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Number and hash of the readable version of each of these documents that has one.

        It also loads what `put` needs to know of them, in one query for all.
        """
        mine = (DocumentRow.tenant == self._tenant, DocumentRow.document_id.in_(document_ids))
        self._rows |= {row.document_id: row for row in self._session.scalars(sa.select(DocumentRow).where(*mine))}
        query = sa.select(VersionRow.document_id, VersionRow.version, VersionRow.sha256).where(
            VersionRow.tenant == self._tenant,
            VersionRow.document_id.in_(document_ids),
            VersionRow.valid_to == NEVER,
        )
        return {row.document_id: (row.version, row.sha256) for row in self._session.execute(query)}

    def put(self, new: NewVersion) -> int:
        """Makes ``new`` its document's readable version, and gives its number; the document was looked up before."""
        row = self._rows.get(new.document_id)
        if row is None:
            row = new_document(self._tenant, new.document_id, new.source, new.media_type, new.origin)
            self._session.add(row)
        elif row.version:
            self._retire(new.document_id)
        number = row.last_version + 1
        row.title, row.source, row.media_type, row.origin = new.title, new.source, new.media_type, new.origin
        row.state, row.reason, row.updated_at = "ready", None, now()
        row.version = row.last_version = number
        self._session.add(version_row(self._tenant, number, self.snapshot, new))
        return number

    def drop(self, document_id: str) -> int:
        """Takes a document and all its versions out; gives how many versions that were.

        Its chunks are noted as `Catalogue.erasures`, so that a crash before they are removed does not leave them.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        row = self._session.get(DocumentRow, (self._tenant, document_id))
        if row is None or row.state == DELETED:
            raise DocumentNotFound(document_id)
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)
        versions = self._session.scalar(sa.select(sa.func.count()).select_from(VersionRow).where(*key))
        self._session.execute(sa.delete(VersionRow).where(*key))
        row.state, row.reason, row.version, row.updated_at = DELETED, None, 0, now()
        self._session.merge(ErasureRow(tenant=self._tenant, document_id=document_id, snapshot=self.snapshot))
        return versions or 0

    def _retire(self, document_id: str) -> None:
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id)
        self._session.execute(
            sa.update(VersionRow).where(*key, VersionRow.valid_to == NEVER).values(valid_to=self.snapshot)
        )
