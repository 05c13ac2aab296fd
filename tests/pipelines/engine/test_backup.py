"""A tenant comes back from its backup as it was, with its history and its conversations, or is left as it is."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from pipelines.components.store.edge.sparse_files import copy_with_holes
from pipelines.engine import Engine, open_engine, restore
from pipelines.engine.restoring import TenantNotEmpty
from pipelines.errors import DataFolderHeld, InvalidRequest
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput
from tests.pipelines.jobs.tenants import wait_until

pytestmark = pytest.mark.embedded
PROFILE = """
tenant: kennel
chunking: {size: 32, overlap: 0}
embedding: {quantize: int8, threads: 1}
"""
QUESTIONS = ("How long do beagles run?", "Who sleeps on sofa 3?", "moon")


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    file = tmp_path / "kennel.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of a tenant that has a history and a conversation, and its backup."""
    folder = tmp_path_factory.mktemp("backed-up")
    (folder / "kennel.yaml").write_text(PROFILE, encoding="utf-8")
    with open_engine(folder / "kennel.yaml", folder / "data") as engine:
        engine.ingest([note(number, "Beagles run for an hour.") for number in range(12)])
        engine.ingest([note(0, "Beagles run for two hours.")])
        engine.answer("How long do beagles run?", conversation_id="mine")
        engine.backup(folder / "kennel.backup")
    return folder


@pytest.fixture
def file(backed_up: Path, data: Path, tmp_path: Path) -> Path:
    """The backup, beside a copy of what it is of."""
    shutil.copytree(backed_up / "data", data, copy_function=copy_with_holes)
    return Path(shutil.copy2(backed_up / "kennel.backup", tmp_path))


def note(number: int, text: str) -> DocumentInput:
    return DocumentInput(f"{text} Dog {number} sleeps on sofa {number} and howls at the moon.", f"dog-{number}")


def seen(engine: Engine) -> object:
    """All that a reader gets, to the last bit."""
    documents = engine.documents(limit=100).documents
    found = [[(hit.chunk_id, hit.score, hit.content) for hit in engine.search(text).hits] for text in QUESTIONS]
    past = engine.content("dog-0", version=1)
    turns = [(turn.question, turn.text) for turn in engine.conversations.conversation("mine").turns]
    return documents, [engine.content(one.document_id) for one in documents], found, past, turns


def test_a_restored_tenant_answers_as_it_did(profile: Path, data: Path, file: Path) -> None:
    with open_engine(profile, data) as engine:
        before = seen(engine)
        engine.delete("dog-1", purge=True)
        engine.ingest([note(0, "Cats run, too."), note(99, "Another.")])
    manifest = restore(load_profile(profile), file, data, replace=True)
    assert (len(manifest.texts), len(manifest.probes)) == (13, 10)
    with open_engine(profile, data) as engine:
        assert seen(engine) == before
        assert engine.doctor().findings == ()
        assert engine.ingest([note(0, "Beagles swim.")])[0].version == 3
        assert "swim" in engine.search("Do beagles swim?").hits[0].content
    assert sorted(path.name for path in data.iterdir()) == ["kennel"]
    assert file.stat().st_mode & 0o077 == 0


def test_a_backup_is_consistent_during_ingestion(profile: Path, data: Path, tmp_path: Path) -> None:
    stop, files = threading.Event(), [tmp_path / f"{number}.backup" for number in range(3)]
    with open_engine(profile, data) as engine:
        engine.ingest([note(number, "First edition.") for number in range(5)])

        def keep_writing() -> None:
            edition = 0
            while not stop.is_set():
                edition += 1
                engine.ingest([note(number, f"Edition {edition}.") for number in range(5)])

        writer = threading.Thread(target=keep_writing)
        writer.start()
        try:
            snapshots = [engine.backup(file).snapshot for file in files]
        finally:
            stop.set()
            writer.join()
    assert snapshots == sorted(snapshots)
    for number, file in enumerate(files):
        restore(load_profile(profile), file, tmp_path / f"data-{number}")
        with open_engine(profile, tmp_path / f"data-{number}") as engine:
            assert engine.doctor().findings == ()


def test_a_purge_waits_for_a_backup_that_is_being_packed(profile: Path, data: Path, tmp_path: Path) -> None:
    file, part = tmp_path / "kennel.backup", tmp_path / "kennel.backup.part"
    with open_engine(profile, data) as engine, ThreadPoolExecutor(1) as threads:
        engine.ingest([note(number, "Beagles run. " * 400) for number in range(20)])
        backup = threads.submit(engine.backup, file)
        wait_until(lambda: part.exists() or backup.done(), "it is being packed")
        purge = engine.delete("dog-1", purge=True).purge
        assert backup.result().tenant == "kennel"
        assert purge is not None
        assert purge.state == "erased"
        assert list((data / "kennel").glob("vectors.backup-*")) == []
    restore(load_profile(profile), file, tmp_path / "other")
    with open_engine(profile, tmp_path / "other") as engine:
        assert engine.stats().documents == 20


