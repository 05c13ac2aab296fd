"""What is changed of a tenant while it is open; it outlives the process."""

from __future__ import annotations

import threading
from typing import Any

from pipelines.catalogue.settings import Settings
from pipelines.engine.assembly import PROFILE_SETTINGS, Parts
from pipelines.engine.parts.chunking import pipeline_name, transformations
from pipelines.profile.overrides import Changes, apply_changes, merge_changes


class TenantSettings:
    """Plain values that were kept under names."""

    def __init__(self, settings: Settings) -> None:
        self._kept = settings

    def get(self, name: str) -> dict[str, Any]:
        """Return what was put under a name, empty if nothing was."""
        return self._kept.get(name)


class WritableSettings(TenantSettings):
    """Settings that may be written, and changes of the profile."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts.records.settings)
        self._parts = parts
        self._changing = threading.Lock()
        self._begun = False  # whether a change was begun and not brought to its end

    def put(self, name: str, value: dict[str, Any]) -> None:
        """Keep plain values under a name."""
        self._kept.put(name, value)

    def change(self, changes: Changes) -> bool:
        """Change the profile, also after a restart; return whether documents are stale by that.

        New documents are cut as it says. Documents that were cut or embedded otherwise stay readable until
        `Engine.reembed`. Other processes that share the tenant follow when they are restarted.

        Raises:
            InvalidRequest: Something may not change while the tenant is open, or cannot have that value; see
                `pipelines.profile.overrides`.
            ModelMissing, MissingPackage, EmbeddingUnavailable: Another embedding model cannot be had.
        """
        indexes, catalogue = self._parts.indexes, self._parts.catalogue
        with self._changing:
            profile = apply_changes(indexes.profile, changes)
            if profile != indexes.profile or self._begun:
                self._begun = True
                indexes.adopt(profile)
                name = pipeline_name(profile, indexes.own)
                self._parts.writing.preparer.adopt(profile, transformations(profile, indexes), name)
                catalogue.pipeline = name
                self._kept.put(PROFILE_SETTINGS, merge_changes(self._kept.get(PROFILE_SETTINGS), changes))
                self._begun = False
            return catalogue.totals().stale > 0
