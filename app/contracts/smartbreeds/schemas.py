"""The shapes of SmartBreeds' API."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    JsonValue,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from app.http.claims import ClaimCheck
from app.http.contract import ClosedBody, LenientBody, LimitedCount, LimitedText

Data = TypeVar("Data", bound=BaseModel)
_MOST_PREFERENCES = 1000
_ENDING = re.compile(r"\.(?=\d*[a-z])[a-z0-9]{1,10}$", re.IGNORECASE | re.ASCII)
_Said = Annotated[str, Field(max_length=200)]
_Condition = Annotated[str, Field(min_length=1, max_length=100)]


def stem_of(name: str) -> str:
    r"""Return a file's name without its folder (Windows: ``\``) and its ending (``Dr. Smith`` has none)."""
    return _ENDING.sub("", re.split(r"[/\\]", name.rstrip("/\\"))[-1])


def _with_stem(name: str) -> str:
    if not stem_of(name).strip(". "):
        raise ValueError("must be the name of a file, such as dental_care.md")
    if any(ord(character) < 32 for character in name):
        raise ValueError("must not hold control characters")
    return name


def _short(preferences: Any) -> Any:
    if len(str(preferences)) > _MOST_PREFERENCES:
        raise ValueError(f"must be at most {_MOST_PREFERENCES} characters in all")
    return preferences


def _or_say(message: str) -> WrapValidator:
    """Tell in one sentence what may be given, where pydantic would tell of each type that it was not."""

    def check(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        try:
            return read(value)
        except ValidationError:
            raise ValueError(message) from None

    return WrapValidator(check)


_Id = Annotated[str | int | None, _or_say("must be text or a whole number")]
_Preferences = Annotated[
    str | list[str] | dict[str, JsonValue] | None,
    _or_say("must be text, a list of texts, or an object"),
    AfterValidator(_short),
]


class Success(BaseModel, Generic[Data]):
    """The envelope of what went well."""

    success: Literal[True] = True
    data: Data
    timestamp: datetime = Field(default_factory=lambda: datetime.now(UTC))


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str
    message: str
    details: list[dict[str, Any]]
    request_id: str


class ErrorResponse(BaseModel):
    """The envelope of any error."""

    success: Literal[False] = False
    data: None = None
    error: ErrorBody
    timestamp: datetime = Field(default_factory=lambda: datetime.now(UTC))


class Pet(ClosedBody):
    """The animal in question; its fields narrow the documents and go to the language model."""

    name: str | None = Field(default=None, max_length=100)
    species: Literal["dog", "cat"] | None = None
    breed: str | None = Field(default=None, min_length=1, max_length=100, examples=["Golden Retriever"])
    age: float | None = Field(default=None, ge=0, le=50, description="years")
    weight: float | None = Field(default=None, gt=0, le=200, description="kilograms")
    conditions: list[_Condition] = Field(default=[], max_length=10, examples=[["arthritis"]])


class QueryRequest(ClosedBody):
    """A question."""

    question: LimitedText = Field(examples=["What health issues affect Golden Retrievers?"])
    filters: dict[str, Any] | None = Field(
        default=None,
        description="doc_type, species, breed, topics; null is no constraint",
        examples=[{"species": "dog", "breed": "golden_retriever"}],
    )
    top_k: LimitedCount = Field(default=5, description="number of chunks to retrieve")
    scope: dict[str, Any] | None = Field(
        default=None, description="whose documents count besides everybody's, such as an owner's", examples=[None]
    )
    pet: Pet | None = None
    conversation_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="of an earlier answer; an unknown one starts a conversation",
    )
    user: str | None = Field(
        default=None, min_length=1, max_length=200, description="who asks: owns the conversation, together with the key"
    )


class Source(BaseModel):
    """A chunk that was retrieved."""

    content: str
    source_file: str
    relevance_score: float = Field(ge=0, le=1)
    document_id: str
    chunk_id: str
    headings: list[str]
    metadata: dict[str, Any]


class ToolUse(BaseModel):
    """A tool that was called beside the documents; its result is among the sources."""

    name: str = Field(examples=["catalog/search_products"])
    arguments: dict[str, Any]
    ms: float
    error: str | None = Field(description="why it failed")


class PetUse(BaseModel):
    """What became of the pet in a request."""

    breed: str | None = Field(description="the breed in the documents")
    species: str | None = Field(description="as given, or that of the breed in the documents")
    filters: dict[str, Any] | None = Field(description="what the documents were narrowed to")
    told: str | None = Field(description="what the language model read of it; null where none wrote the answer")


