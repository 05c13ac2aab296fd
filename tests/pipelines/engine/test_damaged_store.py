"""A vector store that is gone or damaged is refused, and made again from the catalogue."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import open_engine
from pipelines.components.store.edge.sparse_files import copy_with_holes
from pipelines.errors import StoreDamaged, StoreUnavailable
from pipelines.types import DocumentInput

PROFILE = {"tenant": "kennel", "chunking": {"splitter": "sentence", "size": 200, "overlap": 0, "unit": "character"}}
TEXTS = ["Beagles howl at night.", "Pugs sleep long.", "Terriers dig holes in the garden."]
OPENED = ["collection.json", "segment.json", "edge_config.json", "mutable_id_tracker.mappings", "first-index"]
READ = ["chunk_0.mmap", "tracker.dat"]
DAMAGE = b"\xff" * 100
"""Not other bytes each time: of some the store reads a length of 80 GB, and ends the process."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("filled")
    with open_engine(PROFILE, data) as engine:
        engine.ingest([DocumentInput(text, str(number)) for number, text in enumerate(TEXTS)])
        engine.delete("2")
    return data


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "data", copy_function=copy_with_holes))


def _files(data: Path, name: str) -> Iterator[Path]:
    found = list((data / "kennel" / "vectors").rglob(name))
    assert found, f"the store has no file {name}"
    yield from found


def _repaired(data: Path) -> None:
    with open_engine(PROFILE, data, repairing=True) as engine:
        engine.doctor(repair=True)
    with open_engine(PROFILE, data) as engine:
        assert engine.doctor().healthy
        assert [hit.document_id for hit in engine.search("Which dogs howl?").hits][:1] == ["0"]
        assert {hit.document_id for hit in engine.search("dogs", as_of=1).hits} == {"0", "1", "2"}


def test_a_store_that_is_gone_is_refused_and_made_again_with_its_history(data: Path) -> None:
    shutil.rmtree(data / "kennel" / "vectors")
    with pytest.raises(StoreDamaged, match=r"it is empty.* tenant kennel, and run: footnote doctor PROFILE --repair"):
        open_engine(PROFILE, data)
    _repaired(data)


@pytest.mark.parametrize("name", OPENED)
def test_files_that_cannot_be_opened_are_named_and_made_again(data: Path, name: str) -> None:
    for file in _files(data, name):
        file.write_bytes(DAMAGE)
    with pytest.raises(StoreDamaged, match=r"is damaged.* tenant kennel, and run: footnote doctor PROFILE --repair"):
        open_engine(PROFILE, data)
    _repaired(data)


@pytest.mark.parametrize("name", READ)
def test_files_that_open_and_cannot_be_read_are_made_again(data: Path, name: str) -> None:
    for file in _files(data, name):
        file.write_bytes(DAMAGE)
    with pytest.raises(StoreUnavailable, match="footnote doctor"), open_engine(PROFILE, data) as engine:
        engine.search("Which dogs howl?")
    _repaired(data)


def test_a_folder_that_must_not_be_read_is_not_taken_for_damaged(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import qdrant_edge

    def refuse(_: str) -> None:
        raise Exception("Service runtime error: IO Error: No space left on device")

    monkeypatch.setattr(qdrant_edge.EdgeShard, "load", refuse)
    with pytest.raises(StoreUnavailable, match="No space left") as refused:
        open_engine(PROFILE, data, repairing=True)
    assert refused.value.code == "store_unavailable"
    monkeypatch.undo()
    with open_engine(PROFILE, data) as engine:
        assert engine.stats().chunks == 2


def test_a_tenant_without_any_documents_left_opens(tmp_path: Path) -> None:
    with open_engine(PROFILE | {"retention": {"versions": 1, "days": 0}}, tmp_path) as engine:
        engine.ingest([DocumentInput(TEXTS[0], "only")])
        engine.delete("only", purge=True)
    with open_engine(PROFILE, tmp_path) as engine:
        assert engine.stats().documents == 0
