"""What stands on every page and answers little: the name and motto of a site, the version of a manual, a letterhead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from pipelines.components.sentences import word_count
from pipelines.types import Hit, StoredText

_MOST_ABOVE = 6
_MOST_WORDS = 30
_FEWEST_DOCUMENTS = 2
_FACT = re.compile(r"(?<!version )(?<!release )(?<![\d.])\d|:", re.IGNORECASE)
"""What a day, an amount or a label has: it may be asked for, however often it stands there."""
_ADDRESS = re.compile(r":?\s*\bhttps?://\S+")
_REGISTERED = re.compile(
    r"\bregistered\s+(?:in|office|at|under|no|number)\b|\b(?:company|commercial|trade)\s+reg(?:ist(?:ration|er))?\b"
    r"|\b(?:company|co\.?)\s+(?:no|nr|number)\b|\bhandelsregister\b|\bHR[AB]\s\d|\borg(?:\.|anisation)?[\s-]?(?:no|nr|number)\b",
    re.IGNORECASE,
)
"""What says where a company is registered, and under which number."""
_OF_COMPANY = re.compile(
    r"\bVAT\b|\btax\s+(?:id|no|number)\b|\bIBAN\b|\bdirectors?:|\b(?:AG|AS|Corp|GmbH|Inc|Ltd|Limited|LLC|LLP|plc|SA)\b",
    re.IGNORECASE,
)
"""What else such a line tells of the company."""
_ASKS_COMPANY = re.compile(
    r"\b(?:regist\w*|VAT|tax|IBAN|bank|account|directors?|address\w*|offices?|where|based|located|headquarters|company"
    r"|companies|ltd|limited|e-?mail|phone|tel\w*|contact\w*|legal\w*|owns?|owners?)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\b(?:is|are|was|were|has|have|must|shall|may|can|will)\b|;\s", re.IGNORECASE)
"""A line with a verb, and a row of a table, tell of more."""
_COMPARED = 12
_SAME = 0.5
"""The share of two documents' first blocks that both have if one is a copy or another version of the other."""


def repeated_lines(hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> frozenset[str]:
    """Return the short blocks, each as a line, above the first heading of several of the documents of ``hits``.

    Copies and versions of one document repeat everything, so they count as one. Days, amounts and labels may be what
    is asked for, and are not among them.
    """
    documents = {hit.document_id: text for hit, text in zip(hits, texts, strict=True) if text is not None}
    above: Counter[str] = Counter()
    bodies: list[frozenset[str]] = []
    for stored in documents.values():
        banner, body = _begun(stored)
        if banner and not any(_is_same(body, other) for other in bodies):
            above.update(banner)
            bodies.append(body)
    return frozenset(line for line, pages in above.items() if pages >= _FEWEST_DOCUMENTS)


def as_line(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def is_company_line(question: str, shown: str) -> bool:
    """Return whether a text only says where a company is registered, as at the foot of letters, and the question does
    not ask for that.
    """
    line = as_line(shown)
    tells = word_count(line) <= _MOST_WORDS and _REGISTERED.search(line) and _OF_COMPANY.search(line)
    return bool(tells) and not _SENTENCE.search(line) and not _ASKS_COMPANY.search(question)


def _begun(stored: StoredText) -> tuple[frozenset[str], frozenset[str]]:
    """Return the short lines above a text's first heading, if they are few, and its first blocks below it."""
    first = next((n for n, block in enumerate(stored.blocks) if block.kind == "heading"), None)
    if not first or first > _MOST_ABOVE:
        return frozenset(), frozenset()
    lines = [
        as_line(stored.text[block.span.start : block.span.end])
        for block in islice(stored.blocks, first + _COMPARED)
        if block.kind != "heading"
    ]
    banner = (
        line for line in lines[:first] if word_count(line) <= _MOST_WORDS and not _FACT.search(_ADDRESS.sub("", line))
    )
    return frozenset(banner), frozenset(lines[first:])


def _is_same(body: frozenset[str], other: frozenset[str]) -> bool:
    return len(body & other) > _SAME * min(len(body), len(other))
