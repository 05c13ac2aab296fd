"""A catalogue on a server and vectors on disk: one data folder holds them, and another one is refused."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding

from pipelines import open_engine
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.settings import Settings
from pipelines.engine.parts.vector_place import claimed_place
from pipelines.errors import StoreDamaged
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput

PROFILE = {"tenant": "depot", "catalogue": {"url": "${DEPOT_DATABASE}"}}


@pytest.fixture(autouse=True)
def _database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DEPOT_DATABASE", f"sqlite:///{tmp_path / 'shared.sqlite'}")


def test_a_second_data_folder_is_refused_until_it_is_repaired(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with open_engine(PROFILE, first) as engine:
        engine.ingest([DocumentInput("Trams are washed on Mondays.", "trams.txt")])
    with pytest.raises(StoreDamaged, match=rf"in another data folder, {first / 'depot'} on "):
        open_engine(PROFILE, second)
    with open_engine(PROFILE, first) as engine:
        assert engine.search("When are trams washed?")
    with open_engine(PROFILE, second, repairing=True) as engine:
        assert engine.doctor(repair=True).chunks == 1
        engine.ingest([DocumentInput("Buses are washed on Fridays.", "buses.txt")])
    with pytest.raises(StoreDamaged, match="name that with --data; it can be made again"):
        open_engine(PROFILE, first)
    with open_engine(PROFILE, second) as engine:
        assert {hit.document_id for hit in engine.search("What is washed?")} == {"trams.txt", "buses.txt"}


def test_an_empty_tenant_belongs_to_the_folder_that_opened_it_first(tmp_path: Path) -> None:
    open_engine(PROFILE, tmp_path / "first").close()
    with pytest.raises(StoreDamaged):
        open_engine(PROFILE, tmp_path / "second")
    assert not (tmp_path / "second" / "depot" / "vector-place").exists()


def test_a_folder_that_was_moved_stays_the_place(tmp_path: Path) -> None:
    open_engine(PROFILE, tmp_path / "first").close()
    (tmp_path / "first").rename(tmp_path / "moved")
    open_engine(PROFILE, tmp_path / "moved").close()
    with pytest.raises(StoreDamaged, match=rf"in another data folder, {tmp_path / 'moved' / 'depot'} on "):
        open_engine(PROFILE, tmp_path / "first")


def test_a_folder_that_lost_its_files_is_not_sent_to_itself(tmp_path: Path) -> None:
    with open_engine(PROFILE, tmp_path) as engine:
        engine.ingest([DocumentInput("Trams are washed on Mondays.", "trams.txt")])
    (tmp_path / "depot" / "vector-place").unlink()
    with open_engine(PROFILE, tmp_path) as engine:
        assert engine.search("When are trams washed?")
    shutil.rmtree(tmp_path / "depot")
    with pytest.raises(StoreDamaged) as refused:
        open_engine(PROFILE, tmp_path)
    assert "another data folder" not in str(refused.value)


def test_of_two_folders_that_open_an_empty_tenant_at_once_one_is_refused(tmp_path: Path) -> None:
    loaded = load_profile(PROFILE)
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    with closing(open_database(f"sqlite:///{tmp_path / 'shared.sqlite'}")) as database:
        settings = Settings(database.engine, "depot")
        first, second = (claimed_place(loaded.profile, folder, settings, repairing=False) for folder in folders)
        first.__enter__()
        with second:
            pass
        with pytest.raises(StoreDamaged, match=rf"{folders[1]} on "):
            first.__exit__(None, None, None)


class Constant(BaseEmbedding):
    """Takes all texts for the same."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [1.0, 0.0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class Overtaken(Constant):
    """Another folder opens the tenant while this one finds out how long the model's vectors are."""

    other: Path

    def _get_text_embedding(self, text: str) -> list[float]:
        open_engine(PROFILE, self.other, components={"embedding": Constant()}).close()
        return super()._get_text_embedding(text)


def test_a_folder_that_was_overtaken_lets_its_vectors_go(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with pytest.raises(StoreDamaged, match=rf"{second / 'depot'} on ") as refused:
        open_engine(PROFILE, first, components={"embedding": Overtaken(other=second)})
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    assert str(first) not in maps, refused  # as long as the error is kept, so is all that was open when it was raised
