"""What stands beside a task and does not say how it is done: notes, what follows it, what to do if it fails."""

from __future__ import annotations

import re

from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.tasks import leads_into_ways
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import items_in

NOTE = re.compile(r"(?:attention|caution|danger|hint|important|info|notes?|tip|warning):\s", re.IGNORECASE)
_FORBIDS = re.compile(
    r"[a-z]{4,9}:\s+(?:do\s+not|don['\u2019]t|(?:it|they|this|we|you)\s+(?:can|could|may|must|should)\s?(?:not|n['\u2019]t))\b",
    re.IGNORECASE,
)
"""The beginning of a note on what cannot be done: "Note: You cannot reef a sail that is wet."."""
_BEHIND = re.compile(
    r"(?:after|once)\s+(?:[^\s,.:]+\s+){0,9}[^\s,.:]+,\s+(?:you|we)\s+(?:can|may|might|should|will|would)\s+(?:\w+\s+)?"
    r"(?:check|confirm|find|get|notice|see|test|verify)\b",
    re.IGNORECASE,
)
"""The beginning of what is seen behind a task: "After the installation, you can check ..."."""
_ASKS_BEHIND = re.compile(r"\b(?:after|afterwards|check|confirm|find|know|once|see|test|verify)\b", re.IGNORECASE)
_VERB = re.compile(r"\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one))\s+([a-z]+)", re.IGNORECASE)
"""The verb of a task: "moor" of "How do I moor a boat?"."""
_ASKS_TROUBLE = re.compile(r"\b(?:errors?|fail\w*|not|cannot|problems?|troubles?|wrong)\b|n['\u2019]t\b", re.IGNORECASE)
_IF_TROUBLE = re.compile(
    r"(?:\w+:\s+)?(?:if|in\s+case|should|when)\s(?:(?!\byou\b)[^.,:!?])*?"
    r"\b(?:does\s+not|doesn['\u2019]t|fail(?:s|ed)?|goes\s+wrong)\b",
    re.IGNORECASE,
)
"""The beginning of what to do if it does not work: "If the sail does not rise, ..."."""
_FIRST_SENTENCE = re.compile(r"(?:(?![.!?]\s)[^\n])*")
_TAKES_TIME = re.compile(
    r"[^.!?]{0,60}\b(?:can|may|might|will)\s+take\s+(?:some\s+time|a\s+(?:few|long|while)|several)\b", re.IGNORECASE
)
_ADVISES_NOT = re.compile(
    r"(?:doing\s+)?(?:it|so|that|this)\s+is(?:,?\s+(?:generally|however|therefore|usually),?)?\s+(?:highly\s+|strongly\s+)?"
    r"(?:discouraged|not\s+(?:advisable|advised|recommended)|recommended\s+(?:against|not\s+to|to\s+not))\b",
    re.IGNORECASE,
)
"""The beginning of advice not to do it: "It is, however, recommended to not sail at night."."""
_WHEN_DONE = re.compile(
    r"(?:if|once|when)\s+(?:an?|the|this)\s(?:(?!\b(?:you|your|we)\b)[^.,:!?\n]){1,80}\b(?:is|are|was|has\s+been|have\s+been)\s+"
    r"[a-z]{3,20}(?<=ed|et|en|nt):\n",
    re.IGNORECASE,
)
"""What leads into a list of what follows from a task: "When the sail is furled:"."""
_OF_WORTH = re.compile(
    r"[^\n]{0,200}\b(?:advantages|benefits|disadvantages|drawbacks|limitations|reasons|use\s+cases|typical\s+uses)\b[^\n]{0,80}:\n",
    re.IGNORECASE,
)
"""What leads into a list of what a thing is good for, or not: "A sail has the following benefits:"."""
_ASKS_WORTH = re.compile(r"\b(?:advantages?|benefits?|drawbacks?|limit(?:s|ations?)?|reasons?|uses?)\b", re.IGNORECASE)
_IN_CASE = re.compile(r"[a-z]{3,9}:\s+in\s+(?:the\s+)?case\s+of\b", re.IGNORECASE)
"""The beginning of a note on a special case: "Note: In the case of a storm, ..."."""
_MOST_LABEL_WORDS = 3
_TITLE = re.compile(r"(?:[-*\u2022]\s+|\d{1,3}[.)]\s+)?[A-Z][a-z]+ing\s")
"""How a page on a task is called: "Mooring a boat". An instruction says "Moor the boat"."""
_TELLS_TO_DO = re.compile(
    r"[`$=(]|\b(?:add|call|choose|click|edit|enter|execute|invoke|open|pass|press|run|select|set|type|use)\b",
    re.IGNORECASE,
)
_MOST_TITLE_WORDS = 16


