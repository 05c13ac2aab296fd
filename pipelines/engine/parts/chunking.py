"""What a tenant's documents go through on their way to chunks, as the profile says, and the name of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from llama_index.core.extractors import BaseExtractor
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import TransformComponent

from pipelines.components.embedding import build_tokenizer, models_folder
from pipelines.components.extractors.by_model import PROMPTS
from pipelines.components.llm import own_section
from pipelines.components.own import NO_COMPONENTS, OwnComponents, OwnExtractor, OwnSplitter, build_installed
from pipelines.components.splitters import build_splitter
from pipelines.engine.parts.indexes import Indexes
from pipelines.filters.sections import section_fields
from pipelines.ingestion.cutting import Transformations
from pipelines.ingestion.transforms import Locate
from pipelines.profile.plugins import find_component
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.sections.llm import BY_MODEL

_CUTTING = 4
"""Raised when splitters make other chunks of the same text; for another text of the same file see `Format.reader`."""


def pipeline_name(profile: Profile, own: OwnComponents = NO_COMPONENTS) -> str:
    """Names what decides, beside the embedding model, whether a content is taken and which chunks it becomes."""
    parts = (
        _CUTTING,
        *_cutting(profile),
        profile.extractors,
        profile.embedding.embed,
        profile.sparse.model_dump_json(),
        profile.metadata.model_dump_json(exclude={"hierarchy": {"below", "weights"}, "identity": True}),
        *_extracting(profile, own),
        *own.fingerprints,
    )
    return hashlib.sha256("\0".join(str(part) for part in parts).encode()).hexdigest()


def transformations(profile: Profile, indexes: Indexes) -> Transformations:
    """What cuts a document as the profile says, for chunks of any size, and places the chunks."""
    tokenizer = build_tokenizer(profile.embedding, models_folder())
    place = Locate(
        with_headings="headings" in profile.extractors,
        embed_title="title" in profile.embedding.embed,
        embed_headings="headings" in profile.embedding.embed,
        context_weight=profile.sparse.title_weight,
        section_fields=section_fields(profile.metadata.fields),
    )
    own = indexes.own
    extractors = (*_installed_extractors(profile), *own.extractors)
    extract = [OwnExtractor(extractor, profile.sparse.title_weight) for extractor in extractors]

    def steps(section: Chunking) -> list[TransformComponent]:
        parser = own.splitter or build_installed("splitter", section.splitter, section, NodeParser)
        if parser is not None:
            return [OwnSplitter(parser), place, *extract]
        return [build_splitter(section, tokenizer.spans, indexes.vectors), place, *extract]

    return steps


def _installed_extractors(profile: Profile) -> Iterator[BaseExtractor]:
    """Yield the extractors of installed packages that the profile names, with the defaults of their settings."""
    for name in profile.extractors:
        component = find_component("extractor", name)
        if component is not None:
            yield build_installed("extractor", name, component.section(), BaseExtractor)


def _cutting(profile: Profile) -> tuple[str, ...]:
    """What decides where chunks begin and end, without what the splitter does not read."""
    of_others = {"semantic": {"parents"}, "hierarchical": {"percentile"}}
    unread = of_others.get(profile.chunking.splitter, {"parents", "percentile"})
    section = profile.chunking.model_dump_json(exclude=unread)
    if profile.chunking.splitter != "semantic":
        return (section,)
    model = profile.embedding.model_dump_json(include={"provider", "model", "quantize", "dimensions"})
    return (section, model)  # another model sees other changes of topic


def _extracting(profile: Profile, own: OwnComponents) -> tuple[str, ...]:
    """What decides what a language model reads out of a document, where it is asked."""
    if profile.llm is None or not extractors_by_model(profile):
        return ()
    section = profile.llm if own.llm is None else own_section(own.llm, profile.llm)
    return (section.provider, section.model, str(PROMPTS))


def extractors_by_model(profile: Profile) -> list[str]:
    """The profile's extractors that ask the language model."""
    return [name for name in profile.extractors if name in BY_MODEL]
