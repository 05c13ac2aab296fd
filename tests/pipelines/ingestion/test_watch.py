import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.ingestion.watch import Pace, watch
from tests.pipelines.ingestion.test_folder import unprivileged

PACE = Pace(quiet=0.2, patience=5.0, pause=0.1, poll=0.2)


class Watched:
    """A folder that is watched, and how often it was called changed."""

    def __init__(self, folder: Path, polling: bool = False, pace: Pace = PACE) -> None:
        self.folder = folder
        self.calls = 0
        self.fails = False
        self._stop = threading.Event()
        never = {"never": (folder.parent, folder / "data")}
        self._thread = threading.Thread(
            target=watch, args=(folder, self._changed, self._stop, pace, polling), kwargs=never
        )
        self._thread.start()

    def _changed(self) -> None:
        self.calls += 1
        if self.fails:
            raise ValueError("the first synchronisation fails")

    def comes(self, calls: int) -> bool:
        return eventually(lambda: self.calls >= calls)

    def after(self, change: Callable[[], object]) -> bool:
        """Whether a change is told of."""
        before = self.calls
        change()
        return self.comes(before + 1)

    def close(self) -> None:
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "knowledge" / "sub").mkdir(parents=True)
    return tmp_path / "knowledge"


@pytest.fixture(params=["told", "polling"])
def watched(folder: Path, request: pytest.FixtureRequest) -> Iterator[Watched]:
    opened = Watched(folder, request.param == "polling")
    assert opened.comes(1)
    yield opened
    opened.close()


def test_the_beginning_counts_as_a_change(watched: Watched) -> None:
    assert watched.calls == 1


def test_added_changed_moved_and_deleted_files_are_reported(watched: Watched) -> None:
    file = watched.folder / "sub" / "a.md"
    assert watched.after(lambda: file.write_text("x"))
    assert watched.after(lambda: file.write_text("changed"))
    assert watched.after(lambda: file.rename(watched.folder / "b.md"))
    assert watched.after((watched.folder / "b.md").unlink)


def test_changes_in_a_new_folder_are_reported(watched: Watched) -> None:
    (watched.folder / "new" / "below").mkdir(parents=True)
    assert watched.after(lambda: (watched.folder / "new" / "below" / "a.md").write_text("x"))
    assert watched.after(lambda: (watched.folder / "new" / "below" / "a.md").write_text("changed"))


def test_hidden_and_unfinished_files_and_data_are_not_reported(watched: Watched) -> None:
    for name in (".hidden.md", "sub/.a.md.swp", "a.md~", "#a.md#", "~$a.docx", "a.pdf.part"):
        (watched.folder / name).write_text("x")
    (watched.folder / ".git").mkdir()
    (watched.folder / ".git" / "config").write_text("x")
    (watched.folder / "data").mkdir()
    (watched.folder / "data" / "catalogue.sqlite").write_text("x")
    time.sleep(1)  # long enough for a call that must not come
    assert watched.calls == 1
    assert watched.after(lambda: (watched.folder / "a.md").write_text("x"))


def test_many_changes_at_once_are_reported_together(folder: Path) -> None:
    watched = Watched(folder, pace=Pace(quiet=2.0, patience=60.0))
    try:
        assert watched.comes(1)
        for number in range(200):
            (folder / f"{number}.md").write_text("x")
        assert watched.comes(2)
        assert watched.calls == 2
    finally:
        watched.close()


def test_endless_changes_are_still_reported(folder: Path) -> None:
    watched = Watched(folder, pace=Pace(quiet=3600, patience=0.5))
    try:
        assert watched.comes(1)
        for number in range(3):
            (folder / "log.md").write_text(str(number))
            assert watched.comes(number + 2)
    finally:
        watched.close()


def test_a_folder_without_news_is_called_changed_now_and_then(folder: Path) -> None:
    watched = Watched(folder, pace=Pace(quiet=0.1, every=0.1))
    try:
        assert watched.comes(3)
    finally:
        watched.close()


def test_an_error_does_not_end_the_watch(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    watched.fails = True
    assert watched.after(lambda: (watched.folder / "a.md").write_text("x"))
    watched.fails = False
    assert watched.after(lambda: (watched.folder / "a.md").write_text("changed"))
    assert "the first synchronisation fails" in caplog.text


def test_a_folder_that_goes_and_comes_back_is_watched_again(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    shutil.rmtree(watched.folder)
    assert eventually(lambda: "cannot be read; waiting for it" in caplog.text)
    assert watched.after(watched.folder.mkdir)
    assert watched.after(lambda: (watched.folder / "a.md").write_text("x"))


def test_a_missing_folder_is_awaited(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "later")
    try:
        assert watched.after((tmp_path / "later").mkdir)
    finally:
        watched.close()


def test_another_folder_in_its_place_is_watched(watched: Watched) -> None:
    other = watched.folder.with_name("other")
    other.mkdir()
    watched.folder.rename(watched.folder.with_name("former"))
    assert watched.after(lambda: other.rename(watched.folder))
    for text in ("x", "changed", "changed again"):
        assert watched.after(lambda text=text: (watched.folder / "a.md").write_text(text))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems want names to be Unicode")
def test_a_name_that_is_not_unicode_does_not_end_the_watch(watched: Watched) -> None:
    assert watched.after(lambda: (watched.folder / os.fsdecode(b"caf\xe9.md")).write_text("x"))
    assert watched.after(lambda: (watched.folder / "a.md").write_text("x"))


FEW_WATCHES = "echo 5 > /proc/sys/user/max_inotify_watches"
WATCH_MANY_FOLDERS = """
import sys, threading
from pathlib import Path
from pipelines.ingestion.watch import Pace, watch

folder = Path(sys.argv[1])
for number in range(20):
    (folder / str(number)).mkdir()
called, stop = threading.Semaphore(0), threading.Event()
pace = Pace(quiet=0.1, pause=0.1, poll=0.1)
thread = threading.Thread(target=watch, args=(folder, called.release, stop, pace), daemon=True)
thread.start()
assert called.acquire(timeout=60)
(folder / "7" / "a.md").write_text("x")
assert called.acquire(timeout=60)
stop.set()
thread.join(60)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others here")
def test_a_subfolder_that_cannot_be_read_does_not_hide_the_others(folder: Path) -> None:
    for number in range(9):
        (folder / str(number)).mkdir()
    with unprivileged(folder):
        (folder / "4").chmod(0o000)
        watched = Watched(folder)
        try:
            assert watched.comes(1)
            for number in (0, 1, 2, 3, 5, 6, 7, 8):
                file = folder / str(number) / "a.md"
                assert watched.after(lambda file=file: file.write_text("x"))
        finally:
            watched.close()
            (folder / "4").chmod(0o755)


@pytest.mark.slow
def test_it_looks_for_itself_where_the_system_watches_no_more_folders(folder: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-Ur", "sh", "-c", FEW_WATCHES], check=False).returncode:
        pytest.skip("no namespace with a limit of its own can be made here")
    command = f'{FEW_WATCHES}; exec "$0" -c "$1" "$2"'
    inside = [unshare, "-Ur", "sh", "-c", command, sys.executable, WATCH_MANY_FOLDERS, str(folder)]
    ended = subprocess.run(inside, capture_output=True, text=True, timeout=200, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "limit reached" in ended.stderr
