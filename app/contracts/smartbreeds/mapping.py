"""Between SmartBreeds' shapes and the core's values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain, count
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from app.contracts.smartbreeds.schemas import (
    EnrichedInfo,
    ErrorBody,
    ErrorResponse,
    ExplainData,
    ExplainRequest,
    Explanation,
    IngestData,
    IngestRequest,
    Pet,
    PetUse,
    Product,
    QueryData,
    QueryRequest,
    Seen,
    SeenAll,
    SeenHealth,
    SeenTraits,
    Source,
    StatusData,
    ToolUse,
    VisionData,
    VisionOptions,
    stem_of,
)
from app.http.claims import claim_checks
from app.http.failures import Failure
from app.http.telemetry import request_id
from pipelines import TenantReader
from pipelines.profile.schema import Profile
from pipelines.types import (
    KEPT_NOWHERE,
    Answer,
    Caller,
    Document,
    DocumentInput,
    Hit,
    IngestResult,
    Metadata,
    Query,
    Readiness,
    Stats,
)
from pipelines.types.footnote_numbers import cited_first, cited_names

BESIDE_A_BREED = ("dog", "cat", "puppy", "kitten", "breed")
LOOK = (
    "Which breed is the dog or cat in this image? Where several are shown, take the most prominent one. Where it is of "
    'mixed or no known breed, or there is neither dog nor cat, the breed is "Unknown" and the confidence 0.'
)
_COMBINERS = ("and", "or", "not")
_SOURCE_FILE = "source_file"
_NO_WORD = re.compile(r"\W+")
_FORMS: dict[tuple[bool, bool], type[Seen]] = {
    (False, False): Seen,
    (True, False): SeenTraits,
    (False, True): SeenHealth,
    (True, True): SeenAll,
}


def document_input(asked: IngestRequest, document_id: str | None = None, source: str | None = None) -> DocumentInput:
    """Return the document that a request brings; ``source`` is that of a document of the knowledge folder, if it is
    one.
    """
    return DocumentInput(
        content=asked.content,
        document_id=document_id,
        source=source or asked.source_name,
        media_type="text/markdown",
        metadata=asked.metadata,
    )


def placed(engine: TenantReader, asked: IngestRequest) -> IngestRequest:
    """Return the request with the place that the key is bound to, unless its metadata name one."""
    hierarchy = engine.profile.metadata.hierarchy
    if hierarchy is None or not engine.scope:
        return asked
    levels = engine.profile.metadata.fields[hierarchy.level].values or ()
    depth = max(number for number, name in enumerate(hierarchy.path, 1) if name in engine.scope)
    place = {hierarchy.level: levels[depth], **engine.scope}
    return asked.model_copy(update={"metadata": {**place, **asked.metadata}})


def document_id(asked: IngestRequest, metadata: Metadata, place: Mapping[str, str | None]) -> str | None:
    """``<doc_type>_<stem>``, an owner's ``<doc_type>_<owner>/<stem>``; None without a doc_type, which is refused."""
    doc_type = metadata.get("doc_type")
    if not isinstance(doc_type, str):
        return None
    return f"{doc_type}_{'/'.join([*filter(None, place.values()), stem_of(asked.source_name)])}"


def _place_of(engine: TenantReader, metadata: Metadata) -> dict[str, str | None]:
    hierarchy = engine.profile.metadata.hierarchy
    values = {name: metadata.get(name) for name in (hierarchy.path if hierarchy else ())}
    return {name: value if isinstance(value, str) else None for name, value in values.items()}


def named_document(engine: TenantReader, asked: IngestRequest, metadata: Metadata) -> tuple[str | None, str | None]:
    """Id and source of the document that a request brings.

    A document with this doc_type and source is the same one; for a name without a folder also one with this name in
    any folder. A name with a folder that is not known is a document of its own.
    """
    place = _place_of(engine, metadata)
    own, name = document_id(asked, metadata, place), asked.source_name
    if own is None:
        return None, None
    found = engine.sources_of({"doc_type": str(metadata["doc_type"]), **place}, stem_of(name))
    same = {known: source for known, source in found.items() if stem_of(source) == stem_of(name)}
    exact = [known for known, source in same.items() if _path_of(source) == _path_of(name)]
    if exact:
        known = min(exact, key=lambda known: (same[known] != name, known))
        return known, same[known]
    if len(_path_of(name)) > 1:
        numbered = chain([own], (f"{own}_{number}" for number in count(2)))
        return next(free for free in numbered if free not in found), None
    if own in same:
        return own, same[own]
    by_path = [known for known, source in same.items() if known == source]  # in a profile without an identity
    return (by_path[0],) * 2 if len(by_path) == 1 else (own, None)


