"""What a choice of passages comes to: the extracts that answer, and how well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipelines.types import Hit, Span, StoredText


@dataclass(frozen=True, slots=True)
class Extract:
    """A passage that answers, as it is quoted and shown.

    Attributes:
        hit: The hit that it was found by.
        quote: The text of ``span``, verbatim.
        span: Its place in the version's text.
        shown: What the answer shows of it: on one line, a list below its lead-in, a row with the names of its columns.
        headings: The headings above it, the outermost first.
        stored: That text; None where it was deleted since, and the hit alone tells.
        is_computed: Whether it was computed to answer the question, such as the rows with a value that it names.
    """

    hit: Hit
    quote: str
    span: Span
    shown: str
    headings: tuple[str, ...] = ()
    stored: StoredText | None = None
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """The extracts that answer, the best first, and the signals of how well; see `pipelines.profile.calibration`.

    ``about_another``: every passage speaks of another thing than the one that the question names.
    ``nearest``: the highest cosine of a text of the first extract to the question; 0 where it does not count.
    ``spelled``: the short names of the question with the words that the documents say they stand for.
    """

    extracts: tuple[Extract, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    about_another: bool = False
    nearest: float = 0.0
    spelled: Mapping[str, str] = field(default_factory=dict)
