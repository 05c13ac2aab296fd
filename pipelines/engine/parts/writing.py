"""What changes a tenant's documents, put together as the profile says."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.catalogue import Catalogue, ExtractCache, PurgeRecords
from pipelines.components.extractors.by_model import ModelExtractor
from pipelines.components.llm import Llm
from pipelines.engine.parts.chunking import extractors_by_model, transformations
from pipelines.engine.parts.indexes import Indexes
from pipelines.engine.parts.records import Records
from pipelines.events import Observe
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.completing import Completer
from pipelines.ingestion.deletion import Deleter
from pipelines.ingestion.doctor import Doctor
from pipelines.ingestion.enriching import Enricher
from pipelines.ingestion.identity import Identities
from pipelines.ingestion.pictures import PictureTexts
from pipelines.ingestion.pipeline import Ingestor
from pipelines.ingestion.prepare import Preparer
from pipelines.ingestion.scope_guard import ScopeGuard
from pipelines.ingestion.scrubbing import Scrubber
from pipelines.ingestion.space import Space
from pipelines.profile.schema import Profile
from pipelines.query.reuse import AnswerCache
from pipelines.reading.ocr import Ocr
from pipelines.reading.workers import ReaderPool


@dataclass(frozen=True, slots=True)
class Writing:
    """What brings documents in, takes them out, and holds the store against the catalogue."""

    identities: Identities
    completer: Completer
    preparer: Preparer
    cleaner: Cleaner
    ingestor: Ingestor
    deleter: Deleter
    scrubber: Scrubber
    doctor: Doctor
    pictures: PictureTexts | None


def build_writing(
    profile: Profile,
    catalogue: Catalogue,
    records: Records,
    indexes: Indexes,
    given: AnswerCache,
    *,
    readers: ReaderPool,
    llm: Llm | None,
    ocr: Ocr | None,
    observe: Observe,
) -> Writing:
    """Build what writes to the catalogue and to the store; it takes care of ``given`` answers and ``records``, too."""

    def space() -> Space:
        return indexes.current.space  # of the generation in use when it is asked

    caches = (records.embeddings, records.extracts)  # also of what is not kept any more
    cleaner = Cleaner(catalogue, indexes.stores, caches, (records.conversations, records.opinions), given)
    purges = PurgeRecords(catalogue.engine, catalogue.tenant)
    scrubber = Scrubber(catalogue, purges, cleaner, indexes.scrub)
    holding = ScopeGuard(catalogue, profile.metadata)
    pictures = _picture_texts(profile, llm, records.extracts, ocr)
    identities = Identities(profile.metadata.identity_rule, catalogue)
    preparer = Preparer(
        profile,
        catalogue,
        transformations(profile, indexes),
        catalogue.pipeline,
        readers=readers,
        identities=identities,
        enrich=_enricher(profile, llm, records.extracts),
        ocr=ocr,
        pictures=pictures,
    )
    quotas = profile.limits.quotas
    ingestor = Ingestor(catalogue, space, preparer, cleaner, caches, holding=holding, quotas=quotas, observe=observe)
    logs = (records.answers, records.usage)
    deleter = Deleter(
        catalogue, space, cleaner, caches, holding=holding, given=given, purges=purges, logs=logs, scrubber=scrubber
    )
    completer = Completer(catalogue, space)
    doctor = Doctor(catalogue, space, cleaner, preparer.cut, ingestor.recover, completer=completer)
    return Writing(identities, completer, preparer, cleaner, ingestor, deleter, scrubber, doctor, pictures)


def _enricher(profile: Profile, llm: Llm | None, cache: ExtractCache) -> Enricher | None:
    """Asks the language model during ingestion, with half of its slots: questions need some, too."""
    if llm is None or profile.llm is None or not extractors_by_model(profile):
        return None
    at_once = max(profile.llm.concurrency // 2, 1)
    return Enricher(ModelExtractor(llm), cache, extractors_by_model(profile), at_once, profile.sparse.title_weight)


def _picture_texts(profile: Profile, llm: Llm | None, cache: ExtractCache, ocr: Ocr | None) -> PictureTexts | None:
    if not profile.pictures.keep:
        return None
    at_once = 1 if profile.llm is None else max(profile.llm.concurrency // 2, 1)
    return PictureTexts(profile.pictures, cache, llm, ocr, at_once)