def test_a_backup_does_not_wait_for_a_store_that_is_being_built(profile: Path, data: Path, tmp_path: Path) -> None:
    with open_engine(profile, data) as engine:
        engine.ingest([note(1, "Beagles run.")])
        with engine._parts.indexes._building:
            assert engine.backup(tmp_path / "kennel.backup").snapshot == 1


def test_documents_are_not_replaced_unasked_nor_under_a_server(profile: Path, data: Path, file: Path) -> None:
    with pytest.raises(TenantNotEmpty, match="12 documents"):
        restore(load_profile(profile), file, data)
    with open_engine(profile, data) as engine:
        with pytest.raises(DataFolderHeld):
            restore(load_profile(profile), file, data, replace=True)
        assert engine.stats().documents == 12


@pytest.mark.parametrize(
    ("hold", "held"),
    [
        (lambda engine: engine.keys.create("phone", "reader"), "1 key"),
        (lambda engine: engine.answer("Do beagles run?", conversation_id="mine"), "1 conversation"),
        (lambda engine: engine.ingest([DocumentInput("", "empty")]), "1 document"),
        (lambda engine: (engine.ingest([note(1, "Old.")]), engine.delete("dog-1")), "1 version"),
        (lambda engine: (engine.ingest([note(1, "Old.")]), engine.delete("dog-1", purge=True)), "1 receipt"),
        (lambda engine: engine.jobs.submit("ingest", [note(1, "New.")]), "1 unfinished job"),
    ],
)
def test_what_is_no_document_is_not_replaced_unasked_either(
    hold: Callable[[Engine], object], held: str, profile: Path, tmp_path: Path, file: Path
) -> None:
    with open_engine(profile, tmp_path / "other") as engine:
        hold(engine)
    with pytest.raises(TenantNotEmpty, match=f"kennel holds {held}; use --replace"):
        restore(load_profile(profile), file, tmp_path / "other")
    restore(load_profile(profile), file, tmp_path / "other", replace=True)


def test_a_tenant_that_was_only_opened_is_replaced_unasked(profile: Path, tmp_path: Path, file: Path) -> None:
    with open_engine(profile, tmp_path / "other") as engine:
        engine.search("beagles")
        engine.jobs.cancel(engine.jobs.submit("purge").job_id)
    restore(load_profile(profile), file, tmp_path / "other")
    with open_engine(profile, tmp_path / "other") as engine:
        assert engine.stats().documents == 12


def revoked(engine: Engine) -> dict[str, bool]:
    return {key.name: key.revoked_at is not None for key in engine.keys.list()}


def test_revoked_keys_stay_revoked(profile: Path, data: Path, tmp_path: Path) -> None:
    early, late = tmp_path / "early.backup", tmp_path / "late.backup"
    with open_engine(profile, data) as engine:
        for name in ("before", "since", "kept"):
            engine.keys.create(name, "reader")
        engine.keys.revoke("before")
        engine.backup(early)
        engine.keys.revoke("since")
        engine.backup(late)
    expected = {"before": True, "since": True, "kept": False}
    restore(load_profile(profile), early, data, replace=True)
    with open_engine(profile, data) as engine:
        assert revoked(engine) == expected
    restore(load_profile(profile), early, tmp_path / "elsewhere")
    restore(load_profile(profile), late, tmp_path / "elsewhere", replace=True)
    with open_engine(profile, tmp_path / "elsewhere") as engine:
        assert revoked(engine) == expected


def test_another_key_of_the_same_name_is_not_revoked(profile: Path, data: Path, tmp_path: Path) -> None:
    with open_engine(profile, data) as engine:
        engine.keys.create("phone", "reader")
        engine.backup(tmp_path / "keys.backup")
    with open_engine(profile, tmp_path / "other") as engine:
        engine.keys.create("phone", "reader")
        engine.keys.revoke("phone")
    restore(load_profile(profile), tmp_path / "keys.backup", tmp_path / "other", replace=True)
    with open_engine(profile, tmp_path / "other") as engine:
        assert revoked(engine) == {"phone": False}


def test_a_restore_clears_away_what_a_killed_one_of_its_tenant_left(profile: Path, data: Path, file: Path) -> None:
    left = [data / f".restore-{tenant}-{'0a' * 16}" for tenant in ("kennel", "kennel-b")]
    for folder in left:
        folder.mkdir()
    restore(load_profile(profile), file, data, replace=True)
    assert [folder.exists() for folder in left] == [False, True]


