"""A report takes the place of a former one as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipelines.evaluation.report_files import write_files

WHOLE = {"report.html": "<p>", "report.json": "{}", "run.trec": "q Q0 d 1 1 t\n", "per_query.jsonl": ""}


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_a_report_is_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    write_files(tmp_path / "a" / "b", WHOLE)
    assert contents(tmp_path / "a" / "b") == WHOLE


def test_a_report_that_cannot_be_written_leaves_the_former_one(tmp_path: Path) -> None:
    write_files(tmp_path, WHOLE)
    with pytest.raises(UnicodeEncodeError):  # in the last file, when the others are written
        write_files(tmp_path, {"report.html": "new", "report.json": "new", "per_query.jsonl": "\ud800"})
    assert contents(tmp_path) == WHOLE


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    write_files(tmp_path, WHOLE)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            write_files(tmp_path, {"report.json": "new"})
        assert contents(tmp_path) == WHOLE
    finally:
        tmp_path.chmod(0o700)


def test_files_of_a_former_report_of_another_kind_go_and_those_of_others_stay(tmp_path: Path) -> None:
    write_files(tmp_path, WHOLE)
    (tmp_path / "notes.txt").write_text("mine")
    write_files(tmp_path, {"report.html": "2", "report.json": "2"})
    assert contents(tmp_path) == {"report.html": "2", "report.json": "2", "notes.txt": "mine"}


def test_a_file_of_a_folder_that_holds_no_report_stays(tmp_path: Path) -> None:
    (tmp_path / "run.trec").write_text("mine")
    write_files(tmp_path, {"report.html": "1", "report.json": "1"})
    assert (tmp_path / "run.trec").read_text() == "mine"


def test_a_folder_in_the_place_of_a_file_leaves_the_former_report(tmp_path: Path) -> None:
    write_files(tmp_path, {"report.html": "1", "report.json": "1"})
    (tmp_path / "run.trec").mkdir()
    with pytest.raises(IsADirectoryError):
        write_files(tmp_path, WHOLE)
    assert (tmp_path / "report.html").read_text() == "1"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["report.html", "report.json", "run.trec"]
