"""The copy of one source: its files, and what is remembered of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from pipelines.components.sources.items import Item, Remembered, numbered

_REMEMBERED = TypeAdapter(dict[str, Remembered])


class Copy:
    """A copy during one update.

    Args:
        root: The folder of its files.
        state: The file of what is remembered.

    Attributes:
        before: What was remembered, by key; None where nothing could be read.
        known: Of that, the items whose files are there.
        now: The items of this update.
    """

    def __init__(self, root: Path, state: Path) -> None:
        self._root = root
        self._state = state
        self.before = self._read()
        self.known = {key: one for key, one in (self.before or {}).items() if (root / one.path).is_file()}
        self.now: dict[str, Remembered] = {}
        self._owners = {one.path: key for key, one in self.known.items()}
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def put(self, item: Item) -> None:
        """Keep an item; one without content has not changed.

        Raises:
            OSError: Its file cannot be written.
        """
        path = item.path if item.content is None else self._free_path(item)
        if item.content is not None:
            self._write(path, item.content)
        self._owners[path] = item.key
        self._files.add(path)
        self._folders.update(map(str, PurePosixPath(path).parents))
        metadata, former = dict(item.metadata), self._former_paths(item.key, path)
        self.now[item.key] = Remembered(path=path, mark=item.mark, metadata=metadata, former=former)

    def keep(self, key: str) -> str | None:
        """Keep an item as it was, if it is remembered; return its path where its file is not there."""
        one = (self.before or {}).get(key)
        if one is None:
            return None
        self.now[key] = one
        return None if key in self.known else one.path

    def keep_all(self) -> None:
        """Keep every item that was remembered and is not in this update."""
        self.now = {**(self.before or {}), **self.now}

    def replaced(self) -> set[str]:
        """Return the paths that items had before, and have no longer."""
        former = {path for one in self.now.values() for path in one.former}
        return former.difference(one.path for one in self.now.values())

    def finish(self) -> None:
        """Remember this update, and remove the files of what is not in it."""
        self._state.parent.mkdir(exist_ok=True)
        draft = self._state.with_suffix(".new")
        draft.write_text(json.dumps({key: one.model_dump() for key, one in self.now.items()}), encoding="utf-8")
        draft.replace(self._state)
        kept = {one.path for one in self.now.values()}
        for file in sorted(self._root.rglob("*"), reverse=True):  # what is in a folder before the folder
            if file.is_dir():
                if not any(file.iterdir()):
                    file.rmdir()
            elif file.relative_to(self._root).as_posix() not in kept:
                file.unlink()

    def _read(self) -> dict[str, Remembered] | None:
        try:
            return _REMEMBERED.validate_json(self._state.read_bytes())
        except (OSError, ValidationError):
            return None

    def _former_paths(self, key: str, path: str) -> list[str]:
        before = (self.before or {}).get(key)
        return [] if before is None else sorted({*before.former, before.path} - {path})

    def _free_path(self, item: Item) -> str:
        """Return the path of an item, or another one where another item has that."""
        before = self.known.get(item.key)
        if before is not None and before.path in (item.path, numbered(item.path, item.key)):
            return before.path
        if self._owners.get(item.path, item.key) != item.key or item.path in self._folders:
            return numbered(item.path, item.key)
        if any(str(parent) in self._files for parent in PurePosixPath(item.path).parents):
            return numbered(PurePosixPath(item.path).name, item.key)
        return item.path

    def _write(self, path: str, content: bytes) -> None:
        """Write a file that has changed, in one step; one that has not keeps its time."""
        file = self._root / path
        if file.is_file() and file.read_bytes() == content:
            return
        self._make_room(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.new")
        draft.write_bytes(content)
        draft.replace(file)

    def _make_room(self, file: Path) -> None:
        """Remove what stands where a file or its folders go: the source has that no longer."""
        if file.is_dir():
            shutil.rmtree(file)
        for parent in file.parents:
            if parent == self._root.parent:
                return
            if parent.is_file():
                parent.unlink()


def remembered_facts(state: Mapping[str, Remembered], name: str) -> dict[str, Mapping[str, str]]:
    """Return the metadata of a source's items, by paths that begin with the source's name."""
    return {f"{name}/{one.path}": one.metadata for one in state.values()}
