"""What a tenant holds: documents, their versions and texts, and the snapshot that readers see.

A commit is one SQL transaction that raises the tenant's snapshot ``S`` by one; versions are readable at snapshots
``valid_from <= S < valid_to``, the same integers that their chunks carry in the vector store.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.commit import Commit
from pipelines.catalogue.database import CONNECTIONS, explained
from pipelines.catalogue.pools import OpenDatabase, open_database
from pipelines.catalogue.purges import purged_rows
from pipelines.catalogue.reading import DocumentReader
from pipelines.catalogue.records import Claim, Cleanup, new_document, now
from pipelines.catalogue.retention import Bounds, TrimResult, trim
from pipelines.catalogue.tables import Base, CleanupRow, DocumentRow, JobRow, PurgeRow, TenantRow, VersionRow
from pipelines.errors import InvalidRequest, Problem, StoreUnavailable
from pipelines.types import Origin

Undo = Callable[[int], None]
_EMPTY_THE_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"


class Catalogue(DocumentReader):
    """The record of one tenant in a SQL database.

    Thread-safe. Commits of a tenant are serialised by `committing`. Every method raises StoreUnavailable when the
    database does not do its part.

    Args:
        database: The database, which the catalogue closes.
        tenant: Whose record it is.
        owned: No other process writes to it, so that the snapshot need not be asked for again.
    """

    def __init__(self, database: OpenDatabase, tenant: str, owned: bool) -> None:
        super().__init__(database.engine, tenant)
        self._database = database
        self._owned = owned
        self._commit_lock = threading.Lock()
        self._snapshot = 0
        self._generation = 0
        self._horizon = 0
        self._unclean = False

    @classmethod
    def open(cls, url: str, tenant: str, owned: bool = False, connections: int = CONNECTIONS) -> Catalogue:
        """Open the database of ``url`` (SQLAlchemy's form), making or migrating its tables.

        The process opens at most so many ``connections`` to a PostgreSQL database, for all tenants in it.
        """
        return cls(open_database(url, connections), tenant, owned)

    @classmethod
    def in_folder(cls, folder: Path, tenant: str) -> Catalogue:
        """Return the SQLite catalogue of a data folder that this process holds."""
        return cls.open(f"sqlite:///{folder / 'catalogue.sqlite'}", tenant, owned=True)

    def close(self) -> None:
        """Give the database connections back."""
        self._database.close()

    @property
    def owned(self) -> bool:
        """Whether no other process writes to it."""
        return self._owned

    def claim(self, embedding: str, section: Mapping[str, Any]) -> Claim:
        """Return what the tenant's vectors were made with: ``embedding``, of that profile section, if there are none
        yet.
        """
        with self._session() as session, session.begin():
            row = session.get(TenantRow, self._tenant)
            fresh = row is None and self._is_first(session, embedding, section)
            row = row or session.get_one(TenantRow, self._tenant)
            mine = sa.select(VersionRow.version).where(VersionRow.tenant == self._tenant).limit(1)
            if row.embedding == embedding or session.scalars(mine).first() is None:
                row.embedding, row.embedding_section = embedding, dict(section)
            self._snapshot, self._generation, self._horizon = row.snapshot, row.generation, row.horizon
            return Claim(row.embedding, row.embedding_section, row.generation, fresh)

    def _is_first(self, session: Session, embedding: str, section: Mapping[str, Any]) -> bool:
        """Add the tenant's row; return whether this process did: several may open a new tenant at the same moment."""
        row = {"tenant": self._tenant, "snapshot": 0, "horizon": 0, "generation": 0, "created_at": now()}
        row |= {"embedding": embedding, "embedding_section": dict(section)}
        added = self._insert(TenantRow).values(row).on_conflict_do_nothing().returning(TenantRow.tenant)
        return session.scalar(added) is not None

    def disclaim(self) -> None:
        """Take back a claim that was fresh."""
        with self._session() as session, session.begin():
            session.execute(sa.delete(TenantRow).where(TenantRow.tenant == self._tenant, TenantRow.snapshot == 0))

    @property
    def last_accepted(self) -> int:
        """The latest moment (nanoseconds since 1970) at which anything was offered, deleted or purged; 0 if none was.

        It lies in the future where the clock has been set back since.
        """
        latest = [
            sa.select(sa.func.max(table.accepted)).where(table.tenant == self._tenant)
            for table in (DocumentRow, PurgeRow, JobRow)
        ]
        with self._session() as session:
            return max(session.scalar(query) or 0 for query in latest)

    @property
    def snapshot(self) -> int:
        """The last committed snapshot: what a reader sees who names none."""
        return self.position[0]

    @property
    def position(self) -> tuple[int, int]:
        """The last committed snapshot, and the generation of the vector store that it is to be read from."""
        if self._owned:
            return self._snapshot, self._generation
        with self._session() as session:
            query = sa.select(TenantRow.snapshot, TenantRow.generation).where(TenantRow.tenant == self._tenant)
            snapshot, generation = session.execute(query).one()
            return snapshot, generation

    @property
    def horizon(self) -> int:
        """The oldest snapshot whose history is whole."""
        if self._owned:
            return self._horizon
        with self._session() as session:
            return session.scalars(sa.select(TenantRow.horizon).where(TenantRow.tenant == self._tenant)).one()

    def check_as_of(self, as_of: int) -> None:
        """Refuse snapshots that can no longer be read.

        Raises:
            InvalidRequest: ``as_of`` is no number, yet to come, or retention no longer keeps it.
        """
        if not isinstance(as_of, int) or isinstance(as_of, bool):
            raise InvalidRequest(Problem("as_of", "must be a whole number, the number of a snapshot"))
        newest = self.snapshot
        if not 0 <= as_of <= newest:
            raise InvalidRequest(Problem("as_of", f"{as_of} is not a snapshot; the newest is {newest}"))
        if as_of < (horizon := self.horizon):
            detail = (
                f"history before snapshot {horizon} was purged, as the profile's retention says; ask for a later one"
            )
            raise InvalidRequest(Problem("as_of", detail))

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
            commit = Commit(session, self._tenant, before + 1, tenant.generation)
            try:
                yield commit
                tenant.snapshot = commit.snapshot
                session.commit()
            except BaseException:
                session.close()
                if not self._stands(before, undo):
                    raise
            self._unclean = False
            self._snapshot = commit.snapshot

    def _stands(self, before: int, undo: Undo) -> bool:
        """Return whether a commit stands although its end was not heard of; undoes it where it does not.

        Where other processes commit too, it is unknown whose commit stands: then it is reported to have
        failed, and it was undone, or stands, all the same.
        """
        with self._row() as (_, tenant):
            stands = tenant.snapshot > before
            if not stands:
                undo(before)
            self._unclean = False
            return stands and self._owned

    @contextmanager
    def paused(self) -> Iterator[int]:
        """The snapshot, while commits are paused."""
        with self._locked() as (_, tenant):
            yield tenant.snapshot

    def recover(self, undo: Undo) -> None:
        """Call ``undo`` as `committing` does, while commits are paused."""
        with self.paused() as snapshot:
            undo(snapshot)

    def flip(self, generation: int, embedding: str, section: Mapping[str, Any], last_look: Undo) -> None:
        """Let readers read from another generation of the vector store, made with another embedding, from now on.

        ``last_look(snapshot)`` is called before, while no commit can begin; what was written for a later snapshot than
        ``snapshot`` was never committed.
        """
        with self._locked() as (session, tenant):
            last_look(tenant.snapshot)
            tenant.generation, tenant.embedding, tenant.embedding_section = generation, embedding, dict(section)
            session.commit()
            self._generation = generation

    def trim(self, bounds: Bounds) -> TrimResult:
        """Take versions beyond ``bounds`` out; their chunks are left to `cleanups`."""
        with self._locked() as (session, tenant):
            trimmed = trim(session, tenant, bounds)
            session.commit()
            self._horizon = trimmed.horizon
            return trimmed

    @contextmanager
    def _locked(self) -> Iterator[tuple[Session, TenantRow]]:
        """The tenant's row, locked against commits of other threads and processes."""
        with self._commit_lock, self._database.place_to_commit(), self._row() as found:
            yield found

    @contextmanager
    def _row(self) -> Iterator[tuple[Session, TenantRow]]:
        with self._session() as session:
            query = sa.select(TenantRow).where(TenantRow.tenant == self._tenant).with_for_update()
            yield session, session.scalars(query).one()

    def vacuum(self) -> None:
        """Give the room of what is gone back to the disk; PostgreSQL does so by itself."""
        if self._engine.dialect.name == "sqlite":
            with self._commit_lock:
                self._run("VACUUM")
                self._run(_EMPTY_THE_LOG)  # it was written there first

    def scrub(self) -> None:
        """Remove deleted rows from the database's files.

        SQLite has overwritten them (``secure_delete``), but its log still holds the pages as they were: it is emptied.
        On PostgreSQL this runs VACUUM; the server's own log is left to its administrator.

        Raises:
            StoreUnavailable: A reader holds on to the log for longer than the database waits.
        """
        if self._engine.dialect.name != "sqlite":
            with self._database.vacuuming:
                self._run("VACUUM " + ", ".join(table.name for table in Base.metadata.sorted_tables))
        elif self._run(_EMPTY_THE_LOG):
            raise StoreUnavailable("the catalogue's database", "its log is in use and could not be truncated")

    def copy_to(self, file: Path) -> None:
        """Copy a SQLite database to ``file``, whole and at one moment, while it is in use."""
        with explained(), self._engine.connect() as connection, closing(sqlite3.connect(file)) as target:
            source: Any = connection.connection.driver_connection
            source.backup(target)

    def _run(self, statement: str) -> bool:
        """Run a statement outside of any transaction; return whether its first value is true."""
        with explained(), self._engine.connect() as connection:
            at_once = connection.execution_options(isolation_level="AUTOCOMMIT")
            result = at_once.exec_driver_sql(statement)
            return result.returns_rows and bool(result.scalar())

    def cleanups(self, document_ids: Sequence[str] | None = None) -> list[Cleanup]:
        """Return what is still to be done to the chunks of these documents, by default of all."""
        mine = sa.select(CleanupRow).where(CleanupRow.tenant == self._tenant)
        with self._session() as session:
            rows = session.scalars(
                mine if document_ids is None else mine.where(CleanupRow.document_id.in_(document_ids))
            )
            return [Cleanup(row.document_id, row.kind, row.snapshot) for row in rows]

    def cleaned(self, cleanup: Cleanup) -> None:
        """Note that a cleanup was done."""
        key = (CleanupRow.tenant == self._tenant, CleanupRow.document_id == cleanup.document_id)
        with self._session() as session, session.begin():
            session.execute(sa.delete(CleanupRow).where(*key, CleanupRow.snapshot == cleanup.snapshot))

    def record_failure(
        self, document_id: str, source: str, media_type: str, origin: Origin, reason: str, *, most: int = 0
    ) -> None:
        """Note why a document could not be ingested; a version that was readable before stays so.

        Where ``most`` documents have failed, further new ones are not noted; 0: there is no such limit.
        """
        with self._session() as session, session.begin():
            row = session.get(DocumentRow, (self._tenant, document_id))
            if row is None:
                if most and self._count_failed(session) >= most:
                    return
                purged = purged_rows(session, self._tenant, [document_id]).get(document_id)
                row = self._added(
                    session, purged or new_document(self._tenant, document_id, source, media_type, origin)
                )
            row.reason = reason
            row.updated_at = now()
            if row.version == 0:
                row.state = "failed"
                row.source, row.media_type, row.origin = source, media_type, origin

    def _count_failed(self, session: Session) -> int:
        failed = sa.select(sa.func.count()).where(DocumentRow.tenant == self._tenant, DocumentRow.state == "failed")
        return session.scalar(failed) or 0

    def _added(self, session: Session, new: DocumentRow) -> DocumentRow:
        """Insert a document, unless another attempt at it was quicker, and return its row."""
        columns = sa.inspect(DocumentRow).columns
        values = {name: value for name, value in vars(new).items() if name in columns}
        session.execute(self._insert(DocumentRow).values(values).on_conflict_do_nothing())
        return session.get_one(DocumentRow, (self._tenant, new.document_id), populate_existing=True)

    def note_reader(self, document_id: str, version: int, reader: int | None) -> None:
        """Note that this reader gives a version the text that it has."""
        key = (VersionRow.tenant == self._tenant, VersionRow.document_id == document_id, VersionRow.version == version)
        with self._session() as session, session.begin():
            session.execute(sa.update(VersionRow).where(*key).values(reader=reader))

    def confirm(self, document_id: str, version: int, origin: Origin, accepted: int) -> bool:
        """Note that a document was offered as it is, and return whether ``version`` still is how it is.

        A failed attempt since is forgotten, an earlier offer overtaken. A document that the knowledge folder holds
        belongs to that folder, also if it was posted first.
        """
        later = sa.case((DocumentRow.accepted > accepted, DocumentRow.accepted), else_=accepted)
        values = {"reason": None, "accepted": later} | ({"origin": origin} if origin == "knowledge" else {})
        key = (DocumentRow.tenant == self._tenant, DocumentRow.document_id == document_id)
        same = sa.update(DocumentRow).where(*key, DocumentRow.version == version).values(values)
        with self._session() as session, session.begin():
            return session.scalar(same.returning(DocumentRow.version)) is not None
