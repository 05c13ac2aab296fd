"""Whether the file of a SQLite catalogue is whole."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from pipelines.catalogue.database import explained, is_json
from pipelines.catalogue.tables import Base
from pipelines.errors import CatalogueDamaged

_CHECK = "PRAGMA integrity_check(3)"


def require_whole(engine: sa.Engine) -> None:
    """Read the whole file of a SQLite database, compare its indexes with its tables, and parse its JSON.

    Servers check their own.

    Raises:
        StoreUnavailable: It is damaged, or does not answer.
    """
    if engine.dialect.name != "sqlite":
        return
    with explained(), engine.connect() as connection:
        faults = list(connection.exec_driver_sql(_CHECK).scalars())
        if faults == ["ok"]:
            faults = list(_broken_json(connection))
    if faults:
        raise CatalogueDamaged("; ".join(" ".join(fault.split()) for fault in faults))


def _broken_json(connection: sa.Connection) -> Iterator[str]:
    """Yield columns that hold broken JSON. SQLite finds suspects; Python, which also reads NaN, decides."""
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, sa.JSON):
                text = sa.type_coerce(column, sa.Text)
                suspects = sa.select(sa.cast(text, sa.LargeBinary)).where(
                    text.is_not(None), sa.func.json_valid(text) == 0
                )
                if not all(map(is_json, connection.execute(suspects).scalars())):
                    yield f"broken JSON in {table.name}.{column.name}"
