"""Checks that the sections of a profile are compatible."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.errors import nearest
from pipelines.profile.contracts import contract_issues
from pipelines.profile.issues import ProfileIssue, Steps
from pipelines.profile.levels import scope_flaws
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.llm import BY_MODEL
from pipelines.profile.sections.rerank import (
    BalanceStage,
    FieldBoostStage,
    LateInteractionStage,
    LlmStage,
    ParentStage,
    RecencyStage,
    RerankStage,
    boosts_sections,
)

_EIGHT_BIT_GPU = ("cuda", "onnx", "int8")


def inconsistencies(profile: Profile) -> Iterator[ProfileIssue]:
    """Yield every contradiction between sections."""
    if profile.retrieval.top_k > profile.limits.top_k:
        yield ProfileIssue(("retrieval", "top_k"), f"is over limits -> top_k, which is {profile.limits.top_k}")
    if profile.store.engine == "memory" and profile.catalogue.url is not None:
        yield ProfileIssue(("catalogue", "url"), "would outlive the store, whose engine is memory; leave it out")
    yield from contract_issues(profile)
    yield from _device(profile)
    yield from _unverified(profile)
    yield from _without_model(profile)
    yield from _context(profile)
    yield from _extracts(profile)
    yield from _sections(profile)
    for index, stage in enumerate(profile.rerank):
        yield from _stage(profile, stage, ("rerank", index))
    for index, key in enumerate(profile.auth.keys):
        for flaw in scope_flaws(key.scope, profile.metadata):
            yield flaw._replace(path=("auth", "keys", index, "scope", *flaw.path))


def _device(profile: Profile) -> Iterator[ProfileIssue]:
    model = profile.embedding
    if isinstance(model, HuggingFaceEmbedding) and (model.device, model.backend, model.quantize) == _EIGHT_BIT_GPU:
        text = "is int8, whose products CUDA has no kernel for: set it to none, and run `footnote reembed`"
        yield ProfileIssue(("embedding", "quantize"), text)


def _unverified(profile: Profile) -> Iterator[ProfileIssue]:
    if profile.answer.verify:
        return
    if profile.answer.unsupported == "strike":  # the default withholds, which changes nothing without verdicts
        yield ProfileIssue(("answer", "unsupported"), "needs the verdicts on claims: set answer -> verify to true")
    if profile.answer.nli is not None:
        yield ProfileIssue(
            ("answer", "nli"), "checks nothing without verdicts: set answer -> verify to true, or remove nli"
        )


def _without_model(profile: Profile) -> Iterator[ProfileIssue]:
    if profile.llm is not None:
        return
    for index, name in enumerate(profile.extractors):
        if name in BY_MODEL:
            yield ProfileIssue(("extractors", index), f'"{name}" needs a language model: give the section llm')
    for index, stage in enumerate(profile.rerank):
        if isinstance(stage, LlmStage):
            yield ProfileIssue(("rerank", index), "the stage llm needs a language model: give the section llm")
    if profile.pictures.describe == "llm":
        yield ProfileIssue(("pictures", "describe"), "needs a language model that sees: give the section llm")
    if profile.answer.variants:
        yield ProfileIssue(("answer", "variants"), "are prompts of a language model: give the section llm")
    if profile.tools.asked:
        yield ProfileIssue(
            ("tools", "servers"), "are asked by a language model: give the section llm, or set router to off"
        )
    if profile.conversations.history.compress == "image":
        text = '"image" needs a language model that sees: give the section llm'
        yield ProfileIssue(("conversations", "history", "compress"), text)


def _extracts(profile: Profile) -> Iterator[ProfileIssue]:
    """The key for extracted metadata must not be a declared field."""
    if "extracted" in profile.metadata.fields and any(name in BY_MODEL for name in profile.extractors):
        text = "is reserved for what the extractors write; choose another name"
        yield ProfileIssue(("metadata", "fields", "extracted"), text)


def _sections(profile: Profile) -> Iterator[ProfileIssue]:
    for name, field in profile.metadata.fields.items():
        if field.source == "headings" and "headings" not in profile.extractors:
            path = ("metadata", "fields", name, "source")
            yield ProfileIssue(path, "needs the headings: add headings to extractors")


def _context(profile: Profile) -> Iterator[ProfileIssue]:
    """Ollama silently truncates the beginning of a prompt that is too long."""
    llm, context = profile.llm, profile.answer.max_context_tokens
    if llm is not None and context + llm.max_tokens >= llm.context_tokens:
        room = llm.context_tokens - llm.max_tokens
        text = f"does not fit: llm -> context_tokens less max_tokens leaves {room} for the context and the question"
        yield ProfileIssue(("answer", "max_context_tokens"), text)


def _stage(profile: Profile, stage: RerankStage, path: Steps) -> Iterator[ProfileIssue]:
    candidates = profile.retrieval.candidates
    if "depth" in stage.model_fields_set and getattr(stage, "depth", 0) > candidates:
        yield ProfileIssue((*path, "depth"), f"is over retrieval -> candidates, which is {candidates}")
    if isinstance(stage, RecencyStage):
        yield from _field(profile, stage.field, ("datetime",), (*path, "field"))
    if isinstance(stage, BalanceStage):
        yield from _field(profile, stage.field, ("keyword", "keywords"), (*path, "field"))
        for number, value in enumerate(stage.values):
            yield from _value(profile, stage.field, value, (*path, "values", number))
    if isinstance(stage, LateInteractionStage) and not _on_onnx(profile):
        text = "the stage late_interaction needs an embedding model with provider huggingface and backend onnx"
        yield ProfileIssue(path, text)
    if isinstance(stage, FieldBoostStage):
        yield from _boost(profile, stage, path)
    if isinstance(stage, ParentStage) and stage.method == "merge" and profile.chunking.splitter != "hierarchical":
        yield ProfileIssue(
            (*path, "method"), "needs chunks with parents: choose the splitter hierarchical, or the method window"
        )


def _on_onnx(profile: Profile) -> bool:
    return isinstance(profile.embedding, HuggingFaceEmbedding) and profile.embedding.backend == "onnx"


def _boost(profile: Profile, stage: FieldBoostStage, path: Steps) -> Iterator[ProfileIssue]:
    declared = profile.metadata.fields.get(stage.field)
    if not boosts_sections(stage, None if declared is None else declared.source):
        yield from _field(profile, stage.field, ("keyword", "keywords"), (*path, "field"))
        for value in stage.weights:
            yield from _value(profile, stage.field, value, (*path, "weights", value))
    elif "headings" not in profile.extractors:
        yield ProfileIssue((*path, "field"), f'"{stage.field}" needs the headings: add headings to extractors')


def _field(profile: Profile, name: str, types: tuple[str, ...], path: Steps) -> Iterator[ProfileIssue]:
    declared = profile.metadata.fields
    if name not in declared:
        yield ProfileIssue(path, f'"{name}" is not a declared field', nearest(name, declared))
    elif declared[name].type not in types:
        yield ProfileIssue(path, f'"{name}" must be of type {" or ".join(types)}, it is {declared[name].type}')


def _value(profile: Profile, name: str, value: str, path: Steps) -> Iterator[ProfileIssue]:
    declared = profile.metadata.fields.get(name)
    if declared and declared.values and value not in declared.values:
        yield ProfileIssue(path, f"is not among the values of {name}", nearest(value, declared.values))
