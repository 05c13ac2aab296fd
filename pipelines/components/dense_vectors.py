"""How the vectors of the dense leg are kept and looked through: whole or in a byte a dimension, in memory or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from pipelines.profile.schema import MemoryStore, StoreSection

_LEAST_EF = 128
_EF_OF_DEPTH = 2
"""Candidates that the walk through the graph keeps for each that is asked for; it then finds 99 of the nearest 100."""
# A walk that is filtered to a share of the chunks loses its way where these have few links among themselves. Filtered
# to hundreds of small values, in 20,000 chunks, it finds 9.4 of the nearest ten at 20 %, 9.8 at 30 %, 9.9 from 40 %.
_WALKED_SHARE = 0.4
_WIDELY_WALKED_SHARE = 0.15
_SCANNED = 15_000
"""So many that match are compared one by one, in 5 ms."""
_OVER_NEIGHBOURS = models.AcornSearchParams(enable=True, max_selectivity=1.0)
_INT8 = models.ScalarQuantization(
    scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
)
# A byte a dimension mistakes the order of near neighbours: without this 97 of the nearest 100 are found, with it 99.
_COMPARED_IN_FULL = models.QuantizationSearchParams(rescore=True, oversampling=2.0)


@dataclass(frozen=True, slots=True)
class DenseVectors:
    """What the profile chose for them; the choice is of this vector alone, not of the collection."""

    quantized: bool
    on_disk: bool

    @classmethod
    def of(cls, section: StoreSection) -> DenseVectors:
        """The choice of a profile; the memory mode has none."""
        if isinstance(section, MemoryStore):
            return cls(quantized=False, on_disk=False)
        return cls(quantized=section.quantization == "int8", on_disk=section.on_disk)

    def params(self, dimensions: int) -> models.VectorParams:
        """What a collection is made with."""
        return models.VectorParams(
            size=dimensions,
            distance=models.Distance.COSINE,
            on_disk=self.on_disk,
            quantization_config=_INT8 if self.quantized else None,
        )

    def change(self, stored: models.VectorParams) -> models.VectorParamsDiff | None:
        """What a collection that was made with ``stored`` must be told, if anything."""
        if (stored.quantization_config is not None, bool(stored.on_disk)) == (self.quantized, self.on_disk):
            return None
        return models.VectorParamsDiff(
            on_disk=self.on_disk, quantization_config=_INT8 if self.quantized else models.Disabled.DISABLED
        )


def walk(depth: int, **further: Any) -> models.SearchParams:
    """A walk to the nearest ``depth``, however they are kept: a choice that was changed takes a while."""
    ef = max(_LEAST_EF, _EF_OF_DEPTH * depth)
    return models.SearchParams(hnsw_ef=ef, quantization=_COMPARED_IN_FULL, **further)


def way(depth: int, where: models.Filter | None, matching: int, total: int) -> models.SearchParams:
    """How the nearest ``depth`` are looked for among about ``matching`` of ``total`` chunks, which ``where`` matches.

    By a walk through the graph; by comparing all that match; by a walk that keeps twice as many candidates; or, where
    they are too many to be compared and too few for the graph, by one that steps over neighbours that do not match
    (ACORN, Patel et al., SIGMOD 2024), in ten times the time.
    """
    if matching >= _WALKED_SHARE * total:
        return walk(depth)
    if matching <= _SCANNED:
        return models.SearchParams(exact=True)
    if _of_one_value(where):
        return walk(depth)
    if matching >= _WIDELY_WALKED_SHARE * total:
        return walk(2 * depth)
    return walk(depth, acorn=_OVER_NEIGHBOURS)


def _of_one_value(where: Any) -> bool:
    """Whether all that is required is one value of a field: the graph has links among the chunks that share one."""
    if isinstance(where, models.Filter) and not where.should and isinstance(where.must, list) and len(where.must) == 1:
        return _of_one_value(where.must[0])
    return isinstance(where, models.FieldCondition) and isinstance(where.match, models.MatchValue)
