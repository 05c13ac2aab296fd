"""Writes the files of a report together, in the place of those of a former one."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

_NAMES = ("report.html", "report.json", "run.trec", "per_query.jsonl")
_MARK = "report.json"
"""What tells a folder with a report from another one."""


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write a report's files into a folder, made if need be; a former report there goes as a whole.

    All are written before the first takes its place, so that a full disk or an interruption leaves the former report.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        if (folder / name).is_dir():  # found when the others have taken their places, otherwise
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder / name))
    with TemporaryDirectory(prefix=".report-", dir=folder) as unfinished:
        drafts = {name: Path(unfinished) / name for name in files}
        for name, draft in drafts.items():
            draft.write_text(files[name], encoding="utf-8")
        former = [name for name in _NAMES if name not in files] if (folder / _MARK).exists() else []
        for name, draft in drafts.items():
            os.replace(draft, folder / name)
        for name in former:
            (folder / name).unlink(missing_ok=True)
