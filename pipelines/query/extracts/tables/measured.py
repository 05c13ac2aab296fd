"""What the most or the least is of where a question does not say it in the words of a table.

"Who sold most in spring?" is about sales, "the longest walk" about its length, "holds the most people" about capacity.
"""

from __future__ import annotations

import re

_VERBS = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), nouns, things)
    for said, nouns, things in (
        (r"s[eo]ll|sells|sold", "sales sold revenue turnover units", "goods items products"),
        (r"spen[dt]|spends|spending", "actual spent spending expenditure expenses cost costs", "money"),
        (
            r"g[ai]ve|gives|given|donate[sd]?|contribute[sd]?",
            "donated donation donor gift given",
            "money",
        ),
        (r"earn|earns|earned", "earned earnings income pay salary wage wages", "money"),
        (r"win|wins|won", "wins won victories", "games matches races"),
        (r"scored?|scores", "goals points score scored", ""),
        (
            r"(?:accommodate|carry|carrie|fit|for|hold|seat|sleep|take)s?\b[^?]{0,40}\b(?:people|persons|guests|visitors)",
            "capacity seats places",
            "people persons guests visitors",
        ),
    )
)
"""Verbs of questions, how columns are called that have the numbers of these, and what else is sold, spent or won."""
_ADJECTIVES = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), nouns)
    for said, nouns in (
        (r"(?<!\btake )(?<!\btakes )(?<!\btake the )(?<!\btakes the )(?:longest|shortest)", "length duration"),
        (r"takes?\s(?:the\s)?(?:longest|shortest)", "duration time"),
        (r"heaviest|lightest", "weight mass"),
        (r"tallest|highest", "height"),
        (r"biggest|largest|smallest", "size area"),
        (r"loudest|quietest", "noise loudness"),
        (r"fastest|slowest", "speed"),
        (r"hottest|coldest|warmest", "temperature"),
        (r"deepest|shallowest", "depth"),
        (r"widest|narrowest", "width"),
    )
)
"""Adjectives, and what they are about."""


def measures_of(question: str, *, of_rows: bool) -> str:
    """Return the names, with blanks between them, that a column may have in which a question looks for the most.

    An adjective counts ``of_rows`` alone: "the largest boat" is about its size, "the largest discount" about no size.
    """
    verbs = [nouns for said, nouns, _ in _VERBS if said.search(question)]
    return " ".join((*verbs, *(nouns for said, nouns in _ADJECTIVES if of_rows and said.search(question))))


def things_of(question: str) -> str:
    """Return the names, with blanks between them, of what a verb of the question is said of: it wins games."""
    return " ".join(f"{nouns} {things}" for said, nouns, things in _VERBS if said.search(question))
