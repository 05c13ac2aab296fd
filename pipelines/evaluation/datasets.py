"""Data sets: a folder of corpus, queries and judgements, or a tenant's own golden questions over its knowledge."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.loader import LoadedProfile
from pipelines.types import Metadata

Given = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a data set, as a line of ``corpus.jsonl`` gives it."""

    id: Given
    text: str
    title: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question: its gold answers, if there are any, and the filters it is asked under."""

    id: Given
    text: Given
    answers: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict)
    filters: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents, questions, and which documents answer which question.

    ``corpus`` is the folder to be ingested where the data set is a tenant's own. ``qrels`` holds the relevance of a
    document by query id and document id; 0 and less is not relevant. Nothing in the corpus answers ``unanswerable``.
    """

    name: str
    corpus: tuple[CorpusDocument, ...] | Path
    queries: tuple[Query, ...]
    qrels: Mapping[str, Mapping[str, int]]
    unanswerable: tuple[Query, ...] = ()

    def has_relevant(self, query: Query) -> bool:
        """Whether any document is relevant to the query."""
        return any(relevance > 0 for relevance in self.qrels.get(query.id, {}).values())


@dataclass(frozen=True, slots=True)
class _GoldenQuestion:
    id: Given
    question: Given
    answers: tuple[str, ...]
    documents: tuple[str, ...]
    filters: Mapping[str, Any] | None = None

    @property
    def is_answered(self) -> bool:
        return bool(self.answers or self.documents)


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Record = TypeVar("Record", bound=_Identified)


def open_dataset(profile: LoadedProfile, given: Path | None = None, limit: int | None = None) -> Dataset:
    """The data set that a DATASET argument means: a folder, a file of golden questions, or none for the tenant's own.

    Raises:
        InvalidRequest: As for ``load_dataset`` and ``load_golden``.
    """
    if given is None or given.is_file():
        return load_golden(profile, given, limit)
    return load_dataset(given, limit)


def load_dataset(folder: Path, limit: int | None = None) -> Dataset:
    """The data set in a folder: ``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``, perhaps ``unanswerable.jsonl``.

    ``limit`` keeps the first so many queries that have relevant documents, and as many unanswerable ones; the corpus
    stays whole.

    Raises:
        InvalidRequest: A file is missing, or a line of it cannot be used; the problem's path is ``file:line``.
    """
    if not folder.is_dir():
        raise _bad(str(folder), "there is no such data set folder")
    corpus = _read(folder / "corpus.jsonl", CorpusDocument)
    queries = _read(folder / "queries.jsonl", Query)
    qrels = _read_qrels(folder / "qrels.tsv", {query.id for query in queries}, {document.id for document in corpus})
    unanswerable = _read_unanswerable(folder / "unanswerable.jsonl", queries)
    whole = Dataset(
        name=folder.resolve().name,
        corpus=tuple(corpus),
        queries=tuple(queries),
        qrels=qrels,
        unanswerable=tuple(unanswerable),
    )
    return _limited(whole, limit)


def load_golden(profile: LoadedProfile, path: Path | None = None, limit: int | None = None) -> Dataset:
    """A tenant's golden questions over its knowledge folder; ``path`` defaults to ``golden.jsonl`` beside the profile.

    A line is ``{"id", "question", "answers", "documents", "filters"?}``. Documents are named by their path in the
    knowledge folder; a question with neither answers nor documents is one that the knowledge does not answer.

    Raises:
        InvalidRequest: The tenant has no knowledge folder, a line cannot be used, or it names a file that is not there.
    """
    folder = profile.knowledge_folder
    if folder is None or not folder.is_dir():
        raise _bad("knowledge -> path", "golden questions need the tenant's knowledge folder, and there is none")
    path = path or profile.folder / "golden.jsonl"
    questions = _read(path, _GoldenQuestion)
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    _check_documents(path, questions, files)
    answered = [question for question in questions if question.is_answered]
    whole = Dataset(
        name=f"{profile.profile.tenant}/{path.stem}",
        corpus=folder,
        queries=tuple(map(_golden_query, answered)),
        qrels={question.id: dict.fromkeys(question.documents, 1) for question in answered},
        unanswerable=tuple(_golden_query(question) for question in questions if not question.is_answered),
    )
    return _limited(whole, limit)


def _golden_query(question: _GoldenQuestion) -> Query:
    return Query(question.id, question.question, question.answers, filters=question.filters)


