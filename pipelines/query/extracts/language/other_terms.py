"""Texts that say what another term means than the one that a question asks about. The rules are for English."""

from __future__ import annotations

import re

from pipelines.query.extracts.language.definitions import definition_of_any

_MEANS = re.compile(
    r"(?:[-*\u2022]\s+)?[\"'\u2018\u201c]?(?!(?:here|it|that|there|these|this|those|what|which)\b)((?:[\w-]{1,30}\s){0,3}?[\w-]{1,30})"
    r"[\"'\u2019\u201d]?\s(?:means?|is\s+defined\s+as|refers?\s+to|stands?\s+for)\b(?!\s+that\b)",
    re.IGNORECASE,
)
"""How what a term means is said: "Reefed means: ..."; "This means that ..." says what follows from something."""


def defines_other(question: str, shown: str) -> bool:
    """Return whether it is asked what a thing is, and a text begins with what another term means."""
    definition = definition_of_any(question)
    found = _MEANS.match(shown) if definition is not None else None
    if definition is None or found is None:
        return False
    return not definition.is_of(found[1]) and not definition.stands_in(shown)
