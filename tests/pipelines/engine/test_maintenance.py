"""A tenant that is changed, measured and asked in other ways while it is at work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import Engine, open_engine
from pipelines.errors import FileNotFound, InvalidRequest, OutsideRoots, StoreUnavailable
from pipelines.types import ChunkSize, DocumentInput

PROFILE = """
tenant: kennel
knowledge: {path: knowledge}
chunking: {splitter: sentence, size: 200, overlap: 0, unit: character}
"""
TEXT = "Beagles howl at night. Pugs sleep long. Terriers dig holes in the garden. Hounds follow a scent for hours."
SMALL = ChunkSize(40, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "profile.yaml").write_text(PROFILE)
    (tmp_path / "knowledge").mkdir()
    return tmp_path


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    with open_engine(folder, folder / "data") as opened:
        yield opened


def test_a_documents_own_chunk_size_survives_reprocessing(engine: Engine) -> None:
    engine.ingest([DocumentInput(TEXT, "own", chunking=SMALL), DocumentInput(TEXT, "plain")])
    own = engine.document("own").chunks
    assert own > engine.document("plain").chunks == 1
    assert engine.ingest([DocumentInput(TEXT, "own", chunking=SMALL)])[0].state == "unchanged"
    assert engine.settings.change({"chunking": {"size": 60}}) is True
    engine.reembed()
    assert (engine.document("own").chunks, engine.stats().stale) == (own, 0)
    assert engine.document("plain").chunks > 1
    assert engine.doctor().healthy


def test_a_size_that_cannot_be_fails_its_document_alone(engine: Engine) -> None:
    results = engine.ingest([DocumentInput(TEXT, "own", chunking=ChunkSize(40, 30)), DocumentInput(TEXT, "plain")])
    assert [result.state for result in results] == ["failed", "ready"]
    assert "chunking -> overlap" in (results[0].reason or "")


def test_a_change_outlives_the_process(folder: Path) -> None:
    with open_engine(folder, folder / "data") as engine:
        engine.ingest([DocumentInput(TEXT, "plain")])
        assert engine.settings.change({"chunking": {"size": 60}}) is True
        with pytest.raises(InvalidRequest):
            engine.settings.change({"chunking": {"size": 1}})
    with open_engine(folder, folder / "data") as engine:
        assert (engine.profile.chunking.size, engine.stats().stale) == (60, 1)


def test_a_change_that_could_not_be_kept_is_kept_when_it_is_asked_for_again(folder: Path) -> None:
    with open_engine(folder, folder / "data") as engine:
        database = engine._parts.catalogue.engine
        with database.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE settings RENAME TO away")
        with pytest.raises(StoreUnavailable):
            engine.settings.change({"chunking": {"size": 60}})
        with database.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE away RENAME TO settings")
        engine.settings.change({"chunking": {"size": 60}})
    with open_engine(folder, folder / "data") as engine:
        assert engine.profile.chunking.size == 60


def test_a_search_accepts_a_vector_and_a_set_of_documents(engine: Engine) -> None:
    engine.ingest([DocumentInput("Beagles howl at night.", "beagle"), DocumentInput("Pugs sleep long.", "pug")])
    [vector] = engine.embed(["a pug that sleeps"])
    assert engine.search("", vector=vector).hits[0].document_id == "pug"
    for factor in (1e-300, 1e300):  # its direction counts, whatever a single-precision number could hold
        assert engine.search("", vector=[number * factor for number in vector]).hits[0].document_id == "pug"
    assert {hit.document_id for hit in engine.search("sleep", documents=["beagle"])} == {"beagle"}
    assert engine.search("sleep", documents=[]).hits == ()
    for wrong in ([1.0], [float("nan")] * 384, [0.0] * 384):
        with pytest.raises(InvalidRequest):
            engine.search("", vector=wrong)
    with pytest.raises(InvalidRequest):
        engine.search("sleep", diversity=1.5)


def test_files_are_named_within_the_folders_alone(engine: Engine, folder: Path) -> None:
    inside, outside = folder / "knowledge" / "a.md", folder / "secret.md"
    inside.write_text("a")
    outside.write_text("secret")
    (folder / "knowledge" / "ring").symlink_to(folder / "knowledge" / "ring")
    assert engine.named_file("a.md") == engine.named_file(str(inside)) == (inside.resolve(), "a.md")
    with pytest.raises(OutsideRoots):
        engine.named_file("../secret.md")
    with pytest.raises(FileNotFound):
        engine.named_file("none.md")
    with pytest.raises((FileNotFound, OutsideRoots)):
        engine.named_file("ring")
    assert engine.named_file("none.md", missing=True)[1] == "none.md"
    assert engine.named_file(str(outside), [folder])[0] == outside.resolve()


def test_purging_a_document_erases_its_use(engine: Engine) -> None:
    engine.ingest([DocumentInput("Beagles howl at night.", "beagle")])
    engine.search("howling")
    assert engine.uses_of(["beagle"])["beagle"].count == 1
    engine.delete("beagle", purge=True)
    assert engine.uses_of() == {}


def test_expired_history_is_removed_before_documents(folder: Path) -> None:
    (folder / "profile.yaml").write_text(f"{PROFILE}retention: {{versions: 1}}\n")
    with open_engine(folder, folder / "data") as engine:
        engine.ingest([DocumentInput(TEXT, "first")])
        engine.ingest([DocumentInput(f"{TEXT} " * 400, "diary")])
        engine.storage.keep_below(engine.storage.resources().documents * 3)
        for day in range(12):
            engine.ingest([DocumentInput(f"{TEXT} Day {day}. " * 400, "diary")])
        assert {one.document_id for one in engine.documents(10).documents} == {"first", "diary"}
        assert engine.storage.resources().documents <= (engine.storage.most_bytes or 0)


def test_compacting_gives_room_back_and_rebuilding_leaves_everything_found(folder: Path, disk_path: Path) -> None:
    with open_engine(folder, disk_path) as engine:
        engine.ingest([DocumentInput(f"{TEXT} {number}", f"d{number}") for number in range(50)])
        for number in range(50):
            engine.delete(f"d{number}", purge=number > 40)
        before = engine.storage.resources().documents
        engine.compact()
        assert engine.storage.resources().documents < before
        engine.ingest([DocumentInput("Beagles howl at night.", "beagle")])
        assert engine.rebuild().healthy
        assert engine.search("howl").hits[0].document_id == "beagle"
