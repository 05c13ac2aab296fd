"""Whether the sentence that answers best speaks of something else than the question.

Similarity does not see it: "Who ruled Prussia in 1812?" and a sentence on who ruled Poland then are nearly the same.
Rules for English, and for names and figures of any language that has capital letters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice, takewhile

from pipelines.query.conversation.subjects import names_side
from pipelines.query.extracts.document_heads import named_in_head
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.language.asked_nouns import asked_noun
from pipelines.query.extracts.language.commands import asked_command
from pipelines.query.extracts.language.dates import names_other_dates
from pipelines.query.extracts.language.day_names import names_day, names_other_days
from pipelines.query.extracts.language.defaults import (
    asks_default,
    defaults_in,
    implies_default,
    paths_in,
    settings_in,
    tells_thing,
)
from pipelines.query.extracts.language.definitions import (
    Definition,
    definition_of_any,
    is_introductory,
    joined,
    joined_words,
)
from pipelines.query.extracts.language.denials import denies_otherwise
from pipelines.query.extracts.language.ends import tells_other_end
from pipelines.query.extracts.language.figures import figures_of, pins_of
from pipelines.query.extracts.language.held import with_held
from pipelines.query.extracts.language.kinds_of_change import lacks_removal, tells_other_change
from pipelines.query.extracts.language.numbered import lacks_kind
from pipelines.query.extracts.language.origins import lacks_origin
from pipelines.query.extracts.language.other_pairs import compares_others, lacks_side
from pipelines.query.extracts.language.other_properties import tells_other_property
from pipelines.query.extracts.language.other_terms import defines_other
from pipelines.query.extracts.language.product_versions import lacks_version
from pipelines.query.extracts.language.series import ITEM, lists_names, lists_nothing
from pipelines.query.extracts.language.siblings import tells_of_sibling
from pipelines.query.extracts.language.superlatives import lacks_superlative
from pipelines.query.extracts.language.things import bought, claimed, claimed_kinds, counted, named_before_kind, priced
from pipelines.query.extracts.language.years import has_columns_of_other_years, of_other_years
from pipelines.query.extracts.other_kinds import is_of_other_kind
from pipelines.query.extracts.other_lists import lacks_row, lists_others
from pipelines.query.extracts.passages.boilerplate import is_company_line
from pipelines.query.extracts.passages.file_names import unsaid_file_name
from pipelines.query.extracts.passages.fillers import speaks_of_page
from pipelines.query.extracts.secondary import denies_asked, denies_items
from pipelines.query.extracts.unasked import is_head_of_message, is_history, tells_only_changes, tells_steps
from pipelines.query.identifiers import lacks_asked_name, lacks_identifier
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.makers import asks_who_made
from pipelines.query.question_types import (
    names_new,
    question_form,
    question_kind,
    thing_stem,
)
from pipelines.query.verdicts.names import initialled, is_in_other_number, names, unknown
from pipelines.query.verdicts.opposites import says_opposite
from pipelines.query.verdicts.polarity import negates

_ENTRY = re.compile(r"(?:[-*•]\s+)?([\w.@/+-]{1,80})(\s{0,3}[(\[=<][^:\n]{1,60})?:\s")
"""How an entry of a manual begins: "maxTide (number): ..."."""
_TERM = re.compile(r"(?:[-*•]\s+)?([^:\n]{1,60}):\s+\S")
"""How an entry of a glossary begins: "Slack water: ..."."""
_IDENTIFIER = re.compile(r"[_.\d-]|[a-z][A-Z]")
"""What is in the name of a setting and in no plain word: "Note: ..." begins no entry."""
_SHORT_NAME = 3
"""Letters of a name whose last one is part of it: "AWS" is no plural."""
_BRIEF = 20
"""Words of prose that need not call the things by their name: "Lions do." of "Which cats roar?"."""
_SHARE = 1 / 3
"""Of the items of a list that say what they are."""


def is_off_subject(question: str, extract: Extract, lexicon: Lexicon = NO_LEXICON) -> bool:
    """Return whether an extract is about something else than the question: what the question names is missing or
    opposed, no value of the kind asked for is named, or the extract tells of a change that was not asked about.

    Names may also stand in the title, the headings and the file's name, and what ``lexicon`` says that they stand for
    is as good. A question for a number, a time or a name expects a sentence that names one beside those of the
    question; a list that is asked for calls its items by that name, or stands under it.
    """
    return (
        names_side(question)
        or lacks_subject(question, extract, lexicon)
        or lacks_value(question, extract)
        or lacks_asked_name(question, extract.shown)
        or tells_only_changes(question, (extract.hit.title, *extract.headings), extract.shown)
        or tells_other_change(question, extract.shown, extract.headings)
        or lacks_removal(question, in_place(extract))
        or is_head_of_message(question, extract.shown)
        or is_history(question, extract.shown)
        or is_company_line(question, extract.shown)
        or _defines_nothing(question, extract)
        or _lacks_command(question, extract)
        or _says_nothing_of_it(question, extract, lexicon)
        or lists_nothing(question, extract.shown)
        or lacks_origin(question, extract.shown)
        or denies_items(question, extract.shown)
        or denies_asked(question, extract.shown)
        or tells_steps(question, extract.shown)
        or lists_others(question, extract.shown)
        or compares_others(question, extract.shown)
        or is_of_other_kind(question, extract)
        or (not extract.is_computed and _lists_unnamed(question, extract.shown, " ".join(_place(extract))))
        or (asks_default(question) and not says_default(question, extract))
        or (not extract.is_computed and lacks_superlative(question, in_place(extract)))
    )


def lacks_value(question: str, extract: Extract) -> bool:
    """Return whether a number, a time, a sum or a name is asked for, and an extract names none but the question's."""
    kind = question_kind(question)
    return kind is not None and not names_new(kind, _told(question, extract), question)


