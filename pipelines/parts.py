"""What a tenant's engine is made of, put together as the profile says."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from pipelines.catalogue import Catalogue, ExtractCache
from pipelines.catalogue.database import observe_failures
from pipelines.catalogue.settings import Settings
from pipelines.components.data_folder import held
from pipelines.components.embedding import build_tokenizer, models_folder
from pipelines.components.embedding.base import Vectors
from pipelines.components.extractors.by_model import PROMPTS, ModelExtractor
from pipelines.components.llm import Llm, build_llm
from pipelines.components.models.cross_encoder import load_cross_encoder
from pipelines.components.models.entailment import EntailmentModel, Entails
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.splitters import build_splitter
from pipelines.components.tools import build_tools
from pipelines.errors import InvalidRequest, ProfileError
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.doctor import Doctor
from pipelines.ingestion.enriching import Enricher
from pipelines.ingestion.holding import Holding
from pipelines.ingestion.pipeline import Ingestor
from pipelines.ingestion.prepare import Preparer, Transformations
from pipelines.ingestion.rereading import Rereading
from pipelines.ingestion.scans import ReadPages
from pipelines.ingestion.sync import Syncer
from pipelines.ingestion.transforms import Locate
from pipelines.observing import Observe, unobserved
from pipelines.profile.calibration import Calibration, read_calibration
from pipelines.profile.llms import BY_MODEL
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.ocr import ocr_problems
from pipelines.profile.overrides import changed
from pipelines.profile.prompts import answer_prompts
from pipelines.profile.schema import Profile
from pipelines.query.extracts.chooser import Reader, cosine_reader
from pipelines.query.kept_vectors import KeptVectors
from pipelines.query.reuse import AnswerCache, Position
from pipelines.query.routing.routing import Routing
from pipelines.query.variants import Variants
from pipelines.reading.ocr import Ocr, build_ocr
from pipelines.records import Records, open_records
from pipelines.spaces import Spaces

PROFILE_SETTINGS = "profile"
"""The name under which changes of the profile are kept."""
_READING = 2
"""Raised when readers or splitters make another text or other chunks of the same file."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Writing:
    """What brings documents in, takes them out, and holds the store against the catalogue."""

    preparer: Preparer
    cleaner: Cleaner
    ingestor: Ingestor
    doctor: Doctor


@dataclass(frozen=True, slots=True)
class Parts:
    """A tenant's open parts."""

    loaded: LoadedProfile
    profile: Profile
    folder: Path
    catalogue: Catalogue
    records: Records
    spaces: Spaces
    writing: Writing
    variants: Variants
    calibration: Calibration
    given: AnswerCache
    vectors: KeptVectors
    reader: Reader
    observe: Observe
    llm: Llm | None
    entails: Entails | None
    ocr: Ocr | None
    routing: Routing | None


def open_parts(loaded: LoadedProfile, root: Path, opened: ExitStack, observe: Observe = unobserved) -> Parts:
    """Opens the parts of a tenant with its data below ``root``, and undoes what a crash left; ``opened`` closes them.

    ``observe`` is told of what happens in them.

    Raises:
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
        ProfileError: What the profile reads scans with is not installed.
    """
    if missing := ocr_problems(loaded.profile.ocr):
        raise ProfileError(loaded.profile.tenant, tuple(missing))
    folder, catalogue = _open_catalogue(loaded.profile, root, opened, observe)
    settings = Settings(catalogue.engine, loaded.profile.tenant)
    profile = _as_set(loaded.profile, settings)
    catalogue.pipeline = pipeline_name(profile)
    records = open_records(profile, catalogue, settings, opened)
    position = partial(_position, catalogue)
    given = AnswerCache(profile.answer.cache, position, Bm25Encoder(profile.sparse).terms)
    llm = _open_llm(profile, opened, observe)
    cached = records.embeddings if profile.embedding.cache else None
    spaces = Spaces(profile, folder, catalogue, cached, llm, observe=observe)
    opened.callback(spaces.close)
    ocr = _open_ocr(profile, records.extracts, opened)
    writing = _writing(profile, catalogue, records, spaces, given, llm=llm, ocr=ocr, observe=observe)
    opened.callback(writing.cleaner.close)
    writing.ingestor.recover()
    as_json = profile.answer.format == "json"
    vectors = KeptVectors(lambda: spaces.embedder, position)
    return Parts(
        loaded=loaded,
        profile=profile,
        folder=folder,
        catalogue=catalogue,
        records=records,
        spaces=spaces,
        writing=writing,
        variants=Variants(profile.tenant, answer_prompts(loaded), profile.title, as_json=as_json),
        calibration=read_calibration(loaded),
        given=given,
        vectors=vectors,
        reader=_reader(profile, spaces, vectors),
        observe=observe,
        llm=llm,
        entails=None if llm is None or profile.answer.nli is None else EntailmentModel(profile.answer.nli),
        ocr=ocr,
        routing=_open_routing(loaded, spaces, opened),
    )


