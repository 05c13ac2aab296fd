"""The shapes of PocketPal's API: camelCase on the wire, but for two fields that its document spells otherwise."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.http.contract import ClosedBody, LenientBody
from app.http.validation import refuse_misspelt_keys, refuse_null_keys

MOST_RESULTS = 100
MOST_CHUNK = 8192
DocumentType = Annotated[Literal["pdf", "txt", "md", "web"], Field(examples=["md"])]
Path = Annotated[
    str, Field(min_length=1, max_length=4096, description="path of a file on the server", examples=["jobs.md"])
]
Template = Literal["default", "technical", "creative", "analytical"]
State = Literal["queued", "processing", "completed", "error"]
Share = Annotated[float, Field(ge=0, le=1)]
Query = Annotated[str, Field(min_length=1, max_length=4000, examples=["How do I repair a tenant?"])]


class Body(LenientBody):
    """A request; unknown keys are ignored, unless they misspell a known one."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuses_misspelt_keys(cls, value: Any) -> Any:
        if isinstance(value, dict) and cls.model_config.get("extra") != "allow":
            known = [str(field.alias) for field in cls.model_fields.values()]
            refuse_misspelt_keys((key for key in value if key not in cls.model_fields), known)
        return value


class ClosedPart(ClosedBody):
    """A part of a request that takes no other keys."""

    model_config = ConfigDict(alias_generator=to_camel, allow_inf_nan=False)


