"""How much more a tenant may hold."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.catalogue import Catalogue, Commit
from pipelines.errors import QuotaSpent
from pipelines.profile.sections.limits import Quotas


@dataclass(slots=True)
class Room:
    """What is left of the quotas; ``documents`` and ``bytes`` are held already.

    ``bytes`` counts all versions that are kept.
    """

    quotas: Quotas
    documents: int
    bytes: int

    def take(self, size: int, *, is_new: bool) -> QuotaSpent | None:
        """Reserve room for a version of ``size`` bytes; return the error if there is too little.

        ``is_new``: whether its document is new, too.
        """
        if is_new and 0 < self.quotas.documents <= self.documents:
            return QuotaSpent("documents", self.quotas.documents)
        if 0 < self.quotas.bytes < self.bytes + size:
            return QuotaSpent("bytes", self.quotas.bytes)
        self.documents += is_new
        self.bytes += size
        return None


def room_in(held: Commit | Catalogue, quotas: Quotas) -> Room:
    """Return the room that is left."""
    return Room(quotas, *(held.holdings() if quotas.documents or quotas.bytes else (0, 0)))
