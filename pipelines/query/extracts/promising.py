"""Narrows passages down to the promising ones: by their words, their headings and the hits that they are of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from pipelines.query.extracts.language.coverage import Coverage
from pipelines.query.extracts.language.definitions import Definition, definition_of
from pipelines.query.extracts.language.figures import pins_of
from pipelines.query.extracts.language.product_versions import names_version, version_lines
from pipelines.query.extracts.language.remedies import asks_remedy, tells_remedy
from pipelines.query.extracts.language.years import of_other_years
from pipelines.query.extracts.passages.passages import LISTS, Passage
from pipelines.query.extracts.sections import NamedSections
from pipelines.query.extracts.tables.rows import is_row_of_setting, table_of
from pipelines.query.question_types import question_form

Scores = npt.NDArray[np.float64]

_PROMISING = 12
"""Passages that are read beside the question: more cost time and find no more answers."""
_MORE = 3
"""Lists, definitions and remedies beyond these that are read where such are asked for: they share few words with the
question.
"""
_SECTIONS = 3
"""The best passages with sections that are also read from their beginning: it often states the rule, in few words."""


def promising_passages(
    question: str, passages: Sequence[Passage], texts: Sequence[str], coverage: Coverage, sections: NamedSections
) -> list[Passage]:
    """Return the passages whose words, headings and hits promise most; more of those that have the form asked for.

    ``texts`` are the passages in context, with the words of the question behind them that they say in other words.
    """
    if len(passages) <= _PROMISING:
        return list(passages)
    promise = (
        0.7 * _standard(coverage.of(texts))
        + 0.5 * _standard(coverage.of([passage.shown for passage in passages]))
        + 0.5 * _standard(np.array([passage.hit.score for passage in passages]))
        - np.array(off_pins(question, passages), np.float64)
    )
    order = [passages[index] for index in np.argsort(-promise, kind="stable")]
    lists, definition = question_form(question) == "list", definition_of(question)
    remedies = asks_remedy(question)
    rest = order[_PROMISING:]
    found = [passage for passage in rest if is_definition(passage, definition) or sections.introduces(passage)]
    defining = sorted(found, key=lambda passage: not is_definition(passage, definition))[:_MORE]
    # Lists of headings and what stands under a named version share few words with the question: their rank says little.
    outlines = [passage for passage in rest if passage.is_outline or passage.computed_for][:_MORE]
    known = set(map(id, [*defining, *outlines]))
    openings = [one for one in _openings(order[:_SECTIONS], passages, rest) if id(one) not in known]
    openings += _code_of(order[:_SECTIONS], rest) if question_form(question) == "howto" else []
    known.update(map(id, openings))
    further = (
        passage
        for passage in rest
        if id(passage) not in known
        and ((lists and passage.kind in LISTS) or sections.holds(passage) or (remedies and tells_remedy(passage.shown)))
    )
    return [*order[:_PROMISING], *defining, *outlines, *openings, *islice(further, _MORE)]


def _openings(best: Sequence[Passage], passages: Sequence[Passage], rest: Sequence[Passage]) -> list[Passage]:
    """Return the passages of ``rest`` that are the prose with which the section of one of the best begins."""
    beginnings: dict[int, Passage] = {}
    for one in best:
        section = [other for other in passages if other.headings == one.headings and other.is_of_text(one)]
        first = min(section, key=lambda passage: passage.span.start)
        if one.headings and first.kind == "sentences":
            beginnings[id(first)] = first
    return [passage for passage in rest if id(passage) in beginnings]


def _code_of(best: Sequence[Passage], rest: Sequence[Passage]) -> list[Passage]:
    """Return code of ``rest`` in the sections of the best passages: it shows how, in few words of the question."""
    code = (one for one in rest if one.kind == "code" and any(_is_below(one, other) for other in best))
    return list(islice(code, _MORE))


def _is_below(passage: Passage, other: Passage) -> bool:
    return passage.is_of_text(other) and passage.headings[: len(other.headings)] == other.headings


def with_their_lists(promising: Sequence[Passage], passages: Sequence[Passage]) -> list[Passage]:
    """Return the promising passages, and the lists and tables that hold promising items and rows."""
    known = {id(passage) for passage in promising}
    parts = [passage for passage in promising if passage.is_part]
    whole = [
        passage
        for passage in passages
        if id(passage) not in known and passage.kind in LISTS and any(passage.holds(part) for part in parts)
    ]
    return [*promising, *whole]


def with_rows(question: str, promising: Sequence[Passage], named: Sequence[Passage]) -> list[Passage]:
    """Return the promising passages, and the rows that the question names of tables among them, or that are the entry
    of the setting that it asks the default of.
    """
    tables = {table_of(passage) for passage in promising if passage.kind in ("row", "table")}
    known = {id(passage) for passage in promising}
    rows = (row for row in named if table_of(row) in tables or is_row_of_setting(question, row))
    return [*promising, *(row for row in rows if id(row) not in known)]


def is_definition(passage: Passage, definition: Definition | None) -> bool:
    """Return whether prose says what the thing is; an item of a list seldom does, though it may begin so."""
    return passage.kind == "sentences" and defines(passage.shown, passage, definition)


def defines(text: str, passage: Passage, definition: Definition | None) -> bool:
    """Return whether a text of a passage says what the thing is."""
    heading = passage.headings[-1] if passage.headings else passage.hit.title
    return definition is not None and definition.stands_in(text, heading)


def off_pins(question: str, passages: Sequence[Passage]) -> list[bool]:
    """Return which passages lack a day or a version of the question that others have, or are of another year's edition.

    A line of versions ("8.x") counts as the version that is of it, and headings as part of a passage.
    """
    pins, lines = pins_of(question), version_lines(question)
    lacking = [not pins.are_in(passage.in_context) for passage in passages]
    if lines is not None and not any(lacking):
        of_lines = [lines.search(passage.in_context) is not None for passage in passages]
        told = any(of_lines)
        lacking = [
            told and not is_of_line and not names_version(question, passage.in_context)
            for is_of_line, passage in zip(of_lines, passages, strict=True)
        ]
    of_others = of_other_years(question, [(passage.hit, passage.headings) for passage in passages])
    is_any = not all(lacking)
    return [(is_any and lacks) or is_other for lacks, is_other in zip(lacking, of_others, strict=True)]


def _standard(values: Scores) -> Scores:
    deviation = float(values.std())
    return (values - values.mean()) / deviation if deviation else np.zeros_like(values)


def is_counted_part(passage: Passage, of: Passage, own_lists: Sequence[Passage]) -> bool:
    """Return whether another passage is at least as good as this part of it.

    That does not hold for what stands inside of an entry, or if one of ``own_lists`` is inside of the other passage:
    the lists that are asked for by themselves, and that the part is or stands in.
    """
    is_shown = of.holds(passage) and (of.is_inside or not passage.is_inside)
    return is_shown and not any(map(of.holds, own_lists))
