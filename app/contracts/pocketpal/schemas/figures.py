"""Status, metrics and storage."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from app.contracts.pocketpal.schemas.base import Shape


class StatusPerformance(Shape):
    """Figures of the service."""

    documents_indexed: int
    total_chunks: int
    vectors_stored: int
    memory_usage: float = Field(description="MB of the whole process")
    disk_usage: float = Field(description="MB")
    average_search_time: float = Field(description="milliseconds")


class StatusHealth(Shape):
    """How the parts are."""

    embedding_model: Literal["loaded", "loading", "error"]
    vector_index: Literal["ready", "building", "error"]
    storage: Literal["available", "low", "full"]


class RAGStatus(Shape):
    """How the service is."""

    status: Literal["ready", "indexing", "error", "initializing"]
    performance: StatusPerformance
    health: StatusHealth
    last_updated: datetime


class SearchMetrics(Shape):
    """How long searches took, in milliseconds; percentiles to within 5 %."""

    average_time: float
    p95_time: float = Field(alias="p95Time")
    p99_time: float = Field(alias="p99Time")
    total_searches: int


class IndexingMetrics(Shape):
    """How fast documents come in."""

    documents_per_second: float
    vectors_per_second: float
    average_index_time: float = Field(description="milliseconds of a document")


class PerformanceMetrics(Shape):
    """Times."""

    search_metrics: SearchMetrics
    indexing_metrics: IndexingMetrics


class TopDocument(Shape):
    """A document that is often found."""

    document_id: str
    title: str
    access_count: int
    last_accessed: datetime


class TopQuery(Shape):
    """What is often asked."""

    query: str
    count: int
    average_relevance: float = Field(description="mean similarity of its best result")


class UsageMetrics(Shape):
    """Use."""

    top_documents: list[TopDocument]
    top_queries: list[TopQuery]


class RAGMetrics(Shape):
    """How the service is used, and how fast it is."""

    performance: PerformanceMetrics
    usage: UsageMetrics


class StorageInfo(Shape):
    """Room on disk, in bytes."""

    used: int
    available: int
    efficiency: float = Field(description="bytes of the documents as they came, for each byte that is used")
    auto_cleanup: bool