def is_beside(question: str, passage: Passage) -> bool:
    """Return whether a passage is a note, follows the task that a question asks how to do, or is of its failure."""
    shown = passage.shown
    return (
        _is_note(question, passage)
        or (_BEHIND.match(shown) is not None and not _ASKS_BEHIND.search(question))
        or (_is_of_trouble(passage) and not _ASKS_TROUBLE.search(question))
        or _TAKES_TIME.match(shown) is not None
        or _ADVISES_NOT.match(shown) is not None
        or (_WHEN_DONE.match(shown) is not None and not _ASKS_BEHIND.search(question))
        or (
            passage.kind in ("list", "item") and _OF_WORTH.match(shown) is not None and not _ASKS_WORTH.search(question)
        )
        or _is_label(passage)
        or _names_pages(passage)
    )


def is_done(question: str, shown: str) -> bool:
    """Return whether a text begins with what the task leads to: "A list of moored boats"."""
    verb = _VERB.search(question)
    if verb is None or _says_to_do(question, shown):
        return False
    first = _FIRST_SENTENCE.match(shown)
    done = re.compile(rf"\b{verb[1].removesuffix('e')}ed\b", re.IGNORECASE)
    return first is not None and done.search(first[0]) is not None


def _is_note(question: str, passage: Passage) -> bool:
    """Return whether a note lists what to mind, is of a special case, says what cannot be done, or shows code of
    something else.
    """
    if NOTE.match(passage.shown) is None:
        return False
    if _IN_CASE.match(passage.shown) is not None and " case " not in question.lower():
        return True
    of_other = passage.kind == "code" and not _says_to_do(question, passage.shown)
    return passage.kind in ("list", "item") or of_other or _FORBIDS.match(passage.shown) is not None


def _says_to_do(question: str, shown: str) -> bool:
    """Return whether a text says the verb of a task as the question does: "moor", and not "moored"; if there is one."""
    verb = _VERB.search(question)
    return verb is None or re.search(rf"\b{verb[1]}\b", shown, re.IGNORECASE) is not None


def _is_of_trouble(passage: Passage) -> bool:
    return passage.kind in ("sentences", "code") and _IF_TROUBLE.match(passage.shown) is not None


def _names_pages(passage: Passage) -> bool:
    """Return whether an item is the title of a page on a task, with what the page is about; or most items of a list.

    Ways in which the task can be done may be named like pages.
    """
    if leads_into_ways(passage.shown):
        return False
    if passage.kind == "item":
        return _is_title(passage.shown.strip())
    items = items_in(passage.shown) if passage.kind == "list" else []
    return bool(items) and sum(map(_is_title, items)) * 2 > len(items)


def _is_title(item: str) -> bool:
    is_short = word_count(item) <= _MOST_TITLE_WORDS
    return is_short and _TITLE.match(item) is not None and _TELLS_TO_DO.search(item) is None


def _is_label(passage: Passage) -> bool:
    """Return whether prose is a few words that tell nothing to do."""
    is_short = passage.words <= _MOST_LABEL_WORDS and passage.shown[-1] not in ".!?"
    return passage.kind == "sentences" and is_short
