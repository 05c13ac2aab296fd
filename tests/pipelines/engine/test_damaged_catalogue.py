"""Damage to a catalogue's file is found wherever it is, nothing is repaired after it, and no backup is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.engine import Engine, open_engine
from pipelines.errors import StoreUnavailable
from pipelines.types import DocumentInput

PROFILE = {"tenant": "kennel", "embedding": {"quantize": "int8", "threads": 1}}
TABLES = ("keys", "turns", "originals", "audit", "versions")


def page_of(catalogue: Path, table: str) -> tuple[int, int]:
    """Return where the first page of a table begins, and its size."""
    engine = sa.create_engine(f"sqlite:///{catalogue}")
    with engine.connect() as connection:
        size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
        root = connection.exec_driver_sql("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).scalar_one()
    engine.dispose()
    return (root - 1) * size, size


def overwrite(catalogue: Path, table: str) -> None:
    start, size = page_of(catalogue, table)
    with catalogue.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * size)


def fill(engine: Engine) -> None:
    engine.ingest([DocumentInput("Beagles howl at night.", "beagles")])


def set_metadata(catalogue: Path, text: str) -> None:
    engine = sa.create_engine(f"sqlite:///{catalogue}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE versions SET metadata = ?", (text,))
    engine.dispose()


@pytest.mark.parametrize("table", TABLES)
def test_the_doctor_finds_damage_to_any_table_and_repairs_nothing_after_it(table: str, tmp_path: Path) -> None:
    with open_engine(PROFILE, tmp_path) as engine:
        fill(engine)
    overwrite(tmp_path / "kennel" / "catalogue.sqlite", table)
    with open_engine(PROFILE, tmp_path, repairing=True) as engine:
        for repair in (False, True):
            found = engine.doctor(repair)
            assert [finding.kind for finding in found.findings] == ["damaged_catalogue"]
            assert not found.healthy
            assert "restore its backup" in found.findings[0].detail
        with pytest.raises(StoreUnavailable, match="its file is damaged"):
            engine.rebuild()


@pytest.mark.embedded
def test_a_backup_of_a_damaged_catalogue_is_refused_and_the_earlier_file_stays(tmp_path: Path) -> None:
    backup = tmp_path / "kennel.backup"
    with open_engine(PROFILE, tmp_path) as engine:
        fill(engine)
        engine.backup(backup)
    before = backup.read_bytes()
    overwrite(tmp_path / "kennel" / "catalogue.sqlite", "keys")
    with open_engine(PROFILE, tmp_path) as engine, pytest.raises(StoreUnavailable, match="its file is damaged"):
        engine.backup(backup)
    assert backup.read_bytes() == before


@pytest.mark.parametrize("broken", ["{", '{"a": 1', "", "[" * 100_000])
def test_broken_json_in_a_row_is_damage_like_any_other(broken: str, tmp_path: Path) -> None:
    with open_engine(PROFILE, tmp_path) as engine:
        fill(engine)
    set_metadata(tmp_path / "kennel" / "catalogue.sqlite", broken)
    with open_engine(PROFILE, tmp_path) as engine:
        with pytest.raises(StoreUnavailable, match=r"broken JSON.*restore its backup"):
            engine.document("beagles")
        (finding,) = engine.doctor().findings
        assert finding.kind == "damaged_catalogue"
        assert "broken JSON in versions.metadata" in finding.detail
        with pytest.raises(StoreUnavailable, match=r"broken JSON in versions\.metadata"):
            engine.backup(tmp_path / "kennel.backup")
    assert not (tmp_path / "kennel.backup").exists()


def test_numbers_that_python_alone_reads_are_no_damage(tmp_path: Path) -> None:
    with open_engine(PROFILE, tmp_path) as engine:
        fill(engine)
    set_metadata(tmp_path / "kennel" / "catalogue.sqlite", '{"weight": NaN}')
    with open_engine(PROFILE, tmp_path) as engine:
        assert engine.doctor().healthy
