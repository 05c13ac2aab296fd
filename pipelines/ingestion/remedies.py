"""What a doctor does about what is wrong with documents.

Each step leaves what the next examination finds and finishes, should this one be cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode

from pipelines.catalogue import Catalogue, Version
from pipelines.catalogue.census import Census
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.errors import FootnoteError
from pipelines.ingestion.chunk_ids import chunk_id
from pipelines.ingestion.diagnosis import BrokenVersion, Diagnosis, StoredChunk
from pipelines.ingestion.metadata import require_storable
from pipelines.ingestion.space import Space
from pipelines.ingestion.visibility import chunks_of, of_version, only
from pipelines.types import Finding

Cut = Callable[[Version], Sequence[BaseNode]]
Remade = Sequence[BaseNode] | FootnoteError
"""A version's chunks, cut and embedded again, or why that could not be done."""


class Remedies:
    """Repairs a tenant's documents.

    Args:
        catalogue: The tenant's record.
        census: Corrects it.
        cut: Cuts a version's text into chunks with the present profile.
    """

    def __init__(self, catalogue: Catalogue, census: Census, cut: Cut) -> None:
        self._catalogue = catalogue
        self._census = census
        self._cut = cut

    def remake(self, space: Space, versions: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Remade]:
        """Return the chunks of these versions, made again from their stored texts, or why there are none."""
        made: dict[tuple[str, int], Remade] = {}
        nodes: list[BaseNode] = []
        for document_id, number in versions:
            try:
                version = self._catalogue.version(document_id, number)
                require_storable(version.metadata)  # one chunk of what earlier releases took could damage the store
                cut = self._cut(version)
            except FootnoteError as error:
                made[document_id, number] = error
            else:
                made[document_id, number] = cut
                nodes += cut
        try:
            space.embed(nodes)
        except FootnoteError as error:
            return dict.fromkeys(made, error)
        return made

    def repair(
        self, diagnoses: Sequence[Diagnosis], store: ChunkStore, made: Mapping[tuple[str, int], Remade]
    ) -> list[Finding]:
        """Repair these documents while commits are paused, and return what was wrong with them.

        What belongs nowhere goes first: it may have the id of what is missing elsewhere.
        """
        remove_chunks(store, [stray for diagnosis in diagnoses for stray in diagnosis.strays])
        return [finding for diagnosis in diagnoses for finding in self._repaired(diagnosis, store, made)]

    def _repaired(
        self, diagnosis: Diagnosis, store: ChunkStore, made: Mapping[tuple[str, int], Remade]
    ) -> list[Finding]:
        document_id, history = diagnosis.before.document_id, diagnosis.history
        if history.facts != diagnosis.before:
            self._census.correct(diagnosis.before, history.facts, history.reason)
        for version in diagnosis.misdated:
            validity = {"valid_from": version.valid_from, "valid_to": version.valid_to}
            store.set_fields(validity, chunks_of([document_id], of_version(version.number)))
        findings = [replace(finding, repaired=True) for finding in diagnosis.findings]
        for torn in diagnosis.torn:
            findings += self._mended(document_id, torn, store, made[document_id, torn.version.number])
        return findings

    def _mended(self, document_id: str, torn: BrokenVersion, store: ChunkStore, nodes: Remade) -> list[Finding]:
        if isinstance(nodes, FootnoteError):
            return [replace(one, detail=f"{one.detail}; not repaired: {nodes.message}") for one in torn.findings]
        version, chunks, pipeline = torn.version, len(nodes), self._catalogue.pipeline
        recounted = ""
        if (version.chunks, version.pipeline) != (chunks, pipeline):
            # Counted as more than there can be, it is found again should this be cut off between two ways of cutting.
            unfinished = max(version.chunks, chunks, len(torn.chunks)) + 1
            self._census.recount(document_id, version.number, unfinished, version.pipeline)
            recounted = f"; split with the current profile, it has {chunks} chunks, where {version.chunks} were counted"
        self._replace(document_id, torn, store, nodes)
        if recounted:
            self._census.recount(document_id, version.number, chunks, pipeline)
        return [replace(one, detail=one.detail + recounted, repaired=True) for one in torn.findings]

    def _replace(self, document_id: str, torn: BrokenVersion, store: ChunkStore, nodes: Sequence[BaseNode]) -> None:
        """Make ``nodes`` the version's chunks; those that are in the store as they have to be are left alone.

        The others go before any comes, so that what is there is never of two ways of cutting.
        """
        there = {_place(chunk): chunk.chunk_id for chunk in torn.chunks}
        wanted = {_place(_as_stored(node)): node for node in nodes}
        remove_chunks(store, [stored for place, stored in there.items() if place not in wanted])
        version = torn.version
        missing = [node for place, node in wanted.items() if place not in there]
        for node in missing:
            node.id_ = chunk_id(self._catalogue.tenant, document_id, version.number, node.metadata["index"])
            node.metadata |= {
                "version": version.number,
                "valid_from": version.valid_from,
                "valid_to": version.valid_to,
            }
        store.add(missing)


def remove_chunks(store: ChunkStore, chunk_ids: Sequence[str]) -> None:
    """Remove the chunks of these ids, of which there may be none."""
    if chunk_ids:
        store.remove(only(chunk_ids))


def _as_stored(node: BaseNode) -> StoredChunk:
    return StoredChunk.of(node.node_id, node.metadata | {"text": node.get_content(MetadataMode.NONE)})


def _place(chunk: StoredChunk) -> tuple[Any, ...]:
    """Return what makes two chunks of one version the same: their number, their span and their text."""
    return chunk.index, chunk.start, chunk.end, chunk.text_hash
