"""A backup comes back where the present catalogue cannot be opened: those are the times when it is needed."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.engine import open_engine, restore
from pipelines.errors import CatalogueNewer, FootnoteError, StoreUnavailable
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput

pytestmark = pytest.mark.embedded
PROFILE = "tenant: kennel\nembedding: {quantize: int8, threads: 1}\n"


def overwrite(catalogue: Path) -> None:
    catalogue.write_bytes(os.urandom(50_000))


def cut_off(catalogue: Path) -> None:
    os.truncate(catalogue, 9_000)


def make_newer(catalogue: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{catalogue}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()


@pytest.mark.parametrize(
    ("harm", "error"), [(overwrite, StoreUnavailable), (cut_off, StoreUnavailable), (make_newer, CatalogueNewer)]
)
def test_a_tenant_whose_catalogue_cannot_be_opened_is_restored(
    harm: Callable[[Path], None], error: type[FootnoteError], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    profile, data, backup = tmp_path / "kennel.yaml", tmp_path / "data", tmp_path / "kennel.backup"
    profile.write_text(PROFILE, encoding="utf-8")
    with open_engine(profile, data) as engine:
        engine.ingest([DocumentInput("Beagles howl at night.", "beagles")])
        engine.backup(backup)
    harm(data / "kennel" / "catalogue.sqlite")

    with pytest.raises(error, match=r"restore .*--replace"):
        open_engine(profile, data)
    with pytest.raises(error, match=r"restore .*--replace"):
        restore(load_profile(profile), backup, data)
    with caplog.at_level(logging.WARNING):
        restore(load_profile(profile), backup, data, replace=True)
    assert "keys that were revoked since the backup are valid again" in caplog.text
    with open_engine(profile, data) as engine:
        assert engine.content("beagles") == "Beagles howl at night."
        assert engine.doctor().healthy
