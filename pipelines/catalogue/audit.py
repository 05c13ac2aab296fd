"""The audit log of a tenant: entries are added and read, never changed; old ones are removed as the profile says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import AuditRow
from pipelines.errors import InvalidRequest, Problem
from pipelines.types import AuditEntry, AuditPage

_DAY = timedelta(days=1)
_MOST_TARGETS = 20
_MOST_TARGET_CHARS = 500
_MOST_ADDRESS_CHARS = 64


class AuditLog(Database):
    """Who did what to a tenant; every method raises StoreUnavailable when the database does not do its part.

    Args:
        engine: The database.
        tenant: Whose log it is.
        keep: How long entries are kept; None: for ever.
    """

    def __init__(self, engine: sa.Engine, tenant: str, keep: timedelta | None = None) -> None:
        super().__init__(engine, tenant)
        self._keep = keep
        self._expired_until = datetime.min.replace(tzinfo=UTC)

    def add(
        self,
        action: str,
        targets: Sequence[str],
        result: str,
        *,
        key: str = "",
        address: str = "",
        request_id: str = "",
    ) -> None:
        """Add an entry; see `AuditEntry`. Of many targets the first are named, and the others counted."""
        row = AuditRow(tenant=self._tenant, at=now(), key_name=key, action=action)
        row.address = address[:_MOST_ADDRESS_CHARS]  # a proxy may forward what it likes
        row.target = _described(targets)
        row.result, row.request_id = result, request_id
        with self._session() as session, session.begin():
            session.add(row)
            self._expire(session)

    def list(
        self, limit: int = 100, cursor: str | None = None, *, key: str | None = None, action: str | None = None
    ) -> AuditPage:
        """Return some of the entries, the newest first; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``cursor`` was not issued here.
        """
        query = sa.select(AuditRow).where(AuditRow.tenant == self._tenant).order_by(AuditRow.number.desc())
        if self._keep is not None:
            query = query.where(AuditRow.at >= now() - self._keep)
        if cursor is not None:
            query = query.where(AuditRow.number < _number(cursor))
        if key is not None:
            query = query.where(AuditRow.key_name == key)
        if action is not None:
            query = query.where(AuditRow.action == action)
        with self._session() as session:
            rows = session.scalars(query.limit(limit + 1)).all()
        shown = rows[:limit]
        return AuditPage(tuple(map(_entry, shown)), str(shown[-1].number) if len(rows) > limit else None)

    def _expire(self, session: Session) -> None:
        """Remove what is too old, once a day."""
        if self._keep is None or now() < self._expired_until:
            return
        too_old = (AuditRow.tenant == self._tenant, AuditRow.at < now() - self._keep)
        session.execute(sa.delete(AuditRow).where(*too_old))
        self._expired_until = now() + _DAY


def _described(targets: Sequence[str]) -> str:
    named = ", ".join(_named(target[:_MOST_TARGET_CHARS]) for target in targets[:_MOST_TARGETS])
    more = f", and {len(targets) - _MOST_TARGETS:,} more" if len(targets) > _MOST_TARGETS else ""
    return (named + more).replace("\0", " ").encode(errors="replace").decode()


def _named(target: str) -> str:
    """Return a target as the list names it: in quotes where it could be taken for several, or for none."""
    return json.dumps(target, ensure_ascii=False) if not target or "," in target or '"' in target else target


def _number(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < len(str(2**63))):
        raise InvalidRequest(Problem("cursor", "is not a cursor issued by this API; take next_cursor of the last page"))
    return int(cursor)


def _entry(row: AuditRow) -> AuditEntry:
    return AuditEntry(row.number, row.at, row.key_name, row.address, row.action, row.target, row.result, row.request_id)
