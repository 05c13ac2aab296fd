"""What a tenant takes and how it is used, as far as the asker may know."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pipelines.components.resources import resources
from pipelines.explaining import Explaining
from pipelines.ingestion.sources import named_file
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.types import CacheUse, DocumentUse, Resources, Usage


class Metering(Explaining):
    """A tenant whose use is measured. Who is held to a scope is told of the use by those who are held to the same."""

    def __init__(self, profile: Profile, parts: Parts, place: Any = None) -> None:
        super().__init__(profile, parts, place)
        self._folder = parts.folder
        self._settings = parts.records.settings
        self._given = parts.given
        self._roots, self._knowledge = parts.loaded.roots, parts.loaded.knowledge_folder

    def usage(self, most: int = 10) -> Usage:
        """How the tenant is used; ``most`` documents and queries are listed, the most frequent first."""
        return self._usage.usage(self._user, most)

    def uses_of(self, document_ids: Sequence[str] | None = None) -> dict[str, DocumentUse]:
        """How often and when documents, by default all, were among the hits; those that never were are left out."""
        return self._usage.uses_of(self._user, document_ids)

    def cache_use(self) -> CacheUse:
        """How often answers were given again by this process, and what is kept of them."""
        return self._given.use(self._user)

    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        """Ids of the readable documents that were first brought in at ``start`` or later, and at ``end`` or before."""
        return self._catalogue.created_between(start, end)

    def resources(self) -> Resources:
        """Memory and disk that the tenant takes."""
        return resources(self._folder)

    def vectors_stored(self) -> int:
        """How many vectors the store holds of what is seen from here, those of past versions too."""
        return self._spaces.current.store.count(self._bounds)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """What the profile's embedding model makes of texts: a unit vector for each."""
        return [[float(number) for number in vector] for vector in self._spaces.vectors(texts)]

    def named_file(self, path: str, also: Sequence[Path] = (), *, missing: bool = False) -> tuple[Path, str]:
        """The file that a request names by its path, and the name that its document goes by.

        Args:
            path: Absolute, or relative to one of the folders that the profile names in ``knowledge -> roots``.
            also: More such folders, where the profile names none.
            missing: Whether it may be missing by now.

        Raises:
            OutsideRoots: It is not in one of them.
            FileNotThere: There is no such file.
        """
        more = () if self.profile.knowledge.roots else tuple(folder.resolve() for folder in also)
        return named_file(path, (*self._roots, *more), self._knowledge, missing=missing)

    def setting(self, name: str) -> dict[str, Any]:
        """What was set under a name by `Engine.set`, empty where nothing was."""
        return self._settings.get(name)
