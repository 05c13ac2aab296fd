"""What the most or the least is of where a question does not say it in the words of a table.

"Who sold most in spring?" is about sales, "the longest walk" about its length, "holds the most people" about capacity.
"""

from __future__ import annotations

import re

_NAMES = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), nouns)
    for said, nouns in (
        (r"s[eo]ll|sells|sold", "sales sold revenue turnover units"),
        (r"spen[dt]|spends|spending", "actual spent spending expenditure expenses cost costs"),
        (
            r"g[ai]ve|gives|given|donate[sd]?|contribute[sd]?",
            "donated donation donor gift given",
        ),
        (r"earn|earns|earned", "earned earnings income pay salary wage wages"),
        (r"win|wins|won", "wins won victories"),
        (r"scored?|scores", "goals points score scored"),
        (r"people|persons|guests|visitors", "capacity seats places"),
        (r"longest|shortest", "length duration"),
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
"""Verbs, adjectives and nouns of questions, and how columns are called that have the numbers of these."""


def measures_of(question: str) -> str:
    """Return the names, with blanks between them, that a column may have in which a question looks for the most."""
    return " ".join(nouns for said, nouns in _NAMES if said.search(question))
