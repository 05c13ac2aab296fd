"""Newer documents first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.rerankers.base import Stage, weighted
from pipelines.profile.sections.rerank import RecencyStage
from pipelines.types import Hit

_DAY = timedelta(days=1)


class Recency(Stage):
    """Multiplies the score of each hit with ``0.5 ** (age / half-life)``.

    Age is counted from the newest of the hits, not from now: the order is the same, and a search gives tomorrow what it
    gives today, in history too. A hit whose document has no date, or none that can be read, keeps the weight 1.
    """

    _field: str = PrivateAttr()
    _half_life: float = PrivateAttr()

    def __init__(self, section: RecencyStage, name: str) -> None:
        super().__init__(name=name, depth=section.depth)
        self._field = section.field
        self._half_life = section.half_life_days

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        moments = {hit.chunk_id: _moment(hit.metadata.get(self._field)) for hit in hits}
        newest = max((moment for moment in moments.values() if moment is not None), default=None)

        def weight(hit: Hit) -> float:
            moment = moments[hit.chunk_id]
            if moment is None or newest is None:
                return 1.0
            return float(0.5 ** ((newest - moment) / _DAY / self._half_life))

        return weighted(hits, weight)


def _moment(value: object) -> datetime | None:
    """Return the date that metadata hold as text; where it names no zone it is UTC."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
