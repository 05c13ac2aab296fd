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
from pipelines.evaluation.records import Asked, Given, read_records, unusable
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
        raise unusable(str(given), f"is no data set and no tenant: it has neither {CORPUS} nor profile.yaml")
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
    lines = read_records(path, GoldenQuestion)
    if not lines:
        raise unusable(path.name, "holds no questions")
    _check_documents(path, lines, folder, profile.profile.knowledge)
    answered = [question for question in lines.values() if question.is_answered]
    whole = Dataset(
        name=f"{profile.profile.tenant}/{path.stem}",
        corpus=folder,
        queries=tuple(question.query() for question in answered),
        qrels={question.id: dict.fromkeys(question.documents or (), 1) for question in answered},
        unanswerable=tuple(question.query() for question in lines.values() if not question.is_answered),
        metadata=profile.profile.metadata.model_copy(update={"identity": None}),  # questions name files
        knowledge=profile.profile.knowledge,
    )
    return limited(whole, limit)


def _check_documents(path: Path, lines: Mapping[int, GoldenQuestion], folder: Path, knowledge: Knowledge) -> None:
    known = {str(document.source) for document in selected_documents(folder, {}, knowledge)[0]}
    unknown = [
        (f"{path.name}:{number}", name)
        for number, question in lines.items()
        for name in question.documents or ()
        if name not in known
    ]
    if unknown:
        # A nearest name takes milliseconds, and only so many problems are shown.
        meant = {name: nearest(name, known) for _, name in unknown[:MAX_PROBLEMS]}
        raise InvalidRequest(*(Problem(place, _unknown(folder, name), meant.get(name)) for place, name in unknown))


def _unknown(folder: Path, name: str) -> str:
    if os.path.isfile(folder / name):
        return f'"{name}" is no document: it is an archive, or left out by include, exclude or a .gitignore'
    return f'no file "{name}" in the knowledge folder'
