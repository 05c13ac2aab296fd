import os
import time
from pathlib import Path

import pytest

from pipelines.errors import KnowledgeFolderEmpty
from pipelines.types import DocumentInput, FileProgress, IngestResult, Progress, Rename
from tests.conftest import OpenTenant
from tests.packing import packed
from tests.pipelines.ingestion.knowledge import HOUR_NS, PROFILE, Tenant, removed, states


@pytest.fixture
def tenant(open_tenant: OpenTenant, tmp_path: Path) -> Tenant:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    return Tenant(open_tenant(PROFILE), folder)


def test_new_changed_and_removed_files_are_followed(tenant: Tenant) -> None:
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        tenant.write(name, f"the text of {name}")
    assert set(states(tenant.sync()).values()) == {"ready"}
    tenant.write("a.txt", "another text", hours=0.5)
    (tenant.folder / "b.txt").unlink()
    result = tenant.sync()
    assert states(result) == {"a.txt": "ready", "sub/c.txt": "unchanged"}
    assert removed(result) == ["b.txt"]
    assert tenant.texts() == {"a.txt": "another text", "sub/c.txt": "the text of sub/c.txt"}
    assert set(tenant.files.all()) == {"a.txt", "sub/c.txt"}


def test_unchanged_files_are_not_read_again(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    first = tenant.sync().results[0]
    tenant.overwrite_unseen("a.txt", "many cats")
    (result,) = tenant.sync().results
    assert result == IngestResult("a.txt", "unchanged", first.version, snapshot=first.snapshot, source="a.txt")
    assert tenant.texts() == {"a.txt": "some dogs"}


def test_a_file_that_was_written_within_a_tick_of_being_read_is_read_again(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs", hours=0)
    tenant.sync()
    tenant.overwrite_unseen("a.txt", "many cats")
    assert states(tenant.sync()) == {"a.txt": "ready"}
    assert tenant.texts() == {"a.txt": "many cats"}


def test_a_file_that_was_only_touched_is_unchanged_and_not_read_the_next_time(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs", hours=2)
    tenant.sync()
    tenant.write("a.txt", "some dogs", hours=1)
    before = tenant.engine.stats()
    assert states(tenant.sync()) == {"a.txt": "unchanged"}
    after = tenant.engine.stats()
    assert (after.versions, after.snapshot) == (before.versions, before.snapshot)
    tenant.overwrite_unseen("a.txt", "many cats")
    assert states(tenant.sync()) == {"a.txt": "unchanged"}


def test_two_equal_files_stay_two_documents_and_a_copy_is_not_a_rename(tenant: Tenant) -> None:
    tenant.write("a.txt", "the same text")
    tenant.write("b.txt", "the same text")
    tenant.sync()
    tenant.write("c.txt", "the same text")
    result = tenant.sync()
    assert (result.renamed, result.removed) == ((), ())
    assert set(tenant.texts()) == {"a.txt", "b.txt", "c.txt"}


def test_a_renamed_file_is_one_commit(tenant: Tenant) -> None:
    tenant.write("a.txt", "the text that moves")
    before = tenant.sync().results[0].snapshot
    (tenant.folder / "sub").mkdir()
    (tenant.folder / "a.txt").rename(tenant.folder / "sub" / "z.txt")
    result = tenant.sync()
    assert result.renamed == (Rename("a.txt", "sub/z.txt"),)
    assert result.removed == ()
    assert result.results[0].snapshot == before + 1
    for as_of, name in ((before, "a.txt"), (before + 1, "sub/z.txt"), (None, "sub/z.txt")):
        found = tenant.engine.search("the text that moves", as_of=as_of)
        assert [hit.document_id for hit in found] == [name]
    assert set(tenant.files.all()) == {"sub/z.txt"}
    assert states(tenant.sync()) == {"sub/z.txt": "unchanged"}


def test_renames_of_equal_files_are_matched_one_to_one_and_by_name_first(tenant: Tenant) -> None:
    for name in ("old/x.txt", "old/y.txt", "z.txt"):
        tenant.write(name, "the same text")
    tenant.sync()
    (tenant.folder / "old").rename(tenant.folder / "new")
    (tenant.folder / "z.txt").unlink()
    tenant.write("new/another.txt", "the same text")
    tenant.write("new/one more.txt", "the same text")
    result = tenant.sync()
    assert result.renamed == (
        Rename("old/x.txt", "new/another.txt"),
        Rename("old/y.txt", "new/one more.txt"),
        Rename("z.txt", "new/x.txt"),
    )
    assert result.removed == ()
    assert set(tenant.texts()) == {"new/another.txt", "new/one more.txt", "new/x.txt", "new/y.txt"}


def test_a_renamed_folder_keeps_the_names_of_its_files(tenant: Tenant) -> None:
    for name in ("old/b.txt", "old/a.txt"):
        tenant.write(name, "the same text")
    tenant.sync()
    (tenant.folder / "old").rename(tenant.folder / "new")
    assert tenant.sync().renamed == (Rename("old/a.txt", "new/a.txt"), Rename("old/b.txt", "new/b.txt"))


def test_a_file_that_was_renamed_and_changed_is_a_new_one(tenant: Tenant) -> None:
    tenant.write("a.txt", "the text")
    tenant.sync()
    (tenant.folder / "a.txt").unlink()
    tenant.write("b.txt", "the text, changed")
    result = tenant.sync()
    assert (result.renamed, removed(result), states(result)) == ((), ["a.txt"], {"b.txt": "ready"})


def test_a_file_renamed_to_what_cannot_be_read_takes_its_document_along(tenant: Tenant) -> None:
    tenant.write("a.txt", "the text")
    tenant.sync()
    (tenant.folder / "a.txt").rename(tenant.folder / "a.exe")
    result = tenant.sync()
    assert (result.renamed, removed(result), states(result)) == ((), ["a.txt"], {"a.exe": "failed"})
    assert tenant.texts() == {}


def test_a_failed_file_is_reported_again_without_being_read(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.write("a.json", "no { JSON")
    (failed,) = [result for result in tenant.sync().results if result.state == "failed"]
    tenant.overwrite_unseen("a.json", '"is JSON"')
    (again,) = [result for result in tenant.sync().results if result.state == "failed"]
    assert (again.document_id, again.reason) == ("a.json", failed.reason)
    tenant.write("a.json", '"is JSON"', hours=0.5)
    assert states(tenant.sync())["a.json"] == "ready"


def test_a_file_that_failed_is_tried_again_by_other_rules(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.write("a.json", "no { JSON")
    tenant.sync()
    tenant.overwrite_unseen("a.json", '"is JSON"')
    assert states(tenant.sync(rules="2")) == {"a.json": "ready", "a.txt": "unchanged"}


def test_a_change_that_fails_keeps_the_version_that_is_readable(tenant: Tenant) -> None:
    tenant.write("a.md", "---\nspecies: dog\n---\nBeagles howl.\n", hours=2)
    tenant.sync()
    tenant.write("a.md", "---\nspecies: bird\n---\nParrots talk.\n", hours=1)
    for _ in range(2):
        assert states(tenant.sync()) == {"a.md": "failed"}
        assert tenant.texts() == {"a.md": "Beagles howl."}
    tenant.write("a.md", "---\nspecies: dog\n---\nBeagles howl.\n", hours=0.5)
    assert states(tenant.sync()) == {"a.md": "unchanged"}
    assert tenant.engine.document("a.md").reason is None


def test_a_failure_that_is_not_the_files_does_not_stay(tenant: Tenant) -> None:
    tenant.write("a.md", "Beagles howl.")
    tenant.sync()
    tenant.engine.ingest([DocumentInput("", document_id="a.md")])
    assert tenant.engine.document("a.md").reason is not None
    assert states(tenant.sync()) == {"a.md": "unchanged"}
    assert tenant.engine.document("a.md").reason is None


def test_a_file_that_is_too_large_is_refused_and_taken_when_it_is_smaller(tenant: Tenant) -> None:
    tenant.write("a.txt", "x" * 60)
    tenant.write("b.txt", "text")
    assert states(tenant.sync(most_bytes=50)) == {"a.txt": "ready", "b.txt": "ready"}  # the profile has the last word
    tenant.write("a.txt", "y" * (tenant.engine.profile.limits.file_bytes + 1))
    result = tenant.sync(most_bytes=tenant.engine.profile.limits.file_bytes)
    assert [document.code for document in result.results] == ["document_too_large", None]
    assert tenant.texts()["a.txt"] == "x" * 60
    tenant.write("a.txt", "z" * 70)
    assert states(tenant.sync()) == {"a.txt": "ready", "b.txt": "unchanged"}


def test_documents_that_were_given_are_left_alone(tenant: Tenant) -> None:
    tenant.engine.ingest([DocumentInput("Given by hand.", document_id="given.txt")])
    tenant.write("a.txt", "Given by hand.")
    tenant.write("b.txt", "something else")
    assert tenant.sync().renamed == ()
    (tenant.folder / "a.txt").unlink()
    tenant.sync()
    assert set(tenant.texts()) == {"given.txt", "b.txt"}


def test_a_file_of_the_name_of_a_given_document_owns_it(tenant: Tenant) -> None:
    tenant.engine.ingest([DocumentInput("Given by hand.", document_id="a.txt")])
    tenant.write("a.txt", "From the folder.")
    tenant.write("b.txt", "something else")
    tenant.sync()
    assert tenant.texts()["a.txt"] == "From the folder."
    (tenant.folder / "a.txt").unlink()
    assert removed(tenant.sync()) == ["a.txt"]


@pytest.mark.parametrize("touched", [False, True])
def test_what_was_given_over_a_file_stands_until_the_file_changes(tenant: Tenant, touched: bool) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.sync()
    tenant.engine.ingest([DocumentInput("Given by hand.", document_id="a.txt")])
    for _ in range(2):
        if touched:
            os.utime(tenant.folder / "a.txt")
        assert states(tenant.sync()) == {"a.txt": "unchanged"}
        assert tenant.texts() == {"a.txt": "Given by hand."}
    tenant.write("a.txt", "From the folder, changed.")
    assert states(tenant.sync()) == {"a.txt": "ready"}
    assert tenant.texts() == {"a.txt": "From the folder, changed."}


@pytest.mark.parametrize("purge", [False, True])
def test_a_document_deleted_by_hand_stays_away_until_its_file_changes(tenant: Tenant, purge: bool) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.sync()
    tenant.engine.delete("a.txt", purge=purge)
    for _ in range(2):
        result = tenant.sync()
        assert states(result) == {"a.txt": "unchanged"}
        assert "was deleted" in (result.results[0].reason or "")
        assert tenant.texts() == {}
    tenant.write("a.txt", "From the folder, changed.")
    assert states(tenant.sync()) == {"a.txt": "ready"}
    assert tenant.texts() == {"a.txt": "From the folder, changed."}


def test_a_file_removed_and_restored_is_ingested_again(tenant: Tenant) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.write("b.txt", "something else")
    tenant.sync()
    (tenant.folder / "a.txt").rename(tenant.folder.parent / "a.txt")
    tenant.sync()
    (tenant.folder.parent / "a.txt").rename(tenant.folder / "a.txt")
    assert states(tenant.sync()) == {"a.txt": "ready", "b.txt": "unchanged"}


def test_a_document_deleted_by_hand_with_its_file_is_not_an_error(tenant: Tenant) -> None:
    tenant.write("a.txt", "From the folder.")
    tenant.write("b.txt", "something else")
    tenant.sync()
    tenant.engine.delete("a.txt")
    (tenant.folder / "a.txt").unlink()
    assert tenant.sync().removed == ()
    assert set(tenant.files.all()) == {"b.txt"}


def test_an_unchanged_folder_is_reported_at_once_and_in_full(tenant: Tenant) -> None:
    for number in range(3):
        tenant.write(f"{number}.txt", f"text {number}")
    tenant.sync()
    reports: list[Progress] = []
    tenant.sync(report=reports.append)
    assert reports == [Progress(3, 3, 0, tuple(FileProgress(f"{number}.txt", "unchanged") for number in range(3)))]


def test_progress_reports_every_file_once_and_ends_at_the_total(tenant: Tenant) -> None:
    for number in range(6):
        tenant.write(f"{number}.txt", f"text {number}")
    tenant.sync()
    (tenant.folder / "0.txt").unlink()
    (tenant.folder / "1.txt").rename(tenant.folder / "moved.txt")
    tenant.write("2.txt", "another text", hours=0.5)
    tenant.write("3.json", "no { JSON")
    reports: list[Progress] = []
    tenant.sync(report=reports.append)
    reported = {file.path: file.state for progress in reports for file in progress.latest}
    assert reported == {
        "0.txt": "removed",
        "2.txt": "ready",
        "3.json": "failed",
        "3.txt": "unchanged",
        "4.txt": "unchanged",
        "5.txt": "unchanged",
        "moved.txt": "renamed",
    }
    assert sum(len(progress.latest) for progress in reports) == len(reported)
    assert [progress.documents_done for progress in reports] == sorted(progress.documents_done for progress in reports)
    assert (reports[-1].documents_done, reports[-1].documents_total, reports[-1].chunks) == (8, 8, 2)


def test_the_engine_follows_the_folder_that_the_profile_names(open_tenant: OpenTenant, tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    engine = open_tenant(PROFILE + "knowledge: {path: knowledge, sync: startup}\n")
    tenant = Tenant(engine, folder)
    tenant.write("a.md", "---\nspecies: dog\n---\nBeagles howl.\n", hours=0)  # saved just now
    assert states(engine.sync()) == {"a.md": "ready"}
    (folder / "a.md").rename(folder / "b.md")
    assert engine.sync().renamed == (Rename("a.md", "b.md"),)
    assert [hit.document_id for hit in engine.search("What do beagles do?", filters={"species": "dog"})] == ["b.md"]
    (folder / "b.md").unlink()
    with pytest.raises(KnowledgeFolderEmpty):
        engine.sync()
    assert removed(engine.sync(allow_empty=True)) == ["b.md"]


def test_the_files_of_an_archive_are_followed_like_others(tenant: Tenant) -> None:
    pack(tenant, packed(dogs__pug_md="The Pug snores.", manx_md="The Manx has no tail.", broken_pdf="%PDF-1.7 x"), 3)
    assert states(tenant.sync()) == {
        "pets.zip/broken.pdf": "failed", "pets.zip/dogs/pug.md": "ready", "pets.zip/manx.md": "ready",
    }  # fmt: skip
    assert set(states(tenant.sync()).values()) == {"unchanged", "failed"}
    pack(tenant, packed(dogs__pug_md="The Pug barks.", manx_md="The Manx has no tail.", new_md="A new one."), 2)
    result = tenant.sync()
    assert states(result) == {
        "pets.zip/dogs/pug.md": "ready", "pets.zip/manx.md": "unchanged", "pets.zip/new.md": "ready",
    }  # fmt: skip
    assert removed(result) == ["pets.zip/broken.pdf"]
    (tenant.folder / "pets.zip").unlink()
    assert sorted(removed(tenant.sync(allow_empty=True))) == [
        "pets.zip/dogs/pug.md", "pets.zip/manx.md", "pets.zip/new.md",
    ]  # fmt: skip


def test_the_messages_of_a_mailbox_are_followed(tenant: Tenant) -> None:
    messages = [f"From - \nSubject: Pug {day}\nFrom: Ann\n\nThe Pug snores.\n" for day in ("one", "two", "three")]
    file = tenant.write("inbox.mbox", "\n".join(messages[:2]), 3)
    assert states(tenant.sync()) == {"inbox.mbox/Pug one.eml": "ready", "inbox.mbox/Pug two.eml": "ready"}
    file.unlink()
    tenant.write("inbox.mbox", "\n".join(messages[1:]), 2)
    result = tenant.sync()
    assert states(result) == {"inbox.mbox/Pug two.eml": "unchanged", "inbox.mbox/Pug three.eml": "ready"}
    assert removed(result) == ["inbox.mbox/Pug one.eml"]


def test_an_archive_that_is_damaged_fails_and_its_documents_stay(tenant: Tenant) -> None:
    content = packed(pug_md="The Pug snores.")
    pack(tenant, content, 3)
    tenant.sync()
    pack(tenant, content[:50], 2)
    result = tenant.sync()
    assert states(result) == {"pets.zip": "failed"}
    assert "damaged or was cut off" in (result.results[0].reason or "")
    assert tenant.texts() == {"pets.zip/pug.md": "The Pug snores."}
    pack(tenant, content, 1)
    result = tenant.sync()
    assert (states(result), removed(result)) == ({"pets.zip/pug.md": "unchanged"}, ["pets.zip"])


def test_a_file_that_is_packed_is_renamed(tenant: Tenant) -> None:
    tenant.write("pug.md", "The Pug snores.")
    tenant.sync()
    (tenant.folder / "pug.md").unlink()
    pack(tenant, packed(pug_md="The Pug snores."), 1)
    assert tenant.sync().renamed == (Rename("pug.md", "pets.zip/pug.md"),)


def pack(tenant: Tenant, content: bytes, hours: float) -> None:
    tenant.write("pets.zip", "", hours).write_bytes(content)
    moment = time.time_ns() - int(hours * HOUR_NS)
    os.utime(tenant.folder / "pets.zip", ns=(moment, moment))


@pytest.mark.parametrize("purge", [False, True])
def test_a_file_that_fails_after_its_document_was_deleted_stays_failed(tenant: Tenant, purge: bool) -> None:
    tenant.write("a.md", "Beagles howl.", hours=3)
    tenant.sync()
    tenant.engine.delete("a.md", purge=purge)
    tenant.write("a.md", "---\nspecies: bird\n---\nParrots talk.\n", hours=2)
    for _ in range(2):
        assert states(tenant.sync()) == {"a.md": "failed"}
        assert tenant.engine.document("a.md").state == "failed"
    tenant.write("a.md", "Beagles howl again.", hours=1)
    assert states(tenant.sync()) == {"a.md": "ready"}
