"""What one section of a profile says and another does not allow."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.errors import nearest
from pipelines.profile.found import Found, Steps
from pipelines.profile.schema import HuggingFaceEmbedding, Key, Profile
from pipelines.profile.stages import SECTION, FieldBoostStage, LateInteractionStage, LlmStage, RecencyStage, RerankStage

_BY_MODEL = ("title", "keywords", "questions", "summary")


def inconsistencies(profile: Profile) -> Iterator[Found]:
    """Everything in which sections contradict each other."""
    if profile.retrieval.top_k > profile.limits.top_k:
        yield Found(("retrieval", "top_k"), f"is over limits -> top_k, which is {profile.limits.top_k}")
    if profile.store.engine == "memory" and profile.catalogue.url is not None:
        yield Found(("catalogue", "url"), "would outlive the store, whose engine is memory; leave it out")
    yield from _without_model(profile)
    for index, stage in enumerate(profile.rerank):
        yield from _stage(profile, stage, ("rerank", index))
    for index, key in enumerate(profile.auth.keys):
        yield from _scope(profile, key, ("auth", "keys", index, "scope"))


def _without_model(profile: Profile) -> Iterator[Found]:
    if profile.llm is not None:
        return
    for index, name in enumerate(profile.extractors):
        if name in _BY_MODEL:
            yield Found(("extractors", index), f'"{name}" needs a language model: give the section llm')
    for index, stage in enumerate(profile.rerank):
        if isinstance(stage, LlmStage):
            yield Found(("rerank", index), "the stage llm needs a language model: give the section llm")


def _stage(profile: Profile, stage: RerankStage, path: Steps) -> Iterator[Found]:
    candidates = profile.retrieval.candidates
    if "depth" in stage.model_fields_set and getattr(stage, "depth", 0) > candidates:
        yield Found((*path, "depth"), f"is over retrieval -> candidates, which is {candidates}")
    if isinstance(stage, RecencyStage):
        yield from _field(profile, stage.field, ("datetime",), (*path, "field"))
    if isinstance(stage, LateInteractionStage) and not _on_onnx(profile):
        text = "the stage late_interaction needs an embedding model with provider huggingface and backend onnx"
        yield Found(path, text)
    if isinstance(stage, FieldBoostStage):
        yield from _boost(profile, stage, path)


def _on_onnx(profile: Profile) -> bool:
    return isinstance(profile.embedding, HuggingFaceEmbedding) and profile.embedding.backend == "onnx"


def _boost(profile: Profile, stage: FieldBoostStage, path: Steps) -> Iterator[Found]:
    if stage.field != SECTION or SECTION in profile.metadata.fields:
        yield from _field(profile, stage.field, ("keyword", "keywords"), (*path, "field"))
        for value in stage.weights:
            yield from _value(profile, stage.field, value, (*path, "weights", value))
    elif "headings" not in profile.extractors:
        yield Found((*path, "field"), f'"{SECTION}" needs the headings: add headings to extractors')


def _scope(profile: Profile, key: Key, path: Steps) -> Iterator[Found]:
    """A scope that places nothing would hold its key to nothing."""
    hierarchy = profile.metadata.hierarchy
    if hierarchy is None:
        if key.scope:
            yield Found(path, "needs metadata -> hierarchy, which says how fields nest")
        return
    for name, value in key.scope.items():
        if name in hierarchy.path:
            yield from _value(profile, name, value, (*path, name))
        else:
            problem = "is not in metadata -> hierarchy -> path"
            yield Found((*path, name), problem, nearest(name, hierarchy.path))


def _field(profile: Profile, name: str, types: tuple[str, ...], path: Steps) -> Iterator[Found]:
    declared = profile.metadata.fields
    if name not in declared:
        yield Found(path, f'"{name}" is not a declared field', nearest(name, declared))
    elif declared[name].type not in types:
        yield Found(path, f'"{name}" must be of type {" or ".join(types)}, it is {declared[name].type}')


def _value(profile: Profile, name: str, value: str, path: Steps) -> Iterator[Found]:
    declared = profile.metadata.fields.get(name)
    if declared and declared.values and value not in declared.values:
        yield Found(path, f"is not among the values of {name}", nearest(value, declared.values))
