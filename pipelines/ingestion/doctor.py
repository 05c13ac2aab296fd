"""Holds a tenant's catalogue against its store, and puts right what does not agree; the catalogue is believed.

The tenant stays in use. So documents are examined one after the other, a few at a time, and what looks wrong is
looked at again while commits are paused: a commit that happened between two looks is no fault. Repairs are made in
that pause too, but for cutting and embedding, which take long and come before it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from pipelines.catalogue import Catalogue
from pipelines.catalogue.census import Census, DocumentFacts
from pipelines.catalogue.integrity import require_whole
from pipelines.catalogue.tables import DELETED
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.errors import CatalogueClosed, StoreUnavailable
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.completing import Completer
from pipelines.ingestion.diagnosis import Diagnosis, StoredChunk, diagnosed
from pipelines.ingestion.readers import count_former
from pipelines.ingestion.remedies import Cut, Remade, Remedies, remove_chunks
from pipelines.ingestion.space import CurrentSpace
from pipelines.ingestion.visibility import chunks_of
from pipelines.types import Examination, Finding
from pipelines.types.markup import count

_DOCUMENTS_AT_ONCE = 256
_CHUNKS_AT_ONCE = 2048
_ASKED_AT_ONCE = 4096
_NAMED = 3

T = TypeVar("T")


@dataclass(slots=True)
class _Tally:
    """What an examination has seen so far."""

    documents: int = 0
    versions: int = 0
    chunks: int = 0
    findings: list[Finding] = field(default_factory=list)

    def count(self, documents: Iterable[DocumentFacts]) -> None:
        for document in documents:
            self.documents += document.state != DELETED
            self.versions += len(document.versions)


class Doctor:
    """Examines one tenant; every method may be called from several threads.

    Args:
        catalogue: The tenant's record.
        space: Gives the store in use, and its embedding model.
        cleaner: Finishes what commits have left to do in the store.
        cut: Cuts a version's text into chunks with the present profile.
        settle: Undoes or finishes what a process left that died in the middle of a commit.
        completer: Makes the vectors of chunks that were stored without.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        space: CurrentSpace,
        cleaner: Cleaner,
        cut: Cut,
        settle: Callable[[], object],
        *,
        completer: Completer,
    ) -> None:
        self._catalogue = catalogue
        self._space = space
        self._cleaner = cleaner
        self._settle = settle
        self._completer = completer
        self._census = Census(catalogue.engine, catalogue.tenant)
        self._remedies = Remedies(catalogue, self._census, cut)

    def examine(self, repair: bool = False) -> Examination:
        """Look at every document and every chunk; with ``repair``, put right what is wrong.

        Nothing is compared with a catalogue whose file is damaged, nor repaired after it.
        """
        if damage := self._damage():
            return Examination(0, 0, 0, (damage,))
        self._settle()
        tally = _Tally(findings=self._indexes(repair))
        position = self._catalogue.position
        for documents in _groups(self._census.documents(), lambda document: document.chunks):
            tally.count(documents)
            tally.findings += self._treated(self._suspects(documents, tally), repair)
        quiet = position == self._catalogue.position and not tally.findings
        if not (quiet and self._space().store.count() == tally.chunks):
            tally.findings += self._strangers(repair, tally)
        tally.findings += [*self._without_vectors(repair), *self._stale(), *self._read_by_former()]
        chunks = self._space().store.count() if repair and tally.findings else tally.chunks
        return Examination(tally.documents, tally.versions, chunks, tuple(tally.findings))

    def _damage(self) -> Finding | None:
        try:
            require_whole(self._catalogue.engine)
        except CatalogueClosed:
            raise
        except StoreUnavailable as error:
            return Finding("damaged_catalogue", f"{error.message}; nothing else was examined")
        return None

    def _indexes(self, repair: bool) -> list[Finding]:
        store = self._space().store
        missing = store.missing_indexes()
        if missing and repair:
            store.prepare()
        detail = "the store has no index, of the type that the profile asks for, on the field"
        return [Finding("missing_index", f"{detail} {name}", repaired=repair) for name in missing]

    def _suspects(self, documents: Sequence[DocumentFacts], tally: _Tally) -> list[str]:
        """Return ids of the documents that look wrong."""
        store = self._space().store
        chunks = _chunks_by_document(store, [document.document_id for document in documents])
        tally.chunks += sum(map(len, chunks.values()))
        found = self._diagnoses(documents, chunks, self._catalogue.snapshot)
        return [diagnosis.before.document_id for diagnosis in found]

    def _treated(self, document_ids: Sequence[str], repair: bool) -> list[Finding]:
        """Return what is wrong with these documents, looked at while commits are paused, and repaired if that is
        asked.
        """
        made: dict[int, dict[tuple[str, int], Remade]] = defaultdict(dict)  # by the generation of the store
        while document_ids:
            with self._catalogue.paused() as snapshot:
                self._cleaner.finish()
                space = self._space()
                ill = self._diagnoses(
                    self._facts(document_ids), _chunks_by_document(space.store, document_ids), snapshot
                )
                if not repair:
                    return [finding for diagnosis in ill for finding in diagnosis.all_findings]
                ready = made[space.generation]
                wanted = [key for diagnosis in ill for key in diagnosis.to_make if key not in ready]
                if not wanted:
                    return self._remedies.repair(ill, space.store, ready)
            ready |= self._remedies.remake(space, wanted)
        return []

    def _facts(self, document_ids: Sequence[str]) -> list[DocumentFacts]:
        """Return what the catalogue says of these documents; of one that it does not have, that it is gone."""
        found = {facts.document_id: facts for facts in self._census.of(document_ids)}
        return [found.get(one) or DocumentFacts(one, DELETED, 0, 0, ()) for one in document_ids]

    def _diagnoses(
        self, documents: Sequence[DocumentFacts], chunks: dict[str, list[StoredChunk]], snapshot: int
    ) -> list[Diagnosis]:
        """Return what is wrong with those of these documents that are not as they should be."""
        misquoted = self._misquoted(chunks)
        tenant = self._catalogue.tenant
        looked_at = (
            diagnosed(tenant, document, chunks.get(document.document_id, []), misquoted, snapshot)
            for document in documents
        )
        return [diagnosis for diagnosis in looked_at if not diagnosis.healthy]

    def _misquoted(self, chunks: dict[str, list[StoredChunk]]) -> set[str]:
        """Return ids of the chunks that do not quote the text of their version."""
        versions: dict[tuple[str, int | None], list[StoredChunk]] = defaultdict(list)
        for document_id, of_document in chunks.items():
            for chunk in of_document:
                versions[document_id, chunk.version].append(chunk)
        return {
            chunk.chunk_id
            for document_id, number, text in self._census.texts(list(chunks))
            for chunk in versions.get((document_id, number), [])
            if not chunk.quotes(text)
        }

    def _strangers(self, repair: bool, tally: _Tally) -> list[Finding]:
        """Return what is wrong with chunks of documents that the catalogue does not have."""
        counts: Counter[str] = Counter()
        nameless: list[str] = []
        for chunks in _parts(self._space().store.scan(), _ASKED_AT_ONCE):
            named = {chunk_id: payload.get("document_id") for chunk_id, payload in chunks}
            ids = [document_id for document_id in named.values() if isinstance(document_id, str)]
            known = self._census.known(set(ids))
            counts.update(document_id for document_id in ids if document_id not in known)
            nameless += [chunk_id for chunk_id, document_id in named.items() if not isinstance(document_id, str)]
        tally.chunks += counts.total() + len(nameless)
        found = self._nameless(nameless, repair)
        for document_ids in _groups(counts, lambda document_id: counts[document_id]):
            found += self._treated(document_ids, repair)
        return found

    def _nameless(self, chunk_ids: list[str], repair: bool) -> list[Finding]:
        if not chunk_ids:
            return []
        if repair:
            remove_chunks(self._space().store, chunk_ids)
        return [Finding("orphan_chunks", f"{len(chunk_ids)} in the store of no document at all", repaired=repair)]

    def _without_vectors(self, repair: bool) -> list[Finding]:
        """Return whether chunks are found by their words alone: that is so while a job brings large documents in."""
        missing = self._space().store.count_without_vectors()
        if not missing:
            return []
        if repair:
            self._completer(lambda _: None)
        what = f"{count(missing, 'chunk')} without a vector: words alone find them"
        how = "the next ingestion job, or `footnote doctor --repair`, makes the vectors"
        return [Finding("stale", f"{what}; {how}", repaired=repair)]

    def _stale(self) -> list[Finding]:
        found = []
        if not self._catalogue.embedded:
            found.append("every document was embedded by another model than the profile names")
        if stale := self._catalogue.stale_ids():
            more = f" and {len(stale) - _NAMED} more" if len(stale) > _NAMED else ""
            named = ", ".join(stale[:_NAMED]) + more
            found.append(f"cut with another profile than the present one: {named}")
        return [Finding("stale", f"{what}; `footnote reembed` reprocesses them") for what in found]

    def _read_by_former(self) -> list[Finding]:
        readers = self._catalogue.readers()
        counts = count_former(readers)
        if not counts:
            return []
        command = "footnote sync" if count_former(readers, unnoted=False) == counts else "footnote sync --reread"
        formats = ", ".join(f"{number} {label}" for label, number in counts.items())
        what = f"{count(sum(counts.values()), 'document')} read by readers of an earlier release ({formats})"
        how = f"`{command}` reads files of the folder and of sources again; others change when sent again"
        return [Finding("stale", f"{what}; {how}")]


def _chunks_by_document(store: ChunkStore, document_ids: Sequence[str]) -> dict[str, list[StoredChunk]]:
    found: dict[str, list[StoredChunk]] = defaultdict(list)
    for chunk_id, payload in store.scan(chunks_of(document_ids)):
        if isinstance(payload["document_id"], str):  # a list would be found, too
            found[payload["document_id"]].append(StoredChunk.of(chunk_id, payload))
    return found


def _groups(items: Iterable[T], chunks: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield documents in groups with few enough chunks to be looked at together."""
    group: list[T] = []
    weight = 0
    for item in items:
        if group and (weight + chunks(item) > _CHUNKS_AT_ONCE or len(group) == _DOCUMENTS_AT_ONCE):
            yield group
            group, weight = [], 0
        group.append(item)
        weight += chunks(item)
    if group:
        yield group


def _parts(items: Iterable[T], most: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while part := list(islice(remaining, most)):
        yield part
