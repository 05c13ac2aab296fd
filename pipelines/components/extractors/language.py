"""The language of a document, as ISO 639-1 has it, in its metadata."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from pipelines.types import ParsedDocument

LANGUAGE = "language"
_SAMPLE = 2000
"""Characters that are read: more change nothing."""
_LEAST_LETTERS = 20
_SURE = 0.6
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile(r"[a-z]{2,3}(?=$|[-_])", re.IGNORECASE)


def extract_language(document: ParsedDocument) -> ParsedDocument:
    """Return ``document`` with its ``language``: the one that it names itself, else the one that it is written in.

    A text that is too short, or that could be of several languages, has none.
    """
    named = document.metadata.get(LANGUAGE)
    code = _CODE.match(named) if isinstance(named, str) else None
    found = code[0].lower() if code is not None else language_of(document.text)
    return document if found is None else replace(document, metadata={**document.metadata, LANGUAGE: found})


def language_of(text: str) -> str | None:
    """Return the language of a text; None if it cannot be recognised."""
    sample = text[:_SAMPLE]
    if len(_LETTER.findall(sample)) < _LEAST_LETTERS:
        return None
    code, sure = _identifier().classify(sample)
    return str(code) if sure >= _SURE else None


@cache
def _identifier() -> Any:
    """Return the model of py3langid: naive Bayes over byte n-grams, of 97 languages, in the package."""
    from py3langid import langid

    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
