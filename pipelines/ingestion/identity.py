"""Which document an offer without an id is: the same source at the same place is one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import PurePosixPath
from typing import TypeGuard

from pipelines.catalogue import Catalogue
from pipelines.profile.sections.documents import Identity
from pipelines.reading import media_type_of
from pipelines.types import DocumentInput, Metadata, Origin


class Identities:
    """Names offered documents as the profile's ``metadata -> identity`` says. Thread-safe but for `hold`.

    Args:
        identity: The rule; None: every document is named by its source.
        catalogue: Knows what is there.
    """

    def __init__(self, identity: Identity | None, catalogue: Catalogue) -> None:
        self._identity = identity
        self._catalogue = catalogue
        self._held: dict[str, str] = {}

    @property
    def by_content(self) -> bool:
        """Whether a document must be read before it has a name."""
        return self._identity is not None

    def hold(self, held: Mapping[str, str]) -> None:
        """Set which documents belong to files of the knowledge folder: paths by id."""
        self._held = dict(held)

    def of(self, offered: DocumentInput, metadata: Metadata) -> str:
        """Return the id of an offered document, which has a source.

        What has the same identity and no file of its own is the same document. Two files of the knowledge folder are
        two documents.
        """
        source = offered.source or ""
        place = self._place(metadata)
        if self._identity is None or place is None:
            return offered.document_id or source
        if self._identity.id == "fields":
            found = self._named_by_fields(offered, place, source)
        else:
            found = self._known(offered, place, source) or offered.document_id or source
        if offered.origin == "knowledge":
            self._held[found] = source
        return found

    def _place(self, metadata: Metadata) -> dict[str, str | None] | None:
        """Return the identity fields of a document; None where the first of them has no value or one is no keyword.

        A keyword with a NUL character is none: the metadata's check refuses the document by that name.
        """
        fields = self._identity.fields if self._identity is not None else ()
        place = {name: metadata.get(name) for name in fields}
        kept = {name: value for name, value in place.items() if value is None or _is_keyword(value)}
        return kept if len(kept) == len(fields) and kept[fields[0]] else None

    def _known(self, offered: DocumentInput, place: Mapping[str, str | None], source: str) -> str | None:
        """Return the document at this place, if there is one that the offer may continue."""
        origin: Origin | None = "given" if offered.origin == "knowledge" else None
        found = sorted(self._catalogue.sources_of(place, origin=origin))
        return next((name for name in found if self._may_be(name, offered, source)), None)

    def _named_by_fields(self, offered: DocumentInput, place: Mapping[str, str | None], source: str) -> str:
        stem = PurePosixPath(source)
        words = [*filter(None, place.values()), stem.stem if media_type_of(stem.name) else stem.name]
        base = "_".join(words)
        known = self._catalogue.sources_of(place, words[-1])
        same = [name for name, other in known.items() if other == source and self._may_be(name, offered, source)]
        if same:
            return min(same)
        others = self._of_other_folders(offered, place, words[-1], source) if base in known else set()
        return next(
            name
            for name in _numbered(base)
            if name not in others and self._may_be(name, offered, source) and self._fits(name, place)
        )

    def _of_other_folders(
        self, offered: DocumentInput, place: Mapping[str, str | None], stem: str, source: str
    ) -> set[str]:
        """Return the documents of this place and name that came from another folder than an offer does.

        An offer without a folder may be any of them. A file may continue the document of another file that is gone,
        since it may have been moved, and one that was offered without a folder.
        """
        is_file = offered.origin == "knowledge"
        origin: Origin | None = "given" if is_file else None
        folder = PurePosixPath(source).parts[:-1]
        found = self._catalogue.sources_of(place, stem, origin=origin).items()
        folders = {name: PurePosixPath(other).parts[:-1] for name, other in found} if folder else {}
        return {name for name, other in folders.items() if other != folder and (other or not is_file)}

    def _may_be(self, document_id: str, offered: DocumentInput, source: str) -> bool:
        """Return whether a document may be this one: no other file has it."""
        return offered.origin != "knowledge" or self._held.get(document_id, source) == source

    def _fits(self, document_id: str, place: Mapping[str, str | None]) -> bool:
        """Return whether an id is free, or that of a document at this place."""
        held = self._catalogue.metadata_of([document_id]).get(document_id)
        return held is None or all(held.get(name) == value for name, value in place.items())


def _is_keyword(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and "\0" not in value


def _numbered(base: str) -> Iterator[str]:
    yield base
    for number in count(2):
        yield f"{base}_{number}"
