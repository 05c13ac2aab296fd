"""Where vectors and documents are kept, and for how long."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator

from pipelines.errors import nearest
from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import (
    Addresses,
    CatalogueUrl,
    Identifier,
    Line,
    Number,
    OptionalPort,
    OptionalSecret,
    Section,
    Whole,
    section_error,
)

_STORED = ("text", "title", "source", "document_id", "index", "page")
_NO_NAME = re.compile(r'[<>:"/\\|?*]')
_OWN = (*_STORED, "metadata", "version", "valid_from", "valid_to", "start", "end", "page_label", "headings", "context")


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
    url: Addresses = Field(description="where the server answers; the nodes of a cluster with commas between")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    grpc_port: OptionalPort = Field(
        default=None, description="port for gRPC, usually 6334: binary, and so quicker; none: everything goes by `url`"
    )
    timeout_s: Number = Field(default=10.0, gt=0, description="seconds until a call is given up")
    collection: Line | None = Field(
        default=None, max_length=200, description="name of the collection; by default `footnote_` and the tenant"
    )
    payload: dict[Identifier, Line] = Field(
        default_factory=dict,
        description="more names for what is stored of a chunk, for other readers of the collection: `text`, `title`, "
        "`source`, `document_id`, `index`, `page`, or `metadata.` and a field",
    )
    shards: Whole = Field(default=1, ge=1, description="shards of a new collection; each weighs words by its own")
    replicas: Whole = Field(default=1, ge=1, description="copies of each shard of a new collection")
    write_consistency: Whole | None = Field(
        default=None,
        ge=1,
        description="copies that must have a change before it counts, in a new collection; none: half of them",
    )
    strict_mode: bool = Field(
        default=False, description="the server refuses filters that no index answers, from every client"
    )

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of all nodes."""
        return tuple(self.url.split(","))

    @field_validator("collection")
    @classmethod
    def _is_a_name_for_qdrant(cls, name: str | None) -> str | None:
        if name is not None and (_NO_NAME.search(name) or name in (".", "..")):
            raise ValueError('must not be "." or "..", nor contain any of < > : " / \\ | ? *')
        return name

    @model_validator(mode="after")
    def _payload_names_what_is_stored(self) -> Self:
        own = (("payload", name) for name in self.payload if name in _OWN)
        issues = [ProfileIssue(place, "is a name of Footnote's own") for place in own]
        for name, source in self.payload.items():
            if source not in _STORED and not source.startswith("metadata."):
                issues.append(ProfileIssue(("payload", name), f'"{source}" is not stored', nearest(source, _STORED)))
        if issues:
            raise section_error(*issues)
        return self


StoreSection = Annotated[EdgeStore | MemoryStore | ServerStore, Field(discriminator="engine")]


class CatalogueSection(Section):
    """Where documents, versions and their texts are recorded."""

    url: CatalogueUrl = Field(
        default=None, description="SQLAlchemy URL; none: SQLite in the data folder. Written only as ${NAME}"
    )
    connections: Whole = Field(
        default=15,
        ge=4,
        description="most connections of a process to PostgreSQL, for all its tenants with this url and this number",
    )


class Retention(Section):
    """How long replaced versions can be read with ``as_of``, and the audit log; without bounds, for ever."""

    versions: Whole | None = Field(
        default=None,
        ge=1,
        description="most versions of a document, including the current one or, where it was deleted, its deletion",
    )
    days: Number | None = Field(
        default=None, ge=0, le=36_500, description="days after which a replaced version may be purged"
    )
    audit_days: Number | None = Field(
        default=730.0, ge=1, le=36_500, description="days after which an entry of the audit log is removed; none: never"
    )
