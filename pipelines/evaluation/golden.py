"""A tenant's own golden questions over its knowledge, and what a DATASET argument means."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator

from pipelines.errors import MAX_PROBLEMS, InvalidRequest, Problem, nearest
from pipelines.evaluation.datasets import CORPUS, Dataset, Query, limited, load_dataset
from pipelines.evaluation.metrics import normalise
from pipelines.evaluation.own.dataset import corpus_folders
from pipelines.evaluation.records import Asked, Given, each_record, unusable
from pipelines.ingestion.sources import selected_documents
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.sections.documents import Knowledge

_GOLDEN = "golden.jsonl"
_MISSPELT = 0.8  # a key this like to a known one is taken for a slip; others are notes of the author's own


class GoldenQuestion(BaseModel):
    """A line of golden questions. Documents are named by their path in the knowledge folder.

    A question with neither answers nor documents, or with ``unanswerable``, is one that the knowledge does not answer.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: Given
    question: Asked
    answers: tuple[Given, ...] | None = None
    documents: tuple[str, ...] | None = None
    filters: Mapping[str, Any] | None = None
    scope: Mapping[str, Any] | None = None
    unanswerable: bool | None = None

    @model_validator(mode="after")
    def _has_no_misspelt_key(self) -> Self:
        for key in self.model_extra or ():
            if meant := difflib.get_close_matches(key, type(self).model_fields, 1, _MISSPELT):
                raise ValueError(f'unknown key "{key}", did you mean "{meant[0]}"?')
        return self

    @model_validator(mode="after")
    def _says_what_is_expected(self) -> Self:
        if self.unanswerable and (self.answers or self.documents):
            raise ValueError('an unanswerable question has no "answers" and no "documents"')
        silent = self.answers is None and self.documents is None
        if not self.unanswerable and (silent or (self.unanswerable is False and not self.is_answered)):
            raise ValueError('give "documents" or "answers" that are expected, or "unanswerable": true')
        return self

    @model_validator(mode="after")
    def _has_answers_that_can_be_contained(self) -> Self:
        for answer in self.answers or ():
            if not normalise(answer):
                raise ValueError(f'no answer can match "{answer}": articles and punctuation do not count')
        return self

    @property
    def is_answered(self) -> bool:
        """Whether the knowledge holds an answer."""
        return bool(self.answers or self.documents)

    def query(self) -> Query:
        """Return the question as it is asked."""
        return Query(self.id, self.question, self.answers or (), filters=self.filters, scope=self.scope)


def open_dataset(profile: LoadedProfile, given: Path | None = None, limit: int | None = None) -> Dataset:
    """Return the data set that a DATASET argument means.

    A folder with a corpus, a tenant's folder for its golden questions, a file of golden questions over the profile's
    knowledge, or none for the profile's own.

    Raises:
        InvalidRequest: As for ``load_dataset`` and ``load_golden``.
        ProfileError: The tenant's profile cannot be used.
    """
    if given is None or given.is_file():
        return load_golden(profile, given, limit)
    if given.is_dir() and not (given / CORPUS).exists():
        if (given / "profile.yaml").is_file():
            return load_golden(load_profile(given), None, limit)
        if corpus_folders(given):
            raise unusable(str(given), "holds own documents; only footnote evaluate and footnote calibrate take these")
        raise unusable(str(given), f"is neither a data set nor a tenant: it has no {CORPUS} and no profile.yaml")
    return load_dataset(given, limit)


def load_golden(profile: LoadedProfile, path: Path | None = None, limit: int | None = None) -> Dataset:
    """Return a tenant's golden questions over its knowledge folder; ``path`` defaults to ``golden.jsonl`` beside the
    profile.

    A line is ``{"id", "question", "answers"?, "documents"?, "filters"?, "scope"?, "unanswerable"?}``. A file in an
    archive is named as its document is: ``archive.zip/file.md``.

    Raises:
        InvalidRequest: The tenant has no knowledge folder, a line cannot be used, or it names none of its documents;
            the problem's path is ``file:line``.
    """
    folder = profile.knowledge_folder
    if folder is None or not folder.is_dir():
        raise unusable("knowledge -> path", "golden questions need the tenant's knowledge folder, and there is none")
    path = path or profile.folder / _GOLDEN
    if not path.exists():
        raise unusable(str(path), "there is no such file of golden questions; name a DATASET, or write one")
    queries: list[Query] = []
    unanswerable: list[Query] = []
    qrels: dict[str, Mapping[str, int]] = {}
    documents = _Documents(path, folder, profile.profile.knowledge)
    for number, question in each_record(path, GoldenQuestion):
        if question.is_answered:
            queries.append(question.query())
            qrels[question.id] = documents.relevant(number, question.documents or ())
        else:
            unanswerable.append(question.query())
    if not queries and not unanswerable:
        raise unusable(path.name, "holds no questions")
    documents.require_known()
    whole = Dataset(
        name=f"{profile.profile.tenant}/{path.stem}",
        corpus=folder,
        queries=tuple(queries),
        qrels=qrels,
        unanswerable=tuple(unanswerable),
        metadata=profile.profile.metadata.model_copy(update={"identity": None}),  # questions name files
        knowledge=profile.profile.knowledge,
    )
    return limited(whole, limit)


class _Documents:
    """The documents that golden questions name; those that the knowledge folder does not hold are collected."""

    def __init__(self, path: Path, folder: Path, knowledge: Knowledge) -> None:
        self._path = path
        self._folder = folder
        self._known = {str(document.source) for document in selected_documents(folder, {}, knowledge)[0]}
        self._unknown: list[tuple[str, str]] = []
        self._judged: dict[tuple[str, ...], Mapping[str, int]] = {}

    def relevant(self, number: int, names: tuple[str, ...]) -> Mapping[str, int]:
        """Return the judgements of a question; questions about the same documents share them."""
        self._unknown += [(f"{self._path.name}:{number}", name) for name in names if name not in self._known]
        return self._judged.setdefault(names, dict.fromkeys(names, 1))

    def require_known(self) -> None:
        """Check that the folder holds every document that was named.

        Raises:
            InvalidRequest: It does not.
        """
        if self._unknown:
            # A nearest name takes milliseconds, and only so many problems are shown.
            meant = {name: nearest(name, self._known) for _, name in self._unknown[:MAX_PROBLEMS]}
            problems = (Problem(place, _missing(self._folder, name), meant.get(name)) for place, name in self._unknown)
            raise InvalidRequest(*problems)


def _missing(folder: Path, name: str) -> str:
    if os.path.isfile(folder / name):
        return f'"{name}" is not a document: it is an archive, or left out by include, exclude or a .gitignore'
    return f'no file "{name}" in the knowledge folder'
