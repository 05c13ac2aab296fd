"""The TypeScript client of PocketPal's API, built and run by Node against a running server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, write_documents
from tests.app.running import serving
from tests.clients.node import ROOT, installed_client, run


@pytest.fixture(scope="module")
def client_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_client(
        tmp_path_factory.mktemp("client"), "typescript", "tests/app/contracts/pocketpal/openapi.json"
    )


def test_the_types_are_those_of_the_openapi_document(client_folder: Path) -> None:
    checked = run(client_folder, "run", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_client_works_against_a_server(client_folder: Path, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "documents")
    with serving(tmp_path, (PROFILE.format(folder=folder),)) as client:
        tested = run(client_folder, "test", RAG_URL=str(client.base_url), RAG_DOCUMENTS=str(folder))
    assert tested.returncode == 0, tested.stdout + tested.stderr


@pytest.mark.parametrize("lock", sorted(ROOT.glob("clients/*/package-lock.json")), ids=lambda lock: lock.parent.name)
def test_the_lock_file_names_no_registry(lock: Path) -> None:
    assert '"resolved"' not in lock.read_text(encoding="utf-8")
