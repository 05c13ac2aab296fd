"""Answers with their footnotes, whole and as they are written, and the conversations that they are turns of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from markupsafe import Markup

from pipelines.types.hits import Hit, PlacedPicture, Span
from pipelines.types.markup import bold, count, faint, join, lines, paragraph, shorten, table
from pipelines.types.page_names import page_name
from pipelines.types.toolruns import ToolRun

Verdict = Literal["supported", "partial", "unsupported"]
AbstainReason = Literal["no_hits", "filtered_out", "low_confidence"]
SMALL_TALK = "small_talk"
"""The ``model`` of replies to small talk: fixed words, neither quoted nor written by a model."""
_NUMBER = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True, repr=False)
class Citation:
    """A footnote: ``quote`` is verbatim the text of ``span`` in the stored text of that version.

    That of a tool's result has the version `KEPT_NOWHERE`: its text is the ``output`` of the `ToolRun` whose ``source``
    is its ``document_id``. ``line`` is the line of the file, from 1, where the quoted block begins; None where the file
    has no lines. ``picture`` is the first picture whose block is quoted; where it was ``described_by`` a model, the
    quote may be the model's words.
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
    line: int | None = None
    picture: PlacedPicture | None = None

    def __repr__(self) -> str:
        place = f"{self.document_id}:{self.span.start}-{self.span.end}"
        return f"Citation([{self.number}] {place}, {shorten(self.quote, 80)!r})"

    def __str__(self) -> str:
        place = ", ".join(filter(None, (self.source or self.document_id, page_name(self.page, self.page_label))))
        return f"[{self.number}] {place}: “{shorten(self.quote)}”"

    def _repr_html_(self) -> str:
        """Return the footnote as Jupyter shows it."""
        return paragraph(bold(f"[{self.number}] "), _quoted(self))


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
class Step:
    """A sub-question of a question that was answered in steps, and what was found for it.

    ``text`` answers it in words of the documents, and is empty where they don't answer. ``round`` counts from 1: a
    later round asks about what an earlier one found. ``citations`` are the numbers of the answer that stand for it.
    """

    question: str
    round: int
    text: str
    confidence: float
    sources: tuple[Hit, ...]
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """An answer with its footnotes. ``timings_ms`` names each stage; ``reason`` is set where it abstained.

    ``truncated``: the model was cut off, at its budget or because it went round in circles. ``removed_citations`` are
    numbers that it cited and that no source has. ``exchange`` is the prompt of this turn and the model's reply, word
    for word, for the turns that follow; None without a model. ``signals`` are what ``confidence`` was
    reckoned from; none where nothing was found. ``conversation_id`` names the conversation that it is a turn of, and
    ``rewritten_question`` is what was looked for instead of the question. ``variant`` names the profile's prompt that
    the model was asked with, where it has several. ``tools`` are the tools that were asked. ``cached``: it was given
    to the same question before, and nothing that decides it changed since. ``steps`` are the sub-questions, where
    it was found in several steps.
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
    steps: tuple[Step, ...] = ()

    @property
    def is_small_talk(self) -> bool:
        """Whether it replies to a greeting or thanks, for which nothing was looked up."""
        return self.model == SMALL_TALK and not self.llm_generated

    def __repr__(self) -> str:
        made = f"abstained, {self.reason}" if self.abstained else count(len(self.citations), "citation")
        return f"Answer({shorten(self.text, 80)!r}, confidence {self.confidence:.2f}, {made})"

    def __str__(self) -> str:
        return "\n".join([self.text, *map(str, self.citations)])

    def _repr_html_(self) -> str:
        """Return the answer with its footnotes as Jupyter shows it."""
        quotes = {citation.number: citation.quote for citation in self.citations}
        footnotes = ((str(citation.number), _quoted(citation)) for citation in self.citations)
        rewritten = faint(f"understood as: {self.rewritten_question}") if self.rewritten_question else None
        return join(
            [
                paragraph(lines(bold(self.question), rewritten)),
                paragraph(_with_marks(self.text, quotes)),
                table(("", "footnotes"), footnotes),
                table(("not shown as certain", "verdict"), _doubts(self.claims)),
                paragraph(faint(_summary(self))),
            ]
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer in a conversation, numbered from 1.

    ``erased``: its text was erased with one of its documents, and ``text`` says so.
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

    ``turns`` is empty where conversations are listed; ``length`` counts them. ``key`` and ``user`` are whose it is, ""
    for nobody's in particular.
    """

    conversation_id: str
    title: str
    length: int
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    turns: tuple[Turn, ...] = ()
    key: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Some of the conversations, the newest first and without their turns, and where the next page begins."""

    conversations: tuple[Conversation, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class SearchDone:
    """The first event of an answer that is streamed: the search is over, or tools decide whether there is one."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing new yet; the stream can be closed here."""


@dataclass(frozen=True, slots=True)
class ToolsAsked:
    """Which tools were asked, if any were, and what they returned."""

    tools: tuple[ToolRun, ...]


@dataclass(frozen=True, slots=True)
class StepDone:
    """A sub-question was looked up; its numbers follow with the whole answer."""

    step: Step


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """What the answer will be made of. It comes before the text."""

    sources: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class TextWritten:
    """The next part of an answer's text; not empty."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationMade:
    """A footnote of what was written, in its final form."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The last event: the whole answer. Its text is what was written, but for blanks at its ends."""

    answer: Answer


AnswerEvent = SearchDone | Heartbeat | ToolsAsked | StepDone | SourcesFound | TextWritten | CitationMade | AnswerDone


def _with_marks(text: str, quotes: Mapping[int, str]) -> Markup:
    """``text`` with its numbers raised; the quote of each shows when the pointer rests on it."""
    parts = _NUMBER.split(text)
    return join(_mark(part, quotes) if place % 2 else part for place, part in enumerate(parts))


def _mark(number: str, quotes: Mapping[int, str]) -> Markup | str:
    quote = quotes.get(int(number))
    return f"[{number}]" if quote is None else Markup('<sup title="{}">[{}]</sup>').format(quote, number)


def _quoted(citation: Citation) -> Markup:
    page = page_name(citation.page, citation.page_label)
    path = [heading for heading in citation.headings if heading != citation.title]
    characters = f"characters {citation.span.start}-{citation.span.end}"
    where = " > ".join([part for part in (*path, page, characters) if part])
    return lines(f"“{citation.quote}”", bold(citation.title or citation.source) + faint(f" > {where}"))


def _doubts(claims: tuple[Claim, ...]) -> Iterator[tuple[str, str]]:
    for claim in claims:
        if claim.verdict != "supported":
            yield claim.text, f"{claim.verdict}, withheld" if claim.withheld else claim.verdict


def _summary(answer: Answer) -> str:
    facts = [
        f"confidence {answer.confidence:.2f}",
        f"declined: {answer.reason}" if answer.abstained else None,
        None if answer.abstained or answer.is_small_talk else _words(answer),
        "degraded: the language model did not answer" if answer.degraded else None,
        "from the cache" if answer.cached else None,
        f"snapshot {answer.snapshot}",
    ]
    return " · ".join(fact for fact in facts if fact)


def _words(answer: Answer) -> str:
    return f"in the words of {answer.model}" if answer.llm_generated else "word for word"
