"""Headings that deny what stands below them: "Open fire" below "What is not allowed" says the opposite of itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.editions import behind
from pipelines.query.extracts.extract import Extract
from pipelines.query.verdicts.polarity import negates

_DENIES = re.compile(
    r"\W{0,20}(?:[\d.]{1,12}\s+)?(?!.*\bif\b)(?:(?:banned|excluded|forbidden|not|never|no|prohibited|unavailable|unsupported)\s"
    r"|(?:anything|items?|subjects|things|those|topics|what|when|where|which|who)\b.*\b(?:cannot|never|not|\w+n['\u2019]t)\b"
    r"|(?:\w+\s+){0,3}?(?:banned|disallowed|don['\u2019]?ts|excluded|exclusions?|forbidden|not\s+\w+|out\s+of\s+scope|prohibit(?:ed|ions?)"
    r"|unavailable|unsupported)\W*$)",
    re.IGNORECASE,
)
_MOST_WORDS = 8


def behind_denials(extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts; one that denies nothing itself begins with the heading above it where that does.

    Of prose that is the first paragraph: behind a list of what is not allowed may stand whatever else there is to say.
    """
    return [behind(without_citations(one.headings[-1]), one) if _is_denied(one) else one for one in extracts]


def _is_denied(extract: Extract) -> bool:
    heading = extract.headings[-1] if extract.headings else ""
    denies = word_count(heading) <= _MOST_WORDS and _DENIES.match(heading) is not None
    return denies and not negates(extract.shown) and _is_of_heading(extract)


def _is_of_heading(extract: Extract) -> bool:
    """Return whether an extract is a list or a row, or stands right below its heading."""
    blocks = extract.stored.blocks if extract.stored is not None else ()
    at = bisect_right(blocks, extract.span.start, key=lambda block: block.span.start) - 1
    if at < 0:
        return False
    return blocks[at].level > 0 or (at > 0 and blocks[at - 1].kind == "heading")
