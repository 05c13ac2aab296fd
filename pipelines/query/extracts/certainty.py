"""How sure an answer from an extract may be at most, and at least.

What a question names outweighs what is like it: a row of another year is near to the question in all words but one.
"""

from __future__ import annotations

import re

from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.language.commands import is_of_other_command
from pipelines.query.extracts.language.dates import names_month_left_out
from pipelines.query.extracts.language.defaults import asked_owner, asks_default
from pipelines.query.extracts.language.figures import amounts_of
from pipelines.query.extracts.language.holders import is_of_another
from pipelines.query.extracts.language.limits import lacks_limit
from pipelines.query.extracts.language.numbered import lacks_kind, lacks_numbered
from pipelines.query.extracts.language.other_questions import asks_otherwise
from pipelines.query.extracts.language.other_terms import defines_other
from pipelines.query.extracts.language.product_versions import lacks_past_release
from pipelines.query.extracts.language.tasks import lacks_task
from pipelines.query.extracts.language.treatments import lacks_treatment
from pipelines.query.extracts.language.whether_one_may import tells_whether_one_may
from pipelines.query.extracts.language.years import has_columns_of_other_years
from pipelines.query.extracts.mismatch import in_place, lacks_claimed_kind, lacks_subject, lacks_value, says_default
from pipelines.query.extracts.secondary import denies_asked
from pipelines.query.extracts.unasked import tells_only_changes
from pipelines.query.identifiers import asks_effect_of_option, is_entry_of_option
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.short_names import says_short_name

_DOUBTED = 0.55
_OTHER_FIGURE = 0.35
"""Above the default threshold: the figure may be within a range of the text."""
_UNTOLD = 0.25
"""Below it: what is so now says nothing of then, and who does not speak of encryption does not say how it is done."""
_OF_OPTION = 0.6
_COMPUTED = 0.4
_SPELLED_OUT = 0.6
_COVERED = 0.99
"""The share of a question that stands in an extract, where nothing of it is missing."""
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d.,]?\d)")


def most_sure(question: str, extract: Extract, lexicon: Lexicon = NO_LEXICON) -> float:
    """Return the highest confidence of an answer from an extract, in 0..1.

    It is lower where the extract lacks what the question is about, is about another holder of it, does not speak of
    the kind that is to be confirmed or of what is to be done, names no number, time or name where one is asked for,
    does not say what is so by default or at most, where that is asked, says only what it is not so of, what another
    term means or what changed once, names a day of the month that the question leaves out, or stands below another
    question. It is lower yet where it has the figure of another year, dose or round instead, and lowest where the
    extract does not name the release of the past or the treatment of data that is asked about.
    """
    place = in_place(extract)
    if lacks_past_release(question, place) or lacks_treatment(question, place):
        return _UNTOLD
    if lacks_subject(question, extract, lexicon):
        return _OTHER_FIGURE if _has_other_figure(question, extract) else _DOUBTED
    doubted = (
        is_of_another(question, place)
        or lacks_claimed_kind(question, extract, lexicon)
        or lacks_value(question, extract)
        or (asks_default(question) and not (says_default(question, extract) and _names_owner(question, extract)))
        or denies_asked(question, extract.shown)
        or defines_other(question, extract.shown)
        or tells_only_changes(question, (extract.hit.title, *extract.headings), extract.shown)
        or names_month_left_out(question, extract.shown)
        or lacks_numbered(question, in_place(extract))
        or lacks_task(question, in_place(extract))
        or lacks_limit(question, place)
        or is_of_other_command(question, extract.hit.title, in_place(extract))
        or (bool(extract.headings) and asks_otherwise(question, extract.headings[-1]))
    )
    return _DOUBTED if doubted else 1.0


def least_sure(question: str, extract: Extract, covered: float) -> float:
    """Return the lowest confidence of an answer from an extract, in 0..1.

    A name of one letter is near to nothing. But the entry of the option answers what that does, if it stands where all
    else that the question names does, and the words that a short name stands for answer what it means. Rows that were
    found by the names of rows and columns answer, though figures are near to nothing too, and so does what grants or
    forbids what one wants to do with a thing.
    """
    if asks_effect_of_option(question) and is_entry_of_option(question, extract.shown) and covered >= _COVERED:
        return _OF_OPTION
    if says_short_name(question, extract.shown):
        return _SPELLED_OUT
    answers = extract.is_computed or tells_whether_one_may(question, extract.shown)
    return _COMPUTED if answers else 0.0


def _names_owner(question: str, extract: Extract) -> bool:
    """Return whether an extract or its place names that of which the default is asked for, if a question says that."""
    owner = asked_owner(question)
    return owner == "" or is_among(owner, words_of(f"{in_place(extract)} {extract.hit.source}"))


def _has_other_figure(question: str, extract: Extract) -> bool:
    """Return whether an extract has another figure of the kind that tells what is meant, and not that of a question."""
    place = in_place(extract)
    missing = [year for year in _YEAR.findall(question) if year not in place]
    return (
        (bool(missing) and _YEAR.search(extract.shown) is not None)
        or has_columns_of_other_years(question, extract.shown)
        or lacks_kind(question, place)
        or any(not one.may_be_in(place) and one.has_others_in(extract.shown) for one in amounts_of(question))
    )
