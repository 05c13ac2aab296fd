"""Other users of the machine may not read what tenants hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pipelines import open_engine
from tests.app.running import RunCli

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pets.yaml").write_text("tenant: pets\n")
    (tmp_path / "beagle.md").write_text("Beagles howl.")
    return "./pets.yaml"


def test_a_command_makes_folders_and_files_for_this_user_alone(profile: str, run_cli: RunCli) -> None:
    mask = os.umask(0o022)
    try:
        assert run_cli("ingest", profile, "beagle.md", "--data", "data").code == 0
        assert run_cli("backup", profile, "backup", "--data", "data").code == 0
        assert run_cli("restore", profile, "backup", "--data", "restored").code == 0
    finally:
        os.umask(mask)
    assert Path("backup").stat().st_mode & 0o077 == 0
    for data in ("data", "restored"):
        found = modes(Path(data))
        assert "pets/catalogue.sqlite" in found
        assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}


def test_an_engine_in_a_process_with_any_mask_makes_a_folder_for_this_user_alone(profile: str) -> None:
    mask = os.umask(0o022)
    try:
        open_engine(profile, "data").close()
    finally:
        os.umask(mask)
    assert Path("data/pets").stat().st_mode & 0o777 == 0o700


def test_the_doctor_warns_of_a_folder_that_others_may_read(profile: str, run_cli: RunCli) -> None:
    run_cli("ingest", profile, "beagle.md", "--data", "data")
    assert "warning" not in run_cli("doctor", profile, "--data", "data").out
    Path("data/pets").chmod(0o755)
    Path("data/pets/catalogue.sqlite").chmod(0o644)
    reported = run_cli("doctor", profile, "--data", "data")
    assert reported.code == 0
    assert "warning: other users of this machine may read data/pets and 1 of the files" in reported.out
    assert "chmod -R go= data/pets" in reported.out
    [tenant] = json.loads(run_cli("doctor", profile, "--data", "data", "--json").out)["tenants"]
    assert len(tenant["warnings"]) == 1
