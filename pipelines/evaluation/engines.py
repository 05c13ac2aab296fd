"""The engine as evaluations use it, and the profiles that they open it with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from pipelines.errors import InvalidRequest
from pipelines.evaluation.datasets import Dataset, Query
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.profile.sections.answers import ConfidenceScale
from pipelines.profile.sections.documents import Knowledge, MetadataSection
from pipelines.profile.sections.limits import Limits
from pipelines.profile.sections.storage import CatalogueSection, EdgeStore, ServerStore
from pipelines.profile.sections.tools import ToolsSection
from pipelines.types import Answer, Block, DocumentInput, IngestResult, Mode, Progress, SearchResult, Stats

MOST_HITS = 10_000


class EvaluatedEngine(Protocol):
    """The engine as evaluations use it."""

    @property
    def profile(self) -> Profile:
        """The profile it was opened with."""

    def ingest(
        self, documents: Iterable[DocumentInput], progress: Callable[[Progress], None] | None = None
    ) -> Sequence[IngestResult]:
        """Ingest documents; the result of a failed one says why."""

    def ingest_path(
        self, path: Path, metadata: Mapping[str, Any] = ..., progress: Callable[[Progress], None] | None = None
    ) -> Sequence[IngestResult]:
        """Ingest a folder; a document's id is its path in it."""

    def optimize(self) -> None:
        """Build the index completely."""

    def stats(self) -> Stats:
        """Return figures of the content."""

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        mode: Mode | None = None,
    ) -> SearchResult:
        """Return the best chunks."""

    def answer(
        self, question: str, *, filters: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None
    ) -> Answer:
        """Return an answer with its citations."""

    def standalone(self, question: str, earlier: Sequence[tuple[str, str]]) -> str:
        """Return a follow-up with what it leaves out of earlier questions and answers."""

    def content(self, document_id: str, version: int | None = None) -> str:
        """Return the stored text of a version."""

    def blocks(self, document_id: str, version: int | None = None) -> tuple[Block, ...]:
        """Return the blocks of a version's text."""


@contextmanager
def asking(query: Query) -> Iterator[None]:
    """Name the question in what is wrong with it.

    Raises:
        InvalidRequest: The block raised it, as for a filter that the profile does not know.
    """
    try:
        yield
    except InvalidRequest as error:
        named = (replace(problem, path=f'question "{query.id}": {problem.path}') for problem in error.problems)
        raise InvalidRequest(*named) from error


def fresh_profile(loaded: LoadedProfile, dataset: Dataset) -> LoadedProfile:
    """Return the profile with which to open the engine for an evaluation: the same pipeline, apart from what is
    live.

    Nothing may reach a shared Qdrant server or catalogue, or the tenant's own documents; limits of requests do not
    bound the depth of the run; and the documents of a foreign data set need not have the tenant's required metadata.
    """
    if not isinstance(dataset.corpus, Path):
        return foreign_profile(loaded)
    # Golden questions may be another tenant's, and their filters name its fields.
    knowledge = dataset.knowledge or loaded.profile.knowledge
    selected = Knowledge(include=knowledge.include, exclude=knowledge.exclude, gitignore=knowledge.gitignore)
    return _fresh(loaded, dataset.metadata or loaded.profile.metadata, selected)


def foreign_profile(loaded: LoadedProfile) -> LoadedProfile:
    """Return the same for documents that are not the tenant's own and lack its required metadata."""
    metadata = loaded.profile.metadata
    fields = metadata.fields.items()
    optional = {name: declared.model_copy(update={"required": False}) for name, declared in fields}
    return _fresh(loaded, metadata.model_copy(update={"fields": optional}), Knowledge())


def without_abstention(loaded: LoadedProfile) -> LoadedProfile:
    """Return the same profile, which never abstains because of low confidence."""
    return _answering(loaded, {"abstain_below": 0.0})


def uncalibrated(loaded: LoadedProfile) -> LoadedProfile:
    """Return the profile for fitting a calibration. It never abstains: an answer that is not given cannot be judged.

    It does not read the calibration file that the profile names, which may not exist yet.
    """
    return _answering(loaded, {"abstain_below": 0.0, "calibration": None, "scale": ConfidenceScale()})


def _answering(loaded: LoadedProfile, changes: Mapping[str, Any]) -> LoadedProfile:
    answer = loaded.profile.answer.model_copy(update=changes)
    return LoadedProfile(loaded.profile.model_copy(update={"answer": answer}), loaded.path)


def _fresh(loaded: LoadedProfile, metadata: MetadataSection, selected: Knowledge) -> LoadedProfile:
    profile = loaded.profile
    changes: dict[str, Any] = {
        "catalogue": CatalogueSection(),
        "conversations": profile.conversations.model_copy(update={"ttl_hours": 0.0}),
        "knowledge": selected.model_copy(update={"path": profile.knowledge.path}),
        "tools": ToolsSection(),
        "limits": Limits(question_chars=(1, 10**9), content_chars=(0, 10**9), file_bytes=10**10, top_k=MOST_HITS),
        "metadata": metadata,
    }
    if isinstance(profile.store, ServerStore):
        kept = profile.store
        changes["store"] = EdgeStore(hnsw=kept.hnsw, quantization=kept.quantization, on_disk=kept.on_disk)
    return LoadedProfile(profile.model_copy(update=changes), loaded.path)
