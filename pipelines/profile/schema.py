"""The schema of profiles: one strict model per section, with the defaults of the embedded mode.

Every field's description is a row of ``configs/README.md``. Unknown keys are errors; names choose from closed sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, model_validator

from pipelines.errors import nearest
from pipelines.profile.answer_cache import AnswerCacheSection
from pipelines.profile.conversations import ConversationsSection
from pipelines.profile.feedback import FeedbackSection, PromptVariant
from pipelines.profile.issues import ProfileIssue, Steps
from pipelines.profile.limits import Limits
from pipelines.profile.llms import LlmSection
from pipelines.profile.ocr import OcrSection
from pipelines.profile.stages import RerankStage
from pipelines.profile.tools import ToolsSection
from pipelines.profile.values import (
    Address,
    CatalogueUrl,
    Identifier,
    KeySecret,
    Language,
    Line,
    Number,
    OptionalPath,
    OptionalSecret,
    Section,
    TenantName,
    Whole,
    duplicate_positions,
    none_if_empty,
    section_error,
)
from pipelines.types.roles import Role

FieldType = Literal["keyword", "keywords", "integer", "float", "boolean", "datetime"]
Unit = Literal["token", "character"]


class Knowledge(Section):
    """The folder a tenant's documents come from."""

    path: OptionalPath = Field(default=None, description="folder of documents, relative to the profile")
    roots: tuple[OptionalPath, ...] = Field(
        default=(),
        description="folders, relative to the profile, whose files a request may name by path; empty entries are "
        "ignored; none: the folder of documents only",
    )
    sync: Literal["off", "startup", "watch"] = Field(
        default="off",
        description="`startup` synchronises when the tenant is served, `watch` also while it runs",
    )

    @model_validator(mode="after")
    def _a_sync_needs_a_folder(self) -> Self:
        if self.sync != "off" and self.path is None:
            raise section_error(ProfileIssue(("path",), f'must be given for sync "{self.sync}"'))
        return self


class MetadataField(Section):
    """A metadata field that can be filtered on."""

    type: FieldType = Field(description="`keywords` is a list of keywords")
    values: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="the only values allowed (keyword types)"
    )
    required: bool = Field(default=False, description="refuse documents without it")
    source: Literal["document", "headings"] = Field(
        default="document",
        description="`headings`: the headings above each chunk instead of the document's metadata (`keywords`); "
        "what a document gives as well holds for all of its chunks",
    )
    ignore_case: bool = Field(default=False, description="filters take `diabetes care` for `Diabetes Care` (keywords)")

    @model_validator(mode="after")
    def _headings_are_nobodys_to_give(self) -> Self:
        if self.source == "document":
            return self
        if self.type != "keywords":
            raise section_error(ProfileIssue(("source",), f'"headings" is for keywords, not for {self.type}'))
        given = {"values": self.values is not None, "required": self.required}
        text = "is not for headings, which each document has of its own"
        if found := [ProfileIssue((key,), text) for key, is_given in given.items() if is_given]:
            raise section_error(*found)
        return self

    @model_validator(mode="after")
    def _values_are_for_keywords(self) -> Self:
        if self.values is not None and self.type not in ("keyword", "keywords"):
            raise section_error(
                ProfileIssue(("values",), f"can be listed for keyword fields only, not for {self.type}")
            )
        if repeated := duplicate_positions(self.values or ()):
            raise section_error(*(ProfileIssue(("values", index), "is listed twice") for index in repeated))
        return self

    @model_validator(mode="after")
    def _only_free_keywords_ignore_case(self) -> Self:
        if self.ignore_case and (self.type not in ("keyword", "keywords") or self.values is not None):
            raise section_error(ProfileIssue(("ignore_case",), "is for keyword fields without a list of values"))
        return self


