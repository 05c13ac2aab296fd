"""A phone whose server ends with the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, Phone, write_documents
from tests.app.running import Serve


@pytest.fixture
def phone(serve: Serve, tmp_path: Path) -> Phone:
    folder = write_documents(tmp_path / "documents")
    return Phone(serve(PROFILE.format(folder=folder)), folder)
