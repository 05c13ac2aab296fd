"""How the vectors of the dense leg are kept and looked through: whole or compressed, in memory or not."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qdrant_client import models

from pipelines.profile.sections.storage import MemoryStore, StoreSection

_LEAST_EF = 128
_EF_OF_DEPTH = 2
"""Candidates that the walk through the graph keeps for each that is asked for; it then finds 99 of the nearest 100."""
SCANNED = 12_000
"""Where so few chunks fit a filter they are scanned, and not the graph walked: it is as quick, and finds them all."""
_SCANNED_SHARE = 0.06
"""Of large collections this share is scanned too: of a million chunks a walk finds 6.8 of the nearest ten among 5 %, in
half the time of the scan that finds them all.
"""
_WALKED = 100_000
"""Among more chunks a walk keeps more candidates, by the square root of how many times more: of a million it finds 9.0
of the nearest ten in place of 8.4.
"""
SPARSE_SHARE = 0.9
"""Where a smaller share of the chunks fits, the walk through the graph also looks at neighbours of neighbours (ACORN).

A plain walk sees only what fits and loses its way where little does: among 100,000 chunks it finds 6.4 of the nearest
ten at a share of 20 %, 9.7 at 50 %, 9.8 at 70 %; with neighbours of neighbours 9.9 and more at 10 % already. Qdrant's
other remedy, links among the chunks that share a value, makes the graph three times as slow to build, helps with the
values that have links only, and is in the way of filters that let much through.
"""
_INT8 = models.ScalarQuantization(
    scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
)
_BYTES = {models.Datatype.TURBO8: 1.0, models.Datatype.TURBO4: 0.5}
_COMPACT = {"turbo8": models.Datatype.TURBO8, "turbo4": models.Datatype.TURBO4}
# A byte a dimension mistakes the order of near neighbours: without this 97 of the nearest 100 are found, with it 99.
_COMPARED_IN_FULL = models.QuantizationSearchParams(rescore=True, oversampling=2.0)


@dataclass(frozen=True, slots=True)
class DenseVectors:
    """What the profile chose for them; the choice is of this vector alone, not of the collection."""

    quantized: bool
    on_disk: bool
    datatype: models.Datatype | None = None

    @classmethod
    def of(cls, section: StoreSection) -> DenseVectors:
        """Return the choice of a profile; the memory mode has none."""
        if isinstance(section, MemoryStore):
            return cls(quantized=False, on_disk=False)
        return cls(
            quantized=section.quantization == "int8",
            on_disk=section.on_disk,
            datatype=_COMPACT.get(section.quantization),
        )

    @property
    def bytes_per_dimension(self) -> float:
        """Bytes on disk: int8 keeps one beside the four of the full vector, the turbo types keep nothing else."""
        kept = 4.0 if self.datatype is None else _BYTES[self.datatype]
        return kept + 1.0 if self.quantized else kept

    def params(self, dimensions: int) -> models.VectorParams:
        """Return what a collection is made with."""
        return models.VectorParams(
            size=dimensions,
            distance=models.Distance.COSINE,
            on_disk=self.on_disk,
            datatype=self.datatype,
            quantization_config=_INT8 if self.quantized else None,
        )

    def change(self, stored: models.VectorParams) -> models.VectorParamsDiff | None:
        """Return the change that a collection made with ``stored`` needs, if any; its datatype stays."""
        if (stored.quantization_config is not None, bool(stored.on_disk)) == (self.quantized, self.on_disk):
            return None
        return models.VectorParamsDiff(
            on_disk=self.on_disk, quantization_config=_INT8 if self.quantized else models.Disabled.DISABLED
        )


def walk(depth: int, beyond: float | None = None, total: int = 0) -> models.SearchParams:
    """Return a walk wide enough for ``depth`` among ``total`` chunks, if their number is known; with neighbours of
    neighbours where a share below ``beyond`` fits.

    What is kept in a byte a dimension is compared in full whatever the profile says now: it follows when optimised.
    """
    wider = math.sqrt(max(total, _WALKED) / _WALKED)
    if beyond is None:
        width = round(wider * max(_LEAST_EF, _EF_OF_DEPTH * depth))
        return models.SearchParams(hnsw_ef=width, quantization=_COMPARED_IN_FULL)
    acorn = models.AcornSearchParams(enable=True, max_selectivity=beyond)
    width = round(wider * max(_LEAST_EF, depth))
    return models.SearchParams(hnsw_ef=width, quantization=_COMPARED_IN_FULL, acorn=acorn)


def way(depth: int, matching: int, total: int) -> models.SearchParams:
    """Return how the nearest ``depth`` are looked for where about ``matching`` of ``total`` chunks fit the filter."""
    if matching <= max(SCANNED, _SCANNED_SHARE * total):
        return models.SearchParams(exact=True)
    return walk(depth, 1.0 if matching < SPARSE_SHARE * total else None, total)
