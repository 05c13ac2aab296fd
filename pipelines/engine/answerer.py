"""What makes answers of hits, as the profile says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.catalogue import Catalogue
from pipelines.components.models.entailment import Entails
from pipelines.profile.calibration import Calibration
from pipelines.profile.schema import Profile
from pipelines.query.answer import Texts
from pipelines.query.answerer import Answerer, build_cite
from pipelines.query.confidence import Confidence
from pipelines.query.context import Terms
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.reader import Reader
from pipelines.query.lexicon import read_lexicon
from pipelines.query.synthesis import Synthesis
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
    vectors: VectorCache,
    entails: Entails | None,
) -> Answerer:
    """Build the answerer of a tenant."""
    texts = _texts_of(profile, catalogue)
    verifier = Verifier(entails) if profile.answer.verify else None
    lexicon = read_lexicon(profile.retrieval.expansion)
    confidence = Confidence(calibration, lexicon)
    synthesis = Synthesis(
        profile.answer, vectors=vectors, terms=terms, verifier=verifier, cite=build_cite(texts), confidence=confidence
    )
    return Answerer(profile, Chooser(reader, terms, lexicon), confidence, synthesis, texts)


def _texts_of(profile: Profile, catalogue: Catalogue) -> Texts:
    """Return the stored texts of hits, with headings where the profile extracts them."""

    def texts(hits: Sequence[Hit]) -> list[StoredText | None]:
        places = [(hit.document_id, hit.version) for hit in hits]
        stored = catalogue.stored_texts(set(places))
        if "headings" not in profile.extractors:
            stored = {place: replace(text, headings=()) for place, text in stored.items()}
        return [stored.get(place) for place in places]

    return texts
