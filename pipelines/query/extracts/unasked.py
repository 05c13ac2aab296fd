"""What is close to many questions and answers few: heads of messages, lists of changes, lines of links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from pipelines.components.sentences import sentence_spans
from pipelines.query.extracts.beside_task import NOTE, is_beside, is_done
from pipelines.query.extracts.language.dates import names_month_left_out
from pipelines.query.extracts.language.definitions import bare_heading
from pipelines.query.extracts.language.kinds_of_change import kind_of_change, tells_only_when, tells_other_change
from pipelines.query.extracts.language.other_pairs import compares_others
from pipelines.query.extracts.language.other_properties import tells_other_property
from pipelines.query.extracts.language.other_terms import defines_other
from pipelines.query.extracts.other_lists import is_of_others
from pipelines.query.extracts.passages.boilerplate import is_company_line
from pipelines.query.extracts.passages.cases import lacks_remedy
from pipelines.query.extracts.passages.fillers import speaks_of_page
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import items_in
from pipelines.query.extracts.secondary import (
    denies_asked,
    denies_items,
    is_change_file,
    is_further,
    is_given_up,
    is_not_taken,
)
from pipelines.query.extracts.tables.totals import is_unasked_total
from pipelines.query.measures import lacks_needed
from pipelines.query.properties import labels_in, properties_of
from pipelines.query.question_types import question_form, question_kind, question_thing

_ADDRESSES = re.compile(r"From: .{1,300}?\s(?:To|Cc|Date|Sent): ")
_ADDRESSED = 2.0
"""What the head of a message loses where it is not asked about."""
_KEPT = 4.0
"""What the head of a document loses where it is not asked about, it stands right below the title; so does its foot."""
_ASKS_PLACE = re.compile(r"\bwhere\b", re.IGNORECASE)
_ASKS_MESSAGE = re.compile(
    r"\b(?:e-?mails?|letters?|mails?|messages?|posts?|receiv\w+|repl(?:y|ied)|sen[dt]\w*|sends|writ\w+|wrote)\b",
    re.IGNORECASE,
)
_ABOUT_DOCUMENT = (
    "approver authors? category class created date discussions?-to document document-id editor last-modified "
    "last-updated license modified owner post-history published replaces requires resolution revision status "
    "superseded-by supersedes tags? title topic type updated version"
)
_FACT_OF_DOCUMENT = re.compile(rf"(?:[-*\u2022]\s+)?({'|'.join(_ABOUT_DOCUMENT.split())}):\s", re.IGNORECASE)
"""A line of the head of a document, such as its author and the day of its last change."""
_NOTED = 1.0
"""What a note loses where it is asked which things there are: it says something besides."""
_NOTED_ITEM = 1.5
"""What an item loses that is a note on the other ones."""
_CHANGES = re.compile(
    r"\W*(?:change\s?-?log(?:\s+\d[\w.]*)?"
    r"|(?:(?!(?:api|docs|documentation|guide|handbook|manual|reference|specification)\b)[\w-]+\s+){1,2}v\d+\.\d[\w.]*"
    r"|(?:(?:api|breaking|internal|latest|major|minor|notable|other|recent"
    r"|[\w-]+-(?:facing|incompatible))\s+)?changes|release\s+(?:notes?|history)|(?:version|revision|change)\s+history"
    r"|history\s+of\s+changes|what['\u2019]s\s+new\b.*)\W*",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"\W*(?:[\dA-Z][\d.]*\s+)?(?:bibliography|(?:external\s+)?links|further\s+reading|literature(?:\s+cited)?|references"
    r"|references\s+and\s+\w+|sources|works\s+cited)\W*",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(r"https?://|\bdoi\b|\b(?:19|20)\d\d\b")
_ASKS_REFERENCE = re.compile(
    r"\b(?:articles?|authors?|blogs?|books?|cit(?:e[sd]?|ations?)|links?|literature|papers?|posts?|publi\w+|read(?:ing)?"
    r"|references?|sources?|stud(?:y|ies)|talks?|urls?|web\s?(?:page|site)s?|where|wrote|written)\b",
    re.IGNORECASE,
)
"""A question for another text, or for who wrote one."""
_RELEASE = re.compile(
    r"\W*(?:(?!(?:appendix|chapter|figure|part|section|table)\b)[a-z][\w+-]{0,30}\s)?"
    r"(?:(?:version|release|v)\s*)?\d+\.\d[\w.]*+\s*\W.*\b(?:19|20)\d\d\b.*",
    re.IGNORECASE,
)
"""The heading of a release with its date: "Version 1.0.8 (2016-10-17)", "Ebb 2.0 (May 2024)"."""
_ASKS_CHANGES = re.compile(
    r"\b(?:chang\w+|versions?(?!.{0,80}\bsupport)|releas\w+|new|news|added|removed|dropped|fix\w*"
    r"|deprecat\w+|since|when|histor\w+|updat\w+|introduc\w+|become|became|still|longer)\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|instead\s+of|no\s+longer)\b|\bfrom\s+\S{1,20}\s+to\s", re.IGNORECASE)
"""What a change says that states what is so now: "Passwords need 12 characters instead of 10"."""
_ADDS = re.compile(r"\bnow\s+(?:also\s+)?(?:accepts?|allows?|supports?)\b|\badd(?:ed|s)?\s+support\b", re.IGNORECASE)
_ADDED = 1.0
"""What a passage loses that says only what was added to the things that are asked for."""
_TASK = re.compile(r"\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one))\s+\w+", re.IGNORECASE)
_BELOW = re.compile(
    r"\b(?:described|detailed|explained|given|listed|outlined|shown)\s+(?:below|in\s+the\s+(?:following|next)\s+\w+)\W*$"
)
"""The end of prose that says only where the answer stands: "There are two ways, which are described below."."""
_ANNOUNCED = re.compile(
    r"(?:here(?:['\u2019]s|\s+(?:is|are))|the\s+following\s+(?:is|are)|below\s+(?:is|are))\s+(?:(?:an?|some|the)\s+)?"
    r"(?:\w+\s+){0,2}(?:basics|details|examples?|guide|instructions|introduction|outline|overview|procedure|steps|summary|tips"
    r"|ways?)\b[^.!?\n]{0,120}[.:!]?",
    re.IGNORECASE,
)
"""Prose that says only that the answer follows: "Here are the basics of mooring."."""
_ASKS_PAGE = re.compile(
    r"\b(?:about|article|chapter|document|example|notebook|page|post|section|tutorial)s?\b", re.IGNORECASE
)
_ASKS_QUESTIONS = re.compile(r"\b(?:ask|asked|asking|faqs?|interviews?|questions?|quiz(?:zes)?)\b", re.IGNORECASE)
_AIMS = re.compile(
    r"\W*(?:abstract|(?:(?:learning|lesson)\s+)?(?:aims?|goals?|objectives?|outcomes?))\W*"
    r"|\W*what\s+(?:you|we)(?:['\u2019]ll|\s+will)?\s+learn\b.*",
    re.IGNORECASE,
)
"""The heading of what a lesson is for."""
_AIMED = re.compile(
    r"(?:[^.:\n]{1,120}?[\s,])?(?:you|we)(?:['\u2019](?:ll|ve))?(?:\s+(?:have|now|should|will)){0,3}\s+(?:be\s+able\s+to"
    r"|know\s+how\s+to|learn(?:ed|t)?|seen)\b[^.:\n]{0,60}:(?:\n|$)",
    re.IGNORECASE,
)
"""What leads into them: "After this chapter you should be able to:"."""
_AIM = 4.0
"""What an aim loses where it is asked how to do something: it names the task in the same words."""
_ASKS_AIMS = re.compile(r"\b(?:aim|goal|learn|objective|outcome)", re.IGNORECASE)
_STEPS = re.compile(
    r"what\s+to\s+do\b[^\n]{0,80}\n\W{0,3}\d|to\s+(?!(?:all|any|each|the|this|these|those|which)\b)"
    r"(?![^\n]{0,200}\b(?:here|there)\s+(?:are|is)\b)[a-z]+\s[^\n]{0,200}:\n",
    re.IGNORECASE,
)
"""What leads into steps, also when it says no more than "What to do"; not "To be clear, here are the sails:"."""
_LAST_CHARS = 80
_FURTHER = 1.5
"""What a passage loses that begins as what follows another one does."""
_LATER = 2.0
"""What such passages lose where it is asked how to do something, and steps where it is asked which things there are."""
_ABOUT_PAGE = 2.0
"""What prose loses that says what a page is about, if that is not asked."""
_DONE = 1.0
"""What a passage loses that speaks only of the state that a task leads to."""
_CHANGED = 2.0
"""What a passage of a list of changes, of who may copy the document or helped with it, loses if these are not asked
about.
"""
_DATED = re.compile(
    r"\W*(?:this\s+)?(?:(?:document|page)\s+)?(?:was\s+)?last\s+(?:changed|edited|modified|reviewed|revised|updated)\b.{0,40}",
    re.IGNORECASE,
)
"""Nothing but when a page was written: "Last modified 18 October 2022"."""
_ASKS_DATE = re.compile(r"\b(?:when|dates?|last|latest|old|recent\w*|updat\w+|modif\w+|revis\w+)\b", re.IGNORECASE)
_DAY_FIRST = re.compile(r"\W*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b")
_LEGAL = re.compile(r"\W*(?:copyright|copying|legal|licen[cs](?:e|es|ing))\b(?:\s+\w+){0,2}\W*", re.IGNORECASE)
"""The heading of who may use a document."""
_THANKS = re.compile(r"\W*(?:acknowledge?ments?|credits|(?:special\s+)?thanks(?:\s+to)?)\W*", re.IGNORECASE)
"""The heading of whom a document thanks."""
_ASKS_HELPERS = re.compile(
    r"\b(?:who|whom|whose|acknowledg\w+|authors?|contribut\w+|credits?|help\w*|names?|people|sponsor\w*|thank\w*)\b",
    re.IGNORECASE,
)
_ASKS_RIGHTS = re.compile(
    r"\b(?:allow\w*|copy\w*|free|legal\w*|licen[cs]\w*|may|owns?|public|rights?)\b", re.IGNORECASE
)
_IMPORT = re.compile(
    r"(?:import|@import|#include)\s+[\w'\"<{.*(].*|from\s+[\w.]+\s+import\s.*|using\s+[\w.:= ]+;|use\s+[\w:\\{}*, ]+;"
    r"|library\(.*|(?:(?:const|let|var)\s.*=\s*)?require(?:_once)?[\s(]+['\"].*|%(?:autoreload|config|load_ext|matplotlib)\b.*"
)
"""A line with which programs and notebooks begin."""
_PROMPT = re.compile(r"(?:>>>|\.\.\.|In \[\d{1,3}\]:)\s")
"""What stands before a line that is typed in a session."""
_COMMENT_OR_BLANK = re.compile(r"(?:(?:#(?!include\b|\w+\s*=)|//|/\*|\*|--\s).*)?")
_ASKS_IMPORT = re.compile(r"\b(?:import|includ|librar|load|modul|namespac|packag|requir)\w*", re.IGNORECASE)
_LINK = re.compile(r"\b(?:https?://|www\.|mailto:)\S+", re.IGNORECASE)
_ASKS_LINK = re.compile(
    r"\b(?:where|links?|urls?|web\s?sites?|sites?|pages?|address\w*|e-?mail|contact\w*|download\w*|repositor\w+|repo"
    r"|documentation|docs|source|source\s+code|report\w*|chat|forum|discuss\w*)\b",
    re.IGNORECASE,
)
_LINKED_WORDS = 6
"""Beside its links: a line with fewer words is nothing but their names."""
_VISIT = re.compile(
    r"(?:please\s+)?(?:go\s+to|see|visit)\s+\S{0,20}(?:https?://|www\.)[^\s]++[^.!?]{0,120}[.!]?", re.IGNORECASE
)
"""A sentence that sends to an address."""
_LINKED = 2.0
"""What a line of links loses where none is asked for."""
_WORD = re.compile(r"\w+")
_CAN = re.compile(r"\bcan\b", re.IGNORECASE)
_COMPANY_KINDS = "ag co company corp corporation gmbh inc limited llc ltd plc sa"
_COMPANY = frozenset(_COMPANY_KINDS.split())
_ASKING_WORDS = "a an are can do does how i in is of the to what when where which who why you"
_ASKING = frozenset(_ASKING_WORDS.split())
_REVISED = re.compile(
    r"\b(?:last\s+)?(?:amended|changed|edited|modified|reviewed|revised|updated)(?:\s+on|\s+in|:)?\s+"
    r"(?:[\d./-]{1,10}\s+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s+)?"
    r"[\d./,-]{2,10}(?:\s+\d{4})?",
    re.IGNORECASE,
)
"""When a document was changed: "Last revised September 2024"."""


def unasked(question: str, passage: Passage) -> float:
    """Return what a passage loses because it is of a kind that the question does not ask for."""
    form = question_form(question)
    return (
        _ADDRESSED * is_head_of_message(question, passage.shown)
        + _KEPT * _is_head_of_document(question, passage.shown)
        + _KEPT * is_company_line(question, passage.shown)
        + _NOTED * (form == "list" and NOTE.match(passage.shown) is not None)
        + _NOTED_ITEM * (passage.kind == "item" and form != "list" and _is_note(passage))
        + _LATER * is_of_others(question, passage)
        + _LATER * defines_other(question, passage.shown)
        + _LATER * lacks_needed(question, [passage.shown])
        + _ADDED * adds_one(question, passage.shown)
        + _LATER * compares_others(question, passage.shown)
        + _LATER * tells_other_property(question, passage.shown, " ".join((passage.hit.title, *passage.headings)))
        + _KEPT * _only_asks(question, passage)
        + _AIM * (form == "howto" and _is_aim(question, passage))
        + _LATER * (form == "howto" and is_beside(question, passage))
        + _LATER * (form == "howto" and lacks_remedy(passage.shown))
        + _DONE * (form == "howto" and is_done(question, passage.shown))
        + _LATER * tells_steps(question, passage.shown)
        + _CHANGED * (_tells_changes(question, passage) or _is_change(question, passage))
        + _KEPT * tells_other_change(question, passage.shown, passage.headings)
        + _LATER * is_unasked_total(question, passage)
        + _FURTHER * is_further(passage.shown)
        + _LATER * (is_given_up(question, passage) or is_not_taken(question, passage))
        + _LATER * denies_items(question, passage.shown)
        + _KEPT * (denies_asked(question, passage.shown) or names_month_left_out(question, passage.shown))
        + _CHANGED * is_history(question, passage.shown)
        + _CHANGED * (_is_legal(question, passage) or _thanks(question, passage))
        + _CHANGED * (_DATED.fullmatch(passage.shown) is not None and not _ASKS_DATE.search(question))
        + _ABOUT_PAGE * _is_about_page(question, passage)
        + _LATER * _is_told_below(question, passage)
        + _LATER * (passage.kind == "code" and _only_imports(passage.shown) and not _ASKS_IMPORT.search(question))
        + _LINKED * (_is_links(passage.shown) and not _ASKS_LINK.search(question))
        + _KEPT * (_is_reference(passage) and not _ASKS_REFERENCE.search(question))
    )


def _is_reference(passage: Passage) -> bool:
    """Return whether a passage is one of the texts that a document refers to at its end, with an address or a year."""
    heading = passage.headings[-1] if passage.headings else ""
    return _REFERENCES.fullmatch(heading) is not None and _PUBLISHED.search(passage.shown) is not None


def _is_note(item: Passage) -> bool:
    written = item.stored.text[item.span.start : item.span.end]
    return NOTE.match(written.lstrip(" -*\u2022\t")) is not None


def _only_asks(question: str, passage: Passage) -> bool:
    """Return whether a list or prose has nothing but questions, which its document answers elsewhere, and none are
    asked for.
    """
    items = _sentences(bare_heading(passage.shown)) if passage.kind == "sentences" else items_in(passage.shown)
    asks = bool(items) and all(item.rstrip().endswith("?") for item in items)
    return asks and not _ASKS_QUESTIONS.search(question)


def _sentences(shown: str) -> list[str]:
    return [shown[start:end] for start, end in sentence_spans(shown)] if shown.rstrip().endswith("?") else []


def _is_aim(question: str, passage: Passage) -> bool:
    """Return whether a passage says what a lesson is for or that it follows, and the question is not about aims."""
    is_led = (
        _ANNOUNCED.fullmatch(passage.shown) is not None or _AIMED.match(passage.stored.text, passage.group) is not None
    )
    is_aim = is_led or any(map(_AIMS.fullmatch, passage.headings[-1:]))
    return is_aim and not _ASKS_AIMS.search(question)


def _only_imports(code: str) -> bool:
    """Return whether code only makes the code below it possible; what leads into it is not read."""
    lines = [_PROMPT.sub("", line.strip(), count=1) for line in code.splitlines()]
    code_lines = [line for line in lines[lines[0].endswith(":") :] if not _COMMENT_OR_BLANK.fullmatch(line)]
    return bool(code_lines) and all(map(_IMPORT.fullmatch, code_lines))


def _is_about_page(question: str, passage: Passage) -> bool:
    """Return whether it is asked what a thing is, which there are or how to do something, and prose says what a page is
    about.
    """
    asks = question_form(question) in ("definition", "howto", "list") and not _ASKS_PAGE.search(question)
    return asks and passage.kind == "sentences" and speaks_of_page(passage.shown)


def tells_steps(question: str, shown: str) -> bool:
    """Return whether it is asked which things there are, and a text lists what to do: "To reef a sail: ..."."""
    thing = question_thing(question)
    return question_form(question) == "list" and thing != "" and _STEPS.match(shown) is not None


def repeats(question: str, shown: str) -> bool:
    """Return whether a text only repeats the question, as the name of its subject does.

    The name of a company may also say what kind of company it is, and when its document was revised.

    That something can be done does not say how: "Riggers can splice ropes." of "How do I splice ropes?".
    """
    form = question_form(question)
    told = shown if question_kind(question) in ("date", "time") else _REVISED.sub("", shown)
    new = {*_WORD.findall(told.lower())} - _COMPANY - _ASKING - {*_WORD.findall(question.lower())}
    return form != "yesno" and len(new) <= (form == "howto" and _CAN.search(shown) is not None)


def is_head_of_message(question: str, shown: str) -> bool:
    """Return whether a text is the sender, the receivers and the day of a message, and these are not asked for."""
    if _ADDRESSES.match(shown) is None:
        return False
    if question_kind(question) == "name":
        return _ASKS_PLACE.search(question) is not None
    return question_kind(question) not in ("date", "time") or not _ASKS_MESSAGE.search(question)


def _is_head_of_document(question: str, shown: str) -> bool:
    """Return whether a text is what is kept of a document, such as its status, and nothing of it is asked for."""
    facts = [_FACT_OF_DOCUMENT.match(line) for line in shown.splitlines()]
    keys = {fact[1].lower() for fact in facts if fact is not None}
    asked = question.lower()
    if len(keys) * 2 <= len(facts) or question_kind(question) in ("name", "date", "time"):
        return False
    wanted = {*_WORD.findall(asked), *properties_of(question)}
    return not any(key in asked for key in keys) and wanted.isdisjoint(labels_in(shown))


def tells_changes(question: str, place: Sequence[str]) -> bool:
    """Return whether what stands under these titles and headings tells of changes, and no change is asked about."""
    return any(map(_is_of_changes, place)) and not _asks_changes(question)


def tells_only_changes(question: str, place: Sequence[str], shown: str) -> bool:
    """Return whether a text below these titles and headings only tells of changes that are not asked about.

    It does not if it has a heading of its own, such as "Limits by plan", or says what is so now.
    """
    below = list(takewhile(lambda above: not _is_of_changes(above), reversed(place)))
    has_own = any(kind_of_change(heading) is None for heading in below)
    is_now = _NOW.search(shown) is not None and not adds_one(question, shown)
    return not has_own and not is_now and tells_changes(question, place)


def adds_one(question: str, shown: str) -> bool:
    """Return whether it is asked which things there are, and a text says that one was added to them."""
    return question_form(question) == "list" and _ADDS.search(shown) is not None and not _asks_changes(question)


def _tells_changes(question: str, passage: Passage) -> bool:
    if passage.kind in ("row", "table"):
        return False
    of_file = is_change_file(passage.hit.source) and not _asks_changes(question)
    return of_file or tells_changes(question, (passage.hit.title, *passage.headings))


def _is_of_changes(heading: str) -> bool:
    return _CHANGES.fullmatch(heading) is not None or _RELEASE.fullmatch(heading) is not None


def _asks_changes(question: str) -> bool:
    """Return whether a question is about changes of the thing; not where it asks how to change, add or remove one."""
    return _ASKS_CHANGES.search(_TASK.sub(" ", question)) is not None


def _is_change(question: str, passage: Passage) -> bool:
    return tells_only_when(passage.shown) and not _asks_changes(question)


def is_history(question: str, shown: str) -> bool:
    """Return whether a list says what happened on which day, and neither days nor changes are asked about."""
    items = items_in(shown)
    dated = bool(items) and all(map(_DAY_FIRST.match, items))
    return dated and not (_ASKS_DATE.search(question) or _asks_changes(question))


def _is_legal(question: str, passage: Passage) -> bool:
    own = passage.headings[-1:]
    return any(map(_LEGAL.fullmatch, own)) and not _ASKS_RIGHTS.search(question)


def _thanks(question: str, passage: Passage) -> bool:
    own = passage.headings[-1:]
    return any(map(_THANKS.fullmatch, own)) and not _ASKS_HELPERS.search(question)


def _is_told_below(question: str, passage: Passage) -> bool:
    asks = question_form(question) in ("howto", "list")
    return asks and passage.kind == "sentences" and _BELOW.search(passage.shown[-_LAST_CHARS:]) is not None


def _is_links(shown: str) -> bool:
    words, links = _LINK.subn("", shown)
    few = len(_WORD.findall(words)) < _LINKED_WORDS * links
    return links > 0 and (few or _VISIT.fullmatch(shown) is not None)
