"""Where vectors and documents are kept, and for how long."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from pipelines.profile.values import Address, CatalogueUrl, Number, OptionalSecret, Section, Whole


class Hnsw(Section):
    """The HNSW graph of the dense leg."""

    m: Whole = Field(default=16, ge=4, le=128, description="links per node")
    ef_construct: Whole = Field(default=100, ge=4, le=4096, description="candidates considered when a node is linked")


class VectorStorage(Section):
    """How dense vectors are stored; an existing collection follows at its next optimisation."""

    hnsw: Hnsw = Field(default_factory=Hnsw, description="the graph's shape")
    quantization: Literal["none", "int8", "turbo8", "turbo4"] = Field(
        default="none",
        description="int8: search with one byte per dimension, then compare twice as many candidates in full; "
        "turbo8, turbo4: keep one byte, or half a byte, per dimension and nothing else, from the store's creation on",
    )
    on_disk: bool = Field(default=False, description="full vectors stay on disk and are read when needed")


class EdgeStore(VectorStorage):
    """Qdrant Edge in this process."""

    engine: Literal["edge"] = "edge"


class MemoryStore(Section):
    """qdrant-client's in-memory mode: lost with the process, for tests and notebooks."""

    engine: Literal["memory"]
    hnsw: Hnsw = Field(default_factory=Hnsw, description="the graph's shape")


class ServerStore(VectorStorage):
    """A Qdrant server or cluster."""

    engine: Literal["server"]
    url: Address = Field(description="where the server answers")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    timeout_s: Number = Field(default=10.0, gt=0, description="seconds until a call is given up")
    shards: Whole = Field(default=1, ge=1, description="shards of a new collection")
    replicas: Whole = Field(default=1, ge=1, description="copies of each shard")


StoreSection = Annotated[EdgeStore | MemoryStore | ServerStore, Field(discriminator="engine")]


class CatalogueSection(Section):
    """Where documents, versions and their texts are recorded."""

    url: CatalogueUrl = Field(
        default=None, description="SQLAlchemy URL; none: SQLite in the data folder. Written only as ${NAME}"
    )


class Retention(Section):
    """How long replaced versions can be read with ``as_of``, and the audit log; without bounds, for ever."""

    versions: Whole | None = Field(
        default=None, ge=1, description="most versions of a document, including the current one"
    )
    days: Number | None = Field(default=None, ge=0, description="days after which a replaced version may be purged")
    audit_days: Number | None = Field(
        default=730.0, ge=1, le=36_500, description="days after which an entry of the audit log is removed; none: never"
    )
