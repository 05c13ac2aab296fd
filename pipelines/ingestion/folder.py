"""Looks at a knowledge folder: which files it holds, what they look like, and their bytes, whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.catalogue.files import Stamp
from pipelines.errors import UnreadableDocument
from pipelines.ingestion.selection import EVERYTHING, Chooser, Selection
from pipelines.reading.archive import in_archive, is_archive, opened_archive
from pipelines.reading.names import is_ignored

_MOST_INODE = 2**63 - 1
"""What the catalogue's column holds; some file systems number beyond it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The files of a folder by their relative paths, in order, and the subfolders that could not be read, with why.

    An archive that could not be opened is a file itself.
    """

    files: dict[str, Stamp]
    unreadable: dict[str, str]

    def missing(self, paths: Iterable[str]) -> set[str]:
        """Return which of ``paths`` are missing; folders that cannot be read are not judged."""
        unopened = filter(is_archive, self.files)
        hidden = tuple(f"{folder}/" for folder in (*self.unreadable, *unopened))
        return {path for path in paths if path not in self.files and not path.startswith(hidden)}


def scan(folder: Path, selection: Selection = EVERYTHING) -> Scan:
    """List the files of ``folder`` with their stamps; of files, only archives are opened, for the lists they hold.

    An archive counts as a folder: its files have its path before theirs.
    Left out are what ``selection`` does not take, what is hidden, what an editor, an office program or a browser keeps
    beside the file that it works on (see `is_ignored`), whatever is no file, and links that lead out of the
    folder. Links to folders are not followed: what they lead to in this folder is found in its own place.

    Raises:
        OSError: The folder itself cannot be read.
    """
    root = os.path.realpath(folder)
    files: dict[str, Stamp] = {}
    unreadable: dict[str, str] = {}
    chooser = Chooser(Path(root), selection)
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        try:
            waiting += _look_into(root, inside, files, chooser)
        except (FileNotFoundError, NotADirectoryError):
            if not inside:
                raise
        except OSError as error:
            if not inside:
                raise
            unreadable[inside] = error.strerror or type(error).__name__
    return Scan(dict(sorted(files.items())), unreadable)


def look(folder: Path, path: str) -> Stamp | None:
    """Return what the file at ``path`` looks like now; None if there is none.

    Raises:
        OSError: The file cannot be examined.
    """
    root = os.path.realpath(folder)
    found = in_archive(Path(root, path))
    if found is None:
        return _look(root, os.path.join(root, path), may_lead_out=True)
    stamp = _look(root, str(found[0]), may_lead_out=True)
    return None if stamp is None else _inside(found[0], stamp).get(found[1])


def read_whole(file: Path, stamp: Stamp) -> bytes | None:
    """Return the bytes of the file that looked like ``stamp``; None if it is another file now, or changed while read.

    Raises:
        OSError, UnreadableDocument: It cannot be read.
    """
    found = in_archive(file)
    if found is not None:
        return _read_inside(*found, stamp)
    with file.open("rb") as opened:
        if _stamp(os.fstat(opened.fileno())) != stamp:
            return None
        content = opened.read(stamp.size + 1)
        same = _stamp(os.fstat(opened.fileno())) == stamp
        return content if same and len(content) == stamp.size else None


def _look_into(root: str, inside: str, files: dict[str, Stamp], chooser: Chooser) -> list[str]:
    """Add the files of one subfolder to ``files``, and return the folders below it."""
    below = []
    with os.scandir(os.path.join(root, inside)) as entries:
        for entry in entries:
            path = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_dir(follow_symlinks=False):
                below += [path] if not entry.name.startswith(".") and chooser.takes_folder(path) else []
            elif not is_ignored(entry.name) and (chooser.opens(path) if is_archive(path) else chooser.takes_file(path)):
                stamp = _look(root, entry.path, entry.is_symlink())
                files.update({} if stamp is None else _files_at(path, Path(entry.path), stamp, chooser))
    return below


def _files_at(path: str, file: Path, stamp: Stamp, chooser: Chooser) -> dict[str, Stamp]:
    """Return the file at ``path``, or those in it if it is an archive."""
    packed = _inside(file, stamp) if is_archive(path) else {}
    taken = {f"{path}/{name}": one for name, one in packed.items() if chooser.takes_packed(path, name)}
    return taken if packed else {path: stamp}


def _inside(archive: Path, stamp: Stamp) -> dict[str, Stamp]:
    """Return what the files in an archive look like: each has its own size and the archive's time; none if it is
    damaged.
    """
    try:
        sizes = opened_archive(archive).files
    except UnreadableDocument:
        return {}
    return {name: replace(stamp, size=size) for name, size in sizes.items()}


def _read_inside(archive: Path, name: str, stamp: Stamp) -> bytes | None:
    before = _stamp(archive.stat())
    content = opened_archive(archive).read(name)
    same = before == _stamp(archive.stat()) == replace(stamp, size=before.size)
    return content if same and len(content) == stamp.size else None


def _look(root: str, file: str, may_lead_out: bool) -> Stamp | None:
    if may_lead_out and not Path(os.path.realpath(file)).is_relative_to(root):
        return None
    try:
        status = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:  # links in a circle
            return None
        raise
    return _stamp(status) if stat.S_ISREG(status.st_mode) else None


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino & _MOST_INODE)
