"""The configuration of the service, and changes of it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from app.contracts.pocketpal.schemas.base import MOST_CHUNK, MOST_RESULTS, ClosedPart, Shape
from app.http.validation import refuse_null_keys


class HnswParams(Shape):
    """The shape of the index."""

    ef_construction: int
    max_connections: int


class EmbeddingConfig(Shape):
    """The embedding model."""

    model: str
    dimensions: int
    batch_size: int


class VectorStoreConfig(Shape):
    """The index."""

    algorithm: Literal["hnsw", "faiss"]
    hnsw_params: HnswParams


class ChunkingConfig(Shape):
    """Sizes of chunks, in characters."""

    default_size: int
    default_overlap: int
    max_chunk_size: int


class SearchConfig(Shape):
    """Searching."""

    default_limit: int
    max_limit: int
    default_threshold: float


class PerformanceConfig(Shape):
    """What the service may take."""

    max_memory_usage: int = Field(description="MB of the whole process")
    search_timeout: int = Field(description="milliseconds")
    indexing_batch_size: int = Field(description="most documents of a batch")


class StorageConfig(Shape):
    """Room on disk."""

    auto_cleanup: bool = Field(description="let documents go that were not used for longest, where room is short")
    max_storage: int = Field(description="MB that the documents may take, beside the log; 0: any")


class RAGConfig(Shape):
    """How the service works."""

    embedding: EmbeddingConfig
    vector_store: VectorStoreConfig
    chunking: ChunkingConfig
    search: SearchConfig
    performance: PerformanceConfig
    storage: StorageConfig


class ConfigChanged(RAGConfig):
    """The new configuration, and the task that reprocesses the documents if that is needed."""

    task_id: str | None = None
    message: str


class HnswUpdate(ClosedPart):
    """See `HnswParams`."""

    ef_construction: int | None = Field(default=None, ge=4, le=4096)
    max_connections: int | None = Field(default=None, ge=4, le=128)


class EmbeddingUpdate(ClosedPart):
    """See `EmbeddingConfig`."""

    model: str | None = Field(default=None, min_length=1, max_length=200)
    dimensions: int | None = Field(default=None, ge=1)
    batch_size: int | None = Field(default=None, ge=1, le=1024)


class VectorStoreUpdate(ClosedPart):
    """See `VectorStoreConfig`."""

    algorithm: Literal["hnsw", "faiss"] | None = None
    hnsw_params: HnswUpdate | None = None


class ChunkingUpdate(ClosedPart):
    """See `ChunkingConfig`."""

    default_size: int | None = Field(default=None, ge=16, le=MOST_CHUNK)
    default_overlap: int | None = Field(default=None, ge=0, le=MOST_CHUNK // 2)
    max_chunk_size: int | None = Field(default=None, ge=16, le=MOST_CHUNK)


class SearchUpdate(ClosedPart):
    """See `SearchConfig`."""

    default_limit: int | None = Field(default=None, ge=1, le=MOST_RESULTS)
    max_limit: int | None = Field(default=None, ge=1, le=MOST_RESULTS)
    default_threshold: float | None = Field(default=None, ge=0, le=1)


class PerformanceUpdate(ClosedPart):
    """See `PerformanceConfig`."""

    max_memory_usage: int | None = Field(default=None, ge=64, le=1_048_576)
    search_timeout: int | None = Field(default=None, ge=10, le=600_000)
    indexing_batch_size: int | None = Field(default=None, ge=1, le=100_000)


class StorageUpdate(ClosedPart):
    """See `StorageConfig`."""

    auto_cleanup: bool | None = None
    max_storage: int | None = Field(default=None, ge=0, le=1_048_576)


class ConfigUpdate(ClosedPart):
    """What is to be otherwise; the rest stays. What a change was answered with may be sent back as it came."""

    embedding: EmbeddingUpdate | None = None
    vector_store: VectorStoreUpdate | None = None
    chunking: ChunkingUpdate | None = None
    search: SearchUpdate | None = None
    performance: PerformanceUpdate | None = None
    storage: StorageUpdate | None = None
    task_id: str | None = Field(default=None, description="of an answer; changes nothing")
    message: str | None = Field(default=None, description="of an answer; changes nothing")

    @model_validator(mode="before")
    @classmethod
    def _sections_are_objects(cls, value: Any) -> Any:
        sections = {str(field.alias) for name, field in cls.model_fields.items() if name in RAGConfig.model_fields}
        given = value if isinstance(value, dict) else {}
        refuse_null_keys(key for key in given if key in sections and given[key] is None)
        return value