def _path_of(name: str) -> tuple[str, ...]:
    """Return the folders of a file's name, and its stem."""
    folders = re.split(r"[/\\]", name.rstrip("/\\"))[:-1]
    return (*(folder for folder in folders if folder not in ("", ".")), stem_of(name))


def shown_id(document_id: str, source: str, metadata: Metadata) -> str:
    """Return a document's id as the contract names it: ``<doc_type>_<stem>``, also of a file of the knowledge
    folder.
    """
    doc_type = metadata.get("doc_type")
    return f"{doc_type}_{stem_of(source)}" if document_id == source and doc_type else document_id


def ingested(result: IngestResult, document: Document | None, metadata: Metadata) -> IngestData:
    """Return what a document has become; sent again it is the same, and has the same chunks.

    ``document`` is None where it was deleted in the same moment.
    """
    return IngestData(
        chunks_created=result.chunks_created if document is None else document.chunks,
        document_id=shown_id(result.document_id, result.source or "", metadata),
        version=result.version,
        state="unchanged" if result.state == "unchanged" else "ready",
        snapshot=result.snapshot,
    )


def query_of(asked: QueryRequest, pet: PetUse | None, caller: Caller) -> Query:
    """Return the question of a request; it is a turn of a conversation where that or a user is named.

    The search includes the pet's conditions; the language model sees all of the pet's fields.
    """
    conditions = ", ".join(asked.pet.conditions).lower() if asked.pet is not None else ""
    return Query(
        f"{asked.question} ({conditions})" if conditions else asked.question,
        top_k=asked.top_k,
        filters=_narrowed(_known(asked.filters), pet.filters if pet is not None else None),
        scope=asked.scope,
        note=(pet.told or "") if pet is not None else "",
        conversation_id=asked.conversation_id,
        caller=caller,
        user=asked.user,
        history=() if asked.conversation_id is None and asked.user is None else None,
    )


def _known(filters: Any) -> Any:
    """Filters in which `source_file` is the field that it is published from, the source of a document."""
    if isinstance(filters, list):
        return [_known(part) for part in filters]
    if not isinstance(filters, dict):
        return filters
    known = {name: _known(value) if name in _COMBINERS else value for name, value in filters.items()}
    if _SOURCE_FILE not in known or "source" in known:
        return known
    return {"source" if name == _SOURCE_FILE else name: value for name, value in known.items()}


def _narrowed(asked: Metadata | None, pets: Metadata | None) -> Metadata | None:
    """Return the filters of a request with those of its pet; what was asked keeps its path in errors."""
    if not asked or not pets:
        return asked or pets
    given = asked.get("and")
    if given is None:
        return {**asked, **pets}
    return {**asked, "and": [*given, *pets["and"]]} if isinstance(given, list) and given else asked


def pet_use(pet: Pet, breed_id: str | None, species: str | None) -> PetUse:
    """Return what a pet narrows the documents to: what is about its breed and species, or about no certain one."""
    values = {"breed": breed_id, "species": species}
    parts = [{"or": [{name: value}, {name: {"exists": False}}]} for name, value in values.items() if value]
    return PetUse(
        breed=breed_id, species=species, filters={"and": parts} if parts else None, told=_describe_pet(pet, breed_id)
    )


def _describe_pet(pet: Pet, breed_id: str | None) -> str:
    """Return a pet in a sentence: "The question is about Rex, a Golden Retriever, 7 years old, with arthritis."."""
    kind = spelt(breed_id) if breed_id else pet.species
    facts = [
        pet.name,
        f"a {kind}" if kind else None,
        f"{pet.age:g} years old" if pet.age is not None else None,
        f"weighing {pet.weight:g} kg" if pet.weight is not None else None,
        f"with {' and '.join(pet.conditions)}" if pet.conditions else None,
    ]
    return f"The question is about {', '.join(filter(None, facts)) or 'a pet'}."


def query_data(answer: Answer, pet: PetUse | None) -> QueryData:
    """Return an answer, with its sources in the order in which it cites them."""
    if pet is not None and not answer.llm_generated:
        pet = pet.model_copy(update={"told": None})
    cited = cited_first(answer)
    return QueryData(
        answer=cited.text,
        sources=[_source(hit) for hit in cited.sources],
        claims=claim_checks(cited.claims),
        model=answer.model,
        answer_id=answer.answer_id,
        confidence=answer.confidence,
        abstained=answer.abstained,
        reason=answer.reason,
        llm_generated=answer.llm_generated,
        degraded=answer.degraded,
        snapshot=answer.snapshot,
        tools=[
            ToolUse(name=run.name, arguments=dict(run.arguments), ms=run.ms, error=run.error) for run in answer.tools
        ],
        pet=pet,
        conversation_id=answer.conversation_id,
        rewritten_question=answer.rewritten_question,
        variant=answer.variant,
    )


