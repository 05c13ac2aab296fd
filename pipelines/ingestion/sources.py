"""Finds the files of a folder, as documents whose ids are their relative paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipelines.errors import InvalidRequest, Problem
from pipelines.types import DocumentInput, Metadata, Origin


def documents_at(path: Path, metadata: Metadata, origin: Origin = "given") -> list[DocumentInput]:
    """The documents that ``path`` holds: itself, or every file below it, in a stable order.

    Hidden files and folders are left out, and links that lead out of the folder are not followed. Files that no reader
    knows are kept: they fail by name, rather than being missed in silence.

    Raises:
        InvalidRequest: There is nothing at ``path``.
    """
    if path.is_file():
        return [DocumentInput(content=path, source=path.name, metadata=metadata, origin=origin)]
    if not path.is_dir():
        raise InvalidRequest(Problem(str(path), "no such file or folder"))
    return [
        DocumentInput(content=file, source=file.relative_to(path).as_posix(), metadata=metadata, origin=origin)
        for file in sorted(_files(path, path.resolve()))
    ]


def _files(folder: Path, root: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or not entry.resolve().is_relative_to(root):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _files(entry, root)
        elif entry.is_file():
            yield entry
