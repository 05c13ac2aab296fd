"""The schema of profiles: one strict model per section, with the defaults of the embedded mode.

Every field's description is a row of ``configs/README.md``. Unknown keys are errors; names choose from closed sets.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pipelines.profile.sections.access import Auth
from pipelines.profile.sections.answers import AnswerSection, ConversationsSection, FeedbackSection
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.sections.documents import Knowledge, MetadataSection
from pipelines.profile.sections.embedding import EmbeddingSection, HuggingFaceEmbedding
from pipelines.profile.sections.limits import JobsSection, Limits
from pipelines.profile.sections.llm import LlmSection
from pipelines.profile.sections.ocr import OcrSection
from pipelines.profile.sections.pictures import Pictures
from pipelines.profile.sections.rerank import RerankStage
from pipelines.profile.sections.retrieval import Retrieval, SparseSection
from pipelines.profile.sections.storage import CatalogueSection, EdgeStore, Retention, StoreSection
from pipelines.profile.sections.tools import ToolsSection
from pipelines.profile.values import Line, Section, TenantName, none_if_empty

Extractor = Literal["frontmatter", "headings", "language", "title", "keywords", "questions", "summary"]

Contract = Literal["smartbreeds", "openpharma", "textbook", "cortx", "pocketpal"]


class Profile(Section):
    """The profile of one tenant."""

    tenant: TenantName = Field(
        default="default", description="name in paths and addresses: lower-case letters, digits, - and _"
    )
    title: Line = Field(default="Footnote", description="name for people")
    contract: Annotated[Contract | None, BeforeValidator(none_if_empty)] = Field(
        default=None, description="published wire format; none: the native API only"
    )
    knowledge: Knowledge = Field(default_factory=Knowledge, description="the tenant's folder")
    metadata: MetadataSection = Field(default_factory=MetadataSection, description="declared metadata")
    ocr: OcrSection | None = Field(
        default=None, description="text recognition for images and scanned pages; none: they are not read"
    )
    pictures: Pictures = Field(default_factory=Pictures, description="pictures in documents, and images as documents")
    chunking: Chunking = Field(default_factory=Chunking, description="cutting into chunks")
    extractors: tuple[Extractor, ...] = Field(
        default=("frontmatter", "headings"),
        description="metadata extracted from documents: `language` detects the language that a document does not name; "
        "the last four need the language model",
    )
    embedding: EmbeddingSection = Field(default_factory=HuggingFaceEmbedding, description="the dense leg's model")
    sparse: SparseSection = Field(default_factory=SparseSection, description="the sparse leg's weights")
    store: StoreSection = Field(default_factory=EdgeStore, description="where vectors live")
    catalogue: CatalogueSection = Field(default_factory=CatalogueSection, description="where documents are recorded")
    retention: Retention = Field(default_factory=Retention, description="how long history is kept")
    jobs: JobsSection = Field(default_factory=JobsSection, description="durable work")
    retrieval: Retrieval = Field(default_factory=Retrieval, description="finding")
    rerank: tuple[RerankStage, ...] = Field(default=(), description="stages that reorder the candidates, in order")
    llm: LlmSection | None = Field(default=None, description="language model; none: extractive answers")
    answer: AnswerSection = Field(default_factory=AnswerSection, description="answering")
    conversations: ConversationsSection = Field(default_factory=ConversationsSection, description="conversations")
    feedback: FeedbackSection = Field(default_factory=FeedbackSection, description="feedback on answers")
    tools: ToolsSection = Field(default_factory=ToolsSection, description="tools as additional sources")
    limits: Limits = Field(default_factory=Limits, description="bounds of requests")
    auth: Auth = Field(default_factory=Auth, description="keys")

    def dump(self) -> dict[str, Any]:
        """Return the profile as plain data, with every secret masked."""
        return self.model_dump(mode="json")
