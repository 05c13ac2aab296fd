"""Quotas of a tenant, checked inside the commit, when no other process can add a document."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.catalogue import Commit, NewVersion
from pipelines.errors import QuotaSpent
from pipelines.profile.sections.limits import Quotas


@dataclass(slots=True)
class Room:
    """What is left of the quotas during a commit; ``documents`` and ``bytes`` are held already.

    ``bytes`` counts all versions that are kept.
    """

    quotas: Quotas
    documents: int
    bytes: int

    def take(self, new: NewVersion, *, is_new: bool) -> QuotaSpent | None:
        """Take the room of a version, of a document that ``is_new`` or not; the error if there is too little."""
        if is_new and 0 < self.quotas.documents <= self.documents:
            return QuotaSpent("documents", self.quotas.documents)
        if 0 < self.quotas.bytes < self.bytes + new.bytes:
            return QuotaSpent("bytes", self.quotas.bytes)
        self.documents += is_new
        self.bytes += new.bytes
        return None


def room_in(commit: Commit, quotas: Quotas) -> Room:
    """Return the room that a commit may take."""
    held = commit.holdings() if quotas.documents or quotas.bytes else (0, 0)
    return Room(quotas, *held)
