"""SmartBreeds' routes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import FastAPI

from app.contracts.smartbreeds import mapping
from app.contracts.smartbreeds.schemas import (
    EnrichedInfo,
    ErrorResponse,
    ExplainData,
    ExplainRequest,
    IngestData,
    IngestRequest,
    Pet,
    PetUse,
    QueryData,
    QueryRequest,
    StatusData,
    Success,
    VisionData,
    VisionRequest,
)
from app.http.contract import (
    ContractEngine,
    ContractGrant,
    contract_app,
    contract_routes,
    error_responses,
    field_names,
    find_ingested,
    ingest_one,
)
from app.http.data_urls import image_bytes
from app.http.leaving import RequireCaller
from app.http.routing import add_routes
from pipelines.errors import UnknownValue
from pipelines.profile.schema import Profile
from pipelines.types import Caller

_DESCRIPTION = "Cited answers on breeds, health and care of pets, and breeds recognised in photographs."
_PREFIX = "/api/v1"
_ENRICH_TOP_K = 3
_ERRORS = error_responses(ErrorResponse, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 500, 503, 504, 507)

reader = contract_routes("reader", _ERRORS, prefix=_PREFIX)
looker = contract_routes("reader", _ERRORS, body="looking", prefix=_PREFIX)
writer = contract_routes("writer", _ERRORS, prefix=_PREFIX)


def build(profile: Profile) -> FastAPI:
    """SmartBreeds' application for a tenant."""
    app = contract_app(profile, _DESCRIPTION, mapping.error_response)
    add_routes(app, reader, looker, writer)
    return app


@reader.post("/rag/query")
def query(
    engine: ContractEngine, grant: ContractGrant, asked: QueryRequest, on_wait: RequireCaller
) -> Success[QueryData]:
    """Answer a question from the documents, also about a certain pet."""
    pet = _pet_use(engine, asked.pet)
    answer = engine.answer(mapping.query_of(asked, pet, grant.caller(asked.user)), on_wait=on_wait)
    return Success[QueryData](data=mapping.query_data(answer, pet))


@writer.post("/rag/ingest")
def ingest(engine: ContractEngine, asked: IngestRequest) -> Success[IngestData]:
    """Add a document, or a new version of one."""
    asked = mapping.placed(engine, asked)
    metadata = engine.described(mapping.document_input(asked))
    result = ingest_one(engine, mapping.document_input(asked, *mapping.named_document(engine, asked, metadata)))
    return Success[IngestData](data=mapping.ingested(result, find_ingested(engine, result), metadata))


@reader.get("/rag/status")
def status(engine: ContractEngine) -> Success[StatusData]:
    """How the service is, and how much it knows."""
    return Success[StatusData](data=mapping.status_data(engine.profile, engine.stats(), engine.readiness()))


@reader.post("/rag/explain-products")
def explain_products(
    engine: ContractEngine, grant: ContractGrant, asked: ExplainRequest, on_wait: RequireCaller
) -> Success[ExplainData]:
    """Explain why products suit a breed, each from what the documents say of it."""
    breed_id = engine.known_value("breed", asked.breed, mapping.BESIDE_A_BREED)
    questions = [mapping.why(product, asked, breed_id) for product in asked.products]
    answers = engine.answer_all(
        questions, on_wait=on_wait, filters={"breed": breed_id}, top_k=asked.top_k, caller=grant.caller()
    )
    return Success[ExplainData](data=mapping.explain_data(asked, breed_id, answers))


@looker.post("/vision/analyze", response_model_exclude_unset=True)
def analyze(
    engine: ContractEngine, grant: ContractGrant, asked: VisionRequest, on_wait: RequireCaller
) -> Success[VisionData]:
    """Tell the breed of a dog or a cat from a photograph; with ``enrich`` also what the documents say of it."""
    image = image_bytes(asked.image, engine.profile.limits.image_bytes)
    seen, model = engine.vision.look(image, mapping.LOOK, mapping.seen_form(asked.options), on_wait=on_wait)
    breed_id = _known_breed(engine, seen.breed)
    enriched = {}
    if asked.options.enrich:
        enriched["enriched_info"] = _enriched(engine, breed_id, grant.caller(), on_wait)
    data = mapping.vision_data(seen, breed_id, model, **enriched)
    return Success[VisionData](success=True, data=data, timestamp=datetime.now(UTC))


def _pet_use(engine: ContractEngine, pet: Pet | None) -> PetUse | None:
    if pet is None:
        return None
    with field_names(breed="pet -> breed"):
        breed_id = engine.known_value("breed", pet.breed, mapping.BESIDE_A_BREED) if pet.breed else None
    has_species = "species" in engine.profile.metadata.fields
    species = (pet.species or _species_of(engine, breed_id)) if has_species else None
    return mapping.pet_use(pet, breed_id, species)


def _species_of(engine: ContractEngine, breed_id: str | None) -> str | None:
    """The species of a breed, where the documents name one alone."""
    if breed_id is None:
        return None
    species = engine.facets(filters={"breed": breed_id}).fields.get("species")  # only keywords are counted
    return species.values[0].value if species is not None and len(species.values) == 1 else None


def _known_breed(engine: ContractEngine, seen: str) -> str | None:
    try:
        return engine.known_value("breed", seen, mapping.BESIDE_A_BREED)
    except UnknownValue:
        return None


def _enriched(
    engine: ContractEngine, breed_id: str | None, caller: Caller, on_wait: Callable[[], None]
) -> EnrichedInfo | None:
    if breed_id is None:
        return None
    questions = (mapping.description_of(breed_id), mapping.care_question(breed_id))
    description, care = engine.answer_all(
        questions, on_wait=on_wait, filters={"breed": breed_id}, top_k=_ENRICH_TOP_K, caller=caller
    )
    return mapping.enriched_info(description, care)
