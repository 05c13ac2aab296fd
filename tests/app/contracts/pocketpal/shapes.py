"""PocketPal's published shapes as JSON Schemas: names, nesting and types are those of its document."""

from __future__ import annotations

from typing import Any

from tests.app.contracts.published import shape_of

TEXT, NUMBER, COUNT = {"type": "string"}, {"type": "number", "minimum": 0}, {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
BOOLEAN, OBJECT = {"type": "boolean"}, {"type": "object"}


def one_of(*names: str) -> dict[str, Any]:
    """One of these texts."""
    return {"enum": list(names)}


def many(shape: dict[str, Any]) -> dict[str, Any]:
    """A list."""
    return {"type": "array", "items": shape}


INGESTED = shape_of(
    {
        "documentId": TEXT,
        "status": one_of("success", "processing", "error"),
        "chunksCreated": COUNT,
        "processingTime": NUMBER,
        "vectorsGenerated": COUNT,
        "storageUsed": COUNT,
    },
    error=TEXT,
)
DOCUMENT = shape_of(
    {
        "id": TEXT,
        "title": TEXT,
        "type": TEXT,
        "chunksCount": COUNT,
        "createdAt": TEXT,
        "lastAccessed": TEXT,
        "metadata": OBJECT,
    }
)
LISTED = shape_of({"documents": many(DOCUMENT), "totalDocuments": COUNT, "totalChunks": COUNT, "storageUsed": COUNT})
DELETED = shape_of({"success": BOOLEAN, "chunksRemoved": COUNT, "storageFreed": COUNT}, error=TEXT)
EMBEDDED = shape_of(
    {"embedding": many({"type": "number"}), "dimensions": COUNT, "model": TEXT, "processingTime": NUMBER}
)
FOUND = shape_of(
    {
        "results": many(
            shape_of(
                {
                    "chunkId": TEXT,
                    "documentId": TEXT,
                    "content": TEXT,
                    "similarity": SHARE,
                    "metadata": shape_of({"title": TEXT, "source": TEXT, "position": COUNT}),
                }
            )
        ),
        "searchTime": NUMBER,
        "totalMatches": COUNT,
    }
)
CONTEXT = shape_of(
    {
        "context": shape_of(
            {
                "text": TEXT,
                "chunks": many(shape_of({"content": TEXT, "source": TEXT, "similarity": SHARE})),
                "totalLength": COUNT,
                "relevanceScore": SHARE,
            }
        ),
        "processingTime": NUMBER,
    }
)
ENHANCED = shape_of({"enhancedPrompt": TEXT, "contextUsed": TEXT, "promptLength": COUNT, "confidence": SHARE})
CONFIG = shape_of(
    {
        "embedding": shape_of({"model": TEXT, "dimensions": COUNT, "batchSize": COUNT}),
        "vectorStore": shape_of(
            {"algorithm": one_of("hnsw", "faiss")},
            hnswParams=shape_of({"efConstruction": COUNT, "maxConnections": COUNT}),
        ),
        "chunking": shape_of({"defaultSize": COUNT, "defaultOverlap": COUNT, "maxChunkSize": COUNT}),
        "search": shape_of({"defaultLimit": COUNT, "maxLimit": COUNT, "defaultThreshold": SHARE}),
        "performance": shape_of({"maxMemoryUsage": COUNT, "searchTimeout": COUNT, "indexingBatchSize": COUNT}),
    }
)
STATUS = shape_of(
    {
        "status": one_of("ready", "indexing", "error", "initializing"),
        "performance": shape_of(
            {
                "documentsIndexed": COUNT,
                "totalChunks": COUNT,
                "vectorsStored": COUNT,
                "memoryUsage": NUMBER,
                "diskUsage": NUMBER,
                "averageSearchTime": NUMBER,
            }
        ),
        "health": shape_of(
            {
                "embeddingModel": one_of("loaded", "loading", "error"),
                "vectorIndex": one_of("ready", "building", "error"),
                "storage": one_of("available", "low", "full"),
            }
        ),
        "lastUpdated": TEXT,
    }
)
METRICS = shape_of(
    {
        "performance": shape_of(
            {
                "searchMetrics": shape_of(
                    {"averageTime": NUMBER, "p95Time": NUMBER, "p99Time": NUMBER, "totalSearches": COUNT}
                ),
                "indexingMetrics": shape_of(
                    {"documentsPerSecond": NUMBER, "vectorsPerSecond": NUMBER, "averageIndexTime": NUMBER}
                ),
            }
        ),
        "usage": shape_of(
            {
                "topDocuments": many(
                    shape_of({"documentId": TEXT, "title": TEXT, "accessCount": COUNT, "lastAccessed": TEXT})
                ),
                "topQueries": many(shape_of({"query": TEXT, "count": COUNT, "averageRelevance": SHARE})),
            }
        ),
    }
)
BATCH = shape_of(
    {
        "batchId": TEXT,
        "status": one_of("queued", "processing", "completed", "error"),
        "progress": shape_of({"total": COUNT, "completed": COUNT, "failed": COUNT, "estimated_completion": TEXT}),
    }
)
OPTIMIZING = shape_of({"taskId": TEXT, "estimatedTime": NUMBER, "status": one_of("started", "queued")})
STORAGE = shape_of({"used": COUNT, "available": COUNT, "efficiency": NUMBER, "autoCleanup": BOOLEAN})
ERROR = shape_of(
    {"error": shape_of({"code": TEXT, "message": TEXT, "timestamp": TEXT, "requestId": TEXT}, details=OBJECT)}
)
