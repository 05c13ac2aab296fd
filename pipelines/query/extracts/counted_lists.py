"""Lists whose lead-in says how many things there are, where that is asked: "The harbour has seven berths:"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.query.extracts.candidates import Candidate, put_before
from pipelines.query.extracts.language.things import counted
from pipelines.query.extracts.passages.passages import LISTS, Passage
from pipelines.query.question_types import names_new

_HOW_MANY = re.compile(r"\W*(?:and\s+|so\s+)?how\s+many\b", re.IGNORECASE)
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})"


def favour_counted(question: str, candidates: Sequence[Candidate]) -> None:
    """Let a list that says how many of the asked things there are come before a passage without a number of them."""
    best = max(candidates, key=lambda one: one.score, default=None)
    thing = counted(question) if _HOW_MANY.match(question) else ""
    if best is None or not thing or names_new("number", best.passage.shown, question):
        return
    says = re.compile(rf"\b{_NUMBER}\s(?:[\w-]{{1,30}}\s){{0,2}}{re.escape(thing)}", re.IGNORECASE)
    put_before(best, [one for one in candidates if _tells(one.passage, says)])


def _tells(passage: Passage, says: re.Pattern[str]) -> bool:
    lead_in, *items = passage.shown.split("\n", 1)
    return passage.kind in LISTS and bool(items) and says.search(lead_in) is not None