def _check_documents(path: Path, questions: Sequence[_GoldenQuestion], known: Collection[str]) -> None:
    problems = [
        Problem(f'{path.name} -> "{question.id}"', f'no file "{name}" in the knowledge folder', nearest(name, known))
        for question in questions
        for name in question.documents
        if name not in known
    ]
    if problems:
        raise InvalidRequest(*problems)


def _limited(dataset: Dataset, limit: int | None) -> Dataset:
    if limit is None:
        return dataset
    if limit < 1:
        raise _bad("limit", "must be at least 1")
    queries = tuple(filter(dataset.has_relevant, dataset.queries))[:limit]
    qrels = {query.id: dataset.qrels[query.id] for query in queries}
    return Dataset(dataset.name, dataset.corpus, queries, qrels, dataset.unanswerable[:limit])


def _read(path: Path, kind: type[Record]) -> list[Record]:
    adapter: TypeAdapter[Record] = TypeAdapter(kind)
    records: list[Record] = []
    first_seen: dict[str, int] = {}
    for number, line in _lines(path):
        place = f"{path.name}:{number}"
        try:
            record = adapter.validate_json(line, strict=True)
        except ValidationError as error:
            raise InvalidRequest(*(_problem(place, detail) for detail in error.errors())) from None
        if record.id in first_seen:
            raise _bad(place, f'the id "{record.id}" is taken by line {first_seen[record.id]}')
        first_seen[record.id] = number
        records.append(record)
    return records


def _read_unanswerable(path: Path, queries: Sequence[Query]) -> list[Query]:
    unanswerable = _read(path, Query) if path.exists() else []
    answerable = {query.id for query in queries}
    for query in unanswerable:
        if query.id in answerable:
            raise _bad(path.name, f'the id "{query.id}" is in queries.jsonl too')
    return unanswerable


def _read_qrels(path: Path, queries: Collection[str], documents: Collection[str]) -> dict[str, dict[str, int]]:
    lines = _lines(path)
    _, header = next(lines, (1, ""))
    if not header or _is_integer(header.split()[-1]):
        raise _bad(f"{path.name}:1", "must be the header line: query_id, corpus_id, relevance, separated by tabs")
    qrels: dict[str, dict[str, int]] = {}
    unknown_queries, unknown_documents = [], []
    for number, line in lines:
        place = f"{path.name}:{number}"
        query, document, relevance = _judgement(place, line)
        if qrels.setdefault(query, {}).setdefault(document, relevance) != relevance:
            raise _bad(place, f'query "{query}" and document "{document}" are judged twice, and not alike')
        if query not in queries:
            unknown_queries.append((place, query))
        if document not in documents:
            unknown_documents.append((place, document))
    _refuse_unknown(unknown_queries, "queries.jsonl")
    _refuse_unknown(unknown_documents, "corpus.jsonl")
    return qrels


def _judgement(place: str, line: str) -> tuple[str, str, int]:
    cells = line.split("\t")
    if len(cells) != 3:
        raise _bad(
            place, f"has {len(cells)} columns; it takes three, separated by tabs: query_id, corpus_id, relevance"
        )
    if not _is_integer(cells[2]):
        raise _bad(place, f'the relevance "{cells[2]}" is not a whole number')
    return cells[0], cells[1], int(cells[2])


def _refuse_unknown(unknown: Sequence[tuple[str, str]], file: str) -> None:
    if unknown:
        place, name = unknown[0]
        raise _bad(place, f'the id "{name}" is not in {file}; so it is with {len(unknown)} line(s) in all')


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; U+2028 and its like may stand inside JSON and end no line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise _bad(path.name, "there is no such file in the data set") from None
    except UnicodeDecodeError as error:
        raise _bad(path.name, f"not UTF-8 text: byte {error.start} cannot be read") from None
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _problem(place: str, detail: ErrorDetails) -> Problem:
    key = " -> ".join(map(str, detail["loc"]))
    if detail["type"] == "missing":
        return Problem(place, f'"{key}" is missing', nearest(key, detail["input"]))
    return Problem(place, f'"{key}": {detail["msg"]}' if key else detail["msg"])


def _is_integer(text: str) -> bool:
    return text.strip().removeprefix("-").isdecimal()


def _bad(place: str, message: str) -> InvalidRequest:
    return InvalidRequest(Problem(place, message))
