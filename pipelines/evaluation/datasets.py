"""Data sets: a folder of corpus, queries and judgements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipelines.evaluation.records import Asked, Given, read_lines, read_records, unusable
from pipelines.profile.sections.documents import Knowledge, MetadataSection
from pipelines.types import Metadata
from pipelines.types.markup import count

CORPUS = "corpus.jsonl"


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a data set, as a line of ``corpus.jsonl`` gives it."""

    id: Given
    text: str
    title: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question: its gold answers, if there are any, and the filters and the scope it is asked under.

    Its metadata may hold the turns of a conversation before it, as ``history``: a list of ``role`` and ``text``.
    """

    id: Given
    text: Asked
    answers: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict)
    filters: Mapping[str, Any] | None = None
    scope: Mapping[str, Any] | None = None

    @property
    def earlier(self) -> tuple[tuple[str, str], ...]:
        """The questions before it, the oldest first, each with what was answered, or ""."""
        turns: list[tuple[str, str]] = []
        history = self.metadata.get("history")
        for message in history if isinstance(history, list) else ():
            if not isinstance(message, dict):
                continue
            if message.get("role") == "user":
                turns.append((str(message.get("text", "")), ""))
            elif turns:
                turns[-1] = (turns[-1][0], str(message.get("text", "")))
        return tuple(turns)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents, questions, and which documents answer which question.

    ``corpus`` is the folder to be ingested where the data set is a tenant's own, ``metadata`` what that tenant declares
    of it, and ``knowledge`` says which of its files are documents. ``qrels`` holds the relevance of a document by query
    id and document id; 0 and less is not relevant. Nothing in the corpus answers ``unanswerable``.
    """

    name: str
    corpus: tuple[CorpusDocument, ...] | Path
    queries: tuple[Query, ...]
    qrels: Mapping[str, Mapping[str, int]]
    unanswerable: tuple[Query, ...] = ()
    metadata: MetadataSection | None = None
    knowledge: Knowledge | None = None

    def has_relevant(self, query: Query) -> bool:
        """Return whether any document is relevant to the query."""
        return any(relevance > 0 for relevance in self.qrels.get(query.id, {}).values())


def load_dataset(folder: Path, limit: int | None = None) -> Dataset:
    """Return the data set in a folder: ``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``, perhaps
    ``unanswerable.jsonl``.

    ``limit`` keeps the first so many queries that have relevant documents or gold answers, and as many unanswerable
    ones; the corpus stays whole.

    Raises:
        InvalidRequest: A file is missing, or a line of it cannot be used; the problem's path is ``file:line``.
    """
    if not folder.is_dir():
        raise unusable(str(folder), "there is no such data set folder")
    corpus = read_records(folder / CORPUS, CorpusDocument).values()
    queries = tuple(read_records(folder / "queries.jsonl", Query).values())
    qrels = _read_qrels(folder / "qrels.tsv", {query.id for query in queries}, {document.id for document in corpus})
    unanswerable = _read_unanswerable(folder / "unanswerable.jsonl", queries)
    whole = Dataset(
        name=folder.resolve().name,
        corpus=tuple(corpus),
        queries=queries,
        qrels=qrels,
        unanswerable=tuple(unanswerable),
    )
    return limited(whole, limit)


def limited(dataset: Dataset, limit: int | None) -> Dataset:
    """Return the data set with no more than the first ``limit`` queries that have relevant documents or gold answers.

    Raises:
        InvalidRequest: ``limit`` is less than 1.
    """
    if limit is None:
        return dataset
    if limit < 1:
        raise unusable("limit", "must be at least 1")
    queries = tuple(query for query in dataset.queries if query.answers or dataset.has_relevant(query))[:limit]
    qrels = {query.id: dataset.qrels.get(query.id, {}) for query in queries}
    return replace(dataset, queries=queries, qrels=qrels, unanswerable=dataset.unanswerable[:limit])


def plain_question(text: str) -> str:
    """Return a question without what does not make it another one: case, and the kind and number of blanks."""
    return " ".join(text.casefold().split())


def distinct_questions(dataset: Dataset) -> Dataset:
    """Return the questions that have relevant documents, the same question once.

    A question that is asked again would otherwise be learned from and judged by.
    """
    first: dict[str, Query] = {}
    qrels: dict[str, dict[str, int]] = {}
    for query in filter(dataset.has_relevant, dataset.queries):
        kept = first.setdefault(f"{plain_question(query.text)} {query.filters} {query.scope}", query)
        grades = qrels.setdefault(kept.id, {})
        for document, relevance in dataset.qrels[query.id].items():
            grades[document] = max(relevance, grades.get(document, relevance))
    return replace(dataset, queries=tuple(first.values()), qrels=qrels)


def _read_unanswerable(path: Path, queries: Sequence[Query]) -> list[Query]:
    unanswerable = list(read_records(path, Query).values()) if path.exists() else []
    answerable = {query.id for query in queries}
    for query in unanswerable:
        if query.id in answerable:
            raise unusable(path.name, f'the id "{query.id}" is in queries.jsonl too')
    return unanswerable


def _read_qrels(path: Path, queries: Collection[str], documents: Collection[str]) -> dict[str, dict[str, int]]:
    lines = read_lines(path)
    _, header = next(lines, (1, ""))
    if not header or _is_integer(header.split()[-1]):
        raise unusable(f"{path.name}:1", "must be the header line: query_id, corpus_id, relevance, separated by tabs")
    qrels: dict[str, dict[str, int]] = {}
    unknown_queries, unknown_documents = [], []
    for number, line in lines:
        place = f"{path.name}:{number}"
        query, document, relevance = _judgement(place, line)
        if qrels.setdefault(query, {}).setdefault(document, relevance) != relevance:
            raise unusable(place, f'query "{query}" and document "{document}" are judged twice, and not alike')
        if query not in queries:
            unknown_queries.append((place, query))
        if document not in documents:
            unknown_documents.append((place, document))
    _refuse_unknown(unknown_queries, "queries.jsonl")
    _refuse_unknown(unknown_documents, CORPUS)
    return qrels


def _judgement(place: str, line: str) -> tuple[str, str, int]:
    cells = line.split("\t")
    if len(cells) != 3:
        raise unusable(
            place, f"has {len(cells)} columns; it takes three, separated by tabs: query_id, corpus_id, relevance"
        )
    if not _is_integer(cells[2]):
        raise unusable(place, f'the relevance "{cells[2]}" is not a whole number')
    return cells[0], cells[1], int(cells[2])


def _refuse_unknown(unknown: Sequence[tuple[str, str]], file: str) -> None:
    if unknown:
        place, name = unknown[0]
        raise unusable(place, f'the id "{name}" is not in {file}; so it is with {count(len(unknown), "line")} in all')


def _is_integer(text: str) -> bool:
    return text.strip().removeprefix("-").isdecimal()
