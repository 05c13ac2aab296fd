"""What a source gives: its items, each a file of the copy, and what is remembered of it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol

from pydantic import BaseModel

from pipelines.errors import Unavailable

_UNSAFE = re.compile(r"[^\w.~+-]+")
_LONGEST_NAME = 120  # bytes; file systems take 255, and a draft has a longer name


class SourceUnavailable(Unavailable):
    """A source cannot be read; the documents that came from it stay as they are."""

    code = "source_unavailable"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"the source {name}", detail)


class Remembered(BaseModel):
    """An item as it was last read: its file, what tells whether it has changed, its metadata, and earlier files."""

    path: str
    mark: str = ""
    metadata: dict[str, str] = {}
    former: list[str] = []


@dataclass(frozen=True, slots=True)
class Item:
    """A file of a source.

    Attributes:
        key: Its name in the source, such as an address.
        path: Its name in the copy, relative, with slashes.
        content: Its bytes; None where it has not changed.
        mark: What tells the next time whether it has changed.
        metadata: Of its document.
    """

    key: str
    path: str
    content: bytes | None
    mark: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """An item that could not be read; what was read of it before stays."""

    key: str
    reason: str


class Source(Protocol):
    """Reads one kind of source."""

    forgets: bool
    """Whether an item that is not given any more is gone."""

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """Give every item of the source; ``known`` is what was read before, by key.

        Raises:
            SourceUnavailable: The source cannot be read.
        """
        ...


def safe_path(*parts: str) -> str:
    """Return a relative path of these parts, each a name that every file system takes and none of them hidden."""
    return "/".join(_safe_name(part) for part in parts if part)


def plain_path(path: str) -> str | None:
    """Return a relative path in its shortest form; None where it leads out of its folder, or is no text."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
        return None
    try:
        path.encode()
    except UnicodeEncodeError:
        return None
    return pure.as_posix()


def numbered(path: str, key: str) -> str:
    """Return a path for an item whose own path another one has: it is told from the other by its key."""
    pure = PurePosixPath(path)
    return pure.with_name(f"{pure.stem}-{digest(key)}{pure.suffix}").as_posix()


def digest(content: bytes | str, rest: Iterable[bytes] = ()) -> str:
    """Return a short name for a content, of which ``rest`` follows."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    hashed = hashlib.sha256(raw)
    for piece in rest:
        hashed.update(piece)
    return hashed.hexdigest()[:12]


def _safe_name(name: str) -> str:
    safe = _UNSAFE.sub("-", unicodedata.normalize("NFC", name)).strip("-").lstrip(".") or f"_{digest(name)}"
    if len(safe.encode()) <= _LONGEST_NAME:
        return safe
    stem, dot, ending = safe.rpartition(".")
    kept = f"{dot}{ending}" if stem and len(ending.encode()) < 10 else ""
    return f"{safe.encode()[: _LONGEST_NAME - 24].decode(errors='ignore')}-{digest(name)}{kept}"
