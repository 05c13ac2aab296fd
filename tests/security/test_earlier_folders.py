"""Data folders whose catalogue was written by earlier migrations are opened, migrated, and hold what they held."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.migrate import HEAD
from pipelines.engine import open_engine, restore
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput
from tests.pipelines.catalogue.test_migrations import take_back
from tests.security.test_purge_bytes import files_with

PROFILE = """
tenant: kennel
chunking: {size: 32, overlap: 0}
embedding: {quantize: int8, threads: 1}
"""
LEFT = "Zyzzyva-3"
REVISIONS = ("0001", "0005", "0008", f"{int(HEAD) - 1:04}")


def note(number: int, text: str) -> DocumentInput:
    return DocumentInput(
        f"{text} Dog {number} sleeps on sofa {number} and howls at the moon. Zyzzyva-{number}.", f"dog-{number}"
    )


def make_earlier(file: Path, revision: str) -> None:
    """Take the schema back, and leave what earlier releases left: they did not overwrite the pages that they freed."""
    catalogue = sa.create_engine(f"sqlite:///{file}")
    take_back(catalogue, revision)
    with catalogue.begin() as connection:
        for statement in ("PRAGMA secure_delete=OFF", "CREATE TABLE left (text TEXT)"):
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql("INSERT INTO left VALUES (?)", (f"{LEFT} " * 5_000,))
    with catalogue.begin() as connection:
        connection.exec_driver_sql("DROP TABLE left")
    catalogue.dispose()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_folder_of_an_earlier_schema_keeps_its_documents_and_their_history(revision: str, tmp_path: Path) -> None:
    profile, data = tmp_path / "kennel.yaml", tmp_path / "data"
    profile.write_text(PROFILE, encoding="utf-8")
    with open_engine(profile, data) as engine:
        engine.ingest([note(number, "Beagles run for an hour.") for number in range(4)])
        engine.ingest([note(0, "Beagles run for two hours.")])
        found = [(hit.chunk_id, hit.score) for hit in engine.search("Who sleeps on sofa 3?").hits]
    make_earlier(data / "kennel" / "catalogue.sqlite", revision)
    assert files_with(data, LEFT)

    with open_engine(profile, data) as engine:
        assert [(hit.chunk_id, hit.score) for hit in engine.search("Who sleeps on sofa 3?").hits] == found
        assert "an hour" in engine.content("dog-0", version=1)
        assert "two hours" in engine.content("dog-0")
        findings = engine.doctor().findings  # it is not known which readers an earlier release had
        assert all(one.kind == "stale" and "readers of an earlier release" in one.detail for one in findings)
        assert engine.ingest([note(0, "Beagles swim.")])[0].version == 3
        engine.backup(tmp_path / "kennel.backup")
        receipt = engine.delete("dog-3", purge=True, patience_s=None)
        assert receipt.purge is not None
        assert receipt.purge.state == "erased"
        assert files_with(data, LEFT) == {}
    restore(load_profile(profile), tmp_path / "kennel.backup", data, replace=True)
    with open_engine(profile, data) as engine:
        assert "sofa 3" in engine.content("dog-3")
