"""What a search or an answer is asked, as one value."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal, TypedDict

from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.types.answers import Message
from pipelines.types.callers import OPERATOR, Caller
from pipelines.types.hits import Mode

AnswerFormat = Literal["text", "json"]
StepsUse = Literal["never", "complex", "always"]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to a tenant, with everything that decides what is found for it and how it is answered.

    What is left out is as the profile says. A search reads the fields from ``top_k`` to ``caller``; an answer
    reads all of them. Values are checked when the query is asked.
    """

    text: str
    """The question, or the words to search for; may be empty where ``vector`` is given."""
    _: KW_ONLY
    top_k: int | None = None
    """Most hits, or sources to answer from."""
    filters: Mapping[str, Any] | None = None
    """What the metadata must be; see `pipelines.filters.language`."""
    scope: Mapping[str, Any] | None = None
    """The place in the hierarchy to look from; see `pipelines.filters.scopes`."""
    inherit: bool = True
    """Whether ``scope`` also shows what it inherits, not the documents of that one place alone."""
    documents: Collection[str] | None = None
    """Ids of the documents to look among."""
    as_of: int | None = None
    """The snapshot to read; None: the latest."""
    mode: Mode | None = None
    """The legs to ask: ``hybrid``, ``dense`` or ``sparse``."""
    min_score: float = 0.0
    """Hits with a lower score, in 0..1, are left out."""
    vector: Sequence[float] | None = None
    """The question as the embedding model gives it; the dense leg alone searches for it, whatever ``text`` says."""
    diversity: float | None = None
    """How much hits should differ from each other, in 0..1; scores then mix both, see the stage ``mmr``."""
    conversation_id: str | None = None
    """The conversation that the question continues. An answer becomes a turn of it, a search does not."""
    caller: Caller = OPERATOR
    """The caller: owner of the conversation, and of the count of the question."""
    llm: Mapping[str, str] | None = None
    """``provider`` and ``model``, one or both, of those that the profile allows."""
    history: Sequence[Message] | None = None
    """Earlier messages, word for word, from callers who keep the conversation themselves; nothing is kept here then."""
    note: str = ""
    """What the language model reads behind the question, such as on whose behalf it is asked; searches do not."""
    user: str | None = None
    """Who asks, if known: the same user gets the same one of the profile's prompts in every conversation."""
    tools: bool = True
    """Whether the profile's tools may be asked; an answer from the past never asks them."""
    format: AnswerFormat | None = None
    """What the language model writes: free text, or JSON that is checked; None: as the profile says."""
    steps: StepsUse | None = None
    """Which questions are split into sub-questions; None: as the profile says. Not where tools are asked."""


class QueryFields(TypedDict, total=False):
    """The fields of a `Query` beside its text, as keywords."""

    top_k: int | None
    filters: Mapping[str, Any] | None
    scope: Mapping[str, Any] | None
    inherit: bool
    documents: Collection[str] | None
    as_of: int | None
    mode: Mode | None
    min_score: float
    vector: Sequence[float] | None
    diversity: float | None
    conversation_id: str | None
    caller: Caller
    llm: Mapping[str, str] | None
    history: Sequence[Message] | None
    note: str
    user: str | None
    tools: bool
    format: AnswerFormat | None
    steps: StepsUse | None


class Selection(TypedDict, total=False):
    """Which documents a list or a count is of, as keywords; all by default."""

    filters: Mapping[str, Any] | None
    """Only documents that match."""
    scope: Mapping[str, Any] | None
    """Only what is seen from there."""
    inherit: bool
    """Also what ``scope`` inherits; true by default."""


def as_query(query: str | Query, fields: QueryFields) -> Query:
    """Return ``query`` as a `Query` with ``fields`` set.

    Raises:
        InvalidRequest: A field does not exist.
    """
    known = QueryFields.__annotations__
    if unknown := [
        Problem(name, "is no field of a query", nearest(name, known)) for name in fields if name not in known
    ]:
        raise InvalidRequest(*unknown)
    if isinstance(query, Query):
        return replace(query, **fields) if fields else query
    return Query(query, **fields)
