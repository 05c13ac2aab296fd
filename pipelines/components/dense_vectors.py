"""How the vectors of the dense leg are kept and looked through: whole or in a byte a dimension, in memory or not."""

from __future__ import annotations

from dataclasses import dataclass

from qdrant_client import models

from pipelines.profile.schema import MemoryStore, StoreSection

_INT8 = models.ScalarQuantization(
    scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
)
# A byte a dimension mistakes the order of near neighbours: without this 97 of the nearest 100 are found, with it 99.
COMPARED_IN_FULL = models.QuantizationSearchParams(rescore=True, oversampling=2.0)
"""For every walk, however the vectors are kept: a choice that was changed takes a while to be carried out."""


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
