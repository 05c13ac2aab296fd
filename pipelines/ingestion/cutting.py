"""Cuts the text of a document into its chunks, and adds what a language model reads out of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from llama_index.core.schema import BaseNode, TransformComponent
from llama_index.core.schema import Document as LlamaDocument

from pipelines.catalogue import NewVersion
from pipelines.components.extractors.language import LANGUAGE, extract_language
from pipelines.filters.facts import FACTS, facts_of
from pipelines.filters.values import stored_metadata
from pipelines.ingestion.enriching import Enricher, Missing
from pipelines.ingestion.resizing import resized
from pipelines.ingestion.transforms import ingestion_pipeline, structure
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import ChunkSize, Metadata, ParsedDocument

if TYPE_CHECKING:
    from llama_index.core.ingestion import IngestionPipeline

Transformations = Callable[[Chunking], Sequence[TransformComponent]]
"""What cuts documents into chunks of these sizes, and places them."""
_MOST_PIPELINES = 32
_LANGUAGE_CHARS = 8


class Cutter:
    """Cuts documents as one profile says, each into chunks of its own size where its giver asked for that.

    It never changes: another profile takes another one. Thread-safe.

    Args:
        profile: The profile.
        transformations: What cuts and places.
        name: Names everything but the embedding model that decides what chunks a content becomes.
        enrich: Adds what a language model reads out of a document, if the profile asks for that.
    """

    def __init__(
        self, profile: Profile, transformations: Transformations, name: str, enrich: Enricher | None = None
    ) -> None:
        self.name = name
        self._profile = profile
        self._transformations = transformations
        self._enrich = enrich
        self._pipelines: dict[ChunkSize | None, IngestionPipeline] = {}

    def __call__(self, new: NewVersion, *, untitled: bool) -> tuple[NewVersion, tuple[BaseNode, ...], Missing]:
        """Return a version with what is known of it once it is cut, its chunks, and what the model did not give.

        Where the model did not give all, the version is recorded under another name: it is stale, and not taken for
        the same when it is offered again.
        """
        missing = Missing()
        if self._enrich is not None:
            new = self._enrich.document(new, untitled, missing)
        nodes = self._cut(new)
        if self._enrich is not None:
            self._enrich.chunks(nodes, new.document_id, missing)
        name = hashlib.sha256(f"{self.name}\0incomplete".encode()).hexdigest() if missing else self.name
        return replace(new, pipeline=name, chunks=len(nodes)), nodes, missing

    def again(self, version: NewVersion, facts: Mapping[str, Any]) -> tuple[BaseNode, ...]:
        """Return the chunks of a stored version, which keeps its ``facts``."""
        nodes = self._cut(version)
        for node in nodes:
            node.metadata[FACTS] = facts
        if self._enrich is not None:
            self._enrich.chunks(nodes, version.document_id, Missing())
        return nodes

    def _cut(self, new: NewVersion) -> tuple[BaseNode, ...]:
        metadata: dict[str, Any] = {
            "document_id": new.document_id,
            "title": new.title,
            "source": new.source,
            FACTS: facts_of(new.source, new.bytes, new.language),
            **stored_metadata(new.metadata, self._profile.metadata.fields),
        }
        document = LlamaDocument(
            id_=new.document_id,
            text=new.text,
            metadata={**metadata, **structure(new.pages, new.headings, new.blocks, new.pictures)},
        )
        return tuple(self._pipeline(new.chunking).run(documents=[document]))

    def _pipeline(self, chunking: ChunkSize | None) -> IngestionPipeline:
        found = self._pipelines.get(chunking)
        if found is None:
            found = ingestion_pipeline(*self._transformations(resized(self._profile.chunking, chunking)))
            if len(self._pipelines) < _MOST_PIPELINES:
                self._pipelines[chunking] = found
        return found


def language_of(text: str, metadata: Metadata) -> str | None:
    """Return the language that the metadata name, else the one that the text is written in."""
    found = extract_language(ParsedDocument(text, "text/plain", metadata=metadata)).metadata.get(LANGUAGE)
    return found[:_LANGUAGE_CHARS] if isinstance(found, str) else None