class Hierarchy(Section):
    """How fields nest: the field that names a document's level, and the fields from the top level down."""

    level: Identifier = Field(description="field whose values are the levels, the top one first")
    path: tuple[Identifier, ...] = Field(
        min_length=1,
        description="fields that place a document, one for each level below the top one, from the top down",
    )
    requires: dict[str, tuple[Identifier, ...]] = Field(
        default_factory=dict,
        description="fields that documents of a level must have; else its own and those above, of the last one its own",
    )
    below: bool = Field(
        default=False, description="whether a scope also sees the levels below its place, not only inherited ones"
    )
    weights: dict[str, Annotated[Number, Field(gt=0, le=100)]] = Field(
        default_factory=dict, description="weight of a hit's score by its document's level; others have 1"
    )

    @model_validator(mode="after")
    def _names_each_field_once(self) -> Self:
        if repeated := [index - 1 for index in duplicate_positions((self.level, *self.path))]:
            raise section_error(
                *(ProfileIssue(("path", index), f'"{self.path[index]}" is named twice') for index in repeated)
            )
        return self


class MetadataSection(Section):
    """The declared metadata; other metadata is kept and returned, but cannot be filtered on."""

    fields: dict[Identifier, MetadataField] = Field(default_factory=dict, description="fields by name")
    hierarchy: Hierarchy | None = Field(default=None, description="nesting of the fields, for scopes")

    @model_validator(mode="after")
    def _hierarchy_names_declared_fields(self) -> Self:
        if self.hierarchy is None:
            return self
        places: dict[Steps, str] = {("hierarchy", "level"): self.hierarchy.level}
        places |= {("hierarchy", "path", index): name for index, name in enumerate(self.hierarchy.path)}
        if found := [misplaced for place, name in places.items() if (misplaced := self._misplaced(place, name))]:
            raise section_error(*found)
        levels = len(self.fields[self.hierarchy.level].values or ())
        if levels != len(self.hierarchy.path) + 1:
            text = (
                f"must have one field for each level below the top one, and {self.hierarchy.level} has {levels} values"
            )
            raise section_error(ProfileIssue(("hierarchy", "path"), text))
        if found := [*self._unknown_levels(self.hierarchy), *self._wrong_requirements(self.hierarchy)]:
            raise section_error(*found)
        return self

    def _unknown_levels(self, hierarchy: Hierarchy) -> Iterator[ProfileIssue]:
        levels = self.fields[hierarchy.level].values or ()
        for key, names in (("requires", hierarchy.requires), ("weights", hierarchy.weights)):
            for name in names:
                if name not in levels:
                    yield ProfileIssue(
                        ("hierarchy", key, name), f"is not a level of {hierarchy.level}", nearest(name, levels)
                    )

    def _wrong_requirements(self, hierarchy: Hierarchy) -> Iterator[ProfileIssue]:
        """A level must require its own field, which places its documents, and none of a level below it."""
        for number, level in enumerate(self.fields[hierarchy.level].values or ()):
            names = hierarchy.requires.get(level)
            if names is None:
                continue
            place: Steps = ("hierarchy", "requires", level)
            if number and hierarchy.path[number - 1] not in names:
                yield ProfileIssue(
                    place, f'must name "{hierarchy.path[number - 1]}", which places documents of this level'
                )
            for index, name in enumerate(names):
                if name not in self.fields:
                    yield ProfileIssue((*place, index), f'"{name}" is not a declared field', nearest(name, self.fields))
                elif name in (hierarchy.level, *hierarchy.path[number:]):
                    yield ProfileIssue((*place, index), f'"{name}" does not place documents of this level')

    def _misplaced(self, place: Steps, name: str) -> ProfileIssue | None:
        if name not in self.fields:
            return ProfileIssue(place, f'"{name}" is not a declared field', nearest(name, self.fields))
        if self.fields[name].type != "keyword" or self.fields[name].ignore_case:
            return ProfileIssue(place, f'"{name}" must be of type keyword, with ignore_case left false')
        return None