class QueryData(BaseModel):
    """An answer; ``[n]`` in it is the n-th source."""

    answer: str
    sources: list[Source]
    claims: list[ClaimCheck] = Field(description="its sentences, each held against what it cites")
    model: str = Field(
        description="`extractive`: no language model wrote it, every sentence is a quote; `small_talk`: fixed words"
    )
    answer_id: str
    confidence: float = Field(ge=0, le=1)
    abstained: bool
    reason: str | None
    llm_generated: bool
    degraded: bool
    snapshot: int
    tools: list[ToolUse] = Field(description="none where the profile has no tools, or the question took none")
    pet: PetUse | None
    conversation_id: str | None = Field(description="null where neither it nor a user was given")
    rewritten_question: str | None = Field(description="what was searched for, where a follow-up was completed")
    variant: str | None = Field(description="the prompt that it was written with, where the profile has several")


class IngestRequest(ClosedBody):
    """A document to ingest; the same name in the same doc_type is the same document."""

    content: LimitedText = Field(description="Markdown, with frontmatter or without")
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="wins over the frontmatter; one of the two must name a doc_type",
        examples=[{"doc_type": "health", "species": "dog", "topics": ["dental", "care"]}],
    )
    source_name: Annotated[str, AfterValidator(_with_stem)] = Field(
        min_length=1, max_length=300, examples=["dental_care.md"]
    )


class IngestData(BaseModel):
    """What became of it."""

    chunks_created: int = Field(ge=0)
    document_id: str = Field(examples=["health_dental_care"])
    version: int = Field(ge=0, description="0: a deletion came first")
    state: Literal["ready", "unchanged"]
    snapshot: int


class StatusData(BaseModel):
    """How the service is, and how much it knows."""

    status: Literal["healthy", "degraded"]
    collection: str
    documents: int = Field(ge=0)
    chunks: int = Field(ge=0)
    failed: int = Field(ge=0, description="documents that could not be read")
    embedding_model: str
    llm_model: str | None
    snapshot: int


class Product(LenientBody):
    """A product that may suit a breed, as a catalogue has it: further keys are ignored."""

    id: _Id = None
    name: str = Field(min_length=1, max_length=200)
    category: str | None = Field(default=None, max_length=200)
    description: str | None = Field(default=None, max_length=1000)


class ExplainRequest(ClosedBody):
    """A breed, what its owner wants, and the products to explain."""

    breed: str = Field(min_length=1, max_length=100, examples=["golden_retriever", "Golden Retriever"])
    preferences: _Preferences = Field(default=None, examples=[{"budget": "medium", "priorities": ["joint health"]}])
    products: list[Product] = Field(
        min_length=1,
        max_length=20,
        examples=[[{"id": "p1", "name": "Orthopedic dog bed", "description": "memory foam that eases stiff joints"}]],
    )
    top_k: int = Field(default=5, ge=1, le=20, description="number of chunks to retrieve for each product")


class Explanation(BaseModel):
    """Why a product suits the breed; ``[n]`` in it is the n-th of its sources."""

    product_id: str | int | None
    product: str
    explanation: str
    sources: list[Source]
    claims: list[ClaimCheck] = Field(description="its sentences, each held against what it cites")
    model: str
    confidence: float = Field(ge=0, le=1)
    abstained: bool


class ExplainData(BaseModel):
    """The explanations, in the order of the products."""

    breed: str
    explanations: list[Explanation]


class VisionOptions(ClosedBody):
    """What to tell beside the breed."""

    return_traits: bool = True
    return_health_info: bool = True
    enrich: bool = Field(default=False, description="add what the documents say of the breed")


class VisionRequest(ClosedBody):
    """A photograph of a dog or a cat."""

    image: str = Field(min_length=1, description="data URL, or base64 alone", examples=["data:image/jpeg;base64,..."])
    options: VisionOptions = VisionOptions()


class Traits(BaseModel):
    """What can be seen of an animal."""

    size: _Said
    coat: _Said
    color: _Said
    temperament: list[_Said] = Field(max_length=8, description="typical of the breed")


class Seen(BaseModel):
    """What a vision model is asked for."""

    breed: str = Field(min_length=1, max_length=100, description="common English name, or Unknown")
    species: Literal["dog", "cat", "other"]
    confidence: float = Field(ge=0, le=1, description="chance that the breed is right")


class SeenTraits(Seen):
    """The same, with traits."""

    traits: Traits


class SeenHealth(Seen):
    """The same, with health considerations."""

    health_considerations: list[_Said] = Field(max_length=10, description="health problems that the breed is prone to")


class SeenAll(SeenTraits, SeenHealth):
    """All of it."""


class EnrichedInfo(BaseModel):
    """What the documents say of a breed; ``[n]`` in it is the n-th source."""

    description: str
    care_summary: str
    sources: list[str] = Field(examples=[["breeds/dogs/golden_retriever.md"]])
    claims: list[ClaimCheck] = Field(description="its sentences, each held against what it cites")
    model: str


class VisionData(BaseModel):
    """What was seen, and with ``enrich`` what is known of it."""

    breed: str
    breed_id: str | None = Field(description="the breed in the documents, for filters; null where they have none such")
    species: str
    confidence: float = Field(ge=0, le=1)
    model: str
    traits: Traits | None = None
    health_considerations: list[str] | None = None
    enriched_info: EnrichedInfo | None = None
