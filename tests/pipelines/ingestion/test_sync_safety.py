"""What a synchronisation must not do, whatever happens to the folder or to itself."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from pipelines import Engine
from pipelines.catalogue.files import FileRecord, FileRecords, Stamp
from pipelines.errors import KnowledgeFolderEmpty, KnowledgeFolderUnreadable
from pipelines.ingestion.quiet import Timing
from pipelines.types import DocumentInput, FileProgress, Progress, Rename, SyncResult
from tests.conftest import OpenTenant
from tests.pipelines.ingestion.knowledge import PROFILE, Killed, Tenant, killed_at, removed, states
from tests.pipelines.ingestion.test_folder import unprivileged


@pytest.fixture
def tenant(open_tenant: OpenTenant, tmp_path: Path) -> Tenant:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    return Tenant(open_tenant(PROFILE), folder)


def test_a_file_that_is_being_written_is_busy_and_keeps_its_version(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs", hours=3)
    tenant.sync()
    tenant.write("a.txt", "some dogs and ha", hours=0)
    tenant.write("b.txt", "an old file", hours=3)
    reports: list[Progress] = []
    result = tenant.sync(timing=Timing(quiet=7200, patience=0.05), report=reports.append)
    assert (result.busy, states(result), removed(result)) == (("a.txt",), {"b.txt": "ready"}, [])
    assert tenant.texts() == {"a.txt": "some dogs", "b.txt": "an old file"}
    assert reports[-1].latest == (FileProgress("a.txt", "busy", "it is still being written"),)
    tenant.write("a.txt", "some dogs and half a cat", hours=0)
    assert states(tenant.sync(timing=Timing(quiet=0.1, patience=60)))["a.txt"] == "ready"
    assert tenant.texts()["a.txt"] == "some dogs and half a cat"


@pytest.mark.parametrize("allow_empty", [False, True])
def test_a_missing_folder_deletes_nothing(tenant: Tenant, allow_empty: bool) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.sync()
    tenant.folder.rename(tenant.folder.with_name("elsewhere"))
    with pytest.raises(KnowledgeFolderUnreadable, match='"knowledge" cannot be read'):
        tenant.sync(allow_empty=allow_empty)
    assert tenant.texts() == {"a.txt": "From the folder."}


def test_a_folder_that_is_empty_takes_its_documents_away_only_if_that_is_meant(tenant: Tenant) -> None:
    assert tenant.sync() == SyncResult((), ())
    tenant.write("a.txt", "From the folder.")
    tenant.sync()
    (tenant.folder / "a.txt").unlink()
    tenant.write(".stays-hidden", "x")
    with pytest.raises(KnowledgeFolderEmpty, match=r"holds no file, although 1 document\(s\) came from it"):
        tenant.sync()
    assert tenant.texts() == {"a.txt": "From the folder."}
    assert removed(tenant.sync(allow_empty=True)) == ["a.txt"]
    assert tenant.sync() == SyncResult((), ())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others here")
def test_a_subfolder_that_cannot_be_read_keeps_its_documents(tenant: Tenant, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        tenant.write(name, f"the text of {name}")
    tenant.sync()
    (tenant.folder / "b.txt").unlink()
    with unprivileged(tenant.folder, tmp_path / "data"):
        (tenant.folder / "sub").chmod(0o000)
        result = tenant.sync()
        (tenant.folder / "sub").chmod(0o755)
        after = tenant.sync()
    assert states(result) == {"a.txt": "unchanged", "sub/": "failed"}
    assert "Permission denied" in (result.results[1].reason or "")
    assert removed(result) == ["b.txt"]
    assert set(tenant.texts()) == {"a.txt", "sub/c.txt"}
    assert states(after) == {"a.txt": "unchanged", "sub/c.txt": "unchanged"}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others here")
def test_a_file_that_may_not_be_read_is_tried_every_time(tenant: Tenant, tmp_path: Path) -> None:
    tenant.engine.ingest([DocumentInput("The first text loads the tokenizer.", document_id="first")])
    file = tenant.write("a.txt", "From the folder.")
    with unprivileged(tenant.folder, tmp_path / "data"):
        file.chmod(0o000)
        (failed,) = tenant.sync().results
        file.chmod(0o644)  # changes neither time nor size
        (result,) = tenant.sync().results
    assert (failed.state, failed.reason) == ("failed", "the file cannot be read: Permission denied")
    assert result.state == "ready"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems want names to be Unicode")
def test_a_name_that_is_not_unicode_fails_alone_and_stays_listed(tenant: Tenant) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.write(os.fsdecode(b"caf\xe9.txt"), "a text")
    for _ in range(2):
        result = tenant.sync()
        assert states(result)["caf?.txt"] == "failed"
        assert result.removed == ()
        assert tenant.engine.document("caf?.txt").reason == "source: the name of the file is not UTF-8; rename the file"
    (tenant.folder / os.fsdecode(b"caf\xe9.txt")).rename(tenant.folder / "café.txt")
    assert removed(tenant.sync()) == ["caf?.txt"]
    assert set(tenant.texts()) == {"a.txt", "café.txt"}


class Dying(FileRecords):
    """Records of a process that dies when it wants to write them."""

    def put(self, records: Any) -> None:
        raise Killed


def change_everything(tenant: Tenant) -> None:
    (tenant.folder / "renamed.txt").rename(tenant.folder / "new name.txt")
    (tenant.folder / "removed.txt").unlink()
    (tenant.folder / "removed too.txt").unlink()
    tenant.write("changed.txt", "the changed text", hours=0.5)
    tenant.write("new.txt", "the new text")


def in_line(tenant: Tenant) -> bool:
    texts = {path.name: path.read_text() for path in tenant.folder.iterdir()}
    return tenant.texts() == texts and set(tenant.files.all()) == set(texts)


@pytest.mark.parametrize("reports", range(4))
def test_the_next_sync_ends_what_a_killed_one_began(tenant: Tenant, reports: int) -> None:
    for name in ("renamed", "removed", "removed too", "changed", "same"):
        tenant.write(f"{name}.txt", f"the {name} text")
    tenant.sync()
    change_everything(tenant)
    with pytest.raises(Killed):
        tenant.sync(report=killed_at(reports))
    tenant.sync()
    assert in_line(tenant)
    assert set(states(tenant.sync()).values()) == {"unchanged"}


def test_unrecorded_commits_are_checked_again(tenant: Tenant) -> None:
    file = tenant.write("a.txt", "some dogs")
    tenant.sync()
    file.rename(tenant.folder / ".kept")
    tenant.write("a.txt", "many cats", hours=0.5)
    with pytest.raises(Killed):
        tenant.sync(files=Dying(tenant.engine._parts.catalogue.engine, tenant.engine.tenant))
    assert tenant.texts() == {"a.txt": "many cats"}
    (tenant.folder / ".kept").replace(file)  # looks as it did when it was recorded
    assert states(tenant.sync()) == {"a.txt": "ready"}
    assert tenant.texts() == {"a.txt": "some dogs"}


def test_a_record_without_its_document_does_no_harm(tenant: Tenant) -> None:
    tenant.files.put([FileRecord("gone.txt", Stamp(1, 2, 3), "a" * 64, True)])
    tenant.write("a.txt", "some dogs")
    assert states(tenant.sync()) == {"a.txt": "ready"}
    assert set(tenant.files.all()) == {"a.txt"}


def test_a_file_can_be_renamed_when_the_tenant_has_all_its_documents(open_tenant: OpenTenant, tmp_path: Path) -> None:
    tenant = _with_two_files(open_tenant("tenant: kennel\nlimits: {quotas: {documents: 2}}\n"), tmp_path)
    (tenant.folder / "a.txt").rename(tenant.folder / "c.txt")
    result = tenant.sync()
    assert (states(result), removed(result)) == ({"b.txt": "unchanged", "c.txt": "ready"}, [])
    assert result.renamed == (Rename("a.txt", "c.txt"),)


def test_a_renamed_file_that_a_quota_refuses_keeps_its_document(open_tenant: OpenTenant, tmp_path: Path) -> None:
    tenant = _with_two_files(open_tenant("tenant: kennel\nlimits: {quotas: {bytes: 40}}\n"), tmp_path)
    (tenant.folder / "a.txt").rename(tenant.folder / "c.txt")
    for _ in range(2):
        result = tenant.sync()
        assert (states(result), removed(result)) == ({"b.txt": "unchanged", "c.txt": "failed"}, [])
        assert set(tenant.texts()) == {"a.txt", "b.txt"}
    tenant.engine.delete("b.txt", purge=True)
    assert tenant.sync().renamed == (Rename("a.txt", "c.txt"),)
    assert set(tenant.texts()) == {"c.txt"}


def test_a_file_takes_the_place_of_one_that_goes_in_the_same_synchronisation(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    tenant = _with_two_files(open_tenant("tenant: kennel\nlimits: {quotas: {documents: 2}}\n"), tmp_path)
    (tenant.folder / "a.txt").unlink()
    for name in ("c.txt", "d.txt"):
        tenant.write(name, f"The text of {name}.")
    reports: list[Progress] = []
    result = tenant.sync(report=reports.append)
    assert states(result) == {"b.txt": "unchanged", "c.txt": "ready", "d.txt": "failed"}
    assert (removed(result), set(tenant.texts())) == (["a.txt"], {"b.txt", "c.txt"})
    assert (reports[-1].documents_done, reports[-1].documents_total) == (4, 4)
    assert {file.path: file.state for report in reports for file in report.latest} == {
        "a.txt": "removed",
        **states(result),
    }
    assert states(tenant.sync()) == states(result) | {"c.txt": "unchanged"}


def _with_two_files(engine: Engine, tmp_path: Path) -> Tenant:
    """Return a tenant with a folder of two files of 18 bytes."""
    tenant = Tenant(engine, tmp_path / "knowledge")
    for name in ("a.txt", "b.txt"):
        tenant.write(name, f"The text of {name}.")
    tenant.sync()
    return tenant


def test_a_document_that_is_given_while_others_are_removed_stays(tenant: Tenant) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        tenant.write(name, f"the text of {name}")
    tenant.sync()
    for name in ("b.txt", "c.txt"):
        (tenant.folder / name).unlink()

    def give(progress: Progress) -> None:
        if FileProgress("b.txt", "removed") in progress.latest:
            tenant.engine.ingest([DocumentInput("given by hand", "c.txt")])

    assert removed(tenant.sync(report=give)) == ["b.txt"]
    assert tenant.texts() == {"a.txt": "the text of a.txt", "c.txt": "given by hand"}


def test_no_more_failed_documents_are_listed_than_the_quota_allows(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant("tenant: kennel\nlimits: {quotas: {documents: 2}}\n")
    empty = [DocumentInput("", f"{name}.txt") for name in "abcd"]
    assert {result.state for result in engine.ingest(empty)} == {"failed"}
    assert [one.document_id for one in engine.documents().documents] == ["a.txt", "b.txt"]
    engine.ingest([DocumentInput("A dog barks.", "a.txt")])
    engine.ingest(empty[1:])
    listed = {one.document_id: one.state for one in engine.documents().documents}
    assert listed == {"a.txt": "ready", "b.txt": "failed", "c.txt": "failed"}