class Chunking(Section):
    """How documents are cut into chunks."""

    splitter: Literal["sentence", "markdown", "character", "semantic", "hierarchical"] = Field(
        default="sentence",
        description="`markdown` never lets a chunk cross a heading; `character` counts characters; `semantic` cuts "
        "where the topic changes; `hierarchical` cuts chunks from larger pieces, see `parents` and the stage `parent`",
    )
    size: Whole = Field(default=192, ge=16, le=8192, description="most units in a chunk")
    overlap: Whole = Field(
        default=64, ge=0, description="units that neighbours share; never across a heading, topic or parent"
    )
    unit: Unit = Field(default="token", description="tokens are the embedding model's")
    fill: Number = Field(
        default=0.5, ge=0.1, le=0.95, description="share of its size that a chunk must have to end at a sentence"
    )
    percentile: Number = Field(
        default=90.0, ge=0, le=99, description="for `semantic`: share of the sentence ends that are no change of topic"
    )
    parents: tuple[Annotated[Whole, Field(ge=32, le=65_536)], ...] = Field(
        default=(),
        description="for `hierarchical`: sizes of the larger pieces, the largest first; none: one, four times the size",
    )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of all levels, the largest first; the last one is the chunks'."""
        if self.splitter != "hierarchical":
            return (self.size,)
        return (*(self.parents or (4 * self.size,)), self.size)

    @model_validator(mode="after")
    def _overlap_is_smaller_than_size(self) -> Self:
        if self.overlap * 2 > self.size:
            raise section_error(ProfileIssue(("overlap",), f"must be at most half of the size {self.size}"))
        return self

    @model_validator(mode="after")
    def _parents_are_larger_than_chunks(self) -> Self:
        if self.parents and self.splitter != "hierarchical":
            raise section_error(
                ProfileIssue(("parents",), f"are for the splitter hierarchical, not for {self.splitter}")
            )
        if misplaced := [index for index, (size, below) in enumerate(pairwise(self.sizes)) if size <= below]:
            raise section_error(
                *(
                    ProfileIssue(("parents", index), f"must be larger than the next level's {self.sizes[index + 1]}")
                    for index in misplaced
                )
            )
        return self


class EmbeddingBase(Section):
    """Keys of every embedding provider."""

    batch_size: Whole = Field(default=8, ge=1, le=1024, description="texts in one call of the model")
    query_prefix: str | None = Field(
        default=None, max_length=1000, description="prefix of questions, not of texts; null: the model's own"
    )
    cache: bool = Field(default=True, description="cache vectors by text, so that equal texts are embedded once")
    embed: tuple[Literal["title", "headings"], ...] = Field(
        default=("title",), description="prefix of a chunk's text for embedding and BM25"
    )


class HuggingFaceEmbedding(EmbeddingBase):
    """A sentence-transformers model in this process."""

    provider: Literal["huggingface"] = "huggingface"
    model: Line = Field(
        default="bundled",
        description="a name of `footnote models list`, a folder, or a hub name (torch only)",
    )
    backend: Literal["onnx", "torch"] = Field(default="onnx", description="what runs the model")
    quantize: Literal["none", "int8"] = Field(
        default="int8", description="precision on onnx: int8 is twice as fast; torch runs the weights as they are"
    )
    threads: Whole = Field(default=0, ge=0, description="processor threads of the model; 0: all")


class OllamaEmbedding(EmbeddingBase):
    """A model served by Ollama."""

    provider: Literal["ollama"]
    model: Line = Field(description="name of the model on the server")
    base_url: Address = Field(default="http://127.0.0.1:11434", description="where the server answers")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


class OpenAIEmbedding(EmbeddingBase):
    """A model behind an OpenAI-compatible interface."""

    provider: Literal["openai"]
    model: Line = Field(description="name of the model")
    base_url: Address = Field(default="https://api.openai.com/v1", description="root of the interface")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


class TeiEmbedding(EmbeddingBase):
    """A model served by Hugging Face's text-embeddings-inference."""

    provider: Literal["tei"]
    model: Line = Field(description="name of the model, for the record")
    base_url: Address = Field(description="where the server answers")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


EmbeddingSection = Annotated[
    HuggingFaceEmbedding | OllamaEmbedding | OpenAIEmbedding | TeiEmbedding, Field(discriminator="provider")
]


class SparseSection(Section):
    """BM25 weights of the sparse leg."""

    language: Language = Field(default="english", description="stemmer and stop words")
    k: Number = Field(default=1.2, ge=0, description="saturation of a term's frequency")
    b: Number = Field(default=0.75, ge=0, le=1, description="how much a chunk's length counts")
    avg_len: Number = Field(default=80.0, gt=0, description="mean length of a chunk, in terms")
    title_weight: Whole = Field(default=2, ge=1, le=10, description="how many times the title counts (see embedding)")


