"""Whether the sentence that answers best speaks of something else than the question.

Similarity does not see it: "Who ruled Prussia in 1812?" and a sentence on who ruled Poland then are nearly the same.
Rules for English, and for names and figures of any language that has capital letters.
"""

from __future__ import annotations

import re

from pipelines.query.asked import kind_asked, names_one
from pipelines.query.confidence.opposites import says_opposite
from pipelines.query.extracts.extract import Extract
from pipelines.query.verdicts.names import names, unknown
from pipelines.query.verdicts.polarity import negates

_FIGURE = re.compile(r"\w*\d(?:[\w.,-]*\w)?")


def speaks_of_something_else(question: str, said: Extract) -> bool:
    """Whether a name, a figure or a "not" of the question is missing, a word is opposed, or no such thing is named.

    Names may also stand in the title and headings. A question for a number, a time or a name expects a sentence that
    names one beside those of the question.
    """
    place = " ".join((said.hit.title, *said.headings, said.shown))
    kind = kind_asked(question)
    return (
        bool(unknown(names(question), place))
        or any(figure not in place for figure in _FIGURE.findall(question))
        or (negates(question) and not negates(said.shown))
        or says_opposite(question, said.shown)
        or (kind is not None and not names_one(kind, said.shown, question))
    )
