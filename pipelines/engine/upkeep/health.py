"""Whether the parts of a tenant answer."""

from __future__ import annotations

import logging
from collections.abc import Callable

from pipelines.components.llm import Llm
from pipelines.engine.parts.view import TenantView
from pipelines.errors import FootnoteError
from pipelines.ingestion.visibility import readable_at
from pipelines.query.spelling import load_dictionary
from pipelines.types import Readiness

_log = logging.getLogger(__name__)


class Health:
    """Checks the catalogue, the store and the embedding model."""

    def __init__(self, view: TenantView, llm: Llm | None) -> None:
        self._view = view
        self._llm = llm
        self._checks: dict[str, Callable[[], object]] = {
            "catalogue": view.catalogue.check,
            "store": lambda: view.indexes.current.store.count(readable_at(0)),
            "embedding": lambda: view.indexes.embedder.vectors(["ready"]),
        }

    def check(self) -> None:
        """Check every part, and load what the first question would wait for: the dictionary, a model's client.

        Raises:
            Unavailable: A part does not answer; the message says which.
        """
        for check in self._checks.values():
            check()
        load_dictionary(self._view.profile.sparse.language)
        if self._llm is not None:
            self._llm.load()

    def check_catalogue(self) -> None:
        """Check the catalogue's database.

        Raises:
            StoreUnavailable: It does not answer.
        """
        self._view.catalogue.check()

    def readiness(self) -> Readiness:
        """Return which parts answer; the log says why others do not."""
        return Readiness(**{part: self._answers(part, check) for part, check in self._checks.items()})

    def _answers(self, part: str, check: Callable[[], object]) -> bool:
        try:
            check()
        except FootnoteError as error:
            tenant = self._view.profile.tenant
            _log.warning("tenant %s: the %s does not answer: %s", tenant, part, error.message)
            return False
        return True
