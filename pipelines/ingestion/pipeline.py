"""Ingestion: documents are prepared ahead, embedded in groups, and committed group by group."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sized

from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import BaseNode

from pipelines.catalogue import NEVER, Catalogue, Commit
from pipelines.components.vector_store import ChunkStore
from pipelines.ingestion.ahead import ahead
from pipelines.ingestion.prepare import Prepared, Preparer
from pipelines.ingestion.transforms import Embed, indexed_text
from pipelines.ingestion.visibility import chunks_of, ended_by, retire, undo_beyond
from pipelines.types import Deletion, DocumentInput, IngestResult, IngestState, Progress

_GROUP_CHUNKS = 256
_AHEAD = 4 * _GROUP_CHUNKS
"""Chunks that are prepared while others are embedded."""
_CHUNK_NAMESPACE = uuid.UUID("6b1f3f0e-2f0c-5a52-9a53-6f6f746e6f74")

Report = Callable[[Progress], None]


class Ingestor:
    """Writes one tenant's documents; every method may be called from several threads."""

    def __init__(self, catalogue: Catalogue, store: ChunkStore, prepare: Preparer, embed: Embed) -> None:
        self._catalogue = catalogue
        self._store = store
        self._prepare = prepare
        self._embed = embed
        self._pipeline = IngestionPipeline(transformations=[embed], disable_cache=True)

    def recover(self) -> None:
        """Finishes or undoes what a process left that died in the middle of a commit or a deletion."""
        self._catalogue.recover(self._undo)
        for document_id, snapshot in self._catalogue.erasures():
            self._erase(document_id, snapshot)

    def ingest(self, documents: Iterable[DocumentInput], report: Report | None = None) -> list[IngestResult]:
        """Brings ``documents`` in, and says what became of each, in the order given.

        Unchanged documents are left alone, changed ones get a new version, and one that cannot be read fails alone.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        results: list[IngestResult] = []
        chunks = 0
        for group in _groups(ahead(self._prepare, documents, _AHEAD, _weight)):
            written = iter(self._write([item for item in group if isinstance(item, Prepared)]))
            done = [item if isinstance(item, IngestResult) else next(written) for item in group]
            results += done
            chunks += sum(result.chunks_created for result in done)
            if report is not None:
                report(Progress(len(results), total, chunks))
        return results

    def delete(self, document_id: str) -> Deletion:
        """Takes a document out, with every version of it.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        self._catalogue.document(document_id)  # before the commit, which would have to be undone
        with self._catalogue.committing(self._undo) as commit:
            versions = commit.drop(document_id)
            retire(self._store, [document_id], commit.snapshot)
        chunks, forgotten = self._erase(document_id, commit.snapshot)
        return Deletion(document_id, versions, chunks, forgotten, commit.snapshot)

    def _erase(self, document_id: str, snapshot: int) -> tuple[int, int]:
        """Removes the chunks that nobody sees from ``snapshot`` on, and what the cache holds of them.

        A version that was ingested since has the same document id, and stays.
        """
        gone = chunks_of([document_id], ended_by(snapshot))
        texts = [indexed_text(payload) for _, payload in self._store.scan(gone)]
        removed = self._store.remove(gone)
        forgotten = self._embed.forget(texts)
        self._catalogue.erased(document_id)
        return removed, forgotten

    def _undo(self, snapshot: int) -> None:
        undo_beyond(self._store, snapshot)

    def _write(self, group: list[Prepared]) -> list[IngestResult]:
        if not group:
            return []
        self._pipeline.run(nodes=[node for prepared in group for node in prepared.nodes])
        with self._catalogue.committing(self._undo) as commit:
            return self._put(group, commit)

    def _put(self, group: list[Prepared], commit: Commit) -> list[IngestResult]:
        known = commit.look_up([prepared.new.document_id for prepared in group])
        results, nodes, replaced = [], [], []
        for prepared in group:
            version, sha256 = known.get(prepared.new.document_id, (0, ""))
            if sha256 == prepared.new.sha256:  # another load of the same content was quicker
                results.append(_result(prepared, "unchanged", version, commit.snapshot))
                continue
            replaced += [prepared.new.document_id] if version else []
            version = commit.put(prepared.new)
            nodes += _stamped(prepared, version, commit.snapshot, self._catalogue.tenant)
            results.append(_result(prepared, "ready", version, commit.snapshot))
        if replaced:
            retire(self._store, replaced, commit.snapshot)
        self._store.add(nodes)
        return results


def _result(prepared: Prepared, state: IngestState, version: int, snapshot: int) -> IngestResult:
    made = len(prepared.nodes) if state == "ready" else 0
    return IngestResult(
        document_id=prepared.new.document_id,
        state=state,
        version=version,
        chunks_created=made,
        embeddings_generated=made,
        snapshot=snapshot,
        source=prepared.new.source,
    )


def _weight(item: Prepared | IngestResult) -> int:
    return max(len(item.nodes), 1) if isinstance(item, Prepared) else 1


def _groups(items: Iterable[Prepared | IngestResult]) -> Iterator[list[Prepared | IngestResult]]:
    """Items in groups large enough to embed well; no group holds a document twice."""
    group: list[Prepared | IngestResult] = []
    seen: set[str] = set()
    chunks = 0
    for item in items:
        document_id = item.new.document_id if isinstance(item, Prepared) else item.document_id
        if chunks >= _GROUP_CHUNKS or document_id in seen:
            yield group
            group, seen, chunks = [], set(), 0
        group.append(item)
        seen.add(document_id)
        chunks += len(item.nodes) if isinstance(item, Prepared) else 0
    if group:
        yield group


def _stamped(prepared: Prepared, version: int, snapshot: int, tenant: str) -> list[BaseNode]:
    for index, node in enumerate(prepared.nodes):
        name = f"{tenant}\0{prepared.new.document_id}\0{version}\0{index}"
        node.id_ = str(uuid.uuid5(_CHUNK_NAMESPACE, name))
        node.metadata |= {"version": version, "valid_from": snapshot, "valid_to": NEVER}
    return list(prepared.nodes)
