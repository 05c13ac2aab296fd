"""Enforces the scope of a writer: what it may ingest, replace and delete.

It is asked twice: before a document is read, so that another's document is never revealed, and in the commit, when
no other process can move a document.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.catalogue import Catalogue
from pipelines.errors import InvalidScope, OutsideScope
from pipelines.filters.scopes import place_of, writable_from
from pipelines.profile.sections.documents import MetadataSection
from pipelines.types import Metadata

Scope = Mapping[str, str]


class ScopeGuard:
    """Says what may be written under which scope; None, like an empty one, holds to nothing.

    Args:
        catalogue: Knows what is there.
        section: The profile's metadata, with its hierarchy.
    """

    def __init__(self, catalogue: Catalogue, section: MetadataSection) -> None:
        self._catalogue = catalogue
        self._section = section

    def refusal(self, scope: Scope | None, metadata: Metadata) -> OutsideScope | None:
        """Return why a document with ``metadata`` may not be written under ``scope``; None if it may.

        It says the same whether what is offered is of another place or what is there already.
        """
        try:
            place = place_of(scope, self._section)
        except InvalidScope:  # a job's, from before the profile had another hierarchy
            return OutsideScope("a place that the profile has no more")
        if place is None or writable_from(place).shows(metadata):
            return None
        return OutsideScope(str(place))

    def require(self, scope: Scope | None, metadata: Metadata) -> None:
        """Refuse what may not be written.

        Raises:
            OutsideScope: See `refusal`.
        """
        if refused := self.refusal(scope, metadata):
            raise refused

    def require_free(self, scope: Scope | None, document_id: str) -> None:
        """Refuse the id of a readable document that may not be written.

        Raises:
            OutsideScope: See `refusal`.
        """
        if scope is not None and (held := self._held(document_id)) is not None:
            self.require(scope, held)

    def may_record(self, scope: Scope | None, document_id: str) -> bool:
        """Return whether a failure may be recorded: under a scope only of what is there and of its place."""
        if scope is None:
            return True
        held = self._held(document_id)
        return held is not None and self.refusal(scope, held) is None

    def _held(self, document_id: str) -> Metadata | None:
        return self._catalogue.metadata_of([document_id]).get(document_id)
