"""Names in the head of a document: the parties of a contract, the lines of a title block."""

from __future__ import annotations

import re
from itertools import takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.extract import Extract
from pipelines.query.verdicts.names import names, unknown
from pipelines.types import StoredText

_PARTIES = re.compile(r"\bbetween\b.{1,300}\band\b", re.IGNORECASE | re.DOTALL)
_MOST_BLOCKS = 10
_IN_HEAD = ("paragraph", "item", "header", "row")
_MOST_CHARS = 400
"""Of a block of a head."""
_LINE_WORDS = 8
"""Of a line that is no sentence."""
_ISSUER = re.compile(
    r"((?:[A-Z][\w'\u2019-]{1,30}\s(?:(?:and|for|of|the)\s){0,2}){0,4}[A-Z][\w'\u2019-]{1,30})\s?[,\u2013\u2014|]"
)
"""Whom a paragraph begins with: "Ostvik Rowing Club, 3 May, boathouse. All members were there."."""
_OF_VERSION = re.compile(r"\b([A-Z]\w{1,30}(?:\.[a-z]{2,3})?)\sv?(\d{1,3})\b(?!\.?\d)")
"""A product and its version: "Ebb 4", "Ebb.js 4"."""
_SENTENCE_END = (".", "!", "?", ":", ";", ",")


def named_in_head(question: str, extract: Extract) -> tuple[str, ...]:
    """Return the names of a question that stand in the head of the document of an extract.

    A document on "version 4" is on the product that it names with that version.
    """
    asked = names(question)
    if not asked or extract.stored is None:
        return ()
    missing = unknown(asked, " ".join((_head(extract.stored), *_products(question, extract, extract.stored))))
    return tuple(name for name in asked if name not in missing)


def _products(question: str, extract: Extract, stored: StoredText) -> list[str]:
    """Return the products of which a question names the version that an extract stands below."""
    place = " ".join((extract.hit.title, *extract.headings))
    return [
        product
        for product, version in _OF_VERSION.findall(question)
        if re.search(rf"\b(?:version\s|v){version}\b", place, re.IGNORECASE)
        and re.search(rf"\b{re.escape(product)}(?:\.[a-z]{{2,3}})?\sv?{version}\b", stored.text)
    ]


def _head(stored: StoredText) -> str:
    """Return the head of a text: what stands above its second heading, or above the first one that is not the title.

    If the head names parties it is returned whole, else only its lines that are not sentences, and the names that its
    paragraphs begin with.
    """
    later = (heading.start for heading in stored.headings[:2] if heading.start > 0)
    end = next(later, len(stored.text))
    blocks = takewhile(lambda block: block.span.start < end, stored.blocks[:_MOST_BLOCKS])
    spans = (block.span for block in blocks if block.kind in _IN_HEAD)
    told = [stored.text[span.start : min(span.end, span.start + _MOST_CHARS)] for span in spans]
    whole = "\n".join(told)
    issuers = [found[1] for text in told if (found := _ISSUER.match(text)) is not None]
    return whole if _PARTIES.search(whole) else "\n".join((*filter(_is_line, told), *issuers))


def _is_line(text: str) -> bool:
    return word_count(text) <= _LINE_WORDS and not text.rstrip().endswith(_SENTENCE_END)
