"""The verifier as a profile without an entailment model has it."""

from __future__ import annotations

from pipelines.components.embedding import build_embedding, models_folder
from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.verdicts import Judgement, Reading, Verifier
from pipelines.types import Hit

VERDICTS = ("supported", "partial", "unsupported")


class Judge:
    """Judges a claim by one passage."""

    def __init__(self) -> None:
        embedding = build_embedding(HuggingFaceEmbedding(threads=1), models_folder())
        self._reading = Reading(embedding.vectors, Bm25Encoder(SparseSection()).terms)
        self._verifier = Verifier()

    def judge(self, claim: str, hit: Hit) -> Judgement:
        """The verdict on a claim that cites the hit."""
        return self._verifier.judge(claim, [hit], (), self._reading)
