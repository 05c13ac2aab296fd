"""Readers that change between releases: what former ones read, and whether the present ones read it otherwise."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping

from pipelines.catalogue import Catalogue, Current, NewVersion
from pipelines.catalogue.records import VersionContent
from pipelines.errors import DocumentNotFound
from pipelines.reading import label_of, reader_of

Readers = Mapping[tuple[str, int | None], int]
"""How many documents are of a media type and were read by the reader of that number (None: it was not noted)."""


def is_former(media_type: str, reader: int | None) -> bool:
    """Return whether the reader of this media type has changed since it had this number."""
    return (reader or 0) < reader_of(media_type)


def former_readers(readers: Readers, *, unnoted: bool) -> list[tuple[str, int | None]]:
    """Return which of these readers are former ones, with those that were not noted if they are ``unnoted``."""
    return [(kind, reader) for kind, reader in readers if is_former(kind, reader) and (unnoted or reader is not None)]


def count_former(readers: Readers, *, unnoted: bool = True) -> dict[str, int]:
    """Return how many documents former readers read, by what people call the format, the most first.

    Those that were not noted count as former ones if they are ``unnoted``.
    """
    counts: Counter[str] = Counter()
    for media_type, reader in former_readers(readers, unnoted=unnoted):
        counts[label_of(media_type)] += readers[media_type, reader]
    return dict(counts.most_common())


def hashed_again(sha256: str, reader: int | None) -> str:
    """Return the sha256 of a version that this reader read again from the same content: it is another version."""
    return hashlib.sha256(f"{sha256}\0reader {reader}".encode()).hexdigest()


def hashes_of(sha256: str, reader: int | None) -> tuple[str, ...]:
    """Return what may be the sha256 of a version with this content and of this reader.

    A version keeps the number of an earlier reader in its sha256 where later ones read the same.
    """
    return (sha256, *(hashed_again(sha256, number) for number in range((reader or 0) + 1)))


def reads_alike(catalogue: Catalogue, current: Current, new: NewVersion) -> bool:
    """Return whether ``new`` is what is stored as the readable version, which then counts as read by its reader."""
    try:
        stored = catalogue.version(new.document_id, current.version)
    except DocumentNotFound:  # purged since
        return False
    if _described(new) != _described(stored):
        return False
    catalogue.note_reader(new.document_id, current.version, new.reader)
    return True


def note_on_reader(new: NewVersion) -> str:
    """Return why a document has a new version although its content is the same."""
    return f"read again: the reader of {label_of(new.media_type)} has changed"


def _described(version: VersionContent) -> tuple[object, ...]:
    metadata = json.dumps(version.metadata, sort_keys=True, default=str)
    parts = (version.pages, version.headings, version.blocks, version.pictures)
    return (version.title, version.media_type, version.text, *map(tuple, parts), metadata)
