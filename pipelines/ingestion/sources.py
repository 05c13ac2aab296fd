"""Finds the files of a folder, as documents whose ids are their relative paths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipelines.errors import FileNotFound, InvalidRequest, OutsideRoots, Problem, UnreadableDocument
from pipelines.ingestion.selection import EVERYTHING, Chooser, Selection
from pipelines.profile.sections.documents import Knowledge
from pipelines.reading.archive import is_archive, opened_archive
from pipelines.types import DocumentInput, Metadata, Origin


def documents_at(
    path: Path, metadata: Metadata, origin: Origin = "given", selection: Selection = EVERYTHING
) -> list[DocumentInput]:
    """Return the documents that ``path`` holds: itself, or every file below it, in a stable order.

    Of a folder, hidden files and what ``selection`` does not take are left out, and links that lead out of it are not
    followed. Files that no reader knows are kept: they fail by name, rather than being missed in silence. A ZIP archive
    counts as a folder: its files have its name before theirs. One that cannot be opened is kept, and fails by name.

    Raises:
        InvalidRequest: There is nothing at ``path``, or it is a folder that may not be read.
    """
    if path.is_file():
        folder, files = path.parent, _unpacked(path)
    elif path.is_dir():
        return _documents_in(path, Chooser(path, selection), metadata, origin)
    else:
        raise InvalidRequest(Problem(str(path), "no such file or folder"))
    return [_document(file, folder, metadata, origin) for file in files]


def selected_documents(
    path: Path, metadata: Metadata, knowledge: Knowledge, never: tuple[Path, ...] = ()
) -> tuple[list[DocumentInput], int]:
    """Return the documents at ``path`` that a profile selects, and how many files its globs leave out.

    Folders in ``never`` are not looked into.

    Raises:
        InvalidRequest: There is nothing at ``path``.
    """
    selection = Selection.of(knowledge, never)
    taken = documents_at(path, metadata, selection=selection)
    if not selection.include and not selection.exclude:
        return taken, 0
    unselected = Selection(gitignore=selection.gitignore, never=never)
    return taken, len(documents_at(path, metadata, selection=unselected)) - len(taken)


def _documents_in(folder: Path, chooser: Chooser, metadata: Metadata, origin: Origin) -> list[DocumentInput]:
    found = sorted(_files(folder, folder.resolve(), folder, chooser))
    files = [(file, packed) for file in found for packed in _unpacked(file)]
    return [
        _document(packed, folder, metadata, origin)
        for file, packed in files
        if packed == file or chooser.takes_packed(_path(file, folder), _path(packed, file))
    ]


def _document(file: Path, folder: Path, metadata: Metadata, origin: Origin) -> DocumentInput:
    return DocumentInput(content=file, source=_path(file, folder), metadata=metadata, origin=origin)


def _path(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _unpacked(file: Path) -> list[Path]:
    """Return the files of an archive; a file that is none, or cannot be opened, itself."""
    if not is_archive(file.name):
        return [file]
    try:
        return [file / name for name in opened_archive(file).files]
    except (OSError, UnreadableDocument):
        return [file]


def named_file(path: str, roots: Sequence[Path], plain: Path | None, *, missing: bool = False) -> tuple[Path, str]:
    """Return the file that a request names, and the name that its document goes by.

    Args:
        path: An absolute path, or one relative to a root.
        roots: The folders, without links in their paths, that files may be in.
        plain: The root whose documents go by their relative paths alone; others have the root's name before them.
        missing: Whether the file may be missing.

    Raises:
        OutsideRoots: It is in none of them, or would not be were its links followed, or it is hidden. Of a relative
            path this is so as soon as one of the folders has it lead outside, and none has the file.
        FileNotFound: There is no such file.
    """
    candidates = [Path(path)] if Path(path).is_absolute() else [root / path for root in roots]
    try:
        inside = [found for one in candidates if (found := _inside(one, roots, plain)) is not None]
        there = next((found for found in inside if found[0].is_file()), None)
        other = there is None and any(found[0].exists() for found in inside)
    except (OSError, RuntimeError, ValueError):  # too long, links in a ring, or a zero in it
        raise FileNotFound(path.replace("\0", "?")) from None
    if there is None and (not inside or len(inside) < len(candidates)):
        raise OutsideRoots(path)
    if there is None and (other or not missing):
        raise FileNotFound(path)
    return there or inside[0]


def _inside(candidate: Path, roots: Sequence[Path], plain: Path | None) -> tuple[Path, str] | None:
    """Return where a path leads, and what its document is called then; None where that is in none of these folders."""
    real = candidate.resolve()
    root = next((root for root in roots if real.is_relative_to(root)), None)
    if root is None or any(part.startswith(".") for part in real.relative_to(root).parts):
        return None
    name = real.relative_to(root).as_posix()
    return real, name if root == plain else f"{root.name}/{name}"


def _files(folder: Path, root: Path, top: Path, chooser: Chooser) -> Iterator[Path]:
    """The files below ``folder`` that are taken; ``root`` is ``top`` without links in its path.

    A folder that may not be read is among them: it fails by name.
    """
    try:
        entries = _entries(folder)
    except PermissionError:
        if folder == top:
            raise InvalidRequest(Problem(str(top), "the folder may not be read (permission denied)")) from None
        yield folder
        return
    for entry, is_folder in entries:
        if entry.name.startswith(".") or not Path(os.path.realpath(entry)).is_relative_to(root):
            continue
        path = _path(entry, top)
        if is_folder:
            if chooser.takes_folder(path):
                yield from _files(entry, root, top, chooser)
        elif (chooser.opens(path) if is_archive(path) else chooser.takes_file(path)) and _is_file(entry):
            yield entry


def _entries(folder: Path) -> list[tuple[Path, bool]]:
    """Return what is in a folder, and of each whether it is a folder itself."""
    with os.scandir(folder) as entries:
        return [(folder / entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


def _is_file(entry: Path) -> bool:
    try:
        return entry.is_file()
    except PermissionError:
        return True  # it fails by name
