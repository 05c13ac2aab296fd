"""Copies what a database says of one tenant into another database, whichever kind each is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from pipelines.catalogue.database import explained
from pipelines.catalogue.tables import (
    DELETED,
    AuditRow,
    Base,
    ConversationRow,
    DocumentRow,
    JobRow,
    KeyRow,
    PurgeRow,
    TenantRow,
    VersionRow,
)

_ROWS_AT_ONCE = 8  # texts and files are in them
_NUMBERED = AuditRow.__table__.c.number
"""The one column that the database fills: rows get new numbers, in the same order."""

_IRREPLACEABLE: Mapping[str, sa.Select[Any]] = {
    "document": sa.select(DocumentRow.tenant).where(DocumentRow.state != DELETED),
    "version": sa.select(VersionRow.tenant),
    "key": sa.select(KeyRow.tenant),
    "conversation": sa.select(ConversationRow.tenant),
    "unfinished job": sa.select(JobRow.tenant).where(JobRow.finished_at.is_(None)),
    "receipt": sa.select(PurgeRow.tenant),
}
"""What nobody could bring back if a tenant's rows went, by its name."""


def irreplaceable(engine: sa.Engine, tenant: str) -> dict[str, int]:
    """Count what a database holds of a tenant that could not be brought back; what there is none of is left out.

    Raises:
        StoreUnavailable: The database does not do its part.
    """
    with explained(), engine.connect() as reading:
        counts = {
            noun: reading.scalar(sa.select(sa.func.count()).select_from(rows.filter_by(tenant=tenant).subquery()))
            for noun, rows in _IRREPLACEABLE.items()
        }
    return {noun: number for noun, number in counts.items() if number}


def copy_rows(source: sa.Engine, target: sa.Engine, tenant: str, of_tenant: Mapping[str, Any]) -> int:
    """Copy a tenant's rows, in one transaction, into a database that has none of it; return how many.

    Args:
        source: The database to read; no process may write to it during the copy.
        target: The database to write.
        tenant: Whose rows.
        of_tenant: Columns of the tenant's own row that are to be otherwise.

    Raises:
        StoreUnavailable: A database does not do its part; ``target`` is as it was.
    """
    copied = 0
    with explained(), source.connect() as reading, target.begin() as writing:
        for table in Base.metadata.sorted_tables:
            changes = dict(of_tenant) if table is TenantRow.__table__ else {}
            for rows in _rows(reading, table, tenant):
                writing.execute(_insertion(table), [row | changes for row in rows])
                copied += len(rows)
    return copied


def remove_rows(engine: sa.Engine, tenant: str) -> None:
    """Remove all that a database says of a tenant, in one transaction.

    Raises:
        StoreUnavailable: The database does not do its part.
    """
    with explained(), engine.begin() as writing:
        for table in reversed(Base.metadata.sorted_tables):
            writing.execute(sa.delete(table).where(table.c.tenant == tenant))


def _rows(reading: sa.Connection, table: sa.Table, tenant: str) -> Iterator[list[dict[str, Any]]]:
    query = sa.select(table).where(table.c.tenant == tenant).order_by(*table.primary_key.columns)
    result = reading.execution_options(yield_per=_ROWS_AT_ONCE).execute(query)
    for part in result.mappings().partitions():
        yield [dict(row) for row in part]


def _insertion(table: sa.Table) -> sa.Insert:
    columns = [column for column in table.columns if column is not _NUMBERED]
    return sa.insert(table).values({column.name: sa.bindparam(column.name, type_=_type(column)) for column in columns})


def _type(column: sa.Column[Any]) -> Any:
    """Return a JSON column that holds nothing holds SQL's NULL, and not JSON's."""
    return sa.JSON(none_as_null=True) if isinstance(column.type, sa.JSON) else column.type
