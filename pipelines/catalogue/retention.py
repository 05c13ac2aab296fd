"""Which old versions a tenant keeps, and taking away those that it does not."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.records import NEVER, now
from pipelines.catalogue.tables import CleanupRow, OriginalRow, PictureRow, TenantRow, VersionRow


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much history is kept: versions of a document, the current one too, and days since a version ended."""

    versions: int | None
    days: float | None


@dataclass(frozen=True, slots=True)
class TrimResult:
    """What went of the catalogue, and the snapshot from which history is whole."""

    versions: int
    horizon: int


def trim(session: Session, tenant: TenantRow, bounds: Bounds) -> TrimResult:
    """Take versions beyond ``bounds`` out, and note their chunks as cleanups; the caller commits.

    Of a document always the oldest versions go, so that what is left is readable from the horizon on without gaps.
    """
    last = _beyond(session, tenant.tenant, bounds)
    gone = 0
    for document_id, ends in last.items():
        key = (VersionRow.tenant == tenant.tenant, VersionRow.document_id == document_id, VersionRow.valid_to <= ends)
        gone += len(session.scalars(sa.delete(VersionRow).where(*key).returning(VersionRow.version)).all())
        _drop_files(session, tenant.tenant, document_id)
        session.merge(CleanupRow(tenant=tenant.tenant, document_id=document_id, kind="trim", snapshot=ends))
    tenant.horizon = max([tenant.horizon, *last.values()])
    return TrimResult(gone, tenant.horizon)


def _drop_files(session: Session, tenant: str, document_id: str) -> None:
    """Drop the files that no version is left of."""
    left = sa.select(VersionRow.sha256).where(VersionRow.tenant == tenant, VersionRow.document_id == document_id)
    for table in (OriginalRow, PictureRow):
        mine = (table.tenant == tenant, table.document_id == document_id)
        session.execute(sa.delete(table).where(*mine, table.sha256.not_in(left)))


def _beyond(session: Session, tenant: str, bounds: Bounds) -> dict[str, int]:
    """By document, when the newest version ended that may go; a document with a cleanup to come waits for its turn."""
    oldest = None if bounds.days is None else now() - timedelta(days=bounds.days)
    busy = sa.select(CleanupRow.document_id).where(CleanupRow.tenant == tenant)
    query = sa.select(VersionRow.document_id, VersionRow.valid_to, VersionRow.ended_at).where(
        VersionRow.tenant == tenant,
        VersionRow.document_id.not_in(busy),
        VersionRow.valid_from < VersionRow.valid_to,  # what was overtaken goes with the readable version after it
    )
    kept: dict[str, int] = defaultdict(int)
    last: dict[str, int] = {}
    for document_id, valid_to, ended_at in session.execute(query.order_by(VersionRow.valid_to.desc())):
        if document_id not in kept and valid_to < NEVER:
            kept[document_id] = 1  # it was deleted, which counts as its newest version
        kept[document_id] += 1
        too_many = bounds.versions is not None and kept[document_id] > bounds.versions
        too_old = oldest is not None and ended_at is not None and ended_at < oldest
        if valid_to < NEVER and (too_many or too_old):
            last[document_id] = max(last.get(document_id, 0), valid_to)
    return last