class Hnsw(Section):
    """The HNSW graph of the dense leg."""

    m: Whole = Field(default=16, ge=4, le=128, description="links per node")
    ef_construct: Whole = Field(default=100, ge=4, le=4096, description="candidates considered when a node is linked")


class VectorStorage(Section):
    """How dense vectors are stored; an existing collection follows at its next optimisation."""

    hnsw: Hnsw = Field(default_factory=Hnsw, description="the graph's shape")
    quantization: Literal["none", "int8"] = Field(
        default="none",
        description="int8: search with one byte per dimension, then compare twice as many candidates in full precision",
    )
    on_disk: bool = Field(default=False, description="full vectors stay on disk and are read when needed")


class EdgeStore(VectorStorage):
    """Qdrant Edge in this process."""

    engine: Literal["edge"] = "edge"


class MemoryStore(Section):
    """qdrant-client's in-memory mode: lost with the process, for tests and notebooks."""

    engine: Literal["memory"]
    hnsw: Hnsw = Field(default_factory=Hnsw, description="the graph's shape")


class ServerStore(VectorStorage):
    """A Qdrant server or cluster."""

    engine: Literal["server"]
    url: Address = Field(description="where the server answers")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    timeout_s: Number = Field(default=10.0, gt=0, description="seconds until a call is given up")
    shards: Whole = Field(default=1, ge=1, description="shards of a new collection")
    replicas: Whole = Field(default=1, ge=1, description="copies of each shard")


StoreSection = Annotated[EdgeStore | MemoryStore | ServerStore, Field(discriminator="engine")]


class CatalogueSection(Section):
    """Where documents, versions and their texts are recorded."""

    url: CatalogueUrl = Field(
        default=None, description="SQLAlchemy URL; none: SQLite in the data folder. Written only as ${NAME}"
    )


class Retention(Section):
    """How long replaced versions can be read with ``as_of``; without bounds, for ever."""

    versions: Whole | None = Field(
        default=None, ge=1, description="most versions of a document, including the current one"
    )
    days: Number | None = Field(default=None, ge=0, description="days after which a replaced version may be purged")


class JobsSection(Section):
    """How jobs are run; their queue is in the catalogue's database."""

    run: Literal["serve", "worker"] = Field(
        default="serve", description="`serve`: the server runs jobs itself; `worker`: leave them to `footnote worker`"
    )
    concurrency: Whole = Field(default=1, ge=1, le=64, description="concurrent jobs of the tenant")
    attempts: Whole = Field(default=5, ge=1, le=100, description="tries in a row before a job fails")


class Expansion(Section):
    """What the words of a question stand for: looked for by both legs, and read in the answer's sentences."""

    synonyms: OptionalPath = Field(
        default=None,
        description="file of synonyms, relative to the profile; each line has phrases that mean the same (`a, b`), or "
        "what one also stands for (`a => b`)",
    )
    names: OptionalPath = Field(
        default=None,
        description="file of the same form, with names of things that must not be taken for each other, such as drugs: "
        "a passage about another one than the question names does not answer",
    )
    weight: Number = Field(
        default=0.3, gt=0, le=1, description="weight of an added word; the question's own words weigh 1"
    )


class Retrieval(Section):
    """How candidates are found and ordered."""

    mode: Literal["hybrid", "dense", "sparse"] = Field(default="hybrid", description="legs to search")
    fusion: Literal["convex", "rrf"] = Field(default="convex", description="how the legs' lists are combined")
    dense_weight: Number = Field(default=0.5, ge=0, le=1, description="share of the dense leg in convex fusion")
    rrf_k: Whole = Field(default=60, ge=1, description="constant of reciprocal rank fusion")
    candidates: Whole = Field(default=100, ge=1, le=10_000, description="depth of each leg")
    top_k: Whole = Field(default=5, ge=1, le=10_000, description="number of hits, unless the request says")
    expansion: Expansion = Field(default_factory=Expansion, description="synonyms and names")


