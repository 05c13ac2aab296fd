"""What a statement compiles to is kept once for the SQLite files of all tenants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import CacheStats

from pipelines.catalogue.shared_statements import sharing_engine

NOTES = sa.Table("notes", sa.MetaData(), sa.Column("text", sa.JSON))


def filled(file: Path, text: str) -> sa.Engine:
    engine = sharing_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        NOTES.create(connection)
        connection.execute(sa.insert(NOTES).values(text=[text]))
    return engine


def read(engine: sa.Engine) -> tuple[Any, CacheStats]:
    with engine.connect() as connection:
        result = connection.execute(sa.select(NOTES.c.text))
        return result.scalar_one(), result.context.cache_hit


def test_what_is_compiled_for_one_file_reads_another(tmp_path: Path) -> None:
    first, second = filled(tmp_path / "a.sqlite", "of a"), filled(tmp_path / "b.sqlite", "of b")
    assert read(first) == (["of a"], CacheStats.CACHE_MISS)
    assert read(second) == (["of b"], CacheStats.CACHE_HIT)
    first.dispose()
    assert read(second)[0] == ["of b"]
    second.dispose()
