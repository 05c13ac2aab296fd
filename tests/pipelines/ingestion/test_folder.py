import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.errors import CorruptDocument
from pipelines.ingestion.folder import look, read_whole, scan
from pipelines.reading.names import is_ignored
from tests.packing import packed


def write(file: Path, text: str = "x") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@contextmanager
def unprivileged(*folders: Path) -> Iterator[None]:
    """As a user who must obey permissions, and who may do anything in ``folders`` where these allow it."""
    if os.geteuid() != 0:
        yield
        return
    for folder in folders:
        for above in [parent for parent in folder.parents if parent.stat().st_uid == 0 and len(parent.parts) > 2]:
            above.chmod(above.stat().st_mode | 0o011)
        for entry in (folder, *folder.rglob("*")):
            os.chown(entry, 65534, 65534, follow_symlinks=False)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_files_are_named_by_their_relative_paths_in_order(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.md", "b/c/three.pdf", "b.md"):
        write(tmp_path / "docs" / name, name)
    found = scan(tmp_path / "docs")
    assert list(found.files) == ["a.md", "b.md", "b/c/three.pdf", "b/two.md"]
    assert found.files["a.md"].size == 4
    assert found.unreadable == {}


@pytest.mark.parametrize(
    "name",
    [
        ".hidden.md",
        ".notes.md.swp",
        ".#notes.md",
        "notes.md~",
        "#notes.md#",
        "~$notes.docx",
        "notes.md.tmp",
        "NOTES.TMP",
        "book.pdf.part",
        "book.pdf.crdownload",
    ],
)
def test_unfinished_and_hidden_files_are_left_out(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert is_ignored(name)
    assert scan(tmp_path).files == {}


@pytest.mark.parametrize("name", ["c#.md", "#1.md", "~notes.md", "temp.md", "tmp", "part", "a~b.md"])
def test_names_that_only_resemble_them_count(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert list(scan(tmp_path).files) == [name]


def test_hidden_folders_are_left_out(tmp_path: Path) -> None:
    write(tmp_path / ".git" / "config")
    write(tmp_path / "drafts.tmp" / "a.md")
    assert list(scan(tmp_path).files) == ["drafts.tmp/a.md"]


def test_links_that_lead_out_are_not_followed_and_those_inside_are_files(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(tmp_path / "secret.md", "secret")
    write(docs / "a.md", "inside")
    (docs / "out.md").symlink_to(tmp_path / "secret.md")
    (docs / "up").symlink_to(tmp_path)
    (docs / "in.md").symlink_to("a.md")
    (docs / "broken.md").symlink_to("absent.md")
    (docs / "circle.md").symlink_to("circle.md")
    found = scan(docs)
    assert list(found.files) == ["a.md", "in.md"]
    assert found.unreadable == {}
    assert look(docs, "in.md") == found.files["in.md"]
    assert look(docs, "out.md") is None
    assert look(docs, "up/secret.md") is None


def test_a_folder_that_is_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.md")
    (tmp_path / "link").symlink_to("real")
    assert list(scan(tmp_path / "link").files) == ["a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_non_files_are_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert scan(tmp_path).files == {}


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        scan(tmp_path / "absent")
    with pytest.raises(NotADirectoryError):
        scan(write(tmp_path / "file"))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others here")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_subfolder_that_cannot_be_read_is_named_and_nothing_in_it_is_missing(tmp_path: Path, mode: int) -> None:
    docs = tmp_path / "docs"
    for name in ("a.md", "sub/b.md", "sub/c/d.md", "submarine.md"):
        write(docs / name)
    with unprivileged(docs):
        (docs / "sub").chmod(mode)
        found = scan(docs)
        (docs / "sub").chmod(0o755)
    assert list(found.files) == ["a.md", "submarine.md"]
    assert found.unreadable == {"sub": "Permission denied"}
    assert found.missing(["sub/b.md", "sub/c/d.md", "sub.md", "a.md"]) == {"sub.md"}


def test_a_file_is_read_only_if_it_is_the_one_that_was_looked_at(tmp_path: Path) -> None:
    file = write(tmp_path / "a.md", "before")
    stamp = scan(tmp_path).files["a.md"]
    assert read_whole(file, stamp) == b"before"
    write(file, "afterwards")
    assert read_whole(file, stamp) is None
    assert read_whole(file, scan(tmp_path).files["a.md"]) == b"afterwards"


def test_a_file_of_the_same_size_and_time_in_its_place_is_another(tmp_path: Path) -> None:
    file = write(tmp_path / "a.md", "before")
    stamp = scan(tmp_path).files["a.md"]
    other = write(tmp_path / "b.md", "after!")
    os.utime(other, ns=(stamp.modified_ns, stamp.modified_ns))
    other.replace(file)
    assert read_whole(file, stamp) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems want names to be Unicode")
def test_names_that_are_not_unicode_are_found(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    assert [os.fsencode(path) for path in scan(tmp_path).files] == [b"caf\xe9.md"]


def test_the_files_of_an_archive_are_files_of_the_folder(tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    archive.write_bytes(packed(one_md="1", deep__two_md="22", _hidden="x"))
    found = scan(tmp_path)
    assert {path: stamp.size for path, stamp in found.files.items()} == {"b.zip/deep/two.md": 2, "b.zip/one.md": 1}
    stamp = found.files["b.zip/deep/two.md"]
    assert look(tmp_path, "b.zip/deep/two.md") == stamp
    assert look(tmp_path, "b.zip/gone.md") is None
    assert read_whole(tmp_path / "b.zip/deep/two.md", stamp) == b"22"
    os.utime(archive, ns=(0, 0))
    assert look(tmp_path, "b.zip/deep/two.md") != stamp
    assert read_whole(tmp_path / "b.zip/deep/two.md", stamp) is None


def test_an_archive_that_cannot_be_opened_is_a_file_and_hides_what_came_from_it(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(packed(one_md="1" * 1000)[:60])
    found = scan(tmp_path)
    assert list(found.files) == ["b.zip"]
    assert found.missing(["b.zip/one.md", "b.zip", "a.md"]) == {"a.md"}
    assert look(tmp_path, "b.zip/one.md") is None


def test_a_damaged_file_in_an_archive_is_reported_on_reading(tmp_path: Path) -> None:
    content = packed(one_md="1" * 1000)
    (tmp_path / "b.zip").write_bytes(content[:40] + bytes([content[40] ^ 255]) + content[41:])
    stamp = scan(tmp_path).files["b.zip/one.md"]
    with pytest.raises(CorruptDocument, match=r"one\.md is damaged"):
        read_whole(tmp_path / "b.zip/one.md", stamp)
