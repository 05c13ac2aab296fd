"""A disk that fills up: changes are refused while there is still room to open, to search and to delete."""

from __future__ import annotations

import random
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import Engine, open_engine
from pipelines.errors import DiskFull
from pipelines.profile.sections.storage import Hnsw
from pipelines.types import DocumentInput

_SIZE_MB = 400
PROFILE = {"tenant": "cats"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of the test's own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE_MB}m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this user may not mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, left_mb: int) -> Path:
    """Write a file that leaves so much room."""
    file = disk / "filler"
    with file.open("wb") as filler:
        filler.write(bytes(max(shutil.disk_usage(disk).free - (left_mb << 20), 0)))
    return file


def letters(seed: int) -> DocumentInput:
    chosen = random.Random(seed)
    words = ("".join(chosen.choices(string.ascii_lowercase, k=6)) for _ in range(1500))
    return DocumentInput(" ".join(words), f"letters-{seed}")


def found(engine: Engine, text: str) -> str:
    return engine.search(text).hits[0].document_id


def test_what_does_not_fit_is_refused_and_what_is_there_goes_on(disk: Path) -> None:
    with open_engine(PROFILE, disk / "data") as engine:
        engine.ingest([DocumentInput("Cats sleep all day.", "cats")])
        filler = fill(disk, left_mb=131)
        with pytest.raises(DiskFull, match=r"its disk has \d+ MB left, and \d+ MB are needed"):
            for seed in range(40):  # until the reserve is reached
                engine.ingest([letters(seed)])
        assert found(engine, "cats sleep") == "cats"
        engine.delete("cats")
        assert [document.document_id for document in engine.documents()].count("cats") == 0
    with open_engine(PROFILE, disk / "data") as engine:
        with pytest.raises(DiskFull):
            engine.ingest([letters(40)])
        filler.unlink()
        assert [result.state for result in engine.ingest([letters(40)])] == ["ready"]
        assert engine.doctor().findings == ()


def test_a_tenant_on_a_full_disk_is_refused_until_there_is_room(disk: Path) -> None:
    with open_engine(PROFILE, disk / "data") as engine:
        engine.ingest([DocumentInput("Cats sleep all day.", "cats")])
    filler = fill(disk, left_mb=4)
    with pytest.raises(DiskFull, match=r"its disk has [34] MB left, and 64 MB are needed"):
        open_engine(PROFILE, disk / "data")
    filler.unlink()
    with open_engine(PROFILE, disk / "data") as engine:
        assert found(engine, "cats sleep") == "cats"


def test_what_rewrites_files_on_a_full_disk_leaves_them_as_they_are(disk: Path) -> None:
    with open_engine(PROFILE, disk / "data") as engine:
        engine.ingest([DocumentInput("Cats sleep all day.", "cats"), DocumentInput("Dogs bark.", "dogs")])
        store = engine.vector_store
        filler = fill(disk, left_mb=60)
        with pytest.raises(DiskFull):
            store.reshape(Hnsw(m=8))
        with pytest.raises(DiskFull):
            store.scrub()
        assert found(engine, "cats sleep") == "cats"
        assert engine.delete("dogs", purge=True) is not None
        filler.unlink()
        store.reshape(Hnsw(m=8))
        store.scrub()
        assert found(engine, "cats sleep") == "cats"


def test_the_command_says_how_many_documents_are_in(disk: Path) -> None:
    profile, first, many = disk / "cats.yaml", disk / "cats.txt", disk / "many"
    profile.write_text("tenant: cats\n", encoding="utf-8")
    first.write_text("Cats sleep all day.", encoding="utf-8")
    many.mkdir()
    for seed in range(40):
        (many / f"{seed}.txt").write_text(str(letters(seed).content), encoding="utf-8")
    command = [sys.executable, "-m", "app.cli", "ingest", str(profile), "--data", str(disk / "data")]
    subprocess.run([*command, str(first)], check=True, capture_output=True)
    fill(disk, left_mb=131)
    done = subprocess.run([*command, str(many)], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.search(r"footnote: the tenant now holds \d+ documents?; ingest again later", done.stderr)
    assert re.search(r"its disk has \d+ MB left", done.stderr)
