"""Lines that are records: messages of a chat, times of a day, lines with a label or a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pipelines.reading.marks import Mark, note_or_caption
from pipelines.reading.questions.labelled import LABEL as ASKED_OR_SAID

RECORD = Mark("bullet", "record", 0, "", first=True)
"""How the records of a list are marked: all in the same way."""
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?:[ ]?[AaPp]\.?[Mm]\b\.?)?"
_DAY = r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2}(?=[,\]])))"
_STAMP = re.compile(
    rf"(?P<open>[\[(])?(?:{_DAY}(?:,?[T ])?[ ]?(?:{_TIME})?|{_TIME})(?:[ ]?[-\u2013\u2014][ ]?{_TIME})?"
    r"(?:[ ]?(?:Z|UTC|GMT|CES?T)\b)?(?(open)[\])])(?:[:,]?[ \t]+(?:[-\u2013\u2014|][ \t]+)?)(?=\S)"
)
"""A time or a day and what parts it from the words after it: "[10:26] ", "2025-05-04 10:26 - "."""
_SENDER = re.compile(rf"[^\W\d_][^\s:]{{0,30}}(?:,?[ \t]+[^\W\d_][^\s:]{{0,30}}){{0,3}},?[ \t]+[\[(]?{_TIME}[\])]?$")
"""A line with nothing but a name and a time, above what is said then."""
_LABEL = re.compile(r"(?![a-z]{2})[^\W\d_][^:.;,!?\n]{0,30}:[ \t]+\S")
_DEFINED = re.compile(
    r"[\"'\u2018\u201c\u201e\u00ab][^\"\u2019\u201c\u201d\u00bb\n]{1,80}[\"'\u2019\u201c\u201d\u00bb],?[ \t]+"
    r"(?:has|have|includes?|is|are|means?|refers?|bedeutet|bezeichnet|d\u00e9signe|signifie|significa)\b"
)
"""What a line of a contract begins with that says what a word means in it."""
_COUNTED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){1,3}|[^\W\d_a-z]\w{1,20} \d{1,3}[.:])[ \t]+[^\W\d_a-z]")
"""The number of a part: "2.1 Kettles", "Step 2. Ring us"."""
_MARKS = (_STAMP, _SENDER, _DEFINED, _COUNTED)
_SPEAKER = re.compile(r"[^\W\d_][^:\n]{0,60}(?=:\s)")
_FEWEST = 2
_FEWEST_ABOVE_TEXT = 3
"""Of labels where text without one follows, which may be prose that wraps."""


def ends_of_records(lines: Iterable[tuple[str, int]]) -> list[int]:
    """Return the line after each record that lines with their columns begin with; nothing if they begin with none.

    Two lines at least begin with the same kind of mark: a time, a sender with a time, a
    word that is defined, the number of a part, or a label.
    """
    further = iter(lines)
    first, column = next(further)
    mark = next((mark for mark in _MARKS if mark.match(first)), None)
    if mark is not None:
        return ends_of_marked([True, *(mark.match(shown) is not None for shown, _ in further)])
    if _LABEL.match(first) and not ASKED_OR_SAID.match(first) and note_or_caption(first) is None:
        return _ends_of_labelled(further, column)
    return []


def ends_of_marked(are_marked: Sequence[bool]) -> list[int]:
    """Return the line after each record; a line without a mark goes on with the record above it.

    Nothing if the first line has none, or fewer than two have one.
    """
    starts = [at for at, is_marked in enumerate(are_marked) if is_marked]
    return [*starts[1:], len(are_marked)] if len(starts) >= _FEWEST and starts[0] == 0 else []


def _ends_of_labelled(further: Iterable[tuple[str, int]], outer: int) -> list[int]:
    """Return the line after each line with a label, below a first one; what stands further in goes on with one."""
    starts, end, fewest = [0], 1, _FEWEST
    for shown, column in further:
        if column <= outer + 1:
            if _LABEL.match(shown) is None or column < outer:
                fewest = _FEWEST_ABOVE_TEXT
                break
            starts.append(end)
        end += 1
    return [*starts[1:], end] if len(starts) >= fewest else []


def are_replies(records: Sequence[str]) -> list[bool]:
    """Return which records are what somebody says right below what another one asks."""
    speakers = [_speaker(record) for record in records]
    replies = [
        asks.rstrip().endswith("?") and "" not in between and between[0] != between[1]
        for asks, between in zip(records, pairwise(speakers), strict=False)
    ]
    return [False, *replies][: len(records)]


def _speaker(record: str) -> str:
    """Return who says a record; empty where nobody does."""
    if sender := _SENDER.match(record.partition("\n")[0]):
        return re.sub(_TIME, "", sender[0])
    stamp = _STAMP.match(record)
    spoken = _SPEAKER.match(record, stamp.end() if stamp else 0)
    return spoken[0] if spoken else ""
