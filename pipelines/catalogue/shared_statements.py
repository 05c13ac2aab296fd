"""SQLite for many tenants, each with a file of the same tables: what a statement compiles to is kept once for all.

SQLAlchemy keeps compiled statements for each engine, by keys in which the engine's dialect stands. Here all dialects
are equal, and all engines have one cache.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from typing_extensions import override

_DRIVER = "sqlite+footnote"
_DEFAULT_DRIVERS = ("sqlite", "sqlite+pysqlite")
_STATEMENTS = 1000  # of which the catalogue uses two to three hundred
_compiled: LRUCache[Any, Any] = LRUCache(_STATEMENTS)


class SharedSQLite(SQLiteDialect_pysqlite):
    """SQLite through Python's own module."""

    supports_statement_cache = True

    @override
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    @override
    def __hash__(self) -> int:
        return hash(type(self))


sa.dialects.registry.register(_DRIVER.replace("+", "."), __name__, SharedSQLite.__name__)


def sharing_engine(url: str, **options: Any) -> sa.Engine:
    """Return an engine on a SQLite file.

    Args:
        url: Its address in SQLAlchemy's form; one with a driver of its own shares nothing.
        options: Those of `sqlalchemy.create_engine`; the same for every file.
    """
    address = sa.make_url(url)
    if address.drivername not in _DEFAULT_DRIVERS:
        return sa.create_engine(address, **options)
    shared = address.set(drivername=_DRIVER)
    return sa.create_engine(shared, execution_options={"compiled_cache": _compiled}, **options)
