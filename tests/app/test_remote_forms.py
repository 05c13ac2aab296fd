"""Which documents go to a server in one request."""

from __future__ import annotations

from pathlib import Path

from app.remote.forms import first_batch
from pipelines.types import DocumentInput


def documents(folder: Path, sizes: list[int], **metadata: str) -> list[DocumentInput]:
    made = []
    for number, size in enumerate(sizes):
        file = folder / f"{number}.txt"
        file.write_bytes(b"a" * size)
        made.append(DocumentInput(content=file, source=file.name, metadata=dict(metadata)))
    return made


def test_a_request_takes_up_to_a_number_of_files(tmp_path: Path) -> None:
    assert len(first_batch(documents(tmp_path, [1] * 101), 1000)) == 100


def test_a_request_takes_up_to_a_size_and_a_larger_file_alone(tmp_path: Path) -> None:
    assert len(first_batch(documents(tmp_path, [400, 600, 1]), 1000)) == 2
    assert len(first_batch(documents(tmp_path, [1200, 1]), 1000)) == 1


def test_a_request_takes_files_of_the_same_metadata(tmp_path: Path) -> None:
    dogs, cats = (documents(tmp_path, [1, 1], species=species) for species in ("dog", "cat"))
    assert first_batch([*dogs, *cats], 1000) == dogs


def test_a_file_that_is_gone_does_not_hold_up_the_others(tmp_path: Path) -> None:
    gone = documents(tmp_path, [1, 1])
    (tmp_path / "0.txt").unlink()
    assert first_batch(gone, 1000) == gone
