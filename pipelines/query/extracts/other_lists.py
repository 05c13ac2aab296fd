"""Lists of something else than what a question asks for: options, parts, sections, rows of other things."""

from __future__ import annotations

import re

from pipelines.query.conversation.subjects import is_general, is_small
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.language.day_names import is_day, names_other_days
from pipelines.query.extracts.language.definitions import definition_of
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import items_in
from pipelines.query.question_types import question_form, question_thing, thing_stem
from pipelines.query.terms import Terms

_ROW_NAMES = re.compile(r"^(?!- )([^:;\n]{1,60}): [^;\n]+(?:; [^;\n]+)+ …$", re.MULTILINE)
"""The names of rows in one line; behind a dash stands a single row that is cut short."""
_ANY_COLUMN = re.compile(
    r"(?:code|field|id|item|key|kind|label|name|no\.?|number|option|parameter|property|setting|term|title|type|value"
    r"|variable)s?",
    re.IGNORECASE,
)
"""The name of a column that may hold any things."""
_KEY = re.compile(r"^(?:- )?([A-Z][a-z]{2,30}): [^;\n]+;")
"""The name of the column that a table begins with, where its rows are shown: "Pier: North; Depth: 4 m"."""
_ROW_OF_DAY = re.compile(r"(?:- )?(?:[A-Z][a-z]{2,30}: )?([A-Z][a-z]{2,9})(?:; |: )[^\n]+")
"""A row that is called by a day: "Day: Friday; Morning: 9-12", "Friday: closed"."""
_ANY_ROW = re.compile(
    r"(?:all|any|average|current|different|each|every|first|following|last|list|main|many|maximum|minimum|next|only|other|per"
    r"|right|same|second|single|total|which)",
    re.IGNORECASE,
)
"""What stands before the name of a column and tells no row: "each pier"."""
_TAKES = re.compile(
    r"\b(?:accepts?|has|have|supports?|takes?|understands?)\s[^.\n]{0,40}\b(?:arguments|flags|options|parameters|switches)\b"
    r"[^.\n]*:\n",
    re.IGNORECASE,
)
"""What leads into the options of a command: they do not say what it does."""
_KINDS_OF = re.compile(
    r"\b(?:kinds|sorts|types)\s+of\s+(?:[\w-]{1,40}\s+){0,2}?([\w-]{3,40}s)\s+(?:are|can|do|does|exist|is|there)\b",
    re.IGNORECASE,
)
_THERE_ARE = re.compile(
    r"(?:[^.!?\n]{1,80},\s)?there\s+(?:are|exist)\s([^.:;,\n]{1,120}?)\s(?:at|from|in|inside|on|within)\s([^.:;,\n]{1,80}+)"
    r"(?=[^\n]{0,200}+\n(?:[-*\u2022]|\w{1,3}[.)])\s)",
    re.IGNORECASE,
)
"""What leads into a list and says what there is, and where."""


def is_of_others(question: str, passage: Passage) -> bool:
    """Return whether a list or the names of a table's rows are of something else than what is asked for."""
    if question_form(question) == "list":
        return _lists_parts(question, passage.shown) or lists_others(question, passage.shown)
    return _takes_options(question, passage.shown) or _names_sections(passage)


def _takes_options(question: str, shown: str) -> bool:
    """Return whether it is asked what a thing is or does, and a list is of its options."""
    return _TAKES.search(shown) is not None and definition_of(question) is not None


def _lists_parts(question: str, shown: str) -> bool:
    """Return whether a list is of what each of the things, or one of them, has that are asked for: "A sail is made
    of:", "The aims of this sail are:".
    """
    kinds = _KINDS_OF.search(question)
    *_, thing = question_thing(question).lower().split() or [kinds[1].lower() if kinds is not None else ""]
    single = rf"\s+(?:[\w-]{{1,30}}\s+)?{re.escape(thing.removesuffix('s'))}\b[^\n]*:\n"
    lead_in = rf"(?:an?|each|every){single}|[^\n]{{1,100}}\s(?:by|for|in|of|to|with)\s(?:that|this){single}"
    return thing.endswith("s") and re.match(lead_in, shown, re.IGNORECASE) is not None


def lists_others(question: str, shown: str) -> bool:
    """Return whether a list of things is asked for, and a table or a list is of other things by its own words."""
    return names_other_rows(question, shown) or _counts_others(question, shown)


def _counts_others(question: str, shown: str) -> bool:
    """Return whether a list of things is asked for, and what leads into one says that there are other things on them:
    "There are several lamps on each pier:" of "Which piers are there?".
    """
    counted = _THERE_ARE.match(shown) if question_form(question) == "list" else None
    stem = thing_stem(question) if counted is not None else ""
    return counted is not None and stem != "" and stem not in counted[1].lower() and stem in counted[2].lower()


def names_other_rows(question: str, shown: str) -> bool:
    """Return whether a list of things is asked for, and a table is shown by the names of its rows, which are other
    things: "Harbour: Ebb; Flow …".
    """
    column = _ROW_NAMES.search(shown)
    if column is None or question_form(question) != "list" or _ANY_COLUMN.fullmatch(column[1]):
        return False
    return thing_stem(question) not in column[1].lower()


def row_names_in(shown: str) -> list[str]:
    """Return the names that stand for the rows of a long table; none where more of them is shown."""
    found = None if shown.startswith("- ") else _ROW_NAMES.search(shown)
    return found[0].removesuffix(" \u2026").partition(": ")[2].split("; ") if found is not None else []


def asks_of_one_row(question: str, shown: str, terms: Terms) -> bool:
    """Return whether a long table is shown by the names of its rows, and the asked things stand inside of one of these:
    in a row that is called by them, as the row "sail_colour" holds the sail colours, or where the rows are other
    things.
    """
    names, thing = row_names_in(shown), terms(question_thing(question))
    column, *_ = shown.split(":", 1)
    is_called = bool(thing) and not thing <= terms(column) and sum(thing <= terms(name) for name in names) == 1
    return is_called or (bool(names) and names_other_rows(question, shown))


def lacks_row(question: str, shown: str, place: str) -> bool:
    """Return whether rows of a table are shown, and a question names another one: "the west pier".

    ``place`` is what stands above the rows, which may name it too.
    """
    if _is_of_other_day(question, shown):
        return True
    column = _KEY.match(shown)
    if column is None or _ANY_COLUMN.fullmatch(column[1]):
        return False
    named = re.findall(rf"\b([a-z][a-z-]{{2,40}})\s+{column[1].removesuffix('s')}s?\b", question, re.IGNORECASE)
    words = words_of(f"{place} {shown}") if named else frozenset()
    rows = (one.lower() for one in named if not (is_small(one) or is_general(one) or _ANY_ROW.fullmatch(one)))
    return any(not is_among(one, words) for one in rows)


def _is_of_other_day(question: str, shown: str) -> bool:
    """Return whether a single row is shown that is called by a day of the week, and a question names another day,
    which stands nowhere in the row.
    """
    row = _ROW_OF_DAY.fullmatch(shown)
    return row is not None and is_day(row[1].lower()) and names_other_days(question, shown)


def _names_sections(passage: Passage) -> bool:
    """Return whether all items of a list are titles of sections of its document: it is a part of its contents."""
    items = items_in(passage.shown)
    if passage.kind not in ("item", "list") or passage.is_outline or not items:
        return False
    titles = {heading.title.strip(" .").lower() for heading in passage.stored.headings}
    return all(item.strip(" .").lower() in titles for item in items)
