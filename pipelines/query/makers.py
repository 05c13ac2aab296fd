"""Questions that ask who made a thing, such as "Who wrote it?". Texts answer with "creator" or "founded by" too."""

from __future__ import annotations

import re
from itertools import chain

MAKERS = "author creator founder founding inventor written created founded developed"
"""What is looked for besides the verb of such a question."""
_WHO_MADE = re.compile(
    r"^\W*who\b.{0,40}?\b(authored|built|builds|composed|(?:co-?)?created|creates|designed|designs|developed|develops"
    r"|directed|discovered|established|(?:co-?)?founded|invented|made|makes|maintains?|maintained|painted|started|writes"
    r"|wrote)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:[Aa]uthor(?:s|ed)?|(?:AUTHOR|MAINTAINER)S?(?=:)|built|compos(?:ed|ers?)|(?:co-?)?creat(?:ed|ors?|ion)|design(?:ed|ers?)|develop(?:ed|ers?)"
    r"|direct(?:ed|ors?)|discover(?:ed|ers?|y)|establish(?:ed|ment)|form(?:ed|ation)|(?:co-?)?found(?:ed|ers?|ing)"
    r"|introduced|invent(?:ed|ors?|ion)|launched|made|[Mm]aintain(?:ed|ers?)|originat(?:ed|ors?)|paint(?:ed|ers?)"
    r"|set\s+up|start(?:ed|ers?)|writers?(?=\s+(?:are|is|of|was|were)\b)|written|wrote)\b(?![-'\u2019])"
    r"|(?:^|[,(]\s?)by\s+(?:the\s+)?[A-Z]"
)
_MADE_FOR = re.compile(
    r"(?:\b(?P<maker>[A-Z][\w'\u2019-]*)\s+)?"
    r"\b(?:built|created|designed|developed|made|started|written)\s+(?:as|for|from|in(?!\s+(?:\w+\s+){0,2}\d)|of|to|using|with)\b(?!.*\bby\b)"
)
"""What a thing was made for or of: "designed for sailors"; a name before it may be the maker's."""
_NOT_MADE = re.compile(r"(?:\bnot|\bnever|n['\u2019]t)\s+(?:been\s+)?\w+\s+by\b[^,.;]*", re.IGNORECASE)
_ANY_MAKER = re.compile(
    r"\ban?\s+(?:[\w-]+\s+){0,2}?(?:author|creator|designer|developer|director|inventor|maintainer|painter|writer)\b(?!\s+of\b)"
)
"""Somebody who makes things for a living: "a technical writer"."""
_FULL_NAME = re.compile(
    r"(?<![.!?]\s)\b(?!(?:The|An?|This|These|In|On|Its|Our|Your)\b)[A-Z][\w'\u2019-]{1,40}\s+(?:[a-z]{1,3}\s+|[A-Z]\.\s+)?[A-Z][\w'\u2019-]{1,40}"
)
"""Two words with capitals, of which the first does not begin a sentence."""
_MAKER = re.compile(
    r"\bby\s+(?:(?:an?|the)\s+)?([A-Z][\w'\u2019-]+)|\b(?!(?:He|I|It|She|That|They|This|We|Who|You)\b)([A-Z][\w'\u2019-]+)"
    r"\s+(?:(?:also|first|later|originally)\s+)?(?:built|composed|created|designed|developed|discovered|founded|invented|made"
    r"|painted|started|wrote)\b"
)
"""One name, of somebody or of a firm, where it can be nothing but the maker's: "by Acme", "Acme built"."""
_OF_MAKERS = re.compile(
    r"(?:the\s+)?(?:original\s+)?(?:authors?|creators?|maintainers?|credits)(?:\s+and\s+\w+)?", re.IGNORECASE
)
_FOUND = re.compile(r"\bfound\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


def asks_who_made(question: str) -> bool:
    """Return whether it is asked who wrote, founded or otherwise made a thing."""
    return _WHO_MADE.match(question) is not None


def is_of_makers(heading: str) -> bool:
    """Return whether a heading says that those named below it made the thing."""
    return _OF_MAKERS.fullmatch(heading.strip().rstrip(":")) is not None


def made_thing(question: str) -> str:
    """Return a question without the words that ask who made a thing."""
    return _WHO_MADE.sub("", question)


def told_of_makers(text: str) -> list[str]:
    """Return the sentences of a text that say that somebody made something."""
    return [sentence for sentence in _SENTENCE_END.split(text) if _TOLD.search(_without_purposes(sentence))]


def _without_purposes(sentence: str) -> str:
    """Return a sentence without what a thing was made for, who did not make it, and those who make such things."""
    bare = _ANY_MAKER.sub("", _NOT_MADE.sub("", sentence))
    return _MADE_FOR.sub(lambda made: made[0] if made["maker"] else "", bare)


def names_maker(question: str, text: str) -> bool:
    """Return whether a sentence of a text names somebody who made something.

    "The Debian Project" did not found Debian: a name with a word of the question is that of the thing.
    """
    asked = set(question.lower().rstrip("?").split())
    told = told_of_makers(text)
    names = (name for sentence in told for name in _FULL_NAME.findall(sentence))
    makers = (found[1] or found[2] for sentence in told for found in _MAKER.finditer(sentence))
    return any(asked.isdisjoint(name.lower().split()) for name in chain(names, makers))


def with_making(question: str, text: str) -> str:
    """Return what a text says of the making of things, for a question that asks who made one; else the text.

    Behind it stands the question's verb, where a sentence names somebody who made something. What can be found
    somewhere was not founded, though both have one stem.
    """
    asked = _WHO_MADE.match(question)
    if asked is None:
        return text
    said = _FOUND.sub("", text)
    return f"{said} {asked[1]}" if names_maker(question, text) else said
