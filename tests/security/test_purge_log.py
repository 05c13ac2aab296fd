"""Emptying the log of a store, where the file system gives a new file the inode of one that was just removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import qdrant_edge

from pipelines.components.store.edge.optimize import empty_log


class LogWithReusedInodes:
    """The files of an Edge log: a flush removes the one that is full, and makes the next in its inode."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = 1
        (folder / "open-1").write_bytes(b"what was purged")

    def update(self, operation: qdrant_edge.UpdateOperation) -> None:
        """Fill the present file."""

    def flush(self) -> None:
        """Begin another file."""
        (self._folder / f"open-{self._files}").unlink()
        self._files += 1
        (self._folder / f"open-{self._files}").touch()


def test_a_log_that_reuses_inodes_counts_as_emptied(tmp_path: Path) -> None:
    log: Any = LogWithReusedInodes(tmp_path)
    empty_log(log, tmp_path)
    assert not (tmp_path / "open-1").exists()


def test_a_log_that_keeps_a_file_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log: Any = LogWithReusedInodes(tmp_path)
    monkeypatch.setattr(log, "flush", lambda: None)
    with pytest.raises(RuntimeError, match="could not be emptied"):
        empty_log(log, tmp_path)
