"""What makes answers of hits, as the profile says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.catalogue import Catalogue
from pipelines.components.hit_nodes import payload_to_hit
from pipelines.components.llm import Llm
from pipelines.components.models.cross_encoder import load_cross_encoder
from pipelines.components.models.entailment import EntailmentModel
from pipelines.engine.parts.indexes import Indexes
from pipelines.ingestion.visibility import chunks_of, holding, of_version
from pipelines.profile.calibration import Calibration
from pipelines.profile.schema import Profile
from pipelines.profile.sections.answers import AnswerSection
from pipelines.query.answer import Texts
from pipelines.query.answerer import Answerer, ChunkAt, build_cite
from pipelines.query.confidence import Confidence
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.reader import Read, Reader
from pipelines.query.lexicon import read_lexicon
from pipelines.query.synthesis import Synthesis
from pipelines.query.terms import Terms
from pipelines.query.vector_cache import VectorCache
from pipelines.query.verdicts import Verifier
from pipelines.types import Hit, StoredText


def build_answerer(
    profile: Profile,
    catalogue: Catalogue,
    reader: Reader,
    terms: Terms,
    calibration: Calibration,
    *,
    indexes: Indexes,
    vectors: VectorCache,
    llm: Llm | None,
) -> Answerer:
    """Build the answerer of a tenant."""
    texts = _texts_of(profile, catalogue)
    verifier = Verifier(_entailment(profile.answer, llm)) if profile.answer.verify else None
    lexicon = read_lexicon(profile.retrieval.expansion)
    confidence = Confidence(calibration, lexicon, _check(profile.answer))
    synthesis = Synthesis(
        profile.answer, vectors=vectors, terms=terms, verifier=verifier, cite=build_cite(texts), confidence=confidence
    )
    chunk_at = _chunks_of(indexes)
    return Answerer(profile, Chooser(reader, terms, lexicon), confidence, synthesis, texts=texts, chunk_at=chunk_at)


def _check(answer: AnswerSection) -> Read | None:
    """Return what reads the extracts that a cross-encoder chose once more, if the profile names a checker."""
    if answer.chooser is None or answer.checker is None:
        return None
    return load_cross_encoder(answer.checker, device=answer.device).scores


def _entailment(answer: AnswerSection, llm: Llm | None) -> EntailmentModel | None:
    """Return what judges written answers; quotes need none."""
    return None if llm is None or answer.nli is None else EntailmentModel(answer.nli, answer.device)


def _chunks_of(indexes: Indexes) -> ChunkAt:
    """Return the look-up of chunks by their place."""

    def chunk_at(hit: Hit, place: int) -> Hit | None:
        where = chunks_of([hit.document_id], of_version(hit.version), *holding(place))
        found = indexes.current.store.scan(where)
        return next((payload_to_hit(payload, chunk_id, hit.score, {}) for chunk_id, payload in found), None)

    return chunk_at


def _texts_of(profile: Profile, catalogue: Catalogue) -> Texts:
    """Return the stored texts of hits, with headings where the profile extracts them."""

    def texts(hits: Sequence[Hit]) -> list[StoredText | None]:
        places = [(hit.document_id, hit.version) for hit in hits]
        stored = catalogue.stored_texts(set(places))
        if "headings" not in profile.extractors:
            stored = {place: replace(text, headings=()) for place, text in stored.items()}
        return [stored.get(place) for place in places]

    return texts
