"""Ingestion: documents are prepared ahead, embedded in groups, and committed group by group."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from typing import Any

from llama_index.core.schema import BaseNode

from pipelines.catalogue import NEVER, Catalogue, Commit, ContentCache, Current, NewVersion, Version
from pipelines.errors import OutsideScope, QuotaSpent, UnreadableDocument
from pipelines.events import Ingested, Observe, ignore_event
from pipelines.filters.facts import FACTS, moments_of
from pipelines.ingestion.ahead import ahead
from pipelines.ingestion.chunk_ids import chunk_id
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.dropping import Removals, is_replaced
from pipelines.ingestion.prepare import Item, Prepared, Preparer, UnchangedDocument
from pipelines.ingestion.room import room_in
from pipelines.ingestion.scope_guard import ScopeGuard
from pipelines.ingestion.space import CurrentSpace, Space
from pipelines.ingestion.tickets import ticket
from pipelines.ingestion.transforms import ingestion_pipeline
from pipelines.ingestion.visibility import retire, undo_beyond
from pipelines.profile.sections.limits import Quotas
from pipelines.types import DocumentInput, FileProgress, IngestResult, IngestState, Metadata, Progress

_NO_QUOTAS = Quotas()
_GROUP_CHUNKS = 256
_GROUP_DOCUMENTS = 256
"""Documents of a group, also where none of them has chunks to embed: progress is reported group by group."""
_AHEAD = 4 * _GROUP_CHUNKS
"""Chunks that are prepared while others are embedded."""
_BYTES_OF_A_CHUNK = 100_000
"""Of files that are kept: so much of them counts as one chunk more, which bounds the memory of a group."""

Report = Callable[[Progress], None]


class Ingestor:
    """Writes one tenant's documents; every method may be called from several threads."""

    def __init__(
        self,
        catalogue: Catalogue,
        space: CurrentSpace,
        prepare: Preparer,
        cleaner: Cleaner,
        caches: Sequence[ContentCache[Any]],
        *,
        holding: ScopeGuard,
        quotas: Quotas = _NO_QUOTAS,
        observe: Observe = ignore_event,
    ) -> None:
        self._catalogue = catalogue
        self._space = space
        self._prepare = prepare
        self._cleaner = cleaner
        self._caches = caches
        self._holding = holding
        self._quotas = quotas
        self._observe = observe

    def recover(self) -> None:
        """Finish or undo what a process left that died in the middle of a commit or a deletion."""
        self._catalogue.recover(self._undo)
        self._cleaner.finish()

    def ingest(
        self, documents: Iterable[DocumentInput], report: Report | None = None, at_once: int = 1
    ) -> list[IngestResult]:
        """Bring ``documents`` in, ``at_once`` prepared together, and say what became of each, in the order given.

        Unchanged documents are left alone, changed ones get a new version, and one that cannot be read fails alone.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        began = ticket()
        stamped = (
            offered if offered.accepted is not None else replace(offered, accepted=began + number)
            for number, offered in enumerate(documents)
        )
        return self._load(ahead(self._prepare, stamped, _AHEAD, _weight, at_once), total, report)

    def described(self, offered: DocumentInput) -> Metadata:
        """Return the metadata that a document would have; see `Preparer.described`."""
        return self._prepare.described(offered)

    def lacks_a_place(self, result: IngestResult) -> bool:
        """Return whether a document was refused because the tenant has as many as its quota allows."""
        return result.reason == QuotaSpent("documents", self._quotas.documents).message

    def recut(self, versions: Iterable[Version], total: int, report: Report | None = None) -> list[IngestResult]:
        """Cut and embed readable versions again with the present pipeline; they become new versions."""
        return self._load(ahead(self._prepare.again, versions, _AHEAD, _weight), total, report)

    def _dropping(self, space: Space) -> Removals:
        return Removals(self._catalogue, space.store, self._cleaner)

    def _undo(self, snapshot: int) -> None:
        undo_beyond(self._space().store, snapshot)

    def _load(
        self, prepared: Generator[Item, None, None], total: int | None, report: Report | None
    ) -> list[IngestResult]:
        with closing(prepared):  # a caller that keeps the error of an interruption keeps the generator, too
            return self._load_groups(_groups(prepared), total, report)

    def _load_groups(
        self, groups: Iterable[list[Item]], total: int | None, report: Report | None
    ) -> list[IngestResult]:
        results: list[IngestResult] = []
        chunks, began = 0, time.perf_counter()
        for group in groups:
            settled = [self._confirmed(item) for item in group]
            written = iter(self._write([item for item in settled if isinstance(item, Prepared)]))
            done = [item if isinstance(item, IngestResult) else next(written) for item in settled]
            results += done
            chunks += sum(result.chunks_created for result in done)
            now = time.perf_counter()
            self._observe(_counted(done, now - began))
            began = now
            if report is not None:
                report(Progress(len(results), total, chunks, tuple(map(_progress_of, done))))
        return results

    def _confirmed(self, item: Item) -> Prepared | IngestResult:
        """Return that a document is unchanged; prepare it again if it has changed since it was looked at."""
        while isinstance(item, UnchangedDocument):
            offered, document_id = item.offered, item.offered.document_id or ""
            if self._catalogue.confirm(document_id, item.version, offered.origin, offered.accepted or 0):
                snapshot = self._catalogue.snapshot
                return IngestResult(document_id, "unchanged", item.version, snapshot=snapshot, source=offered.source)
            item = self._prepare(offered)
        return item

    def _write(self, group: list[Prepared]) -> list[IngestResult]:
        if not group:
            return []
        while True:
            space = self._space()
            embedding = ingestion_pipeline(space.embed)
            now = [prepared for prepared in group if not prepared.words_first or space.embed.stores_tokens]
            embedding.run(nodes=[node for prepared in now for node in prepared.nodes])
            with self._dropping(space) as dropping, self._catalogue.committing(self._undo) as commit:
                in_use = commit.generation == space.generation
                results = self._put(group, commit, dropping, space) if in_use else []
            if in_use:
                dropping.clean_up()
                return results

    def _put(self, group: list[Prepared], commit: Commit, dropping: Removals, space: Space) -> list[IngestResult]:
        document_ids = [prepared.new.document_id for prepared in group]
        self._cleaner.finish([*document_ids, *(prepared.replaces for prepared in group if prepared.replaces)])
        known = commit.look_up(document_ids)
        held = commit.metadata_of([prepared.new.document_id for prepared in group if prepared.scope])
        results, nodes, replaced, put = [], [], [], []
        room = room_in(commit, self._quotas)
        for prepared in group:
            new = prepared.new
            current = known.get(new.document_id)
            if refused := self._holding.refusal(prepared.scope, held.get(new.document_id, new.metadata)):
                results.append(_refused(prepared, refused))  # the id was taken while it was prepared
                continue
            if current is not None and _is_same(current, new):
                commit.confirm(new)  # another load of the same content was quicker
                results.append(_result(prepared, "unchanged", current.version, commit.snapshot))
            elif prepared.again is not None and (current is None or current.version != prepared.again):
                results.append(_overtaken(prepared, current.version if current else 0, commit.snapshot))
            elif prepared.again is None and commit.overtaken(new):
                results.append(_overtaken(prepared, commit.put_overtaken(new), commit.snapshot))
                continue
            elif prepared.again is None and (
                spent := room.take(new.bytes, is_new=_is_one_more(commit, prepared, current))
            ):
                results.append(_refused(prepared, spent))
                continue
            else:
                replaced += [new.document_id] if current is not None else []
                version = commit.put(new)
                put.append(prepared)
                nodes += _stamped(prepared, version, commit.snapshot, self._catalogue.tenant)
                _date(prepared.nodes, commit.moments(new.document_id))
                results.append(_result(prepared, "ready", version, commit.snapshot))
            dropping.drop_replaced(commit, prepared.replaces, new)
        if replaced:
            retire(space.store, replaced, commit.snapshot)
        space.store.add(nodes)
        for prepared in put:  # last: SQLite lets nobody else write from here on
            _keep_files(prepared, commit)
        return results


def _is_one_more(commit: Commit, prepared: Prepared, current: Current | None) -> bool:
    """Return whether the tenant has one document more with this one."""
    replaces = prepared.replaces
    return current is None and (replaces is None or not is_replaced(commit, replaces, prepared.new))


def _is_same(current: Current, new: NewVersion) -> bool:
    made = (new.sha256, new.pipeline, new.reader)
    return (current.sha256, current.pipeline, current.reader) == made


def _keep_files(prepared: Prepared, commit: Commit) -> None:
    if prepared.original is not None:
        commit.keep_original(prepared.new, prepared.original)
    if prepared.pictures:
        commit.keep_pictures(prepared.new, prepared.pictures)


def _result(prepared: Prepared, state: IngestState, version: int, snapshot: int) -> IngestResult:
    made = len(prepared.nodes) if state == "ready" else 0
    return IngestResult(
        document_id=prepared.new.document_id,
        state=state,
        version=version,
        chunks_created=made,
        embeddings_generated=sum(node.embedding is not None for node in prepared.nodes[:made]),
        snapshot=snapshot,
        source=prepared.new.source,
        bytes=prepared.new.bytes,
        reason=prepared.note,
        passing=prepared.passing,
    )


def _overtaken(prepared: Prepared, version: int, snapshot: int) -> IngestResult:
    reason = "a newer change to this document was committed first; this one was skipped"
    return replace(_result(prepared, "unchanged", version, snapshot), reason=reason)


def _refused(prepared: Prepared, refused: OutsideScope | QuotaSpent) -> IngestResult:
    return replace(_result(prepared, "failed", 0, 0), reason=refused.message, code=refused.code, bytes=0)


def _progress_of(result: IngestResult) -> FileProgress:
    path = result.source or result.document_id
    return FileProgress(path, result.state, result.reason, result.chunks_created, result.bytes)


def _counted(results: Sequence[IngestResult], seconds: float) -> Ingested:
    states = [result.state for result in results]
    failures = tuple(result.code or UnreadableDocument.code for result in results if result.state == "failed")
    chunks = sum(result.chunks_created for result in results)
    return Ingested(seconds, states.count("ready"), states.count("unchanged"), failures, chunks)


def _weight(item: Item) -> int:
    if not isinstance(item, Prepared):
        return 1
    kept = len(item.original or b"") + sum(len(picture.content) for picture in item.pictures)
    return max(len(item.nodes), 1) + kept // _BYTES_OF_A_CHUNK


def _groups(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield items in groups large enough to embed well; no group holds a document twice."""
    group: list[Item] = []
    seen: set[str] = set()
    chunks = 0
    for item in items:
        touched = _touched(item)
        if chunks >= _GROUP_CHUNKS or len(group) == _GROUP_DOCUMENTS or not seen.isdisjoint(touched):
            yield group
            group, seen, chunks = [], set(), 0
        group.append(item)
        seen.update(touched)
        chunks += _weight(item) if isinstance(item, Prepared) else 0
    if group:
        yield group


def _touched(item: Item) -> Sequence[str]:
    if isinstance(item, IngestResult):
        return (item.document_id,)
    if isinstance(item, UnchangedDocument):
        return (item.offered.document_id or "",)
    return (item.new.document_id, *([item.replaces] if item.replaces else []))


def _date(nodes: Iterable[BaseNode], moments: tuple[datetime, datetime]) -> None:
    """Add to the facts of ``nodes`` when their document came and when it changed last."""
    for node in nodes:
        node.metadata[FACTS] = {**node.metadata[FACTS], **moments_of(*moments)}


def _stamped(prepared: Prepared, version: int, snapshot: int, tenant: str) -> list[BaseNode]:
    for index, node in enumerate(prepared.nodes):
        node.id_ = chunk_id(tenant, prepared.new.document_id, version, index)
        node.metadata |= {"version": version, "valid_from": snapshot, "valid_to": NEVER}
    return list(prepared.nodes)