class Shape(BaseModel):
    """A response, or a part of one."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


# ---------------------------------------------------------------------------------------------------------------------
# Documents


class DocumentMetadata(Body):
    """What is said of a document; further keys are kept."""

    model_config = ConfigDict(extra="allow")

    title: str | None = Field(default=None, min_length=1, max_length=512)
    author: str | None = Field(default=None, min_length=1, max_length=512)
    tags: list[Annotated[str, Field(min_length=1, max_length=100)]] | None = Field(default=None, max_length=100)
    source: str | None = Field(default=None, min_length=1, max_length=2048)


class IngestDocumentRequest(Body):
    """A file to ingest."""

    document_path: Path
    document_type: DocumentType
    chunk_size: int | None = Field(
        default=None, ge=16, le=MOST_CHUNK, description="characters, default 500", examples=[300]
    )
    chunk_overlap: int | None = Field(
        default=None, ge=0, le=MOST_CHUNK // 2, description="characters, default 50", examples=[30]
    )
    metadata: DocumentMetadata | None = None


class IngestDocumentResponse(Shape):
    """What became of it."""

    document_id: str
    status: Literal["success", "processing", "error"]
    chunks_created: int = Field(ge=0)
    processing_time: float = Field(ge=0, description="milliseconds")
    vectors_generated: int = Field(ge=0)
    storage_used: int = Field(ge=0, description="bytes")
    error: str | None = None


class DocumentItem(Shape):
    """A document as it is listed."""

    id: str
    title: str
    type: str
    chunks_count: int
    created_at: datetime
    last_accessed: datetime = Field(description="when it was last among the results, at first when it was ingested")
    metadata: dict[str, Any]


class ListDocumentsResponse(Shape):
    """All documents."""

    documents: list[DocumentItem]
    total_documents: int
    total_chunks: int
    storage_used: int = Field(description="bytes on disk")


class DeleteDocumentResponse(Shape):
    """The receipt of a deletion."""

    success: bool
    chunks_removed: int
    storage_freed: int = Field(description="bytes")
    error: str | None = None


# ---------------------------------------------------------------------------------------------------------------------
# Vectors


class EmbedRequest(Body):
    """A text to embed."""

    text: str = Field(min_length=1, max_length=100_000, examples=["How do I repair a tenant?"])
    model: str | None = Field(default=None, min_length=1, max_length=200, examples=["sentence-transformers-mobile"])
    normalize: bool = True


class EmbedResponse(Shape):
    """Its vector."""

    embedding: list[float]
    dimensions: int
    model: str
    processing_time: float = Field(ge=0, description="milliseconds")


def _moment(value: Any) -> Any:
    """A date, or a moment in ISO 8601; UTC where it does not say."""
    if not isinstance(value, str):
        raise ValueError("must be a date or a moment in ISO 8601, such as 2025-06-23T12:00:00Z")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f'"{value[:40]}" is no date or moment in ISO 8601, such as 2025-06-23T12:00:00Z') from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _last_moment(value: Any) -> Any:
    """The end of a range: of a date without time, the end of its day."""
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        return _moment(value)
    return datetime.combine(day, time.max, UTC)


class DateRange(ClosedPart):
    """When documents were ingested, both ends included."""

    start: Annotated[datetime, BeforeValidator(_moment, json_schema_input_type=date | datetime)] = Field(
        examples=["2025-06-01"]
    )
    end: Annotated[datetime, BeforeValidator(_last_moment, json_schema_input_type=date | datetime)] = Field(
        examples=["2099-12-31T23:59:59Z"]
    )

    @model_validator(mode="after")
    def _start_comes_first(self) -> Self:
        if self.start > self.end:
            raise ValueError("start is after end")
        return self


class SearchFilter(ClosedPart):
    """What to look among; all that is given must be so."""

    document_ids: list[str] | None = Field(default=None, min_length=1, max_length=10_000, examples=[["doctor.md"]])
    tags: list[str] | None = Field(
        default=None, min_length=1, max_length=100, description="any of them", examples=[None]
    )
    date_range: DateRange | None = None


class VectorSearchRequest(Body):
    """A search by a text, or by a vector."""

    query: str = Field(default="", max_length=4000, examples=["How do I repair a tenant?"])
    query_vector: list[float] | None = Field(
        default=None, max_length=65_536, description="as many numbers as the embedding model gives", examples=[None]
    )
    limit: int | None = Field(default=None, ge=1, le=MOST_RESULTS, description="default 5, at most 20, by config")
    threshold: float | None = Field(default=None, ge=0, le=1)
    filter: SearchFilter | None = None

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if not self.query.strip() and self.query_vector is None:
            raise ValueError("query must be given, or queryVector")
        return self


class ResultMetadata(Shape):
    """Where a result comes from."""

    title: str
    source: str
    position: int = Field(ge=0, description="which chunk of its document it is, from 0")


class SearchHit(Shape):
    """A chunk that was found."""

    chunk_id: str
    document_id: str
    content: str
    similarity: Share
    metadata: ResultMetadata


class VectorSearchResponse(Shape):
    """The chunks that were found, the most similar first."""

    results: list[SearchHit]
    search_time: float = Field(ge=0, description="milliseconds")
    total_matches: int = Field(ge=0, description="candidates over the threshold, of those that were weighed")


# ---------------------------------------------------------------------------------------------------------------------
# Context


class ContextRetrievalRequest(Body):
    """A question that needs context."""

    query: Query
    max_context_length: int = Field(default=2000, ge=1, le=100_000, description="characters")
    max_chunks: int = Field(default=3, ge=1, le=MOST_RESULTS, description="at most 20, or maxLimit where it is more")
    diversity_factor: float | None = Field(default=None, ge=0, le=1)
    include_metadata: bool = Field(default=True, description="name each chunk's title and source in the text")


class ContextChunk(Shape):
    """A chunk of the context."""

    content: str
    source: str
    similarity: Share


class Context(Shape):
    """What a language model is to read before it answers."""

    text: str
    chunks: list[ContextChunk]
    total_length: int = Field(ge=0, description="characters")
    relevance_score: Share = Field(description="mean similarity of the chunks")


class ContextRetrievalResponse(Shape):
    """The context for a question."""

    context: Context
    processing_time: float = Field(ge=0, description="milliseconds")


class EnhancePromptRequest(Body):
    """A question, to be sent to a language model with its context."""

    user_query: Query
    system_prompt: str | None = Field(default=None, max_length=100_000)
    context: str | None = Field(default=None, max_length=100_000)
    template: Template = "default"


class EnhancePromptResponse(Shape):
    """The prompt."""

    enhanced_prompt: str
    context_used: str
    prompt_length: int = Field(description="characters")
    confidence: Share = Field(description="relevance of the context")


# ---------------------------------------------------------------------------------------------------------------------
# Configuration


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
    """How the service works now, and the task that makes the documents anew where they have to be."""

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


# ---------------------------------------------------------------------------------------------------------------------
# Status and figures


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


# ---------------------------------------------------------------------------------------------------------------------
# Batches and tasks


class BatchDocument(Body):
    """A file of a batch."""

    path: Path
    type: DocumentType
    metadata: DocumentMetadata | None = None


class BatchIngestRequest(Body):
    """Files to ingest in the background."""

    documents: list[BatchDocument] = Field(min_length=1, max_length=100_000)
    concurrency: int = Field(default=3, ge=1, le=16, description="files that are read together")
    priority: Literal["high", "normal", "low"] = "normal"


class BatchProgress(Shape):
    """How far a batch is."""

    total: int
    completed: int
    failed: int
    estimated_completion: datetime = Field(alias="estimated_completion")


class BatchIngestResponse(Shape):
    """A batch."""

    batch_id: str
    status: State
    progress: BatchProgress
    errors: list[BatchError] = Field(default=[], description="files that could not be ingested")
    error: str | None = Field(default=None, description="why the batch as a whole was given up")


class BatchError(Shape):
    """A file of a batch that could not be ingested."""

    path: str
    message: str


class OptimizeIndexRequest(Body):
    """What to do to the index."""

    action: Literal["rebuild", "compact", "rebalance"]
    background_mode: bool = True


class OptimizeIndexResponse(Shape):
    """The task that does it."""

    task_id: str
    estimated_time: float = Field(ge=0, description="minutes")
    status: Literal["started", "queued"]


class Task(Shape):
    """A piece of work in the background."""

    task_id: str
    action: str
    status: State
    created_at: datetime
    finished_at: datetime | None
    error: str | None = None


# ---------------------------------------------------------------------------------------------------------------------


class ErrorBody(Shape):
    """What went wrong."""

    code: str
    message: str
    details: dict[str, Any] | None = None
    timestamp: datetime
    request_id: str


class RAGError(Shape):
    """Any error."""

    error: ErrorBody
