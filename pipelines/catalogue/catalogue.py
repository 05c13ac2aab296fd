"""What a tenant holds: documents, their versions and texts, and the snapshot that readers see.

A commit is one SQL transaction that raises the tenant's snapshot ``S`` by one; versions are readable at snapshots
``valid_from <= S < valid_to``, the same integers that their chunks carry in the vector store.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, undefer

from pipelines.catalogue.commit import Commit
from pipelines.catalogue.migrate import migrate
from pipelines.catalogue.records import NEVER, Totals, Version, new_document, now, to_document, to_version
from pipelines.catalogue.tables import DELETED, DocumentRow, ErasureRow, TenantRow, VersionRow
from pipelines.errors import DocumentNotFound, InvalidRequest, Problem, StoreUnavailable
from pipelines.types import Document, DocumentPage, Origin

_NUMBERS = range(1, 2**31)

Undo = Callable[[int], None]


class Catalogue:
    """The record of one tenant in a SQL database.

    Thread-safe. Commits of a tenant are serialised by `committing`. Every method raises StoreUnavailable when the
    database does not do its part.

    Args:
        engine: The database.
        tenant: Whose record it is.
        owned: No other process writes to it, so that the snapshot need not be asked for again.
    """

    def __init__(self, engine: sa.Engine, tenant: str, owned: bool) -> None:
        self._engine = engine
        self._tenant = tenant
        self._owned = owned
        self._commit_lock = threading.Lock()
        self._snapshot = 0
        self._unclean = False

    @classmethod
    def open(cls, url: str, tenant: str, owned: bool = False) -> Catalogue:
        """Opens the database of ``url`` (SQLAlchemy's form), making or migrating its tables."""
        engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "connect", _prepare_sqlite)
        try:
            with _explained():
                migrate(engine)
        except StoreUnavailable:
            engine.dispose()
            raise
        return cls(engine, tenant, owned)

    @classmethod
    def in_folder(cls, folder: Path, tenant: str) -> Catalogue:
        """The SQLite catalogue of a data folder that this process holds."""
        return cls.open(f"sqlite:///{folder / 'catalogue.sqlite'}", tenant, owned=True)

    def close(self) -> None:
        """Gives the database connections back."""
        self._engine.dispose()

    @property
    def engine(self) -> sa.Engine:
        """The database, for the neighbours of this class in the catalogue."""
        return self._engine

    @property
    def tenant(self) -> str:
        """The tenant whose record this is."""
        return self._tenant

    def claim(self, embedding: str) -> str:
        """The embedding that the tenant's vectors were made with: ``embedding``, if there are none yet."""
        with self._session() as session, session.begin():
            row = session.get(TenantRow, self._tenant)
            if row is None:
                row = TenantRow(tenant=self._tenant, snapshot=0, embedding=embedding, created_at=now())
                session.add(row)
            mine = sa.select(VersionRow.version).where(VersionRow.tenant == self._tenant).limit(1)
            if session.scalars(mine).first() is None:
                row.embedding = embedding
            self._snapshot = row.snapshot
            return row.embedding

    @property
    def snapshot(self) -> int:
        """The last committed snapshot: what a reader sees who names none."""
        if self._owned:
            return self._snapshot
        with self._session() as session:
            return session.scalars(sa.select(TenantRow.snapshot).where(TenantRow.tenant == self._tenant)).one()

    @contextmanager
    def committing(self, undo: Undo) -> Iterator[Commit]:
        """A commit: what is put in it becomes readable together, when the block ends without an error.

        ``undo(snapshot)`` must take back whatever was written elsewhere for a later snapshot than ``snapshot``. It is
        called when the block or the commit fails, before any other commit can begin, and again before the next one
        where it failed itself or where another process may have died in the middle.
        """
        with self._locked() as (session, tenant):
            before = tenant.snapshot
            if self._unclean or not self._owned:
                undo(before)
            self._unclean = True
            try:
                commit = Commit(session, self._tenant, before + 1)
                yield commit
                tenant.snapshot = commit.snapshot
                session.commit()
            except BaseException:
                undo(before)
                self._unclean = False
                raise
            self._unclean = False
            self._snapshot = commit.snapshot

    def recover(self, undo: Undo) -> None:
        """Calls ``undo`` as `committing` does, while no commit is under way."""
        with self._locked() as (_, tenant):
            undo(tenant.snapshot)

    @contextmanager
    def _locked(self) -> Iterator[tuple[Session, TenantRow]]:
        """The tenant's row, which no other thread and no other process can commit to meanwhile."""
        with self._commit_lock, self._session() as session:
            query = sa.select(TenantRow).where(TenantRow.tenant == self._tenant).with_for_update()
            yield session, session.scalars(query).one()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with _explained(), Session(self._engine, expire_on_commit=False) as session:
            yield session

    def erasures(self) -> list[tuple[str, int]]:
        """Deleted documents whose chunks may still be in the store, with the snapshot that no longer shows them."""
        with self._session() as session:
            query = sa.select(ErasureRow.document_id, ErasureRow.snapshot).where(ErasureRow.tenant == self._tenant)
            return [(document_id, snapshot) for document_id, snapshot in session.execute(query)]

    def erased(self, document_id: str) -> None:
        """Notes that a deleted document's chunks are gone."""
        with self._session() as session, session.begin():
            row = session.get(ErasureRow, (self._tenant, document_id))
            if row is not None:
                session.delete(row)

    def record_failure(self, document_id: str, source: str, media_type: str, origin: Origin, reason: str) -> None:
        """Notes why a document could not be ingested; a version that was readable before stays so."""
        with self._session() as session, session.begin():
            row = session.get(DocumentRow, (self._tenant, document_id))
            if row is None:
                row = new_document(self._tenant, document_id, source, media_type, origin)
                session.add(row)
            row.reason = reason
            row.updated_at = now()
            if row.version == 0:
                row.state = "failed"
                row.source, row.media_type = source, media_type

    def confirm(self, document_id: str, origin: Origin) -> None:
        """Notes that a document was offered as it is: a failed attempt since is forgotten.

        A document that the knowledge folder holds belongs to that folder, whoever brought it first.
        """
        values = {"reason": None} | ({"origin": origin} if origin == "knowledge" else {})
        key = (DocumentRow.tenant == self._tenant, DocumentRow.document_id == document_id)
        with self._session() as session, session.begin():
            session.execute(sa.update(DocumentRow).where(*key).values(values))

    def current_hash(self, document_id: str) -> tuple[int, str] | None:
        """Number and hash of a document's readable version."""
        with self._session() as session:
            query = sa.select(VersionRow.version, VersionRow.sha256).where(
                VersionRow.tenant == self._tenant,
                VersionRow.document_id == document_id,
                VersionRow.valid_to == NEVER,
            )
            row = session.execute(query).first()
            return None if row is None else (row.version, row.sha256)

    def ids_from(self, origin: Origin) -> set[str]:
        """Ids of the documents that came from ``origin``, readable or not."""
        with self._session() as session:
            query = sa.select(DocumentRow.document_id).where(
                DocumentRow.tenant == self._tenant, DocumentRow.origin == origin, DocumentRow.state != DELETED
            )
            return set(session.scalars(query))

    def document(self, document_id: str) -> Document:
        """One document.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        if not _is_unicode(document_id):
            raise DocumentNotFound(document_id.encode(errors="backslashreplace").decode())
        with self._session() as session:
            row = session.execute(self._documents().where(DocumentRow.document_id == document_id)).first()
        if row is None:
            raise DocumentNotFound(document_id)
        return to_document(*row)

    def documents(self, limit: int, cursor: str | None) -> DocumentPage:
        """The documents behind ``cursor`` in the order of their ids.

        Raises:
            InvalidRequest: ``cursor`` is none that was given out.
        """
        if cursor is not None and not _is_unicode(cursor):
            raise InvalidRequest(Problem("cursor", "is none that was given out"))
        query = self._documents().order_by(DocumentRow.document_id).limit(limit + 1)
        if cursor is not None:
            query = query.where(DocumentRow.document_id > cursor)
        with self._session() as session:
            rows = session.execute(query).all()
            mine = (DocumentRow.tenant == self._tenant, DocumentRow.state != DELETED)
            total = session.scalar(sa.select(sa.func.count()).select_from(DocumentRow).where(*mine))
        more = rows[limit - 1][0].document_id if len(rows) > limit else None
        return DocumentPage(tuple(to_document(*row) for row in rows[:limit]), more, total or 0)

    def _documents(self) -> sa.Select[DocumentRow, VersionRow]:
        join = sa.and_(
            VersionRow.tenant == DocumentRow.tenant,
            VersionRow.document_id == DocumentRow.document_id,
            VersionRow.version == DocumentRow.version,
        )
        query = sa.select(DocumentRow, VersionRow).outerjoin(VersionRow, join)
        return query.where(DocumentRow.tenant == self._tenant, DocumentRow.state != DELETED)

    def version(self, document_id: str, version: int | None = None) -> Version:
        """A version with its text: the readable one, or the one of that number.

        Raises:
            DocumentNotFound: There is no such document, or no such version of it.
        """
        if not _is_unicode(document_id) or (version is not None and version not in _NUMBERS):
            raise DocumentNotFound(document_id.encode(errors="backslashreplace").decode(), version)
        wanted = VersionRow.valid_to == NEVER if version is None else VersionRow.version == version
        query = sa.select(VersionRow, DocumentRow).join(DocumentRow).options(undefer(VersionRow.text))
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id, wanted)
        with self._session() as session:
            row = session.execute(query.where(*key)).first()
        if row is None:
            raise DocumentNotFound(document_id, version)
        return to_version(*row)

    def totals(self) -> Totals:
        """How much the tenant holds."""
        mine = VersionRow.tenant == self._tenant
        current = VersionRow.valid_to == NEVER
        with self._session() as session:
            documents, chunks = session.execute(
                sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(VersionRow.chunks), 0)).where(mine, current)
            ).one()
            versions = session.scalar(sa.select(sa.func.count()).select_from(VersionRow).where(mine))
            failed = session.scalar(
                sa.select(sa.func.count())
                .select_from(DocumentRow)
                .where(DocumentRow.tenant == self._tenant, DocumentRow.state == "failed")
            )
        return Totals(documents=documents, failed=failed or 0, chunks=int(chunks), versions=versions or 0)

    def check(self) -> None:
        """Asks the database for a sign of life."""
        with self._session() as session:
            session.execute(sa.text("SELECT 1"))


@contextmanager
def _explained() -> Iterator[None]:
    """Turns what a database driver raises into an error that says so, without the address and the statement."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        detail = str(error.orig) if isinstance(error.orig, sqlite3.Error) else type(error.orig).__name__
        raise StoreUnavailable("the catalogue's database", detail) from error


def _prepare_sqlite(connection: Any, _: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _is_unicode(text: str) -> bool:
    """Whether ``text`` can be stored: half a character, as in a file name that is no UTF-8, cannot."""
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in text)
