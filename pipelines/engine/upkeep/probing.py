"""What tells whether a copy of a tenant is whole: the texts of its versions, and searches with their answers."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel

from pipelines.engine.parts.view import TenantView
from pipelines.ingestion.visibility import chunks_of, of_version, readable_at

_PROBES = 10
_WORDS = 12
_DEPTH = 10
Leg = list[tuple[str, float]]
Text = tuple[str, int, str]
"""A version's document, number, and the SHA-256 of its text."""


class Probe(BaseModel):
    """A search that a copy must answer alike: ids and scores of each leg, to the last bit."""

    text: str
    vector: list[float] | None
    legs: dict[str, Leg]


class Probing:
    """Looks through a whole tenant."""

    def __init__(self, view: TenantView) -> None:
        self._view = view

    def texts(self) -> list[Text]:
        """Return every version's text."""
        texts = self._view.catalogue.all_texts()
        return [(name, number, hashlib.sha256(text.encode()).hexdigest()) for name, number, text in texts]

    def probes(self, snapshot: int, texts: list[Text], *, exact: bool = False) -> list[Probe]:
        """Search for ten of the versions at most, with what they find."""
        return [self._probe(snapshot, name, number, exact) for name, number, _ in _spread(texts)]

    def legs(self, snapshot: int, probe: Probe, *, exact: bool = False) -> dict[str, Leg]:
        """Return what a search finds here; ``exact``: every chunk is weighed."""
        store = self._view.indexes.current.store
        sparse = store.encoder.query(probe.text)
        return store.legs(probe.vector, sparse, where=readable_at(snapshot), depth=_DEPTH, exact=exact)

    def _probe(self, snapshot: int, document_id: str, number: int, exact: bool) -> Probe:
        """Return a search with the words and the vector of a version's first chunk."""
        store = self._view.indexes.current.store
        chunk_ids = store.first(chunks_of([document_id], of_version(number)), 1)
        vectors = store.vectors(chunk_ids)
        text = " ".join(self._view.catalogue.version(document_id, number).text.split()[:_WORDS])
        probe = Probe(text=text, vector=next(iter(vectors.values()), None), legs={})
        return probe.model_copy(update={"legs": self.legs(snapshot, probe, exact=exact)})


def _spread(texts: list[Text]) -> list[Text]:
    """Ten of the versions at most, evenly spread."""
    step = max(len(texts) // _PROBES, 1)
    return texts[::step][:_PROBES]
