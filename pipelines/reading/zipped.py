"""ZIP archives: the files in them, but for what is left out of a folder too."""

from __future__ import annotations

import errno
import os
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import BinaryIO

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.formats import ZIP
from pipelines.reading.names import is_ignored
from pipelines.reading.office.packages import unzipped

MOST_FILES = 10_000
LARGEST_ARCHIVE = 512 * 2**20
"""Bytes that the files of an archive may have together when it is unpacked, where they are read one by one."""
LARGEST_IN_MEMORY = 128 * 2**20
"""The same for an archive of which all is held in memory."""
_MAC_FOLDER = "__MACOSX"
_DRIVE = re.compile("[A-Za-z]:")


class ZipArchive:
    """An open ZIP archive; ``files`` holds the sizes of the files in it by their paths, in order.

    Left out are folders and what is left out of a folder: hidden files, and unfinished states of others.

    Raises:
        UnreadableDocument: It is damaged, holds no files, or more than is allowed, or a path that leads out of it.
    """

    def __init__(self, file: BinaryIO | Path) -> None:
        self._zip = unzipped(file, ZIP.label)
        self._entries = _entries(self._zip)
        self.files: Mapping[str, int] = MappingProxyType({name: info.file_size for name, info in self._entries.items()})
        if not self.files:
            raise CorruptDocument(ZIP.label, "it holds no files")
        if len(self.files) > MOST_FILES:
            raise CorruptDocument(
                ZIP.label,
                f"it holds {len(self.files):,} files, more than the {MOST_FILES:,} that are allowed; split it",
            )
        self._require_at_most(LARGEST_ARCHIVE)

    def read(self, name: str) -> bytes:
        """Return the bytes of the file ``name``, one of `files`.

        Raises:
            FileNotFoundError: No such name.
            UnreadableDocument: It has a password or is damaged.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if entry.flag_bits & 1:
            raise EncryptedDocument
        try:
            return self._zip.read(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
            raise CorruptDocument(ZIP.label, f"{name} is damaged in it; pack it again") from error

    def read_all(self) -> dict[str, bytes]:
        """Return the bytes of every file.

        Raises:
            UnreadableDocument: They are more than should be held in memory, or one of them cannot be read.
        """
        self._require_at_most(LARGEST_IN_MEMORY)
        return {name: self.read(name) for name in self.files}

    def _require_at_most(self, most: int) -> None:
        total = sum(self.files.values())
        if total > most:
            found = f"it would unpack to {total:,} bytes, more than the {most:,} that are allowed"
            raise CorruptDocument(ZIP.label, f"{found}; split it, or unpack it into a folder")


def _entries(package: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    named = [(info.filename.replace("\\", "/"), info) for info in package.infolist() if not info.is_dir()]
    kept = [(name, info) for name, info in named if not _is_left_out(_within(name))]
    return dict(sorted(_told_apart(kept)))


def _told_apart(named: list[tuple[str, zipfile.ZipInfo]]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Give files of equal names different ones; the last keeps its own, as unpacking would leave it, and copies of one
    content are one file.
    """
    taken = {name for name, _ in named}
    numbers: dict[str, Iterator[int]] = {}
    seen = set()
    for name, info in reversed(named):
        content = (name, info.CRC, info.file_size)
        if content in seen:
            continue
        seen.add(content)
        if name not in numbers:
            numbers[name] = count(2)
            yield name, info
            continue
        stem, ending = posixpath.splitext(name)
        others = (f"{stem} ({number}){ending}" for number in numbers[name])
        other = next(other for other in others if other not in taken)
        taken.add(other)
        yield other, info


def _within(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or (path.parts and _DRIVE.fullmatch(path.parts[0])):
        shown = name.encode(errors="replace").decode()
        raise CorruptDocument(ZIP.label, f'its file "{shown}" leads out of it; pack it again')
    return path


def _is_left_out(path: PurePosixPath) -> bool:
    folders = path.parts[:-1]
    return is_ignored(path.name) or _MAC_FOLDER in folders or any(part.startswith(".") for part in folders)
