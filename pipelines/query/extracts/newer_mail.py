"""Mail with replies: what a newer message says of the same goes before what it quotes, or replies to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.chosen import Chosen
from pipelines.query.extracts.editions import may_mean_earlier
from pipelines.query.extracts.passages.passages import Passage, sentences_of
from pipelines.query.extracts.unasked import is_head_of_message
from pipelines.query.question_types import Kind, names_new, question_kind
from pipelines.query.terms import Terms
from pipelines.reading.mail.quotes import says_who_wrote

_BY_THE_WAY = re.compile(
    r"(?:^|[.!?]\s)\W{0,5}(?:also|another\s+(?:matter|thing|topic)|apart\s+from\s+that|besides|btw|by\s+the\s+way|incidentally"
    r"|in\s+other\s+news|on\s+another\s+(?:matter|note|topic)|one\s+more\s+thing|ps|p\.s|separately|unrelated)\b",
    re.IGNORECASE,
)
_REPLY = re.compile(r"\s*(?:(?:re|aw|sv|fwd?|wg)(?:\[\d{1,3}\])?\s{0,3}:\s*)+", re.IGNORECASE)
"""What programs write before the subject of a reply, or of a message that is passed on."""
_REFERS = re.compile(
    r"(?:^|[.!?]\s)\W{0,5}(?:(?:and|but|no|now|ok|okay|sorry|so|then|well|yes)\b\W{1,5}){0,3}(?:he|it|she|that|they|this)\b|\binstead\b",
    re.IGNORECASE,
)
"""How a reply speaks of what the message before it named."""
_ADDRESSED = ("from", "to", "cc")
_WORD = re.compile(r"\w+")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")


def newer_message(
    question: str, chosen: Sequence[Chosen], candidates: Sequence[Candidate], terms: Terms
) -> Candidate | None:
    """Return what a newer message in the thread of the first extract answers; None if it says nothing of it.

    It answers if it names a time, a number or a name, as the question asks, beside a word of the question that neither
    the subject nor the addresses have; any word of it, if these have all. What it says by the way has several of these
    words. A message with a file of its own has each word of the question that the extract has, or refers to it: other
    matters may have one subject.
    """
    kind = question_kind(question)
    first = chosen[0][0].passage if chosen else None
    if first is None or kind is None or may_mean_earlier(question):
        return None
    told = terms(_plain(question))
    asked = told - terms(_plain(first.hit.title)) - terms(_people(first)) or told
    needed = asked & terms(_plain(first.shown))
    newer = [
        one
        for one in candidates
        if one.passage.kind == "sentences"
        and not is_head_of_message(question, one.passage.shown)
        and (_quotes(one.passage, first) or (_follows(one.passage, first) and _is_on(one.passage, needed, terms)))
        and _answers(question, kind, one.passage, asked, terms)
    ]
    return max(newer, key=lambda one: (_sent(one.passage), one.score), default=None)


def _people(passage: Passage) -> str:
    """Return the words of the addresses of a message: who works where stands in each message of a thread."""
    metadata = passage.hit.metadata
    return " ".join(_WORD.findall(" ".join(str(metadata.get(key) or "") for key in _ADDRESSED)))


def _answers(question: str, kind: Kind, passage: Passage, asked: frozenset[int], terms: Terms) -> bool:
    """Return whether a sentence names what is asked for, and has, with the one before it, words of the question."""
    before = ""
    for said in (one.shown for one in sentences_of(passage)):
        context, before = f"{before} {said}", said
        told = asked & terms(_plain(context))
        if told and names_new(kind, said, question) and (len(told) > 1 or not _BY_THE_WAY.search(context)):
            return True
    return False


def _is_on(passage: Passage, needed: frozenset[int], terms: Terms) -> bool:
    """Return whether a passage has all needed words, or refers to a message before it."""
    return needed <= terms(_plain(passage.shown)) or _REFERS.search(passage.shown) is not None


def _plain(text: str) -> str:
    """Return a text with days as plain numbers: replies write "the 19th" for 19 June."""
    return _ORDINAL.sub("", text)


def _is_quoted(passage: Passage) -> bool:
    return bool(passage.headings) and says_who_wrote(passage.headings[-1])


def _quotes(one: Passage, other: Passage) -> bool:
    """Return whether a passage is of a message that quotes another one in the same text: replies stand above it."""
    is_above = one.is_of_text(other) and one.span.end <= other.span.start
    return _is_quoted(other) and is_above and one.headings != other.headings


def _follows(one: Passage, other: Passage) -> bool:
    """Return whether a passage is of a later message of the same thread that has a file of its own."""
    if not _sent(one) or not _sent(other) or _is_quoted(one):
        return False
    subjects = {_subject(passage.hit.title) for passage in (one, other)}
    return len(subjects) == 1 and "" not in subjects and _sent(one) > _sent(other)


def _subject(title: str) -> str:
    """Return a subject without what programs write before it; in "Fire: drill" they wrote nothing."""
    begun = _REPLY.match(title)
    return title[begun.end() if begun else 0 :].strip().lower()


def _sent(passage: Passage) -> tuple[str, bool] | tuple[()]:
    """Return a sort key for messages of one thread: the day, then replies; empty for what is no message."""
    metadata = passage.hit.metadata
    if not metadata.get("from") or not metadata.get("date"):
        return ()
    return str(metadata["date"]), _REPLY.match(passage.hit.title) is not None