class AnswerSection(Section):
    """How an answer is made from the hits."""

    prompt: OptionalPath = Field(default=None, description="file of the prompt, relative to the profile")
    variants: tuple[PromptVariant, ...] = Field(
        default=(), description="prompt variants to compare; see `footnote experiments`"
    )
    max_context_tokens: Whole = Field(default=3000, ge=100, description="most tokens of context for the model")
    format: Literal["text", "json"] = Field(
        default="text",
        description="format of the model's answer: `json` is validated against a schema, and not streamed",
    )
    verify: bool = Field(default=True, description="check each claim against its citations")
    unsupported: Literal["annotate", "strike", "withhold"] = Field(
        default="withhold",
        description="what happens to a claim that its citations do not support: it keeps its verdict, is struck "
        "through (~~), or is left out",
    )
    nli: Line | None = Field(
        default=None, description="additional entailment model for claims: a folder (ONNX or torch) or a hub name"
    )
    chooser: Line | None = Field(
        default=None,
        description="cross-encoder that selects extracts: a name of `footnote models`; none: vectors select",
    )
    sentences: Whole = Field(default=2, ge=1, le=20, description="most extracts of an answer without a language model")
    abstain_below: Number = Field(
        default=0.25,
        ge=0,
        le=1,
        description="least confidence of an answer; below it, the question counts as unanswered; 0: always answer",
    )
    calibration: OptionalPath = Field(
        default=None, description="file written by `footnote calibrate`, relative to the profile; none: the shipped one"
    )
    cache: AnswerCacheSection = Field(default_factory=AnswerCacheSection, description="cached answers")

    @model_validator(mode="after")
    def _variants_differ(self) -> Self:
        if repeated := duplicate_positions(tuple(variant.name for variant in self.variants)):
            raise section_error(
                *(ProfileIssue(("variants", index, "name"), "another variant has this name") for index in repeated)
            )
        if self.variants and not any(variant.weight for variant in self.variants):
            raise section_error(ProfileIssue(("variants",), "must have a variant with a weight over 0"))
        return self


class Key(Section):
    """A key of the tenant."""

    name: Line = Field(max_length=100, description="the key's name, for the log")
    secret: KeySecret = Field(description="written only as ${NAME}")
    role: Role = Field(description="reader < writer < admin")
    scope: dict[Identifier, Line] = Field(
        default_factory=dict, description="place in the hierarchy that it is limited to"
    )


class Auth(Section):
    """The keys; without keys the server answers this machine only."""

    keys: tuple[Key, ...] = Field(default=(), description="the keys")

    @model_validator(mode="after")
    def _keys_differ(self) -> Self:
        names = duplicate_positions(tuple(key.name for key in self.keys))
        secrets = duplicate_positions(tuple(key.secret.get_secret_value() for key in self.keys))
        found = [ProfileIssue(("keys", index, "name"), "another key has this name") for index in names]
        found += [ProfileIssue(("keys", index, "secret"), "another key has the same secret") for index in secrets]
        if found:
            raise section_error(*found)
        return self


class Profile(Section):
    """The profile of one tenant."""

    tenant: TenantName = Field(
        default="default", description="name in paths and addresses: lower-case letters, digits, - and _"
    )
    title: Line = Field(default="Footnote", description="name for people")
    contract: Annotated[
        Literal["smartbreeds", "openpharma", "textbook", "cortx", "pocketpal"] | None, BeforeValidator(none_if_empty)
    ] = Field(default=None, description="published wire format; none: the native API only")
    knowledge: Knowledge = Field(default_factory=Knowledge, description="the tenant's folder")
    metadata: MetadataSection = Field(default_factory=MetadataSection, description="declared metadata")
    ocr: OcrSection | None = Field(
        default=None, description="text recognition for images and scanned pages; none: they are not read"
    )
    chunking: Chunking = Field(default_factory=Chunking, description="cutting into chunks")
    extractors: tuple[Literal["frontmatter", "headings", "title", "keywords", "questions", "summary"], ...] = Field(
        default=("frontmatter", "headings"),
        description="metadata extracted from documents; the last four need the language model",
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
        """The profile as plain data, with every secret masked."""
        return self.model_dump(mode="json")
