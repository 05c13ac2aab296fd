"""Whether the sentence that answers best speaks of something else than the question.

Similarity does not see it: "Who ruled Prussia in 1812?" and a sentence on who ruled Poland then are nearly the same.
Rules for English, and for names and figures of any language that has capital letters.
"""

from __future__ import annotations

import re

from pipelines.query.confidence.opposites import says_opposite
from pipelines.query.extracts.extract import Extract
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.question_types import names_new, question_kind
from pipelines.query.verdicts.names import names, unknown
from pipelines.query.verdicts.polarity import negates

_FIGURE = re.compile(r"\w*\d(?:[\w.,-]*\w)?")


def is_off_subject(question: str, said: Extract, lexicon: Lexicon = NO_LEXICON) -> bool:
    """Return whether a name, a figure or a "not" of the question is missing, a word is opposed, or no such thing is
    named.

    Names may also stand in the title and headings, and what ``lexicon`` says that they stand for is as good. A question
    for a number, a time or a name expects a sentence that names one beside those of the question.
    """
    place = lexicon.with_names_of(question, " ".join((said.hit.title, *said.headings, said.shown)))
    kind = question_kind(question)
    return (
        bool(unknown(names(question), place))
        or any(figure not in place for figure in _FIGURE.findall(question))
        or (negates(question) and not negates(said.shown))
        or says_opposite(question, said.shown)
        or (kind is not None and not names_new(kind, said.shown, question))
    )
