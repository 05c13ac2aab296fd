"""Questions for whoever made a thing: "Who wrote it?", which texts answer with "creator" and "founded by" as well."""

from __future__ import annotations

import re

MAKERS = "author creator founder founding inventor written created founded developed"
"""What is looked for besides the verb of such a question."""
_WHO_MADE = re.compile(
    r"^\W*who\b.{0,40}?\b(authored|built|composed|(?:co-?)?created|designed|developed|directed|discovered"
    r"|established|(?:co-?)?founded|invented|made|painted|started|wrote)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:author(?:s|ed)?|built|compos(?:ed|ers?)|(?:co-?)?creat(?:ed|ors?|ion)|design(?:ed|ers?)|develop(?:ed|ers?)"
    r"|direct(?:ed|ors?)|discover(?:ed|ers?|y)|establish(?:ed|ment)|form(?:ed|ation)|(?:co-?)?found(?:ed|ers?|ing)"
    r"|introduced|invent(?:ed|ors?|ion)|launched|led|made|maintain(?:ed|ers?)|originat(?:ed|ors?)|paint(?:ed|ers?)"
    r"|set\s+up|start(?:ed|ers?)|writers?|written|wrote)\b"
    r"|(?:^|[,(]\s?)by\s+(?:the\s+)?[A-Z]"
)
_FULL_NAME = re.compile(
    r"(?<![.!?]\s)\b(?!(?:The|An?|This|These|In|On|Its|Our|Your)\b)[A-Z][\w'\u2019-]{1,40}\s+(?:[a-z]{1,3}\s+|[A-Z]\.\s+)?[A-Z][\w'\u2019-]{1,40}"
)
"""Two words with capitals, of which the first does not begin a sentence."""
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


def asks_who_made(question: str) -> bool:
    """Return whether it is asked who wrote, founded or otherwise made a thing."""
    return _WHO_MADE.match(question) is not None


def told_of_makers(text: str) -> list[str]:
    """Return the sentences of a text that say that somebody made something."""
    return [sentence for sentence in _SENTENCE_END.split(text) if _TOLD.search(sentence)]


def with_making(question: str, text: str) -> str:
    """Return the text; behind it the verb of a question for a maker, where a sentence of the text names one."""
    asked = _WHO_MADE.match(question)
    return f"{text} {asked[1]}" if asked and any(map(_FULL_NAME.search, told_of_makers(text))) else text
