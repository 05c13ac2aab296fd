"""Whether the file of a SQLite catalogue is whole."""

from __future__ import annotations

import sqlalchemy as sa

from pipelines.catalogue.database import damaged, explained

_CHECK = "PRAGMA integrity_check(3)"


def require_whole(engine: sa.Engine) -> None:
    """Read the whole file of a SQLite database and compare its indexes with its tables; servers check their own.

    Raises:
        StoreUnavailable: It is damaged, or does not answer.
    """
    if engine.dialect.name != "sqlite":
        return
    with explained(), engine.connect() as connection:
        faults = list(connection.exec_driver_sql(_CHECK).scalars())
    if faults != ["ok"]:
        raise damaged("; ".join(" ".join(fault.split()) for fault in faults))
