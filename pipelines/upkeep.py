"""What is changed of a tenant while it is at work, and how its room on disk is kept."""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import Any

from pipelines.learning import Learning
from pipelines.parts import PROFILE_SETTINGS, Parts, pipeline_name, transformations
from pipelines.profile.overrides import Changes, changed, combined
from pipelines.profile.schema import Profile
from pipelines.types import Document

_STORAGE = "storage"
_PAGE = 1000
_ROOMY = 0.9
"""How full the room is after documents were let go."""


class Upkeep(Learning):
    """A tenant that can be changed at work; `pipelines.engine.Engine` also writes its documents."""

    def __init__(self, profile: Profile, parts: Parts) -> None:
        super().__init__(profile, parts)
        self._parts = parts
        self._changing = threading.Lock()

    def set(self, name: str, value: dict[str, Any]) -> None:
        """Keeps plain values under a name, beyond the end of the process."""
        self._settings.put(name, value)

    def change(self, changes: Changes) -> bool:
        """Changes the profile from now on, also after a restart, and gives whether documents are stale by that.

        What is brought in from now on is cut as it says. Documents that were cut or embedded otherwise stay readable,
        and are made anew by `Engine.reembed`. Other processes that share the tenant follow when they are restarted.

        Raises:
            InvalidRequest: Something is not among what may change at work, or cannot have that value; see
                `pipelines.profile.overrides`.
            ModelMissing, MissingPackage, EmbeddingUnavailable: Another embedding model cannot be had.
        """
        with self._changing:
            profile = changed(self._profile, changes)
            if profile != self._profile:
                self._spaces.adopt(profile)
                name = pipeline_name(profile)
                self._parts.writing.preparer.adopt(profile, transformations(profile, self._spaces), name)
                self._catalogue.pipeline = name
                self._profile = profile
                self._settings.put(PROFILE_SETTINGS, combined(self._settings.get(PROFILE_SETTINGS), changes))
            return self._catalogue.totals().stale > 0

    @property
    def most_bytes(self) -> int | None:
        """The room beyond which documents that were not used for longest go, as `resources` tells it; None: never."""
        most = self._settings.get(_STORAGE).get("most_bytes")
        return int(most) if most else None

    def keep_below(self, most_bytes: int | None) -> None:
        """Sets `most_bytes`."""
        self._settings.put(_STORAGE, {"most_bytes": most_bytes})

    def beyond_room(self, new: Collection[str]) -> list[str]:
        """Ids of the documents that have to go for the rest to fit, the one that was not used for longest first.

        What is ``new`` stays, and what came from the knowledge folder, for it would be back with the next
        synchronisation. A document's share of the room is that of its chunks, so that what was deleted must have given
        its room back before. Some room is made beyond what is needed, so that it need not be made again at once.
        """
        most = self.most_bytes
        used = self.resources().documents if most is not None else 0
        if most is None or used <= most:
            return []
        most = round(most * _ROOMY)
        kept = self._catalogue.ids_from("knowledge").union(new)
        uses = self._usage.uses_of(None)
        documents = self._all_documents()
        of_chunk = used / max(sum(document.chunks for document in documents), 1)
        found = []
        for document in sorted(documents, key=lambda one: _last_use(one, uses)):
            if used <= most:
                break
            if document.document_id not in kept:
                found.append(document.document_id)
                used -= round(of_chunk * document.chunks)
        return found

    def _all_documents(self) -> list[Document]:
        page = self._catalogue.documents(_PAGE, None)
        found = list(page.documents)
        while page.next_cursor is not None:
            page = self._catalogue.documents(_PAGE, page.next_cursor)
            found += page.documents
        return found


def _last_use(document: Document, uses: dict[str, Any]) -> Any:
    use = uses.get(document.document_id)
    return max(document.updated_at, use.last) if use is not None else document.updated_at
