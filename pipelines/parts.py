"""What a tenant's engine is made of, put together as the profile says."""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pipelines.catalogue import Catalogue, EmbeddingCache
from pipelines.catalogue.files import FileRecords
from pipelines.components.data_folder import held
from pipelines.components.embedding import build_tokenizer, models_folder
from pipelines.components.splitters import build_splitter
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.doctor import Doctor
from pipelines.ingestion.holding import Holding
from pipelines.ingestion.pipeline import Ingestor
from pipelines.ingestion.prepare import Preparer
from pipelines.ingestion.sync import Syncer
from pipelines.ingestion.transforms import Locate
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.spaces import Spaces


@dataclass(frozen=True, slots=True)
class Parts:
    """A tenant's open parts."""

    folder: Path
    catalogue: Catalogue
    spaces: Spaces
    cleaner: Cleaner
    ingestor: Ingestor
    files: FileRecords
    doctor: Doctor


def open_parts(profile: Profile, root: Path, opened: ExitStack) -> Parts:
    """Opens the parts of a tenant with its data below ``root``, and undoes what a crash left; ``opened`` closes them.

    Raises:
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
    """
    if profile.store.engine == "memory":
        root = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="footnote-")))
    folder = root / profile.tenant
    if profile.catalogue.url is None or profile.store.engine == "edge":  # otherwise nothing of the tenant is here
        opened.enter_context(held(folder))
    catalogue = _open_catalogue(profile, folder)
    opened.callback(catalogue.close)
    catalogue.pipeline = pipeline_name(profile)
    cache = EmbeddingCache(catalogue.engine, profile.tenant) if profile.embedding.cache else None
    spaces = Spaces(profile, folder, catalogue, cache)
    opened.callback(spaces.close)
    cleaner = Cleaner(catalogue, lambda: spaces.current.store, cache)
    opened.callback(cleaner.close)
    preparer = _preparer(profile, catalogue)
    holding = Holding(catalogue, profile.metadata)
    ingestor = Ingestor(catalogue, lambda: spaces.current.space, preparer, cleaner, cache, holding=holding)
    ingestor.recover()
    files = FileRecords(catalogue.engine, profile.tenant)
    doctor = Doctor(catalogue, lambda: spaces.current.space, cleaner, preparer.cut, ingestor.recover)
    return Parts(folder, catalogue, spaces, cleaner, ingestor, files, doctor)


def build_syncer(loaded: LoadedProfile, parts: Parts) -> Syncer | None:
    """Brings the tenant in line with its knowledge folder, if the profile names one."""
    if loaded.knowledge_folder is None:
        return None
    limits = loaded.profile.limits
    return Syncer(
        loaded.knowledge_folder,
        parts.catalogue,
        parts.files,
        parts.ingestor,
        rules=f"{version('footnote-rag')} {parts.catalogue.pipeline} {limits.content_chars} {limits.file_bytes}",
        most_bytes=limits.file_bytes,
    )


def pipeline_name(profile: Profile) -> str:
    """Names what decides, beside the embedding model, whether a content is taken and which chunks it becomes."""
    parts = (
        profile.chunking.model_dump_json(),
        profile.extractors,
        profile.embedding.embed,
        profile.sparse.model_dump_json(),
        profile.metadata.model_dump_json(exclude={"hierarchy": {"below", "weights"}}),
    )
    return hashlib.sha256("\0".join(str(part) for part in parts).encode()).hexdigest()


def _open_catalogue(profile: Profile, folder: Path) -> Catalogue:
    url = profile.catalogue.url
    if url is None:
        return Catalogue.in_folder(folder, profile.tenant)
    return Catalogue.open(url.get_secret_value(), profile.tenant)


def _preparer(profile: Profile, catalogue: Catalogue) -> Preparer:
    tokenizer = build_tokenizer(profile.embedding, models_folder())
    place = Locate(
        with_headings="headings" in profile.extractors,
        embed_title="title" in profile.embedding.embed,
        embed_headings="headings" in profile.embedding.embed,
        context_weight=profile.sparse.title_weight,
    )
    transformations = [build_splitter(profile.chunking, tokenizer.spans), place]
    return Preparer(profile, catalogue, transformations, catalogue.pipeline)
