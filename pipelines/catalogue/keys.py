"""A tenant's keys in SQL, each with the SHA-256 of its secret."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import cast

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database, explained, sqlite_engine
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import KeyRow
from pipelines.errors import KeyExpired, KeyNameTaken, KeyNotFound
from pipelines.types import AccessKey, KeyDigest
from pipelines.types.roles import Role


class KeyRecords(Database):
    """The keys that were made for a tenant; revoked ones stay, so that their names are never given again.

    Every method raises StoreUnavailable when the database does not do its part.
    """

    def create(
        self, name: str, role: Role, scope: Mapping[str, str], expires_at: datetime | None, sha256: bytes
    ) -> AccessKey:
        """Add a key.

        Raises:
            KeyNameTaken: There is, or was, a key with this name.
        """
        row = KeyRow(tenant=self._tenant, name=name, role=role, scope=dict(scope), sha256=sha256)
        row.created_at, row.expires_at = now(), expires_at
        with self._session() as session:
            try:
                with session.begin():
                    session.add(row)
            except sa.exc.IntegrityError:
                raise KeyNameTaken(name) from None
        return _key(row)

    def list(self) -> tuple[AccessKey, ...]:
        """Return all keys, the oldest first; also those that were revoked or have expired."""
        with self._session() as session:
            return tuple(map(_key, session.scalars(self._all())))

    def revoke(self, name: str) -> AccessKey:
        """Revoke a key for good.

        Raises:
            KeyNotFound: No such name, or it is revoked.
        """
        with self._session() as session, session.begin():
            row = self._row(session, name)
            row.revoked_at = now()
        return _key(row)

    def rotate(self, name: str, sha256: bytes, grace: timedelta) -> AccessKey:
        """Give a key another secret; the present one counts for ``grace`` longer.

        Raises:
            KeyNotFound: No such name, or it is revoked.
            KeyExpired: It has expired.
        """
        with self._session() as session, session.begin():
            row = self._row(session, name)
            if row.expires_at is not None and row.expires_at <= now():
                raise KeyExpired(name, row.expires_at)
            row.previous_sha256, row.previous_until = row.sha256, now() + grace
            row.sha256 = sha256
        return _key(row)

    def digests(self) -> tuple[KeyDigest, ...]:
        """Return what presented secrets are compared with, also those of keys that were revoked or have expired."""
        with self._session() as session:
            return tuple(digest for row in session.scalars(self._all()) for digest in _digests(row))

    def revoke_as_in(self, others: KeyRecords) -> None:
        """Revoke those of these keys that are revoked in other records, where a key of the same name may be another."""
        revoked = [key for key in others.list() if key.revoked_at is not None]
        with self._session() as session, session.begin():
            for key in revoked:
                same = (KeyRow.tenant == self._tenant, KeyRow.name == key.name, KeyRow.created_at == key.created_at)
                valid = sa.update(KeyRow).where(*same, KeyRow.revoked_at.is_(None))
                session.execute(valid.values(revoked_at=key.revoked_at))

    def use(self, last: Mapping[str, datetime]) -> None:
        """Note when keys were last used, unless another process has noted a later use."""
        with self._session() as session, session.begin():
            for name, moment in sorted(last.items()):
                mine = (KeyRow.tenant == self._tenant, KeyRow.name == name)
                is_news = sa.or_(KeyRow.last_used_at.is_(None), KeyRow.last_used_at < moment)
                session.execute(sa.update(KeyRow).where(*mine, is_news).values(last_used_at=moment))

    def _all(self) -> sa.Select[KeyRow]:
        return sa.select(KeyRow).where(KeyRow.tenant == self._tenant).order_by(KeyRow.created_at, KeyRow.name)

    def _row(self, session: Session, name: str) -> KeyRow:
        row = session.get(KeyRow, (self._tenant, name), with_for_update=True)
        if row is None or row.revoked_at is not None:
            raise KeyNotFound(name)
        return row


def has_stored_keys(url: str, tenant: str) -> bool:
    """Return whether a database holds keys of a tenant; it is neither made nor migrated.

    Raises:
        StoreUnavailable: It does not answer.
    """
    engine = sa.create_engine(url)
    try:
        with explained(), engine.connect() as connection:
            if not sa.inspect(connection).has_table(KeyRow.__tablename__):
                return False
            mine = sa.select(KeyRow.name).where(KeyRow.tenant == tenant).limit(1)
            return connection.scalar(mine) is not None
    finally:
        engine.dispose()


def stored_digests(url: str, tenant: str) -> tuple[KeyDigest, ...]:
    """Return what secrets presented to a tenant are compared with, as `KeyRecords.digests`, without opening it.

    Raises:
        StoreUnavailable: The database does not answer, is damaged, or has another release's tables.
    """
    engine = sqlite_engine(url) if url.startswith("sqlite") else sa.create_engine(url)
    try:
        return KeyRecords(engine, tenant).digests()
    finally:
        engine.dispose()


def _key(row: KeyRow) -> AccessKey:
    role = cast("Role", row.role)
    return AccessKey(row.name, role, row.scope, row.created_at, row.expires_at, row.revoked_at, row.last_used_at)


def _digests(row: KeyRow) -> list[KeyDigest]:
    key = _key(row)
    ends = [end for end in (row.expires_at, row.revoked_at) if end is not None]
    found = [KeyDigest(key, bytes(row.sha256), min(ends, default=None))]
    if row.previous_sha256 is not None and row.previous_until is not None:
        found.append(KeyDigest(key, bytes(row.previous_sha256), min([*ends, row.previous_until])))
    return found
