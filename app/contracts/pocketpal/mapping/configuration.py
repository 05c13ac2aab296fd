"""The configuration: the profile, and what was changed at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.contracts.pocketpal.mapping.base import FULL, MB, Tenant
from app.contracts.pocketpal.schemas.configuration import (
    ChunkingConfig,
    ChunkingUpdate,
    ConfigChanged,
    ConfigUpdate,
    EmbeddingConfig,
    EmbeddingUpdate,
    HnswParams,
    PerformanceConfig,
    RAGConfig,
    SearchConfig,
    StorageConfig,
    VectorStoreConfig,
    VectorStoreUpdate,
)
from pipelines.errors import BatchTooLarge, InvalidRequest, MemoryFull, Problem, StorageFull, UnknownModel
from pipelines.models import ModelEntry, list_models
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.types import Job, Resources

SETTINGS = "pocketpal"
"""The name under which the settings are kept that are not the profile's."""
_DEFAULTS: Mapping[str, Any] = {
    "max_chunk_size": 4000,
    "default_limit": 5,
    "max_limit": 20,
    "default_threshold": 0.0,
    "max_memory_usage": 4096,
    "search_timeout": 10_000,
    "indexing_batch_size": 1000,
    "auto_cleanup": False,
    "max_storage": 0,
}
_MODELS: Mapping[str, str] = {
    "sentence-transformers-mobile": "int8",
    "mobile-sentence-transformer": "int8",
    "all-MiniLM-L6-v2": "int8",
    "all-MiniLM-L6-v2-fp32": "none",
}
"""The precisions of the bundled model, by their names; the first name of each is the one that is shown."""
_MOST_CHUNKS = 20
_REPROCESSES = " for new documents; the task reprocesses the others"
_TO_COME: Mapping[str, str] = {"compact": "; the task makes room", "rebuild": " once the task has rebuilt the index"}
_REBUILDS_TOO = " and rebuilds the index"


def config_of(engine: Tenant) -> RAGConfig:
    """Return how the service works: the profile, and what was changed at run time."""
    profile, own = engine.profile, {**_DEFAULTS, **engine.settings.get(SETTINGS)}
    return RAGConfig(
        embedding=EmbeddingConfig(
            model=model_of(engine), dimensions=engine.dimensions, batch_size=profile.embedding.batch_size
        ),
        vector_store=VectorStoreConfig(
            algorithm="hnsw",
            hnsw_params=HnswParams(
                ef_construction=profile.store.hnsw.ef_construct, max_connections=profile.store.hnsw.m
            ),
        ),
        chunking=ChunkingConfig(
            default_size=profile.chunking.size,
            default_overlap=profile.chunking.overlap,
            max_chunk_size=own["max_chunk_size"],
        ),
        search=SearchConfig.model_validate(own),
        performance=PerformanceConfig.model_validate(own),
        storage=StorageConfig.model_validate(own),
    )


def own_settings(engine: Tenant, asked: ConfigUpdate) -> dict[str, Any]:
    """Return what a request sets beside the profile, with what was set before.

    Raises:
        InvalidRequest: The values do not go together.
    """
    own = {**_DEFAULTS, **engine.settings.get(SETTINGS)}
    for section in (asked.search, asked.performance, asked.storage):
        own |= section.model_dump(exclude_none=True) if section is not None else {}
    if asked.chunking is not None and asked.chunking.max_chunk_size is not None:
        own["max_chunk_size"] = asked.chunking.max_chunk_size
    size, overlap = _chunk(engine, asked.chunking)
    problems = []
    if own["default_limit"] > own["max_limit"]:
        problems.append(Problem("search -> defaultLimit", f"is over maxLimit, which is {own['max_limit']}"))
    if size > own["max_chunk_size"]:
        problems.append(Problem("chunking -> defaultSize", f"is over maxChunkSize, which is {own['max_chunk_size']}"))
    if overlap > size // 2:
        text = f"{overlap} is over half of defaultSize, which is {size // 2}"
        problems.append(Problem("chunking -> defaultOverlap", text))
    if own["auto_cleanup"] and not own["max_storage"]:
        problems.append(Problem("storage -> maxStorage", "must be given for autoCleanup: how many MB are enough"))
    if problems:
        raise InvalidRequest(*problems)
    return own


def _chunk(engine: Tenant, asked: ChunkingUpdate | None) -> tuple[int, int]:
    """Return the size and the overlap of chunks, as they will be."""
    known = engine.profile.chunking
    size, overlap = (asked.default_size, asked.default_overlap) if asked is not None else (None, None)
    return known.size if size is None else size, known.overlap if overlap is None else overlap


def profile_changes(engine: Tenant, asked: ConfigUpdate) -> dict[str, dict[str, Any]]:
    """Return what a request changes of the profile.

    Raises:
        InvalidRequest: It asks for what there is not.
    """
    changes: dict[str, dict[str, Any]] = {}
    if asked.chunking is not None:
        sizes = {"size": asked.chunking.default_size, "overlap": asked.chunking.default_overlap}
        given = {name: value for name, value in sizes.items() if value is not None}
        changes["chunking"] = {**given, "unit": "character"} if given else {}
    if asked.embedding is not None:
        changes["embedding"] = _embedding_changes(engine, asked.embedding)
    if asked.vector_store is not None:
        changes["store"] = _store_changes(engine, asked.vector_store)
    return {section: values for section, values in changes.items() if values}


def _installed() -> dict[str, ModelEntry]:
    """Embedding models that are ready beside the bundled one: known ones, and those added to this machine."""
    ready = (one for one in list_models() if one.kind == "embedding" and one.name != "bundled" and one.quantize)
    return {one.name: one for one in ready}


