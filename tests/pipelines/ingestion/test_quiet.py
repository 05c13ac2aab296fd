import os
import time
from pathlib import Path

from pipelines.ingestion.folder import scan
from pipelines.ingestion.quiet import QuietFile, QuietFiles, Timing

NEVER_QUIET = Timing(quiet=3600, patience=0.1)
AT_ONCE = Timing(quiet=0, patience=0)


def aged(file: Path, seconds: float, text: str = "x") -> Path:
    file.write_text(text)
    moment = time.time() - seconds
    os.utime(file, (moment, moment))
    return file


def read(folder: Path, timing: Timing, most_bytes: int = 1000) -> tuple[list[QuietFile], tuple[str, ...]]:
    reading = QuietFiles(folder, scan(folder).files, most_bytes, timing)
    return list(reading), reading.busy


def test_files_that_were_written_long_ago_are_read_in_order(tmp_path: Path) -> None:
    for name in ("b.md", "a.md"):
        aged(tmp_path / name, 7200, name)
    files, busy = read(tmp_path, NEVER_QUIET)
    assert [(file.path, file.content, file.settled) for file in files] == [
        ("a.md", b"a.md", True),
        ("b.md", b"b.md", True),
    ]
    assert busy == ()


def test_a_file_that_was_written_just_now_is_busy_until_it_is_quiet(tmp_path: Path) -> None:
    aged(tmp_path / "old.md", 7200)
    aged(tmp_path / "new.md", 0)
    files, busy = read(tmp_path, NEVER_QUIET)
    assert ([file.path for file in files], busy) == (["old.md"], ("new.md",))
    files, busy = read(tmp_path, Timing(quiet=0.2, patience=60))
    assert ({file.path for file in files}, busy) == ({"new.md", "old.md"}, ())


def test_a_clock_that_is_ahead_delays_a_file_and_never_keeps_it_out(tmp_path: Path) -> None:
    aged(tmp_path / "future.md", -86_400)
    files, busy = read(tmp_path, Timing(quiet=0.1, patience=60))
    assert [(file.path, file.settled) for file in files] == [("future.md", False)]
    assert busy == ()


def test_a_stamp_proves_nothing_where_the_file_was_written_within_a_tick_of_being_read(tmp_path: Path) -> None:
    aged(tmp_path / "a.md", 60)
    (coarse,), _ = read(tmp_path, Timing(quiet=0, patience=0, granularity=3600))
    (fine,), _ = read(tmp_path, Timing(quiet=0, patience=0, granularity=2))
    assert (coarse.settled, fine.settled) == (False, True)


def test_a_file_that_changed_since_it_was_seen_is_read_as_it_is_now(tmp_path: Path) -> None:
    aged(tmp_path / "a.md", 60, "before")
    seen = scan(tmp_path).files
    aged(tmp_path / "a.md", 30, "afterwards")
    reading = QuietFiles(tmp_path, seen, 1000, Timing(quiet=0.1, patience=60))
    (file,) = reading
    assert (file.content, file.stamp) == (b"afterwards", scan(tmp_path).files["a.md"])


def test_a_file_that_changed_since_it_was_seen_is_not_read_before_it_was_seen_twice(tmp_path: Path) -> None:
    aged(tmp_path / "a.md", 60, "before")
    seen = scan(tmp_path).files
    aged(tmp_path / "a.md", 30, "half of")
    reading = QuietFiles(tmp_path, seen, 1000, AT_ONCE)
    assert (list(reading), reading.busy) == ([], ("a.md",))


def test_a_file_that_vanishes_is_left_out(tmp_path: Path) -> None:
    aged(tmp_path / "a.md", 60)
    seen = scan(tmp_path).files
    (tmp_path / "a.md").unlink()
    reading = QuietFiles(tmp_path, seen, 1000, AT_ONCE)
    assert (list(reading), reading.busy) == ([], ())


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    aged(tmp_path / "a.md", 60, "x" * 1001)
    (file,), _ = read(tmp_path, AT_ONCE)
    assert (file.content, file.sha256, file.settled) == (tmp_path / "a.md", "", False)