def _writing(
    profile: Profile,
    catalogue: Catalogue,
    records: Records,
    spaces: Spaces,
    given: AnswerCache,
    *,
    llm: Llm | None,
    ocr: Ocr | None,
    observe: Observe,
) -> Writing:
    caches = (records.embeddings, records.extracts)  # also of what is not kept any more
    told = (records.conversations, records.opinions)
    cleaner = Cleaner(catalogue, lambda: spaces.current.store, caches, told, given)
    enricher = _enricher(profile, llm, records.extracts)
    cut = transformations(profile, spaces)
    preparer = Preparer(profile, catalogue, cut, catalogue.pipeline, enrich=enricher, ocr=ocr)
    ingestor = Ingestor(
        catalogue,
        lambda: spaces.current.space,
        preparer,
        cleaner,
        caches,
        holding=Holding(catalogue, profile.metadata),
        conversations=records.conversations,
        opinions=records.opinions,
        given=given,
        observe=observe,
    )
    doctor = Doctor(catalogue, lambda: spaces.current.space, cleaner, preparer.cut, ingestor.recover)
    return Writing(preparer, cleaner, ingestor, doctor)


def build_syncer(loaded: LoadedProfile, parts: Parts) -> Syncer | None:
    """Brings the tenant in line with its knowledge folder, if the profile names one."""
    if loaded.knowledge_folder is None:
        return None
    limits, scans = loaded.profile.limits, parts.ocr.settings if parts.ocr is not None else None
    rules = (version("footnote-rag"), parts.catalogue.pipeline, limits.content_chars, limits.file_bytes, scans)
    return Syncer(
        loaded.knowledge_folder,
        parts.catalogue,
        parts.records.files,
        parts.writing.ingestor,
        rules=" ".join(map(str, rules)),
        rereading=Rereading(parts.records.files, parts.records.settings, scans),
        most_bytes=limits.file_bytes,
    )


def pipeline_name(profile: Profile) -> str:
    """Names what decides, beside the embedding model, whether a content is taken and which chunks it becomes."""
    parts = (
        _READING,
        *_cutting(profile),
        profile.extractors,
        profile.embedding.embed,
        profile.sparse.model_dump_json(),
        profile.metadata.model_dump_json(exclude={"hierarchy": {"below", "weights"}}),
        *_extracting(profile),
    )
    return hashlib.sha256("\0".join(str(part) for part in parts).encode()).hexdigest()


def _as_set(profile: Profile, settings: Settings) -> Profile:
    """The profile with what was changed at work; where the two no longer go together, the profile alone."""
    try:
        return changed(profile, settings.get(PROFILE_SETTINGS))
    except InvalidRequest as error:
        _log.error("%s: what was set at work does not fit the profile, and is left aside: %s", profile.tenant, error)
        return profile


def _open_llm(profile: Profile, opened: ExitStack, observe: Observe) -> Llm | None:
    if profile.llm is None:
        return None
    llm = build_llm(profile.llm, observe)
    opened.callback(llm.close)
    return llm


