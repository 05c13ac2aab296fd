"""Paths into archives, of whatever kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.reading.archive import file_size, files_of, in_archive, is_archive, opened_archive, read_file
from tests.pipelines.reading.reader_files import archive


def test_paths_lead_into_archives(tmp_path: Path) -> None:
    file = tmp_path / "Manuals.ZIP"
    file.write_bytes(archive({"b/two.md": "22"}))
    inside = file / "b" / "two.md"
    assert in_archive(inside) == (file, "b/two.md")
    assert in_archive(file) is None
    assert (file_size(inside), read_file(inside)) == (2, b"22")
    assert file_size(file) == len(read_file(file))
    with pytest.raises(FileNotFoundError):
        read_file(file / "gone.md")
    (tmp_path / "folder.zip").mkdir()
    assert in_archive(tmp_path / "folder.zip" / "a.md") is None


def test_an_archive_that_changed_is_opened_again(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(archive({"a.md": "1"}))
    assert opened_archive(file) is opened_archive(file)
    file.write_bytes(archive({"a.md": "1", "b.md": "2"}))
    assert list(opened_archive(file).files) == ["a.md", "b.md"]


def test_a_mailbox_is_an_archive_of_its_messages(tmp_path: Path) -> None:
    content = b"From - Mon Jan  5 10:00:00 2026\nSubject: Keys\n\nWith the porter.\n"
    file = tmp_path / "Sent.mbox"
    file.write_bytes(content)
    inside = file / "Keys.eml"
    assert is_archive(file.name)
    assert in_archive(inside) == (file, "Keys.eml")
    assert read_file(inside) == files_of("Sent.mbox", content)["Keys.eml"] == b"Subject: Keys\n\nWith the porter.\n"
    assert file_size(inside) == len(read_file(inside))


def test_what_is_no_archive_has_no_files() -> None:
    assert not is_archive("a.md")
    with pytest.raises(ValueError, match=r"a\.md is not the name of an archive"):
        files_of("a.md", b"")
