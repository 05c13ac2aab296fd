"""Answers with their footnotes, whole and as they are written, and the conversations that they are turns of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pipelines.types.hits import Hit, Span
from pipelines.types.toolruns import ToolRun

Verdict = Literal["supported", "partial", "unsupported"]
AbstainReason = Literal["no_hits", "filtered_out", "low_confidence"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A footnote: ``quote`` is verbatim the text of ``span`` in the stored text of that version.

    That of a tool's result has the version `KEPT_NOWHERE`: its text is the ``output`` of the `ToolRun` whose ``source``
    is its ``document_id``.
    """

    number: int
    document_id: str
    version: int
    chunk_id: str
    title: str
    source: str
    quote: str
    span: Span
    page: int | None = None
    page_label: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that a claim was held against: ``quote`` is verbatim the text of ``span`` in that version."""

    document_id: str
    version: int
    chunk_id: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer, the numbers of its citations, and what the named checks say of it.

    ``evidence`` holds the best passage of each source that it cites; of one that cites none, the best there is.
    """

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    checks: Mapping[str, Any] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()

    @property
    def withheld(self) -> bool:
        """Whether the answer's text leaves it out."""
        return bool(self.checks.get("withheld"))


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of what a language model reads; ``images`` are files (PNG, JPEG), for models that see."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its footnotes. ``timings_ms`` names each stage; ``reason`` is set where it abstained.

    ``truncated``: the model was cut off, at its budget or because it went round in circles. ``removed_citations`` are
    numbers that it cited and that no source has. ``exchange`` is what was sent to the model in this turn and what it
    said, word for word, for the turns that follow; None where none was asked. ``signals`` are what ``confidence`` was
    reckoned from; none where nothing was found. ``conversation_id`` names the conversation that it is a turn of, and
    ``rewritten_question`` is what was looked for instead of the question. ``variant`` names the profile's prompt that
    the model was asked with, where it has several. ``tools`` are the tools that were asked. ``cached``: it was given
    to the same question before, and nothing that decides it changed since.
    """

    answer_id: str
    question: str
    text: str
    abstained: bool
    reason: AbstainReason | None
    confidence: float
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    sources: tuple[Hit, ...]
    model: str
    llm_generated: bool
    degraded: bool
    snapshot: int
    timings_ms: Mapping[str, float]
    truncated: bool = False
    removed_citations: tuple[int, ...] = ()
    exchange: tuple[str, str] | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    conversation_id: str | None = None
    rewritten_question: str | None = None
    variant: str | None = None
    tools: tuple[ToolRun, ...] = ()
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer in a conversation, numbered from 1.

    ``erased``: what was said went with a document that it was made of, and ``text`` says so.
    """

    number: int
    question: str
    text: str
    created_at: datetime
    answer_id: str = ""
    rewritten_question: str | None = None
    citations: tuple[Citation, ...] = ()
    abstained: bool = False
    confidence: float = 0.0
    model: str = ""
    llm_generated: bool = False
    degraded: bool = False
    snapshot: int = 0
    erased: bool = False
    variant: str | None = None
    exchange: tuple[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Several questions in a row: the first of them as its title, and until when it is kept unless it goes on.

    ``turns`` is empty where conversations are listed; ``length`` counts them.
    """

    conversation_id: str
    title: str
    length: int
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Some of the conversations, the newest first and without their turns, and where the next page begins."""

    conversations: tuple[Conversation, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ToolsAsked:
    """The first event of an answer that is streamed, where tools were asked: which, and what they told."""

    tools: tuple[ToolRun, ...]


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """The first event of an answer that is streamed, or that after `ToolsAsked`: what it will be made of."""

    sources: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class TextWritten:
    """The next part of an answer's text; empty where only time went by, so that the stream can be closed then."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationMade:
    """A footnote of what was written; it stands in its final form."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The last event: the whole answer. Its text is what was written, but for blanks at its ends."""

    answer: Answer


AnswerEvent = ToolsAsked | SourcesFound | TextWritten | CitationMade | AnswerDone
