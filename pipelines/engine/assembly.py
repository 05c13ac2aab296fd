"""What a tenant's engine is made of, put together as the profile says."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from llama_index.core.llms import LLM

from pipelines.catalogue import Catalogue, ExtractCache
from pipelines.catalogue.database import observe_failures
from pipelines.catalogue.settings import Settings
from pipelines.components.embedding.base import Vectors
from pipelines.components.llm import Llm, build_llm, own_section
from pipelines.components.llm.base import AnyLlm
from pipelines.components.models.cross_encoder import load_cross_encoder
from pipelines.components.own import NO_COMPONENTS, OwnComponents, build_installed
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.data_folder import held
from pipelines.components.store.scratch_folder import scratch_folder
from pipelines.engine.parts.answerer import build_answerer
from pipelines.engine.parts.chunking import pipeline_name
from pipelines.engine.parts.indexes import Indexes
from pipelines.engine.parts.records import Records, open_records
from pipelines.engine.parts.vector_place import claimed_place
from pipelines.engine.parts.writing import Writing, build_writing
from pipelines.errors import InvalidRequest, ProfileError
from pipelines.events import Observe, ignore_event
from pipelines.ingestion.scans import ReadPages
from pipelines.ingestion.tickets import begin_after
from pipelines.profile.calibration import read_calibration
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.overrides import apply_changes
from pipelines.profile.prompts import answer_prompts
from pipelines.profile.schema import Profile
from pipelines.profile.sections.ocr import ocr_problems
from pipelines.query.answerer import Answerer
from pipelines.query.extracts.reader import Reader, cosine_reader, cosines, cross_encoder_reader
from pipelines.query.lexicon import read_lexicon
from pipelines.query.reuse import AnswerCache, Position
from pipelines.query.steps.questions import ModelSubQuestions, RuleSubQuestions, SubQuestions
from pipelines.query.terms import Terms
from pipelines.query.variants import Variants
from pipelines.query.vector_cache import VectorCache
from pipelines.reading.ocr import Ocr, build_ocr
from pipelines.reading.page_images import PageImages
from pipelines.reading.workers import ReaderPool, ReadingLimits

if TYPE_CHECKING:
    from pipelines.query.routing.routing import Routing

PROFILE_SETTINGS = "profile"
"""The name under which changes of the profile are kept."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """A tenant's open parts."""

    loaded: LoadedProfile
    profile: Profile
    folder: Path
    catalogue: Catalogue
    records: Records
    indexes: Indexes
    writing: Writing
    variants: Variants
    sub_questions: SubQuestions
    answer_cache: AnswerCache
    answerer: Answerer
    terms: Terms
    reader: Reader
    observe: Observe
    llm: Llm | None
    ocr: Ocr | None
    page_images: PageImages
    routing: Routing | None


def open_parts(
    loaded: LoadedProfile,
    root: Path,
    opened: ExitStack,
    observe: Observe = ignore_event,
    own: OwnComponents = NO_COMPONENTS,
    *,
    repairing: bool = False,
) -> Parts:
    """Opens the parts of a tenant with its data below ``root``, and undoes what a crash left; ``opened`` closes them.

    ``observe`` receives their events; ``own`` replaces components; ``repairing`` opens an empty or damaged store, too.

    Raises:
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
        StoreDamaged: The vector store is empty, elsewhere or cannot be read, and the catalogue has chunks.
        ProfileError: What the profile reads scans with is not installed.
    """
    _require_ocr(loaded.profile)
    folder, catalogue = _open_catalogue(loaded.profile, root, opened, observe)
    settings = Settings(catalogue.engine, loaded.profile.tenant)
    profile = _as_set(loaded.profile, settings)
    catalogue.pipeline = pipeline_name(profile, own)
    llm = _open_llm(profile, own, opened, observe)
    records = open_records(profile, catalogue, settings, opened, llm)
    position, terms = partial(_position, catalogue), Bm25Encoder(profile.sparse).terms
    given = AnswerCache(profile.answer.cache, position, terms)
    cached = records.embeddings if profile.embedding.cache else None
    with claimed_place(profile, folder, settings, repairing=repairing):
        indexes = Indexes(profile, folder, catalogue, cached, llm, own=own, observe=observe, repairing=repairing)
        opened.callback(indexes.close)
    ocr, readers = _open_ocr(profile, records.extracts, opened), _open_readers(profile, opened)
    writing = build_writing(
        profile, catalogue, records, indexes, given, readers=readers, llm=llm, ocr=ocr, observe=observe
    )
    _resume(writing, opened)
    vectors = VectorCache(lambda: indexes.embedder, position)
    reader, calibration = _reader(profile, indexes, vectors), read_calibration(loaded)
    answerer = build_answerer(profile, catalogue, reader, terms, calibration, indexes=indexes, vectors=vectors, llm=llm)
    return Parts(
        loaded=loaded,
        profile=profile,
        folder=folder,
        catalogue=catalogue,
        records=records,
        indexes=indexes,
        writing=writing,
        variants=_variants(loaded, profile),
        sub_questions=_sub_questions(profile),
        answer_cache=given,
        answerer=answerer,
        terms=terms,
        reader=reader,
        observe=observe,
        llm=llm,
        ocr=ocr,
        page_images=_open_page_images(opened),
        routing=_open_routing(loaded, indexes, opened),
    )