def lacks_subject(question: str, extract: Extract, lexicon: Lexicon = NO_LEXICON) -> bool:
    """Return whether an extract lacks what the question names, or is about a near relative of it.

    Missing may be a name, an identifier, a figure or a "not"; near relatives are the opposite, another kind or version
    (type 2, v2), and another property (the net weight).

    What is asked, yes or no, is answered by the opposite too.
    """
    above = (*_place(extract), *named_in_head(question, extract))
    place = lexicon.with_names_of(question, " ".join((*above, extract.shown)))
    return (
        _lacks_name(question, place)
        or (question_form(question) != "yesno" and names_other_days(question, place))
        or names_other_dates(question, place)
        or _lacks_figure(question, place)
        or has_columns_of_other_years(question, extract.shown)
        or lacks_kind(question, place)
        or lacks_version(question, place, " ".join(above))
        or lacks_identifier(question, "\n".join((place, *above)))
        or tells_other_property(question, extract.shown, " ".join(_place(extract)))
        or is_of_sibling(question, extract)
        or (not extract.is_computed and lacks_row(question, extract.shown, " ".join(above)))
        or tells_other_end(question, extract.shown)
        or _leaves_out_denial(question, extract)
        or (question_form(question) != "yesno" and says_opposite(question, extract.shown))
    )


def is_of_sibling(question: str, extract: Extract) -> bool:
    """Return whether an extract is about the sibling of what the question names: another version or environment."""
    return tells_of_sibling(question, extract.shown, _place(extract))


def _lacks_name(question: str, place: str) -> bool:
    """Return whether a name of a question is missing, also in the plural, as initials or within a range."""
    missing = set(unknown(names(question), place)) - initialled(question, place)
    return any(
        not names_day(name, place) and not (len(name) > _SHORT_NAME and is_in_other_number(name, place))
        for name in missing
    )


def _lacks_figure(question: str, place: str) -> bool:
    """Return whether a figure of a question is missing; a range that holds it has it."""
    figures = figures_of(question)
    return not figures.are_in(place) and not figures.are_in(with_held(question, place))


def _leaves_out_denial(question: str, extract: Extract) -> bool:
    """Return whether a question says "not", and an extract and its heading deny nothing; what is so by default need
    not.
    """
    place = "\n".join((*extract.headings[-1:], extract.shown))
    is_denied = negates(place) or denies_otherwise(extract.shown)
    return negates(question) and not is_denied and not asks_default(question)


def _told(question: str, extract: Extract) -> str:
    """Return what an extract shows, behind the heading that may say that those named below it made something."""
    heading = extract.headings[-1] if extract.headings and asks_who_made(question) else ""
    return f"{heading}: {extract.shown}" if heading else extract.shown


def says_default(question: str, extract: Extract) -> bool:
    """Return whether a text may say what is so by default, or code gives the setting that is asked about its value."""
    told = " ".join((*extract.headings, extract.shown))
    if not tells_thing(question, told):
        return False
    if implies_default(in_place(extract)):
        return True
    asked, written = frozenset(joined_words(question)), question.lower()
    named = (name for name in defaults_in(extract.shown) if joined(name) in asked or name.lower() in written)
    return _has_code(extract) and next(named, None) is not None


def _has_code(extract: Extract) -> bool:
    blocks = extract.stored.blocks if extract.stored is not None else ()
    at = bisect_left(blocks, extract.span.start, key=lambda block: block.span.end)
    within = takewhile(lambda block: block.span.start < extract.span.end, islice(blocks, at, None))
    return any(block.kind == "code" for block in within)


def _place(extract: Extract) -> tuple[str, ...]:
    """Return the title and the headings that an extract stands under, and the name of its file."""
    above = (extract.hit.title, *extract.headings)
    return (*above, unsaid_file_name(extract.hit.source, " ".join(above)))


def in_place(extract: Extract) -> str:
    """Return what an extract shows, after the title, the headings and the name of the file that it stands under."""
    return " ".join((*_place(extract), extract.shown))