def test_a_backup_that_cannot_be_put_in_its_place_leaves_nothing(profile: Path, data: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with open_engine(profile, data) as engine, pytest.raises(IsADirectoryError):
        engine.backup(tmp_path / "taken")
    assert list(tmp_path.glob("*.part")) == []


def damaged(file: Path, name: str, change: bytes | None) -> Path:
    """A copy of a backup with one file changed, or without it."""
    other = file.with_suffix(".damaged")
    with ZipFile(file) as given, ZipFile(other, "w") as made:
        for member in given.namelist():
            if member != name:
                made.writestr(member, given.read(member))
            elif change is not None:
                made.writestr(member, change)
    return other


def overwritten(file: Path) -> Path:
    """A copy of a backup with other bytes amid its packed catalogue."""
    with ZipFile(file) as given:
        packed = given.getinfo("catalogue.sqlite")
    content = bytearray(file.read_bytes())
    middle = packed.header_offset + packed.compress_size // 2
    content[middle : middle + 300] = b"\xff" * 300
    other = file.with_suffix(".overwritten")
    other.write_bytes(content)
    return other


def of_another_tenant(file: Path) -> Path:
    with ZipFile(file) as given:
        manifest = json.loads(given.read("manifest.json"))
    return damaged(file, "manifest.json", json.dumps(manifest | {"tenant": "cattery"}).encode())


def reaching_out(file: Path) -> Path:
    with ZipFile(file) as given:
        manifest = json.loads(given.read("manifest.json"))
    manifest["files"]["../../escaped"] = "0" * 64
    return damaged(file, "manifest.json", json.dumps(manifest).encode())


def test_a_damaged_or_foreign_backup_replaces_nothing(profile: Path, data: Path, file: Path) -> None:
    plain = file.with_suffix(".txt")
    plain.write_text("no backup", encoding="utf-8")
    lost = file.with_name("nowhere")
    changed = damaged(file, "catalogue.sqlite", b"SQLite format 3\0")
    for bad, reason in (
        (plain, "not a backup"),
        (lost, "nowhere cannot be restored: No such file or directory"),
        (changed, "catalogue.sqlite is damaged"),
        (overwritten(file), "not a backup, or it is damaged"),
    ):
        with pytest.raises(InvalidRequest, match=reason):
            restore(load_profile(profile), bad, data, replace=True)
    for make, reason in ((of_another_tenant, "a backup of cattery"), (reaching_out, "not a backup, or it is damaged")):
        with pytest.raises(InvalidRequest, match=reason):
            restore(load_profile(profile), make(file), data, replace=True)
    assert not (data.parent / "escaped").exists()
    with open_engine(profile, data) as engine:
        assert engine.stats().documents == 12
    assert sorted(path.name for path in data.iterdir()) == ["kennel"]


def test_a_restore_that_fails_leaves_no_folder_of_a_tenant_that_had_none(
    profile: Path, tmp_path: Path, file: Path
) -> None:
    with pytest.raises(InvalidRequest, match="is damaged"):
        restore(profile, damaged(file, "catalogue.sqlite", b"SQLite format 3\0"), tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_copy_that_answers_otherwise_replaces_nothing(profile: Path, data: Path, file: Path) -> None:
    with ZipFile(file) as given:
        manifest = json.loads(given.read("manifest.json"))
    manifest["probes"][0]["legs"]["dense"][0][1] += 1e-9
    other = damaged(file, "manifest.json", json.dumps(manifest).encode())
    with pytest.raises(InvalidRequest, match="what is found for"):
        restore(load_profile(profile), other, data, replace=True)


def test_a_tenant_in_memory_has_no_files_to_back_up(tmp_path: Path) -> None:
    with (
        open_engine({"tenant": "kennel", "store": {"engine": "memory"}}, tmp_path) as engine,
        pytest.raises(InvalidRequest, match="Qdrant Edge"),
    ):
        engine.backup(tmp_path / "x")


def test_names_and_paths_may_be_texts(
    profile: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_engine(profile, data) as engine:
        engine.ingest([note(1, "Beagles run for an hour.")])
        engine.backup(str(tmp_path / "text.backup"))
    monkeypatch.chdir(tmp_path)
    restore(str(profile), "text.backup", "other")
    with open_engine(profile, "other") as engine:
        assert engine.content("dog-1").startswith("Beagles run for an hour.")
    word: Any = "no"
    with pytest.raises(InvalidRequest, match="replace: must be true or false"):
        restore(profile, "text.backup", "other", replace=word)
