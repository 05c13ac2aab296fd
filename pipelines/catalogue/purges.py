"""The ledger of purges: what was taken away of which document, and whether its bytes still stand somewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database, parts
from pipelines.catalogue.records import new_document, now
from pipelines.catalogue.tables import DELETED, CleanupRow, DocumentRow, PurgeRow, TenantRow
from pipelines.types import Deletion, PurgeReceipt


class PurgeRecords(Database):
    """One tenant's purges, by the ids of the documents; the ledger holds only hashes of them."""

    def receipt(self, document_id: str) -> Deletion | None:
        """Return the receipt of a document's last purge; None if it was never purged."""
        with self._session() as session:
            row = session.get(PurgeRow, (self._tenant, purge_key(document_id)))
            return None if row is None else _deletion(row, document_id)

    def pending(self) -> list[bytes]:
        """Return keys of the purges that are not finished, except those whose chunks are still to be removed."""
        query = sa.select(PurgeRow.key).where(PurgeRow.tenant == self._tenant, PurgeRow.state == "erasing")
        waiting = sa.select(CleanupRow.document_id).where(CleanupRow.tenant == self._tenant, CleanupRow.kind == "erase")
        with self._session() as session:
            busy = {purge_key(document_id) for document_id in session.scalars(waiting)}
            return [key for key in session.scalars(query) if key not in busy]

    def finish(self, keys: Sequence[bytes]) -> None:
        """Record that no file holds the documents of these purges any more."""
        with self._session() as session, session.begin():
            mine = (PurgeRow.tenant == self._tenant, PurgeRow.key.in_(keys))
            session.execute(sa.update(PurgeRow).where(*mine).values(state="erased", erased_at=now()))


def purge_key(document_id: str) -> bytes:
    """Return what a purge is found by: the SHA-256 of the document's id."""
    return hashlib.sha256(document_id.encode()).digest()


def hold_off_purges(session: Session, tenant: str) -> None:
    """Let purges wait for the rest of the session's transaction, which sees what earlier ones took away.

    A purge locks the tenant's row before all others: who changes rows that it takes away must call this first, or the
    two may wait for each other.
    """
    session.execute(sa.select(TenantRow.snapshot).where(TenantRow.tenant == tenant).with_for_update(read=True))


def find_purged(session: Session, tenant: str, document_ids: Collection[str]) -> set[str]:
    """Return those of the documents that were purged and did not come back; see `hold_off_purges`."""
    if not document_ids:
        return set()
    hold_off_purges(session, tenant)
    purged = set(purged_rows(session, tenant, document_ids))
    alive = sa.select(DocumentRow.document_id).where(DocumentRow.tenant == tenant, DocumentRow.version > 0)
    found = (session.scalars(alive.where(DocumentRow.document_id.in_(part))) for part in parts(purged))
    return purged.difference(*found)


def purged_rows(session: Session, tenant: str, document_ids: Collection[str]) -> dict[str, DocumentRow]:
    """Return the documents that were purged, as they would stand had they only been deleted; the rows are not
    stored.
    """
    keys = {purge_key(document_id): document_id for document_id in document_ids}
    mine = sa.select(PurgeRow).where(PurgeRow.tenant == tenant)
    found = (session.scalars(mine.where(PurgeRow.key.in_(part))) for part in parts(keys))
    return {keys[bytes(row.key)]: _deleted_row(row, keys[bytes(row.key)]) for rows in found for row in rows}


def _deleted_row(purge: PurgeRow, document_id: str) -> DocumentRow:
    row = new_document(purge.tenant, document_id, "", "", "given")
    row.state, row.last_version, row.accepted = DELETED, purge.last_version, purge.accepted
    return row


def _deletion(row: PurgeRow, document_id: str) -> Deletion:
    removed = row.removed
    return Deletion(
        document_id=document_id,
        versions_removed=removed["versions"],
        chunks_removed=removed["chunks"],
        cache_entries_removed=removed["embeddings"] + removed["extracts"] + removed["cached_answers"],
        versions_left=0,
        chunks_left=0,
        snapshot=row.snapshot,
        turns_erased=removed["turns"],
        comments_erased=removed["comments"],
        purge=PurgeReceipt(row.state, row.requested_at, row.erased_at, removed),
    )
