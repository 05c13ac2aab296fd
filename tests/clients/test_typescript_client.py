"""The TypeScript client, built and run by Node against a running server."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, write_documents
from tests.app.running import serving

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client's folder with its packages installed."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    root = tmp_path_factory.mktemp("client")
    folder = root / "clients" / "typescript"
    shutil.copytree(CLIENT, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    document = Path("tests/app/contracts/pocketpal/openapi.json")
    (root / document).parent.mkdir(parents=True)
    shutil.copy(CLIENT.parents[1] / document, root / document)
    installed = run(folder, "ci", "--no-audit", "--no-fund", "--prefer-offline")
    if installed.returncode:
        pytest.skip(f"npm cannot install the client's packages: {installed.stderr[-300:]}")
    return folder


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What an npm command left."""
    return subprocess.run(
        ["npm", *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_the_types_are_those_of_the_openapi_document(npm: Path) -> None:
    checked = run(npm, "run", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_client_works_against_a_server(npm: Path, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "documents")
    with serving(tmp_path, (PROFILE.format(folder=folder),)) as client:
        tested = run(npm, "test", RAG_URL=str(client.base_url), RAG_DOCUMENTS=str(folder))
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text(encoding="utf-8")
