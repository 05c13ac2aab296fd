"""Own documents: a folder of raw files, and questions whose answers are judged by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.records import Asked, Given, read_records, unusable
from pipelines.types.markup import count

FILES = "files"
QUESTIONS = "questions.jsonl"

QuestionKind = Literal["definition", "list", "howto", "number", "table", "comparison", "yesno", "unanswerable"]


def _compiles(expression: str) -> str:
    try:
        re.compile(expression)
    except re.error as error:
        raise ValueError(f"{expression!r} is not a regular expression: {error}") from None
    return expression


Expression = Annotated[str, AfterValidator(_compiles)]


class OwnQuestion(BaseModel):
    """A question, and what the text of a right answer matches: all of ``must`` and ``at_least`` of ``any``.

    ``doc`` is the path, in the corpus, of a file that answers it; None of an unanswerable question.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Given
    question: Asked
    kind: QuestionKind
    doc: str | None = None
    must: tuple[Expression, ...] = ()
    any: tuple[Expression, ...] = ()
    at_least: int = 1
    note: str = ""

    @model_validator(mode="after")
    def _says_what_is_expected(self) -> Self:
        if self.is_answerable and not (self.must or self.any):
            raise ValueError('give "must" or "any" that a right answer matches, or "kind": "unanswerable"')
        if not self.is_answerable and (self.must or self.any or self.doc):
            raise ValueError('an unanswerable question has no "must", "any" and "doc"')
        if self.any and not 1 <= self.at_least <= len(self.any):
            raise ValueError(f'"at_least" must be between 1 and the {count(len(self.any), "expression")} of "any"')
        return self

    @property
    def is_answerable(self) -> bool:
        """Whether the documents answer it."""
        return self.kind != "unanswerable"

    def matches(self, text: str) -> bool:
        """Return whether a text says what is expected. White space and case do not matter."""
        line = " ".join(text.split())
        return all(_matches(line, self.must)) and (not self.any or sum(_matches(line, self.any)) >= self.at_least)


@dataclass(frozen=True, slots=True)
class OwnDocuments:
    """A corpus: the folder of its raw files, and its questions."""

    name: str
    files: Path
    questions: tuple[OwnQuestion, ...]


def corpus_folders(folder: Path) -> list[Path]:
    """Return the folders of own documents that a DATASET argument means: it is one, or holds several; or none."""
    return [folder] if _is_corpus(folder) else sorted(filter(_is_corpus, folder.iterdir()))


def load_own_documents(folder: Path, limit: int | None = None) -> OwnDocuments:
    """Return the corpus in a folder: raw documents in ``files/``, and ``questions.jsonl``.

    ``limit`` keeps the first so many answerable questions and as many unanswerable ones.

    Raises:
        InvalidRequest: There are no files, a line cannot be used, or it names a file that is not there; the problem's
            path is ``file:line``.
    """
    files = folder / FILES
    if not files.is_dir():
        raise unusable(str(files), "there is no such folder of documents")
    lines = read_records(folder / QUESTIONS, OwnQuestion)
    _check_files(folder, lines)
    questions = tuple(lines.values()) if limit is None else tuple(_first(lines.values(), limit))
    return OwnDocuments(folder.resolve().name, files, questions)


def _is_corpus(folder: Path) -> bool:
    return (folder / QUESTIONS).is_file()


def _matches(text: str, expressions: Iterable[str]) -> Iterator[bool]:
    return (re.search(expression, text, re.IGNORECASE | re.DOTALL) is not None for expression in expressions)


def _first(questions: Iterable[OwnQuestion], limit: int) -> Iterator[OwnQuestion]:
    everything = list(questions)
    yield from islice((one for one in everything if one.is_answerable), limit)
    yield from islice((one for one in everything if not one.is_answerable), limit)


def _check_files(folder: Path, lines: Mapping[int, OwnQuestion]) -> None:
    problems = [
        Problem(f"{QUESTIONS}:{number}", f'there is no file "{question.doc}" in the corpus')
        for number, question in lines.items()
        if question.doc is not None and not (folder / question.doc).is_file()
    ]
    if problems:
        raise InvalidRequest(*problems)