def _model_changes(name: str) -> tuple[dict[str, Any], int | None]:
    """What the profile says of a model by its name, and the length of its vectors; None: as before."""
    if name in _MODELS:
        return {"model": "bundled", "quantize": _MODELS[name]}, None
    installed = _installed()
    if name not in installed:
        raise UnknownModel("embedding -> model", name, (*_MODELS, *installed))
    entry = installed[name]
    precision = "int8" if "int8" in entry.quantize else entry.quantize[0]
    return {"model": name, "quantize": precision}, entry.dimensions


def _embedding_changes(engine: Tenant, asked: EmbeddingUpdate) -> dict[str, Any]:
    section = engine.profile.embedding
    changes: dict[str, Any] = {} if asked.batch_size is None else {"batch_size": asked.batch_size}
    dimensions = engine.dimensions
    if asked.model is not None and asked.model != model_of(engine):
        if section.provider == "huggingface":
            chosen, length = _model_changes(asked.model)
            changes |= chosen
            dimensions = length or dimensions
        else:
            changes["model"] = asked.model
    if asked.dimensions not in (None, dimensions):
        if section.provider == "huggingface":
            text = f"are the model's, which are {dimensions}"
            raise InvalidRequest(Problem("embedding -> dimensions", text))
        changes["dimensions"] = asked.dimensions
    return changes


def _store_changes(engine: Tenant, asked: VectorStoreUpdate) -> dict[str, Any]:
    if asked.algorithm == "faiss":
        raise InvalidRequest(Problem("vectorStore -> algorithm", "the index is an HNSW graph, there is no faiss here"))
    if asked.hnsw_params is None:
        return {}
    hnsw = engine.profile.store.hnsw
    return {
        "hnsw": {
            "m": asked.hnsw_params.max_connections or hnsw.m,
            "ef_construct": asked.hnsw_params.ef_construction or hnsw.ef_construct,
        }
    }


def model_of(engine: Tenant) -> str:
    """Return what the embedding model is called."""
    section = engine.profile.embedding
    if isinstance(section, HuggingFaceEmbedding) and section.model == "bundled":
        return next(name for name, quantize in _MODELS.items() if quantize == section.quantize)
    return section.model


def require_model(engine: Tenant, name: str | None) -> None:
    """Refuse a name that is not that of the model in use.

    Raises:
        UnknownModel: It is not.
    """
    known = model_of(engine)
    if name not in (None, known) and not (name in _MODELS and _MODELS.get(known) == _MODELS[name]):
        raise UnknownModel("model", str(name), (known,))


def require_room(engine: Tenant, config: RAGConfig) -> None:
    """Refuse to take more in where memory or disk is used up.

    Raises:
        MemoryFull, StorageFull: It is.
    """
    taken, memory = engine.storage.resources(), config.performance.max_memory_usage * MB
    if taken.memory > memory:
        raise MemoryFull(taken.memory, memory)
    if is_full(taken, config) and not engine.scope:
        engine.whole("reclaiming room").storage.reclaim()  # what was deleted may have left enough
        taken = engine.storage.resources()
    if is_full(taken, config):
        raise StorageFull(taken.documents, config.storage.max_storage * MB or taken.documents)


def is_full(taken: Resources, config: RAGConfig) -> bool:
    """Return whether there is no room on disk for more documents."""
    return taken.free < FULL or (not config.storage.auto_cleanup and is_over(taken, config.storage))


def is_over(taken: Resources, storage: StorageConfig) -> bool:
    """Return whether documents take more room than they may."""
    return 0 < storage.max_storage * MB < taken.documents


def require_batch(config: RAGConfig, documents: int) -> None:
    """Refuse a batch that is larger than may be.

    Raises:
        BatchTooLarge: It is.
    """
    if documents > config.performance.indexing_batch_size:
        raise BatchTooLarge(documents, config.performance.indexing_batch_size)


def require_chunk(config: RAGConfig, size: int | None, overlap: int | None) -> None:
    """Refuse chunks that are larger, or that share more, than may be.

    Raises:
        InvalidRequest: They are.
    """
    most = config.chunking.max_chunk_size
    if size is not None and size > most:
        raise InvalidRequest(Problem("chunkSize", f"{size} is over chunking.maxChunkSize, which is {most}"))
    half = (size or config.chunking.default_size) // 2
    if overlap is not None and overlap > half:
        raise InvalidRequest(Problem("chunkOverlap", f"{overlap} is over half of the chunk's size, which is {half}"))


def limit(config: RAGConfig, asked: int | None) -> int:
    """Return how many results are wanted.

    Raises:
        InvalidRequest: More than there may be, or none.
    """
    most = config.search.max_limit
    if asked is not None and not 1 <= asked <= most:
        raise InvalidRequest(Problem("limit", f"{asked} is not between 1 and {most}"))
    return config.search.default_limit if asked is None else asked


def require_chunks(config: RAGConfig, asked: int) -> None:
    """Refuse more chunks of a context than there may be, or none.

    Raises:
        InvalidRequest: There are.
    """
    most = max(config.search.max_limit, _MOST_CHUNKS)
    if not 1 <= asked <= most:
        raise InvalidRequest(Problem("maxChunks", f"{asked} is not between 1 and {most}"))


def changed(config: RAGConfig, task: Job | None, *, stale: bool) -> ConfigChanged:
    """Return how the service works now, and what is still to come; ``stale``: documents must be reprocessed."""
    to_come = "" if task is None else _TO_COME.get(task.kind, _REPROCESSES)
    if stale and task is not None and task.kind == "rebuild":
        to_come = _REPROCESSES + _REBUILDS_TOO
    task_id = None if task is None else task.job_id
    fields = {name: getattr(config, name) for name in RAGConfig.model_fields}
    return ConfigChanged(**fields, task_id=task_id, message=f"in effect{to_come}")