def _require_ocr(profile: Profile) -> None:
    if missing := ocr_problems(profile.ocr):
        raise ProfileError(profile.tenant, tuple(missing))


def _resume(writing: Writing, opened: ExitStack) -> None:
    """Undo what a crash left half done, and go on with purges that it stopped."""
    opened.callback(writing.cleaner.close)
    opened.callback(writing.scrubber.close)
    writing.ingestor.recover()
    writing.scrubber.resume()


def _variants(loaded: LoadedProfile, profile: Profile) -> Variants:
    as_json = profile.answer.format == "json"
    return Variants(profile.tenant, answer_prompts(loaded), profile.title, as_json=as_json)


def _sub_questions(profile: Profile) -> ModelSubQuestions:
    rules = RuleSubQuestions(read_lexicon(profile.retrieval.expansion))
    return ModelSubQuestions(profile.answer.steps, rules)


def _as_set(profile: Profile, settings: Settings) -> Profile:
    """The profile with what was changed at work; where the two no longer go together, the profile alone."""
    try:
        return apply_changes(profile, settings.get(PROFILE_SETTINGS))
    except InvalidRequest as error:
        _log.error(
            "%s: settings that were changed at run time do not fit the profile and are ignored: %s",
            profile.tenant,
            error,
        )
        return profile


def _open_llm(profile: Profile, own: OwnComponents, opened: ExitStack, observe: Observe) -> Llm | None:
    section: AnyLlm | None = profile.llm
    model = own.llm
    if model is not None:
        section = own_section(model, profile.llm)
    if section is None:
        return None
    model = model or build_installed("llm", section.provider, section, LLM)
    llm = build_llm(section, observe, model)
    opened.callback(llm.close)
    return llm


def _open_routing(loaded: LoadedProfile, indexes: Indexes, opened: ExitStack) -> Routing | None:
    profile = loaded.profile
    if not profile.tools.asked:
        return None
    module = import_module("pipelines.query.routing.routing")  # LlamaIndex's workflows take long to import
    routing: Routing = module.Routing(profile, loaded.folder, indexes.vectors)
    opened.callback(routing.close)
    return routing


def _open_ocr(profile: Profile, cache: ExtractCache, opened: ExitStack) -> Ocr | None:
    if profile.ocr is None:
        return None
    ocr = build_ocr(profile.ocr, ReadPages(cache))
    opened.callback(ocr.close)
    return ocr


def _open_page_images(opened: ExitStack) -> PageImages:
    page_images = PageImages()
    opened.callback(page_images.close)
    return page_images


def _open_readers(profile: Profile, opened: ExitStack) -> ReaderPool:
    reading = profile.limits.reading
    limits = ReadingLimits(
        reading.seconds,
        reading.seconds_per_mb,
        reading.memory_mb,
        reading.processes,
        chars=profile.limits.content_chars[1],
    )
    readers = ReaderPool(limits)
    opened.callback(readers.close)
    return readers


def _reader(profile: Profile, indexes: Indexes, vectors: VectorCache) -> Reader:
    """What reads passages beside a question: the vectors of both, and the profile's cross-encoder if it names one."""

    def query_vector(question: str) -> Vectors:
        return indexes.embedder.query_vector(question)  # of the model in use when it is asked

    read = cosines(query_vector, vectors)
    if profile.answer.chooser is None:
        return cosine_reader(read)
    cross_encoder = load_cross_encoder(profile.answer.chooser, device=profile.answer.device)
    return cross_encoder_reader(cross_encoder.scores, read)


def _open_catalogue(profile: Profile, root: Path, opened: ExitStack, observe: Observe) -> tuple[Path, Catalogue]:
    """The tenant's folder, held where anything of the tenant is kept in it, and its catalogue."""
    if profile.store.engine == "memory":
        root = opened.enter_context(scratch_folder())
    folder, url = root / profile.tenant, profile.catalogue.url
    if url is None or profile.store.engine == "edge":
        opened.enter_context(held(folder))
    if url is None:
        catalogue = Catalogue.in_folder(folder, profile.tenant)
    else:
        most = profile.catalogue.connections
        catalogue = Catalogue.open(url.get_secret_value(), profile.tenant, connections=most)
    opened.callback(catalogue.close)
    observe_failures(catalogue.engine, observe)
    begin_after(catalogue.last_accepted)
    return folder, catalogue


def _position(catalogue: Catalogue) -> Position:
    return (*catalogue.position, catalogue.horizon)
