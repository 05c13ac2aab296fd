"""Temporary folders of data: gone at the end, or with the next one where their process was killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.components.store.scratch_folder import scratch_folder

_HOLDING = """
from pipelines.components.store.scratch_folder import scratch_folder
with scratch_folder() as folder:
    (folder / "documents").mkdir()
    print(folder, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files of this process and of those that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def holder() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Start a process that holds a folder, and yield both."""
    command = [sys.executable, "-c", _HOLDING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_is_gone_at_the_end(place: Path) -> None:
    with scratch_folder() as folder:
        (folder / "documents").mkdir()
        assert folder.parent == place
    assert list(place.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_with_the_next_one(place: Path) -> None:
    with holder() as (process, left):
        process.kill()
        process.wait()
    assert (left / "documents").is_dir()
    with scratch_folder() as folder:
        assert list(place.iterdir()) == [folder]


def test_a_folder_may_be_made_elsewhere_under_another_name(tmp_path: Path) -> None:
    with scratch_folder(tmp_path / "..", ".unfinished-") as folder:
        assert folder.name.startswith(".unfinished-")
        assert folder.parent == tmp_path / ".."


def test_the_folder_of_a_living_process_stays() -> None:
    with holder() as (process, held):
        with scratch_folder():
            assert (held / "documents").is_dir()
        assert process.poll() is None


def test_folders_of_others_with_such_names_stay(place: Path) -> None:
    for name in ("footnote-backup-1", "footnote-"):
        (place / name).mkdir()
    (place / "kept").mkdir()
    (place / "kept" / ".scratch").touch()
    (place / "footnote-link").symlink_to(place / "kept")
    before = set(place.iterdir())
    with scratch_folder():
        pass
    assert set(place.iterdir()) == before
    assert (place / "kept" / ".scratch").exists()
