"""Headings that deny what stands below them: "Open fire" below "What is not allowed" says the opposite of itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.editions import behind
from pipelines.query.extracts.extract import Extract
from pipelines.query.verdicts.polarity import negates

_DENIES = re.compile(
    r"\W*(?:[\d.]+\s+)?(?!.*\bif\b)(?:(?:banned|excluded|forbidden|not|never|no|prohibited|unavailable|unsupported)\s"
    r"|(?:anything|items?|subjects|things|those|topics|what|when|where|which|who)\b.*\b(?:cannot|never|not|\w+n['\u2019]t)\b"
    r"|(?:\w+\s+){0,3}?(?:banned|disallowed|don['\u2019]?ts|excluded|exclusions?|forbidden|not\s+\w+|out\s+of\s+scope|prohibit(?:ed|ions?)"
    r"|unavailable|unsupported)\W*$)",
    re.IGNORECASE,
)
_MOST_WORDS = 8


def behind_denials(extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts; one that denies nothing itself begins with the heading above it where that does."""
    return [behind(without_citations(one.headings[-1]), one) if _is_denied(one) else one for one in extracts]


def _is_denied(extract: Extract) -> bool:
    heading = extract.headings[-1] if extract.headings else ""
    return word_count(heading) <= _MOST_WORDS and _DENIES.match(heading) is not None and not negates(extract.shown)
