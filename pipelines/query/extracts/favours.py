"""What the candidates of a choice gain and lose beside each other: by sections, pins, subjects and rows."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from pipelines.query.extracts.candidates import Candidate, put_before
from pipelines.query.extracts.counted_lists import favour_counted
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.language.defaults import (
    asked_setting,
    asks_default,
    implies_default,
    states_default,
    tells_thing,
)
from pipelines.query.extracts.language.ends import tells_other_end, tells_own_end
from pipelines.query.extracts.language.holders import lacks_role
from pipelines.query.extracts.language.origins import lacks_origin
from pipelines.query.extracts.language.other_questions import asks_otherwise
from pipelines.query.extracts.language.siblings import names_own, tells_of_sibling
from pipelines.query.extracts.language.things import subjects
from pipelines.query.extracts.passages.list_forms import has_one_entry, is_of_names
from pipelines.query.extracts.passages.passages import LISTS, Passage
from pipelines.query.extracts.promising import off_pins
from pipelines.query.extracts.section_beginnings import disfavour_behind_lists, favour_entry, favour_stating
from pipelines.query.extracts.sections import NamedSections
from pipelines.query.extracts.tables.rows import first_cell, table_of
from pipelines.query.identifiers import asks_effect_of_option, identifiers, is_entry_of_option, lacks_identifier
from pipelines.query.lexicon import Lexicon
from pipelines.query.question_types import names_new, question_form, question_kind, question_thing
from pipelines.query.terms import Terms
from pipelines.query.verdicts.polarity import negates

_OWN_DEFAULT = 2.5
"""What a passage gains that says so in the section of the setting, and what others lose that say so of theirs."""
_OF_EXAMPLE = 3.0
"""What a passage loses that may not say what is so by default, where that is asked and another passage says it."""
_NAMED = 1.0
"""What a passage gains that stands in the section that the question names."""
_REPLIES = 1.0
"""What the beginning of a section gains besides, whose heading is the question, and code or a list that says how."""
_INTRODUCES = 3.0
"""What the beginning of such a section gains where it is asked what the thing is or does; the rest gains nothing."""
_TAGLINE = 4.0
"""What the line gains besides that a document on the thing begins with: it need not name the thing again."""
_OFF_PINS = 2.5
"""What a passage loses that lacks a day, a version or a kind of the question which others have."""
_OF_ONE = 1.5
"""What a passage loses that is about one named thing where the question is about none."""
_SIGNS = 3.0
"""What the signs of a thing gain where it is asked how to tell whether it is there."""
_HEADED = 0.7
"""What a list gains below a heading with a word of the question that stands in the headings of no other list."""
_OPPOSED = 2.5
"""What a list loses below a heading that says the opposite of the question, if another one has the same word."""
_OFF_SUBJECT = 1.0
"""What a passage loses that lacks a noun that the question is about, "pugs", which others have."""
_ECHOES = 5.0
"""What a name loses that lacks a term of the question which other passages have: it only says what it is about."""
_MOST_ECHO_WORDS = 6
_COMPUTED = 1.0
"""What a row gains that was computed to answer the question, such as the row with the highest price."""
_BY_COMMAND = 1.5
"""What a passage gains on the command line, where it is asked how to do something there."""
_COMMAND_LINE = re.compile(r"\b(?:cli|command[\s-]line|shell|terminal)\b", re.IGNORECASE)
_ASKS_SIGNS = re.compile(
    r"\bhow\s+(?:can|could|do|does|would)\s+\w+\s+(?:know|notice|recogni[sz]e|see|spot|tell)\s+(?:if|that|whether)\b",
    re.IGNORECASE,
)
_OF_SIGNS = re.compile(r"\b(?:signs?|symptoms?|recogni[sz]ing|telling)\b", re.IGNORECASE)
_OPTION_KIND = re.compile(r"\b(?:argument|flag|option|parameter|switch)\b", re.IGNORECASE)
_LONGEST_NAMES = 80
"""Characters of the names that an entry begins with."""
_CAPITALS_INSIDE = re.compile(r"(?<![\w.-])[A-Za-z][a-z\d]+(?:[A-Z][a-z\d]+)+(?![\w-])")
_SIGN = re.compile(r"[\W_]+")
_TYPE = re.compile(r"\s*\([\w ,]{1,40}\)$")
"""The type of a setting behind its name: "max_tide (integer)"."""


def weigh_beside_each_other(
    question: str, candidates: Sequence[Candidate], sections: NamedSections, terms: Terms, lexicon: Lexicon
) -> None:
    """Change the scores of candidates by what each gains and loses in comparison with the others."""
    _favour_named(question, candidates, sections)
    favour_entry(question, candidates, sections)
    favour_stating(question, candidates)
    _favour_own_default(question, candidates, sections, terms)
    _favour_option(question, candidates, terms)
    _favour_spelt(question, candidates)
    _favour_pinned(question, candidates)
    _favour_general(question, candidates, lexicon)
    _favour_subjects(question, candidates)
    _favour_headed(question, candidates, terms)
    _disfavour_opposed(question, candidates, terms)
    _favour_signs(question, candidates, terms)
    _favour_command_line(question, candidates)
    _disfavour_siblings(question, candidates)
    _disfavour_other_replies(question, candidates)
    disfavour_behind_lists(question, candidates, terms)
    favour_counted(question, candidates)


def _favour_named(question: str, candidates: Sequence[Candidate], sections: NamedSections) -> None:
    """Favour passages of the sections that the question names.

    Where it asks for a definition, these are the beginnings of sections; where it asks for a list of things, their
    lists and tables.
    """
    listed = (
        question_form(question) == "list"
        and question_thing(question) != ""
        and any(_lists(one.passage, sections) for one in candidates)
    )
    for candidate in candidates:
        candidate.is_reply = sections.begins_reply(candidate.passage)
        if listed:
            candidate.score += (_NAMED + _REPLIES) * _lists(candidate.passage, sections)
        elif sections.introduces(candidate.passage):
            candidate.score += _INTRODUCES + _TAGLINE * sections.is_tagline(candidate.passage)
        elif candidate.is_reply:
            candidate.score += _NAMED + _REPLIES
        elif sections.holds(candidate.passage) and not sections.defines(candidate.passage):
            replies = sections.replies(candidate.passage) or sections.shows_how(candidate.passage)
            candidate.score += _NAMED + _REPLIES * replies


def _favour_own_default(question: str, candidates: Sequence[Candidate], sections: NamedSections, terms: Terms) -> None:
    """Where it is asked what a setting is by default, favour what its section says over what others say of theirs.

    What the best of its entries says is no worse than what others say. A list that is shown as the names of its entries
    is as good as one of these, and says nothing.
    """
    if not asks_default(question):
        return
    setting = asked_setting(question)
    asked, last = terms(setting), terms(" ".join(setting.split()[-1:]))
    _disfavour_examples(question, candidates, last, terms)
    stating = [one for one in candidates if states_default(one.passage.shown) or is_of_names(one.passage)]
    named = [_named_by_entry(one.passage, asked, last, terms) for one in stating]
    are_entries = [0 < count == max(named) for count in named]
    are_own = [is_entry or sections.holds(one.passage) for one, is_entry in zip(stating, are_entries, strict=True)]
    best = max((one.score for one in stating), default=0.0)
    best_entry = max((one.score for one, is_entry in zip(stating, are_entries, strict=True) if is_entry), default=best)
    for candidate, is_own, is_entry in zip(stating, are_own, are_entries, strict=True) if any(are_own) else ():
        candidate.score += (best - best_entry) * is_entry + (_OWN_DEFAULT if is_own else -_OWN_DEFAULT)


def _favour_option(question: str, candidates: Sequence[Candidate], terms: Terms) -> None:
    """Where it is asked what an option does, put its entry first that stands where all else is named: the command."""
    if not asks_effect_of_option(question):
        return
    asked = terms(_OPTION_KIND.sub(" ", question))
    entries = [one for one in candidates if is_entry_of_option(question, one.passage.shown)]
    own = [one for one in entries if asked <= terms(one.passage.in_context)]
    put_before(max(candidates, key=lambda one: one.score), own)


def _disfavour_examples(question: str, candidates: Sequence[Candidate], last: frozenset[int], terms: Terms) -> None:
    """Disfavour passages that may not say what is so by default, if another one says it of the same thing.

    "The examples have five boats a page." is as close to the question as "boats (default: 10)".
    """
    stating = (one.passage.in_context for one in candidates if states_default(one.passage.shown))
    is_said = any(tells_thing(question, place) and last <= terms(place) for place in stating)
    for candidate in candidates if is_said else ():
        candidate.score -= _OF_EXAMPLE * (not implies_default(candidate.passage.in_context))


def _named_by_entry(passage: Passage, asked: frozenset[int], last: frozenset[int], terms: Terms) -> int:
    """Return how many terms of the question the name of an entry has; 0 if it does not fit, or states no default.

    A name fits if it has the last word of the setting and nothing that is not asked: "-t, --tide" fits "the tide", and
    not "the tide table".
    """
    if passage.kind not in ("item", "row") or not states_default(passage.shown):
        return 0
    names, colon, _ = passage.shown.partition(": ") if passage.kind == "item" else (first_cell(passage), ":", "")
    if not colon or len(names) > _LONGEST_NAMES:
        return 0
    names = _TYPE.sub("", names)
    return max((len(one) for one in map(terms, names.split(", ")) if last <= one <= asked), default=0)


def _favour_spelt(question: str, candidates: Sequence[Candidate]) -> None:
    """Where the default of a setting is asked for, favour passages that spell its name as the question does.

    ``MaxTide`` comes before the ``maxTide`` of another program.
    """
    names = _CAPITALS_INSIDE.findall(question) if asks_default(question) else []
    stating = [one for one in candidates if states_default(one.passage.shown)]
    for name in names:
        whole, any_case = (re.compile(rf"\b{name}\b", case) for case in (0, re.IGNORECASE))
        own = [one for one in stating if whole.search(one.passage.in_context)]
        of_others = [one for one in stating if one not in own and any_case.search(one.passage.in_context)]
        if own and of_others:
            behind = max(one.score for one in candidates) - max(one.score for one in own)
            for one in own:
                one.score += behind + _OWN_DEFAULT
            for one in of_others:
                one.score -= _OWN_DEFAULT


def _lists(passage: Passage, sections: NamedSections) -> bool:
    return passage.kind in LISTS and sections.holds(passage) and not has_one_entry(passage)


def _favour_pinned(question: str, candidates: Sequence[Candidate]) -> None:
    """Favour passages on the day, the version or the identifier that the question names, if there are any."""
    others = off_pins(question, [candidate.passage for candidate in candidates])
    # "MHC:antigen" may be two words, which a text need not write so.
    is_named = not any(":" in one for one in identifiers(question))
    told = ("\n".join((candidate.passage.in_context, *candidate.passage.headings)) for candidate in candidates)
    unnamed = [is_named and lacks_identifier(question, one) for one in told]
    for candidate, is_other, is_unnamed in zip(candidates, others, unnamed, strict=True):
        candidate.score -= _OFF_PINS * (is_other or (is_unnamed and not all(unnamed)))


def _favour_general(question: str, candidates: Sequence[Candidate], lexicon: Lexicon) -> None:
    """Where the question is about none of the named things, disfavour what stands under one: "Care" of "Poodle".

    What says which things there are may stand under any.
    """
    if lexicon.names_in(question) or question_form(question) == "list" or question_kind(question) == "name":
        return
    for candidate in candidates:
        place = " \n ".join((candidate.passage.hit.title, *candidate.passage.headings))
        candidate.score -= _OF_ONE * bool(lexicon.names_in(place))


def _favour_signs(question: str, candidates: Sequence[Candidate], terms: Terms) -> None:
    """Where it is asked how to tell whether a thing is there, favour what stands below "Signs of rot".

    Of several such headings, only those count that share most terms with the question.
    """
    if _ASKS_SIGNS.search(question) is None:
        return
    asked = terms(question)
    signs = [one for one in candidates if one.passage.headings and _OF_SIGNS.search(one.passage.headings[-1])]
    named = [len(asked & terms(" ".join((one.passage.hit.title, *one.passage.headings)))) for one in signs]
    for candidate, words in zip(signs, named, strict=True):
        candidate.score += _SIGNS * (words == max(named) > 0)


def _favour_command_line(question: str, candidates: Sequence[Candidate]) -> None:
    """Where it is asked how to do something on the command line, favour what speaks of it, or stands below it."""
    if question_form(question) != "howto" or _COMMAND_LINE.search(question) is None:
        return
    for candidate in candidates:
        passage = candidate.passage
        place = " ".join((_SIGN.sub(" ", passage.hit.source), passage.hit.title, *passage.headings, passage.shown))
        candidate.score += _BY_COMMAND * (_COMMAND_LINE.search(place) is not None)


def _favour_headed(question: str, candidates: Sequence[Candidate], terms: Terms) -> None:
    """Where a list is asked for, favour the one with a word of the question in its heading that no other heading has.

    For "Which flags do ferries show?" that is the list below "Ferries", and not the one below "Tugs".
    """
    if question_form(question) != "list":
        return
    lists = [one for one in candidates if one.passage.kind in LISTS and one.passage.headings]
    asked = terms(question)
    told = [asked & terms(one.passage.headings[-1]) - terms(one.passage.hit.title) for one in lists]
    headings = [one.passage.headings[-1] for one in lists]
    for candidate, said, heading in zip(lists, told, headings, strict=True):
        others = [other for other, above in zip(told, headings, strict=True) if above != heading]
        candidate.score += _HEADED * bool(others and said - frozenset[int]().union(*others))


def _disfavour_opposed(question: str, candidates: Sequence[Candidate], terms: Terms) -> None:
    """Where a list is asked for, disfavour lists below a heading that says the opposite: "Not included".

    There is another list with that word in its heading.
    """
    parts = [one for one in candidates if one.passage.headings and (one.passage.kind in LISTS or one.passage.is_part)]
    asked, asks_not = terms(question), negates(question)
    told = [(one, negates(one.passage.headings[-1]), asked & terms(one.passage.headings[-1])) for one in parts]
    alike = frozenset[int]().union(*(said for _, says_not, said in told if says_not == asks_not))
    for candidate, says_not, said in told if question_form(question) == "list" else ():
        candidate.score -= _OPPOSED * (says_not != asks_not and bool(said & alike))


def _favour_subjects(question: str, candidates: Sequence[Candidate]) -> None:
    """Favour passages that have the nouns or the role that the question is about, if there are any."""
    wanted = subjects(question)
    told = [all(is_among(word, words_of(one.passage.in_context)) for word in wanted) for one in candidates]
    if any(told):
        for candidate, is_told in zip(candidates, told, strict=True):
            candidate.score -= _OFF_SUBJECT * (not is_told)
    roleless = [lacks_role(question, one.passage.in_context) for one in candidates]
    for candidate, is_roleless in zip(candidates, roleless, strict=True) if not all(roleless) else ():
        candidate.score -= _OFF_PINS * is_roleless


def _disfavour_siblings(question: str, candidates: Sequence[Candidate]) -> None:
    """Disfavour passages on the sibling of what is asked about, such as v1 for v2, if others name that and answer.

    So are the beginning of a thing, where it is asked what is after it, and what only has a name, where it is asked
    where that comes from.
    """
    passages = [candidate.passage for candidate in candidates]
    own_end = any(tells_own_end(question, one.shown) for one in passages)
    for candidate in candidates if own_end else ():
        candidate.score -= _OFF_PINS * tells_other_end(question, candidate.passage.shown)
    nameless = [lacks_origin(question, one.shown) for one in passages]
    for candidate, is_nameless in zip(candidates, nameless, strict=True) if not all(nameless) else ():
        candidate.score -= _OFF_PINS * is_nameless
    others = [tells_of_sibling(question, one.shown, (one.hit.title, *one.headings)) for one in passages]
    if any(others) and any(_answers_own(question, one) for one in passages):
        for candidate, is_other in zip(candidates, others, strict=True):
            candidate.score -= _OFF_PINS * is_other


def _disfavour_other_replies(question: str, candidates: Sequence[Candidate]) -> None:
    """Disfavour what stands right below another question, as in an FAQ."""
    for candidate in candidates:
        heading = candidate.passage.headings[-1] if candidate.passage.headings else ""
        candidate.score -= _OFF_PINS * asks_otherwise(question, heading)


def _answers_own(question: str, passage: Passage) -> bool:
    """Return whether a passage names the asked thing, not a sibling, and has a value of the asked kind."""
    kind = question_kind(question)
    told = " ".join((*passage.headings[1:], passage.shown))
    return names_own(question, told) and (kind is None or names_new(kind, passage.shown, question))


def disfavour_echoes(candidates: Sequence[Candidate], asked: frozenset[int], terms: Terms) -> None:
    """Disfavour names without what is asked of them: "Ebb Ferries" for "Who is the treasurer of Ebb?"."""
    held = [asked & terms(candidate.passage.in_context) for candidate in candidates]
    found = frozenset[int]().union(*held)
    for candidate, some in zip(candidates, held, strict=True):
        if some != found and _is_name(candidate.passage, asked, terms):
            candidate.score -= _ECHOES * bool(asked & terms(candidate.passage.shown))


def _is_name(passage: Passage, asked: frozenset[int], terms: Terms) -> bool:
    """Return whether a passage is a few words: no sentence, no figure and no value of what is asked for."""
    shown = passage.shown.rstrip()
    if passage.kind not in ("sentences", "row") or passage.words > _MOST_ECHO_WORDS:
        return False
    label, colon, _ = shown.partition(":")
    is_value = bool(colon) and terms(label) <= asked
    return not is_value and shown[-1:] not in ".!?" and not any(map(str.isdigit, shown))


def without_other_rows(candidates: Sequence[Candidate], named: Sequence[Passage]) -> list[Candidate]:
    """Return candidates in which a row that the question names stands for its table and all rows of it."""
    rows = {table_of(row): row for row in named}
    best: dict[Hashable, float] = {}
    for one in candidates:
        if one.passage.kind in ("row", "table"):
            table = table_of(one.passage)
            best[table] = max(best.get(table, one.score), one.score)
    kept = []
    for one in candidates:
        row = rows.get(table_of(one.passage)) if one.passage.kind in ("row", "table") else None
        if row is one.passage:
            one.score = best[table_of(row)] + _COMPUTED * bool(row.computed_for)
        if row is None or row is one.passage:
            kept.append(one)
    return kept
