"""Copies of files without their emptiness."""

from __future__ import annotations

import os
from pathlib import Path

_EMPTY = bytes(1 << 18)


def copy_with_holes(source: str, target: str) -> None:
    """Copy a file, but not its emptiness: Edge makes files of 32 MB long before it fills them."""
    with Path(source).open("rb") as given, Path(target).open("wb") as made:
        while block := given.read(len(_EMPTY)):
            if block == _EMPTY[: len(block)]:
                made.seek(len(block), os.SEEK_CUR)
            else:
                made.write(block)
        made.truncate()


def dig_holes(folder: Path) -> None:
    """Give the room of what is empty in files back."""
    for file in folder.iterdir():
        draft = file.with_suffix(".sparse")
        copy_with_holes(str(file), str(draft))
        draft.replace(file)
