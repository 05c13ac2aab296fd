"""What is recorded of the files of a tenant's knowledge folder, so that only what changed is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pipelines.catalogue.database import Database, parts
from pipelines.catalogue.purges import purged_among
from pipelines.catalogue.tables import DELETED, DocumentRow, FileRow


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells that a file changed without reading it: its bytes, its time (nanoseconds since 1970) and its inode."""

    size: int
    modified_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was when it was last brought in.

    Attributes:
        path: Relative to the folder, with slashes: the id of its document.
        stamp: What it looked like.
        sha256: Of its bytes; where it was refused, of the rules that refused it.
        settled: Whether an equal stamp proves that the file has not changed since.
    """

    path: str
    stamp: Stamp
    sha256: str
    settled: bool


@dataclass(frozen=True, slots=True)
class FolderDocument:
    """A document that came from the folder: its readable version (0: none), and why the last attempt at it failed."""

    version: int
    reason: str | None


class FileRecords(Database):
    """The records of one tenant's files. Thread-safe; every method raises StoreUnavailable as its neighbours do.

    A record also says which content of a file a document was given or deleted over: see `overruled`.
    """

    def all(self) -> dict[str, FileRecord]:
        """Every record, by path."""
        columns = (FileRow.path, FileRow.size, FileRow.modified_ns, FileRow.inode, FileRow.sha256, FileRow.settled)
        with self._session() as session:
            rows = session.execute(sa.select(*columns).where(FileRow.tenant == self._tenant))
            return {
                path: FileRecord(path, Stamp(size, modified_ns, inode), sha256, settled)
                for path, size, modified_ns, inode, sha256, settled in rows
            }

    def documents(self) -> dict[str, FolderDocument]:
        """The documents that came from the folder, by id, also those that are not readable."""
        query = sa.select(DocumentRow.document_id, DocumentRow.version, DocumentRow.reason).where(
            DocumentRow.tenant == self._tenant, DocumentRow.origin == "knowledge", DocumentRow.state != DELETED
        )
        with self._session() as session:
            return {name: FolderDocument(version, reason) for name, version, reason in session.execute(query)}

    def overruled(self) -> dict[str, int]:
        """Documents that were given or deleted by other means than the folder: readable version by id (0: none)."""
        others = sa.or_(
            DocumentRow.state == DELETED, sa.and_(DocumentRow.origin != "knowledge", DocumentRow.version > 0)
        )
        query = sa.select(DocumentRow.document_id, DocumentRow.version).where(
            DocumentRow.tenant == self._tenant, others
        )
        with self._session() as session:
            paths = session.scalars(sa.select(FileRow.path).where(FileRow.tenant == self._tenant)).all()
            purged = dict.fromkeys(purged_among(session, self._tenant, paths), 0)
            return purged | {row.document_id: row.version for row in session.execute(query)}

    def put(self, records: Iterable[FileRecord]) -> None:
        """Keeps ``records`` in place of those of the same paths."""
        rows = [self._row(record) for record in records]
        if not rows:
            return
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(FileRow)
        keys = ("tenant", "path")
        values = {name: insert.excluded[name] for name in rows[0] if name not in keys}
        with self._session() as session, session.begin():
            session.connection().execute(insert.on_conflict_do_update(index_elements=keys, set_=values), rows)

    def unsettle(self, paths: Sequence[str]) -> None:
        """Notes that these files must be read again, whatever they look like."""
        with self._session() as session, session.begin():
            for among in self._among(paths):
                session.execute(sa.update(FileRow).where(among).values(settled=False))

    def remove(self, paths: Sequence[str]) -> None:
        """Forgets these files."""
        with self._session() as session, session.begin():
            for among in self._among(paths):
                session.execute(sa.delete(FileRow).where(among))

    def _row(self, record: FileRecord) -> dict[str, object]:
        return {
            "tenant": self._tenant,
            "path": record.path,
            "size": record.stamp.size,
            "modified_ns": record.stamp.modified_ns,
            "inode": record.stamp.inode,
            "sha256": record.sha256,
            "settled": record.settled,
        }

    def _among(self, paths: Sequence[str]) -> Iterator[sa.ColumnElement[bool]]:
        for part in parts(paths):
            yield sa.and_(FileRow.tenant == self._tenant, FileRow.path.in_(part))
