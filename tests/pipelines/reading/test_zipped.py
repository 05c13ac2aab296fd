"""ZIP archives: which files they hold, and what is refused."""

from __future__ import annotations

import io
import struct
import time
import warnings
import zipfile

import pytest

from pipelines.errors import ArchiveAsDocument, CorruptDocument, EncryptedDocument
from pipelines.reading import read, zipped
from pipelines.reading.office import packages
from pipelines.reading.zipped import ZipArchive
from tests.pipelines.reading.reader_files import archive


def opened(content: bytes) -> ZipArchive:
    return ZipArchive(io.BytesIO(content))


def test_files_are_listed_by_their_paths_and_read() -> None:
    found = opened(archive({"b/two.md": "2", "one.md": "1", "b/": ""}))
    assert dict(found.files) == {"b/two.md": 1, "one.md": 1}
    assert found.read("b/two.md") == b"2"
    assert found.read_all() == {"b/two.md": b"2", "one.md": b"1"}


def test_excluded_folder_entries_are_left_out() -> None:
    left_out = {
        ".hidden.md": "",
        ".git/config": "",
        "__MACOSX/._a.md": "",
        "~$a.docx": "",
        "a.md~": "",
        "x/.DS_Store": "",
    }
    assert list(opened(archive({**left_out, "a.md": "a"})).files) == ["a.md"]


def test_paths_of_windows_become_like_others() -> None:
    assert list(opened(archive({"b\\two.md": "2"})).files) == ["b/two.md"]


def of_pairs(*files: tuple[str, str]) -> ZipArchive:
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w") as written:
        for name, text in files:
            written.writestr(name, text)
    return ZipArchive(file)


def test_files_of_equal_names_are_told_apart_and_the_last_keeps_its_name() -> None:
    found = of_pairs(
        ("b/a.md", "1"), ("b\\a.md", "2"), ("b/a (2).md", "other"), ("b/a.md", "3"), ("c", "x"), ("c", "y")
    )
    assert found.read_all() == {
        "b/a.md": b"3",
        "b/a (2).md": b"other",
        "b/a (3).md": b"2",
        "b/a (4).md": b"1",
        "c": b"y",
        "c (2)": b"x",
    }


def test_copies_of_one_content_under_one_name_are_one_file() -> None:
    assert of_pairs(("a.md", "1"), ("a.md", "1")).read_all() == {"a.md": b"1"}


def test_very_many_equal_names_are_told_apart_quickly() -> None:
    files = [("a.md", str(number)) for number in range(20_000)]
    began = time.process_time()
    with pytest.raises(CorruptDocument, match="20,000 files"):
        of_pairs(*files)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("name", ["../evil.md", "/etc/passwd", "a/../../b.md", "..\\evil.md", "C:\\evil.md"])
def test_an_archive_with_a_path_that_leads_out_of_it_is_refused(name: str) -> None:
    with pytest.raises(CorruptDocument, match="leads out of it"):
        opened(archive({"a.md": "a", name: "x"}))


@pytest.mark.parametrize("name", ["Part 1:/a.md", "12:/a.md", "Chapter:/b/a.md", "a/C:/a.md", "C:a.md"])
def test_a_colon_in_the_name_of_a_folder_leads_nowhere(name: str) -> None:
    assert opened(archive({name: "a"})).read_all() == {name: b"a"}


def test_an_archive_as_one_document_is_refused_with_what_to_do() -> None:
    with pytest.raises(ArchiveAsDocument, match="each file in it becomes a document"):
        read(archive({"a.md": "a"}), name="a.zip")
    with pytest.raises(ArchiveAsDocument):
        read(archive({"a.md": "a"}), name="inner.zip", media_type="application/zip")


def test_an_archive_without_files_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="no files"):
        read(archive({"folder/": "", ".hidden": ""}), name="a.zip")


def test_one_that_unpacks_beyond_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive({f"{number}.txt": b"\0" * 1_000_000 for number in range(5)})
    assert len(bomb) < 10_000
    monkeypatch.setattr(zipped, "LARGEST_IN_MEMORY", 2_000_000)
    with pytest.raises(CorruptDocument, match="would unpack to 5,000,000 bytes"):
        read(bomb, name="a.zip")
    monkeypatch.setattr(zipped, "LARGEST_ARCHIVE", 4_000_000)
    with pytest.raises(CorruptDocument, match=r"4,000,000 .* split it"):
        opened(bomb)


def test_one_with_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "MOST_FILES", 10)
    with pytest.raises(CorruptDocument, match="11 files"):
        opened(archive({f"{number}.md": "" for number in range(11)}))


def test_a_list_of_files_that_takes_minutes_to_read_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    content = archive({f"{number}.md": "" for number in range(100)})
    monkeypatch.setattr(packages, "LONGEST_LIST", 1000)
    with pytest.raises(CorruptDocument, match="more parts"):
        opened(content)


def test_a_directory_of_unknown_length_is_not_read() -> None:
    content = archive({"a.md": "a"})
    end = content.index(b"PK\x05\x06")
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 0, 1)
    with pytest.raises(CorruptDocument, match="more parts"):
        opened(content[:end] + locator + content[end:])


def test_a_file_is_not_unpacked_beyond_the_size_it_declares() -> None:
    content = bytearray(archive({"a.md": "a" * 1000}))
    listed = content.index(b"PK\x01\x02")
    content[listed + 24 : listed + 28] = struct.pack("<I", 10)
    with pytest.raises(CorruptDocument, match=r"a\.md is damaged"):
        opened(bytes(content)).read("a.md")


def test_a_damaged_file_fails_alone() -> None:
    content = bytearray(archive({"a.md": "a" * 50, "b.md": "b"}, zipfile.ZIP_STORED))
    content[content.index(b"aaaa")] = 0
    found = opened(bytes(content))
    assert found.read("b.md") == b"b"
    with pytest.raises(CorruptDocument, match=r"a\.md is damaged"):
        found.read("a.md")


def test_a_file_with_a_password_is_reported() -> None:
    content = bytearray(archive({"a.md": "a"}))
    for place in (content.index(b"PK\x03\x04") + 6, content.index(b"PK\x01\x02") + 8):
        content[place] |= 1
    with pytest.raises(EncryptedDocument):
        opened(bytes(content)).read("a.md")


def test_an_archive_that_was_cut_off_is_refused() -> None:
    content = archive({"a.md": "a" * 1000})
    for kept in (10, len(content) // 2, len(content) - 10):
        with pytest.raises(CorruptDocument):
            read(content[:kept], name="a.zip")
