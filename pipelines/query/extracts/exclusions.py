"""Exclusions: "This guideline does not cover children." answers a question about the dose for children. For English."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, pairwise

from pipelines.query.conversation.subjects import is_general, is_small
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.mismatch import in_place
from pipelines.query.extracts.passages.passages import Passage, Sentence, passages_of, sentences_of
from pipelines.query.verdicts.names import joins
from pipelines.types import Span, StoredText

_DOCUMENT = (
    r"(?:act|agreement|by-?laws?|code|contract|document|guidance|guidelines?|guide|insurance|licen[cs]e|manual|policy"
    r"|procedure|regulations?|rules|scheme|section|specification|standard|terms|warranty)"
)
_SUBJECT = (
    rf"\b(?:this|these|the\s+present|nothing\s+in\s+(?:this|these|the))\s(?:[\w-]{{1,30}}\s){{0,3}}?{_DOCUMENT}\b"
)
_SPEAKS_OF_ITSELF = re.compile(rf"\W{{0,9}}(?:\d[\d.]{{0,9}}\s)?(?:\(\w{{1,3}}\)\s)?{_SUBJECT}", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:it|they|also\s+excluded)\b", re.IGNORECASE)
_LEAVES_OUT = re.compile(
    r"\b(?:(?:does|do|shall|will|is|are)(?:\snot|n['\u2019]t)\s(?:\w{1,20}\s)?"
    r"(?:address|appl(?:y|icable)|cover|concern|deal\swith|extend\sto|includ(?:e|ing)|intended\sfor|valid\sfor)"
    r"|nothing\sin\b.{1,60}\sappl(?:y|ies)\sto|exclud(?:es?|ing)|except(?:\sfor|ing)?|with\sthe\sexception\sof)\b",
    re.IGNORECASE,
)
_NOT_COVERED = re.compile(
    r"\W*(?:\d[\d.]{0,9}\s)?(?:(?:general\s|other\s)?exclusions?"
    r"|(?:what(?:['\u2019]s|\sis|\swe\sdo)?\s)?not\s(?:cover(?:ed)?|included|insured)|out\sof\sscope)\W*",
    re.IGNORECASE,
)
"""The heading of what is left out."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SCOPE = re.compile(
    r"appl(?:y|ies|icable)|cover(?:s|ed)?|exclud\w*|exclusions?|includ\w*|valid|which|there", re.IGNORECASE
)
"""Words of a question about the scope itself."""
_LEAST, _LONGEST, _ENDING = 4, 40, 2
_MOST_WORDS = 12
_MOST_PLACES = 4


def with_exclusion(question: str, chosen: Extraction) -> Extraction:
    """Return the chosen extracts, or the sentence by which their document excludes what is asked about.

    That sentence answers only if the word stands nowhere else in the document.
    """
    first = chosen.extracts[0] if chosen.extracts else None
    if first is None or first.stored is None:
        return chosen
    told = (_leaves_out(word, first, first.stored) for word in _untold(question, first))
    excluded = next(filter(None, told), None)
    return chosen if excluded is None else replace(chosen, extracts=(excluded,))


def _untold(question: str, extract: Extract) -> list[str]:
    """Return the words of a question that are missing from an extract and its headings, in lower case."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(question) if _LEAST <= len(word) <= _LONGEST)
    asked = [
        word for word in words if not (is_small(word) or is_general(word) or joins(word) or _SCOPE.fullmatch(word))
    ]
    known = words_of(in_place(extract)) if asked else frozenset()
    return [word for word in asked[:_MOST_WORDS] if not is_among(word, known)]


def _leaves_out(word: str, extract: Extract, stored: StoredText) -> Extract | None:
    """Return the sentence by which a document leaves out a word, if each place of the word is in such a sentence."""
    stem = word[: max(_LEAST, len(word) - _ENDING)]
    found = re.finditer(rf"(?<!\w){re.escape(stem)}", stored.text, re.IGNORECASE)
    places = [one.span() for one in islice(found, _MOST_PLACES + 1)]
    if len(places) > _MOST_PLACES:
        return None
    told = [_sentence_at(Span(*place), stem, extract, stored) for place in places]
    return told[0] if told and all(told) else None


def _sentence_at(place: Span, stem: str, extract: Extract, stored: StoredText) -> Extract | None:
    """Return the sentence or the item around a place if it leaves out what stands there."""
    passages = passages_of([replace(extract.hit, span=place)], [stored])
    around = [one for one in passages if one.span.start <= place.start and place.end <= one.span.end]
    passage = min(around, key=lambda one: one.span.end - one.span.start, default=None)
    if passage is None:
        return None
    for before, one in pairwise((None, *_parts(passage))):
        if one is not None and one.span.start <= place.start < one.span.end:
            told = _told(before, one, stem, passage.headings[-1] if passage.headings else "")
            quote = stored.text[told.span.start : told.span.end] if told else ""
            return Extract(extract.hit, quote, told.span, told.shown, passage.headings, stored) if told else None
    return None


def _parts(passage: Passage) -> list[Sentence]:
    """Return the sentences of prose, or another passage as one."""
    return sentences_of(passage) if passage.kind == "sentences" else [Sentence(passage.span, passage.shown)]


def _told(before: Sentence | None, one: Sentence, stem: str, heading: str) -> Sentence | None:
    """Return a sentence by which a document excludes a word; None if it is no such sentence.

    It comes with the sentence before it that it continues, or with the heading that says "not covered".
    """
    if _NOT_COVERED.fullmatch(heading):
        return Sentence(one.span, f"{heading.rstrip(':')}: {one.shown}")
    leaves_out = _LEAVES_OUT.search(one.shown)
    if leaves_out is None or stem not in one.shown[leaves_out.end() :].lower():
        return None
    if _SPEAKS_OF_ITSELF.match(one.shown):
        return one
    goes_on = before is not None and _GOES_ON.match(one.shown) and _SPEAKS_OF_ITSELF.match(before.shown)
    return (
        Sentence(Span(before.span.start, one.span.end), f"{before.shown} {one.shown}") if before and goes_on else None
    )
