"""Reasons: texts that give them, and texts that only state the decision."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.query.extracts.language.definitions import bare_heading

_ASKS = re.compile(r"^\W*(?:(?:and|but|so)\s+)?why\b", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|due\s+to|so\s+that|otherwise|reasons?|caused\s+by|led\s+to|in\s+order\s+(?:for|that|to))\b",
    re.IGNORECASE,
)
_OF_REASONS = re.compile(
    r"\W*(?:(?:root|underlying)\s+)?(?:background|causes?|context|motivation|problem(?:\s+(?:description|statement))?|rationale|reason(?:s|ing)?"
    r"|why\b.*)\W*",
    re.IGNORECASE,
)
_OF_DECISIONS = re.compile(r"\W*(?:consequences?|decisions?|outcomes?|status)\W*", re.IGNORECASE)


def asks_why(question: str) -> bool:
    """Return whether a question asks for reasons."""
    return _ASKS.match(question) is not None


def reasoning(shown: str, headings: Sequence[str]) -> float:
    """Return how likely a text gives reasons: 1 in a section on them, less where its words do, below 0 for a decision
    and what came of it.
    """
    heading = bare_heading(headings[-1]) if headings else ""
    if _OF_REASONS.fullmatch(heading):
        return 1.0
    return 0.5 * (_REASON.search(shown) is not None) - 0.5 * (_OF_DECISIONS.fullmatch(heading) is not None)
