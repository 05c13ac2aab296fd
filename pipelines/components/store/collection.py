"""A collection of chunks in whichever engine the profile names; the one place where an engine's failures are caught."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

from qdrant_client import QdrantClient, models

from pipelines.components.store import dense_vectors, server
from pipelines.components.store.edge.client import EdgeClient
from pipelines.components.store.edge.filters import Where, edge_filter
from pipelines.components.store.nodes import Nodes
from pipelines.components.store.payload_indexes import FIELD_INDEXES, OWN_INDEXES, SCANNED_CHUNKS, SERVER_INDEXES
from pipelines.errors import EmbeddingChanged, PartTimeout, StoreUnavailable, Unavailable
from pipelines.events import Observe, PartFailed, ignore_event
from pipelines.filters.sections import stored_at
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.storage import Hnsw, ServerStore, StoreSection

DENSE, SPARSE, TOKENS = "dense", "bm25", "tokens"
Leg = list[tuple[str, float]]

_PAGE = 512
_PAGE_WITH_TOKENS = 32  # a chunk is then up to a megabyte as JSON, and an answer has to come in time
_BATCH = 256
_EXACT_CHUNKS = 5_000
"""Up to so many chunks a full scan is as quick as the graph, and exact: an Edge collection has no graph before."""
# Tokens are scored for a few candidates that are known by their ids, so that they need no graph and no place in memory;
# turbo4 keeps half a byte a dimension and no original, which moves their scores by some thousandths.
_TOKENS: dict[str, Any] = {
    "distance": models.Distance.DOT,
    "multivector_config": models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
    "datatype": models.Datatype.TURBO4,
    "hnsw_config": models.HnswConfigDiff(m=0),
    "on_disk": True,
}


class StoreCollection:
    """Reads and changes one collection, made with its indexes where they are missing.

    ``tokens`` makes room for a matrix of vectors of each chunk's words, beside the chunk's own vector.

    Raises, from every method:
        StoreUnavailable: The engine cannot be reached, or failed.
        PartTimeout: It did not answer in time.
    """

    def __init__(
        self,
        section: StoreSection,
        folder: Path,
        name: str,
        dimensions: int,
        fields: Mapping[str, MetadataField],
        *,
        tokens: bool = False,
        observe: Observe = ignore_event,
    ) -> None:
        self.name = name
        self._observe = observe
        self.tokens = tokens
        self._section = section
        self._dimensions = dimensions
        self._vectors = dense_vectors.DenseVectors.of(section)
        self.names: Mapping[str, str] = section.payload if isinstance(section, ServerStore) else {}
        self._indexes = OWN_INDEXES | (SERVER_INDEXES if isinstance(section, ServerStore) else {})
        self._indexes |= {stored_at(name, field): FIELD_INDEXES[field.type] for name, field in fields.items()}
        self._indexes |= {name: self._indexes[source] for name, source in self.names.items() if source in self._indexes}
        # The memory mode is lists and dictionaries without a lock of their own.
        self._guard: AbstractContextManager[Any] = threading.RLock() if section.engine == "memory" else nullcontext()
        self._timeout_s = section.timeout_s if isinstance(section, ServerStore) else 0.0
        self.client: Any = _client(section, folder)
        self._until_indexed = SCANNED_CHUNKS
        self._edge: EdgeClient | None = self.client if isinstance(self.client, EdgeClient) else None
        try:
            self.prepare()
        except BaseException:
            self.close()
            raise

    def prepare(self) -> None:
        """Make the collection, or bring its indexes and the graph's parameters in line with the profile.

        Raises:
            EmbeddingChanged: It holds vectors of another length.
        """
        with self._calling():
            if isinstance(self._section, ServerStore):
                server.check_version(self.client)
            if not self.client.collection_exists(self.name):
                self._create()
            info: Any = server.described(self.client, self.name)
            self._check_dimensions(info.config.params.vectors[DENSE].size)
            self._until_indexed = SCANNED_CHUNKS - (info.points_count or 0)
            if self._section.engine == "memory":
                return  # it has neither graph nor indexes
            for field in self._missing(info):
                self._index(field, info.points_count or 0)
            self._adapt(info)

    def reshape(self, hnsw: Hnsw) -> None:
        """Give the graph another shape; an Edge collection's follows when it is next optimised."""
        self._section = self._section.model_copy(update={"hnsw": hnsw})
        self.prepare()

    def missing_indexes(self) -> list[str]:
        """Fields whose payload index is not there, or is of another type; `prepare` makes them."""
        if self._section.engine == "memory":
            return []
        with self._calling():
            return self._missing(self.client.get_collection(self.name))

    def clear(self) -> None:
        """Remove everything; the empty collection stays."""
        with self._calling():
            self.client.delete_collection(self.name)
            self._create()  # without a look: another node of a cluster may still show the one that was removed
        self.prepare()

    # -----------------------------------------------------------------------------------------------------------------

    def compiled(self, where: models.Filter | None) -> Where:
        """Return the engine's own form of a filter, for `ranked`.

        Raises:
            InvalidFilter: The engine does not know a condition.
        """
        return where if self._edge is None else edge_filter(where)

    def ranked(self, vectors: Mapping[str, Any], where: Where, depth: int, *, exact: bool = False) -> list[Leg]:
        """Return the ``depth`` nearest chunks to each vector, which is given under its name, among those of
        ``where``.

        Ids and scores, falling; equal scores in the order of ids. ``exact``: the graph is left aside.
        """
        with self._calling():
            how = self._how(where, depth, exact) if DENSE in vectors else None
            questions = [(name, vector, how if name == DENSE else None) for name, vector in vectors.items()]
            if self._edge is not None:
                return [_in_order(leg) for leg in self._edge.ranked(self.name, questions, where, depth)]
            chosen = cast("models.Filter | None", where)  # as `compiled` gave it
            requests = [_request(*question, chosen, depth) for question in questions]
            answers = self.client.query_batch_points(self.name, requests=requests)
        return [_in_order([(str(point.id), point.score) for point in answer.points]) for answer in answers]

    def alike(self, tokens: Any, ids: Sequence[str]) -> dict[str, float]:
        """For the chunks of these ids that have tokens, the sum of the best product that each of ``tokens`` has.

        ``tokens`` has the shape ``(n, dimensions)``.
        """
        among, question = models.Filter(must=[models.HasIdCondition(has_id=list(ids))]), tokens.tolist()
        with self._calling():
            if self._edge is not None:
                (found,) = self._edge.ranked(self.name, [(TOKENS, question, None)], among, len(ids))
                return {str(key): score for key, score in found}
            request = _request(TOKENS, question, None, among, len(ids))
            points = self.client.query_batch_points(self.name, requests=[request])[0].points
        return {str(point.id): point.score for point in points}

    def payloads(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the payloads of the chunks of these ids that are there, in any order."""
        if not ids:
            return {}
        with self._calling():
            if self._edge is not None:
                return {str(key): payload for key, payload in self._edge.payloads(self.name, ids).items()}
            found = self.client.retrieve(self.name, ids=list(ids), with_payload=True, with_vectors=False)
        return {str(record.id): record.payload or {} for record in found}

    def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the dense vectors of the chunks of these ids that are there, in any order."""
        if not ids:
            return {}
        with self._calling():
            if self._edge is not None:
                return {str(key): vector for key, vector in self._edge.vectors(self.name, ids, DENSE).items()}
            found = self.client.retrieve(self.name, ids=list(ids), with_payload=False, with_vectors=[DENSE])
        return {str(record.id): record.vector[DENSE] for record in found if DENSE in (record.vector or {})}

    def give_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Set the dense vectors of the chunks of these ids that are there."""
        with self._calling():
            if self._edge is not None:
                self._edge.update_vectors(self.name, _dense_points(vectors))
                return
            there = self.client.retrieve(self.name, ids=list(vectors), with_payload=False)
            known = {str(record.id): vectors[str(record.id)] for record in there}
            if known:
                server.checked(self.client.update_vectors(self.name, points=_dense_points(known), **server.CHANGE))

    def scroll(self, where: models.Filter | None, *, vectors: bool | list[str] = False) -> Iterator[models.Record]:
        """Yield every chunk that ``where`` matches, in the order of ids, with all ``vectors``, or those of these
        names.
        """
        offset = None
        most = _PAGE_WITH_TOKENS if self.tokens and vectors is True else _PAGE
        while True:
            with self._calling():
                page, offset = self.client.scroll(
                    self.name, scroll_filter=where, limit=most, offset=offset, with_payload=True, with_vectors=vectors
                )
            yield from page
            if offset is None:
                return

    def first(self, where: models.Filter, most: int) -> list[str]:
        """Return ids of the first ``most`` chunks that ``where`` matches."""
        with self._calling():
            page, _ = self.client.scroll(
                self.name, scroll_filter=where, limit=most, with_payload=False, with_vectors=False
            )
        return [str(record.id) for record in page]

    def count(self, where: models.Filter | None) -> int:
        """Return how many chunks ``where`` matches."""
        with self._calling():
            return int(self.client.count(self.name, count_filter=where, exact=True).count)

    def write(self, points: Sequence[models.PointStruct]) -> None:
        """Store chunks, replacing those of the same ids."""
        for batch in server.batches(points, _BATCH):
            with self._calling():
                server.checked(self.client.upsert(self.name, points=batch, **server.CHANGE))
        if self._edge is not None and self._until_indexed >= 0:
            self._until_indexed -= len(points)
            if self._until_indexed < 0:
                self.prepare()

    def remove(self, where: models.Filter) -> None:
        """Remove the chunks that ``where`` matches."""
        with self._calling():
            chosen = models.FilterSelector(filter=where)
            server.checked(self.client.delete(self.name, points_selector=chosen, **server.CHANGE))

    def set_fields(self, values: Mapping[str, Any], where: models.Filter) -> None:
        """Set keys of the payload on the chunks that ``where`` matches."""
        with self._calling():
            server.checked(self.client.set_payload(self.name, payload=dict(values), points=where, **server.CHANGE))

    @property
    def shards(self) -> int:
        """How many shards the collection has."""
        with self._calling():
            return int(self.client.get_collection(self.name).config.params.shard_number or 1)

    @property
    def unoptimized(self) -> int:
        """Chunks written since the last optimisation; 0 where the engine sees to it."""
        return self._edge.unoptimized(self.name) if self._edge is not None else 0

    def optimize(self) -> None:
        """Optimise an Edge collection; a server does so by itself."""
        if self._edge is not None:
            self._edge.optimize(self.name)

    def scrub(self) -> None:
        """Erase removed chunks from the files of an Edge collection."""
        if self._edge is not None:
            with self._calling():
                self._edge.scrub(self.name)

    def copy_to(self, folder: Path) -> None:
        """Copy an Edge collection's files.

        Raises:
            StoreUnavailable: The engine is another one.
        """
        if self._edge is None:
            raise StoreUnavailable(server.PART, "only Qdrant Edge keeps files that can be copied")
        with self._calling():
            self._edge.copy_to(self.name, folder)

    def collections(self) -> list[str]:
        """Names of all collections of a Qdrant server; none for an engine of this process alone."""
        if not isinstance(self._section, ServerStore):
            return []
        with self._calling():
            return [one.name for one in self.client.get_collections().collections]

    def remove_collection(self, name: str) -> None:
        """Remove another collection of the server."""
        with self._calling():
            self.client.delete_collection(name)

    def close(self) -> None:
        """Flush to disk and release the folder or the connection."""
        with self._calling():
            self.client.close()

    # -----------------------------------------------------------------------------------------------------------------

    def _how(self, where: Where, depth: int, exact: bool) -> models.SearchParams | None:
        """Return how the dense leg looks; an Edge collection is first asked how many chunks it expects ``where`` to
        match.
        """
        if self._section.engine == "memory":
            return None  # it compares them all
        if exact:
            return models.SearchParams(exact=True)
        if self._edge is None:
            return dense_vectors.walk(depth, dense_vectors.SPARSE_SHARE)
        matching = self._edge.count(self.name, where, exact=False).count
        few = matching <= dense_vectors.SCANNED  # then it does not matter of how many
        total = matching if few else self._edge.count(self.name, None, exact=False).count
        return dense_vectors.way(depth, matching, total)

    @contextmanager
    def _calling(self) -> Iterator[None]:
        try:
            with server.explained(self._timeout_s), self._guard:
                yield
        except (Unavailable, PartTimeout) as error:
            self._observe(PartFailed("store", error.code))
            raise

    def _create(self) -> None:
        hnsw = self._section.hnsw
        scanned = self._kilobytes(dense_vectors.SCANNED)
        optional: dict[str, Any] = {}
        if self._edge is not None:
            optional["optimizers_config"] = models.OptimizersConfigDiff(
                indexing_threshold=self._kilobytes(_EXACT_CHUNKS)
            )
        vectors = {DENSE: self._vectors.params(self._dimensions)}
        if self.tokens:
            vectors[TOKENS] = models.VectorParams(size=self._dimensions, **_TOKENS)
        options = {
            "vectors_config": vectors,
            "sparse_vectors_config": {SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            "hnsw_config": models.HnswConfigDiff(m=hnsw.m, ef_construct=hnsw.ef_construct, full_scan_threshold=scanned),
            **optional,
        }
        if isinstance(self._section, ServerStore):
            server.create(self._section, self.client, self.name, **options)
        else:
            self.client.create_collection(self.name, **options)

    def _index(self, field: str, chunks: int) -> None:
        schema = self._indexes[field]
        if isinstance(self._section, ServerStore):
            server.index(self.client, self.name, field, schema, chunks)
        else:
            self.client.create_payload_index(self.name, field_name=field, field_schema=schema)

    def _missing(self, info: models.CollectionInfo) -> list[str]:
        known = {field: index.data_type.value for field, index in info.payload_schema.items()}
        is_small = self._edge is not None and (info.points_count or 0) <= SCANNED_CHUNKS
        wanted = OWN_INDEXES if is_small else self._indexes
        return [field for field in wanted if known.get(field) != self._indexes[field].type.value]

    def _kilobytes(self, chunks: int) -> int:
        """Qdrant's unit for thresholds: kilobytes of vectors of four bytes a dimension."""
        return max(chunks * self._dimensions * 4 // 1024, 10)

    def _adapt(self, info: Any) -> None:
        """Has the engine take over what the profile changed; it follows when it next optimises."""
        graph, vectors = info.config.hnsw_config, info.config.params.vectors[DENSE]
        changes = server.changed_params(self._section, info) if isinstance(self._section, ServerStore) else {}
        wanted = self._section.hnsw
        if (graph.m, graph.ef_construct) != (wanted.m, wanted.ef_construct):
            changes["hnsw_config"] = models.HnswConfigDiff(m=wanted.m, ef_construct=wanted.ef_construct)
        if change := self._vectors.change(vectors):
            changes["vectors_config"] = {DENSE: change}
        if changes:
            self.client.update_collection(self.name, **changes)

    def _check_dimensions(self, stored: int) -> None:
        if stored != self._dimensions:
            raise EmbeddingChanged(self.name, f"of {stored} dimensions", f"of {self._dimensions} dimensions")


def _client(section: StoreSection, folder: Path) -> QdrantClient | EdgeClient | Nodes:
    if isinstance(section, ServerStore):
        return Nodes(section)
    return QdrantClient(":memory:") if section.engine == "memory" else EdgeClient(folder)


def _dense_points(vectors: Mapping[str, Sequence[float]]) -> list[models.PointVectors]:
    return [models.PointVectors(id=name, vector={DENSE: list(vector)}) for name, vector in vectors.items()]


def _request(
    using: str, vector: Any, params: models.SearchParams | None, where: models.Filter | None, limit: int
) -> models.QueryRequest:
    return models.QueryRequest(
        query=vector, using=using, filter=where, limit=limit, with_payload=False, with_vector=False, params=params
    )


def _in_order(leg: Sequence[tuple[Any, float]]) -> Leg:
    if len({score for _, score in leg}) == len(leg):
        return list(leg)
    return sorted(leg, key=lambda hit: (-hit[1], hit[0]))