def of_one_subject(question: str, extracts: Sequence[Extract], lexicon: Lexicon = NO_LEXICON) -> tuple[Extract, ...]:
    """Return the extracts without those that are about another thing; a comparison has two.

    Those that lack a day or a version that the question names go where one has it, those of editions of other years
    where one is of that which it names, and after an extract on the subject those that are off it.
    """
    if len(extracts) < 2 or question_form(question) == "comparison":
        return tuple(extracts)
    pins = pins_of(question)
    of_others = of_other_years(question, [(one.hit, one.headings) for one in extracts])
    extracts = [one for one, is_other in zip(extracts, of_others, strict=True) if not is_other]
    pinned = [one for one in extracts if pins.are_in(in_place(one))]
    first, *rest = pinned or extracts
    if lacks_subject(question, first, lexicon):
        return first, *rest
    return first, *(one for one in rest if not lacks_subject(question, one, lexicon))


def tells_one_side(question: str, extracts: Sequence[Extract]) -> bool:
    """Return whether a question compares two things, and all extracts together speak of one of them alone."""
    return lacks_side(question, " ".join(part for one in extracts for part in (*_place(one), one.shown)))


def _defines_nothing(question: str, extract: Extract) -> bool:
    """Return whether it is asked what a thing is, and ``extract`` neither says it nor stands under its name.

    The entry of another thing does not say it, though it stands under that heading.
    """
    definition = definition_of_any(question)
    if definition is None or asks_default(question):
        return False
    if _has_code(extract) and _gives_value(definition, extract):
        return False
    if defines_other(question, extract.shown):
        return True
    entry = _ENTRY.match(extract.shown)
    if entry is not None and (entry[2] or _IDENTIFIER.search(entry[1])):
        return not definition.is_of(entry[1]) and not definition.stands_in(extract.shown)
    term = _TERM.match(extract.shown)
    if term is not None and definition.is_of(term[1]):
        return False
    above = (one for one in reversed(extract.headings) if not is_introductory(one))
    heading = next(above, extract.hit.title)
    is_told = definition.is_of(heading) and not speaks_of_page(extract.shown)
    return not is_told and not definition.stands_in(extract.shown, heading)


def _gives_value(definition: Definition, extract: Extract) -> bool:
    """Return whether code gives the thing a value, as a setting that is named with some of the keys above it."""
    nested = (*paths_in(extract.shown), *((name,) for name in settings_in(extract.shown)))
    paths = ((*extract.headings, *path) for path in nested)
    return any(definition.is_of(" ".join(path[start:])) for path in paths for start in range(len(path)))


def _lacks_command(question: str, extract: Extract) -> bool:
    """Return whether it is asked what a command of two words does, and neither ``extract`` nor its place has it."""
    asked, place = asked_command(question), " ".join(_place(extract))
    if asked is None or asked.is_in(f"{place} {extract.shown}"):
        return False
    return not any(asked.begins(line, place) for line in extract.shown.splitlines() if ":" in line)


def lacks_claimed_kind(question: str, extract: Extract, lexicon: Lexicon = NO_LEXICON) -> bool:
    """Return whether a question wants a kind of a thing confirmed, or asks how much one is or about one of a program,
    that an extract and its place do not speak of.
    """
    wanted = [*claimed_kinds(question), *named_before_kind(question), *filter(None, [bought(question)])]
    return _does_not_speak_of(wanted, question, extract, lexicon)


def _says_nothing_of_it(question: str, extract: Extract, lexicon: Lexicon) -> bool:
    """Return whether a question asks which thing, or wants one confirmed, counted or priced, that ``extract`` and its
    place do not speak of.

    A few words, names in a row and what was computed need not call what they name.
    """
    shown = extract.shown
    may_omit = extract.is_computed or len(shown.split()) <= _BRIEF or lists_names(shown)
    named = ("" if may_omit else asked_noun(question), claimed(question), counted(question), priced(question))
    return _does_not_speak_of([*filter(None, named), *claimed_kinds(question)], question, extract, lexicon)


def _does_not_speak_of(wanted: Sequence[str], question: str, extract: Extract, lexicon: Lexicon) -> bool:
    told = lexicon.with_names_of(question, in_place(extract))
    words = words_of(told) if wanted else frozenset()
    return any(not is_among(one, words) for one in wanted)


def _lists_unnamed(question: str, shown: str, place: str) -> bool:
    """Return whether a list is asked for, and ``shown`` does not name the things.

    A list is of the things asked for if its lead-in, the headings above it, or enough of its items name them; long
    prose is if it or its place does, or if it is a series of names.
    """
    items = [line.lower() for line in shown.splitlines() if ITEM.match(line)]
    if question_form(question) != "list":
        return False
    stem = thing_stem(question)
    if not items:
        is_long = len(shown.split()) > _BRIEF and not lists_names(shown)
        return is_long and stem not in f"{place} {shown}".lower()
    around = " ".join((place, *(line for line in shown.splitlines() if not ITEM.match(line))))
    return stem not in around.lower() and sum(stem in item for item in items) < _SHARE * len(items)
