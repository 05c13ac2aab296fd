"""Lists of conditions, which say of whom and when something holds: "Do not sail if: - you cannot swim".

The rules are for English.
"""

from __future__ import annotations

import re

from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import items_in
from pipelines.query.question_types import asks_condition
from pipelines.query.verdicts.polarity import negates

_CONDITION = re.compile(r"\W*(?:if|unless|when|whenever)\b", re.IGNORECASE)
_LEADS = re.compile(
    r"\b(?:if|unless|when|whenever)(?:\s+(?:he|it|she|they|you|your\s+\w+))?(?:\s+(?:are|have|is))?\W*$", re.IGNORECASE
)


def lists_conditions(question: str, passage: Passage) -> bool:
    """Return whether a question asks when, or for whom, something holds, and a passage is a list of such conditions.

    Each item is a condition, or the lead-in begins one. It denies what the question denies.
    """
    if passage.kind != "list" or not asks_condition(question):
        return False
    items = items_in(passage.shown)
    heading = passage.headings[-1] if passage.headings else passage.hit.title
    lead_in = passage.shown.partition("\n")[0]
    is_led = any(_LEADS.search(line) is not None for line in (heading, lead_in))
    are_conditions = bool(items) and all(_CONDITION.match(item) for item in items)
    return (is_led or are_conditions) and negates(f"{heading}: {lead_in}") == negates(question)