def _open_routing(loaded: LoadedProfile, spaces: Spaces, opened: ExitStack) -> Routing | None:
    profile = loaded.profile
    if not profile.tools.asked:
        return None
    tools = build_tools(profile.tools, loaded.folder)
    opened.callback(tools.close)
    return Routing(profile, tools, spaces.vectors)


def _open_ocr(profile: Profile, cache: ExtractCache, opened: ExitStack) -> Ocr | None:
    if profile.ocr is None:
        return None
    ocr = build_ocr(profile.ocr, ReadPages(cache))
    opened.callback(ocr.close)
    return ocr


def _reader(profile: Profile, spaces: Spaces, vectors: KeptVectors) -> Reader:
    """What reads passages beside a question: the profile's cross-encoder, else the vectors of both."""
    if profile.answer.chooser is not None:
        return Reader(load_cross_encoder(profile.answer.chooser).scores)

    def query_vector(question: str) -> Vectors:
        return spaces.embedder.query_vector(question)  # of the model in use when it is asked

    return cosine_reader(query_vector, vectors)


def _by_model(profile: Profile) -> list[str]:
    return [name for name in profile.extractors if name in BY_MODEL]


def _extracting(profile: Profile) -> tuple[str, ...]:
    """What decides what a language model reads out of a document, where it is asked."""
    if profile.llm is None or not _by_model(profile):
        return ()
    return (profile.llm.provider, profile.llm.model, str(PROMPTS))


def _enricher(profile: Profile, llm: Llm | None, cache: ExtractCache) -> Enricher | None:
    """Asks the language model while documents are brought in, with half of its turns: questions need some, too."""
    if llm is None or profile.llm is None or not _by_model(profile):
        return None
    at_once = max(profile.llm.concurrency // 2, 1)
    return Enricher(ModelExtractor(llm), cache, _by_model(profile), at_once, profile.sparse.title_weight)


def _cutting(profile: Profile) -> tuple[str, ...]:
    """What decides where chunks begin and end, without what the splitter does not read."""
    of_others = {"semantic": {"parents"}, "hierarchical": {"percentile"}}
    unread = of_others.get(profile.chunking.splitter, {"parents", "percentile"})
    said = profile.chunking.model_dump_json(exclude=unread)
    if profile.chunking.splitter != "semantic":
        return (said,)
    model = profile.embedding.model_dump_json(include={"provider", "model", "quantize", "dimensions"})
    return (said, model)  # another model sees other changes of topic


def _open_catalogue(profile: Profile, root: Path, opened: ExitStack, observe: Observe) -> tuple[Path, Catalogue]:
    """The tenant's folder, held where anything of the tenant is kept in it, and its catalogue."""
    if profile.store.engine == "memory":
        root = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="footnote-")))
    folder, url = root / profile.tenant, profile.catalogue.url
    if url is None or profile.store.engine == "edge":
        opened.enter_context(held(folder))
    if url is None:
        catalogue = Catalogue.in_folder(folder, profile.tenant)
    else:
        catalogue = Catalogue.open(url.get_secret_value(), profile.tenant)
    opened.callback(catalogue.close)
    observe_failures(catalogue.engine, observe)
    return folder, catalogue


def _position(catalogue: Catalogue) -> Position:
    return (*catalogue.position, catalogue.horizon)


def transformations(profile: Profile, spaces: Spaces) -> Transformations:
    """What cuts a document as the profile says, for chunks of any size, and places the chunks."""
    tokenizer = build_tokenizer(profile.embedding, models_folder())
    place = Locate(
        with_headings="headings" in profile.extractors,
        embed_title="title" in profile.embedding.embed,
        embed_headings="headings" in profile.embedding.embed,
        context_weight=profile.sparse.title_weight,
        with_sections=any(field.source == "headings" for field in profile.metadata.fields.values()),
    )
    return lambda section: [build_splitter(section, tokenizer.spans, spaces.vectors), place]
