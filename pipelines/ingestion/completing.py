"""Makes the vectors of chunks that were stored without: until then only their words find them."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.catalogue import Catalogue
from pipelines.ingestion.generations import nodes_of
from pipelines.ingestion.space import CurrentSpace

_AT_ONCE = 256

CountReport = Callable[[int], None]


class Completer:
    """Completes one tenant's chunks.

    Args:
        catalogue: Commits wait while vectors are written, so that none goes to a store that was just replaced.
        space: The store and the model in use.
    """

    def __init__(self, catalogue: Catalogue, space: CurrentSpace) -> None:
        self._catalogue = catalogue
        self._space = space

    def __call__(self, report: CountReport) -> int:
        """Embed chunks without a vector; return their number. ``report`` receives the count after each group."""
        done = 0
        while True:
            space = self._space()
            payloads = space.store.without_vectors(_AT_ONCE)
            if not payloads:
                return done
            nodes = space.embed(nodes_of(payloads, space.store.encoder.title_weight))
            vectors = {node.node_id: node.get_embedding() for node in nodes}
            with self._catalogue.paused():
                if self._space() is space:
                    space.store.give_vectors(vectors)
                    done += len(vectors)
            report(done)
