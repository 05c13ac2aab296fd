"""Archives, which are ZIP files and mailboxes: each file or message in one is a document of its own, as in a folder.

A file in an archive is named by the archive's path and its own below that, ``manuals.zip/printers/setup.md``. Archives
in archives are not opened.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Protocol

from pipelines.errors import ArchiveAsDocument
from pipelines.reading.formats import MBOX, ZIP, Format, by_name
from pipelines.reading.mail.mailbox import MailArchive
from pipelines.reading.source import Source
from pipelines.reading.zipped import ZipArchive
from pipelines.types import ParsedDocument

_KEPT_OPEN = 4


class Archive(Protocol):
    """An open archive; ``files`` holds the sizes of what is in it by their paths, in order."""

    files: Mapping[str, int]

    def read(self, name: str) -> bytes:
        """Return the bytes of the file ``name``, one of `files`.

        Raises:
            FileNotFoundError: No such name.
            UnreadableDocument: It cannot be read.
        """

    def read_all(self) -> dict[str, bytes]:
        """Return the bytes of every file.

        Raises:
            UnreadableDocument: They are more than should be held in memory, or one of them cannot be read.
        """


_ARCHIVES: Mapping[Format, Callable[[BinaryIO | Path], Archive]] = {ZIP: ZipArchive, MBOX: MailArchive}


def read(source: Source) -> ParsedDocument:
    """Refuse an archive that is offered as one document.

    Raises:
        UnreadableDocument: What is wrong with the archive, else that its files are the documents.
    """
    _ARCHIVES[source.format](io.BytesIO(source.data())).read_all()
    raise ArchiveAsDocument(source.format.label)


def is_archive(name: str) -> bool:
    """Return whether a file of this name is an archive of documents."""
    return by_name(name) in _ARCHIVES


def files_of(name: str, content: bytes) -> dict[str, bytes]:
    """Return the bytes of every file of an archive that is called ``name``.

    Raises:
        UnreadableDocument: See `Archive`.
    """
    return _opener(name)(io.BytesIO(content)).read_all()


def in_archive(path: Path) -> tuple[Path, str] | None:
    """Return the archive that a path leads into, and the rest of the path; None where it leads into none."""
    above = [path, *path.parents]
    found = next((one for one in above[1:] if is_archive(one.name) and one.is_file()), None)
    return (found, path.relative_to(found).as_posix()) if found else None


def opened_archive(path: Path) -> Archive:
    """Return the archive at ``path``, which stays open for the next call until others were opened.

    Raises:
        OSError: It cannot be read.
        UnreadableDocument: See `Archive`.
    """
    status = os.stat(path)
    return _opened(path, status.st_size, status.st_mtime_ns, status.st_ino)


def file_size(path: Path) -> int:
    """Return the size of a file, which may be in an archive.

    Raises:
        OSError, UnreadableDocument: It is not there, or cannot be read.
    """
    found = in_archive(path)
    if found is None:
        return path.stat().st_size
    sizes = opened_archive(found[0]).files
    if found[1] not in sizes:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return sizes[found[1]]


def read_file(path: Path) -> bytes:
    """Return the bytes of a file, which may be in an archive.

    Raises:
        OSError, UnreadableDocument: It is not there, or cannot be read.
    """
    found = in_archive(path)
    return path.read_bytes() if found is None else opened_archive(found[0]).read(found[1])


@lru_cache(maxsize=_KEPT_OPEN)
def _opened(path: Path, size: int, modified_ns: int, inode: int) -> Archive:
    return _opener(path.name)(path)


def _opener(name: str) -> Callable[[BinaryIO | Path], Archive]:
    known = by_name(name)
    if known is None or known not in _ARCHIVES:
        raise ValueError(f"{name} is not the name of an archive")
    return _ARCHIVES[known]
