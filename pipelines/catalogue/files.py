"""What is recorded of the files of a tenant's knowledge folder, so that only what changed is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database, parts
from pipelines.catalogue.purges import find_purged
from pipelines.catalogue.tables import DELETED, DocumentRow, FileRow, VersionRow


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells that a file changed without reading it: its bytes, its time (nanoseconds since 1970) and its inode."""

    size: int
    modified_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was when it was last ingested.

    Attributes:
        path: Relative to the folder, with slashes.
        stamp: What it looked like.
        sha256: Of its bytes; where it was refused, of the rules that refused it.
        settled: Whether an equal stamp proves that the file has not changed since.
        document_id: The document that it became, where that is not named by the path.
    """

    path: str
    stamp: Stamp
    sha256: str
    settled: bool
    document_id: str | None = None

    @property
    def document(self) -> str:
        """The id of its document."""
        return self.document_id or self.path


@dataclass(frozen=True, slots=True)
class FolderDocument:
    """A document that came from the folder: its readable version (0: none), and why the last attempt at it failed."""

    document_id: str
    version: int
    reason: str | None


class FileRecords(Database):
    """The records of one tenant's files. Thread-safe; every method raises StoreUnavailable as its neighbours do.

    A record also says which content of a file a document was given or deleted over: see `overruled`.
    """

    def all(self) -> dict[str, FileRecord]:
        """Return every record, by path."""
        with self._session() as session:
            rows = session.scalars(sa.select(FileRow).where(FileRow.tenant == self._tenant))
            return {
                row.path: FileRecord(
                    row.path, Stamp(row.size, row.modified_ns, row.inode), row.sha256, row.settled, row.document_id
                )
                for row in rows
            }

    def documents(self) -> dict[str, FolderDocument]:
        """Return the documents that came from the folder, by the path of their file, also those that are not
        readable.
        """
        columns = (DocumentRow.document_id, DocumentRow.source, DocumentRow.version, DocumentRow.reason)
        query = sa.select(*columns).where(
            DocumentRow.tenant == self._tenant, DocumentRow.origin == "knowledge", DocumentRow.state != DELETED
        )
        with self._session() as session:
            paths = {document_id: path for path, document_id in self._recorded(session)}
            return {
                paths.get(name, source): FolderDocument(name, version, reason)
                for name, source, version, reason in session.execute(query)
            }

    def document_ids(self) -> set[str]:
        """Return the ids of all files' documents, whatever became of these."""
        with self._session() as session:
            return {document_id for _, document_id in self._recorded(session)}

    def read_by(self, readers: Collection[tuple[str, int | None]]) -> list[str]:
        """Return the files whose documents were read so: by media type, by the reader of that number.

        Left out are those whose last attempt failed: they are tried again when the rules change.
        """
        how = (
            sa.and_(VersionRow.media_type == media_type, VersionRow.reader.is_not_distinct_from(reader))
            for media_type, reader in readers
        )
        current = sa.and_(
            VersionRow.tenant == DocumentRow.tenant,
            VersionRow.document_id == DocumentRow.document_id,
            VersionRow.version == DocumentRow.version,
        )
        query = (
            sa.select(DocumentRow.document_id)
            .join(VersionRow, current)
            .where(DocumentRow.tenant == self._tenant, DocumentRow.origin == "knowledge", DocumentRow.reason.is_(None))
            .where(sa.or_(sa.false(), *how))
        )
        with self._session() as session:
            found = set(session.scalars(query))
            return [path for path, document_id in self._recorded(session) if document_id in found]

    def overruled(self) -> dict[str, int]:
        """Return files whose documents were given or deleted by other means: the readable version by path (0: none)."""
        others = sa.or_(
            DocumentRow.state == DELETED, sa.and_(DocumentRow.origin != "knowledge", DocumentRow.version > 0)
        )
        query = sa.select(DocumentRow.document_id, DocumentRow.version).where(
            DocumentRow.tenant == self._tenant, others
        )
        with self._session() as session:
            recorded = self._recorded(session)
            purged = dict.fromkeys(find_purged(session, self._tenant, [name for _, name in recorded]), 0)
            for name in self._live_among(session, list(purged)):  # its file changed, and could not be read
                del purged[name]
            versions = purged | {row.document_id: row.version for row in session.execute(query)}
        return {path: versions[name] for path, name in recorded if name in versions}

    def _live_among(self, session: Session, document_ids: Sequence[str]) -> Iterator[str]:
        for among in parts(document_ids):
            query = sa.select(DocumentRow.document_id).where(
                DocumentRow.tenant == self._tenant, DocumentRow.state != DELETED, DocumentRow.document_id.in_(among)
            )
            yield from session.scalars(query)

    def _recorded(self, session: Session) -> list[tuple[str, str]]:
        """Return the path and the document of every file."""
        document_id = sa.func.coalesce(FileRow.document_id, FileRow.path)
        query = sa.select(FileRow.path, document_id).where(FileRow.tenant == self._tenant)
        return [(row[0], row[1]) for row in session.execute(query)]

    def put(self, records: Iterable[FileRecord]) -> None:
        """Keep ``records`` in place of those of the same paths."""
        rows = [self._row(record) for record in records]
        if not rows:
            return
        insert = self._insert(FileRow)
        keys = ("tenant", "path")
        values = {name: insert.excluded[name] for name in rows[0] if name not in keys}
        with self._session() as session, session.begin():
            session.connection().execute(insert.on_conflict_do_update(index_elements=keys, set_=values), rows)

    def unsettle(self, paths: Sequence[str]) -> None:
        """Note that these files must be read again, whatever they look like."""
        with self._session() as session, session.begin():
            for among in self._among(paths):
                session.execute(sa.update(FileRow).where(among).values(settled=False))

    def remove(self, paths: Sequence[str]) -> None:
        """Forget these files."""
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
            "document_id": None if record.document_id == record.path else record.document_id,
        }

    def _among(self, paths: Sequence[str]) -> Iterator[sa.ColumnElement[bool]]:
        for part in parts(paths):
            yield sa.and_(FileRow.tenant == self._tenant, FileRow.path.in_(part))
