"""BM25 as sparse vectors: the same vectors in every engine, so that a collection can move between them.

The weights of a chunk's terms are stored (saturated frequency, normalised by the chunk's length); their rarity is
Qdrant's affair (`Modifier.IDF`), which knows the collection's frequencies when it answers. BM25 itself: Robertson and
Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (FnTIR 3(4), 2009).
"""

from __future__ import annotations

from collections.abc import Sequence

import qdrant_edge
from qdrant_client.models import SparseVector

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.sections.retrieval import SparseSection

LANGUAGES = tuple(sorted(name.lower() for name in dir(qdrant_edge.Language) if not name.startswith("_")))
AVERAGE_TERMS = 80.0
"""Mean length of a chunk, in terms; a measured mean finds no better."""


class Bm25Encoder:
    """Texts to sparse vectors; safe to share between threads.

    Args:
        section: Language and weights.
        average_terms: Mean length of a chunk.

    Attributes:
        title_weight: How many times the text of a chunk is to hold its title.

    Raises:
        ProfileError: The language is not one that has a stemmer or stop words here, or a weight is out of bounds.
    """

    def __init__(self, section: SparseSection, average_terms: float = AVERAGE_TERMS) -> None:
        if section.language not in LANGUAGES:
            raise ProfileError("of the tenant", (_unknown_language(section.language),))
        self.title_weight = section.title_weight
        self._model = _model(section.language, section.k, section.b, average_terms)
        self.most = section.k + 1
        """The most that a term can weigh in a chunk."""

    def document(self, text: str) -> SparseVector:
        """Return terms of a chunk with their BM25 weights; empty when the text has none."""
        vector = self._model.embed_document(text)
        return SparseVector(indices=vector.indices, values=vector.values)

    def query(self, text: str) -> SparseVector:
        """Return terms of a question, each with weight 1; empty when all are stop words."""
        vector = self._model.embed_query(text)
        return SparseVector(indices=vector.indices, values=vector.values)

    def terms(self, text: str) -> frozenset[int]:
        """Return the terms of ``text``, stemmed and without stop words, as ids."""
        return frozenset(self._model.embed_query(text).indices)

    def documents(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[float]]]:
        """Indices and values of each text, as LlamaIndex's ``sparse_doc_fn`` wants them."""
        return _columns([self._model.embed_document(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[float]]]:
        """Indices and values of each question, as LlamaIndex's ``sparse_query_fn`` wants them."""
        return _columns([self._model.embed_query(text) for text in texts])


def _model(language: str, k: float, b: float, avg_len: float) -> qdrant_edge.Bm25:
    try:
        return qdrant_edge.Bm25(qdrant_edge.Bm25Config(language=language, k=k, b=b, avg_len=avg_len))
    except ValueError as error:
        raise ProfileError("of the tenant", (Problem("sparse", str(error)),)) from error


def _unknown_language(language: str) -> Problem:
    return Problem(
        "sparse -> language", f'"{language}" is not one of {", ".join(LANGUAGES)}', nearest(language, LANGUAGES)
    )


def _columns(vectors: Sequence[qdrant_edge.SparseVector]) -> tuple[list[list[int]], list[list[float]]]:
    return [vector.indices for vector in vectors], [vector.values for vector in vectors]
