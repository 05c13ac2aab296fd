"""The embedded default, as `open_engine` gives it."""

import tempfile
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from llama_index.core.schema import TextNode

from pipelines.catalogue import NEVER
from pipelines.components.search_query import SearchQuery
from pipelines.components.store.chunk_nodes import EMBEDDED_KEY
from pipelines.engine import Engine, open_engine
from pipelines.ingestion.ahead import ahead
from pipelines.ingestion.pipeline import _AHEAD, _groups, _weight
from pipelines.ingestion.prepare import Prepared
from pipelines.types import DocumentInput
from tests.performance.corpus import GROUPS, Text, unit_vectors

PROFILE = """
extends: {base}
tenant: bench
metadata: {{fields: {{group: {{type: keyword}}}}}}
chunking: {{size: 254, overlap: 32}}
retrieval: {{top_k: 10}}
embedding: {{cache: false}}
limits: {{requests_per_minute: 0}}
"""
EMBEDDED = Path(__file__).resolve().parents[2] / "configs" / "embedded.yaml"


def write_profile(folder: Path) -> Path:
    """The embedded default with a field to filter on, and chunks as large as vanilla's: both embed about as many."""
    file = folder / "bench.yaml"
    file.write_text(PROFILE.format(base=EMBEDDED), encoding="utf-8")
    return file


class Ours:
    """Footnote on a temporary data folder."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="footnote-bench-")
        self.profile = write_profile(Path(self._folder.name))
        self._opened = 0
        self.engine = self._open()

    def _open(self) -> Engine:
        self._opened += 1
        self.data = Path(self._folder.name) / f"data-{self._opened}"
        return open_engine(self.profile, self.data)

    def close(self) -> None:
        """Closes the engine and removes its data."""
        self.engine.close()
        self._folder.cleanup()

    def ingest(self, texts: list[Text]) -> int:
        """Ingests into an empty store; gives the number of chunks."""
        self.engine.close()
        self.engine = self._open()
        results = self.engine.ingest(
            [DocumentInput(content=text.text, title=text.title, source=text.name) for text in texts]
        )
        return sum(result.chunks_created for result in results)

    def ingest_without_versions(self, texts: list[Text]) -> int:
        """Cuts, embeds and stores the same chunks as `ingest`, and records nothing of them anywhere else."""
        self.engine.close()
        self.engine = self._open()
        space = self.engine._parts.indexes.current.space
        offered = [
            DocumentInput(content=text.text, document_id=text.name, title=text.title, source=text.name)
            for text in texts
        ]
        chunks = 0
        for group in _groups(ahead(self.engine._parts.writing.ingestor._prepare, offered, _AHEAD, _weight)):
            nodes = [node for prepared in group if isinstance(prepared, Prepared) for node in prepared.nodes]
            space.store.add(list(space.embed(nodes)))
            chunks += len(nodes)
        return chunks

    def fill(self, count: int, text: str) -> None:
        """Puts ``count`` chunks with random vectors in."""
        self.engine.close()
        self.engine = self._open()
        fill(self.engine, count, text)

    def query(self, question: str) -> int:
        """One search, embedding included."""
        return len(self.engine.search(question, top_k=10))

    def query_without_versions(self, question: str) -> int:
        """The same search of everything that is stored, whatever its version."""
        space = self.engine._parts.indexes.current
        return len(space.finder.candidates(SearchQuery(query_str=question, top_k=10, mode=space.mode)))

    def filtered(self, question: str) -> int:
        """One search within a twentieth of the chunks."""
        return len(self.engine.search(question, top_k=10, filters={"group": "g3"}))


def forget_questions(engine: Engine) -> None:
    """Drops the kept vectors of questions: a search that is timed embeds its question."""
    engine._parts.indexes.embedder._question_vector.cache_clear()  # type: ignore[attr-defined]


def fill(engine: Engine, count: int, text: str) -> None:
    """Writes ``count`` chunks with random vectors, and optimises."""
    groups = [{"group": f"g{n % GROUPS}"} for n in range(count)]
    write_chunks(engine, unit_vectors(count, 384), groups, [text])
    engine.optimize()


def write_chunks(
    engine: Engine, vectors: np.ndarray, metadata: Sequence[Mapping[str, Any]], texts: Sequence[str]
) -> None:
    """Writes chunks past the embedding model, which would need an hour for the largest size."""
    with engine._parts.catalogue.committing(lambda _: None) as commit:
        for start in range(0, len(vectors), 10_000):
            numbers = range(start, min(start + 10_000, len(vectors)))
            nodes = [_node(n, vectors[n], metadata[n], texts[n % len(texts)], commit.snapshot) for n in numbers]
            engine._parts.indexes.current.store.add(nodes)


def _node(n: int, vector: np.ndarray, fields: Mapping[str, Any], text: str, snapshot: int) -> TextNode:
    metadata = {
        "document_id": f"d{n // 10}",
        "title": "",
        "source": f"d{n // 10}",
        "metadata": dict(fields),
        "index": n % 10,
        "start": 0,
        "end": len(text),
        "headings": [],
        "page": None,
        "page_label": None,
        EMBEDDED_KEY: "",
        "version": 1,
        "valid_from": snapshot,
        "valid_to": NEVER,
    }
    return TextNode(
        id_=str(uuid.UUID(int=n)),
        text=f"{text} {n}",
        embedding=vector.tolist(),
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
    )