def status_data(profile: Profile, stats: Stats, readiness: Readiness) -> StatusData:
    """Return how the parts are, and how much they hold."""
    return StatusData(
        status="healthy" if readiness.catalogue and readiness.store and readiness.embedding else "degraded",
        collection=stats.tenant,
        documents=stats.documents,
        chunks=stats.chunks,
        failed=stats.failed,
        embedding_model=stats.embedding,
        llm_model=profile.llm.model if profile.llm else None,
        snapshot=stats.snapshot,
    )


def why(product: Product, asked: ExplainRequest, breed_id: str) -> str:
    """Return the question that the explanation of a product answers."""
    about = "; ".join(part for part in (product.category, product.description) if part)
    wishes = asked.preferences if isinstance(asked.preferences, str) else _listed(asked.preferences)
    wanted = f" The owner wants: {wishes}." if wishes else ""
    return f"Why does {product.name}{f' ({about})' if about else ''} suit a {spelt(breed_id)}?{wanted}"


def explain_data(asked: ExplainRequest, breed_id: str, answers: Sequence[Answer]) -> ExplainData:
    """Return the explanations of the products."""
    explanations = [_explanation(*pair) for pair in zip(asked.products, answers, strict=True)]
    return ExplainData(breed=breed_id, explanations=explanations)


def seen_form(options: VisionOptions) -> type[Seen]:
    """Return what the vision model is asked for."""
    return _FORMS[options.return_traits, options.return_health_info]


def description_of(breed_id: str) -> str:
    """Return the question whose answer describes a breed."""
    return f"What kind of breed is the {spelt(breed_id)}, and what is its temperament?"


def care_question(breed_id: str) -> str:
    """Return the question whose answer tells how to care for a breed."""
    return f"How much exercise, grooming and care does a {spelt(breed_id)} need?"


def enriched_info(description: Answer, care: Answer) -> EnrichedInfo:
    """Return what the documents say of a breed, with the files that they say it in."""
    (described, cared), names, claims = cited_names([description, care])
    return EnrichedInfo(
        description=described,
        care_summary=cared,
        sources=list(names),
        claims=claim_checks(claims),
        model=description.model,
    )


def vision_data(seen: Seen, breed_id: str | None, model: str, **enriched: EnrichedInfo | None) -> VisionData:
    """Return what was seen; parts that were not asked for are not set."""
    return VisionData(**dict(seen), breed_id=breed_id, model=model, **enriched)


def spelt(breed_id: str) -> str:
    """Return a breed's name in a sentence."""
    return " ".join(word.capitalize() for word in breed_id.split("_"))


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure in SmartBreeds' envelope."""
    body = ErrorBody(
        code=failure.code,
        message=failure.detail,
        details=[asdict(problem) for problem in failure.problems],
        request_id=request_id(request),
    )
    return JSONResponse(ErrorResponse(error=body).model_dump(mode="json"), failure.status, dict(failure.headers))


def _listed(preferences: Any) -> str:
    if isinstance(preferences, dict):
        return "; ".join(f"{name}: {_listed(value)}" for name, value in preferences.items() if value is not None)
    if isinstance(preferences, list):
        return ", ".join(_listed(value) for value in preferences)
    if preferences is None:
        return ""
    return preferences if isinstance(preferences, str) else json.dumps(preferences)


def _explanation(product: Product, answer: Answer) -> Explanation:
    cited = cited_first(answer)
    return Explanation(
        product_id=product.id,
        product=product.name,
        explanation=cited.text,
        sources=[_source(hit) for hit in cited.sources],
        claims=claim_checks(cited.claims),
        model=answer.model,
        confidence=answer.confidence,
        abstained=answer.abstained,
    )


def _source(hit: Hit) -> Source:
    document_id = shown_id(hit.document_id, hit.source, hit.metadata)
    is_chunk = hit.version != KEPT_NOWHERE
    published = {"source_file": hit.source, "chunk_index": hit.index, "updated_at": hit.updated_at} if is_chunk else {}
    return Source(
        content=hit.content,
        source_file=hit.source,
        relevance_score=hit.score,
        document_id=document_id,
        chunk_id=_chunk_id(document_id, hit) if is_chunk else hit.chunk_id,
        headings=list(hit.headings),
        metadata={**hit.metadata, **published},
    )


def _chunk_id(document_id: str, hit: Hit) -> str:
    """Return a chunk's id in the published form: its document, its section, and which chunk it is, from 1."""
    section = _NO_WORD.sub("_", hit.headings[-1].lower()).strip("_") if len(hit.headings) > 1 else ""
    return "_".join(filter(None, (document_id, section, f"{hit.index + 1:03d}")))
