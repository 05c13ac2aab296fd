"""What stands before an extract: the heading above it, where that is a name or denies what stands below.

An entry of a reference stands under the name of an option or a setting, and need not say it itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from pipelines.query.citations import without_citations
from pipelines.query.extracts.denying_headings import behind_denials
from pipelines.query.extracts.editions import behind
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.passages.showing import items_in
from pipelines.query.extracts.persons import behind_persons
from pipelines.types import BlockKind

_OPTION = r"-{1,2}[A-Za-z][\w-]*(?:[\s=\[][^,\n]{0,60})?"
_NAME = re.compile(
    rf"{_OPTION}(?:,\s{_OPTION}){{0,3}}|(?:[A-Za-z]\w*\.)*[a-z][^\W_]*_\w+(?:\(.{{0,60}}\))?|[A-Z][A-Z\d]*_[A-Z\d_]+"
)
"""Options as programs write them ("--all, -a"), and the names of settings, signals and variables ("tide_limit")."""
_SIDE = re.compile(r"(?:pros|cons|advantages|disadvantages|strengths|weaknesses|drawbacks|benefits)", re.IGNORECASE)
"""Headings that stand below each of several things, of which one is best and another worst."""
_TOKEN = re.compile(r"-{0,2}\w[\w-]*")
_SAID: frozenset[BlockKind] = frozenset(("paragraph", "definition", "note"))
"""What is said of a thing; code and lists have what they are of in their own lines."""


def behind_names(question: str, extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts; those that cannot be understood without the heading above them begin with it.

    Such headings are the name of a person, a denial ("What is not allowed"), the name of an option or a setting
    ("tide_warning: Sent when the tide turns.") and one side of a thing ("Cons of Lug sails: ..."). A name that the
    question or the extract has is not repeated.
    """
    shown = behind_denials(behind_persons(question, extracts))
    return [behind(_entry_name(question, one) or _side(one), one) for one in shown]


def _entry_name(question: str, extract: Extract) -> str:
    """Return the name of the entry that an extract is of, if it is not said yet; else nothing."""
    heading = without_citations(extract.headings[-1]) if extract.headings else ""
    if _NAME.fullmatch(heading) is None or not _is_said(extract):
        return ""
    said = frozenset(_TOKEN.findall(f"{question} {extract.shown}"))
    return "" if any(name in said for name in _TOKEN.findall(heading)) else heading


def _side(extract: Extract) -> str:
    """Return what stands above an extract on the one side of a thing, with the thing, unless it says both; else
    nothing.
    """
    *above, heading = map(without_citations, extract.headings or ("",))
    if _SIDE.fullmatch(heading) is None or "\n\n" in extract.shown:
        return ""
    return f"{heading} of {above[-1]}" if above else heading


def _is_said(extract: Extract) -> bool:
    """Return whether an extract begins with prose, and is not what leads into a list."""
    if items_in(extract.shown):
        return False
    blocks = extract.stored.blocks if extract.stored is not None else ()
    at = bisect_right(blocks, extract.span.start, key=lambda block: block.span.start) - 1
    return at >= 0 and blocks[at].kind in _SAID
