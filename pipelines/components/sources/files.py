"""Reads files of any store that fsspec knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import fsspec

from pipelines.components.sources.items import Failed, Item, Remembered, SourceUnavailable
from pipelines.profile.sections.sources import FileSource

_MARKS = (
    "ETag",
    "etag",
    "md5",
    "version_id",
    "generation",
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "created",
)


class Files:
    """Reads a `FileSource`.

    Args:
        section: The store.
        url: Where it is.
        most_bytes: Larger files are refused.
        takes: Whether the file at a path is wanted.
    """

    forgets = True

    def __init__(self, section: FileSource, url: str, most_bytes: int, takes: Callable[[str], bool]) -> None:
        self._section = section
        self._url = url
        self._most_bytes = most_bytes
        self._takes = takes

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """See `Source`."""
        secrets = {name: value.get_secret_value() for name, value in self._section.secrets.items()}
        try:
            store, root = fsspec.core.url_to_fs(self._url, **self._section.options, **secrets)
            store.invalidate_cache()
            found: dict[str, Any] = store.find(root, detail=True)
            exists = bool(found) or store.exists(root)
        except Exception as error:  # stores raise what their libraries raise
            detail = f"{self._section.url}: {type(error).__name__}: {error}"
            raise SourceUnavailable(self._section.name, detail) from error
        if not exists:
            raise SourceUnavailable(self._section.name, f"there is nothing at {self._section.url}")
        for name, facts in sorted(found.items()):
            path = name.removeprefix(root).lstrip("/") or name.rpartition("/")[2]
            if _is_file(name, facts) and self._takes(path):
                yield self._item(store, name, path, facts, known)

    def _item(
        self, store: Any, name: str, path: str, facts: Mapping[str, Any], known: Mapping[str, Remembered]
    ) -> Item | Failed:
        size, before = facts.get("size") or 0, known.get(path)
        told = [str(facts[key]) for key in _MARKS if facts.get(key)]
        mark = " ".join([str(size), *told]) if told else ""
        if before is not None and mark and before.mark == mark:
            return Item(path, before.path, None, mark)
        if size > self._most_bytes:
            return self._too_large(path)
        try:
            content = store.cat_file(name) if size else self._bounded(store, name)
        except Exception as error:  # noqa: BLE001 - stores raise what their libraries raise
            return Failed(path, f"{type(error).__name__}: {error}")
        return Item(path, path, content, mark) if len(content) <= self._most_bytes else self._too_large(path)

    def _bounded(self, store: Any, name: str) -> bytes:
        """Return the content of a file whose size the store does not tell, or the beginning of one that is too large.

        An opened file may read less than it is asked for.
        """
        with store.open(name, "rb") as file:
            content = bytearray()
            while (left := self._most_bytes + 1 - len(content)) > 0 and (piece := file.read(left)):
                content += piece
        return bytes(content)

    def _too_large(self, path: str) -> Failed:
        return Failed(path, f"it is over {self._most_bytes:,} bytes")


def _is_file(name: str, facts: Mapping[str, Any]) -> bool:
    """Return whether this is a file: no link, which may lead out of the folder, and no mark of an empty folder."""
    return facts.get("type") == "file" and not facts.get("islink") and not name.endswith("/")
